"""Shortened solutions: valid, never longer than what they began with, shortest where that is said, quick to cancel."""

import threading
import time
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from ai import catalogue
from ai.agent import Plan, Progress, Status, Thinking
from ai.entries import Spec
from ai.sokoban.board.layout import Bytes, Ints, Words, layout
from ai.sokoban.board.moves import mark_alive
from ai.sokoban.rooms.maker import make_rooms
from ai.sokoban.search import optimise_search as search
from ai.sokoban.search import vicinity
from ai.sokoban.search.bestfirst import AStar, Greedy
from ai.sokoban.search.optimise import Optimise
from ai.sokoban.search.run import Run
from ai.sokoban.search.solution import PRICES, solution
from ai.sokoban.search.solution import pushes_of as steps_of
from game.rules import levels, sokoban
from tests.ai.sokoban.levels import level, pushes_of

GREEDY = "greedy"
TINY = "#######\n#@    #\n# $ $ #\n#.   .#\n#######"


def counts(state: sokoban.State, plan: Plan, optimal: str) -> tuple[int, int]:
    """What decides and what breaks ties."""
    print(*levels.board(state), plan.note, sep="\n")
    moves, pushes = len(plan.actions), pushes_of(state, plan)
    return (moves, pushes) if optimal == "moves" else (pushes, moves)


def rooms(side: int, boxes: int, count: int) -> list[sokoban.State]:
    """Solvable rooms."""
    made = make_rooms(seed=5, rows=side, cols=side, boxes=boxes, count=count)
    return [made.state(number) for number in range(count)]


@pytest.mark.parametrize("optimal", ["pushes", "moves"])
def test_tiny_levels_are_proved_the_shortest(optimal: str) -> None:
    for state in rooms(7, 2, 8):
        plan = Optimise(GREEDY, 30.0, 1_000_000, optimal).plan(state, Thinking())
        first = AStar(30.0, 1_000_000, optimal).plan(state, Thinking())
        print(plan.note, first.note, sep="\n")
        assert plan.status is first.status is Status.SOLVED
        assert plan.exact
        best = counts(state, plan, optimal)
        assert best[0] == counts(state, first, optimal)[0] == plan.depth
        assert best <= counts(state, first, optimal)


@pytest.mark.parametrize("optimal", ["pushes", "moves"])
def test_what_greedy_finds_gets_shorter(optimal: str) -> None:
    shorter = 0
    for state in rooms(8, 3, 8):
        began = Greedy(30.0, 10_000, optimal, "manhattan", "none").plan(state, Thinking(nodes=10_000))
        plan = Optimise(GREEDY, 30.0, 20_000, optimal).plan(state, Thinking(nodes=20_000))
        print(began.note, "->", plan.note)
        assert counts(state, plan, optimal) <= counts(state, began, optimal)
        shorter += counts(state, plan, optimal) < counts(state, began, optimal)
    assert shorter > 4


def test_the_same_budget_gives_the_same_plan() -> None:
    state = rooms(14, 8, 1)[0]
    plans = [Optimise(GREEDY, 600.0, 10**6, "moves").plan(state, Thinking(nodes=60_000)) for _ in range(2)]
    print(plans[0].note, plans[0].nodes)
    assert plans[0].status is Status.SOLVED
    assert replace(plans[0], seconds=0) == replace(plans[1], seconds=0)
    assert plans[0].nodes <= 60_000


def test_progress_falls_and_a_cancel_keeps_the_best_so_far() -> None:
    state = rooms(14, 8, 1)[0]
    began = Optimise(GREEDY, 30.0, 10**6, "pushes")._source.plan(state, Thinking())
    told: list[Progress] = []
    cancelled_at: list[float] = []

    def cancel() -> None:
        cancelled_at.append(time.perf_counter())
        thinking.cancel()

    def listen(progress: Progress) -> None:
        if progress.measure is not None and not told:
            timer.start()
        told.extend([progress] if progress.measure is not None else [])

    timer = threading.Timer(0.3, cancel)
    thinking = Thinking(seconds=30.0, listener=listen)
    plan = Optimise(GREEDY, 30.0, 10**7, "pushes").plan(state, thinking)
    late = time.perf_counter() - cancelled_at[0]
    measures = [each.measure for each in told if each.measure is not None]
    print(f"{began.note}; {plan.note}; {late:.3f} s late; {told[-1].note}; {len(told)} reports")
    assert plan.status is Status.SOLVED
    assert late < 2.0  # on a busy machine; `bench` measures it
    assert counts(state, plan, "pushes") < counts(state, began, "pushes")
    assert measures == sorted(measures, reverse=True)
    pushes = pushes_of(state, plan)
    assert measures[-1] == pushes
    assert told[-1].note.startswith(f"{pushes} pushes, {len(plan.actions)} moves, was ")


def test_many_short_searches_do_not_lengthen_the_slices_of_the_next_long_one() -> None:
    budgets: list[int] = []

    def work(answer: int, budget: int) -> int:
        budgets.append(budget)
        return answer

    run = Run(level(TINY), Thinking(), 10.0, 1000)
    for _ in range(50):
        assert run.timed(partial(work, search.DONE)) == search.DONE
    print(budgets)
    assert budgets[-1] == budgets[0]
    run.timed(partial(work, search.GO_ON))
    run.timed(partial(work, search.GO_ON))
    assert budgets[-1] == 2 * budgets[0], "a slice that was too short is made longer"


def test_a_cancel_at_once_and_no_solution_are_passed_on() -> None:
    thinking = Thinking()
    thinking.cancel()
    assert Optimise("fess", 30.0, 10**6).plan(rooms(14, 8, 1)[0], thinking).status is Status.CANCELLED
    stuck = level("######\n#@ . #\n#  . #\n#$ $ #\n######")
    plan = Optimise("fess", 30.0, 10**6).plan(stuck, Thinking())
    assert (plan.status, plan.exact) == (Status.UNSOLVABLE, True)
    given_up = Optimise("astar", 30.0, 1000).plan(rooms(14, 8, 1)[0], Thinking(nodes=1000))
    assert given_up.status is Status.GAVE_UP


def test_the_catalogue_offers_all_other_solvers() -> None:
    choices = catalogue.entry("sokoban", "optimise").parameter("from").choices
    others = {each.id for each in catalogue.entries("sokoban")} - {"optimise"}
    assert set(choices) <= others
    assert {"fess", "astar", "greedy"} <= set(choices)
    state = level(TINY)
    for agent_id in choices:
        plan = catalogue.create("sokoban", Spec("optimise", {"from": agent_id, "time": 2.0})).plan(state, Thinking())
        assert counts(state, plan, "pushes") == (4, 11), agent_id
    with pytest.raises(catalogue.CatalogueError):
        catalogue.parse("sokoban", "optimise,from=optimise")


def test_the_vicinity_is_every_position_with_one_or_two_boxes_nearby() -> None:
    state = rooms(7, 3, 1)[0]
    board = layout(state)
    squares = len(board.squares)
    alive: Bytes = np.zeros(squares, dtype=np.uint8)
    queue, seen = np.zeros((2, squares), dtype=np.int32)
    mark_alive(board.steps, board.targets, alive, queue)
    near: Ints = np.empty((squares, 3), dtype=np.int32)
    vicinity.nearby(board.steps, alive, near, queue, seen)
    words: Words = np.random.default_rng(1).integers(1, 2**63, (3, squares), dtype=np.uint64)
    plan = AStar(5.0, 10**5).plan(state, Thinking())
    known = solution(board, steps_of(board, plan.actions), PRICES["pushes"])
    allowed: Words = np.zeros(1 << 14, dtype=np.uint64)
    vicinity.mark_vicinity(words, near, known.places, allowed, 0, len(known.places))
    wanted: set[int] = set()
    for row in known.places.astype(int):
        options = [[int(box), *(int(other) for other in near[box] if other >= 0)] for box in row]
        for first in range(len(row)):
            for second in range(first):
                for one in options[first]:
                    for two in options[second]:
                        boxes = [one, two, *(box for slot, box in enumerate(row) if slot not in (first, second))]
                        wanted.add(int(np.bitwise_xor.reduce(words[0, boxes])))
    print(len(wanted), "words")
    assert set(allowed.tolist()) - {0} == wanted
    assert all(search.contains(allowed, np.uint64(word)) for word in wanted)
    assert not search.contains(allowed, np.uint64(12345))
