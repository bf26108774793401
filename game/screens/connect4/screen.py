"""The connect-4 screen: the board in its views, the pointer and the keys, the panel."""

import math
from types import MappingProxyType
from typing import Any

import pygame

from ai.connect4.scores import describe, plies_to_end
from game.rules import connect4
from game.rules.connect4 import State
from game.rules.replay import Step
from game.screens.connect4.board import TITLES, BoardView, Overlay
from game.screens.connect4.gesture import THRESHOLD, Gesture
from game.screens.connect4.table import Connect4Table
from game.screens.panel import Row, Seat
from game.ui import text
from game.ui.controls import Button, Stepper
from game.ui.shortcuts import keys_shown
from game.ui.stones import STONES, flat_stone
from game.ui.theme import FONT_HEADING, FONT_SMALL

DROP_SECONDS = 0.45
VIEW_BAR = 38
SEEN_SECONDS = 1.0
"""Enter pressed sooner after the end was meant for a stone, and starts no new game."""
RATED = 1000
"""Positions from which on a search lasts long enough to tell its speed."""


class Connect4Scene(Connect4Table):
    """People drop stones, agents answer on their seats."""

    thought_row_count = 3
    first_speed = 3.0
    game_buttons_rows = 1
    groups = ("Moves", "Game", "Agent", "Window")
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
    gestures = (("click", "Drop a stone"), ("drag", "Turn a deep board"), ("wheel", "Come nearer"))

    def __init__(self, window: Any, context: Any) -> None:
        """Takes up the saved game."""
        self.board: BoardView | None = None
        self.hover: int | None = None
        self.cursor: int | None = None
        self._over_for = 0.0
        """Seconds since the game ended."""
        self._gesture = Gesture()
        self._view_buttons: dict[str, Button] = {}
        self._bar = pygame.Rect(0, 0, 0, 0)
        self._bar_left = 0
        """Where the buttons below the board end."""
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
        """Board above, the views' buttons below it."""
        theme = self.theme
        if self.board is None:
            self.board = BoardView(theme)
        self.board.show(self.state)
        self._restore_view()
        self.board.set_theme(theme, self.window.look.animated)
        self._gesture.threshold = theme.px(THRESHOLD)
        bar = theme.px(VIEW_BAR)
        self._bar = pygame.Rect(rect.left, rect.bottom - bar, rect.width, bar)
        self.board.layout(pygame.Rect(rect.left, rect.top, rect.width, rect.height - bar - theme.px(8)))
        self._view_buttons = {}
        left, gap = rect.left, theme.px(8)
        for name in self.board.views():
            wide = text.width(theme, TITLES[name]) + theme.px(32)
            button = Button(
                self.kit, pygame.Rect(left, self._bar.top, wide, bar), TITLES[name], accent=theme.connect4,
                selected=name == self.board.view, on_press=lambda name=name: self._choose_view(name),
            )  # fmt: skip
            self._view_buttons[name] = button
            left += wide + gap
        if self.state.shape.depth > 1:
            place = pygame.Rect(left + gap, self._bar.top, theme.px(148), bar)
            Stepper(
                self.kit, place, "Slice", self._slice_text(), on_step=self._slice, tip="Dim all slices but one ([ ])"
            )
            left = place.right + gap
        self._bar_left = left

    def _restore_view(self) -> None:
        assert self.board is not None
        view = self.extra.get("view")
        if isinstance(view, str) and view in TITLES:
            self.board.set_view(view)
        camera = [self.extra.get(part) for part in ("yaw", "pitch", "zoom")]
        if all(isinstance(part, float) for part in camera):
            self.board.set_camera(tuple(float(part) for part in camera if part is not None))

    def _choose_view(self, name: str) -> None:
        assert self.board is not None
        self.board.set_view(name)
        self.extra["view"] = name
        for view, button in self._view_buttons.items():
            button.set_selected(view == name)
        self.hover = None
        self.changed()

    def _slice_text(self) -> str:
        focus = self.board.focus_depth if self.board else None
        return "all" if focus is None else f"{focus + 1} of {self.state.shape.depth}"

    def _slice(self, by: int) -> str:
        assert self.board is not None
        depth = self.state.shape.depth
        at = (0 if self.board.focus_depth is None else self.board.focus_depth + 1) + by
        at %= depth + 1
        self.board.focus_depth = None if at == 0 else at - 1
        return self._slice_text()

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
        """Animation."""
        self._over_for = self._over_for + dt if self.over(self.state) else 0.0
        if self.board is not None:
            self.board.update(dt)

    def _overlay(self) -> Overlay:
        thought, hint = self.driver.thought, self.driver.hint
        person = self._person_to_move()
        fresh = thought.ply == self.timeline.cursor and not self.over(self.state)
        values = thought.values if fresh else {}
        show = self.context.settings.show_values
        return Overlay(
            hover=self.hover if person else None,
            cursor=self.cursor if person else None,
            ghost_seat=self.state.to_move if person else None,
            values={action: describe(value) for action, value in values.items()},
            best=thought.best if fresh else None,
            hint=hint.actions[0] if hint is not None and hint.actions else (thought.best if fresh and show else None),
            show_values=show and bool(values),
        )

    def draw_board(self, surface: pygame.Surface) -> None:
        """The board and below it, beside the buttons, who has won or what the signs on the board mean."""
        if self.board is None:
            return
        overlay, theme = self._overlay(), self.theme
        self.board.draw(surface, overlay)
        right, room = (self._bar.right, self._bar.centery), self._bar.right - self._bar_left
        if self.over(self.state):
            place = text.draw(
                surface, theme, self.result(), right, size=FONT_HEADING, weight="bold", anchor="midright",
                limit=room - theme.px(40),
            )  # fmt: skip
            if self.state.winner is not None:
                stone = STONES[self.state.winner]
                icon = flat_stone(theme.px(26), stone.colour, stone.mark)
                surface.blit(icon, icon.get_rect(midright=(place.left - theme.px(10), right[1])))
            return
        words = "drag to turn · 0 resets the view" if self.board.view == "orbit" else ""
        if overlay.show_values and any(sign[0] in "WL" for sign in overlay.values.values()):
            words = "W3: wins in 3 moves · L2: loses in 2"
        text.draw(surface, theme, words, right, size=FONT_SMALL, colour=theme.muted, anchor="midright", limit=room)

    # Input

    def command(self, command: str) -> bool:
        """Arrows choose a column, Enter drops; V, 0 and [ ] change the view."""
        directions = {"up": 0, "right": 1, "down": 2, "left": 3}
        assert self.board is not None
        if command in directions:
            start = self.hover if self.hover is not None else self.cursor
            self.hover = None
            self.cursor = self.board.next_action(start, directions[command])
        elif command == "accept":
            self._accept()
        elif command == "view":
            names = self.board.views()
            self._choose_view(names[(names.index(self.board.view) + 1) % len(names)])
        elif command == "reset_view":
            self.board.reset_camera()
            self._keep_camera()
        elif command in ("next", "previous") and self.state.shape.depth > 1:
            self._slice(1 if command == "next" else -1)
            self.rebuild()
        elif command == "list":
            self.set_up()
        elif command == "restart":
            self.go(0)
            self.auto = True
            self._wake()
        else:
            return super().command(command)
        return True

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
        return self._board_words(self.state.shape)

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
        icon = flat_stone(self.theme.px(24), stone.colour, stone.mark)
        tally = self.context.progress.tally(str(self.state.shape), self.seat_names())
        wins = tally.wins[number]
        active = not self.over(self.state) and self.state.to_move == number
        return Seat(icon, self._who(number), f"{wins} {'win' if wins == 1 else 'wins'}", active)

    def thought_rows(self) -> list[Row]:
        """Best column, principal variation, work done."""
        thought, shape = self.driver.thought, self.state.shape
        if not self.thought_counts:
            return [Row("Ask for a hint", keys_shown("hint"))] if self._person_to_move() else []
        plan = thought.plan
        pv = plan.pv if plan else thought.progress.pv
        rows = []
        best = thought.best
        if best is not None and best < shape.columns:
            value = thought.values.get(best)
            words = connect4.label(shape, best)
            if value is not None:
                plies = plies_to_end(value)
                words += (
                    f" {'wins' if value > 0 else 'loses'} in {plies}"
                    if plies is not None
                    else f" · {describe(value)}"
                )
            rows.append(Row("Best column", words, self.theme.thinking))
        if pv:
            line = " ".join(connect4.label(shape, action) for action in pv[:6] if action < shape.columns)
            rows.append(Row("Line", line + (" …" if len(pv) > 6 else "")))
        if thought.nodes:
            words = f"{text.short(thought.nodes)} position{'' if thought.nodes == 1 else 's'}"
            if thought.nodes >= RATED:
                words += f" · {text.short(thought.nodes / max(thought.seconds, 1e-6))}/s"
            rows.append(Row("Searched", words))
        return rows

    def thought_note(self) -> str:
        """As everywhere, and whether it is about the move before."""
        return self.dated(super().thought_note())

    def game_rows(self) -> list[Row]:
        """Move and time."""
        minutes, seconds = divmod(int(self.seconds), 60)
        return [Row("Move", f"{self.timeline.cursor}"), Row("Time", f"{minutes}:{seconds:02d}")]

    def build_game_buttons(self, rect: pygame.Rect) -> None:
        """Set-up and new game."""
        theme = self.theme
        gap, high = theme.px(8), theme.px(38)
        half = (rect.width - gap) // 2
        Button(self.kit, pygame.Rect(rect.left, rect.top, half, high), "Set-up", icon="edit",
               on_press=lambda: self.window.command("list"), tip="Board, players and seats (L)")  # fmt: skip
        Button(self.kit, pygame.Rect(rect.left + half + gap, rect.top, half, high), "New game", icon="shuffle",
               on_press=lambda: self.window.command("new"), tip="New game (N)")  # fmt: skip

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
