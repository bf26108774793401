"""The set-up dialogue of connect-4: the board's size, how many in a row, how many players, who sits where."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import pygame
from typing_extensions import override

from ai import catalogue
from ai.entries import Spec
from game.play import seating
from game.rules import connect4
from game.rules.connect4 import Shape
from game.rules.game import PERSON
from game.ui import text
from game.ui.controls import Button, Stepper
from game.ui.dialog import Answer, Dialog
from game.ui.scene import Host
from game.ui.select import Option, Select
from game.views.connect4.stones import STONES, flat_stone

PRESETS: tuple[tuple[str, str, tuple[int, int, int, int]], ...] = (
    ("classic", "Classic · 7 wide, 6 high", (6, 7, 1, 4)),
    ("cube", "Cube · 4 × 4 × 4", (4, 4, 4, 4)),
    ("deep5", "Deep · 5 × 5 × 5", (5, 5, 5, 4)),
    ("deep7", "Tower hall · 7 × 5 pegs, 6 high", (6, 7, 5, 4)),
    ("five", "Five in a row · 8 wide, 8 high", (8, 8, 1, 5)),
)
OWN = "own"
CONTROL, GAP = 36, 8
MOST_PLAYERS = 6
FIELDS = (("rows", "Height", 0), ("cols", "Width", 1), ("depth", "Depth", 2), ("win", "In a row", 3))


@dataclass(frozen=True, slots=True)
class Counters:
    """What the dialogue may ask of the players' counters."""

    rotates: Callable[[], bool]
    """Whether everybody moves on by one seat after each game."""
    set_rotates: Callable[[bool], None]
    counted: Callable[[], bool]
    """Whether these players have ended any game on this board."""
    reset: Callable[[], None]


class SetupDialog(Dialog):
    """Everything can be changed before the game starts; the reason stands there when it cannot start."""

    def __init__(
        self,
        window: Host,
        shape: Shape,
        seats: list[Spec | None],
        counters: Counters,
        on_start: Callable[[Shape, list[Spec | None]], None],
    ) -> None:
        """`on_start` gets board and seats."""
        self.numbers = [shape.rows, shape.cols, shape.depth, shape.win]
        self.seats = list(seats)
        self.counters = counters
        self._reset: Button | None = None
        self.on_start = on_start
        self.on_close: Callable[[], None] = lambda: None
        """Called when the dialogue is gone, before the new game starts."""
        answers = (Answer("Start", self._start, "primary", "play"), Answer("Cancel"))
        super().__init__(window, "New game of connect-4", answers=answers, width=620, inside=self._inside_units())
        self._rows: list[tuple[int, pygame.Rect]] = []
        self._message_at = (0, 0)

    @staticmethod
    def _inside_units() -> int:
        """As high as for all players, so that nothing moves under the pointer when there are more or fewer."""
        return (CONTROL + GAP) * (3 + MOST_PLAYERS // 2) + 44

    @property
    def shape(self) -> Shape | str:
        """The board, or why there is none."""
        rows, cols, depth, win = self.numbers
        try:
            return Shape(rows, cols, depth, win, len(self.seats))
        except ValueError as error:
            return str(error)

    def _why_not(self, spec: Spec) -> str | None:
        """Why an agent cannot play on the chosen board; None where that board itself is none."""
        shape = self.shape
        return None if isinstance(shape, str) else catalogue.why_not("connect4", spec, connect4.start(shape))

    def _seated(self, spec: Spec | None) -> Spec | None:
        """The agent as it is set, or who takes its place on the chosen board."""
        shape = self.shape
        if spec is None or isinstance(shape, str):
            return spec
        return seating.moved("connect4", spec, connect4.start(shape)) or spec

    @property
    def _board(self) -> connect4.State:
        """The chosen board, the first of the list while it is none."""
        shape = self.shape
        return connect4.start(Shape(*PRESETS[0][2]) if isinstance(shape, str) else shape)

    @property
    def problem(self) -> str | None:
        """Why the game cannot start."""
        shape = self.shape
        return shape if isinstance(shape, str) else None

    @override
    def build_inside(self, rect: pygame.Rect) -> None:
        """A preset, the numbers, the seats."""
        theme, kit = self.theme, self.kit
        high, gap = theme.px(CONTROL), theme.px(GAP)
        y = rect.top
        preset = next((name for name, _, numbers in PRESETS if list(numbers) == self.numbers), OWN)
        options = [Option(name, label) for name, label, _ in PRESETS] + [Option(OWN, "Your own board")]
        Select(
            kit, pygame.Rect(rect.left, y, rect.width, high), options, preset, on_choose=self._preset, label="Board"
        )
        y += high + gap
        quarter = (rect.width - 3 * gap) // 4
        for name, label, at in FIELDS:
            place = pygame.Rect(rect.left + at * (quarter + gap), y, quarter, high)
            Stepper(
                kit,
                place,
                label,
                str(self.numbers[at]),
                on_step=partial(self._step, at),
                tip=_TIPS[name],
            )
        y += high + gap
        Stepper(
            kit, pygame.Rect(rect.left, y, quarter, high), "Players", str(len(self.seats)), on_step=self._players,
            tip="2 to 6 players, each for themselves",
        )  # fmt: skip
        orders = [Option("stay", "always seat 1"), Option("rotate", "taking turns")]
        Select(
            kit, pygame.Rect(rect.left + quarter + gap, y, 2 * quarter + gap, high), orders,
            "rotate" if self.counters.rotates() else "stay", label="First move",
            on_choose=lambda name: self.counters.set_rotates(name == "rotate"),
            tip="Whether players change seats after each game",
        )  # fmt: skip
        self._reset = Button(
            kit, pygame.Rect(rect.left + 3 * (quarter + gap), y, quarter, high), "Reset score", icon="restart",
            on_press=self._reset_score, tip="Start counting these players' games on this board from zero",
        )  # fmt: skip
        self._reset.set_enabled(self.counters.counted())
        y += high + gap
        half = (rect.width - gap) // 2
        named = {str(each.spec): each for each in seating.candidates("connect4", self._board)}
        options = [Option(PERSON, "Person")] + [
            Option(text, each.opponent.name, each.strength) for text, each in named.items()
        ]  # fmt: skip
        options += [
            Option(entry.id, entry.title, "", self._why_not(Spec(entry.id)) or "")
            for entry in catalogue.entries("connect4")
            if entry.id not in named
        ]
        self._rows = []
        for number, spec in enumerate(map(self._seated, self.seats)):
            left = rect.left + (number % 2) * (half + gap)
            stone = theme.px(24)
            self._rows.append((number, pygame.Rect(left, y + (high - stone) // 2, stone, stone)))
            box = pygame.Rect(left + stone + gap, y, half - stone - gap, high)
            Select(
                kit,
                box,
                options,
                PERSON if spec is None else str(spec) if str(spec) in named else spec.id,
                on_choose=partial(self._seat, number),
            )
            if number % 2 == 1:
                y += high + gap
        if len(self.seats) < MOST_PLAYERS:
            left = rect.left + (len(self.seats) % 2) * (half + gap) + theme.px(24) + gap
            box = pygame.Rect(left, y, half - theme.px(24) - gap, high)
            Button(kit, box, "Add a player", icon="plus", on_press=lambda: self._players(1))
        self._message_at = (rect.left, rect.bottom - theme.px(30))

    @override
    def draw_inside(self, surface: pygame.Surface) -> None:
        """Stones beside the seats, and what stands against the board."""
        theme = self.theme
        for number, place in self._rows:
            stone = STONES[number]
            surface.blit(flat_stone(place.width, stone.colour, stone.mark), place)
        shape, problem = self.shape, self.problem
        if isinstance(shape, str) or problem is not None:
            lines, colour = text.wrap(theme, problem or "", self.card.width - theme.px(48)), theme.bad
        else:
            lines, colour = [f"{shape.cells} cells · {shape.columns} places to drop a stone"], theme.muted
        for number, line in enumerate(lines[:2]):
            at = (self._message_at[0], self._message_at[1] + number * theme.font().get_linesize())
            text.draw(surface, theme, line, at, colour=colour, anchor="midleft")

    def _reset_score(self) -> None:
        self.counters.reset()
        if self._reset is not None:
            self._reset.set_enabled(False)
        self.window.say("The score starts from zero.")

    def _preset(self, name: str) -> None:
        for preset, _, numbers in PRESETS:
            if preset == name:
                self.numbers = list(numbers)
                self.rebuild()

    def _step(self, at: int, by: int) -> str:
        low = 2 if at == 3 else 1
        self.numbers[at] = min(8, max(low, self.numbers[at] + by))
        self.rebuild()  # other agents can play there
        return str(self.numbers[at])

    def _players(self, by: int) -> str:
        count = min(MOST_PLAYERS, max(2, len(self.seats) + by))
        while len(self.seats) < count:
            self.seats.append(catalogue.strongest("connect4", self._board))
        del self.seats[count:]
        self.rebuild()
        return str(count)

    def _seat(self, number: int, chosen: str) -> None:
        named = {str(each.spec): each.spec for each in seating.candidates("connect4", self._board)}
        if chosen == PERSON:
            self.seats[number] = None
        else:
            self.seats[number] = named.get(chosen) or catalogue.default_spec("connect4", chosen, self._board)

    @override
    def answer(self, answer: Answer) -> None:
        """Start only on a board that can be played."""
        if answer.style == "primary" and self.problem is not None:
            self.window.play("blocked")
            return
        super().answer(answer)

    @override
    def close(self) -> None:
        """Tell the screen below."""
        self.on_close()

    def _start(self) -> None:
        shape = self.shape
        assert isinstance(shape, Shape)
        self.on_start(shape, [self._seated(spec) for spec in self.seats])


_TIPS = {
    "rows": "How many stones can be stacked, 1 to 8",
    "cols": "Columns from left to right, 1 to 8",
    "depth": "Columns from front to back, 1 to 8; 1 is the flat board",
    "win": "Stones in a row to win",
}
