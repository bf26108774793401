"""Boxes that can never move again: they never do, and what they shut others off from is seen."""

from collections import deque
from dataclasses import replace

import numpy as np
import pytest

from ai.sokoban.board.ground import survey
from ai.sokoban.board.layout import layout
from ai.sokoban.fess import run, tree
from ai.sokoban.fess.perimeter import reversed_board
from ai.sokoban.fess.stuck import PLANS, STAYING, TABLES, make_stuck, mark_stuck, table_around
from ai.sokoban.rooms.maker import make_rooms
from game.rules import sokoban
from tests.ai.sokoban.levels import level

SHUT = """
########
#*     #
#*   $ #
#.##   #
#     @#
########
"""
"""Both boxes of the corner stay for ever; the third target can only be filled from above, with the player in the corner."""

OPEN = """
########
#.     #
#. $ $ #
#.##$  #
#     @#
########
"""


def _moved(board, ground, pulls):
    """The squares of the start whose boxes move in any position that can be reached, by a search of single steps.

    Nothing is pushed to where no target can be reached from.
    """
    steps, size = board.steps, len(board.squares)
    start = frozenset(board.boxes.tolist())

    def floor(boxes, player):
        found, stack = {player}, [player]
        while stack:
            for other in steps[stack.pop()].tolist():
                if other >= 0 and other not in boxes and other not in found:
                    found.add(other)
                    stack.append(other)
        return found

    parts = [square for square in range(size) if square not in start] if pulls else [board.player]
    queue = deque((start, min(floor(start, player))) for player in parts)
    seen, moved = set(queue), set()
    while queue:
        boxes, player = queue.popleft()
        room = floor(boxes, player)
        for box in boxes:
            for action in range(4):
                one, back = int(steps[box, action]), int(steps[box, (action + 2) % 4])
                if pulls:
                    goal, stand = one, one
                    end = int(steps[one, action]) if one >= 0 else -1
                    free = end >= 0 and end not in boxes
                else:
                    goal, stand, end = one, back, box
                    free = goal >= 0 and goal not in boxes and bool(ground.alive[goal])
                if not free or stand not in room:
                    continue
                if box in start:
                    moved.add(box)
                after = boxes - {box} | {goal}
                key = after, min(floor(after, end))
                if key not in seen:
                    seen.add(key)
                    queue.append(key)
    return moved


@pytest.mark.parametrize("pulls", [False, True])
def test_a_box_that_stays_for_ever_moves_in_no_position_that_can_be_reached(pulls):
    found, rng = 0, np.random.default_rng(31)
    for room in make_rooms(seed=31, rows=6, cols=6, boxes=2, count=40).boards:
        board = layout(sokoban.from_array(room))
        board = reversed_board(board) if pulls else board
        ground = survey(board, None, lambda note: None)
        free = [square for square in range(len(board.squares)) if square != board.player]
        boxes = np.sort(rng.permutation(free)[: rng.integers(3, 6)]).astype(np.int32)
        board = replace(board, boxes=boxes)
        stuck = make_stuck(ground, board.targets, 1)
        mark_stuck(ground, boxes.astype(np.uint16), pulls, stuck)
        staying = {box for box in boxes.tolist() if stuck.marks[box]}
        assert not staying & _moved(board, ground, pulls)
        off = any(not board.is_target[box] for box in staying)
        assert stuck.numbers[STAYING] == (-1 if off else len(staying))
        found += bool(staying)
    print(found)
    assert found >= 5


def test_targets_behind_boxes_that_stay_are_out_of_reach():
    board = layout(level(SHUT))
    ground = survey(board, None, lambda note: None)
    stuck, boxes = make_stuck(ground, board.targets, 1), board.boxes.astype(np.uint16)
    assert table_around(ground, boxes, False, stuck) == -1, "nothing is marked yet"
    mark_stuck(ground, boxes, False, stuck)
    assert stuck.numbers[STAYING] == 2
    table = table_around(ground, boxes, False, stuck)
    assert table == 0 and table_around(ground, boxes, False, stuck) == 0 and stuck.numbers[TABLES] == 1
    loose = next(int(box) for box in board.boxes if not board.is_target[box])
    key = loose * 4 + ground.part[loose, board.player]
    shut = [column for column, target in enumerate(board.targets.tolist()) if target not in board.boxes]
    assert ground.distance[key, shut[0]] < run.kept.COSTS and stuck.distance[0, key, shut[0]] > 10**6
    assert not stuck.distance[0].min() and (stuck.distance[0] >= ground.distance).all()


def _searched(text, stuck):
    style = tree.Style(fine=True, freed=tree.NO, nearest=True, pulls=False, corrals=False, stuck=stuck)
    search = run.FeatureSearch(run.Ends(layout(level(text)), lambda note: None).end(style), style)
    search.begin()
    answer = tree.GO_ON
    while answer == tree.GO_ON:
        answer = search.advance(10**6, 10_000)
    return answer, search


def test_a_search_sees_at_once_that_the_last_box_has_no_way():
    answer, search = _searched(SHUT, stuck=True)
    assert answer == tree.EXHAUSTED and search.count == 1
    answer, search = _searched(SHUT, stuck=False)
    assert answer == tree.EXHAUSTED and search.count > 1
    for stuck in (True, False):
        answer, search = _searched(OPEN, stuck)
        assert answer == tree.SOLVED


def test_a_step_of_the_plan_that_nobody_can_make_any_more_leaves_a_box_lost():
    _, search = _searched(SHUT, stuck=True)
    features, scratch = search._features, search._scratch
    assert scratch.stuck.numbers[PLANS] == 1 and search._tree.meta[tree.ASTRAY] == 1
    keys = np.flatnonzero(scratch.stuck.serving[0][:, 0])
    assert set((keys // 4).tolist()) == {int(features.target[0])}, (
        "the box that fills the lowest target is there already"
    )
    assert features.serving[:, 0].sum() > len(keys)


def test_large_levels_have_no_room_for_it():
    board = layout(level(OPEN))
    ground = survey(board, None, lambda note: None)
    many = ground._replace(steps=np.full((1000, 4), -1, dtype=np.int32))
    stuck = make_stuck(many, board.targets, 5)
    assert not len(stuck.known) and stuck.part.size == 1
