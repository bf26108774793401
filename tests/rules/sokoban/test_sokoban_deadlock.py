"""What is called dead has no solution: against exhaustive search; and what is known to be alive is not called dead."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.rules import levels, sokoban


def show(state: sokoban.State) -> str:
    return "\n" + "\n".join(levels.board(state))


def board_of(text: str) -> sokoban.State:
    rows = text.strip("\n").split("\n")
    codes = {"#": 1, "$": 2, ".": 3, "@": 4, "*": 5, "+": 6, " ": 0}
    array = np.zeros((len(rows), max(map(len, rows))), dtype=np.int8)
    for row, line in enumerate(rows):
        for col, letter in enumerate(line):
            array[row, col] = codes[letter]
    return sokoban.from_array(array)


def solvable(state: sokoban.State) -> bool:
    """Exhaustive search over every position; a push takes the player's whole region with it."""
    seen: set[tuple[frozenset[int], int]] = set()
    stack = [state]
    while stack:
        here = stack.pop()
        if sokoban.is_solved(here):
            return True
        region = sokoban.reachable(here)
        key = (here.boxes, min(region))
        if key in seen:
            continue
        seen.add(key)
        steps = here.warehouse.steps
        for box in here.boxes:
            for action in range(4):
                stand, goal = steps[box][(action + 2) % 4], steps[box][action]
                if stand in region and goal >= 0 and goal not in here.boxes:
                    stack.append(sokoban.State(here.warehouse, here.boxes - {box} | {goal}, box))
    return False


def crowded(seed: int) -> sokoban.State:
    """A small room, full enough that boxes lean on walls and on one another."""
    rng = random.Random(seed)
    rows, cols = rng.randint(2, 5), rng.randint(2, 5)
    cells = [1 if rng.random() < 0.12 else 0 for _ in range(rows * cols)]
    free = rng.sample(range(rows * cols), rows * cols)
    count = rng.randint(1, max(1, min(5, rows * cols // 3)))
    boxes = free[:count]
    kept = rng.randint(0, count)  # boxes that start on a target
    targets = boxes[:kept] + free[count : count + count - kept]
    for square in boxes:
        cells[square] = 2
    for square in targets:
        cells[square] = 5 if cells[square] == 2 else 3
    cells[free[-1]] = 6 if cells[free[-1]] == 3 else 4
    return sokoban.from_array(np.pad(np.array(cells).reshape(rows, cols), 1, constant_values=1))


@settings(max_examples=250, deadline=None)
@given(st.integers(0, 2**32))
def test_dead_positions_have_no_solution(seed: int) -> None:
    state = crowded(seed)
    stuck = sokoban.stuck_boxes(state)
    print(show(state), stuck)
    assert not stuck & state.warehouse.targets
    assert stuck <= state.boxes
    if stuck:
        assert sokoban.is_dead(state)
    if sokoban.is_dead(state):
        assert not solvable(state)


def test_most_unsolvable_positions_of_small_rooms_are_found() -> None:
    """Not only is nothing called dead by mistake: of the really dead positions most are seen."""
    dead = found = 0
    for seed in range(150):
        state = crowded(seed)
        if not solvable(state):
            dead += 1
            found += sokoban.is_dead(state)
    assert dead > 50
    assert found / dead > 0.8, (found, dead)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_dead_squares_are_those_from_which_one_box_reaches_no_target(seed: int) -> None:
    warehouse = crowded(seed).warehouse
    reachable = set()
    for start in warehouse.floor - warehouse.walls:
        stack, seen = [start], {start}
        while stack:
            square = stack.pop()
            for action in range(4):
                stand, goal = warehouse.steps[square][(action + 2) % 4], warehouse.steps[square][action]
                if stand >= 0 and goal >= 0 and goal not in seen:
                    seen.add(goal)
                    stack.append(goal)
        if seen & warehouse.targets:
            reachable.add(start)
    assert sokoban.dead_squares(warehouse) == warehouse.floor - reachable


def test_a_box_on_its_target_in_a_corner_is_not_stuck() -> None:
    state = board_of("######\n#*   #\n# $. #\n#@   #\n######")
    assert sokoban.stuck_boxes(state) == frozenset()
    assert not sokoban.is_dead(state)


def test_a_box_against_a_movable_box_is_not_stuck() -> None:
    state = board_of("#######\n#  .  #\n# $$ .#\n#  @  #\n#######")
    assert sokoban.stuck_boxes(state) == frozenset()


def test_a_box_in_a_corner_off_target_is_stuck() -> None:
    state = board_of("#####\n#$ .#\n#@  #\n#####")
    assert sokoban.stuck_boxes(state) == {6}
    assert sokoban.is_dead(state)


def test_two_boxes_side_by_side_on_a_wall_freeze_unless_both_are_on_targets() -> None:
    assert sokoban.stuck_boxes(board_of("######\n# $* #\n# @ .#\n######")) == {8}
    pair = board_of("######\n# ** #\n#@$ .#\n#    #\n######")
    assert sokoban.stuck_boxes(pair) == frozenset()


def test_a_square_of_four_boxes_is_stuck() -> None:
    state = board_of("########\n#      #\n# $$ ..#\n# $* . #\n#   @  #\n########")
    assert sokoban.stuck_boxes(state) == {18, 19, 26}


def test_a_box_wedged_by_a_box_that_can_leave_is_not_stuck() -> None:
    """The right box leans on the wall below it only through the left one, which can go up."""
    state = board_of("########\n#      #\n# $    #\n##$ . .#\n#     @#\n########")
    assert sokoban.stuck_boxes(state) == frozenset()
    assert solvable(state)


def test_boxes_frozen_on_targets_can_shut_the_others_off() -> None:
    state = board_of("#######\n#.*   #\n###*  #\n#####$#\n#####@#\n#######")
    print(show(state))
    assert sokoban.is_dead(state) == (not solvable(state))


def test_boxes_that_share_one_reachable_target_are_dead_though_none_is_stuck() -> None:
    """Both boxes can only slide along the bottom to its target; the other target is above."""
    state = board_of("########\n#   .  #\n#      #\n#@$ $ .#\n########")
    print(show(state))
    assert sokoban.stuck_boxes(state) == frozenset()
    assert sokoban.is_dead(state)
    assert not solvable(state)


@pytest.mark.parametrize("board", ["#######\n#@ #$.#\n#$.####\n#######", "#######\n#@  #$#\n#$. #.#\n#######"])
def test_a_box_in_a_closed_room_is_stuck(board: str) -> None:
    state = board_of(board)
    outside = {box for box in state.boxes if box not in state.warehouse.connected([state.player])}
    assert sokoban.stuck_boxes(state) == outside
