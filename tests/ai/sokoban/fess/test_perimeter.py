"""Searching from both ends: agrees with the optimal solver, whoever meets whom, and its pushes are legal."""

import pytest

from ai.agent import Status, Thinking
from ai.sokoban.board.layout import layout
from ai.sokoban.board.successors import REGIONS
from ai.sokoban.fess.perimeter import BothEnds, reversed_board
from ai.sokoban.rooms.maker import make_rooms
from ai.sokoban.search import bestfirst, bestfirst_search
from ai.sokoban.search.run import Run
from game.rules import sokoban
from tests.ai.sokoban.levels import level, pushes_of, spoilt

SPLIT = """
#######
#@  # #
# $ # #
#  $. #
###.###
  ###
"""


def rooms(count: int, seed: int, boxes: int):
    return [
        sokoban.from_array(board) for board in make_rooms(seed=seed, rows=8, cols=8, boxes=boxes, count=count).boards
    ]


def both(state: sokoban.State, turn: int, backward: bool = True):
    """The answer, the plan where there is one, and which side met the other."""
    frame = Run(state, Thinking(), 600.0, 10**6)
    ends, limit, answer = BothEnds(frame, backward), 0, bestfirst_search.AT_LIMIT
    while answer == bestfirst_search.AT_LIMIT:
        limit += turn
        answer = ends.advance(limit, 10**6)
    met = [side.met >= 0 for side in ends._sides]
    return answer, frame.solved(ends.steps(), REGIONS, ends.count) if answer == bestfirst_search.SOLVED else None, met


@pytest.mark.parametrize("turn", [3, 40, 1000])
def test_it_agrees_with_the_optimal_solver(turn: int) -> None:
    seen = set()
    for index, state in enumerate(rooms(40, 3, 3)):
        if index % 2:
            state = spoilt(state, index)
        expected = bestfirst.AStar(600.0, 10**6).plan(state, Thinking())
        answer, plan, met = both(state, turn)
        if expected.nodes == 0 and expected.status is Status.UNSOLVABLE:
            continue  # a box or target is shut off: no search is asked
        assert (answer == bestfirst_search.SOLVED) == (expected.status is Status.SOLVED), sokoban.to_array(state)
        if plan is not None and expected.depth is not None:
            assert pushes_of(state, plan) >= expected.depth
        seen.add((answer, *met))
    print(turn, sorted(seen))
    assert {answer for answer, *_ in seen} == {bestfirst_search.SOLVED, bestfirst_search.EXHAUSTED}
    if turn == 3:
        assert {(bestfirst_search.SOLVED, True, False), (bestfirst_search.SOLVED, False, True)} <= seen, (
            "each side has met the other"
        )


def test_it_begins_backward_in_every_part_of_the_floor() -> None:
    state = level(SPLIT)
    answer, plan, met = both(state, 2)
    print(answer, plan, met)
    assert plan is not None and pushes_of(state, plan) > 0


def test_without_the_other_end_it_is_a_greedy_search() -> None:
    for state in rooms(5, 8, 4):
        greedy = bestfirst.Greedy(600.0, 10**6, "pushes", "matching", "corrals").plan(state, Thinking())
        answer, plan, _ = both(state, 50, backward=False)
        assert answer == bestfirst_search.SOLVED and plan is not None and plan.actions == greedy.actions


def test_a_reversed_board_has_boxes_and_targets_exchanged() -> None:
    board = layout(level(SPLIT))
    other = reversed_board(board)
    assert other.boxes.tolist() == board.targets.tolist() and other.targets.tolist() == board.boxes.tolist()
    assert other.is_target.nonzero()[0].tolist() == sorted(board.boxes.tolist())
    assert other.rules == sokoban.Rules(push=False, pull=True)
