"""The Sokoban screen: push the boxes home by keys or mouse, ask for a hint, or let the agent finish the level."""

from types import MappingProxyType
from typing import Any

import pygame

from ai.entries import Spec
from game.play.sokoban import plans, results
from game.rules.levels import Level
from game.rules.sokoban import PUSH_ONLY
from game.screens.lab import maps
from game.screens.play.panel import Row
from game.screens.sokoban import messages, mouse
from game.screens.sokoban.board_scene import BoardScene
from game.screens.sokoban.editing import open_in_editor
from game.screens.sokoban.exchange import Exchange
from game.screens.sokoban.foot import Foot
from game.screens.sokoban.hands import Hands
from game.screens.sokoban.level_list import LevelListScene
from game.screens.sokoban.room_dialog import RoomDialog
from game.ui.chrome import Action
from game.ui.controls import Button
from game.ui.shortcuts import AGENT, MOVES, THIS_GAME, WINDOW, Group
from game.views.sokoban.keys import BACKWARDS, PAIR, PULLING, PUZZLES, ROOMS


class SokobanScene(BoardScene):
    """What keys, mouse and buttons do, the agent's part, and the words of the panel."""

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
        self.hands = Hands()
        self.foot = Foot(self)
        self.exchange = Exchange(self)
        super().__init__(window, context)

    def level_begins(self) -> None:
        """Nothing of the level before is left."""
        super().level_begins()
        self.hands.forget()

    @property
    def groups(self) -> tuple[Group, ...]:
        """Pulls and a second player have keys of their own."""
        rules = self.state.warehouse.rules
        own = (PAIR,) * (rules.players == 2) + (PULLING,) * rules.pull
        return (*own, *(BACKWARDS,) * self.backwards, MOVES, THIS_GAME, PUZZLES, ROOMS, AGENT, WINDOW)

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

    @property
    def _level(self) -> Level:
        """The level on the board, with what its file says of it."""
        course = self.course
        return course.pack.levels[course.number] if course.pack is not None else course.level(self.start)

    def edit(self) -> None:
        """The level in the editor, from its start."""
        pack = self.course.pack
        open_in_editor(self.window, self.context, self._level, pack.own_stem if pack is not None else "")

    def train(self) -> None:
        """The lab, with a training on this level."""
        maps.train_on(self.window, self.context, self._level)

    def update(self, dt: float) -> None:
        """The board, and news about packs."""
        super().update(dt)
        for sentence in self.course.packs.news():
            self.window.say(sentence, "bad")

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
            "train_level": self.train,
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
        return "With help" if self.helped else "You"

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
