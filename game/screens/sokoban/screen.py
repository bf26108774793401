"""The Sokoban screen: push the boxes home by keys or mouse, ask for a hint, or let the agent finish the level."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from types import MappingProxyType

import pygame
from typing_extensions import override

from ai.agent import Plan
from ai.entries import Spec
from game.play.sokoban.session import LevelSession
from game.play.sokoban.trial import TrialSession
from game.rules.direction import Direction
from game.rules.levels import Level
from game.rules.replay import Replay, Step
from game.rules.sokoban import State
from game.screens.context import Context
from game.screens.keys import PANEL
from game.screens.lab import maps
from game.screens.navigation import open_scene
from game.screens.opening import Opener
from game.screens.play.screen import GameScreen
from game.screens.sokoban import messages, room_lesson, rules_card
from game.screens.sokoban.banner import Banner
from game.screens.sokoban.best_solutions import BestSolutions
from game.screens.sokoban.editing import open_in_editor
from game.screens.sokoban.exchange import Exchange
from game.screens.sokoban.face import LevelFace
from game.screens.sokoban.hands import Hands, in_the_way
from game.screens.sokoban.level_list import LevelListScene
from game.screens.sokoban.mouse import Mouse
from game.screens.sokoban.overlay import hidden_by, marks_over
from game.screens.sokoban.pointer import Pointer
from game.screens.sokoban.room_dialog import RoomDialog
from game.screens.sokoban.room_lesson import RoomLesson
from game.screens.sokoban.win_page import WinPage
from game.ui.chrome import Action
from game.ui.scene import Host
from game.ui.shortcuts import AGENT, MOVES, THIS_GAME, WINDOW, Group
from game.views.sokoban.board import BoardView, Overlay
from game.views.sokoban.keys import BACKWARDS, PAIR, PULLING, PUZZLES, ROOMS

CELEBRATION = 1.1
DEAD_SQUARES = "sokoban/dead squares"
"""What the settings remember it by."""
FACING = int(Direction.DOWN)
TOP_ACTIONS = (
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


class SokobanScreen(GameScreen):
    """What keys, mouse and buttons do on a level of the packs, or on one that the editor has just drawn."""

    session: LevelSession
    face: LevelFace

    whole_plans = True
    top_actions: Sequence[Action] = TOP_ACTIONS
    never = frozenset({"new", "view", "reset_view"})
    """Commands of its groups that the screen never hears."""
    meanings = MappingProxyType(
        {
            "accept": "Carry out the hint, next level",
            "next": "Next level",
            "previous": "Previous level",
            "list": "List of levels",
            "run": "Solve, pause the plan",
            "step": "One step of the plan",
        }
    )

    def __init__(
        self, window: Host, context: Context, trial: Level | None = None, plan: tuple[Spec, Plan] | None = None
    ) -> None:
        """Takes up the saved game.

        Args:
            window: where it is shown.
            context: what all screens share.
            trial: the only level, in no pack: it is tried out, and the way onward leads back to where it came from.
            plan: its whole solution and who found it, which is carried out from the start.
        """
        self._trial, self._plan = trial, plan
        if trial is not None:
            self.never = self.never | {"list", "next", "previous", "edit"}
            self.top_actions = tuple(action for action in TOP_ACTIONS if action.command not in ("list", "edit"))
        self.board: BoardView | None = None
        self.pointer = Pointer()
        self.hands = Hands()
        self.banner = Banner()
        self.room_lesson = RoomLesson()
        self._victory: float | None = None
        """Seconds since the level was won, while its card is still to come."""
        super().__init__(window, context)
        self.mouse = Mouse(self.session, self.pointer, self.refuse)
        self.exchange = Exchange(self.session, window, self._open_text)

    @override
    def make_session(self) -> LevelSession:
        """The levels of the packs, or the one that is tried out."""
        if self._trial is None:
            return LevelSession(self.context, self)
        return TrialSession(self.context, self, self._trial, self._leave_trial)

    def _leave_trial(self) -> None:
        if self.window.top is self:
            self.window.pop()

    @override
    def make_face(self) -> LevelFace:
        """The words about the level."""
        best_solutions = BestSolutions(self.session, self.hands, self.show_replay)
        return LevelFace(self.session, self.theme, self.window.command, self.pointer, best_solutions)

    @override
    def again(self) -> "SokobanScreen":
        """The same game from its save, or the level that is tried out from its start."""
        return SokobanScreen(self.window, self.context, self._trial)

    @override
    def enter(self) -> None:
        """Show the plan that came along, once."""
        super().enter()
        plan, self._plan = self._plan, None
        if plan is not None:
            self.session.show_plan(*plan)

    # Keys of this level

    @property
    @override
    def groups(self) -> tuple[Group, ...]:  # type: ignore[override]
        """Pulls and a second player have keys of their own."""
        rules = self.session.state.warehouse.rules
        own = (PAIR,) * (rules.players == 2) + (PULLING,) * rules.pull
        backwards = (BACKWARDS,) * self.session.backwards
        return (*own, *backwards, MOVES, THIS_GAME, PUZZLES, ROOMS, AGENT, PANEL, WINDOW)

    @property
    @override
    def without(self) -> frozenset[str]:  # type: ignore[override]
        """Pulls of a second player who only pushes."""
        pulls = self.session.state.warehouse.rules.pull
        return self.never | (frozenset() if pulls else {"second_pull_up"})

    @property
    @override
    def keys(self) -> dict[str, str]:  # type: ignore[override]
        """Where two play, letters are the second player's."""
        two = self.session.state.warehouse.rules.players == 2
        return {"up": "↑", "right": "→", "down": "↓", "left": "←"} if two else {}

    @property
    @override
    def gestures(self) -> tuple[tuple[str, str], ...]:  # type: ignore[override]
        """What the mouse does."""
        return messages.gestures(self.session.state.warehouse.rules)

    # The session's watcher

    @override
    def began(self) -> None:
        """Another level: nothing of the one before is left."""
        self.close_card()
        self.hands.forget()
        self.room_lesson.begin()
        super().began()

    @override
    def jumped(self) -> None:
        """A celebration under way ends."""
        self.close_card()
        super().jumped()

    @override
    def ended(self) -> None:
        """Solved: celebrate what a person did alone."""
        if self.session.helped:
            self.window.play("home")
        else:
            self._victory = 0.0

    def close_card(self) -> None:
        """Of a win nothing more is said but by the banner: the panel is back."""
        self._victory = None
        if self.top_bar is not None:
            self.panel.put_over(None)

    # Other screens

    def open_list(self) -> None:
        """The list of levels."""
        course = self.session.course
        pack_id = course.pack.id if course.pack is not None else ""
        self.window.push(
            LevelListScene(self.window, self.context, course.packs, pack_id, course.level_id, self.session.open_level)
        )

    def make_room(self) -> None:
        """Ask for a new room, and open it."""
        self.window.push(RoomDialog(self.window, self.context, self.session.course.packs, self.session.open_level))

    def edit(self) -> None:
        """The level in the editor, from its start."""
        pack = self.session.course.pack
        open_in_editor(self.window, self.context, self.session.level, pack.own_stem if pack is not None else "")

    def train(self) -> None:
        """The lab, with a training on this level."""
        maps.train_on(self.window, self.context, self.session.level)

    def _open_text(self, text: str, name: str) -> None:
        Opener(self.window, self.context).open_text(text, name)

    def show_replay(self, record: Replay | None) -> None:
        """Show a replay in the theatre."""
        if record is None:
            self.window.say("The moves of this solution were not kept.")
        else:
            open_scene("theatre", self.window, self.context, record)

    # Board

    @override
    def build(self) -> None:
        """Bars, panel, board."""
        super().build()
        self._show_toggles()

    @override
    def build_board(self, rect: pygame.Rect) -> None:
        """The board as large as it fits."""
        if self.board is None:
            self.board = BoardView(self.theme, self.animated)
        self.board.set_theme(self.theme, self.animated)
        self.board.layout(rect)
        self.banner.clear()

    @override
    def show(self, state: State) -> None:
        """Put a position on the board; one step back is seen as a step."""
        if self.board is not None:
            last = self.session.timeline.last
            self.board.undo_to(state, last.action if last is not None else FACING)

    @override
    def animate(self, before: State, step: Step, after: State, seconds: float) -> None:
        """Move the keeper."""
        if self.board is not None:
            session = self.session
            at_once = session.by_agent and not session.walk and math.isinf(session.driver.speed)
            self.board.play(before, step.action, after, 0.0 if at_once else seconds)

    @override
    def board_busy(self) -> bool:
        """The agent waits for the move that is being drawn, but not the moves of a plan for each other: the board follows."""
        return self.board is not None and self.board.busy and not self.session.driver.carrying_out

    @override
    def update(self, dt: float) -> None:
        """Agents, paths, the end of a level, news about packs."""
        super().update(dt)
        self.room_lesson.update(dt, self.session)
        self.pointer.look(self.session.state)
        self._show_banner()
        if self.window.top is self and self._trial is None and rules_card.due(self.session, self.context):
            self.window.push(rules_card.RulesCard(self.window, self.context, self.session))
        for sentence in self.session.course.packs.news():
            self.window.say(sentence, "bad")

    @override
    def update_board(self, dt: float) -> None:
        """Animation, and what follows a win."""
        if self.board is None:
            return
        self.board.update(dt)
        if self._victory is not None and not self.board.busy:
            if self._victory == 0.0:
                self.board.celebrate()
                self.window.play("win")
            self._victory += dt
            teaches = self.session.lesson_at is not None
            if self._victory >= (CELEBRATION if self.animated or teaches else 0.0) and self.window.top is self:
                self._victory = None
                if teaches:
                    room_lesson.go_on(self.window, self.session)
                else:
                    self.banner.clear()
                    self.panel.put_over(WinPage(self.panel.desk, self.session, self.watch, self.close_card))

    @override
    def draw_lesson(self, surface: pygame.Surface, picture: pygame.Rect) -> None:
        """The ghost and the keys."""
        if self.board is not None:
            self.room_lesson.draw(surface, self.theme, self.board, self.session, picture)

    @override
    def show_again(self) -> Callable[[], object]:
        """The ghost, from the start of the room."""
        return partial(self.room_lesson.again, self.session)

    @property
    @override
    def covered(self) -> pygame.Rect:
        """The board with the room around it."""
        return self.board.area if self.board is not None else super().covered

    @override
    def draw_board(self, surface: pygame.Surface) -> None:
        """The board with what lies over it, and the banner."""
        if self.board is not None:
            self.board.draw(surface, self._overlay(), self.theme.ground)
            self.banner.draw(surface, self.theme)

    @override
    def board_picture(self) -> object | None:
        """The board with what lies over it, and the banner."""
        picture = self.board.picture(self._overlay()) if self.board is not None else None
        return None if picture is None else (picture, self.banner.message)

    def _overlay(self) -> Overlay:
        """Marks of the person and of the agent."""
        stuck = self.context.settings.show_stuck
        return marks_over(self.session, self.pointer, self.dead_shown, stuck, self.room_lesson.faint(self.session))

    @property
    def dead_shown(self) -> bool:
        """Whether dead squares are hatched, as somebody left it."""
        return self.context.settings.remembered.get(DEAD_SQUARES) is True

    def shade_dead_squares(self) -> None:
        """Hatch the squares from which no box reaches a target, or hatch them no more."""
        on = not self.dead_shown
        self.context.remember(DEAD_SQUARES, on)
        self._show_toggles()
        self.window.say("Dead squares are hatched: a box there is lost." if on else "Dead squares are hidden.")

    def _show_toggles(self) -> None:
        """Buttons of what is on wear a mark."""
        if self.top_bar is not None:
            for command, on in (("dead_squares", self.dead_shown), ("backwards", self.session.backwards)):
                if command in self.top_bar.buttons:
                    self.top_bar.buttons[command].set_selected(on)

    def _show_banner(self) -> None:
        """Bring the banner up to date, but not in the middle of a walk or under a dialog."""
        if self.board is None or self.session.walk or self.window.top is not self:
            return
        teaches = self.session.lesson_at is not None and not self.session.over
        if self._victory is not None or self.panel.over is not None or self.session.driver.running or teaches:
            self.banner.clear()
        else:
            message = messages.banner(self.session, self.theme, self.watch)
            self.banner.set(message, self.kit, self.layout.board, self._hidden)

    def _hidden(self, rect: pygame.Rect) -> int:
        """How much of the board something in that place would hide."""
        return 0 if self.board is None else hidden_by(rect, self.board, self.session.state)

    # Input

    @override
    def command(self, command: str) -> bool:
        """Arrows move, R restarts, L lists the levels, Page keys change them."""
        session = self.session
        session.walk.finish()
        self.room_lesson.stop()
        action = self.hands.action(command, session.state)
        if action is not None:
            self.pointer.hide()
            self.pointer.drop()
            if not session.person_plays(action):
                self.refuse(in_the_way(action, session.state))
            return True
        best_solutions, exchange = self.face.best_solutions, self.exchange
        actions = {
            "undo_step": session.undo_step, "redo_step": session.redo_step,
            "restart": session.restart, "next": lambda: session.change_level(1),
            "previous": lambda: session.change_level(-1), "accept": self._accept, "level_paste": exchange.paste,
            "level_copy": exchange.copy, "level_open": exchange.open_file, "level_copy_moves": exchange.copy_moves,
            "best": best_solutions.watch_best, "dead_squares": self.shade_dead_squares,
            "backwards": session.turn, "grab": best_solutions.grab, "swap": best_solutions.swap, "place": session.next_place,
            "make_room": self.make_room, "train_level": self.train, "run": self._run,
            "list": self.open_list if self._trial is None else lambda: None,
            "edit": self.edit if self._trial is None else self._leave_trial,
        }  # fmt: skip
        ends = {"undo": session.timeline.can_undo, "redo": session.timeline.can_redo}
        if not ends.get(command.removesuffix("_step"), True):
            self.refuse()
        elif command in actions:
            actions[command]()
        else:
            return super().command(command)
        return True

    def refuse(self, square: int | None = None) -> None:
        """What was asked for cannot be done: a sound, and what stands on `square`, else the keeper, shakes."""
        self.window.play("blocked")
        if self.board is not None and not self.session.walk:
            state = self.session.state
            self.board.shake(state.player if square is None else square)

    def _run(self) -> None:
        """Let the agent finish the level, or pause it with its plan; no box is held meanwhile."""
        self.pointer.drop()
        self.session.toggle_run()

    def _accept(self) -> None:
        """Enter: on to the next level, or carry out the hint."""
        session = self.session
        if session.over:
            self.close_card()
            session.change_level(1)
        elif not session.carry_out_hint() and session.driver.carrying_out and not session.driver.running:
            session.driver.run()

    @override
    def go(self, ply: int) -> None:
        """To either end of the game; a celebration under way ends."""
        self.close_card()
        super().go(ply)

    @override
    def back(self) -> None:
        """Esc: let the box go, forget a paused plan, or what Esc does everywhere."""
        driver, walk = self.session.driver, self.session.walk
        if self.kit.focused is None and self.pointer.box is not None:
            self.pointer.drop()
            self.given_back()
        elif self.kit.focused is None and walk:
            walk.clear()
            self.given_back()
        elif self.kit.focused is None and driver.carrying_out and not driver.running:
            driver.stop()
            self.given_back()
        elif self.kit.focused is None and self.panel.over is not None:
            self.close_card()
        else:
            super().back()

    @override
    def handle(self, event: pygame.event.Event) -> bool:
        """The mouse on the board, and text that is dropped on it."""
        if event.type == pygame.DROPTEXT:
            self.exchange.take(event.text)
            return True
        if super().handle(event):
            return True
        if event.type in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN):
            self.room_lesson.stop()
        area, covers = self.layout.board, self.banner.covers
        return self.board is not None and self.mouse.handle(event, self.board, area, self.kit.pointer, covers)


SCENE = SokobanScreen
