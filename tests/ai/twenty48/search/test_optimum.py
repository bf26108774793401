"""The exact optimum: 2×2 against a plain recursion over the plain rules, and what must hold of every board."""

from collections import Counter
from functools import cache
from itertools import permutations, product

import pytest

from ai.twenty48.search.optimum import solve
from game.rules import twenty48
from game.rules.twenty48 import State

TILES = ((1, 0.9), (2, 0.1))
Cells = tuple[int, ...]


def put(cells: Cells, cell: int, exponent: int) -> Cells:
    return (*cells[:cell], exponent, *cells[cell + 1 :])


def drawn(cells: Cells) -> list[tuple[Cells, float]]:
    """All boards after one new tile."""
    empty = [cell for cell, exponent in enumerate(cells) if not exponent]
    return [(put(cells, cell, exponent), share / len(empty)) for cell, (exponent, share) in product(empty, TILES)]


@cache
def slid(cells: Cells) -> tuple[tuple[Cells, int], ...]:
    found = (twenty48.slide(State(2, cells, 0, 0, 0), action) for action in range(4))
    return tuple((each.cells, each.reward) for each in found if each is not None)


@cache
def best(cells: Cells) -> tuple[float, float, tuple[tuple[int, float], ...]]:
    """Mean and mean square of the points to come, and the largest tiles at the end, with the best play."""
    if not slid(cells):
        return 0.0, 0.0, ((2 ** max(cells), 1.0),)
    found = []
    for after, reward in slid(cells):
        mean = square = 0.0
        tiles: Counter[int] = Counter()
        for board, share in drawn(after):
            later, later_square, later_tiles = best(board)
            mean += share * (reward + later)
            square += share * (reward**2 + 2 * reward * later + later_square)
            tiles.update({tile: share * part for tile, part in later_tiles})
        found.append((mean, square, tuple(tiles.items())))
    return max(found, key=lambda each: each[0])


@cache
def by_chance(cells: Cells) -> float:
    """Mean of the points to come when each legal action is as likely."""
    found = [reward + sum(share * by_chance(board) for board, share in drawn(after)) for after, reward in slid(cells)]
    return sum(found) / len(found) if found else 0.0


def test_two_by_two_is_what_a_plain_recursion_finds() -> None:
    starts: Counter[Cells] = Counter()
    for (a, b), (first, p), (second, q) in product(permutations(range(4), 2), TILES, TILES):
        starts[put(put((0, 0, 0, 0), a, first), b, second)] += p * q / 12
    reached = set(starts)
    ahead = list(starts)
    while ahead:
        for after, _ in slid(ahead.pop()):
            fresh = [board for board, _ in drawn(after) if board not in reached]
            reached.update(fresh)
            ahead += fresh
    optimum = solve(2)
    print(optimum)
    assert optimum.positions == len(reached)
    mean = sum(share * best(board)[0] for board, share in starts.items())
    square = sum(share * best(board)[1] for board, share in starts.items())
    assert optimum.mean == pytest.approx(mean, rel=1e-12)
    assert optimum.deviation == pytest.approx((square - mean**2) ** 0.5, rel=1e-9)
    assert optimum.random_mean == pytest.approx(
        sum(share * by_chance(board) for board, share in starts.items()), rel=1e-12
    )
    assert sum(optimum.tiles.values()) == pytest.approx(1.0)
    expected: Counter[int] = Counter()
    for board, share in starts.items():
        expected.update({tile: share * part for tile, part in best(board)[2]})
    assert sum(tile * share for tile, share in optimum.tiles.items()) == pytest.approx(
        sum(tile * share for tile, share in expected.items()), rel=0.02
    ), "equally good actions may end with other tiles"
    assert optimum.distinct < optimum.positions <= 8 * optimum.distinct


def test_progress_comes_to_its_end() -> None:
    told: list[float] = []
    solve(2, told.append)
    assert told == sorted(told) and told[-1] == 1.0 and len(told) > 10


@pytest.mark.parametrize("size", [0, 1, 4, 5])
def test_no_other_boards(size: int) -> None:
    with pytest.raises(ValueError, match="2×2 and 3×3"):
        solve(size)
