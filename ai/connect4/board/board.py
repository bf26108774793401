"""The rules of connect-4 again as kernels: any shape, incremental, made for search.

Every winning line is one word: who owns it (nobody, one player, or blocked because two have stones in it), how many
stones it holds, and the xor of its empty cells, so that the winning cell of a line one stone short of complete is
known at once. A *threat* is such a cell; threats are counted per player and cell, and for the search the columns
whose landing cell (`NOW`), or the cell above it (`ABOVE`), is a threat are kept as 64-bit masks. Placing and undoing
touch only the lines through the cell. Whoever places a stone on an own threat wins; the caller looks at the masks
first, so `make` is never asked to win.

The score of a player, what the heuristic `lines` is made of: each line that only one player has stones in counts by
its stones, its kind and its lowest row. With two players the threats in a column count as well, by who gets their
cells when all other columns are full; what both have of a column is in the first one's score. What anything counts is
in `ai.connect4.board.weights`. The report's heuristics count *runs* (`ai.connect4.board.runs`) instead; these are kept up to date
only where the tables were made for one of them.

A board, and the tables of a shape, are each one flat array of 64-bit integers with fixed places: a kernel that is
handed a dozen arrays spends more time on passing and counting references to them than on playing.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ai.connect4.board import runs, weights
from ai.jit import kernel
from game.rules import connect4
from game.rules.connect4 import Shape, State

Ints = npt.NDArray[np.int64]

_CELLS_MAX = 512
_COLUMNS_MAX = 64
_SEATS_MAX = 6
_SYMMETRIES_MAX = 8
_LINES_MAX = 5_120
_THROUGH_MAX = 64
"""No cell of any board lies on more lines than 52, and no board has more than 5,068."""
_AXES_MAX = 1_600
_AXES_THROUGH_MAX = 13
"""One for each direction; no board has more than 1,588 axes."""

# Tables: what depends on the shape and the heuristic alone.
ROWS, COLUMNS, CELLS, SHORT_OF_WIN, PLAYERS, SYMMETRIES_ALL, HEURISTIC, UNIT = range(8)
"""... the number of the heuristic, and what its first component counts of the second (`ai.connect4.alphabeta.heuristics`)."""
FIRST_ROWS, TEMPO = 8, 9
"""... mask of the rows that the first of two players gets in the end, 0 with more players; points of having the move."""
WEIGHTS = 10
"""[stones] points of an unblocked line, whatever its kind, with which moves are sorted."""
COLUMN_POINTS = WEIGHTS + 16
"""[kind of column] points of the first player (`column_kind`)."""
LINE_POINTS = COLUMN_POINTS + 16
"""[kind of line * 48 + seat * 8 + stones] points of an unblocked line."""
KIND_OF_LINE = LINE_POINTS + weights.LINE_KINDS * 48
"""[line] where the points of its kind stand."""
CENTRALITY = KIND_OF_LINE + _LINES_MAX
"""[cell] number of lines through it."""
OFFSETS = CENTRALITY + _CELLS_MAX
"""[cell] the lines through a cell stand at MEMBERS + OFFSETS[cell] up to MEMBERS + OFFSETS[cell + 1]."""
IMAGES = OFFSETS + _CELLS_MAX + 8
"""[symmetry * 64 + column] where a symmetry of the board takes a column; symmetry 0 is the identity."""
SOURCES = IMAGES + _SYMMETRIES_MAX * _COLUMNS_MAX
"""[symmetry * 64 + column] the inverse."""
ZOBRIST = SOURCES + _SYMMETRIES_MAX * _COLUMNS_MAX
"""[(seat * 512 + cell) * 8 + symmetry] key of a stone, seen through a symmetry."""
MEMBERS = ZOBRIST + _SYMMETRIES_MAX * _SEATS_MAX * _CELLS_MAX
RUN_SHIFTS = MEMBERS + _CELLS_MAX * _THROUGH_MAX
"""[length] where the number of runs of that length stands in a word of run counts; the mask follows 16 places on."""
RUN_MASKS = RUN_SHIFTS + 16
AXIS_OFFSETS = RUN_MASKS + 16
"""[cell] like `OFFSETS`, into `AXIS_MEMBERS`."""
AXIS_MEMBERS = AXIS_OFFSETS + _CELLS_MAX + 8
"""An axis through a cell: its number, the power of 3 of the cell on it (16 bits on), where its counts start (32 on)."""
RUN_COUNTS = AXIS_MEMBERS + _CELLS_MAX * _AXES_THROUGH_MAX
"""[start + content] the run counts of an axis with that content (`ai.connect4.board.runs`)."""
_TABLES_SIZE = RUN_COUNTS + runs.COUNTS_SIZE

# Board: one position and what is needed to undo its moves.
STONES, TO_MOVE, LEGAL, SYMMETRIES = range(4)
"""Stones, seat to move, mask of the columns that are not full, number of keys kept up to date."""
KEYS = 8
"""[symmetry] Zobrist keys."""
HEIGHTS = KEYS + _SYMMETRIES_MAX
"""[column] stones in it."""
THREATS = HEIGHTS + _COLUMNS_MAX
"""[seat * 512 + cell] lines that a stone of the seat on the cell would complete; stale where the cell is filled."""
THREAT_ROWS = THREATS + _SEATS_MAX * _CELLS_MAX
"""[seat * 64 + column] mask of the rows of threats, for two players; stale where the cell is filled."""
LINES = THREAT_ROWS + 2 * _COLUMNS_MAX
"""[line] its word."""
MOVES = LINES + _LINES_MAX
"""[ply] columns played."""
SAVED = MOVES + _CELLS_MAX
"""[ply * 64 + place] the words of the lines through the cell before the move."""
SEATS = SAVED + _CELLS_MAX * _THROUGH_MAX
"""[stones * 18 + NOW, ABOVE or SCORE + seat] kept for every number of stones, so that undoing them is free."""
SEATS_ROW = 18
NOW, ABOVE, SCORE = 0, 6, 12
"""Mask of columns whose landing cell is a threat of the seat; of those whose cell above it is one; points."""
RUNS = SEATS + (_CELLS_MAX + 1) * SEATS_ROW
"""[stones * 8 + seat] run counts of a seat."""
AXES = RUNS + (_CELLS_MAX + 1) * 8
"""[axis * 8 + seat] content of an axis as the seat sees it."""
_BOARD_SIZE = AXES + _AXES_MAX * 8

# The word of a line.
OWNER = 7
BLOCKED = 7
COUNT_SHIFT = 3
ONE_STONE = 1 << COUNT_SHIFT
COUNT = 15
CELL_SHIFT = 7

_SYMMETRIC_STONES = 10
"""With more stones than this symmetric positions hardly meet in a search, and only the plain key is kept."""


HEURISTICS = ("lines", "complex", "ibef2", "only-best-opponent")
"""Their names; the place is the number."""
_EVALUATIONS = 900_000
"""Evaluations stay within this, far from any proved value."""


@lru_cache(maxsize=32)
def tables(shape: Shape, heuristic: str = "lines") -> Ints:
    """The tables of a shape as one array; the same object for the same arguments, never to be changed.

    Raises:
        ValueError: for a heuristic that is not one of `HEURISTICS`.
    """
    made = np.zeros(_TABLES_SIZE, np.int64)
    through = _lines_through(shape)
    images = _column_symmetries(shape)
    made[: SYMMETRIES_ALL + 1] = (shape.rows, shape.columns, shape.cells, shape.win - 1, shape.players, len(images))
    made[WEIGHTS + 1 : WEIGHTS + 1 + shape.win] = [weights.GROWTH**stones for stones in range(shape.win)]
    judged = weights.weights(shape)
    made[FIRST_ROWS], made[TEMPO] = judged.first_rows, judged.tempo
    made[COLUMN_POINTS : COLUMN_POINTS + 16] = judged.columns
    made[LINE_POINTS:KIND_OF_LINE] = judged.lines.ravel()
    kinds = [LINE_POINTS + 48 * weights.line_kind(shape, line) for line in connect4.lines(shape)]
    made[KIND_OF_LINE : KIND_OF_LINE + len(kinds)] = kinds
    counts = [len(some) for some in through]
    made[CENTRALITY : CENTRALITY + shape.cells] = counts
    made[OFFSETS + 1 : OFFSETS + 1 + shape.cells] = np.cumsum(counts)
    made[MEMBERS : MEMBERS + sum(counts)] = [line for some in through for line in some]
    stones = np.random.default_rng(4).integers(-(2**63), 2**63, (shape.players, shape.cells), np.int64)
    rows, actions = np.divmod(np.arange(shape.cells), shape.columns)
    zobrist = made[ZOBRIST:MEMBERS].reshape(_SEATS_MAX, _CELLS_MAX, _SYMMETRIES_MAX)
    for symmetry, image in enumerate(images):
        zobrist[: shape.players, : shape.cells, symmetry] = stones[:, rows * shape.columns + image[actions]]
        made[IMAGES + symmetry * _COLUMNS_MAX :][: shape.columns] = image
        made[SOURCES + symmetry * _COLUMNS_MAX :][: shape.columns] = np.argsort(image)
    made[HEURISTIC] = HEURISTICS.index(heuristic)
    if made[HEURISTIC]:
        _add_runs(made, shape)
    made.flags.writeable = False
    return made


def _add_runs(made: Ints, shape: Shape) -> None:
    """What the heuristics of runs need."""
    made[UNIT] = min(1 << 14, _EVALUATIONS // ((shape.players - 1) << (shape.win - 1)))
    counting = runs.counting(shape)
    made[RUN_SHIFTS : RUN_SHIFTS + shape.win] = counting.shifts
    made[RUN_MASKS : RUN_MASKS + shape.win] = counting.masks
    made[RUN_COUNTS : RUN_COUNTS + len(counting.counts)] = counting.counts
    through: list[list[int]] = [[] for _ in range(shape.cells)]
    for number, axis in enumerate(runs.axes(shape)):
        for place, cell in enumerate(axis):
            through[cell].append(number | 3**place << 16 | counting.starts[len(axis)] << 32)
    counts = [len(some) for some in through]
    made[AXIS_OFFSETS + 1 : AXIS_OFFSETS + 1 + shape.cells] = np.cumsum(counts)
    made[AXIS_MEMBERS : AXIS_MEMBERS + sum(counts)] = [axis for some in through for axis in some]


def _lines_through(shape: Shape) -> list[list[int]]:
    """For each cell, the numbers of the lines through it."""
    through: list[list[int]] = [[] for _ in range(shape.cells)]
    for number, line in enumerate(connect4.lines(shape)):
        for cell in line:
            through[cell].append(number)
    return through


def _column_symmetries(shape: Shape) -> list[Ints]:
    """The mirrors and, on a square ground, the rotations of the columns; the identity first."""
    grid = np.arange(shape.columns, dtype=np.int64).reshape(shape.depth, shape.cols)
    turned = [grid, grid.T] if shape.depth == shape.cols else [grid]
    views = [view[::deep, ::right] for view in turned for deep in (1, -1) for right in (1, -1)]
    return [np.array(image) for image in dict.fromkeys(tuple(view.ravel().tolist()) for view in views)]


def new_board(shape: Shape, moves: tuple[int, ...] = (), heuristic: str = "lines") -> Ints:
    """The board after `moves`, none of which may complete a line, for the tables of the same heuristic."""
    made = tables(shape, heuristic)
    board = _empty_board(shape).copy()
    board[SYMMETRIES] = made[SYMMETRIES_ALL] if len(moves) <= _SYMMETRIC_STONES else 1
    for move in moves:
        make(made, board, move)
    return board


@lru_cache(maxsize=16)
def _empty_board(shape: Shape) -> Ints:
    """The board before the first move, to be copied."""
    board = np.zeros(_BOARD_SIZE, np.int64)
    board[LEGAL] = -1 if shape.columns == 64 else (1 << shape.columns) - 1
    for number, line in enumerate(connect4.lines(shape)):
        for cell in line:
            board[LINES + number] ^= cell << CELL_SHIFT
    return board


def board_of(state: State, heuristic: str = "lines") -> Ints:
    """The board of a game that goes on."""
    return new_board(state.shape, state.moves, heuristic)


@kernel
def _count_runs(tables: Ints, board: Ints, player: int, cell: int) -> None:
    """The run counts after a stone: what the axes through its cell counted for each seat, now with the stone."""
    players = tables[PLAYERS]
    before = RUNS + board[STONES] * 8
    for seat in range(players):
        board[before + 8 + seat] = board[before + seat]
    for place in range(tables[AXIS_OFFSETS + cell], tables[AXIS_OFFSETS + cell + 1]):
        axis = tables[AXIS_MEMBERS + place]
        power = (axis >> 16) & 0xFFFF
        counts = RUN_COUNTS + (axis >> 32)
        at = AXES + (axis & 0xFFFF) * 8
        for seat in range(players):
            content = board[at + seat]
            grown = content + (power if seat == player else 2 * power)
            board[at + seat] = grown
            board[before + 8 + seat] += tables[counts + grown] - tables[counts + content]


@kernel
def column_kind(first_rows: int, height: int, first: int, second: int) -> int:
    """The kind of a column: what its threats above the landing cell, masks of rows, mean for the two players.

    The lowest threat that decides is one in a row that its player gets in the end (4: of the first player, 8: of the
    second), or a cell that both want (12). Below it, or anywhere without one: 2 more with threats of the first player in
    rows that it does not get, 1 more with such threats of the second.
    """
    above = -(2 << height)
    first &= above
    second &= above
    both = first & second
    deciding = both | (first & first_rows) | (second & ~first_rows)
    lowest = deciding & -deciding
    below = lowest - 1
    kind = 0
    if lowest & both != 0:
        kind = 12
    elif lowest & first != 0:
        kind = 4
    elif lowest != 0:
        kind = 8
    if first & ~first_rows & below != 0:
        kind += 2
    if second & first_rows & below != 0:
        kind += 1
    return kind


@kernel
def make(tables: Ints, board: Ints, action: int) -> None:
    """Drop a stone of the seat to move into a column that is not full; it must not complete a line."""
    rows = tables[ROWS]
    columns = tables[COLUMNS]
    short_of_win = tables[SHORT_OF_WIN]
    players = tables[PLAYERS]
    stones = board[STONES]
    player = board[TO_MOVE]
    height = board[HEIGHTS + action]
    cell = height * columns + action
    board[HEIGHTS + action] = height + 1
    bit = np.int64(1) << action
    before = SEATS + stones * SEATS_ROW
    after = before + SEATS_ROW
    for seat in range(players):
        above = board[before + ABOVE + seat]
        board[after + NOW + seat] = (board[before + NOW + seat] & ~bit) | (above & bit)
        above &= ~bit
        if height + 2 < rows and board[THREATS + seat * 512 + cell + 2 * columns] > 0:
            above |= bit
        board[after + ABOVE + seat] = above
        board[after + SCORE + seat] = board[before + SCORE + seat]
    if height + 1 == rows:
        board[LEGAL] &= ~bit
    first_rows = tables[FIRST_ROWS]
    if first_rows != 0:
        one, other = board[THREAT_ROWS + action], board[THREAT_ROWS + 64 + action]
        if (one | other) >> (height + 1) != 0:
            board[after + SCORE] += (
                tables[COLUMN_POINTS + column_kind(first_rows, height + 1, one, other)]
                - tables[COLUMN_POINTS + column_kind(first_rows, height, one, other)]
            )
    first = tables[OFFSETS + cell]
    saved = SAVED + stones * 64 - first
    for place in range(first, tables[OFFSETS + cell + 1]):
        line = tables[MEMBERS + place]
        word = board[LINES + line]
        board[saved + place] = word
        owner = word & OWNER
        if owner == BLOCKED:
            continue
        count = (word >> COUNT_SHIFT) & COUNT
        if owner == 0 or owner == player + 1:
            word = ((word | (player + 1)) + ONE_STONE) ^ (cell << CELL_SHIFT)
            board[LINES + line] = word
            points = tables[KIND_OF_LINE + line] + player * 8 + count
            board[after + SCORE + player] += tables[points + 1] - tables[points]
            if count + 1 == short_of_win:
                target = word >> CELL_SHIFT
                row = target // columns
                column = target - row * columns
                if board[THREATS + player * 512 + target] == 0 and first_rows != 0:
                    one, other = board[THREAT_ROWS + column], board[THREAT_ROWS + 64 + column]
                    grown = column_kind(
                        first_rows,
                        board[HEIGHTS + column],
                        one | (np.int64(1 - player) << row),
                        other | (np.int64(player) << row),
                    )
                    known = column_kind(first_rows, board[HEIGHTS + column], one, other)
                    board[after + SCORE] += tables[COLUMN_POINTS + grown] - tables[COLUMN_POINTS + known]
                    board[THREAT_ROWS + player * 64 + column] |= np.int64(1) << row
                board[THREATS + player * 512 + target] += 1
                if row == board[HEIGHTS + column]:
                    board[after + NOW + player] |= np.int64(1) << column
                elif row == board[HEIGHTS + column] + 1:
                    board[after + ABOVE + player] |= np.int64(1) << column
        else:
            board[LINES + line] = BLOCKED
            board[after + SCORE + owner - 1] -= tables[tables[KIND_OF_LINE + line] + (owner - 1) * 8 + count]
    if tables[HEURISTIC] != 0:
        _count_runs(tables, board, player, cell)
    keys = ZOBRIST + (player * 512 + cell) * 8
    for symmetry in range(board[SYMMETRIES]):
        board[KEYS + symmetry] ^= tables[keys + symmetry]
    board[MOVES + stones] = action
    board[STONES] = stones + 1
    board[TO_MOVE] = player + 1 if player + 1 < players else 0


@kernel
def undo(tables: Ints, board: Ints) -> None:
    """Take back the last stone."""
    columns = tables[COLUMNS]
    short_of_win = tables[SHORT_OF_WIN]
    stones = board[STONES] - 1
    player = board[TO_MOVE] - 1 if board[TO_MOVE] > 0 else tables[PLAYERS] - 1
    action = board[MOVES + stones]
    height = board[HEIGHTS + action] - 1
    cell = height * columns + action
    board[HEIGHTS + action] = height
    board[LEGAL] |= np.int64(1) << action
    watched = tables[FIRST_ROWS] != 0
    first = tables[OFFSETS + cell]
    saved = SAVED + stones * 64 - first
    for place in range(first, tables[OFFSETS + cell + 1]):
        line = tables[MEMBERS + place]
        word = board[LINES + line]
        if word != BLOCKED and (word >> COUNT_SHIFT) & COUNT == short_of_win:
            target = word >> CELL_SHIFT
            left = board[THREATS + player * 512 + target] - 1
            board[THREATS + player * 512 + target] = left
            if left == 0 and watched:
                row = target // columns
                board[THREAT_ROWS + player * 64 + target - row * columns] &= ~(np.int64(1) << row)
        board[LINES + line] = board[saved + place]
    if tables[HEURISTIC] != 0:
        players = tables[PLAYERS]
        for place in range(tables[AXIS_OFFSETS + cell], tables[AXIS_OFFSETS + cell + 1]):
            axis = tables[AXIS_MEMBERS + place]
            power = (axis >> 16) & 0xFFFF
            at = AXES + (axis & 0xFFFF) * 8
            for seat in range(players):
                board[at + seat] -= power if seat == player else 2 * power
    keys = ZOBRIST + (player * 512 + cell) * 8
    for symmetry in range(board[SYMMETRIES]):
        board[KEYS + symmetry] ^= tables[keys + symmetry]
    board[STONES] = stones
    board[TO_MOVE] = player
