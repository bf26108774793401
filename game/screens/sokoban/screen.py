"""The Sokoban screen: push the boxes home by keys or mouse, ask for a hint, or let the agent finish the level."""

import math
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import pygame

from ai.entries import Spec
from game.rules.direction import Direction
from game.rules.replay import Step
from game.rules.sokoban import PUSH_ONLY, State, dead_squares
from game.screens.panel import Row
from game.screens.sokoban import messages, mouse, plans, results
from game.screens.sokoban.banner import Banner
from game.screens.sokoban.board import BoardView, Overlay
from game.screens.sokoban.editing import open_in_editor
from game.screens.sokoban.exchange import Exchange
from game.screens.sokoban.foot import Foot
from game.screens.sokoban.hands import Hands
from game.screens.sokoban.level_list import LevelListScene
from game.screens.sokoban.level_scene import LevelScene
from game.screens.sokoban.path import Path
from game.screens.sokoban.pointer import Pointer
from game.screens.sokoban.room_dialog import RoomDialog
from game.screens.sokoban.solver_view import SolverView
from game.screens.sokoban.verdict import Verdict
from game.screens.sokoban.win_dialog import WinDialog
from game.ui.chrome import Action
from game.ui.controls import Button

MOVE_SECONDS = 0.1
RUSH = 8
"""Steps of a plan in one frame at the highest speed."""
CELEBRATION = 1.1
DEAD_SQUARES = "sokoban/dead squares"
"""What the settings remember it by."""
FACING = int(Direction.DOWN)


class SokobanScene(LevelScene):
    """The board, the mouse and the keys, and the agent's part."""

    game_heading = "This level"
    shows_curve = True
    thought_row_count = 3
    never = frozenset({"new", "view", "reset_view"})
    """Commands of its groups that the screen never hears."""
    meanings = MappingProxyType(
        {
            "accept": "Carry out the hint, next level",
            "next": "Next level",
            "previous": "Level before",
            "list": "List of levels",
            "run": "Solve, pause the plan",
            "step": "One step of the plan",
        }
    )
    top_actions = (
        Action("undo", "Undo", "undo"),
        Action("redo", "Redo", "redo"),
        Action("restart", "Restart", "restart"),
        Action("list", "Levels", "list"),
        Action("replay", "Watch this game", "theatre"),
        Action("edit", "Edit this level", "edit"),
        Action("backwards", "Play backwards, or forwards again", "backwards"),
        Action("dead", "Dead squares on or off", "dead_squares"),
        Action("hint", "Hint", "hint", accent=True),
        Action("help", "Keys", "help"),
        Action("settings", "Settings", "settings"),
    )

    def __init__(self, window: Any, context: Any) -> None:
        """Takes up the saved game."""
        self.board: BoardView | None = None
        self.pointer = Pointer()
        self.path = Path(self._play_path)
        self.banner = Banner()
        self.verdict = Verdict()
        self._victory: float | None = None
        """Seconds since the level was won, while its dialog is still to come."""
        self._won_best = ""
        self.hands = Hands()
        self.foot = Foot(self)
        self.solver = SolverView(self)
        self.exchange = Exchange(self)
        super().__init__(window, context)

    def level_begins(self) -> None:
        """Nothing of the level before is left."""
        self.path.clear()
        self._victory = None
        self.verdict.forget()
        self.solver.forget()
        self.hands.forget()

    @property
    def groups(self) -> tuple[str, ...]:
        """Pulls and a second player have keys of their own."""
        rules = self.state.warehouse.rules
        own = ("Second player",) * (rules.players == 2) + ("Pulling",) * rules.pull
        return (*own, *("Backwards",) * self.backwards, "Moves", "Game", "Puzzles", "Rooms", "Agent", "Window")

    @property
    def without(self) -> frozenset[str]:
        """Pulls of a second player who only pushes."""
        return self.never | (frozenset() if self.state.warehouse.rules.pull else {"second_pull_up"})

    @property
    def keys(self) -> dict[str, str]:
        """Where two play, letters are the second player's."""
        two = self.state.warehouse.rules.players == 2
        return {"up": "↑", "right": "→", "down": "↓", "left": "←"} if two else {}

    @property
    def gestures(self) -> tuple[tuple[str, str], ...]:
        """What the mouse does."""
        return messages.gestures(self)

    def open_list(self) -> None:
        """The list of levels."""
        course = self.course
        pack_id = course.pack.id if course.pack is not None else ""
        self.window.push(
            LevelListScene(self.window, self.context, course.packs, pack_id, course.level_id, self.open_level)
        )

    def make_room(self) -> None:
        """Ask for a new room, and open it."""
        self.window.push(RoomDialog(self.window, self.context, self.course.packs, self.open_level))

    def edit(self) -> None:
        """The level in the editor, from its start."""
        course = self.course
        if course.pack is not None:
            open_in_editor(self.window, self.context, course.pack.levels[course.number], course.pack.own_stem)
        else:
            open_in_editor(self.window, self.context, course.level(self.start))

    # Moves

    def play(self, action: int, *args: Any, **more: Any) -> bool:
        """As for every game; a step ends what was said about the position before."""
        ply = self.timeline.cursor
        if not super().play(action, *args, **more):
            return False
        self.verdict.play(ply)
        self.driver.hint = None
        return True

    def person_plays(self, action: int) -> bool:
        """A move by key: a walk that is still on its way is finished first."""
        self.path.finish()
        if self.over(self.state):
            return False
        self.driver.stop()
        return self.play(action, seconds=MOVE_SECONDS)

    def follow(self, actions: Sequence[int], by_agent: bool = False, pasted: bool = False) -> None:
        """Play moves one after the other, as they are drawn; pasted ones count as an agent's."""
        self.path.finish()
        self.driver.stop()
        self.pasted = pasted
        self.path.start(actions, by_agent)
        if not self.window.look.animated:
            self.path.finish()

    def _play_path(self, action: int, seconds: float, by_agent: bool) -> bool:
        self.by_agent = by_agent
        played = self.play(action, seconds=seconds)
        self.by_agent = False
        return played

    # History

    def go(self, ply: int, animated: bool = False) -> None:
        """Through the history; a path or a celebration under way ends."""
        self.path.clear()
        self._victory = None
        super().go(ply, animated)

    def redo(self) -> None:
        """Take an undone step again, with its motion and sound."""
        self.path.clear()
        line = self.timeline
        if not line.can_redo:
            return
        before, step = line.state, line.steps[line.cursor]
        self.driver.stop()
        after = line.go(line.cursor + 1)
        self.finished = self.over(after)
        self.animate(before, step, after, MOVE_SECONDS)
        self.sound_of(before, step, after)
        self.changed()

    # Board

    def build_board(self, rect: pygame.Rect) -> None:
        """The board as large as it fits."""
        if self.board is None:
            self.board = BoardView(self.theme, self.window.look.animated)
        self.board.set_theme(self.theme, self.window.look.animated)
        self.board.layout(rect)
        self.banner.clear()

    def show(self, state: State) -> None:
        """Put a position on the board; one step back is seen as a step."""
        if self.board is not None:
            last = self.timeline.last
            self.board.undo_to(state, last.action if last is not None else FACING)

    def animate(self, before: State, step: Step, after: State, seconds: float) -> None:
        """Move the keeper."""
        if self.board is not None:
            at_once = self.by_agent and not self.path and math.isinf(self.driver.speed)
            self.board.play(before, step.action, after, 0.0 if at_once else seconds)

    def board_busy(self) -> bool:
        """The agent waits for the move that is being drawn."""
        return self.board is not None and self.board.busy

    def update(self, dt: float) -> None:
        """Agents, paths, the end of a level."""
        super().update(dt)
        if math.isinf(self.driver.speed):
            for _ in range(RUSH):
                if not (self.driver.running and self.driver.carrying_out):
                    break
                played = self.driver.tick(0.0, self.state, self.timeline.cursor, 0, self.over(self.state))
                if played is None:
                    break
                self._agent_plays(played)
        self.solver.update()
        self.exchange.update()
        for sentence in self.course.packs.news():
            self.window.say(sentence, "bad")
        self.verdict.look(self.state)
        self.pointer.look(self.state)
        self._show_banner()

    def update_board(self, dt: float) -> None:
        """Animation, paths, and what follows a win."""
        if self.board is None:
            return
        self.path.update(dt)
        self.board.update(dt)
        if self._victory is not None and not self.board.busy:
            if self._victory == 0.0:
                self.board.celebrate()
                self.window.play("win")
            self._victory += dt
            if self._victory >= (CELEBRATION if self.window.look.animated else 0.0) and self.window.top is self:
                self._victory = None
                self.window.push(WinDialog(self, self._won_best))

    def draw_board(self, surface: pygame.Surface) -> None:
        """The board with what lies over it, and the banner."""
        if self.board is not None:
            self.board.draw(surface, self._overlay())
            self.banner.draw(surface, self.theme)

    def _overlay(self) -> Overlay:
        """Marks of the person and of the agent."""
        state, pointer = self.state, self.pointer
        settings = self.context.settings
        stuck = self.verdict.stuck if settings.show_stuck else frozenset()
        dead = dead_squares(state.warehouse, self._picked_letter) if self.dead_shown else frozenset()
        if self.over(state):
            return Overlay(dead_squares=dead)
        push = self.solver.next_push
        still = not self.path and not self.driver.running
        return Overlay(
            dead_squares=dead,
            stuck=stuck,
            choices=self.solver.glance.choices,
            ghosts=self.solver.ghosts,
            active=pointer.active if still else None,
            selected_box=pointer.box,
            box_targets=pointer.targets,
            hover=pointer.hover if still else None,
            walk=pointer.walk if still else (),
            hint=(push.box, push.direction) if push is not None else None,
            plan=push.way if push is not None else (),
        )

    @property
    def _picked_letter(self) -> str:
        """The letter of the box that is picked up: dead squares are its own then."""
        state, box = self.state, self.pointer.box
        return state.warehouse.letters[state.placed.index(box)] if box in state.placed else ""

    @property
    def dead_shown(self) -> bool:
        """Whether dead squares are hatched, as somebody left it."""
        return self.context.settings.remembered.get(DEAD_SQUARES) is True

    def shade_dead_squares(self) -> None:
        """Hatch the squares from which no box reaches a target, or hatch them no more."""
        on = not self.dead_shown
        self.context.remember(DEAD_SQUARES, on)
        self._show_toggles()
        self.window.say("Dead squares are hatched: a box there is lost." if on else "Dead squares are not shown.")

    def _show_toggles(self) -> None:
        """Buttons of what is on wear a mark."""
        if self.top_bar is not None:
            for command, on in (("dead_squares", self.dead_shown), ("backwards", self.backwards)):
                if command in self.top_bar.buttons:
                    self.top_bar.buttons[command].set_selected(on)

    def build(self) -> None:
        """Bars, panel, board."""
        super().build()
        self._show_toggles()

    # Ends

    def ended(self) -> None:
        """Solved: celebrate what a person did alone."""
        self.path.clear()
        self.driver.running = False
        best = self.note_result()
        if self.helped:
            self.window.play("home")
        else:
            self._victory, self._won_best = 0.0, best

    def _show_banner(self) -> None:
        """Bring the banner up to date, but not in the middle of a walk or under a dialog."""
        if self.board is None or self.path or self.window.top is not self:
            return
        if self._victory is not None or self.driver.running:
            self.banner.clear()
        else:
            self.banner.set(messages.banner(self), self.kit, self.layout.board, self._hidden)

    def _hidden(self, rect: pygame.Rect) -> int:
        """How much of the board something in that place would hide: floor counts, boxes and keeper count more."""
        if self.board is None:
            return 0
        state, place = self.state, self.board.rect_of
        floor = sum(rect.colliderect(place(square)) for square in state.warehouse.floor)
        busy = state.boxes | {state.player, state.second} - {-1}
        return floor + 12 * sum(rect.colliderect(place(square)) for square in busy)

    # Agent

    def ask_hint(self) -> None:
        """Draw the next push; the same key again carries it out."""
        self.path.finish()
        waiting = self.driver.busy and self.driver.thought.for_hint
        if not waiting and not self.solver.hint_again():
            super().ask_hint()

    def choose_agent(self, seat: int, spec: Spec | None) -> None:
        """Another solver thinks for itself."""
        self.solver.forget()
        super().choose_agent(seat, spec)

    def change_parameter(self, seat: int, spec: Spec) -> None:
        """So does one with other settings."""
        self.solver.forget()
        super().change_parameter(seat, spec)

    def toggle_run(self) -> None:
        """Let the agent finish the level, or pause it with its plan."""
        self.path.finish()
        self.pointer.drop()
        if self.driver.running and self.driver.carrying_out:
            self.driver.running = False
        else:
            super().toggle_run()
            self.solver.resume()

    def _step_once(self) -> None:
        self.path.finish()
        super()._step_once()
        self.solver.resume()

    @property
    def run_label(self) -> str:
        """Solve, or go on with a plan that is there."""
        return "Go on" if self.driver.carrying_out else "Solve"

    # Input

    def command(self, command: str) -> bool:
        """Arrows move, R restarts, L lists the levels, Page keys change them."""
        self.path.finish()
        action = self.hands.action(command, self.state)
        if action is not None:
            self.pointer.hide()
            self.pointer.drop()
            if not self.person_plays(action) and not self.over(self.state):
                self.window.play("blocked")
            return True
        actions = {
            "restart": self.restart, "list": self.open_list, "next": lambda: self.change_level(1),
            "previous": lambda: self.change_level(-1), "accept": self._accept, "edit": self.edit,
            "level_paste": self.exchange.paste, "level_copy": self.exchange.copy, "level_open": self.exchange.open_file,
            "level_copy_moves": self.exchange.copy_moves, "level_keep": self.exchange.keep, "best": self.foot.watch_best,
            "dead_squares": self.shade_dead_squares, "backwards": self.turn, "grab": self.foot.grab,
            "swap": self.foot.swap, "place": self.next_place, "make_room": self.make_room,
        }  # fmt: skip
        if command in actions:
            actions[command]()
            return True
        return super().command(command)

    def _accept(self) -> None:
        """Enter: on to the next level, or carry out the hint."""
        if self.over(self.state):
            self._victory = None
            self.change_level(1)
        elif not self.solver.carry_out_hint() and self.driver.carrying_out and not self.driver.running:
            self.driver.run()

    def back(self) -> None:
        """Esc: let the box go, forget a paused plan, or what Esc does everywhere."""
        if self.kit.focused is None and self.pointer.box is not None:
            self.pointer.drop()
        elif self.kit.focused is None and self.path:
            self.path.clear()
        elif self.kit.focused is None and self.driver.carrying_out and not self.driver.running:
            self.driver.stop()
        else:
            super().back()

    def handle(self, event: pygame.event.Event) -> bool:
        """The mouse on the board, and text that is dropped on it."""
        if event.type == pygame.DROPTEXT:
            self.exchange.take(event.text)
            return True
        return super().handle(event) or mouse.handle(self, event)

    # Words

    @property
    def _hands(self) -> str:
        """Who played this game, for its row."""
        if self.line.pasted(self.timeline.cursor):
            return "Pasted"
        return f"With {self.helper_name}" if self.helped else "You"

    @property
    def helper_name(self) -> str:
        """What played that the person did not."""
        return "pasted moves" if self.line.pasted(self.timeline.cursor) else results.agent_title(self.helpers[0])

    def thought_rows(self) -> list[Row]:
        """The plan, or how the search goes."""
        return self.solver.rows()

    def thought_note(self) -> str:
        """As everywhere, and whether the thinking was stopped."""
        return self.solver.note() or super().thought_note()

    @property
    def curve_label(self) -> str:
        """What the curve shows."""
        return self.solver.curve_label

    def game_rows(self) -> list[Row]:
        """This game, boxes home, the person's own best; the best known ones stand below, with buttons."""
        state = self.state
        record = self.context.progress.level(self.course.level_id) if self.course.level_id else None
        played = f"{plans.counted(self.timeline.cursor, 'move')} · {plans.counted(self.pushes, 'push')}"
        return [
            Row(self._hands, played),
            Row("Boxes home", f"{plans.boxes_home(state)} of {len(state.boxes)}"),
            Row("Your best", results.own(record)),
        ]

    def game_note(self) -> str:
        """The rules, where they are not the usual ones."""
        rules = self.state.warehouse.rules
        return "backwards" if self.backwards else "" if rules == PUSH_ONLY else rules.name

    @property
    def game_yields(self) -> bool:
        """The search that is under way has the panel to itself."""
        return self.driver.thought.thinking

    @property
    def game_foot_rows(self) -> int:
        """Lines for the best solutions."""
        return self.foot.lines

    @property
    def game_buttons_rows(self) -> int:
        """A second row where the rules need switches."""
        return 2 if self.foot.switches else 1

    def draw_game_foot(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """The best solutions."""
        self.foot.draw(surface)

    def build_game_buttons(self, rect: pygame.Rect) -> None:
        """The best solutions, switches, levels and next level."""
        self.foot.build(rect)
        self.build_ways(self.foot.last_row)

    def build_ways(self, rect: pygame.Rect) -> None:
        """Levels and next level."""
        theme = self.theme
        gap, high = theme.px(8), theme.px(38)
        half = (rect.width - gap) // 2
        Button(self.kit, pygame.Rect(rect.left, rect.top, half, high), "Levels", icon="list",
               on_press=lambda: self.window.command("list"), tip="List of levels (L)")  # fmt: skip
        Button(self.kit, pygame.Rect(rect.left + half + gap, rect.top, rect.width - half - gap, high), "Next level",
               icon="next", on_press=lambda: self.window.command("next"), tip="Next level (PgDn)")  # fmt: skip

    def idle_status(self) -> str:
        """How to play."""
        return messages.idle(self)

    def status_right(self) -> str:
        """Whether anything is lost."""
        return messages.outlook(self)


SCENE = SokobanScene
