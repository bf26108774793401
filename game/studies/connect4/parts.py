"""The parts of the study `connect4-report` that are games: which contests, and how many openings of each.

The report does not say at which depth its first chart and its games of three were played. Weakened, it uses alpha-beta
of depth 2 elsewhere (its learner's opponent), and so does the chart here; with three players the depth is 3, a stone of
everybody.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from game.rules.connect4 import Shape
from game.studies.connect4.contests import Contest, Shares

FLAT = Shape(6, 7, 1, 4, 2)
DEEP = Shape(6, 7, 5, 4, 2)
THREE = Shape(6, 7, 1, 4, 3)
OPPONENTS = ("offensive", "defensive")
DEPTHS = (1, 2, 3, 4, 5)
WEAKENED_DEPTH = 2
SHARES_OF_RANDOM = tuple(tenth / 10 for tenth in range(11))
SHARES_FROM_EMPTY = (0.0, 0.2, 0.4, 0.6, 0.8)
"""Random moves in games from the empty board."""
DEPTHS_FROM_EMPTY = (WEAKENED_DEPTH, 4)
DEPTH_OF_THREE = 3
DUEL_DEPTHS_OF_THREE = (2, 3)
LINE_UPS = (("offensive", "offensive"), ("offensive", "defensive"), ("defensive", "defensive"))
QUICK = 10


@dataclass
class Openings:
    """How many openings the contests of each section have, before `--quick`."""

    weakened: int = 250
    from_empty: tuple[int, int] = (100, 50)
    by_depth: int = 500
    three: int = 100
    duel: int = 250
    duel_of_three: int = 100


OPENINGS = Openings()


def searcher(heuristic: str, depth: int, random_moves: float = 0.0) -> str:
    """An alpha-beta agent as on the command line."""
    weakened = f",random_moves={random_moves:g}" if random_moves else ""
    return f"alphabeta,heuristic={heuristic},depth={depth}{weakened}"


def weakened(quick: bool) -> dict[str, Contest]:
    """The complex agent as it plays more and more random moves, on the deep board."""
    openings = some(OPENINGS.weakened, quick)
    return {
        weakened_name(share, opponent): Contest(
            DEEP, searcher("complex", WEAKENED_DEPTH, share), (opponent,), openings
        )
        for share in SHARES_OF_RANDOM
        for opponent in OPPONENTS
    }


def from_empty(quick: bool) -> dict[str, Contest]:
    """The same from the empty board, and with more depth."""
    return {
        from_empty_name(depth, share, opponent): Contest(
            DEEP, searcher("complex", depth, share), (opponent,), some(openings, quick), stones=0
        )
        for depth, openings in zip(DEPTHS_FROM_EMPTY, OPENINGS.from_empty, strict=True)
        for share in SHARES_FROM_EMPTY
        for opponent in OPPONENTS
    }


def weakened_name(share: float, opponent: str) -> str:
    """Of a contest."""
    return f"{share:g} random against {opponent}"


def from_empty_name(depth: int, share: float, opponent: str) -> str:
    """Of a contest."""
    return f"{share:g} random, depth {depth}, against {opponent} from the empty board"


def by_depth(quick: bool) -> dict[str, Contest]:
    """Both heuristics against both opponents, on the flat board."""
    openings = some(OPENINGS.by_depth, quick)
    return {
        by_depth_name(heuristic, opponent, depth): Contest(FLAT, searcher(heuristic, depth), (opponent,), openings)
        for depth in DEPTHS
        for heuristic in ("complex", "ibef2")
        for opponent in OPPONENTS
    }


def by_depth_name(heuristic: str, opponent: str, depth: int) -> str:
    """Of a contest."""
    return f"{heuristic} of depth {depth} against {opponent}"


def three(quick: bool) -> dict[str, Contest]:
    """Three players: both heuristics against the same line-ups, and copies of the opponents in their place."""
    openings = some(OPENINGS.three, quick)
    found = {}
    for others in LINE_UPS:
        for heuristic in ("complex", "only-best-opponent"):
            subject = searcher(heuristic, DEPTH_OF_THREE)
            found[three_name(heuristic, others)] = Contest(THREE, subject, others, openings)
        for copy in sorted(set(others)):
            found[three_name(copy, others)] = Contest(THREE, copy, others, openings)
    return found


def three_name(subject: str, others: tuple[str, ...]) -> str:
    """Of a contest."""
    return f"{subject} against {' and '.join(others)}"


def duels(quick: bool) -> dict[str, Contest]:
    """The pairs of heuristics against each other."""
    found = {}
    for depth in DEPTHS:
        others = (searcher("ibef2", depth),)
        found[duel_name("complex", "ibef2", depth)] = Contest(
            FLAT, searcher("complex", depth), others, some(OPENINGS.duel, quick)
        )
    pair = ("complex", "only-best-opponent")
    for depth in DUEL_DEPTHS_OF_THREE:
        for subject, other in (pair, pair[::-1]):
            found[duel_name(subject, f"two {other}", depth)] = Contest(
                THREE, searcher(subject, depth), (searcher(other, depth),) * 2, some(OPENINGS.duel_of_three, quick)
            )
    return found


def duel_name(subject: str, other: str, depth: int) -> str:
    """Of a contest."""
    return f"{subject} against {other}, depth {depth}"


def contests(quick: bool) -> dict[str, Contest]:
    """All of them, in the order in which they are played."""
    return weakened(quick) | by_depth(quick) | three(quick) | from_empty(quick) | duels(quick)


def some(number: int, quick: bool) -> int:
    """So many, or a tenth."""
    return max(1, number // QUICK) if quick else number


def shares(kept: Mapping[str, Any], quick: bool) -> dict[str, Shares]:
    """Of the contests that are done."""
    return {name: contest.shares(kept[name]) for name, contest in contests(quick).items() if name in kept}
