"""Steps of the plan before their turn: which may be, that they take no step from others, and that they count."""

import itertools

import numpy as np

from ai.agent import Status, Thinking
from ai.sokoban.board.layout import layout
from ai.sokoban.fess import agent, early, run, tree
from ai.sokoban.fess import features as fess_features
from ai.sokoban.fess.macro import make_motion
from ai.sokoban.fess.packing import mark_serving
from ai.sokoban.rooms.maker import make_rooms
from game.rules import sokoban
from tests.ai.sokoban.levels import level

DEAD_END = """
###########
#      ####
# $ $  ...#
#  $   ####
# @    ####
###########
"""
TWO_ENDS = """
#################
####         ####
#.. $ $   $ $ ..#
####    @    ####
#################
"""


def _features(state, pulls=False, **parts):
    style = tree.Style(fine=True, freed=tree.NO, nearest=True, pulls=pulls)
    return run.Ends(layout(state), lambda note: None, **parts).end(style)


def _columns(end):
    """The column of the target of each step, and from which stage on it may be filled."""
    places = end.features.target[:-1]
    return end.board.squares[places] % end.board.state.warehouse.cols, end.features.early[:, places].argmax(
        axis=0
    ).tolist()


def test_a_dead_end_is_filled_from_its_end():
    columns, since = _columns(_features(level(DEAD_END)))
    assert columns.tolist() == [9, 8, 7] and since == [0, 1, 2]


def test_two_rooms_of_targets_do_not_wait_for_each_other():
    columns, since = _columns(_features(level(TWO_ENDS)))
    turn = {int(column): step for step, column in enumerate(columns)}
    print(turn, since)
    assert sorted(turn) == [1, 2, 14, 15]
    for deep, shallow in ((1, 2), (15, 14)):
        assert since[turn[deep]] == 0
        assert since[turn[shallow]] == turn[deep] + 1


def test_what_is_filled_early_counts_unless_that_is_left_out():
    state = level(TWO_ENDS)
    for parts, expected in ({}, 1), ({"early": False}, 0):
        end = _features(state, **parts)
        features = end.features
        columns, _ = _columns(end)
        late = max(columns.tolist().index(1), columns.tolist().index(15))
        boxes = end.board.boxes.astype(np.uint16)
        boxes[0] = features.target[late]
        missing = np.zeros(len(features.size), dtype=np.int32)
        assert late > 0 and fess_features.stage_of(features.fills, features.size, boxes, missing) == 0
        assert fess_features.done_of(features, boxes, 0) == expected


def test_nothing_early_takes_a_step_from_a_box_where_it_starts():
    sooner = 0
    for room in make_rooms(seed=9, rows=9, cols=9, boxes=4, count=30).boards:
        end = _features(sokoban.from_array(room))
        features, ground = end.features, end.ground
        squares = len(ground.steps)
        motion, reach = make_motion(squares), np.ones(squares, dtype=np.int32)

        def keys(stage, walls, motion=motion, reach=reach, end=end):
            """What could make the step after a stage, of all that stood at the start or was parked."""
            row = np.zeros(4 * len(reach), dtype=np.uint8)
            mark_serving(end.ground, walls, int(end.features.target[stage]), reach, motion, row, True)
            parked = int(end.features.origin[stage])
            return {key for key in np.flatnonzero(row) if key // 4 in ([parked] if parked >= 0 else end.board.boxes)}

        for step, goal in enumerate(features.target[:-1].tolist()):
            stages = np.flatnonzero(features.early[:, goal])
            if not len(stages):
                continue
            since = int(stages[0])
            assert since <= step or not features.filled[step, goal]
            sooner += since < step
            for stage in range(since, step):
                walls = features.filled[stage].copy()
                if not walls[goal]:
                    before = keys(stage, walls)
                    walls[goal] = 1
                    assert keys(stage, walls) == before
    assert sooner > 10


def test_backwards_every_step_waits_for_its_turn():
    end = _features(level(TWO_ENDS), pulls=True)
    assert not end.features.early.any()


def test_large_plans_keep_their_order(monkeypatch):
    monkeypatch.setattr(early, "_MOST_WORK", 100)
    end = _features(level(TWO_ENDS))
    assert not end.features.early.any()


def test_with_and_without_it_solutions_are_found():
    for text, without in itertools.product((DEAD_END, TWO_ENDS), ("nothing", "early")):
        plan = agent.Fess(600.0, 10**6, without).plan(level(text), Thinking())
        assert plan.status is Status.SOLVED, plan.note
