"""Noughts and crosses: three in a row on nine squares, numbered row by row from the top left."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from game.rules.game import Array, Chance, Game, Setup, Space
from game.rules.outcome import Outcome
from game.rules.reader import Reader

MARKS = ".XO"
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@dataclass(frozen=True, slots=True)
class State:
    """A position."""

    cells: tuple[int, ...] = (0,) * 9
    """0 empty, else seat + 1."""

    @property
    def to_move(self) -> int:
        """The seat whose turn it is."""
        return sum(map(bool, self.cells)) % 2


def outcome(state: State) -> Outcome | None:
    """Won, drawn, or None."""
    for one, two, three in LINES:
        if state.cells[one] and state.cells[one] == state.cells[two] == state.cells[three]:
            return Outcome("won", state.cells[one] - 1)
    return Outcome("draw") if all(state.cells) else None


def actions(state: State) -> tuple[int, ...]:
    """The empty squares while the game goes on."""
    return () if outcome(state) else tuple(square for square, mark in enumerate(state.cells) if not mark)


def apply(state: State, action: int, chance: Chance | None = None) -> State:
    """The position after a mark; raises ValueError."""
    if action not in actions(state):
        raise ValueError(f"square {action} cannot be taken")
    return State((*state.cells[:action], state.to_move + 1, *state.cells[action + 1 :]))


def parse(text: str) -> State:
    """Three rows with '/' between them."""
    marks = text.strip().replace("/", "")
    if len(marks) != 9 or not set(marks) <= set(MARKS):
        raise ValueError("a position is three rows of . X O with '/' between them")
    return State(tuple(map(MARKS.index, marks)))


def write(state: State) -> str:
    """The inverse."""
    marks = "".join(MARKS[mark] for mark in state.cells)
    return "/".join(marks[row : row + 3] for row in range(0, 9, 3))


def _observe(state: State, seat: int) -> Array:
    cells = np.array(state.cells).reshape(3, 3)
    return np.stack([cells == 1 + (seat + turn) % 2 for turn in range(2)]).astype(np.int8)


def _write_setup(state: State) -> Setup:
    return {"board": write(state)}


def _read_setup(reader: Reader, setup: dict[str, Any]) -> State:
    reader.fields(setup, ("board",), ())
    return parse(reader.text(setup["board"], "board"))


GAME = Game(
    id="noughts",
    name="noughts",
    title="Noughts and crosses",
    state=State,
    options=(),
    new=lambda options, seed: State(),
    actions=actions,
    apply=apply,
    outcome=outcome,
    seats=(2, 2),
    players=lambda state: 2,
    to_move=lambda state: state.to_move,
    action_count=lambda state: 9,
    observe=_observe,
    space=lambda state: Space((2, 3, 3), 1, np.int8),
    parse=lambda text, options, seed: parse(text),
    write=write,
    draw=lambda state: write(state).replace("/", "\n"),
    label=lambda state, action: str(action + 1),
    write_setup=_write_setup,
    read_setup=_read_setup,
    longest=lambda state: 9,
)
