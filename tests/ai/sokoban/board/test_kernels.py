"""Sokoban's kernels say the same as the plain rules, on random boards and random walks."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.sokoban.board.distance import FAR, label_parts, measure
from ai.sokoban.board.ground import survey
from ai.sokoban.board.layout import Layout, layout
from ai.sokoban.board.moves import frozen, mark_alive, move, solved, walk
from ai.sokoban.search.matching import add_row, total
from game.rules import levels, sokoban
from game.rules.sokoban import deadlock

SEEDS = st.integers(0, 2**32)


def room(seed: int, most_boxes: int = 5) -> sokoban.State:
    """A small walled room, boxes and targets anywhere, all of it joined."""
    rng = random.Random(seed)
    while True:
        rows, cols = rng.randint(2, 6), rng.randint(2, 6)
        cells = [1 if rng.random() < 0.15 else 0 for _ in range(rows * cols)]
        free = rng.sample(range(rows * cols), rows * cols)
        count = rng.randint(1, max(1, min(most_boxes, rows * cols // 3)))
        boxes, kept = free[:count], rng.randint(0, count)
        for square in boxes:
            cells[square] = 2
        for square in boxes[:kept] + free[count : count + count - kept]:
            cells[square] = 5 if cells[square] == 2 else 3
        cells[free[-1]] = 6 if cells[free[-1]] == 3 else 4
        state = sokoban.from_array(np.pad(np.array(cells).reshape(rows, cols), 1, constant_values=1))
        entered = state.warehouse.connected([state.player])
        if state.boxes | state.warehouse.targets <= entered:
            return state


def show(state: sokoban.State) -> None:
    print("\n" + "\n".join(levels.board(state)))


def alive_of(board: Layout) -> np.ndarray:
    alive = np.zeros(len(board.squares), dtype=np.uint8)
    mark_alive(board.steps, board.targets, alive, np.zeros(len(board.squares), dtype=np.int32))
    return alive


@settings(deadline=None)
@given(SEEDS)
def test_random_walks(seed: int) -> None:
    state = room(seed)
    board = layout(state)
    occupied, player = board.occupied, board.player
    rng = random.Random(seed)
    for _ in range(80):
        action = rng.randrange(4)
        show(state)
        before = occupied.copy()
        moved = move(board.steps, occupied, player, action)
        if action not in sokoban.legal_actions(state):
            assert moved == -1
            assert (occupied == before).all()
            continue
        state, player = sokoban.apply(state, action), moved
        assert board.squares[player] == state.player
        assert set(board.squares[np.flatnonzero(occupied)].tolist()) == state.boxes
        assert solved(occupied, board.is_target) == sokoban.is_solved(state)


@settings(deadline=None)
@given(SEEDS)
def test_walks_are_as_long_as_the_plain_ones(seed: int) -> None:
    state = room(seed)
    show(state)
    board = layout(state)
    size = len(board.squares)
    queue, came, path = np.zeros(size, np.int32), np.zeros(size, np.int32), np.zeros(size, np.uint8)
    for goal in range(size):
        plain = sokoban.walk_path(state, int(board.squares[goal]))
        length = walk(board.steps, board.occupied, board.player, goal, queue, came, path)
        assert length == (-1 if plain is None else len(plain))
        square = board.player
        for action in path[: max(length, 0)]:
            square = int(board.steps[square, action])
            assert not board.occupied[square]
        assert length < 0 or square == goal


@settings(deadline=None, max_examples=300)
@given(SEEDS)
def test_dead_squares_and_frozen_boxes(seed: int) -> None:
    state = room(seed)
    show(state)
    board = layout(state)
    alive = alive_of(board)
    inside = set(board.squares.tolist())
    assert set(board.squares[alive == 0].tolist()) == sokoban.dead_squares(state.warehouse) & inside
    squares = frozenset(board.squares[alive == 1].tolist())
    plain = deadlock._frozen(state, frozenset(), dict.fromkeys(state.boxes, squares))
    members, marks = np.zeros(len(board.boxes), np.int32), np.zeros(len(alive), np.uint8)
    found: set[int] = set()
    for box in board.boxes:
        count = frozen(board.steps, board.occupied, alive, box, members, marks)
        group = set(board.squares[members[:count]].tolist())
        assert not marks.any()
        assert group <= plain
        assert (int(board.squares[box]) in group) == (int(board.squares[box]) in plain)
        found |= group
    assert found == plain


@settings(deadline=None)
@given(SEEDS)
def test_distances_of_single_boxes(seed: int) -> None:
    """Every distance is the fewest pushes found by playing forward with one box and a real player."""
    board = layout(room(seed))
    size = len(board.squares)
    part = np.zeros((size, size), dtype=np.uint8)
    for square in range(size):
        label_parts(board.steps, part, square, np.zeros(size, dtype=np.int32))
    target = int(board.targets[0])
    distance = np.zeros((size * 4, 1), dtype=np.int32)
    measure(board.steps, part, target, 0, distance, np.zeros(size * 4, dtype=np.int32))
    rng = random.Random(seed)
    for _ in range(6):
        box, player = rng.sample(range(size), 2)
        found, layer, pushes = FAR, {(box, player)}, 0
        seen: set[tuple[int, int]] = set()
        while layer:
            following: set[tuple[int, int]] = set()
            stack = list(layer)
            while stack:
                at, here = stack.pop()
                if (at, here) in seen:
                    continue
                seen.add((at, here))
                if at == target:
                    found = min(found, pushes)
                for action in range(4):
                    ahead = int(board.steps[here, action])
                    if ahead == at:
                        beyond = int(board.steps[at, action])
                        if beyond >= 0:
                            following.add((beyond, at))
                    elif ahead >= 0:
                        stack.append((at, ahead))
            layer, pushes = following, pushes + 1
        print(board.squares[[box, player, target]], found)
        assert distance[box * 4 + part[box, player], 0] == found


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7])
def test_matching_is_the_cheapest(size: int) -> None:
    """Against all permutations, also after one box has another row, with the old potentials."""
    rng = np.random.default_rng(size)
    for _ in range(40):
        distance = rng.integers(0, 9, (2 * size, size)).astype(np.int32)
        distance[rng.random(distance.shape) < 0.25] = FAR
        keys = np.arange(size, dtype=np.int32)
        u, v, taken, least, way = (np.zeros(size + 1, dtype=np.int32) for _ in range(5))
        used = np.zeros(size + 1, dtype=np.uint8)
        taken[:] = -1

        def cheapest(distance: np.ndarray = distance, keys: np.ndarray = keys) -> int:
            costs = distance[keys].astype(np.int64)
            return min(
                FAR, min(int(costs[range(size), order].sum()) for order in itertools.permutations(range(size)))
            )

        for row in range(size):
            add_row(distance, keys, row, u, v, taken, least, way, used)
        print(distance[keys])
        assert total(distance, keys, taken) == cheapest()
        slot = int(rng.integers(size))
        keys[slot] = size + int(rng.integers(size))
        taken[np.flatnonzero(taken[:size] == slot)[0]] = -1
        add_row(distance, keys, slot, u, v, taken, least, way, used)
        assert total(distance, keys, taken) == cheapest()


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6))
def test_a_box_alone_is_pushable_where_it_then_has_a_target(seed: int) -> None:
    board = layout(room(seed))
    ground = survey(board, None, lambda note: None)
    for square, action in itertools.product(range(len(board.squares)), range(4)):
        stand, goal = int(board.steps[square, action ^ 2]), int(board.steps[square, action])
        after = ground.nearest[goal * 4 + ground.part[goal, square]] if goal >= 0 else FAR
        assert bool(ground.pushable[0, square] >> action & 1) == (stand >= 0 and after < FAR)
