"""Beam search and LRTA*: their solutions are some, under every rule; seeds, limits, cancel; what makes them differ."""

import itertools
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.agent import Plan, Progress, Status, Thinking
from ai.sokoban.search import beam_search, hashing, lrta_search, unfolding
from ai.sokoban.search.beam import Beam
from ai.sokoban.search.lrta import Lrta
from game.rules import levels, sokoban
from game.rules.sokoban import Rules
from tests.ai.sokoban.levels import RULES, least, level, pushes_of, variant

FOUR = """
##########
#   #    #
# $   .  #
#  $ # . #
##  ###  #
#  $  #. #
# @ $  . #
#        #
##########
"""

HALL = "\n".join(["#" * 20, *["#" + " " * 18 + "#"] * 3, "#  $ $ $ $ $ $ $   #", "#" + " " * 18 + "#",
                  "#   . . . . . . .  #", "#  @" + " " * 15 + "#", "#" * 20])  # fmt: skip


def beam(seed: int = 0, nodes: int = 10**7, seconds: float = 30.0, **told: object) -> Beam:
    made = Beam(seconds, nodes, **told)  # type: ignore[arg-type]
    made.new_game(seed)
    return made


def lrta(seed: int = 0, nodes: int = 10**7, seconds: float = 30.0, **told: object) -> Lrta:
    made = Lrta(seconds, nodes, **told)  # type: ignore[arg-type]
    made.new_game(seed)
    return made


def answers(state: sokoban.State) -> list[tuple[str, Plan]]:
    agents = {
        "beam, moves": beam(successors="moves", heuristic="manhattan", pruning="none"),
        "beam, pushes": beam(successors="pushes", heuristic="matching"),
        "beam, best": beam(successors="moves", temperature=0.0, heuristic="push-distance"),
        "lrta, moves": lrta(successors="moves", heuristic="manhattan", pruning="none", restarts=100),
        "lrta, pushes": lrta(successors="pushes", heuristic="matching", extra=5),
    }
    return [(name, agent.plan(state, Thinking())) for name, agent in agents.items()]


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from(RULES))
def test_what_they_call_a_solution_is_one(seed: int, rules: Rules) -> None:
    state = variant(seed, rules)
    expected = least(state, "pushes")
    print("\n" + "\n".join(levels.board(state)), rules.name, expected)
    for name, plan in answers(state):
        print(name, plan.status, plan.note)
        if plan.status == Status.SOLVED:
            assert expected is not None
            assert pushes_of(state, plan) >= expected
            assert "fewest" not in plan.note
        else:
            assert plan.status == Status.GAVE_UP or expected is None
            assert plan.actions == ()


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_most_small_rooms_are_solved(rules: Rules) -> None:
    rooms = (variant(seed, rules) for seed in range(1000))
    states = list(itertools.islice((state for state in rooms if least(state, "pushes")), 6))
    solved = {}
    for state in states:
        for name, plan in answers(state):
            solved[name] = solved.get(name, 0) + (plan.status == Status.SOLVED)
    print(len(states), solved)
    assert min(solved.values()) >= 0.8 * len(states)


def test_pulls_are_left_alone_when_told_so() -> None:
    """A box in a corner: only a pull gets it out."""
    state = sokoban.from_array(
        np.pad([[2, 0, 0, 0], [0, 0, 4, 3], [0, 0, 0, 0]], 1, constant_values=1), Rules(pull=True)
    )
    for made in (beam, lrta):
        for successors in ("moves", "pushes"):
            plan = made(successors=successors).plan(state, Thinking())
            assert plan.status == Status.SOLVED
            assert any(action >= 4 for action in plan.actions)
            plan = made(successors=successors, pulls=False).plan(state, Thinking())
            print(plan.note)
            assert plan.status == Status.GAVE_UP


@pytest.mark.parametrize("made", [beam, lrta])
@pytest.mark.parametrize("successors", ["moves", "pushes"])
def test_same_seed_same_plan(made, successors: str) -> None:
    state = level(FOUR)
    plans = [made(seed, successors=successors).plan(state, Thinking()) for seed in (0, 0, 1, 2, 3)]
    for plan in plans:
        print(plan.note, plan.nodes)
        assert plan.status == Status.SOLVED
    assert (plans[0].actions, plans[0].nodes) == (plans[1].actions, plans[1].nodes)
    assert len({plan.nodes for plan in plans[1:]}) > 1


def test_temperature_0_is_the_same_for_every_seed() -> None:
    state = level(FOUR)
    plans = [beam(seed, temperature=0.0, successors="moves").plan(state, Thinking()) for seed in range(3)]
    assert len({(plan.actions, plan.nodes) for plan in plans}) == 1


def test_extra_restarts_never_lengthen_a_solution() -> None:
    state = level(FOUR)
    steps = {}
    for extra in (0, 5, 200):
        plan = lrta(successors="moves", extra=extra, heuristic="push-distance").plan(state, Thinking())
        steps[extra] = len(plan.actions)
    print(steps)
    assert steps[0] >= steps[5] >= steps[200]
    assert steps[0] > steps[200]


def test_limits() -> None:
    state = level(HALL)
    for agent, most in ((beam(nodes=5000, k=50), 12_000), (lrta(nodes=500), 600)):
        plan = agent.plan(state, Thinking())
        print(plan)
        assert plan.status == Status.GAVE_UP
        assert 0.8 * most / 2.4 <= plan.nodes < most
        assert "positions" in plan.note
    plan = beam(iterations=3).plan(state, Thinking())
    assert (plan.status, plan.note) == (Status.GAVE_UP, "no solution within 3 iterations")
    plan = lrta(restarts=3, length=5).plan(state, Thinking())
    assert (plan.status, plan.note) == (Status.GAVE_UP, "no solution within 3 restarts")
    for agent in (beam(seconds=0.02, k=10_000, successors="moves", iterations=100_000), lrta(seconds=0.2, length=10)):
        plan = agent.plan(state, Thinking())
        print(plan)
        assert plan.status == Status.GAVE_UP
        assert plan.seconds < 2


@pytest.mark.parametrize("made", [beam, lrta])
def test_progress_and_cancel(made) -> None:
    said: list[Progress] = []
    cancelled: list[float] = []

    def listen(progress: Progress) -> None:
        said.append(progress)
        if len(said) == 6:
            cancelled.append(time.perf_counter())
            thinking.cancel()

    thinking = Thinking(listener=listen)
    agent = beam(k=5000, successors="moves", temperature=50.0, iterations=100_000, nodes=10**9) if made is beam else (
        lrta(length=20, restarts=10**6, nodes=10**9)
    )  # fmt: skip
    plan = agent.plan(level(HALL), thinking)
    late = time.perf_counter() - cancelled[0]
    print(plan, len(said), late)
    assert plan.status == Status.CANCELLED
    assert late < 2.0
    assert len(said) >= 6
    counts = [(each.nodes, each.closed, each.open) for each in said if each.nodes]
    print(counts[:3], counts[-1])
    assert all(closed and at_hand for _, closed, at_hand in counts)
    assert [nodes for nodes, _, _ in counts] == sorted(nodes for nodes, _, _ in counts)
    assert all(len(each.position) == 7 for each in said if each.nodes)


def test_the_beam_is_drawn_as_softmax_says() -> None:
    """Two of three with lower bounds 1, 2 and 3 at temperature 1: how often each is left out."""
    pool = unfolding.no_ways(4)
    pool.rows[:3, unfolding.BOUND], pool.rows[:, unfolding.SECOND], pool.words[:3] = (1, 2, 3), -1, (11, 12, 13)
    draw = beam_search.Draw(
        fresh=np.zeros(16, dtype=np.uint64),
        stamps=np.zeros(16, dtype=np.int32),
        visited=np.zeros(16, dtype=np.uint64),
        order=np.zeros(4, dtype=np.int64),
        keys=np.zeros(4),
        chance=np.array([7], dtype=np.uint64),
    )
    zobrist = np.zeros((3, 1), dtype=np.uint64)
    told = beam_search.Settings(width=2, iterations=1, temperature=1.0, remember=False, limit=1)
    left_out = np.zeros(3)
    draws = 4000
    for stamp in range(1, draws + 1):
        assert beam_search.sift(pool, 0, 3, 0, draw, zobrist, stamp, told) == 3
        beam_search.smallest(draw.order, draw.keys, 3, 2)
        left_out[draw.order[2]] += 1
    weights = np.exp([-1.0, -2.0, -3.0])
    first = weights / weights.sum()
    expected = [
        sum(
            first[a] * weights[b] / (weights[b] + weights[out])
            for a in range(3)
            for b in range(3)
            if {a, b, out} == {0, 1, 2}
        )
        for out in range(3)
    ]
    print(left_out / draws, expected)
    assert np.abs(left_out / draws - expected).max() < 0.03


@settings(deadline=None)
@given(st.lists(st.integers(0, 20), min_size=1, max_size=60), st.data())
def test_the_smallest_come_first(numbers: list[int], data: st.DataObject) -> None:
    wanted = data.draw(st.integers(1, len(numbers)))
    keys, order = np.array(numbers, dtype=np.float64), np.arange(len(numbers))
    beam_search.smallest(order, keys, len(numbers), wanted)
    assert sorted(order) == list(range(len(numbers)))
    assert sorted(keys[order[:wanted]]) == sorted(numbers)[:wanted]


def test_what_was_learned_survives_a_larger_table() -> None:
    words = np.random.default_rng(0).integers(1, 2**64, 50, dtype=np.uint64)
    table, values = np.zeros(128, dtype=np.uint64), np.zeros(128, dtype=np.int32)
    for number, word in enumerate(words):
        place = hashing.locate(table, word)
        table[place], values[place] = word, number
    larger, kept = np.zeros(256, dtype=np.uint64), np.zeros(256, dtype=np.int32)
    lrta_search.relearn(table, values, larger, kept)
    assert [kept[hashing.locate(larger, word)] for word in words] == list(range(50))
