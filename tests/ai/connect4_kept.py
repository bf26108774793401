"""Whether `perfect` keeps in whole games what its positions are worth: win, draw or loss, found by the exact search.

    python main.py match connect4 --agent brs,time=0.03 --agent perfect --keep-seats --games 4 --seed 1 --record GAMES
    python tests/ai/connect4_kept.py GAMES

reads every replay of 7×6 under the folder and prints the games in which a position of `perfect` is worth less than
the one before, or the result less than the last.
"""

import argparse
import json
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from ai.agent import Thinking
from ai.connect4.bitboard import words
from ai.connect4.perfect import Perfect
from ai.connect4.perfect_solver import Solver, new_table
from game.rules import connect4
from game.rules.connect4 import Shape, State

SHAPE = Shape(6, 7, 1, 4)
_BOOK_STONES = 10
"""Positions with fewer stones are looked up where the book has them."""


@lru_cache(maxsize=1)
def _solver() -> tuple[Solver, Perfect]:
    table = new_table(24)
    assert table is not None
    return Solver(SHAPE, table), Perfect()


@lru_cache(maxsize=100_000)
def worth(moves: tuple[int, ...]) -> int:
    """1, 0 or -1: win, draw or loss of the side to move in a game that goes on."""
    state = connect4.start(SHAPE)
    for action in moves:
        state = connect4.apply(state, action)
    solver, book = _solver()
    if len(moves) < _BOOK_STONES:
        plan = book.score(state, Thinking())
        if plan.exact:
            best = max(plan.values.values())
            return (best > 0) - (best < 0)
    for alpha in (0, -1):
        solver.begin(*words(state))
        while not solver.test(alpha):
            continue
        if solver.low > alpha:
            return alpha + 1
    return -1


def worths(path: Path) -> list[int]:
    """What the positions of `perfect` in a recorded game are worth to it, one after the other, and the result."""
    game = json.loads(path.read_text())
    seat = next(seat for seat, agent in enumerate(game["seats"]) if agent.startswith("perfect"))
    state, found = connect4.start(SHAPE), list[int]()
    for step in game["steps"]:
        if state.to_move == seat:
            found.append(worth(state.moves))
        state = connect4.apply(state, step[0] if isinstance(step, list) else step)
    return [*found, _result(state, seat)]


def _result(state: State, seat: int) -> int:
    return 0 if state.winner is None else 1 if state.winner == seat else -1


def _replays(folder: Path) -> Iterator[Path]:
    yield from sorted(folder.rglob("*.json"))


def main() -> None:
    """Read, judge and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    games = moves = worse = better = 0
    for path in _replays(parser.parse_args().folder):
        found = worths(path)
        games, moves, better = games + 1, moves + len(found) - 1, better + (found[-1] > found[0])
        if any(after < before for before, after in pairwise(found)):
            worse += 1
            print(f"{path}: {found}")
    print(f"{games} games, {moves} own moves; {worse} games with one that kept less than was there")
    print(f"{better} games ended better than they began")


if __name__ == "__main__":
    main()
