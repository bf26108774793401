"""`fess`: macro moves, the packing plan, deadlocks that are none, solutions under the plain rules, proofs."""

import itertools

import numpy as np
import pytest

from ai.agent import Status, Thinking
from ai.sokoban.board.distance import FAR, mark_pushable
from ai.sokoban.board.ground import survey
from ai.sokoban.board.layout import layout
from ai.sokoban.board.successors import EVERY, REGIONS, flood
from ai.sokoban.fess import agent, dead, run, tree
from ai.sokoban.fess import moves as fess_moves
from ai.sokoban.fess.assignment import assignable, fitting, unserved
from ai.sokoban.fess.macro import label_blocks, macro_moves, make_motion
from ai.sokoban.fess.packing import SEARCHES, make_plan
from ai.sokoban.fess.packing_room import BEST, COUNT, LEFT, PARENT, PARKED, SHORT, SLOT, TO, Manner, make_pulls
from ai.sokoban.fess.packing_search import _first, follow, search_plan
from ai.sokoban.fess.perimeter import reversed_board
from ai.sokoban.fess.route import MAX_COST, find_route, make_route
from ai.sokoban.rooms.maker import make_rooms
from ai.sokoban.search import bestfirst
from ai.sokoban.search.run import moves
from game.rules import sokoban
from game.rules.levels import parse
from tests.ai.sokoban.levels import spoilt

STYLES = [
    tree.Style(fine, freed, nearest, pulls)
    for pulls in (False, True)
    for fine, freed, nearest in (
        (False, tree.NO, False),
        (True, tree.COUNTED, True),
        (True, tree.IN_ORDER, False),
    )
]

CORRIDOR = """
#########
#   #   #
# $   $ #
#  # $  #
#@ #  ..#
####   .#
   ######
"""
SHUT_CLUSTER = """
##########
#   #@   #
#      $##
#  .   $$#
#  ..    #
##########
"""

TWO_ENTRANCES = """
###############
#     #########
# $ $ #########
# $ $ #########
#   @ #########
#### ##########
###  ....   ###
###  ....   ###
########## ####
########     ##
######## $ $ ##
######## $ $ ##
########     ##
###############
"""

TWO_SIDES = """
###############
#             #
# ########### #
#    #####    #
# $  #####  $ #
#  $ .... $   #
#@   #####    #
###############
"""

THROUGH = """
###############
#     #########
#     ##      #
#     ##  $$  #
#     ##  $@$ #
#     ## #    #
#     ##  #####
#     ....#####
#     #########
###############
"""


def _state(text):
    return parse(text.strip("\n"), "test").levels[0].state


def _rooms(count, seed, boxes=3):
    return [
        sokoban.from_array(board) for board in make_rooms(seed=seed, rows=7, cols=7, boxes=boxes, count=count).boards
    ]


def _parts(state):
    board = layout(state)
    return board, survey(board, None, lambda note: None)


def _end(state, style):
    """Where a search of that style begins."""
    return run.Ends(layout(state), lambda note: None).end(style)


def _pushed(state, box):
    """(square of the box, squares of the player) for everything that pushing this box alone can reach."""
    found, stack = set(), [state]
    seen = set()
    while stack:
        here = stack.pop()
        square = next(iter(here.boxes - (state.boxes - {box})))
        room = sokoban.reachable(here)
        if (square, room) in seen:
            continue
        seen.add((square, room))
        found.add((square, room))
        for spot in room:
            stood = sokoban.State(here.warehouse, here.boxes, spot)
            for action in sokoban.legal_actions(stood):
                if sokoban.is_push(stood, action) and here.warehouse.steps[spot][action] == square:
                    stack.append(sokoban.apply(stood, action))
    return found


def test_macro_moves_reach_what_pushing_one_box_reaches():
    for state in [_state(CORRIDOR), *_rooms(6, 3)]:
        board, ground = _parts(state)
        mark_pushable(
            ground.steps, ground.part, np.zeros_like(ground.nearest), ground.pushable
        )  # no square is dead here
        motion, reach = make_motion(len(board.squares)), np.zeros(len(board.squares), dtype=np.int32)
        occupied = board.occupied
        flood(board.steps, occupied, reach, 1, board.player, np.zeros(len(board.squares), dtype=np.int32))
        for box in board.boxes.tolist():
            label_blocks(board.steps, occupied, motion)
            occupied[box] = 0
            count = macro_moves(ground, occupied, box, reach, 1, False, EVERY, motion)
            occupied[box] = 1
            mine = set()
            for node in motion.nodes[:count].tolist():
                square = int(board.squares[node // 4])
                boxes = state.boxes - {int(board.squares[box])} | {square}
                stand = int(board.squares[board.steps[node // 4, node % 4]])
                mine.add((square, sokoban.reachable(sokoban.State(state.warehouse, boxes, stand))))
            expected = _pushed(state, int(board.squares[box]))
            touching = {
                (square, room)
                for square, room in expected
                if any(other in room for other in state.warehouse.steps[square])
            }
            print(box, len(mine), len(touching))
            assert mine == touching


def test_the_plan_fills_every_target_a_square_a_step():
    for state in [_state(CORRIDOR), *_rooms(10, 5)]:
        board, ground = _parts(state)
        plan, left, _ = make_plan(board, ground, make_motion(len(board.squares)))
        print(plan.target.tolist(), left)
        assert left == 0 and not plan.filled[0].any() and (plan.filled[-1] == board.is_target).all()
        for before, after in zip(plan.filled, plan.filled[1:], strict=False):
            assert (after & ~before & 1).sum() == 1 and (before & ~after & 1).sum() <= 1


def test_the_plan_of_the_other_end_fills_every_square_of_the_start():
    for state in [_state(CORRIDOR), _state(TWO_SIDES), *_rooms(10, 5)]:
        board, ground = _parts(state)
        back = reversed_board(board)
        plan, left, _ = make_plan(back, ground, make_motion(len(board.squares)), pulling=False)
        print(plan.target.tolist(), left)
        assert left == 0 and not plan.filled[0].any() and (plan.filled[-1] == back.is_target).all()
        for stage, (before, after) in enumerate(itertools.pairwise(plan.filled)):
            assert (after & ~before & 1).sum() == 1 and (before & ~after & 1).sum() <= 1
            assert plan.serving[:, stage].any()


def test_what_most_boxes_could_do_is_planned_last():
    board, ground = _parts(_state(TWO_ENTRANCES))
    plan, left, _ = make_plan(board, ground, make_motion(len(board.squares)))
    keys = board.boxes * 4 + ground.part[board.boxes, board.player]
    able = plan.serving[keys, :-1].sum(axis=0)
    print(plan.target.tolist(), able.tolist())
    assert left == 0 and (plan.origin < 0).all() and (able >= 2).all()
    one, two, three = np.array([3, 1, 2]), np.array([0, 0, 1], np.uint8), np.array([1, 2, 9])
    assert _first(one.astype(np.int32), two, three.astype(np.int32)) == 1


@pytest.mark.parametrize("pulls", [False, True])
def test_a_way_without_boxes_leads_wherever_a_box_alone_can_get(pulls):
    for state in [_state(CORRIDOR), *_rooms(10, 9)]:
        board = reversed_board(layout(state)) if pulls else layout(state)
        ground = survey(board, None, lambda note: None)
        squares, fits = len(board.squares), np.ones(1, dtype=np.uint8)
        reach, queue, route = np.zeros(squares, np.int32), np.zeros(squares, np.int32), make_route(squares)
        for box in set(range(squares)) - {board.player} - set(board.targets.tolist()):
            key = box * 4 + ground.part[box, board.player]
            occupied = np.zeros(squares, dtype=np.uint8)
            occupied[box] = 1
            route.price[:] = occupied
            reach[:] = 0
            flood(board.steps, occupied, reach, 1, np.int64(board.player), queue)
            for column, target in enumerate(board.targets.tolist()):
                boxes = np.array([box], dtype=np.uint16)
                met = find_route(ground, boxes, fits, board.player, reach, 1, -1, target, pulls, route)
                # it may meet the box itself, where this comes back to the square that it left
                assert (met < MAX_COST) == (ground.distance[key, column] < FAR)
                assert route.on[target] == (met < MAX_COST) and not route.on[box]


def test_the_start_is_left_in_the_order_in_which_it_can_be():
    leaving, boxes = np.array([0, 1, 2, 3, 0], dtype=np.int32), np.array([0, 2, 4], dtype=np.uint16)
    assert fess_moves.still_there(leaving, boxes, tree.COUNTED) == 1
    assert fess_moves.still_there(leaving, boxes, tree.IN_ORDER) == 2
    for style in STYLES:
        state = _state(CORRIDOR)
        end = _end(state, style)
        numbers = sorted(end.features.leaving[end.board.boxes].tolist())
        expected = {tree.NO: [0, 0, 0], tree.COUNTED: [1, 1, 1], tree.IN_ORDER: [1, 2, 3]}
        assert numbers == expected[style.freed]
        assert end.features.leaving.sum() == sum(numbers)


def _astray(plan, board, ground):
    """Boxes of the start that find no step of a plan, and what `unserved` leaves."""
    keys = (board.boxes * 4 + ground.part[board.boxes, board.player]).astype(np.int32)
    taken, came, queue = (np.zeros(len(plan.origin), dtype=np.int32) for _ in range(3))
    boxes = board.boxes.astype(np.uint16)
    lost = unserved(plan.serving, plan.origin, plan.filled[0], 0, boxes, keys, taken, came, queue)
    return lost, keys, taken


def test_in_a_plan_every_box_has_a_step_of_its_own():
    board, ground = _parts(_state(TWO_SIDES))
    plan, left, _ = make_plan(board, ground, make_motion(len(board.squares)))
    lost, _, taken = _astray(plan, board, ground)
    print(plan.target.tolist(), taken.tolist())
    assert left == 0 and lost == 0 and (plan.origin < 0).all()
    # the boxes of the left side could fill every target: no step may be theirs that leaves the others without one
    west = [box for box in range(4) if board.squares[board.boxes[box]] % 15 < 7]
    assert len(west) == 2 and sum(int(box) in west for box in taken[:4]) == 2


def _opening(state):
    """A search for a plan that parks what opens most, and its arguments."""
    board, ground = _parts(state)
    motion = make_motion(len(board.squares))
    source = np.zeros(len(board.squares), dtype=np.int32)
    source[board.boxes] = 1 + np.arange(len(board.boxes))
    side = ground.part[board.boxes, board.player].astype(np.int32)
    pulls = make_pulls(board, 4096, opening=True)
    while not search_plan(
        ground, source, side, pulls, motion, Manner(matched=True, park=True, opening=True), -1, 10**6, 10
    ):
        pass
    return board, ground, source, side, motion, pulls


def test_boxes_that_must_go_through_the_targets_are_parked_behind_them():
    board, ground, source, side, motion, pulls = _opening(_state(THROUGH))
    record = best = int(pulls.meta[BEST])
    parked = int(pulls.records[best, PARKED])
    chain = []
    while pulls.records[record, PARENT] >= 0:
        chain.append((int(pulls.records[record, SLOT]), int(pulls.records[record, TO])))
        record = int(pulls.records[record, PARENT])
    slots, goals = (np.array(column, dtype=np.int32) for column in zip(*chain[::-1], strict=True))
    assert pulls.records[best, LEFT] == 0 and parked == (goals >= 0).sum() > 0
    places = goals[goals >= 0] // 4
    assert not source[places].any(), "parked where a box stands at the start"

    def again(skip):
        fewer = make_pulls(board, record + len(chain) + 1, opening=False)
        fewer.boxes[: record + 1], fewer.records[: record + 1] = (
            pulls.boxes[: record + 1],
            pulls.records[: record + 1],
        )
        fewer.meta[COUNT] = record + 1
        done = follow(ground, source, side, fewer, motion, record, slots, goals, skip, True)
        return done, int(fewer.records[fewer.meta[BEST], LEFT])

    assert again(-1) == (True, 0)
    assert again(int(np.flatnonzero(goals < 0)[-1]))[1] != 0, "with a box not taken away all are away"
    plan, left, _ = make_plan(board, ground, motion)
    parks = int((plan.origin >= 0).sum())
    assert left == 0 and 0 < parks <= parked
    # without parking there is none: some box finds no step
    room, manner = SEARCHES[0]
    assert manner == Manner(matched=True, park=False, opening=False)
    first = make_pulls(board, room, opening=False)
    while not search_plan(ground, source, side, first, motion, manner, -1, 10**6, 10):
        pass
    found = first.records[first.meta[BEST]]
    assert found[LEFT] > 0 or found[SHORT] > 0
    solved = agent.Fess(60.0, 10**6).plan(_state(THROUGH), Thinking())
    assert solved.status is Status.SOLVED


def test_boxes_fit_a_step_where_the_others_keep_theirs():
    rng = np.random.default_rng(5)
    outcomes = set()
    for _ in range(400):
        size = int(rng.integers(2, 6))
        steps = size + int(rng.integers(0, 2))
        serving = np.zeros((4 * size, steps + 1), dtype=np.uint8)
        serving[:, :steps] = rng.random((4 * size, steps)) < 0.4
        origin = np.full(steps + 1, -1, dtype=np.int32)
        boxes, keys = np.arange(size, dtype=np.uint16), 4 * np.arange(size, dtype=np.int32)
        packed = np.zeros(size, dtype=np.uint8)
        taken, came, queue = (np.zeros(steps + 1, dtype=np.int32) for _ in range(3))
        lost = unserved(serving, origin, packed, 0, boxes, keys, taken, came, queue)
        fits = np.zeros(size, dtype=np.uint8)
        fitting(serving, origin, packed, 0, boxes, keys, taken, np.zeros(size, dtype=np.int32), fits)
        for box in range(size):
            others = np.delete(boxes, box), np.delete(keys, box)
            rest = unserved(serving, origin, packed, 1, *others, *(np.zeros(steps + 1, np.int32) for _ in range(3)))
            expected = bool(serving[keys[box], 0]) and rest <= lost
            outcomes.add((bool(fits[box]), lost > 0))
            assert bool(fits[box]) == expected, (serving[::4], box)
    assert len(outcomes) == 4


def test_no_position_of_a_solution_is_called_dead():
    solver = bestfirst.AStar(600.0, 10**6)
    for state in _rooms(25, 11):
        plan = solver.plan(state, Thinking())
        assert plan.status is Status.SOLVED
        board, ground = _parts(state)
        mine = run.FeatureSearch(_end(state, STYLES[0]), STYLES[0])
        scratch, number = mine._scratch, {int(square): index for index, square in enumerate(board.squares)}
        for action in plan.actions:
            state = sokoban.apply(state, action)
            boxes = np.array(sorted(number[box] for box in state.boxes), dtype=np.uint16)
            scratch.occupied[:] = 0
            scratch.occupied[boxes] = 1
            scratch.reach[:] = 0
            player = flood(board.steps, scratch.occupied, scratch.reach, 1, number[state.player], scratch.queue)
            stamp = 1
            for square in range(len(board.squares)):
                if not scratch.occupied[square] and not scratch.reach[square]:
                    stamp += 1
                    flood(board.steps, scratch.occupied, scratch.reach, stamp, square, scratch.queue)
            for box in boxes.tolist():
                assert not dead.is_deadlock(ground, STYLES[0], box, 1, player, 10**9, scratch)


@pytest.mark.parametrize("text", [CORRIDOR, SHUT_CLUSTER, TWO_SIDES])
def test_it_agrees_with_the_optimal_solver(text):
    state = _state(text)
    expected = bestfirst.AStar(600.0, 10**6).plan(state, Thinking())
    plan = agent.Fess(600.0, 10**6).plan(state, Thinking())
    print(expected.note, "|", plan.note)
    assert plan.status is expected.status
    for action in plan.actions:
        state = sokoban.apply(state, action)
    assert sokoban.is_solved(state) == (plan.status is Status.SOLVED)


def test_rooms_are_solved_and_spoilt_ones_judged_as_by_the_optimal_solver():
    statuses = []
    for index, state in enumerate(_rooms(30, 21)):
        if index % 2:
            state = spoilt(state, index)
        expected = bestfirst.AStar(600.0, 10**6).plan(state, Thinking())
        plan = agent.Fess(600.0, 10**6).plan(state, Thinking())
        assert plan.status is expected.status, sokoban.to_array(state)
        for action in plan.actions:
            state = sokoban.apply(state, action)
        assert sokoban.is_solved(state) or plan.status is Status.UNSOLVABLE
        statuses.append(plan.status)
    print(statuses)
    assert {Status.SOLVED, Status.UNSOLVABLE} == set(statuses)


def _run(state, style):
    """Whether one search alone solves a position, all of which it looks at where it must; its pushes are played."""
    mine = run.FeatureSearch(_end(state, style), style)
    mine.begin()
    answer = tree.GO_ON
    while answer == tree.GO_ON:
        answer = mine.advance(10**6, 10_000)
    assert answer in (tree.SOLVED, tree.EXHAUSTED)
    if answer == tree.SOLVED:
        actions, _ = moves(layout(state), mine.pushes(), REGIONS)
        for action in actions:
            state = sokoban.apply(state, action)
        assert sokoban.is_solved(state)
    return answer == tree.SOLVED, mine.count


@pytest.mark.parametrize("style", STYLES)
def test_every_search_of_the_portfolio_makes_every_move_before_it_ends(style):
    verdicts = []
    for index, state in enumerate(_rooms(30, 41)):
        if index % 3:
            free = sorted(state.warehouse.floor - state.boxes - {state.player})
            boxes = sorted(state.boxes)
            boxes[index % 3] = free[(5 * index) % len(free)]
            state = sokoban.State(state.warehouse, frozenset(boxes), state.player)
        if sokoban.is_solved(state):
            continue
        expected = bestfirst.AStar(600.0, 10**6).plan(state, Thinking())
        solved, count = _run(state, style)
        verdicts.append((solved, count))
        assert solved == (expected.status is Status.SOLVED), sokoban.to_array(state)
    print(verdicts)


def test_the_same_nodes_give_the_same_plan():
    state = _state(CORRIDOR)
    plans = [agent.Fess(60.0, 10**6).plan(state, Thinking(nodes=500)) for _ in range(2)]
    assert plans[0].actions == plans[1].actions and plans[0].nodes == plans[1].nodes
    few = agent.Fess(60.0, 10**6).plan(state, Thinking(nodes=2))
    assert few.status is Status.GAVE_UP and "2 positions" in few.note


def test_a_cancel_is_answered():
    thinking = Thinking(listener=lambda progress: thinking.cancel())
    assert agent.Fess(60.0, 10**6).plan(_state(CORRIDOR), thinking).status in (Status.CANCELLED, Status.SOLVED)


def test_matchings_agree_with_all_orders():
    rng = np.random.default_rng(1)
    for trial in range(300):
        size = int(rng.integers(1, 6))
        distance = np.where(rng.random((size, size)) < 0.45, 1, FAR).astype(np.int32)
        expected = any(
            all(distance[box, order[box]] < FAR for box in range(size))
            for order in itertools.permutations(range(size))
        )
        taken = np.full(size, -1, dtype=np.int32) if trial % 2 else rng.permutation(size).astype(np.int32)
        keys, came, queue = np.arange(size, dtype=np.int32), np.zeros(size, np.int32), np.zeros(size, np.int32)
        assert assignable(distance, keys, taken, came, queue) == expected


def test_several_searches_at_once_give_the_same_plan_every_time() -> None:
    state = _state(CORRIDOR)
    plans = [agent.Fess(60.0, 10**6, cores=3).plan(state, Thinking(nodes=20_000)) for _ in range(3)]
    print(plans)
    assert len({(plan.status, plan.actions) for plan in plans}) == 1
    for action in plans[0].actions:
        state = sokoban.apply(state, action)
    assert plans[0].status is Status.SOLVED and sokoban.is_solved(state)
    cancelled = Thinking()
    cancelled.cancel()
    assert agent.Fess(60.0, 10**6, cores=3).plan(state, cancelled).status in (Status.CANCELLED, Status.SOLVED)
