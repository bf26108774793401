"""Whether an agent keeps in whole games what its positions are worth: win, draw or loss, found by the exact search.

    python main.py match connect4 --agent brs,time=0.03 --agent perfect --keep-seats --games 4 --seed 1 --record GAMES
    PYTHONPATH=. python tests/ai/connect4/kept.py GAMES --agent perfect

reads every replay of 7×6 under the folder and prints the games in which a position of the agent is worth less than
the one before, or the result less than the last, each pair of moves once, and after how many stones that was.
"""

import argparse
import json
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from ai.agent import Thinking
from ai.connect4.exact.agent import Perfect
from ai.connect4.exact.bitboard_shape import words
from ai.connect4.exact.solver import Solver, new_table
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


def played(path: Path, agent: str) -> tuple[int, str, tuple[int, ...], int]:
    """The seat of an agent in a recorded game, the moves before the record, those in it, and its first ply."""
    game = json.loads(path.read_text())
    seat = next(seat for seat, name in enumerate(game["seats"]) if name.startswith(agent))
    before = connect4.parse_position(game["setup"].get("position", ""), SHAPE).moves
    steps = tuple(step[0] if isinstance(step, list) else step for step in game["steps"])
    return seat, connect4.format_moves(_after((*before, *steps))), (*before, *steps), len(before)


def worths(seat: int, moves: tuple[int, ...], first: int) -> list[tuple[int, int]]:
    """Stones, and what the position is worth to a seat, wherever it is to move; at the end the result."""
    state, found = _after(moves[:first]), list[tuple[int, int]]()
    for action in moves[first:]:
        if state.to_move == seat:
            found.append((len(state.moves), worth(state.moves)))
        state = connect4.apply(state, action)
    return [*found, (len(moves), 0 if state.winner is None else 1 if state.winner == seat else -1)]


def _after(moves: tuple[int, ...]) -> State:
    state = connect4.start(SHAPE)
    for action in moves:
        state = connect4.apply(state, action)
    return state


def main() -> None:
    """Read, judge and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--agent", default="perfect", help="what the name of the agent begins with")
    told = parser.parse_args()
    games = set[tuple[int, str]]()
    moves = worse = better = 0
    drops = Counter[int]()
    for path in sorted(told.folder.rglob("*.json")):
        seat, text, actions, first = played(path, told.agent)
        if (seat, text) in games:
            continue
        games.add((seat, text))
        found = worths(seat, actions, first)
        moves, better = moves + len(found) - 1, better + (found[-1][1] > found[0][1])
        lost = [(stones, before, after) for (stones, before), (_, after) in pairwise(found) if after < before]
        drops.update(stones for stones, _, _ in lost)
        if lost:
            worse += 1
            told_by = ", ".join(f"{before:+d} to {after:+d} at {stones} stones" for stones, before, after in lost)
            print(f"{path.name}: seat {seat + 1}, {text}: {told_by}")
    print(f"{len(games)} different games, {moves} own moves; {worse} games with one that kept less than was there")
    print(f"{better} games ended better than they began")
    if drops:
        print(
            "lost after so many stones:", ", ".join(f"{stones} ({times}x)" for stones, times in sorted(drops.items()))
        )


if __name__ == "__main__":
    main()
