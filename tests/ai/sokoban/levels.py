"""Small rooms under every rule, and what their cheapest solution costs by the plain rules."""

import functools
import random
from collections import deque
from dataclasses import replace

import numpy as np

from ai.agent import Plan
from game.rules import levels, sokoban
from game.rules.sokoban import Rules

RULES = (
    Rules(),
    Rules(pull=True),
    Rules(fixed=True),
    Rules(players=2),
    Rules(pull=True, push=False),
    Rules(pull=True, fixed=True),
    Rules(pull=True, fixed=True, players=2),
)


def level(text: str) -> sokoban.State:
    return levels.parse(text.strip("\n"), "test").levels[0].state


def pushes_of(state: sokoban.State, plan: Plan) -> int:
    """Replays the plan on the plain rules: it must end solved; returns its pushes."""
    count = 0
    for action in plan.actions:
        count += sokoban.moves_box(state, action)
        state = sokoban.apply(state, action)
    assert sokoban.is_solved(state)
    return count


@functools.cache
def least(state: sokoban.State, optimal: str) -> int | None:
    """Pushes or moves of the cheapest solution by playing every action in every position; None where there is none."""
    best = {state: 0}
    queue = deque([state])
    while queue:
        here = queue.popleft()
        if sokoban.is_solved(here):
            return best[here]
        for action in sokoban.legal_actions(here):
            after = sokoban.apply(here, action)
            step = 1 if optimal == "moves" or sokoban.moves_box(here, action) else 0
            if best[here] + step < best.get(after, 1 << 30):
                best[after] = best[here] + step
                (queue.append if step else queue.appendleft)(after)
    return None


def variant(seed: int, rules: Rules) -> sokoban.State:
    """A small room with one or two boxes under any rules."""
    rng = random.Random(seed)
    rows, cols = rng.randint(2, 4), rng.randint(3, 4)
    cells = [1 if rng.random() < 0.15 else 0 for _ in range(rows * cols)]
    free = rng.sample(range(rows * cols), rows * cols)
    count = rng.randint(1, 2)
    for square in free[:count]:
        cells[square] = 2
    for square in rng.sample(free[: -rules.players], count):
        cells[square] = 5 if cells[square] == 2 else 3
    cells[free[-1]] = 4
    if rules.players == 2:
        cells[free[-2]] = 12
    state = sokoban.from_array(np.pad(np.array(cells).reshape(rows, cols), 1, constant_values=1), rules)
    if rules.fixed and rng.random() < 0.5:
        state = replace(state, placed=state.placed[::-1])
    return state


def spoilt(state: sokoban.State, index: int) -> sokoban.State:
    """The room with a box put somewhere else, another place for every index; many of these have no solution."""
    free = sorted(state.warehouse.floor - state.boxes - {state.player})
    boxes = sorted(state.boxes)
    boxes[0] = free[(7 * index) % len(free)]
    return sokoban.State(state.warehouse, frozenset(boxes), state.player)
