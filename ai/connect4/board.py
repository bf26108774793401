"""The rules of connect-4 again as kernels: any shape, incremental, made for search.

Every winning line is one word: who owns it (nobody, one player, or blocked because two have stones in it), how many
stones it holds, and the xor of its empty cells, so that the winning cell of a line one stone short of complete is
known at once. A *threat* is such a cell; threats are counted per player and cell, and for the search the columns
whose landing cell (`NOW`), or the cell above it (`ABOVE`), is a threat are kept as 64-bit masks. Placing and undoing
touch only the lines through the cell. Whoever places a stone on an own threat wins; the caller looks at the masks
first, so `make` is never asked to win.

The evaluation is a score per player: each line that only one player has stones in counts by its stones.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from game.rules import connect4
from game.rules.connect4 import Shape, State

Ints = npt.NDArray[np.int64]

# Tables.sizes
ROWS, COLUMNS, CELLS, WIN_LENGTH, PLAYERS = range(5)
# Board.state
STONES, TO_MOVE, LEGAL, SYMMETRIES = range(4)

OWNER = 7
BLOCKED = 7
ONE_STONE = 1 << 3
COUNT_SHIFT = 3
COUNT = 15
CELL_SHIFT = 7

_GROWTH = 4
"""A line with one more stone is worth this many times as much."""
_SYMMETRIC_STONES = 10
"""With more stones than this symmetric positions hardly meet in a search, and only the plain key is kept."""


class Tables(NamedTuple):
    """What depends on the shape alone."""

    sizes: Ints
    """(5,) rows, columns (C * D), cells, win length, players."""
    offsets: npt.NDArray[np.int32]
    """(cells + 1,) the lines through a cell are members[offsets[cell]:offsets[cell + 1]]."""
    members: npt.NDArray[np.int32]
    empty_lines: npt.NDArray[np.int32]
    """(lines,) the word of each line on the empty board."""
    weights: Ints
    """(win + 1,) points of an unblocked line by its stones."""
    centrality: Ints
    """(cells,) number of lines through each cell."""
    zobrist: Ints
    """(symmetries, players * cells) key of a stone, seen through each symmetry of the board; 0 is the identity."""
    images: Ints
    """(symmetries, columns) where each symmetry takes a column."""
    sources: Ints
    """(symmetries, columns) the inverse of `images`."""


class Board(NamedTuple):
    """One position and what is needed to undo its moves. Changed in place by `make` and `undo`."""

    state: Ints
    """(4,) stones, seat to move, mask of the columns that are not full, number of keys kept up to date."""
    lines: npt.NDArray[np.int32]
    heights: Ints
    threats: npt.NDArray[np.int32]
    """(players * cells,) lines that would be completed by a stone of the player on the cell; stale where filled."""
    masks: Ints
    """(2 * players,) columns whose landing cell is a threat of each player, then those whose cell above it is."""
    scores: Ints
    """(players,) points of each player."""
    keys: Ints
    """(symmetries,) Zobrist keys."""
    moves: Ints
    saved_lines: npt.NDArray[np.int32]
    saved_masks: Ints
    saved_scores: Ints


@lru_cache(maxsize=32)
def tables(shape: Shape) -> Tables:
    """The tables of a shape; the same object for the same shape, never to be changed."""
    lines = connect4.lines(shape)
    through: list[list[int]] = [[] for _ in range(shape.cells)]
    empty_lines = np.zeros(len(lines), np.int32)
    for number, line in enumerate(lines):
        for cell in line:
            through[cell].append(number)
            empty_lines[number] ^= cell << CELL_SHIFT
    counts = np.array([len(some) for some in through], np.int64)
    images = _column_symmetries(shape)
    cells = np.arange(shape.cells)
    rows, actions = np.divmod(cells, shape.columns)
    random = np.random.default_rng(4)
    stones = random.integers(-(2**63), 2**63, (shape.players, shape.cells), np.int64)
    seen = [stones[:, rows * shape.columns + image[actions]].ravel() for image in images]
    return Tables(
        sizes=np.array([shape.rows, shape.columns, shape.cells, shape.win, shape.players], np.int64),
        offsets=np.concatenate(([0], np.cumsum(counts))).astype(np.int32),
        members=np.array([number for some in through for number in some], np.int32),
        empty_lines=empty_lines,
        weights=np.array([0, *(_GROWTH**stones for stones in range(shape.win))], np.int64),
        centrality=counts,
        zobrist=np.array(seen),
        images=images,
        sources=np.argsort(images, axis=1).astype(np.int64),
    )


def _column_symmetries(shape: Shape) -> Ints:
    """(symmetries, columns) the mirrors and, on a square ground, the rotations of the columns; identity first."""
    grid = np.arange(shape.columns, dtype=np.int64).reshape(shape.depth, shape.cols)
    turned = [grid, grid.T] if shape.depth == shape.cols else [grid]
    views = [view[::deep, ::right] for view in turned for deep in (1, -1) for right in (1, -1)]
    return np.array(list(dict.fromkeys(tuple(view.ravel().tolist()) for view in views)), np.int64)


def new_board(shape: Shape, moves: tuple[int, ...] = ()) -> Board:
    """The board after `moves`, none of which may complete a line."""
    made = tables(shape)
    deepest = int(made.centrality.max())
    symmetries = len(made.images)
    board = Board(
        state=np.array([0, 0, _all_columns(shape), symmetries if len(moves) <= _SYMMETRIC_STONES else 1], np.int64),
        lines=made.empty_lines.copy(),
        heights=np.zeros(shape.columns, np.int64),
        threats=np.zeros(shape.players * shape.cells, np.int32),
        masks=np.zeros(2 * shape.players, np.int64),
        scores=np.zeros(shape.players, np.int64),
        keys=np.zeros(symmetries, np.int64),
        moves=np.zeros(shape.cells, np.int64),
        saved_lines=np.zeros((shape.cells, deepest), np.int32),
        saved_masks=np.zeros((shape.cells, 2 * shape.players), np.int64),
        saved_scores=np.zeros((shape.cells, shape.players), np.int64),
    )
    for move in moves:
        make(made, board, move)
    return board


def board_of(state: State) -> Board:
    """The board of a game that goes on."""
    return new_board(state.shape, state.moves)


def _all_columns(shape: Shape) -> int:
    """The mask of all columns as a signed 64-bit number."""
    return -1 if shape.columns == 64 else (1 << shape.columns) - 1


@kernel
def make(tables: Tables, board: Board, action: int) -> None:
    """Drop a stone of the seat to move into a column that is not full; it must not complete a line."""
    rows = tables.sizes[ROWS]
    columns = tables.sizes[COLUMNS]
    cells = tables.sizes[CELLS]
    short_of_win = tables.sizes[WIN_LENGTH] - 1
    players = tables.sizes[PLAYERS]
    state, lines, heights, threats, masks = board.state, board.lines, board.heights, board.threats, board.masks
    stones = state[STONES]
    player = state[TO_MOVE]
    height = heights[action]
    cell = height * columns + action
    heights[action] = height + 1
    bit = np.int64(1) << action
    for seat in range(players):
        board.saved_scores[stones, seat] = board.scores[seat]
        now = masks[seat]
        above = masks[players + seat]
        board.saved_masks[stones, seat] = now
        board.saved_masks[stones, players + seat] = above
        now = (now & ~bit) | (above & bit)
        above &= ~bit
        if height + 2 < rows and threats[seat * cells + cell + 2 * columns] > 0:
            above |= bit
        masks[seat] = now
        masks[players + seat] = above
    if height + 1 == rows:
        state[LEGAL] &= ~bit
    first = tables.offsets[cell]
    gained = 0
    for place in range(first, tables.offsets[cell + 1]):
        line = tables.members[place]
        word = np.int64(lines[line])
        board.saved_lines[stones, place - first] = word
        owner = word & OWNER
        if owner == BLOCKED:
            continue
        count = (word >> COUNT_SHIFT) & COUNT
        if owner == 0 or owner == player + 1:
            word = ((word | (player + 1)) + ONE_STONE) ^ (cell << CELL_SHIFT)
            lines[line] = word
            gained += tables.weights[count + 1] - tables.weights[count]
            if count + 1 == short_of_win:
                target = word >> CELL_SHIFT
                threats[player * cells + target] += 1
                row = target // columns
                column = target - row * columns
                if row == heights[column]:
                    masks[player] |= np.int64(1) << column
                elif row == heights[column] + 1:
                    masks[players + player] |= np.int64(1) << column
        else:
            lines[line] = BLOCKED
            board.scores[owner - 1] -= tables.weights[count]
    board.scores[player] += gained
    for symmetry in range(state[SYMMETRIES]):
        board.keys[symmetry] ^= tables.zobrist[symmetry, player * cells + cell]
    board.moves[stones] = action
    state[STONES] = stones + 1
    state[TO_MOVE] = player + 1 if player + 1 < players else 0


@kernel
def undo(tables: Tables, board: Board) -> None:
    """Take back the last stone."""
    columns = tables.sizes[COLUMNS]
    cells = tables.sizes[CELLS]
    short_of_win = tables.sizes[WIN_LENGTH] - 1
    players = tables.sizes[PLAYERS]
    state, lines = board.state, board.lines
    stones = state[STONES] - 1
    player = state[TO_MOVE] - 1 if state[TO_MOVE] > 0 else players - 1
    action = board.moves[stones]
    height = board.heights[action] - 1
    cell = height * columns + action
    board.heights[action] = height
    state[LEGAL] |= np.int64(1) << action
    for seat in range(players):
        board.scores[seat] = board.saved_scores[stones, seat]
        board.masks[seat] = board.saved_masks[stones, seat]
        board.masks[players + seat] = board.saved_masks[stones, players + seat]
    first = tables.offsets[cell]
    for place in range(first, tables.offsets[cell + 1]):
        line = tables.members[place]
        word = np.int64(lines[line])
        if word != BLOCKED and (word >> COUNT_SHIFT) & COUNT == short_of_win:
            board.threats[player * cells + (word >> CELL_SHIFT)] -= 1
        lines[line] = board.saved_lines[stones, place - first]
    for symmetry in range(state[SYMMETRIES]):
        board.keys[symmetry] ^= tables.zobrist[symmetry, player * cells + cell]
    state[STONES] = stones
    state[TO_MOVE] = player
