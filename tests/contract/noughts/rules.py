"""Noughts and crosses: three in a row on nine cells."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from game.rules.game import Array, Game, Option, Setup, Space
from game.rules.outcome import Outcome
from game.rules.reader import Reader

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@dataclass(frozen=True, slots=True)
class State:
    """The cells that were taken, in turn."""

    moves: tuple[int, ...] = ()

    def marks(self) -> tuple[int, ...]:
        """0 for an empty cell, 1 for a cross, 2 for a nought."""
        found = [0] * 9
        for turn, cell in enumerate(self.moves):
            found[cell] = turn % 2 + 1
        return tuple(found)


def outcome(state: State) -> Outcome | None:
    """Who has three in a row."""
    marks = state.marks()
    for first, second, third in LINES:
        if marks[first] and marks[first] == marks[second] == marks[third]:
            return Outcome("won", marks[first] - 1)
    return Outcome("draw") if len(state.moves) == 9 else None


def actions(state: State) -> tuple[int, ...]:
    """Empty cells."""
    return () if outcome(state) else tuple(cell for cell in range(9) if cell not in state.moves)


def apply(state: State, action: int) -> State:
    """Take a cell."""
    if action not in actions(state):
        raise ValueError(f"cell {action} cannot be taken")
    return State((*state.moves, action))


def parse(text: str, options: Mapping[str, Any], seed: int) -> State:
    """Digits from 1."""
    state = State()
    for letter in text.strip():
        if letter not in "123456789":
            raise ValueError(f"there is no cell {letter!r}: cells go from 1 to 9")
        state = apply(state, int(letter) - 1)
    return state


def write(state: State) -> str:
    """As `parse` reads it."""
    return "".join(str(cell + 1) for cell in state.moves)


def draw(state: State) -> str:
    """Three lines."""
    marks = state.marks()
    return "\n".join(" ".join(".XO"[mark] for mark in marks[row : row + 3]) for row in (0, 3, 6))


def _observe(state: State, seat: int) -> Array:
    marks = np.array(state.marks(), np.int8).reshape(3, 3)
    return np.stack([marks == seat + 1, marks == 2 - seat]).astype(np.int8)


def _write_setup(state: State) -> Setup:
    return {"position": write(state)}


def _read_setup(reader: Reader, setup: dict[str, Any]) -> State:
    reader.fields(setup, (), ("position",))
    return parse(reader.text(setup.get("position", ""), "position", 9), {}, 0)


GAME = Game(
    id="noughts", name="noughts", title="Noughts and crosses", state=State,
    options=(Option("opening", "Opening", "", "Cells taken already, from 1."),),
    new=lambda options, seed: parse(options["opening"], options, seed),
    actions=actions, apply=lambda state, action, chance: apply(state, action), outcome=outcome,
    seats=(2, 2), players=lambda state: 2, to_move=lambda state: len(state.moves) % 2,
    action_count=lambda state: 9, observe=_observe, space=lambda state: Space((2, 3, 3), 1, np.int8),
    parse=parse, write=write, draw=draw, label=lambda state, action: str(action + 1),
    line=lambda state, line: "".join(str(action + 1) for action in line),
    write_setup=_write_setup, read_setup=_read_setup, longest=lambda state: 9,
    facts=lambda state: {"winner": getattr(outcome(state), "winner", None)},
)  # fmt: skip
