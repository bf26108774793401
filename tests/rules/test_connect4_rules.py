"""The plain rules of connect-4 against a brute-force line check, and the texts of shapes and positions."""

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.rules import connect4
from game.rules.connect4 import Shape, State
from game.rules.outcome import Outcome

COUNTS = {
    "6,7,1,4": 69,
    "4,4,4,4": 76,
    "5,5,5,4": 302,
    "5,5,5,5": 109,
    "6,7,5,4": 705,
    "7,7,7,5": 927,
    "8,8,8,4": 2660,
}


def picture(state: State) -> str:
    """The board as text, one block of rows (top first) for each layer of depth."""
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
    return "\n" + "\n\n".join(blocks)


def naive_winner(state: State) -> int | None:
    """The seat that owns a line, found by walking from every cell in all 26 directions."""
    shape = state.shape
    at = {
        (row, col, depth): state.cells[(row * shape.depth + depth) * shape.cols + col]
        for row, col, depth in product(range(shape.rows), range(shape.cols), range(shape.depth))
    }
    for place, stone in at.items():
        for step in product((-1, 0, 1), repeat=3):
            run = [tuple(p + s * n for p, s in zip(place, step, strict=True)) for n in range(shape.win)]
            if stone and any(step) and all(at.get(cell) == stone for cell in run):
                return stone - 1
    return None


@st.composite
def shapes(draw: st.DrawFn, largest: int = 4) -> Shape:
    rows, cols, depth = (draw(st.integers(1, largest)) for _ in range(3))
    win = draw(st.integers(2, max(2, max(rows, cols, depth))))
    players = draw(st.integers(2, 6))
    if win > max(rows, cols, depth) or players > rows * cols * depth:
        rows, cols = max(rows, win), max(cols, players)
    return Shape(rows, cols, depth, win, players)


@settings(deadline=None, max_examples=150)
@given(shapes(), st.integers(0, 2**32))
def test_random_games_end_as_a_brute_force_check_says(shape: Shape, seed: int) -> None:
    choose = random.Random(seed)
    state = connect4.start(shape)
    seen = [state]
    while actions := connect4.legal_actions(state):
        assert naive_winner(state) is None and state.winner is None, picture(state)
        action = choose.choice(actions)
        cell = connect4.landing(state, action)
        after = connect4.apply(state, action)
        assert cell is not None and state.cells[cell] == 0 and after.cells[cell] == state.to_move + 1, picture(after)
        assert cell < shape.columns or state.cells[cell - shape.columns] != 0, "floating" + picture(after)
        assert sum(stone != 0 for stone in after.cells) == len(after.moves) == sum(after.heights)
        state = after
        seen.append(state)
    assert naive_winner(state) == state.winner, picture(state)
    result = connect4.outcome(state)
    if state.winner is not None:
        assert result == Outcome("won", state.winner), picture(state)
        own = {c for c, stone in enumerate(state.cells) if stone == state.winner + 1}
        expected = {line for line in connect4.lines(shape) if set(line) <= own}
        assert set(connect4.winning_lines(state)) == expected and expected, picture(state)
    else:
        assert result == Outcome("draw") and 0 not in state.cells, picture(state)
    assert connect4.parse_position(connect4.format_moves(state), shape) == state
    assert all(connect4.outcome(before) is None for before in seen[:-1])


@pytest.mark.parametrize(("board", "count"), COUNTS.items())
def test_number_of_lines(board: str, count: int) -> None:
    lines = connect4.lines(connect4.parse_shape(board))
    assert len(lines) == count
    assert len({frozenset(line) for line in lines}) == count


@settings(deadline=None)
@given(shapes())
def test_lines_are_straight_and_complete(shape: Shape) -> None:
    found = set()
    for place, step in product(range(shape.cells), product((-1, 0, 1), repeat=3)):
        row, col, depth = connect4.coordinates(shape, place)
        assert (row * shape.depth + depth) * shape.cols + col == place
        run = [(row + step[0] * n, col + step[1] * n, depth + step[2] * n) for n in range(shape.win)]
        if any(step) and all(0 <= r < shape.rows and 0 <= c < shape.cols and 0 <= d < shape.depth for r, c, d in run):
            found.add(frozenset((r * shape.depth + d) * shape.cols + c for r, c, d in run))
    assert {frozenset(line) for line in connect4.lines(shape)} == found
    assert len(connect4.lines(shape)) == len(found)


@pytest.mark.parametrize(
    ("board", "players", "says"),
    [
        ("0,7,1,4", 2, "rows"),
        ("9,7,1,4", 2, "rows"),
        ("6,-1,1,4", 2, "columns"),
        ("6,7,0,4", 2, "layers"),
        ("6,7,1,8", 2, "does not fit"),
        ("6,7,1,9", 2, "win length"),
        ("6,7,1,1", 2, "win length"),
        ("6,7,1,4", 7, "players"),
        ("6,7,1,4", 1, "players"),
        ("1,2,1,2", 3, "too small"),
        ("6,7,1", 2, "four whole numbers"),
        ("6,7,1,4,2", 2, "four whole numbers"),
        ("6,7,x,4", 2, "four whole numbers"),
        ("6,7,²,4", 2, "four whole numbers"),
        ("", 2, "four whole numbers"),
    ],
)
def test_boards_that_are_refused(board: str, players: int, says: str) -> None:
    with pytest.raises(ValueError, match=says) as caught:
        connect4.parse_shape(board, players)
    assert str(caught.value).endswith(".") and "\n" not in str(caught.value)


def test_shape_text_round_trip() -> None:
    assert connect4.parse_shape(" 6, 7,5 ,4 ", 3) == Shape(6, 7, 5, 4, 3)
    assert str(Shape(6, 7, 5, 4, 3)) == "6,7,5,4"


@pytest.mark.parametrize(
    ("board", "text", "says"),
    [
        ("6,7,1,4", "4444444", r"move 7 \(4\): column 4 is full"),
        ("6,7,1,4", "11223344", r"move 8 \(4\): the game is over: player 1 has won"),
        ("6,7,1,4", "44x", r"move 3 \(x\): expected a column from 1 to 7"),
        ("6,7,1,4", "448", r"move 3 \(8\): there is no column 8"),
        ("6,7,1,4", "40", r"move 2 \(0\): there is no column 0"),
        ("6,7,1,4", "4²", r"move 2 \(²\): expected a column"),
        ("6,7,5,4", "4.1 4", r"move 2 \(4\): expected column.depth"),
        ("6,7,5,4", "4.1 4.6", r"move 2 \(4.6\): there is no depth 6"),
        ("6,7,5,4", "8.1", r"move 1 \(8.1\): there is no column 8"),
        ("6,7,5,4", "a.b", r"move 1 \(a.b\): expected column.depth"),
    ],
)
def test_positions_that_are_refused(board: str, text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        connect4.parse_position(text, connect4.parse_shape(board))


def test_positions_by_hand() -> None:
    flat = connect4.parse_position("44 53", Shape(6, 7, 1, 4, 2))
    assert flat.moves == (3, 3, 4, 2) and flat.to_move == 0
    assert flat.cells[3] == 1 and flat.cells[7 + 3] == 2, picture(flat)
    deep = connect4.parse_position("4.1 4.2 3.5", Shape(6, 7, 5, 4, 3))
    assert deep.moves == (3, 10, 30) and deep.to_move == 0
    assert connect4.format_moves(deep) == "4.1 4.2 3.5"
    assert connect4.landing(deep, 3) == 35 + 3
    assert connect4.label(deep.shape, 30) == "3.5"


def test_one_stone_may_complete_two_lines() -> None:
    # Player 1 holds all of the bottom row but its middle.
    state = connect4.parse_position("1122335566774", Shape(2, 7, 1, 4, 2))
    assert state.winner == 0, picture(state)
    assert len(connect4.winning_lines(state)) == 4, picture(state)
    assert connect4.legal_actions(state) == ()
    assert connect4.landing(state, 3) is not None


def test_illegal_actions_raise() -> None:
    state = connect4.start(Shape(6, 7, 1, 4, 2))
    for action in (-1, 7):
        assert connect4.landing(state, action) is None
        with pytest.raises(ValueError, match="no column"):
            connect4.apply(state, action)


def test_points_of_the_seats():
    assert connect4.GAME.points(connect4.parse_position("1122334", Shape(6, 7, 1, 4))) == (1.0, 0.0)
    assert connect4.GAME.points(connect4.parse_position("12", Shape(1, 2, 1, 2))) == (0.5, 0.5), "a draw is shared"
