"""The kernels' board against the plain rules on random games of random shapes."""

import random

import numpy as np
import pytest

from ai.connect4.alphabeta import search
from ai.connect4.board import board as kernels
from ai.connect4.board import weights
from game.rules import connect4
from game.rules.connect4 import Shape, State


def picture(state: State) -> str:
    shape = state.shape
    blocks = [
        "\n".join(
            "".join(
                ".123456"[state.cells[(row * shape.depth + depth) * shape.cols + col]] for col in range(shape.cols)
            )
            for row in reversed(range(shape.rows))
        )
        for depth in range(shape.depth)
    ]
    return f"\n{shape} for {shape.players}, {connect4.format_moves(state)}\n" + "\n\n".join(blocks)


def random_shape(choose: random.Random) -> Shape:
    while True:
        sizes = [choose.randint(1, 5) for _ in range(3)]
        try:
            return Shape(*sizes, win=choose.randint(2, max(2, *sizes)), players=choose.randint(2, 6))
        except ValueError:
            continue


def threatens(state: State, seat: int, cell: int) -> bool:
    """Whether a stone of `seat` on the empty `cell` would complete a line."""
    return any(
        all(other == cell or state.cells[other] == seat + 1 for other in line)
        for line in connect4.lines_through(state.shape)[cell]
    )


def points(state: State, seat: int) -> int:
    """The score of a seat, counted from scratch."""
    judged = weights.weights(state.shape)
    total = 0
    for line in connect4.lines(state.shape):
        stones = [state.cells[cell] for cell in line if state.cells[cell]]
        if stones and all(stone == seat + 1 for stone in stones):
            total += int(judged.lines[weights.line_kind(state.shape, line), seat, len(stones)])
    if state.shape.players == 2 and seat == 0:
        total += sum(int(judged.columns[kind_of_column(state, action)]) for action in range(state.shape.columns))
    return total


def kind_of_column(state: State, action: int) -> int:
    """The kind of a column, cell by cell from the landing cell upwards."""
    shape = state.shape
    kind = 0
    for row in range(state.heights[action] + 1, shape.rows):
        cell = row * shape.columns + action
        first, second = threatens(state, 0, cell), threatens(state, 1, cell)
        gets_it = (shape.rows * (shape.columns - 1) + row) % 2  # stones beside and below: whose turn it is in the end
        if first and second:
            return kind | 12
        if (first, second)[gets_it]:
            return kind | (4, 8)[gets_it]
        kind |= 2 * first | second
    return kind


def mask(columns: list[int]) -> int:
    value = sum(1 << column for column in columns)
    return value - (1 << 64) if value >= 1 << 63 else value


def check(state: State, board: kernels.Ints) -> None:
    shape = state.shape
    assert list(board[kernels.HEIGHTS :][: shape.columns]) == list(state.heights), picture(state)
    assert board[kernels.STONES] == len(state.moves) and board[kernels.TO_MOVE] == state.to_move
    assert board[kernels.LEGAL] == mask(list(connect4.legal_actions(state))), picture(state)
    seats = kernels.SEATS + len(state.moves) * kernels.SEATS_ROW
    for seat in range(shape.players):
        for which, up in ((kernels.NOW, 0), (kernels.ABOVE, 1)):
            expected = [
                action
                for action, height in enumerate(state.heights)
                if height + up < shape.rows and threatens(state, seat, (height + up) * shape.columns + action)
            ]
            assert board[seats + which + seat] == mask(expected), f"seat {seat}, {up} above{picture(state)}"
        assert board[seats + kernels.SCORE + seat] == points(state, seat), f"seat {seat}{picture(state)}"


@pytest.mark.parametrize("seed", range(60))
def test_random_games_match_the_rules(seed: int) -> None:
    choose = random.Random(seed)
    shape = random_shape(choose)
    tables = kernels.tables(shape)
    state, board = connect4.start(shape), kernels.new_board(shape)
    checked_every = max(1, shape.cells // 12)
    while actions := connect4.legal_actions(state):
        if len(state.moves) % checked_every == 0:
            check(state, board)
        action = choose.choice(actions)
        following = connect4.apply(state, action)
        now = board[kernels.SEATS + len(state.moves) * kernels.SEATS_ROW + kernels.NOW + state.to_move]
        assert (int(now) >> action) & 1 == (following.winner is not None), f"{action} wins?{picture(state)}"
        if following.winner is not None:
            break
        for tried in actions:
            won = (int(now) >> tried) & 1
            if not won:
                before = board[: kernels.MOVES].copy()
                kernels.make(tables, board, tried)
                kernels.undo(tables, board)
                assert np.array_equal(before, board[: kernels.MOVES]), f"undo of {tried}{picture(state)}"
        kernels.make(tables, board, action)
        state = following
    else:
        assert board[kernels.LEGAL] == 0, picture(state)


def test_the_largest_board() -> None:
    choose = random.Random(8)
    shape = Shape(8, 8, 8, 8, 6)
    state = connect4.start(shape)
    board = kernels.new_board(shape)
    while len(state.moves) < 300:
        action = choose.choice(connect4.legal_actions(state))
        following = connect4.apply(state, action)
        if following.winner is not None:
            continue
        kernels.make(kernels.tables(shape), board, action)
        state = following
    check(state, board)


@pytest.mark.parametrize("win", range(2, 9))
def test_every_line_has_its_place(win: int) -> None:
    shape = Shape(8, 8, 8, win, 2)
    assert len(connect4.lines(shape)) <= kernels.MOVES - kernels.LINES
    assert max(len(some) for some in connect4.lines_through(shape)) <= (kernels.SEATS - kernels.SAVED) // 512


def image_of(shape: Shape, moves: tuple[int, ...], symmetry: int) -> tuple[int, ...]:
    images = kernels.tables(shape)[kernels.IMAGES + symmetry * 64 :]
    return tuple(int(images[move]) for move in moves)


@pytest.mark.parametrize(("board", "symmetries"), [("6,7,1,4", 2), ("6,7,5,4", 4), ("4,4,4,4", 8), ("3,1,1,3", 1)])
def test_symmetric_positions_share_their_key(board: str, symmetries: int) -> None:
    shape = connect4.parse_shape(board)
    tables = kernels.tables(shape)
    assert tables[kernels.SYMMETRIES_ALL] == symmetries
    choose = random.Random(5)
    lines = {frozenset(line) for line in connect4.lines(shape)}
    moves: tuple[int, ...] = ()
    for _ in range(3 if shape.columns > 1 else 2):
        moves = (*moves, choose.randrange(shape.columns))
    key, _ = search.canonical(kernels.new_board(shape, moves))
    for symmetry in range(symmetries):
        image = image_of(shape, tuple(range(shape.columns)), symmetry)
        assert sorted(image) == list(range(shape.columns))
        moved = {
            frozenset(cell // shape.columns * shape.columns + image[cell % shape.columns] for cell in line)
            for line in lines
        }
        assert moved == lines, f"symmetry {symmetry} is none"
        turned = kernels.new_board(shape, image_of(shape, moves, symmetry))
        assert search.canonical(turned)[0] == key, f"symmetry {symmetry} of {moves}"
        sources = tables[kernels.SOURCES + symmetry * 64 :]
        assert [int(sources[column]) for column in image] == list(range(shape.columns))
    other = (*moves[:-1], (moves[-1] + 1) % shape.columns)
    if shape.columns == 7:
        assert search.canonical(kernels.new_board(shape, other))[0] != key


def test_move_order_does_not_change_the_key() -> None:
    shape = Shape(6, 7, 1, 4, 3)
    one = kernels.new_board(shape, (0, 1, 2, 3, 4, 5))
    two = kernels.new_board(shape, (3, 4, 5, 0, 1, 2))
    swapped = kernels.new_board(shape, (1, 0, 2, 3, 4, 5))
    assert one[kernels.KEYS] == two[kernels.KEYS] != swapped[kernels.KEYS]


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ((), (), 0),
        ((2,), (), 4),
        ((3,), (), 2),
        ((), (3,), 8),
        ((), (2,), 1),
        ((2,), (2,), 12),
        ((3, 4), (), 6),
        ((4,), (3,), 8),
    ],
)
def test_what_threats_of_a_column_mean(first: tuple[int, ...], second: tuple[int, ...], kind: int) -> None:
    rows = [sum(1 << row for row in threats) for threats in (first, second)]
    even = weights.weights(Shape(6, 7, 1, 4)).first_rows
    assert kernels.column_kind(even, 0, *rows) == kind
    assert kernels.column_kind(even, 5, *rows) == 0, "all of them lie below the landing cell"


def test_fitted_points_are_for_lines_of_the_board() -> None:
    for board in ("4,4,4,4", "5,5,5,4", "6,7,1,4"):
        shape = connect4.parse_shape(board)
        judged = weights.weights(shape)
        for line in connect4.lines(shape):
            kind = weights.line_kind(shape, line)
            generic = [weights.GROWTH**stones for stones in range(3)]
            assert list(judged.lines[kind, 0, 1:4]) != generic, f"{board}: {line} has no points of its own"
