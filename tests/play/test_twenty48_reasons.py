"""Why one slide rather than another: every fact states what is on the two boards, which are shown first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.play.twenty48 import reasons as told
from game.play.twenty48.reasons import ALIKE, ONLY, facts, pairs, reasons
from game.rules import twenty48
from game.rules.direction import Direction
from game.rules.twenty48 import Slide, State, parse_position

LEFT, RIGHT, UP, DOWN = (int(way) for way in (Direction.LEFT, Direction.RIGHT, Direction.UP, Direction.DOWN))


@pytest.mark.parametrize(
    ("board", "action", "other", "fact"),
    [
        ("1024 2 0 0/0 0 0 0/0 0 0 0/4 0 0 0", UP, RIGHT, "Keeps the 1024 in its corner; right takes it out"),
        ("0 64 0 0/0 0 0 0/2 4 2 4/4 2 4 2", LEFT, DOWN, "Brings the 64 into a corner"),
        ("2 2 4 4/8 8 2 4/0 0 0 0/0 0 0 0", LEFT, DOWN, "Leaves eleven cells empty instead of nine"),
        ("256 256 4 2/0 0 0 0/0 0 0 0/0 0 0 0", LEFT, DOWN, "Makes a 512 at once"),
        ("8 8 0 0/0 0 4 0/0 0 4 0/0 0 0 0", LEFT, UP, "Makes a 16 at once instead of an 8"),
        ("256 0 0 0/0 0 0 256/0 0 0 0/0 0 0 0", LEFT, RIGHT, ""),
        ("256 0 0 0/0 0 0 256/0 0 0 0/0 0 0 0", LEFT, DOWN, "Can merge two 256 next"),
        ("0 16 8 4/2 0 0 0/0 0 0 0/0 0 0 0", LEFT, DOWN, "Has its largest in a row: 16, 8, 4"),
        ("2 0 0 0/0 0 0 2/0 0 0 0/4 8 4 8", LEFT, UP, "Has one pair to merge; up leaves none"),
    ],
)
def test_facts_are_told_where_they_are_true(board: str, action: int, other: int, fact: str) -> None:
    state = parse_position(board)
    one, two = twenty48.slide(state, action), twenty48.slide(state, other)
    assert one is not None and two is not None
    found = facts(state, one, two, Direction(other).label)
    print(board, one.cells, two.cells, found, sep="\n")
    assert fact in found if fact else "Can merge two 256 next" not in found


def at_corner(state: State, cells: tuple[int, ...], least: int) -> bool:
    last = state.size - 1
    return any(
        cells[row * state.size + col] >= least for row in (0, last) for col in (0, last)
    )  # fmt: skip


def neighbours(state: State, cells: tuple[int, ...]) -> list[int]:
    size, found = state.size, []
    for row in range(size):
        for col in range(size):
            tile = cells[row * size + col]
            for down, right in ((1, 0), (0, 1)):
                if (
                    row + down < size
                    and col + right < size
                    and tile
                    and tile == cells[(row + down) * size + col + right]
                ):
                    found.append(tile)
    return found


def check(state: State, fact: str, one: Slide, two: Slide) -> None:
    """That a fact is true, by counting on the boards anew."""
    words, big = fact.split(), max(one.cells)
    if fact.startswith(("Keeps", "Brings")):
        named = int(words[2]).bit_length() - 1
        assert (
            named == big
            and at_corner(state, one.cells, big)
            and not at_corner(state, two.cells, min(big, max(two.cells)))
        )
        assert fact.startswith("Brings") or at_corner(state, state.cells, big)
    elif fact.startswith("Leaves"):
        counts = [told.NUMBERS.index(word) if word in told.NUMBERS else int(word) for word in (words[1], words[-1])]
        assert counts == [one.cells.count(0), two.cells.count(0)] and counts[0] > counts[1]
    elif fact.startswith("Makes"):
        made = [move.exponent + 1 for move in one.moves if move.merged]
        less = [move.exponent + 1 for move in two.moves if move.merged]
        assert int(words[2]) == 1 << max(made) and max(made) > max(less, default=0)
        assert ("instead" in fact) == bool(less) and (not less or int(words[-1]) == 1 << max(less))
    elif fact.startswith("Can merge two"):
        tile = int(words[3]).bit_length() - 1
        assert tile == max(neighbours(state, one.cells)) > max(neighbours(state, two.cells), default=0)
    elif fact.startswith("Has its largest"):
        line = [int(word).bit_length() - 1 for word in fact.split(": ")[1].split(", ")]
        assert line[0] == big and line == sorted(line, reverse=True) and len(line) >= 3
        size = state.size
        rows = [one.cells[:size], one.cells[-size:], one.cells[::size], one.cells[size - 1 :: size]]
        assert any([tile for tile in row if tile] in (line, line[::-1]) for row in rows)
    else:
        assert fact.startswith("Has ") and neighbours(state, one.cells) and not neighbours(state, two.cells)
        assert told.number(len(neighbours(state, one.cells))) == words[1]


@given(
    st.integers(3, 5).flatmap(
        lambda size: st.tuples(
            st.just(size), st.lists(st.sampled_from((0, 0, 1, 1, 2, 3, 7, 8)), min_size=size**2, max_size=size**2)
        )
    )
)
def test_whatever_the_board_every_fact_is_true_of_it(drawn: tuple[int, list[int]]) -> None:
    size, cells = drawn
    state = State(size, tuple(cells), 0, 0, 0)
    slides = {each: slide for each in range(4) if (slide := twenty48.slide(state, each)) is not None}
    for action, one in slides.items():
        for other, two in slides.items():
            if other != action:
                for fact in facts(state, one, two, Direction(other).label):
                    print(twenty48.draw(state), action, other, fact)
                    check(state, fact, one, two)


def test_it_is_compared_with_the_second_best_after_search() -> None:
    board = "2 2 4 4/0 0 0 8/0 0 0 8/0 0 0 2"
    state = parse_position(board)
    found = reasons(state, LEFT, {LEFT: 1003.0, RIGHT: 1000.0, UP: 400.0, DOWN: float("-inf")})
    print(board, found)
    assert found is not None and (found.other, found.lead) == (RIGHT, 3.0)
    silent = reasons(state, LEFT, {})
    assert silent is not None and silent.other is not None and silent.lead is None and silent.facts


def test_where_there_is_nothing_to_compare_it_says_so() -> None:
    only = parse_position("2 4 8/16 32 64/2 4 0")
    assert twenty48.legal_actions(only) == (RIGHT, DOWN)
    one = parse_position("0 2 4/0 4 8/0 8 16")
    found = reasons(one, LEFT, {LEFT: 1.0})
    print(one, found)
    assert (
        twenty48.legal_actions(one) == (LEFT,) and found is not None and (found.other, found.facts) == (None, (ONLY,))
    )
    assert reasons(one, UP, {}) is None, "what moves nothing is not explained"
    alike = reasons(parse_position("0 0 0/0 2 0/0 0 0"), LEFT, {LEFT: 2.0, RIGHT: 1.0})
    assert alike is not None and alike.facts == (ALIKE,)
    assert pairs(3, (1, 1, 0, 1, 2, 0, 0, 0, 0)) == [1, 1]
