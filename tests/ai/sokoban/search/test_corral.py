"""Corral pruning loses nothing: wherever it leaves out pushes, one of the others is a best one."""

import random

import numpy as np

from ai.sokoban.board.ground import survey
from ai.sokoban.board.layout import layout
from ai.sokoban.search.bestfirst_search import flood
from ai.sokoban.search.corral import EVERY, allowed_pushes
from game.rules import levels, sokoban


def pulled_room(seed: int) -> sokoban.State:
    """A solvable position: boxes start on their targets and are pulled about."""
    rng = random.Random(seed)
    while True:
        rows, cols = rng.randint(3, 6), rng.randint(4, 6)
        cells = np.array([1 if rng.random() < 0.22 else 0 for _ in range(rows * cols)]).reshape(rows, cols)
        board = np.pad(cells, 1, constant_values=1)
        free = [int(square) for square in np.flatnonzero(board == 0)]
        count = rng.randint(2, 4)
        if len(free) < 2 * count + 3:
            continue
        picked = rng.sample(free, count + 1)
        board.flat[picked[:count]], board.flat[picked[count]] = 5, 4
        state = sokoban.from_array(board)
        for _ in range(60):
            here = sorted(sokoban.reachable(state))
            player, action = rng.choice(here), rng.randrange(4)
            steps = state.warehouse.steps
            box, back = steps[player][action], steps[player][(action + 2) % 4]
            if box in state.boxes and back >= 0 and back not in state.boxes:
                state = sokoban.State(state.warehouse, state.boxes - {box} | {player}, back)
        if not sokoban.is_solved(state):
            return state


def pushes(state: sokoban.State) -> dict[tuple[int, int], sokoban.State]:
    """(box, direction) -> position after that push."""
    region, found = sokoban.reachable(state), {}
    for box in state.boxes:
        for action in range(4):
            stand, goal = state.warehouse.steps[box][(action + 2) % 4], state.warehouse.steps[box][action]
            if stand in region and goal >= 0 and goal not in state.boxes:
                found[box, action] = sokoban.State(state.warehouse, state.boxes - {box} | {goal}, box)
    return found


def fewest(state: sokoban.State) -> int | None:
    layer, seen, depth = [state], set(), 0
    while layer:
        following = []
        for here in layer:
            if sokoban.is_solved(here):
                return depth
            for after in pushes(here).values():
                key = (after.boxes, min(sokoban.reachable(after)))
                if key not in seen:
                    seen.add(key)
                    following.append(after)
        layer, depth = following, depth + 1
    return None


def allowed(state: sokoban.State) -> set[tuple[int, int]] | None:
    """The pushes that the kernel leaves, None where it leaves all."""
    board = layout(state)
    size, count = len(board.squares), len(board.boxes)
    reach, queue, label = (np.zeros(size, np.int32) for _ in range(3))
    member, found, answer = (np.zeros(count, np.int32) for _ in range(3))
    flood(board.steps, board.occupied, reach, 1, np.int64(board.player), queue)
    allowed_pushes(
        board.steps,
        board.is_target,
        survey(board, None, lambda note: None).pushable[0],
        board.boxes.astype(np.uint16),
        reach,
        1,
        label,
        queue,
        member,
        found,
        answer,
    )
    if (answer == EVERY).all():
        return None
    boxes = board.squares[board.boxes].tolist()
    return {
        (box, action) for box, bits in zip(boxes, answer, strict=True) for action in range(4) if bits >> action & 1
    }


def test_a_best_push_is_always_left() -> None:
    restricted = dead = 0
    for seed in range(250):
        state = pulled_room(seed)
        rng = random.Random(seed)
        for _ in range(4):
            left = allowed(state)
            after = pushes(state)
            if left is not None and not sokoban.is_solved(state):
                print("\n" + "\n".join(levels.board(state)), left)
                assert left <= set(after)
                best = fewest(state)
                if best is None:
                    dead += 1
                else:
                    restricted += 1
                    assert best - 1 in [fewest(after[push]) for push in left]
            if not after:
                break
            state = after[rng.choice(sorted(after))]
    print(restricted, dead)
    assert restricted > 50


def test_the_area_behind_two_boxes_must_be_opened() -> None:
    state = levels.parse("########\n#  #   #\n#@ $  .#\n#  #####\n# $  . #\n########", "test").levels[0].state
    assert allowed(state) == {(19, 1)}


def test_a_corral_that_nothing_opens_is_dead() -> None:
    state = levels.parse("#######\n#  #  #\n#@$$ .#\n#. #  #\n#######", "test").levels[0].state
    assert allowed(state) == set()
    assert fewest(state) is None
