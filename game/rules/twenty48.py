"""2048 on any square board from 3×3 to 8×8: slides, merges, and spawns from a seed.

The plain rules of the person's game; `ai.twenty48` has the same rules as kernels and tests hold the two equal, spawns
bit for bit. A turn has two halves: the `slide` gives the *afterstate* (the board without the new tile) and the
reward; then one tile is spawned and `place`d. Cells are numbered row by row from the top left::

    cell = row * size + col        cells[cell] = exponent: 0 empty, 1 the tile 2, 2 the tile 4, … 17 the tile 131072
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from game.rules.direction import Direction
from game.rules.game import Array, Chance, Game, Milestone, Option, Setup, Space
from game.rules.outcome import Outcome
from game.rules.reader import Reader

MIN_SIZE, MAX_SIZE = 3, 8
MAX_EXPONENT = 32
"""The largest tile a written position may hold is 2**32, far beyond what was ever reached."""
FOUR_BELOW = 429_496_730
"""A spawned tile is a 4 when the low 32 bits of its random number are below this: a tenth of 2**32, rounded up."""

_MASK = 2**64 - 1
_GAMMA = 0x9E3779B97F4A7C15


@dataclass(frozen=True, slots=True)
class State:
    """A position, and where it stands in its sequence of spawns."""

    size: int
    """Edge of the board, 3 to 8."""
    cells: tuple[int, ...]
    """size² exponents, row by row; 0 is empty."""
    score: int
    """Sum of all rewards so far."""
    seed: int
    """Names the sequence of spawns; any integer, taken modulo 2**64."""
    spawns: int
    """How many tiles have been spawned: the position in that sequence."""


@dataclass(frozen=True, slots=True)
class Move:
    """What one tile does in a slide, for animation."""

    source: int
    target: int
    """The cell it ends in; equal to `source` for a tile that stays."""
    exponent: int
    """The tile's exponent before the slide."""
    merged: bool
    """True for both tiles of a merge; the tile made in `target` has exponent + 1."""


@dataclass(frozen=True, slots=True)
class Slide:
    """The first half of a turn."""

    cells: tuple[int, ...]
    """The afterstate."""
    reward: int
    """Sum of the tiles made by merging."""
    moves: tuple[Move, ...]
    """One for each tile on the board before the slide."""


def start(size: int = 4, seed: int = 0) -> State:
    """A new game: an empty board with the first two tiles of the seed's sequence.

    Raises:
        ValueError: when the size is not 3 to 8.
    """
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"A board of 2048 has {MIN_SIZE} to {MAX_SIZE} rows, not {size}.")
    cells: tuple[int, ...] = (0,) * (size * size)
    for spawns in range(2):
        cells = _with_tile(cells, *spawn(cells, seed, spawns))
    return State(size, cells, 0, seed, 2)


@lru_cache(maxsize=4)  # chance, rules and animation of one turn ask for the same slide
def slide(state: State, action: int) -> Slide | None:
    """Every tile goes as far as it can; equal tiles that meet become one, each at most once, nearest the wall first.

    Returns None when nothing moves.

    Raises:
        ValueError: when `action` is not 0 to 3.
    """
    cells = [0] * len(state.cells)
    moves: list[Move] = []
    reward = 0
    for line in _lines(state.size, action):
        tiles = [cell for cell in line if state.cells[cell]]
        done = 0
        for target in line:
            if done == len(tiles):
                break
            exponent = state.cells[tiles[done]]
            merged = done + 1 < len(tiles) and state.cells[tiles[done + 1]] == exponent
            count = 2 if merged else 1
            moves += [Move(source, target, exponent, merged) for source in tiles[done : done + count]]
            done += count
            cells[target] = exponent + merged
            reward += 2 << exponent if merged else 0
    if all(move.source == move.target for move in moves):
        return None
    return Slide(tuple(cells), reward, tuple(moves))


def random_number(seed: int, number: int) -> int:
    """Number `number` (from 0) of the SplitMix64 stream of `seed`, 64 bits.

    x = seed + (number + 1) * 0x9E3779B97F4A7C15 mod 2**64, then two rounds of xor-shift and multiply (Steele, Lea,
    Flood: Fast splittable pseudorandom number generators, 2014).
    """
    x = (seed + (number + 1) * _GAMMA) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def next_seed(seed: int) -> int:
    """The seed of the game that follows one of `seed` where games follow each other: far down the same stream."""
    return random_number(seed, 2**63)


def spawn(cells: tuple[int, ...], seed: int, spawns: int) -> tuple[int, int]:
    """The tile that comes next: (cell, exponent).

    The high 32 bits of `random_number(seed, spawns)`, scaled, choose among the empty cells in row order; its low 32
    bits make the tile a 4 with probability 1/10. It depends on nothing else, so two agents can meet the same luck.

    Raises:
        ValueError: when no cell is empty.
    """
    empty = [cell for cell, exponent in enumerate(cells) if not exponent]
    if not empty:
        raise ValueError("No cell is empty for a new tile.")
    x = random_number(seed, spawns)
    return empty[((x >> 32) * len(empty)) >> 32], 2 if x & 0xFFFFFFFF < FOUR_BELOW else 1


def place(state: State, slide: Slide, cell: int, exponent: int) -> State:
    """The position after `slide` of `state` and a tile spawned in `cell`.

    Raises:
        ValueError: when the cell is not an empty one of the board, or no such tile is ever spawned.
    """
    if not 0 <= cell < len(slide.cells) or slide.cells[cell]:
        raise ValueError(f"Cell {cell} is not an empty cell of the board.")
    if exponent not in (1, 2):
        raise ValueError(f"A spawned tile is a 2 or a 4, not one of exponent {exponent}.")
    cells = _with_tile(slide.cells, cell, exponent)
    return replace(state, cells=cells, score=state.score + slide.reward, spawns=state.spawns + 1)


def legal_actions(state: State) -> tuple[int, ...]:
    """The directions in which something moves, ascending."""
    cells = state.cells
    return tuple(
        action
        for action in range(4)
        if any(
            cells[behind] and cells[ahead] in (0, cells[behind])
            for line in _lines(state.size, action)
            for ahead, behind in pairwise(line)
        )
    )


def apply(state: State, action: int) -> State:
    """One whole turn: the slide, then the next tile of the state's own sequence.

    Raises:
        ValueError: when the action moves nothing.
    """
    slid = slide(state, action)
    if slid is None:
        raise ValueError(f"Sliding {Direction(action).label} moves nothing.")
    return place(state, slid, *spawn(slid.cells, state.seed, state.spawns))


def outcome(state: State) -> Outcome | None:
    """'over' when nothing can move. Reaching 2048 ends no game: people keep playing."""
    return None if legal_actions(state) else Outcome("over")


def parse_position(text: str, seed: int = 0) -> State:
    """The position written as tile values row by row, `/` or a new line between rows, 0 for empty: `0 2 4/0 0 2/…`.

    Score and spawns start at 0. A position in which nothing moves is allowed.

    Raises:
        ValueError: with one clear sentence.
    """
    rows = [row.split() for row in text.strip().replace("\n", "/").split("/")]
    size = len(rows)
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"A position of 2048 has {MIN_SIZE} to {MAX_SIZE} rows with '/' between them, not {size}.")
    for number, row in enumerate(rows, 1):
        if len(row) != size:
            raise ValueError(f"The board must be square: row {number} has {len(row)} numbers, there are {size} rows.")
    cells = tuple(_exponent(word) for row in rows for word in row)
    if not any(cells):
        raise ValueError("The board has no tile.")
    return State(size, cells, 0, seed, 0)


def format_position(state: State) -> str:
    """The inverse of `parse_position`: '0 2 4/0 0 2/…'."""
    values = [str(1 << exponent) if exponent else "0" for exponent in state.cells]
    return "/".join(" ".join(values[row : row + state.size]) for row in range(0, len(values), state.size))


def draw(state: State) -> str:
    """The board as lines of text: tile values in columns, a dot for an empty cell."""
    values = [str(1 << exponent) if exponent else "." for exponent in state.cells]
    width = max(map(len, values)) + 1
    rows = (values[first : first + state.size] for first in range(0, len(values), state.size))
    return "\n".join("".join(value.rjust(width) for value in row) for row in rows)


def _exponent(word: str) -> int:
    """The exponent of the tile written as `word`; raises ValueError."""
    value = int(word) if word.isascii() and word.isdecimal() and len(word) < 20 else 1
    if value & (value - 1) or value == 1 or value > 1 << MAX_EXPONENT:
        shown = word if len(word) <= 20 else word[:20] + "…"
        raise ValueError(f"{shown!r} is no tile: expected 0 or a power of two from 2 to 2**{MAX_EXPONENT}.")
    return max(0, value.bit_length() - 1)


def _with_tile(cells: tuple[int, ...], cell: int, exponent: int) -> tuple[int, ...]:
    return (*cells[:cell], exponent, *cells[cell + 1 :])


@lru_cache(maxsize=32)
def _lines(size: int, action: int) -> tuple[tuple[int, ...], ...]:
    """The cells of every line along a direction, each line from the wall that tiles slide towards."""
    if action not in range(4):
        raise ValueError(f"There is no direction {action}: expected 0 up, 1 right, 2 down or 3 left.")
    if action in (Direction.UP, Direction.DOWN):
        lines = [tuple(range(col, size * size, size)) for col in range(size)]
    else:
        lines = [tuple(range(row * size, (row + 1) * size)) for row in range(size)]
    return tuple(line[::-1] if action in (Direction.RIGHT, Direction.DOWN) else line for line in lines)


# --- as a value -----------------------------------------------------------------------------------------------


def _apply(state: State, action: int, chance: Chance | None) -> State:
    """The position after a slide and the tile that `chance` says."""
    slid = slide(state, action)
    if slid is None:
        raise ValueError(f"action {action} moves nothing")
    if chance is None:
        raise ValueError("the tile that was spawned is missing")
    return place(state, slid, *chance)


def chance(state: State, action: int) -> Chance:
    """Cell and exponent of the tile that follows a slide; raises ValueError when nothing moves."""
    slid = slide(state, action)
    if slid is None:
        raise ValueError(f"action {action} moves nothing")
    return spawn(slid.cells, state.seed, state.spawns)


def _observe(state: State, seat: int) -> Array:
    """The exponents, row by row."""
    return np.array(state.cells, np.uint8).reshape(state.size, state.size)


def _space(state: State) -> Space:
    """A tile comes from a 4 and doubles at most once for every other cell: size² + 1 at most."""
    return Space((state.size, state.size), state.size**2 + 1, np.uint8)


def _write_setup(state: State) -> Setup:
    start = format_position(state)
    return {"size": state.size, "start": start, "seed": state.seed, "score": state.score, "spawns": state.spawns}


def _read_setup(reader: Reader, setup: dict[str, Any]) -> State:
    reader.fields(setup, ("size", "start", "seed"), ("score", "spawns"))
    seed = reader.whole(setup["seed"], "seed", -(2**63), 2**64 - 1)
    state = parse_position(reader.text(setup["start"], "start", 2000), seed)
    if reader.whole(setup["size"], "size", MIN_SIZE, MAX_SIZE) != state.size:
        reader.fail(f"the start is of size {state.size}, the set-up says {setup['size']}")
    score = reader.whole(setup.get("score", 0), "score", 0, 2**62)
    return replace(state, score=score, spawns=reader.whole(setup.get("spawns", state.spawns), "spawns", 0, 2**62))


_LARGEST = Milestone(
    "max_tile",
    "tile",
    lambda state: 1 << max(state.cells) if any(state.cells) else 0,
    goal=2048,
    marks=tuple(1 << exponent for exponent in range(11, 17)),
)


GAME = Game(
    id="twenty48",
    name="2048",
    title="2048",
    state=State,
    options=(Option("size", "Size", 4, "Rows and columns.", MIN_SIZE, MAX_SIZE),),
    new=lambda options, seed: start(options["size"], seed),
    actions=legal_actions,
    apply=_apply,
    chance=chance,
    outcome=outcome,
    score=lambda state: state.score,
    milestone=_LARGEST,
    action_count=lambda state: len(Direction),
    observe=_observe,
    space=_space,
    parse=lambda text, options, seed: parse_position(text, seed),
    write=format_position,
    draw=draw,
    label=lambda state, action: Direction(action).label,
    write_setup=_write_setup,
    read_setup=_read_setup,
    board_words=lambda setup: f"{setup['size']}×{setup['size']}",
    ending=lambda result: f"{result.get('max_tile')}-tile-{result.get('score')}-points",
)
