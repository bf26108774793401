"""Recorded moves of 2048 played again by the kernel: the plain rules' position, and no wrong move gets through."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.twenty48.search.retrace import retrace
from game.rules import twenty48


def played(state: twenty48.State, choices: list[int]) -> tuple[tuple[tuple[int, int, int], ...], twenty48.State]:
    moves = []
    for choice in choices:
        legal = twenty48.legal_actions(state)
        if not legal:
            break
        action = legal[choice % len(legal)]
        slide = twenty48.slide(state, action)
        assert slide is not None
        cell, exponent = twenty48.spawn(slide.cells, state.seed, state.spawns)
        state = twenty48.place(state, slide, cell, exponent)
        moves.append((action, cell, exponent))
    return tuple(moves), state


@settings(deadline=None)
@given(st.integers(3, 8), st.integers(0, 2**64 - 1), st.lists(st.integers(0, 3), max_size=60))
def test_the_end_is_that_of_the_plain_rules(size, seed, choices):
    start = twenty48.start(size, seed)
    moves, end = played(start, choices)
    assert retrace(start, moves) == end, twenty48.draw(end)


def test_a_move_that_cannot_be_is_named():
    start = twenty48.start(4, 5)
    moves, _end = played(start, [0, 1, 2, 3, 0, 1])
    print(twenty48.draw(start), moves)
    action, cell, exponent = moves[3]
    for wrong in ((9, cell, exponent), (action, (cell + 1) % 16, exponent), (action, cell, 3 - exponent)):
        with pytest.raises(ValueError, match="move 4"):
            retrace(start, (*moves[:3], wrong, *moves[4:]))
