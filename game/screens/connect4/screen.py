"""The connect-4 screen: the board in its views, the pointer and the keys."""

import math
from collections.abc import Callable
from types import MappingProxyType

import pygame
from typing_extensions import override

from ai import kernels
from game.play.connect4.session import MatchSession
from game.rules import connect4
from game.rules.connect4 import State
from game.rules.replay import Step
from game.screens.connect4 import bar, clipboard, thoughts
from game.screens.connect4.adviser_form import AdviserForm
from game.screens.connect4.face import MatchFace
from game.screens.connect4.graph import Graph
from game.screens.connect4.setup import Counters, SetupDialog
from game.screens.connect4.tournament_scene import show_tournament
from game.screens.context import Context
from game.screens.keys import PANEL
from game.screens.play.screen import GameScreen
from game.ui.chrome import Action
from game.ui.scene import Host
from game.ui.shortcuts import AGENT, MOVES, THIS_GAME, WINDOW
from game.views.connect4 import lesson, words
from game.views.connect4.board import TITLES, BoardView, Overlay
from game.views.connect4.gesture import THRESHOLD, Gesture
from game.views.connect4.keys import STONE_KEYS
from game.views.connect4.labels import few

DROP_SECONDS = 0.45
GIVEN_SECONDS = 1.0
"""Esc pressed sooner after an agent has given the board back was meant for the agent, and does not leave."""
SEEN_SECONDS = 1.0
"""Enter pressed sooner after the end was meant for a stone, and starts no new game."""


class Connect4Screen(GameScreen):
    """People drop stones, agents answer on their seats."""

    session: MatchSession
    face: MatchFace

    groups = (MOVES, STONE_KEYS, THIS_GAME, AGENT, PANEL, WINDOW)
    meanings = MappingProxyType(
        {
            "accept": "Drop a stone, play the hint",
            "next": "Next slice",
            "previous": "Previous slice",
            "list": "Set up another board",
            "restart": "Clear the board",
            "run": "Pause or resume the agents",
        }
    )
    top_actions = (
        Action("undo", "Undo", "undo"), Action("redo", "Redo", "redo"), Action("shuffle", "New game", "new"),
        Action("edit", "Board, players, seats", "list"), Action("trophy", "Tournament of agents", "tournament"),
        Action("replay", "Watch this game", "theatre"), Action("hint", "Hint", "hint", accent=True),
        Action("help", "Keys", "help"), Action("settings", "Settings", "settings"),
    )  # fmt: skip
    gestures = (
        ("1 – 8", "Drop a stone (flat board)"),
        ("click", "Drop a stone"),
        ("drag", "Turn a deep board"),
        ("wheel", "Zoom"),
    )

    def __init__(self, window: Host, context: Context) -> None:
        """Takes up the saved game."""
        self.board: BoardView | None = None
        self.hover: int | None = None
        self.cursor: int | None = None
        self._over_for = 0.0
        """Seconds since the game ended."""
        self._end_due = False
        """Whether the end of the game is to be heard and seen as soon as the last stone lies."""
        self._given_for = math.inf
        """Seconds since an agent gave the board back."""
        self._gesture = Gesture()
        self._words: tuple[tuple[dict[int, float], bool], dict[int, words.Said]] | None = None
        """Values, whether they are proved, and what they are called."""
        self.graph = Graph()
        super().__init__(window, context)
        self.bar = bar.Bar(self.session, window.command, self.choose_view, self.set_slice)

    @override
    def make_session(self) -> MatchSession:
        """A match."""
        return MatchSession(self.context, self)

    @override
    def make_face(self) -> MatchFace:
        """The words about it."""
        form = AdviserForm(self.session, self.rebuild)
        return MatchFace(self.session, self.theme, self.window.command, self.graph, form)

    @property
    @override
    def without(self) -> frozenset[str]:  # type: ignore[override]
        """Keys that mean nothing here; slices belong to deep boards."""
        return frozenset(("edit",) if self.session.state.shape.depth > 1 else ("edit", "next", "previous"))

    @override
    def began(self) -> None:
        """Another game: no column is chosen."""
        self.cursor, self._end_due = None, False
        super().began()

    @override
    def ended(self) -> None:
        """Won or lost: that is heard and seen when the stone lies."""
        self._end_due = True

    def _show_end(self) -> None:
        """A sound, and confetti where a person has won; the board stays in sight."""
        session = self.session
        lost = session.people and session.state.winner is not None and not session.person_won
        self.window.play("lose" if lost else "win")
        if session.person_won and self.board is not None:
            self.board.celebrate()

    @override
    def enter(self) -> None:
        """Back from another screen: the agents go on."""
        super().enter()
        self.session.wake()

    def set_up(self) -> None:
        """The dialogue for another board; agents rest meanwhile."""
        session = self.session
        session.driver.stop()
        counters = Counters(
            lambda: session.rotates,
            session.set_rotates,
            lambda: bool(session.score.words()),
            lambda: session.score.reset(),
        )
        dialog = SetupDialog(self.window, session.state.shape, session.driver.seats, counters, session.set_up)
        dialog.on_close = session.wake
        self.window.push(dialog)

    # Board

    @override
    def build_board(self, rect: pygame.Rect) -> None:
        """Board above, the bar below it."""
        theme = self.theme
        if self.board is None:
            self.board = BoardView(theme)
        self.board.show(self.session.state)
        self._restore_view()
        self.board.set_theme(theme, self.window.look.animated)
        self._gesture.threshold = theme.px(THRESHOLD)
        high = theme.px(bar.HEIGHT)
        self.board.layout(pygame.Rect(rect.left, rect.top, rect.width, rect.height - high - theme.px(8)))
        self.bar.build(self.kit, pygame.Rect(rect.left, rect.bottom - high, rect.width, high), self.board)

    def _restore_view(self) -> None:
        assert self.board is not None
        view = self.session.extra.get("view")
        if isinstance(view, str) and view in TITLES:
            self.board.set_view(view)
        camera = [self.session.extra.get(part) for part in ("yaw", "pitch", "zoom")]
        if all(isinstance(part, float) for part in camera):
            self.board.set_camera(tuple(float(part) for part in camera if part is not None))

    def choose_view(self, name: str) -> None:
        """Another way to draw the board."""
        assert self.board is not None
        self.board.set_view(name)
        self.session.extra["view"] = name
        self.bar.show_view(name)
        self.hover = None
        self.session.changed()

    @property
    def slice_at(self) -> int:
        """The slice that is not dimmed, from 1; 0 for all of them."""
        return bar.slice_of(self.board) if self.board else 0

    def set_slice(self, number: int) -> None:
        """Show one slice, dim the others, or (0) none."""
        assert self.board is not None
        self.board.focus_depth = None if number == 0 else number - 1
        self.bar.show_slice(number)

    @override
    def show(self, state: State) -> None:
        """Jump."""
        if self.board is not None:
            self.board.show(state)

    @override
    def animate(self, before: State, step: Step, after: State, seconds: float) -> None:
        """The stone falls, faster in a fast game."""
        if self.board is not None:
            fast = math.isinf(self.session.driver.speed) or self.session.driver.speed > 8
            self.board.drop(before, step.action, after, min(DROP_SECONDS, seconds * 2) if fast else DROP_SECONDS)

    @override
    def board_busy(self) -> bool:
        """Agents wait for the stone to land, except at the highest speed."""
        return self.board is not None and self.board.busy and not math.isinf(self.session.driver.speed)

    @override
    def update_board(self, dt: float) -> None:
        """Animation."""
        landed = self.session.over and not (self.board is not None and self.board.busy)
        self._over_for = self._over_for + dt if landed else 0.0
        driver = self.session.driver
        busy = driver.thinks_long or driver.asked_hint or (driver.running and not self.session.people)
        self._given_for = 0.0 if busy else self._given_for + dt
        if self.board is not None:
            self.board.update(dt)
        if self._end_due and landed:
            self._end_due = False
            self._show_end()

    def _said(self) -> dict[int, words.Said]:
        """The values of this position in words, where an agent has told them."""
        thought = self.session.driver.thought
        if thought.ply != self.session.timeline.cursor or self.session.over:
            return {}
        key = (thought.values, thought.plan is not None and thought.plan.exact)
        if self._words is None or self._words[0] != key:
            self._words = key, words.said(*key)
        return self._words[1]

    def _overlay(self) -> Overlay:
        said = self._said()
        thought, hint = self.session.driver.thought, self.session.driver.hint
        person = self.session.person_to_move
        fresh = thought.ply == self.session.timeline.cursor and not self.session.over
        show = self.context.settings.show_values
        pointed = fresh and self.panel.points_at_line(self.kit.pointer)
        worth: dict[int, float] = {}
        if self.session.state.shape.depth > 1 and show:
            # the numbers of a deep board would hide it: the best three, the one pointed at, and shades for the others
            said, worth = few(said, thought.values if fresh and said else {}, self.hover, self.cursor)
        if self.slice_at:  # values of dimmed slices would cover those of the one that is looked at
            first = (self.slice_at - 1) * self.session.state.shape.cols
            kept = {thought.best, self.hover, self.cursor, *range(first, first + self.session.state.shape.cols)}
            said = {action: each for action, each in said.items() if action in kept}
        return Overlay(
            hover=self.hover if person else None,
            cursor=self.cursor if person else None,
            ghost_seat=self.session.state.to_move if person else None,
            values=self._labels(said),
            proved={action: each.result for action, each in said.items() if each.result is not None},
            worth={} if pointed else worth,
            best=thought.best if fresh else None,
            hint=hint.actions[0] if hint is not None and hint.actions else (thought.best if fresh and show else None),
            show_values=show and bool(said) and not pointed,
            ahead=thoughts.ahead(thought, self.session.state.shape) if pointed else (),
        )

    def _labels(self, said: dict[int, words.Said]) -> dict[int, str]:
        """What stands above the columns; dots where an agent has not got to a column of a flat board yet."""
        state, labels = self.session.state, {action: each.label for action, each in said.items()}
        if labels and state.shape.depth == 1 and self.session.driver.busy:
            return {action: labels.get(action, "…") for action in connect4.legal_actions(state)}
        return labels

    @property
    @override
    def covered(self) -> pygame.Rect:
        """The board's place."""
        return self.board.rect if self.board is not None else super().covered

    @override
    def draw_board(self, surface: pygame.Surface) -> None:
        """The board, and the bar below it: who has won, what the signs on the board mean, or whose turn it is."""
        if self.board is None:
            return
        overlay = self._overlay()
        self.board.draw(surface, overlay, self.theme.ground)
        words, stone, landed = self._bar_words(overlay)
        self.bar.offer_rematch(landed)
        self.bar.draw(surface, self.theme, words, stone, self.slice_at, large=landed)

    def _bar_words(self, overlay: Overlay) -> tuple[str, int | None, bool]:
        """What the bar says, whose stone stands before it, and whether it is how the game ended (all stones have landed)."""
        session = self.session
        if session.over and self.board is not None and not self.board.busy:
            return self.face.result(), session.state.winner, True
        if overlay.show_values:
            return self._meaning(overlay), None, False
        if session.over:
            return "", None, False
        seat = session.state.to_move
        who = session.who(seat)
        return "Your turn" if who == "You" else f"Next: {who}", seat, False

    @override
    def board_picture(self) -> object | None:
        """The board and the bar below it."""
        if self.board is None:
            return None
        overlay, along = self._overlay(), self.session.adviser.along
        bar_shows = (self._bar_words(overlay), self.slice_at, self.context.settings.show_values, along)
        return self.board.shown(overlay), bar_shows

    @override
    def draw_lesson(self, surface: pygame.Surface, picture: pygame.Rect) -> None:
        """Four in a row, and on the board the idea under way."""
        session = self.session
        seat = next((seat for seat, spec in enumerate(session.driver.seats) if spec is None), 0)
        lesson.draw_goal(surface, self.theme, picture, seat, session.lesson.due, self.lesson_bar.age)
        if self.board is not None and session.person_to_move:
            lesson.draw(surface, self.theme, self.board, self.lesson_bar.idea, session.state, self.lesson_bar.age)

    def _meaning(self, overlay: Overlay) -> str:
        """The value of the column pointed at in a sentence, else what the labels mean."""
        said, column = self._said(), overlay.chosen
        if column is None or column not in said:
            return words.legend(said)
        place = connect4.label(self.session.state.shape, column)
        return words.sentence(place, self.session.driver.thought.values[column], said[column])

    # Input

    @override
    def command(self, command: str) -> bool:
        """Arrows choose a column, Enter drops; V, 0 and [ ] change the view."""
        directions = {"up": 0, "right": 1, "down": 2, "left": 3}
        own: dict[str, Callable[[], object]] = {
            "undo_stone": self.session.undo_stone, "values": self._toggle_values,
            "think_along": self._toggle_along, "tournament": self._open_tournament,
            "copy_game": lambda: clipboard.copy(self.session, self.window),
            "paste_game": lambda: clipboard.paste(self.session, self.window),
        }  # fmt: skip
        assert self.board is not None
        if command in own:
            own[command]()
        elif command in directions:
            start = self.hover if self.hover is not None else self.cursor
            self.hover = None
            self.cursor = self.board.next_action(start, directions[command])
        elif command == "accept":
            self._accept()
        elif command == "view":
            names = self.board.views()
            self.choose_view(names[(names.index(self.board.view) + 1) % len(names)])
        elif command == "reset_view":
            self.board.reset_camera()
            self._keep_camera()
        elif command in ("next", "previous") and self.session.state.shape.depth > 1:
            self.set_slice((self.slice_at + (1 if command == "next" else -1)) % (self.session.state.shape.depth + 1))
        elif command == "list":
            self.set_up()
        elif command == "restart":
            self.session.restart()
        else:
            return super().command(command)
        return True

    def _toggle_values(self) -> None:
        self.context.set("show_values", not self.context.settings.show_values)

    def _toggle_along(self) -> None:
        adviser, driver = self.session.adviser, self.session.driver
        on = not adviser.along
        adviser.set_along(on, driver)
        if on and not self.context.settings.show_values:
            self.context.set("show_values", True)
        spec = adviser.plays(self.session.state)
        if on and not driver.ready_for(spec):
            self.window.say(self.context.wait_for(kernels.needed(self.session.game, spec)))

    def _open_tournament(self) -> None:
        show_tournament(self.window, self.context, self.session.state.shape)

    def _accept(self) -> None:
        if self.session.over:
            if self._over_for >= SEEN_SECONDS:
                self.session.new_game()
            return
        hint = self.session.driver.hint
        action = self.hover if self.hover is not None else self.cursor
        if action is None and hint is not None and hint.actions:
            action = hint.actions[0]
        if action is not None:
            self._drop(action)

    def _drop(self, action: int) -> None:
        if not self.session.person_to_move:
            if not self.session.over:
                self.window.say("It is the agent's turn: Space pauses it.")
        elif not self.session.person_plays(action):
            self.window.play("blocked")
            if self.board is not None:
                self.board.shake()
            self.window.say(f"Column {connect4.label(self.session.state.shape, action)} is full.")

    @override
    def handle(self, event: pygame.event.Event) -> bool:
        """Hover, click to drop, drag to turn, wheel to zoom, digits for the columns of a flat board."""
        if super().handle(event):
            return True
        assert self.board is not None
        ply = self.graph.handle(event, len(self.session.timeline.steps))
        if ply is not None:
            self.session.go_and_wake(ply)
            return True
        if self.graph.held:
            return True
        if event.type == pygame.MOUSEMOTION:
            self._moved(event)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.board.rect.collidepoint(event.pos):
            self._gesture.press(event.pos)
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self._gesture.pressed:
            if not self._gesture.release():
                self._keep_camera()
            else:
                action = self.board.action_at(event.pos)
                if action is not None:
                    self._drop(action)
            return True
        if event.type == pygame.MOUSEWHEEL and self.board.rect.collidepoint(self.kit.pointer):
            self.board.zoom(event.y)
            self._keep_camera()
            return True
        if event.type == pygame.KEYDOWN and event.unicode.isdigit() and self.session.state.shape.depth == 1:
            column = int(event.unicode) - 1
            if 0 <= column < self.session.state.shape.cols:
                self._drop(column)
            return True
        return False

    def _moved(self, event: pygame.event.Event) -> None:
        assert self.board is not None
        turn = self._gesture.move(event.pos)
        if turn is not None:
            self.board.drag(*turn)
            self.hover = None
            return
        inside = self.board.rect.collidepoint(event.pos)
        self.hover = self.board.action_at(event.pos) if inside else None
        if self.hover is not None:
            self.cursor = None

    def _keep_camera(self) -> None:
        if self.board is not None:
            self.session.extra.update(zip(("yaw", "pitch", "zoom"), map(float, self.board.camera), strict=True))
            self.session.changed()

    @override
    def back(self) -> None:
        """Esc: forget the hint, let the agent play what it has found so far, or leave; alone, agents are paused first.

        Pressed just after an agent has given the board back it was meant for that agent, and does nothing.
        """
        session, driver = self.session, self.session.driver
        if self.kit.focused is not None:
            self.kit.focus(None)
        elif driver.hint is not None or driver.asked_hint or driver.hint_waits:
            driver.hint = None
            driver.stop_thinking()
        elif driver.running and not session.people:
            session.toggle_run()
        elif driver.running and driver.thinks_long:
            driver.play_best_so_far()
        elif self._given_for >= GIVEN_SECONDS:
            self.window.pop()


SCENE = Connect4Screen
