"""Connect-4 on any board of R rows, C columns and D layers of depth: gravity, W in a row wins, 2 to 6 players.

A flat board has depth 1. The plain rules of the person's game; `ai.connect4` has the same rules as kernels and
tests hold the two equal. Indices, row 0 at the bottom::

    action = depth * C + col                 (a flat board: the column from 0)
    cell   = (row * D + depth) * C + col     = row * (C * D) + action

Seats count from 0, stones from 1 (seat + 1), and seat `len(moves) % players` is to move.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from typing_extensions import override

from game.rules.game import Array, BoardText, Game, Option, Setup, Space
from game.rules.outcome import Outcome
from game.rules.reader import Reader

MAX_EDGE = 8
MIN_WIN, MAX_WIN = 2, 8
MIN_PLAYERS, MAX_PLAYERS = 2, 6

_STONES = ".XO#@%&"
"""An empty cell, then the stones of the seats, in a drawing."""

DIRECTIONS: tuple[tuple[int, int, int], ...] = tuple(
    (up, right, deep) for up, right, deep in product((0, 1, -1), repeat=3) if (up, right, deep) > (0, 0, 0)
)
"""The 13 directions of a line as (row, col, depth) steps, one of each opposite pair."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A board and its players.

    Raises:
        ValueError: one clear sentence, when an edge, the win length or the number of players is not playable.
    """

    rows: int
    """Height, 1 to 8."""
    cols: int
    """1 to 8."""
    depth: int
    """Layers, 1 to 8; 1 is the flat game."""
    win: int
    """Stones in a row that win, 2 to 8 and at most the longest edge."""
    players: int = 2
    """2 to 6."""

    def __post_init__(self) -> None:
        for name, size in (("rows", self.rows), ("columns", self.cols), ("layers of depth", self.depth)):
            if not 1 <= size <= MAX_EDGE:
                raise ValueError(f"A board has 1 to {MAX_EDGE} {name}, not {size}.")
        if not MIN_WIN <= self.win <= MAX_WIN:
            raise ValueError(f"The win length is {MIN_WIN} to {MAX_WIN}, not {self.win}.")
        if self.win > max(self.rows, self.cols, self.depth):
            raise ValueError(
                f"{self.win} in a row does not fit on a board that is "
                f"{self.rows} high, {self.cols} wide and {self.depth} deep."
            )
        if not MIN_PLAYERS <= self.players <= MAX_PLAYERS:
            raise ValueError(f"There are {MIN_PLAYERS} to {MAX_PLAYERS} players, not {self.players}.")
        if self.players > self.cells:
            raise ValueError(f"A board of {self.cells} cells is too small for {self.players} players.")

    @property
    def columns(self) -> int:
        """Number of actions: places to drop a stone, cols * depth."""
        return self.cols * self.depth

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.rows * self.cols * self.depth

    @override
    def __str__(self) -> str:
        return f"{self.rows},{self.cols},{self.depth},{self.win}"


@dataclass(frozen=True, slots=True)
class State:
    """An immutable position, reached by `moves` from the empty board."""

    shape: Shape
    cells: tuple[int, ...]
    """0 empty, else seat + 1, by cell index."""
    heights: tuple[int, ...]
    """Stones in each column, by action."""
    moves: tuple[int, ...]
    """The actions so far."""
    winner: int | None
    """The seat that has won, None while nobody has."""

    @property
    def to_move(self) -> int:
        """The seat whose turn it is (or would be, had the game gone on)."""
        return len(self.moves) % self.shape.players


def start(shape: Shape) -> State:
    """The empty board."""
    return State(shape, (0,) * shape.cells, (0,) * shape.columns, (), None)


def legal_actions(state: State) -> tuple[int, ...]:
    """The columns that are not full, ascending; none once somebody has won."""
    if state.winner is not None:
        return ()
    rows = state.shape.rows
    return tuple(action for action, height in enumerate(state.heights) if height < rows)


def landing(state: State, action: int) -> int | None:
    """The cell where a stone dropped by `action` comes to rest; None when the column is full or does not exist."""
    shape = state.shape
    if not 0 <= action < shape.columns or state.heights[action] >= shape.rows:
        return None
    return state.heights[action] * shape.columns + action


def apply(state: State, action: int) -> State:
    """The position after the seat to move drops a stone.

    Raises:
        ValueError: when somebody has won, or the column is full or does not exist.
    """
    shape = state.shape
    if state.winner is not None:
        raise ValueError(f"the game is over: player {state.winner + 1} has won")
    if not 0 <= action < shape.columns:
        raise ValueError(f"there is no column {action}: actions go from 0 to {shape.columns - 1}")
    cell = landing(state, action)
    if cell is None:
        raise ValueError(f"column {label(shape, action)} is full")
    seat = state.to_move
    cells = (*state.cells[:cell], seat + 1, *state.cells[cell + 1 :])
    heights = (*state.heights[:action], state.heights[action] + 1, *state.heights[action + 1 :])
    won = any(all(cells[other] == seat + 1 for other in line) for line in lines_through(shape)[cell])
    return State(shape, cells, heights, (*state.moves, action), seat if won else None)


def outcome(state: State) -> Outcome | None:
    """Won, drawn (the board is full), or None while the game goes on."""
    if state.winner is not None:
        return Outcome("won", state.winner)
    return Outcome("draw") if len(state.moves) == state.shape.cells else None


def winning_lines(state: State) -> tuple[tuple[int, ...], ...]:
    """Every complete line of the winner (one stone may complete several); empty while nobody has won."""
    if state.winner is None:
        return ()
    stone = state.winner + 1
    last = state.moves[-1]
    cell = (state.heights[last] - 1) * state.shape.columns + last
    return tuple(
        line for line in lines_through(state.shape)[cell] if all(state.cells[other] == stone for other in line)
    )


# --- geometry -------------------------------------------------------------------------------------------------


def coordinates(shape: Shape, cell: int) -> tuple[int, int, int]:
    """(row, col, depth) of a cell index."""
    row, action = divmod(cell, shape.columns)
    depth, col = divmod(action, shape.cols)
    return row, col, depth


@lru_cache(maxsize=64)
def lines(shape: Shape) -> tuple[tuple[int, ...], ...]:
    """Every straight line of `win` cells, each once, its cells in order."""
    found = []
    for cell in range(shape.cells):
        row, col, depth = coordinates(shape, cell)
        for up, right, deep in DIRECTIONS:
            end = (row + up * (shape.win - 1), col + right * (shape.win - 1), depth + deep * (shape.win - 1))
            if all(0 <= at < size for at, size in zip(end, (shape.rows, shape.cols, shape.depth), strict=True)):
                step = (up * shape.depth + deep) * shape.cols + right
                found.append(tuple(cell + step * number for number in range(shape.win)))
    return tuple(found)


@lru_cache(maxsize=64)
def lines_through(shape: Shape) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each cell, the lines that contain it."""
    through: list[list[tuple[int, ...]]] = [[] for _ in range(shape.cells)]
    for line in lines(shape):
        for cell in line:
            through[cell].append(line)
    return tuple(tuple(some) for some in through)


# --- text -----------------------------------------------------------------------------------------------------


def parse_shape(text: str, players: int = 2) -> Shape:
    """The board written `R,C,D,W`, e.g. `6,7,1,4`.

    Raises:
        ValueError: one clear sentence, when the text is not four whole numbers or the board is not playable.
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 4 or not all(_is_number(part) for part in parts):
        raise ValueError(f"A board is written R,C,D,W as four whole numbers, e.g. 6,7,1,4, not {text!r}.")
    rows, cols, depth, win = (int(part) for part in parts)
    return Shape(rows, cols, depth, win, players)


def label(shape: Shape, action: int) -> str:
    """The column as people write it, from 1: `4`, or `4.1` (column.depth) on a deep board."""
    depth, col = divmod(action, shape.cols)
    return str(col + 1) if shape.depth == 1 else f"{col + 1}.{depth + 1}"


def format_moves(state: State) -> str:
    """The moves so far as `parse_position` reads them; empty for the empty board."""
    return ("" if state.shape.depth == 1 else " ").join(label(state.shape, action) for action in state.moves)


def parse_position(text: str, shape: Shape) -> State:
    """The position after moves from the empty board: `4453` (flat), `4.1 4.2 3.1` (deep); spaces are free.

    Raises:
        ValueError: naming the move (from 1) and why it cannot be played.
    """
    words = list("".join(text.split())) if shape.depth == 1 else text.split()
    state = start(shape)
    for number, word in enumerate(words, 1):
        try:
            state = apply(state, _parse_action(word, shape))
        except ValueError as error:
            raise ValueError(f"move {number} ({word[:20]}): {error}") from None
    return state


def _is_number(text: str) -> bool:
    """Whether `text` is a whole number of plain digits, perhaps negative, and short enough to be meant."""
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= 6


def _parse_action(word: str, shape: Shape) -> int:
    parts = [word] if shape.depth == 1 else word.split(".")
    if len(parts) != (1 if shape.depth == 1 else 2) or not all(_is_number(part) for part in parts):
        raise ValueError(
            f"expected a column from 1 to {shape.cols}"
            if shape.depth == 1
            else "expected column.depth as two numbers, e.g. 4.1"
        )
    col, depth = int(parts[0]), int(parts[1]) if shape.depth > 1 else 1
    if not 1 <= col <= shape.cols:
        raise ValueError(f"there is no column {col}: columns go from 1 to {shape.cols}")
    if not 1 <= depth <= shape.depth:
        raise ValueError(f"there is no depth {depth}: it goes from 1 to {shape.depth}")
    return (depth - 1) * shape.cols + col - 1


def draw(state: State) -> str:
    """The board as lines of text: layers side by side, the nearest first, columns numbered from 1."""
    shape = state.shape
    layers = range(shape.depth)
    lines = [[f"depth {depth + 1}" for depth in layers]] if shape.depth > 1 else []
    for row in reversed(range(shape.rows)):
        first = [(row * shape.depth + depth) * shape.cols for depth in layers]
        lines.append([" ".join(_STONES[stone] for stone in state.cells[cell : cell + shape.cols]) for cell in first])
    lines.append([" ".join(str(col + 1) for col in range(shape.cols))] * shape.depth)
    width = max(len(part) for line in lines for part in line)
    return "\n".join((" " * 4).join(part.ljust(width) for part in line).rstrip() for line in lines)


# --- as a value -----------------------------------------------------------------------------------------------


_EDGES = ("rows", "cols", "depth", "win", "players")
"""The fields of a `Shape`, by which set-ups call them."""


def _shape(setup: Mapping[str, Any]) -> Shape:
    return Shape(*(setup[name] for name in _EDGES))


def _parse_board(text: str) -> dict[str, int]:
    shape = parse_shape(text)
    return {name: getattr(shape, name) for name in _EDGES[:-1]}


def _line(state: State, actions: Sequence[int]) -> str:
    return ("" if state.shape.depth == 1 else " ").join(label(state.shape, action) for action in actions)


def _observe(state: State, seat: int) -> Array:
    """The stones of each seat as 0 and 1, the observing one first and the others in turn after it, row 0 at the bottom."""
    shape = state.shape
    cells = np.array(state.cells, np.int8).reshape(shape.rows, shape.depth, shape.cols)
    seats = [(seat + turn) % shape.players for turn in range(shape.players)]
    return np.stack([cells == each + 1 for each in seats]).astype(np.int8)


def _space(state: State) -> Space:
    shape = state.shape
    return Space((shape.players, shape.rows, shape.depth, shape.cols), 1, np.int8)


def _write_setup(state: State) -> Setup:
    setup: Setup = {name: getattr(state.shape, name) for name in _EDGES}
    if state.moves:
        setup["position"] = format_moves(state)
    return setup


def _read_setup(reader: Reader, setup: dict[str, Any]) -> State:
    reader.fields(setup, _EDGES, ("position",))
    shape = Shape(*(reader.whole(setup[name], name, 1, 64) for name in _EDGES))
    return parse_position(reader.text(setup.get("position", ""), "position", 4000), shape)


def _board_words(setup: Setup) -> str:
    depth = f"×{setup['depth']}" if setup["depth"] != 1 else ""
    line = f", {setup['win']} in a row" if setup["win"] != 4 else ""
    return f"{setup['rows']}×{setup['cols']}{depth}{line}"


GAME = Game(
    id="connect4",
    name="connect4",
    title="Connect-4",
    state=State,
    options=(
        Option("rows", "Rows", 6, "The height of the board.", 1, MAX_EDGE),
        Option("cols", "Columns", 7, "The width of the board.", 1, MAX_EDGE),
        Option("depth", "Depth", 1, "Layers behind each other; 1 is the flat game.", 1, MAX_EDGE),
        Option("win", "In a row", 4, "Stones in a line that win.", MIN_WIN, MAX_WIN),
        Option("players", "Players", MIN_PLAYERS, "Who play in turn.", MIN_PLAYERS, MAX_PLAYERS),
    ),
    board_text=BoardText(_parse_board, lambda options: str(_shape(options))),
    new=lambda options, seed: start(_shape(options)),
    actions=legal_actions,
    apply=lambda state, action, chance: apply(state, action),
    outcome=outcome,
    seats=(MIN_PLAYERS, MAX_PLAYERS),
    players=lambda state: state.shape.players,
    to_move=lambda state: state.to_move,
    action_count=lambda state: state.shape.columns,
    observe=_observe,
    space=_space,
    parse=lambda text, options, seed: parse_position(text, _shape(options)),
    write=format_moves,
    draw=draw,
    label=lambda state, action: label(state.shape, action),
    line=_line,
    write_setup=_write_setup,
    read_setup=_read_setup,
    longest=lambda state: state.shape.cells,
    board_words=_board_words,
)
