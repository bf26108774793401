#!/usr/bin/env python3
"""Measures what 4×4 boards of 2048 gain by kernels of their own; the table of docs/2048.md.

    python scripts/measure_boards.py [--seconds 2] [--rounds 5] [--model 2048-small]

The same searches play games on packed boards, one 64-bit number each, and on arrays, as boards of every other size are
played; in turns, so that both meet the same machine. Prints moves a second of both, medians of the rounds, and how many
times as many the packed boards make. Of the first position both must say the same, but for rounding.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ai import kernels, models, threads
from ai.agent import Plan, Thinking
from ai.twenty48.ntuple import model as ntuple_model
from ai.twenty48.ntuple.agent import NTuple, on_arrays
from ai.twenty48.search import expectimax
from ai.twenty48.search.engine import Played
from ai.twenty48.search.expectimax import Expectimax
from game.play.asking import load_kernels
from game.rules import twenty48

ROUNDING = 1e-5


class OnArrays(Expectimax):
    """Expectimax that takes a 4×4 board for one of any other size."""

    def plan(self, state: twenty48.State, thinking: Thinking) -> Plan:
        """As on packed boards."""
        with mock.patch.object(expectimax, "kind_of", lambda state: state.size):
            return super().plan(state, thinking)

    def play_many(self, state: twenty48.State, moves: int, thinking: Thinking) -> Played:
        """As on packed boards."""
        with mock.patch.object(expectimax, "kind_of", lambda state: state.size):
            return super().play_many(state, moves, thinking)


def pairs(path: Path) -> dict[str, tuple[Expectimax | NTuple, Expectimax | NTuple]]:
    """Name -> the same agent on packed boards and on arrays."""
    found: dict[str, tuple[Expectimax | NTuple, Expectimax | NTuple]] = {
        f"expectimax, depth {depth}": (Expectimax(depth), OnArrays(depth)) for depth in (1, 2, 3)
    }
    for plies in (1, 2, 3):
        packed, arrays = NTuple(path, plies), NTuple(path, plies)
        arrays._engine = on_arrays(ntuple_model.load(path), plies)
        found[f"ntuple, {plies}-ply"] = packed, arrays
    return found


def speed(agent: Expectimax | NTuple, seconds: float, seed: int) -> float:
    """Moves a second in games one after the other."""
    moves, began = 0, time.perf_counter()
    while (left := seconds - (time.perf_counter() - began)) > 0:
        moves += len(agent.play_many(twenty48.start(4, seed), 1_000_000, Thinking(seconds=left)))
        seed += 1
    return moves / (time.perf_counter() - began)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="of each run")
    parser.add_argument("--rounds", type=int, default=5, help="runs of both")
    parser.add_argument("--model", default="2048-small", help="of 4×4 boards")
    arguments = parser.parse_args()
    threads.hold()
    path = models.find(arguments.model)
    if path is None:
        sys.exit(f"there is no model {arguments.model!r}")
    load_kernels(kernels.units("twenty48"), print)
    print("| search | packed, moves/s | arrays, moves/s | times |\n|---|---|---|---|")
    for name, both in pairs(path).items():
        first, second = (agent.plan(twenty48.start(4, 7), Thinking()).values for agent in both)
        if any(abs(value - second[action]) > ROUNDING * abs(value) for action, value in first.items()):
            sys.exit(f"{name}: {dict(first)} on packed boards, {dict(second)} on arrays")
        found = [
            [speed(agent, arguments.seconds, 100 * number) for agent in both] for number in range(arguments.rounds)
        ]
        packed, arrays = (statistics.median(row[side] for row in found) for side in (0, 1))
        print(f"| {name} | {packed:,.0f} | {arrays:,.0f} | {packed / arrays:.1f} |", flush=True)


if __name__ == "__main__":
    main()
