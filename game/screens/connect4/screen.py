"""The connect-4 screen: the board in its views, the pointer and the keys, the panel."""

import math
from types import MappingProxyType
from typing import Any

import pygame

from game.rules import connect4
from game.rules.connect4 import State
from game.rules.replay import Step
from game.screens.connect4 import bar, clipboard, thoughts
from game.screens.connect4.graph import Graph
from game.screens.connect4.table import Connect4Table
from game.screens.play.panel import Row
from game.screens.play.seats import MOST_LINES, Seat
from game.ui.chrome import Action
from game.ui.shortcuts import AGENT, MOVES, THIS_GAME, WINDOW, keys_shown
from game.views.connect4 import words
from game.views.connect4.board import TITLES, BoardView, Overlay
from game.views.connect4.gesture import THRESHOLD, Gesture
from game.views.connect4.keys import STONE_KEYS
from game.views.connect4.stones import STONES, flat_stone

DROP_SECONDS = 0.45
SEEN_SECONDS = 1.0
"""Enter pressed sooner after the end was meant for a stone, and starts no new game."""


class Connect4Scene(Connect4Table):
    """People drop stones, agents answer on their seats."""

    thought_row_count = 3
    first_speed = 3.0
    game_graph = (36, 260)
    groups = (MOVES, STONE_KEYS, THIS_GAME, AGENT, WINDOW)
    meanings = MappingProxyType(
        {
            "accept": "Drop the stone, play the hint",
            "next": "Next slice",
            "previous": "Slice before",
            "list": "Set up another board",
            "restart": "Back to the empty board",
            "run": "Pause the agents, go on",
        }
    )
    top_actions = (
        Action("undo", "Undo", "undo"), Action("redo", "Redo", "redo"), Action("shuffle", "New game", "new"),
        Action("edit", "Board, players, seats", "list"), Action("trophy", "A tournament of agents", "tournament"),
        Action("replay", "Watch this game", "theatre"), Action("hint", "Hint", "hint", accent=True),
        Action("help", "Keys", "help"), Action("settings", "Settings", "settings"),
    )  # fmt: skip
    gestures = (("click", "Drop a stone"), ("drag", "Turn a deep board"), ("wheel", "Come nearer"))

    def __init__(self, window: Any, context: Any) -> None:
        """Takes up the saved game."""
        self.board: BoardView | None = None
        self.hover: int | None = None
        self.cursor: int | None = None
        self._over_for = 0.0
        """Seconds since the game ended."""
        self._words: tuple[tuple[dict[int, float], bool], dict[int, words.Said]] | None = None
        """Values, whether they are proved, and what they are called."""
        self._gesture = Gesture()
        self.bar = bar.Bar(self)
        self.graph = Graph()
        super().__init__(window, context)
        self._wake()

    @property
    def without(self) -> frozenset[str]:  # type: ignore[override]
        """Keys that mean nothing here; slices belong to deep boards."""
        return frozenset(("edit",) if self.state.shape.depth > 1 else ("edit", "next", "previous"))

    def begin(self, initial: Any, seed: int | None = None) -> None:
        """As for every game; no column is chosen."""
        super().begin(initial, seed)
        self.cursor = None

    # Board

    def build_board(self, rect: pygame.Rect) -> None:
        """Board above, the bar below it."""
        theme = self.theme
        if self.board is None:
            self.board = BoardView(theme)
        self.board.show(self.state)
        self._restore_view()
        self.board.set_theme(theme, self.window.look.animated)
        self._gesture.threshold = theme.px(THRESHOLD)
        high = theme.px(bar.HEIGHT)
        self.board.layout(pygame.Rect(rect.left, rect.top, rect.width, rect.height - high - theme.px(8)))
        self.bar.build(pygame.Rect(rect.left, rect.bottom - high, rect.width, high))

    def _restore_view(self) -> None:
        assert self.board is not None
        view = self.extra.get("view")
        if isinstance(view, str) and view in TITLES:
            self.board.set_view(view)
        camera = [self.extra.get(part) for part in ("yaw", "pitch", "zoom")]
        if all(isinstance(part, float) for part in camera):
            self.board.set_camera(tuple(float(part) for part in camera if part is not None))

    def choose_view(self, name: str) -> None:
        """Another way to draw the board."""
        assert self.board is not None
        self.board.set_view(name)
        self.extra["view"] = name
        self.bar.show_view(name)
        self.hover = None
        self.changed()

    @property
    def slice_at(self) -> int:
        """The slice that is not dimmed, from 1; 0 for all of them."""
        focus = self.board.focus_depth if self.board else None
        return 0 if focus is None else focus + 1

    def set_slice(self, number: int) -> None:
        """Dim all slices but one, or (0) none."""
        assert self.board is not None
        self.board.focus_depth = None if number == 0 else number - 1
        self.bar.show_slice()

    def show(self, state: State) -> None:
        """Jump."""
        if self.board is not None:
            self.board.show(state)

    def animate(self, before: State, step: Step, after: State, seconds: float) -> None:
        """The stone falls, faster in a fast game."""
        if self.board is not None:
            fast = math.isinf(self.driver.speed) or self.driver.speed > 8
            self.board.drop(before, step.action, after, min(DROP_SECONDS, seconds * 2) if fast else DROP_SECONDS)

    def board_busy(self) -> bool:
        """Agents wait for the stone to land, except at the highest speed."""
        return self.board is not None and self.board.busy and not math.isinf(self.driver.speed)

    def update_board(self, dt: float) -> None:
        """Animation; who thinks along is told of a new position."""
        self.analyst.update()
        self._over_for = self._over_for + dt if self.over(self.state) else 0.0
        if self.board is not None:
            self.board.update(dt)

    def _said(self) -> dict[int, words.Said]:
        """The values of this position in words, where an agent has told them."""
        thought = self.driver.thought
        if thought.ply != self.timeline.cursor or self.over(self.state):
            return {}
        key = (thought.values, thought.plan is not None and thought.plan.exact)
        if self._words is None or self._words[0] != key:
            self._words = key, words.said(*key)
        return self._words[1]

    def _overlay(self) -> Overlay:
        said = self._said()
        thought, hint = self.driver.thought, self.driver.hint
        person = self._person_to_move()
        fresh = thought.ply == self.timeline.cursor and not self.over(self.state)
        show = self.context.settings.show_values
        if self.slice_at:  # values of dimmed slices would cover those of the one that is looked at
            first = (self.slice_at - 1) * self.state.shape.cols
            kept = {thought.best, self.hover, self.cursor, *range(first, first + self.state.shape.cols)}
            said = {action: each for action, each in said.items() if action in kept}
        return Overlay(
            hover=self.hover if person else None,
            cursor=self.cursor if person else None,
            ghost_seat=self.state.to_move if person else None,
            values={action: each.label for action, each in said.items()},
            proved=frozenset(action for action, each in said.items() if each.proved),
            best=thought.best if fresh else None,
            hint=hint.actions[0] if hint is not None and hint.actions else (thought.best if fresh and show else None),
            show_values=show and bool(said),
        )

    @property
    def own_bar(self) -> pygame.Rect:
        """The views and the words below the board."""
        return self.bar.rect

    @property
    def covered(self) -> pygame.Rect:
        """The board's place."""
        return self.board.rect if self.board is not None else super().covered

    def draw_board(self, surface: pygame.Surface) -> None:
        """The board, and the bar below it: who has won, what the signs on the board mean, or whose turn it is."""
        if self.board is None:
            return
        overlay = self._overlay()
        self.board.draw(surface, overlay, self.theme.ground)
        if self.over(self.state):
            self.bar.draw(surface, self.result(), self.state.winner, large=True)
        elif overlay.show_values:
            self.bar.draw(surface, words.legend(self._said()), None, large=False)
        else:
            seat = self.state.to_move
            who = self._who(seat)
            self.bar.draw(surface, "Your turn" if who == "You" else f"Next: {who}", seat, large=False)

    # Input

    def command(self, command: str) -> bool:
        """Arrows choose a column, Enter drops; V, 0 and [ ] change the view."""
        directions = {"up": 0, "right": 1, "down": 2, "left": 3}
        own = {
            "values": self._toggle_values, "think_along": self._toggle_along, "tournament": self._open_tournament,
            "copy_game": lambda: clipboard.copy(self), "paste_game": lambda: clipboard.paste(self),
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
        elif command in ("next", "previous") and self.state.shape.depth > 1:
            self.set_slice((self.slice_at + (1 if command == "next" else -1)) % (self.state.shape.depth + 1))
        elif command == "list":
            self.set_up()
        elif command == "restart":
            self.go(0)
            self.auto = True
            self._wake()
        else:
            return super().command(command)
        return True

    def _toggle_values(self) -> None:
        self.context.set("show_values", not self.context.settings.show_values)

    def _toggle_along(self) -> None:
        on = not self.analyst.along
        self.analyst.set_along(on)
        if on and not self.context.settings.show_values:
            self.context.set("show_values", True)
        if on and not self.driver.ready:
            self.window.say(self.context.unprepared())

    def _open_tournament(self) -> None:
        from game.screens.connect4.tournament_scene import TournamentScene

        self.window.push(TournamentScene(self.window, self.context, self.state.shape))

    def _accept(self) -> None:
        if self.over(self.state):
            if self._over_for >= SEEN_SECONDS:
                self.new_game()
            return
        hint = self.driver.hint
        action = self.hover if self.hover is not None else self.cursor
        if action is None and hint is not None and hint.actions:
            action = hint.actions[0]
        if action is not None:
            self._drop(action)

    def _drop(self, action: int) -> None:
        if not self._person_to_move():
            if not self.over(self.state):
                self.window.say("It is the agent's turn: Space pauses it.")
        elif not self.person_plays(action):
            self.window.play("blocked")
            self.window.say(f"Column {connect4.label(self.state.shape, action)} is full.")

    def handle(self, event: pygame.event.Event) -> bool:
        """Hover, click to drop, drag to turn, wheel to zoom, digits for the columns of a flat board."""
        if super().handle(event):
            return True
        assert self.board is not None
        ply = self.graph.handle(event, len(self.timeline.steps))
        if ply is not None:
            self.go_and_wake(ply)
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
        if event.type == pygame.KEYDOWN and event.unicode.isdigit() and self.state.shape.depth == 1:
            column = int(event.unicode) - 1
            if 0 <= column < self.state.shape.cols:
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
            self.extra.update(zip(("yaw", "pitch", "zoom"), map(float, self.board.camera), strict=True))
            self.changed()

    # Panel

    def subtitle(self) -> str:
        """The board."""
        return self.board_words(self.state.shape)

    def shorter_subtitles(self) -> tuple[str, ...]:
        """Without the players, and without how many in a row win."""
        parts = self.subtitle().split(" · ")
        return tuple(" · ".join(parts[:end]) for end in range(len(parts) - 1, 0, -1))

    @property
    def agent_has_board(self) -> bool:
        """Whether the seat in the form is an agent's."""
        return self.driver.seats[self.panel.seat] is not None

    def who_heading(self, seat: int) -> str:
        """Which seat the form is for."""
        return f"Seat {seat + 1} · {STONES[seat].name}"

    def seat_line(self, number: int) -> Seat:
        """Stone, who, how often they won."""
        stone = STONES[number]
        wins = self.score.wins(number)
        active = not self.over(self.state) and self.state.to_move == number
        narrow = len(self.driver.seats) > MOST_LINES
        icon = flat_stone(self.theme.px(20 if narrow else 24), stone.colour, stone.mark)
        note = f"{wins:,}" if narrow else f"{wins:,} {'win' if wins == 1 else 'wins'}"
        return Seat(icon, self._who(number), note, active)

    def seats_note(self) -> str:
        """How many games there were, and draws."""
        return self.score.words() or super().seats_note()

    def build_person(self, left: int, top: int, wide: int, control: int, gap: int) -> int:
        """Who advises the person."""
        return self.analyst.build(left, top, wide, control, gap)

    def thought_rows(self) -> list[Row]:
        """Best column, principal variation, work done."""
        if not self.thought_counts:
            if self.over(self.state):
                return [Row("The game is over", f"{keys_shown('undo').split()[0]} takes a move back")]
            return [Row("Ask for a hint", keys_shown("hint"))] if self._person_to_move() else []
        return thoughts.rows(self.driver.thought, self.state.shape, self.theme.thinking)

    def thought_note(self) -> str:
        """As everywhere, and whether it is about the move before."""
        return self.dated(super().thought_note())

    def game_rows(self) -> list[Row]:
        """The graph stands there instead."""
        return []

    game_heading = "The game so far"

    def game_note(self) -> str:
        """Move and time."""
        minutes, seconds = divmod(int(self.seconds), 60)
        return f"move {self.timeline.cursor} · {minutes}:{seconds:02d}"

    def draw_game_graph(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """What agents thought of every position."""
        self.graph.draw(surface, self.theme, rect, self.timeline, self.driver.thought)

    def idle_status(self) -> str:
        """Whose turn it is."""
        if self.over(self.state):
            return f"{self.result()} · Enter or N starts a new game"
        seat, hint = self.state.to_move, self.driver.hint
        if hint is not None and hint.actions:
            place = connect4.label(self.state.shape, hint.actions[0])
            return f"The hint: column {place} · Enter drops the stone there · Esc forgets it"
        if self.driver.seats[seat] is None:
            return f"{self._who(seat)}: {STONES[seat].name} to move · click, or arrows and Enter"
        return f"{self._who(seat)} waits · Space lets it play"

    def status_right(self) -> str:
        """Nothing more."""
        return "V changes the view · L sets up another board"


SCENE = Connect4Scene
