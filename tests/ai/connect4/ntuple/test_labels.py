"""Labels of connect-4 positions: what the sampled ones are, and that every known column is right."""

from functools import cache

import numpy as np
import pytest

from ai import kernels
from ai.agent import Thinking
from ai.connect4.exact.bitboard import geometry
from ai.connect4.exact.labels import FULL, UNKNOWN, Labelled, Labeller, sample
from game.rules import connect4
from game.rules.connect4 import Shape, State

SHAPE = Shape(4, 5, 1, 4)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setattr("ai.connect4.exact.labels.cache_root", lambda: tmp_path)
    assert kernels.cache_root() != tmp_path


def state_of(shape: Shape, mine: int, mask: int) -> State:
    """The position of two words, its moves in some order (the rules look at cells, heights and their number)."""
    cells, heights, moves = [0] * shape.cells, [0] * shape.columns, []
    seat = mask.bit_count() % 2
    for col in range(shape.cols):
        for row in range(shape.rows):
            bit = 1 << (col * (shape.rows + 1) + row)
            if mask & bit:
                cells[row * shape.columns + col] = (seat if mine & bit else 1 - seat) + 1
                heights[col] += 1
                moves.append(col)
    return State(shape, tuple(cells), tuple(heights), tuple(moves), None)


def drawn(state: State) -> str:
    """The board as text, and who is to move."""
    rows = [state.cells[at : at + state.shape.cols] for at in range(0, state.shape.cells, state.shape.cols)]
    return (
        "\n".join(" ".join(".XO"[cell] for cell in row) for row in reversed(rows))
        + f"\n{'XO'[state.to_move]} to move"
    )


@cache
def _worth(shape: Shape, cells: tuple[int, ...], heights: tuple[int, ...], stones: int) -> int:
    state = State(shape, cells, heights, (0,) * stones, None)
    best = -2
    for action in connect4.legal_actions(state):
        after = connect4.apply(state, action)
        best = max(best, 1 if after.winner is not None else -worth(after))
        if best == 1:
            return 1
    return best if best > -2 else 0


def worth(state: State) -> int:
    """1, 0, -1 for the side to move, by looking at everything."""
    return _worth(state.shape, state.cells, state.heights, len(state.moves))


@pytest.fixture
def labelled() -> Labelled:
    found = Labeller(SHAPE, 3).root(0, Thinking())
    assert found is not None
    return found


def test_known_columns_are_right(labelled):
    checked, seen = 0, set()
    for (mine, mask), signs in zip(labelled.positions.tolist(), labelled.signs.tolist(), strict=True):
        state = state_of(SHAPE, mine, mask)
        legal = connect4.legal_actions(state)
        for action, sign in enumerate(signs):
            assert (sign == FULL) == (action not in legal), f"{drawn(state)}\n{signs}"
            if sign not in (FULL, UNKNOWN) and mask.bit_count() >= 7:
                after = connect4.apply(state, action)
                exact = 1 if after.winner is not None else -worth(after)
                assert sign == exact, f"{drawn(state)}\ncolumn {action}: {sign}, not {exact}"
                checked += 1
                seen.add(sign)
    assert checked > 300, checked
    assert seen == {-1, 0, 1}


def test_a_root_comes_from_the_cache_the_second_time(labelled, tmp_path):
    files = list(tmp_path.rglob("*.safetensors"))
    assert len(files) == 1
    again = Labeller(SHAPE, 3)
    again._make = None  # type: ignore[assignment, method-assign]
    found = again.root(0, Thinking())
    assert np.array_equal(found.positions, labelled.positions)
    assert np.array_equal(found.signs, labelled.signs)
    files[0].write_bytes(files[0].read_bytes()[:-5])
    made = Labeller(SHAPE, 3).root(0, Thinking())
    assert np.array_equal(made.positions, labelled.positions)


def test_a_cancelled_root_is_none_and_not_kept(tmp_path):
    thinking = Thinking()
    thinking.cancel()
    assert Labeller(SHAPE, 3).root(5, thinking) is None
    assert not list(tmp_path.rglob("*.safetensors"))


def test_sampled_positions_go_on_and_cannot_be_won_at_once():
    shape = Shape(6, 7, 1, 4)
    found = np.zeros((200, 2), np.uint64)
    sample(geometry(shape), 9, 100, np.array([8, 20]), found)
    counts = set()
    for mine, mask in found.tolist():
        state = state_of(shape, mine, mask)
        counts.add(mask.bit_count())
        assert all(connect4.apply(state, action).winner is None for action in connect4.legal_actions(state)), drawn(
            state
        )
        for line in connect4.lines(shape):
            assert {state.cells[cell] for cell in line} not in ({1}, {2}), drawn(state)
    assert counts == {8, 20}
    again = np.zeros((1, 2), np.uint64)
    sample(geometry(shape), 9, 150, np.array([8, 20]), again)
    assert again.tolist() == found[50:51].tolist()
