#!/usr/bin/env python3
"""Measures Sokoban's search agents on a file of levels; the figures of docs/sokoban-agents.md.

    python scripts/measure_sokoban.py optimal FILE [--time 10] [--check 10]
    python scripts/measure_sokoban.py beam FILE [--levels 200]

`optimal`: how many levels `astar` proves push-optimal within the time, and whether `bfs` without any pruning, where it
gets through in `--check` seconds, finds as many pushes. `beam`: states a second of `beam` with k = 80, single moves as
successors and matched push distances, beside the same search in plain Python with SciPy's matching (left out where SciPy is not
installed). Processor time, the measuring of every level included.
"""

import argparse
import sys
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ai import threads
from ai.agent import Plan, Status, Thinking
from ai.sokoban.search.beam import Beam
from ai.sokoban.search.bestfirst import AStar, BreadthFirst
from game.play.sokoban.solving import verify
from game.rules import levels, sokoban

NODES = 10**9
K, ITERATIONS = 80, 200
PYTHON_LEVELS = 10


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("optimal", "beam"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--time", type=float, default=10.0, help="seconds a level for astar")
    parser.add_argument("--check", type=float, default=10.0, help="seconds a level for bfs; 0: none")
    parser.add_argument("--levels", type=int, default=0, help="only the first so many")
    arguments = parser.parse_args()
    threads.hold()
    states = [level.state for level in levels.read(arguments.file).levels]
    states = states[: arguments.levels] if arguments.levels else states
    warm(states[0])
    if arguments.what == "optimal":
        optimal(states, arguments.time, arguments.check)
    else:
        beam(states)


def warm(state: sokoban.State) -> None:
    """Load every kernel before any clock runs."""
    for agent in (
        AStar(0.1, 1000),
        BreadthFirst(0.1, 1000, "pushes", "none"),
        Beam(0.1, 1000, k=2, iterations=2),
    ):
        agent.plan(state, Thinking())


def optimal(states: list[sokoban.State], seconds: float, check: float) -> None:
    """A* and its proof, and bfs beside it."""
    proved = compared = agreed = 0
    began = time.process_time()
    spent = 0.0
    for number, state in enumerate(states, start=1):
        before = time.process_time()
        plan = AStar(seconds, NODES).plan(state, Thinking())
        took = time.process_time() - before
        spent += took
        pushes = verify(state, plan.actions)[1] if plan.status is Status.SOLVED else None
        proved += pushes is not None and plan.exact
        if pushes is None:
            print(f"level {number}: {plan.note}", flush=True)
        if check and plan.exact:
            other = BreadthFirst(check, NODES, "pushes", "none").plan(state, Thinking())
            if other.exact:
                compared += 1
                found = verify(state, other.actions)[1] if other.status is Status.SOLVED else None
                agreed += found == pushes
                if found != pushes:
                    print(f"level {number}: astar {pushes}, bfs {found}")
    print(f"astar: {proved} of {len(states)} proved optimal in {spent:.1f} s of processor time")
    if check:
        print(f"bfs without pruning got through {compared} of these; as many pushes in {agreed}")
    print(f"all of it: {time.process_time() - began:.0f} s")


def beam(states: list[sokoban.State]) -> None:
    """States a second of ours and of plain Python."""
    agent = Beam(60.0, NODES, "matching", "moves", K, ITERATIONS, remember=False)
    ours = [_timed(agent, state) for state in states]
    speed = sum(nodes for nodes, _, _ in ours) / sum(took for _, took, _ in ours)
    print(
        f"beam, k = {K}: {speed / 1e6:.2f} million states/s on {len(states)} levels, {sum(s for _, _, s in ours)} solved"
    )
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError:
        print("SciPy is not installed: nothing to compare with")
        return
    theirs = []
    for number, state in enumerate(states[:PYTHON_LEVELS]):
        before = time.process_time()
        nodes, solved = python_beam(state, linear_sum_assignment, np.random.default_rng(number))
        theirs.append((nodes, time.process_time() - before, solved))
    slow = sum(nodes for nodes, _, _ in theirs) / sum(took for _, took, _ in theirs)
    print(f"Python and SciPy: {slow:,.0f} states/s on {len(theirs)} levels, {sum(s for _, _, s in theirs)} solved")
    print(f"faster by {speed / slow:.0f}")


def _timed(agent: Beam, state: sokoban.State) -> tuple[int, float, bool]:
    before = time.process_time()
    plan: Plan = agent.plan(state, Thinking())
    return plan.nodes, time.process_time() - before, plan.status is Status.SOLVED


def python_beam(state: sokoban.State, assign: object, chance: np.random.Generator) -> tuple[int, bool]:
    """The same beam search as one would write it in an afternoon; returns the states generated and whether it solved."""
    steps, targets = state.warehouse.steps, sorted(state.warehouse.targets)
    costs = np.array([list(column) for column in zip(*(_pushes(steps, target) for target in targets), strict=True)])
    start = (state.player, state.boxes)
    layer = [start]
    generated = 0
    for _ in range(ITERATIONS):
        found: dict[tuple[int, frozenset[int]], float] = {}
        for player, boxes in layer:
            for after in _moves(steps, player, boxes):
                generated += 1
                if after in found:
                    continue
                matrix = costs[sorted(after[1])]
                rows, columns = assign(matrix)  # type: ignore[operator]
                cost = matrix[rows, columns].sum()
                if cost == 0:
                    return generated, True
                if cost < _FAR:
                    found[after] = cost
        if not found:
            return generated, False
        layer = list(found)
        if len(layer) > K:
            weights = np.exp(min(found.values()) - np.array(list(found.values())))
            weights = np.maximum(weights, 1e-300)
            drawn = chance.choice(len(layer), K, replace=False, p=weights / weights.sum())
            layer = [layer[index] for index in drawn]
    return generated, False


_FAR = 1e6


def _moves(
    steps: tuple[tuple[int, int, int, int], ...], player: int, boxes: frozenset[int]
) -> Iterator[tuple[int, frozenset[int]]]:
    for action in range(4):
        ahead = steps[player][action]
        if ahead < 0:
            continue
        if ahead not in boxes:
            yield ahead, boxes
        else:
            beyond = steps[ahead][action]
            if beyond >= 0 and beyond not in boxes:
                yield ahead, boxes - {ahead} | {beyond}


def _pushes(steps: tuple[tuple[int, int, int, int], ...], target: int) -> list[float]:
    """Pushes of a box alone from every square to the target, the player anywhere."""
    far = [_FAR] * len(steps)
    far[target] = 0.0
    queue = deque([target])
    while queue:
        square = queue.popleft()
        for before in range(4):
            here = steps[square][before]
            if here >= 0 and steps[here][before] >= 0 and far[here] == _FAR:
                far[here] = far[square] + 1
                queue.append(here)
    return far


if __name__ == "__main__":
    main()
