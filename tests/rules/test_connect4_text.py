"""Games of connect-4 as text for the clipboard."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules import connect4
from game.rules.connect4 import Shape
from game.rules.connect4_text import read_game, write_game

FLAT, DEEP = Shape(6, 7, 1, 4), Shape(4, 4, 4, 4, 3)


@given(
    st.integers(1, 6),
    st.integers(1, 8),
    st.integers(1, 4),
    st.integers(2, 6),
    st.integers(0, 60),
    st.integers(0, 999),
)
def test_every_game_comes_back_as_it_was_whatever_board_is_there(rows, cols, depth, players, plies, seed):
    try:
        shape = Shape(rows, cols, depth, min(4, max(rows, cols, depth)), players)
    except ValueError:
        return
    luck, state = random.Random(seed), connect4.start(shape)
    while len(state.moves) < plies and connect4.outcome(state) is None:
        state = connect4.apply(state, luck.choice(connect4.legal_actions(state)))
    text = write_game(state)
    print(text)
    assert read_game(text, FLAT) == state
    assert read_game(f"  {text}\n", DEEP) == state


@pytest.mark.parametrize(
    ("text", "present", "shape", "moves"),
    [
        ("4453", FLAT, FLAT, (3, 3, 4, 2)),
        ("44 53", FLAT, FLAT, (3, 3, 4, 2)),
        ("4453", DEEP, Shape(6, 7, 1, 4, 3), (3, 3, 4, 2)),
        ("1.1 4.4", DEEP, DEEP, (0, 15)),
        ("5,5,1,3: 12", FLAT, Shape(5, 5, 1, 3), (0, 1)),
        ("4,4,4,4,2:1.1", FLAT, Shape(4, 4, 4, 4), (0,)),
        ("6,7,1,4,2:", DEEP, FLAT, ()),
    ],
)
def test_the_board_may_be_left_out(text, present, shape, moves):
    state = read_game(text, present)
    assert (state.shape, state.moves) == (shape, moves)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no text"),
        ("hello", "move 1 (h)"),
        ("48", "there is no column 8"),
        ("4444444", "move 7 (4): column 4 is full"),
        ("1.1 2.2", "4,4,4,4"),
        ("0,7,1,4: 1", "rows"),
        ("6,7,1,4,9: 1", "2 to 6 players"),
        ("6,7,1,4,x: 1", "number of players"),
        ("6,7: 1", "R,C,D,W"),
        ("1" * 5000, "too long"),
        ("12121212", "the game is over"),
    ],
)
def test_bad_text_is_refused_in_one_clear_line(text, says):
    with pytest.raises(ValueError) as error:
        read_game(text, FLAT)
    assert says in str(error.value) and "\n" not in str(error.value)
