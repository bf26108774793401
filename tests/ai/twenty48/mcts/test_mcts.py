"""Monte-Carlo tree search: the tree, and both kernels against a plain search written another way."""

import math
from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai import catalogue
from ai.agent import Plan, Progress, Status, Thinking
from ai.twenty48.board.packed import pack
from ai.twenty48.mcts.agent import Mcts
from ai.twenty48.mcts.grid import make_grid, simulate_grid
from ai.twenty48.mcts.packed import make_packed, simulate_packed
from ai.twenty48.mcts.rollouts import POLICIES, Rollout
from ai.twenty48.mcts.tree import (
    FRESH,
    FULL,
    MAX_PATH,
    NODES,
    SIMULATIONS,
    add,
    begin,
    find,
    make_tree,
    root_values,
    spawn_number,
)
from ai.twenty48.search.baselines import GreedyAgent
from ai.twenty48.search.evaluation import EXPONENTS, Weights, evaluate_grid
from ai.twenty48.search.grid_search import fill_marks, key_of
from game.rules import twenty48
from game.rules.twenty48 import State

WEIGHTS = Weights()
NUMBERS, POWERS = WEIGHTS.numbers(), WEIGHTS.powers()
MARKS = np.zeros((EXPONENTS, EXPONENTS), np.uint64)
fill_marks(MARKS)
Cells = tuple[int, ...]


def agent(**changed: Any) -> Mcts:
    settings = {"simulations": 200, "time": 600.0, "rollout": 3, "policy": "evaluation", "value": "evaluation"}
    return Mcts(**{**settings, "exploration": 1.0, **changed})


class Twin:
    """The search on the plain rules, with a dictionary for a tree and every position's slides made anew."""

    def __init__(self, state: State, rollout: Rollout, exploration: float, packed: bool, seed: int) -> None:
        self.state, self.rollout, self.exploration, self.packed, self.seed = state, rollout, exploration, packed, seed
        self.known: dict[Cells, list[float]] = {}
        self.found: list[float] = []
        self.numbers = count()

    def number(self) -> int:
        return twenty48.random_number(self.seed, next(self.numbers))

    def worth(self, cells: Cells) -> float:
        return float(evaluate_grid(np.array(cells, np.uint8), self.state.size, NUMBERS, POWERS))

    def key(self, cells: Cells) -> int:
        array = np.array(cells, np.uint8)
        return int(pack(array)) if self.packed else int(key_of(array, self.state.size, MARKS))

    def slides(self, cells: Cells) -> dict[int, tuple[Cells, int]]:
        state = State(self.state.size, cells, 0, 0, 0)
        found = {action: twenty48.slide(state, action) for action in range(4)}
        return {action: (slide.cells, slide.reward) for action, slide in found.items() if slide is not None}

    def mean(self, option: tuple[Cells, int]) -> float:
        return sum(self.known[option[0]]) / len(self.known[option[0]]) + option[1] * self.rollout.score

    def visit(self, cells: Cells) -> float:
        """The value of a position, by one more simulation through it."""
        options = self.slides(cells)
        if not options:
            worth = 0.0 if self.rollout.score else self.worth(cells) - WEIGHTS.loss
            self.found.append(worth)
            return worth
        fresh = [option for option in options.values() if option[0] not in self.known]
        if fresh:
            chosen = fresh[0]
            value = self.play_out(chosen[0])
            self.found.append(value)
            self.known[chosen[0]] = [value]
        else:
            visits = {action: len(self.known[option[0]]) for action, option in options.items()}
            spread = float(np.std(self.found)) or 1.0
            unit = self.exploration * spread * math.sqrt(math.log(sum(visits.values())))
            bounds = {a: self.mean(option) + unit / math.sqrt(visits[a]) for a, option in options.items()}
            chosen = options[max(bounds, key=bounds.__getitem__)]
            empty = [cell for cell, exponent in enumerate(chosen[0]) if not exponent]
            index, four = spawn_number(
                np.uint64(self.key(chosen[0])), np.int64(len(self.known[chosen[0]]) - 1), np.int64(len(empty))
            )
            value = self.visit(with_tile(chosen[0], empty[index], four))
            self.known[chosen[0]].append(value)
        if self.rollout.score:
            return value + chosen[1]
        return max(self.mean(option) for option in options.values() if option[0] in self.known)

    def play_out(self, cells: Cells) -> float:
        points = 0
        for _ in range(self.rollout.length):
            luck, choice = self.number(), self.number()
            empty = [cell for cell, exponent in enumerate(cells) if not exponent]
            four = luck & 0xFFFFFFFF < twenty48.FOUR_BELOW
            position = with_tile(cells, empty[((luck >> 32) * len(empty)) >> 32], four)
            options = self.slides(position)
            if not options:
                return points if self.rollout.score else self.worth(position) - WEIGHTS.loss
            order = [(choice % 4 + (1 if choice & 4 else 3) * step) % 4 for step in range(4)]
            order = [action for action in order if action in options]
            if self.rollout.policy == POLICIES["greedy"]:
                order.sort(key=lambda action: -options[action][1])
            elif self.rollout.policy == POLICIES["evaluation"]:
                order.sort(key=lambda action: -self.worth(options[action][0]))
            cells = options[order[0]][0]
            points += options[order[0]][1]
        return points if self.rollout.score else self.worth(cells)


def with_tile(cells: Cells, cell: int, four: bool) -> Cells:
    return (*cells[:cell], 2 if four else 1, *cells[cell + 1 :])


def search(state: State, rollout: Rollout, exploration: float, packed: bool, total: int, step: int = 2**40) -> Any:
    """A finished search by the kernels, in slices of `step` nodes, with the seed 77."""
    cells = np.array(state.cells, np.uint8)
    made: Any = make_packed(total, WEIGHTS) if packed else make_grid(state.size, total, WEIGHTS)
    simulate: Any = simulate_packed if packed else simulate_grid
    begin(made.tree)
    made.luck[0] = 77
    while made.tree.head[SIMULATIONS] < total:
        simulate(made, cells, rollout, exploration, total, int(made.tree.head[NODES]) + step)
    return made.tree


BOARDS = [
    ("2 4 8 16/4 8 16 32/8 16 32 64/2 2 64 128", True),
    ("2 4 8 16/4 8 16 32/8 16 32 64/2 2 64 128", False),
    ("0 0 0 2/0 0 4 2/0 2 8 16/2 4 16 64", True),
    ("2 4 8/4 8 16/2 2 0", False),
    ("0 0 0/0 2 0/4 0 0", False),
    ("2 4 2 4 2/4 2 4 2 4/2 4 2 4 2/4 2 4 2 4/2 4 2 2 0", False),
    ("65536 2 4 2/4 131072 4 16/2 4 2 64/2 2 0 128", False),
]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("score", [False, True])
@pytest.mark.parametrize(("text", "packed"), BOARDS)
def test_a_search_is_that_of_its_plain_twin(text: str, packed: bool, policy: str, score: bool) -> None:
    state = twenty48.parse_position(text)
    rollout = Rollout(0 if policy == "random" and not score else 4, POLICIES[policy], score)
    twin = Twin(state, rollout, 1.5, packed, 77)
    for _ in range(150):
        twin.visit(state.cells)
    options = twin.slides(state.cells)
    expected = {action: twin.mean(option) for action, option in options.items()}
    tree = search(state, rollout, 1.5, packed, 150)
    print(text, expected, root_values(tree))
    assert root_values(tree) == pytest.approx(expected, rel=1e-9)
    visits = {action: int(tree.visits[tree.slots[0, action]]) for action in options}
    assert visits == {action: len(twin.known[option[0]]) for action, option in options.items()}


@pytest.mark.parametrize(("text", "packed"), BOARDS)
def test_a_search_in_slices_is_the_search_in_one_go(text: str, packed: bool) -> None:
    state = twenty48.parse_position(text)
    rollout = Rollout(5, POLICIES["random"], False)
    found = [search(state, rollout, 1.0, packed, 300, step) for step in (2**40, 50, 1)]
    print(text, [root_values(tree) for tree in found])
    for tree in found[1:]:
        assert root_values(tree) == root_values(found[0])
        assert tree.head[NODES] == found[0].head[NODES]


def test_the_table_tells_afterstates_apart_until_it_is_full() -> None:
    tree = make_tree(10)
    begin(tree)
    slots: dict[int, int] = {}
    refused = 0
    for key in range(2 * len(tree.keys)):
        slot = find(tree.keys, tree.tags, 1, np.uint64(key))
        if slot == FULL:
            refused += 1
            continue
        assert slot == FRESH
        slots[key] = int(add(tree.keys, tree.tags, tree.visits, tree.sums, 1, np.uint64(key)))
    print(len(tree.keys), len(slots), refused)
    assert len(set(slots.values())) == len(slots) > 0.9 * len(tree.keys)
    assert refused > 0
    for key, slot in slots.items():
        assert find(tree.keys, tree.tags, 1, np.uint64(key)) == slot
    assert find(tree.keys, tree.tags, 2, np.uint64(0)) == FRESH, "a new search knows nothing"


def test_a_search_goes_on_when_its_table_is_full() -> None:
    state = twenty48.parse_position(BOARDS[2][0])
    made = make_packed(10, WEIGHTS)
    begin(made.tree)
    total = 20 * len(made.tree.keys)
    simulate_packed(made, np.array(state.cells, np.uint8), Rollout(0, 0, False), 1.0, total, 2**60)
    print(made.tree.head, root_values(made.tree))
    assert made.tree.head[SIMULATIONS] == total
    assert set(root_values(made.tree)) == set(twenty48.legal_actions(state))


@settings(deadline=None)
@given(st.integers(0, 2**64 - 1), st.integers(1, 62))
def test_tiles_of_the_tree_come_as_often_as_they_should(key: int, empty: int) -> None:
    rounds = 200
    seen = np.zeros((empty, 2), int)
    for visit in range(rounds * empty):
        index, four = spawn_number(np.uint64(key), np.int64(visit), np.int64(empty))
        seen[index, int(four)] += 1
    print(key, empty, seen)
    assert (seen.sum(axis=1) == rounds).all(), "the visits go round"
    assert (np.abs(seen[:, 1] - rounds / 10) <= 3).all(), "in each cell a tenth are fours"


class Watch(Thinking):
    """Says yes to `over` at the n-th question, and remembers what was said."""

    def __init__(self, questions: int) -> None:
        super().__init__(listener=self.hear)
        self.questions, self.asked = questions, 0
        self.heard: list[Progress] = []

    def hear(self, progress: Progress) -> None:
        self.heard.append(progress)

    def over(self, nodes: int = 0, seconds: float | None = None, node_limit: int | None = None) -> bool:
        self.asked += 1
        if self.asked == self.questions:
            self.cancel()
        return super().over(nodes, seconds, node_limit)


@pytest.mark.parametrize("size", range(3, 9))
def test_cancelled_in_the_middle_it_answers_with_its_best_so_far(size: int) -> None:
    state, watch = twenty48.start(size, 1), Watch(4)
    plan = agent(simulations=10**6, rollout=50).plan(state, watch)
    print(plan, watch.heard)
    assert watch.asked == 4, "nothing is searched after the answer yes"
    assert plan.status is Status.CANCELLED
    assert plan.nodes == watch.heard[-1].nodes > watch.heard[0].nodes > 0
    assert set(plan.values) == set(twenty48.legal_actions(state))
    assert plan.actions == (max(plan.values, key=lambda action: plan.values[action]),)
    share = watch.heard[-1].fraction
    assert share is not None and 0 < share < 1


def test_the_same_seed_position_and_nodes_give_the_same_plan() -> None:
    state = twenty48.start(4, 9)

    def plan(seed: int, state: State = state) -> Plan:
        made = agent(simulations=10**6, policy="random", rollout=20)
        made.new_game(seed)
        made.plan(twenty48.start(4, 3), Thinking(nodes=500))  # what was thought before changes nothing
        return made.plan(state, Thinking(nodes=20_000))

    first, again, other = plan(1), plan(1), plan(2)
    print(first, other)
    assert (first.actions, first.values, first.nodes) == (again.actions, again.values, again.nodes)
    assert first.values != other.values
    assert 20_000 <= first.nodes <= 20_000 + MAX_PATH + 20
    assert first.status is Status.PLAN


def test_there_is_always_an_answer() -> None:
    for size in (3, 4, 8):
        state = twenty48.start(size, 2)
        plan = agent().plan(state, Thinking(nodes=0))
        assert set(plan.values) == set(twenty48.legal_actions(state))
    over = agent().plan(twenty48.parse_position("2 4 2/4 2 4/2 4 2"), Thinking())
    assert (over.actions, dict(over.values), over.note) == ((), {}, "Nothing can move.")
    assert agent().play_many(twenty48.parse_position("2 4 2/4 2 4/2 4 2"), 5, Thinking()) == ()


def test_its_own_time_ends_a_move() -> None:
    plan = agent(simulations=10**7, time=0.02).plan(twenty48.start(4, 1), Thinking())
    print(plan)
    assert 0.02 <= plan.seconds < 2.0
    assert plan.status is Status.PLAN and plan.actions


@pytest.mark.parametrize("size", range(3, 9))
def test_play_many_plays_what_plan_plays(size: int) -> None:
    state, made = twenty48.start(size, 30 + size), agent(simulations=30)
    made.new_game(4)
    many = made.play_many(state, 40, Thinking())
    for action, cell, exponent in many:
        plan = made.plan(state, Thinking())
        before, state = state, twenty48.apply(state, action)
        print(twenty48.draw(before), plan)
        assert plan.actions == (action,)
        assert (before.cells[cell], state.cells[cell]) in {(0, exponent), (before.cells[cell], exponent)}
    assert len(many) == 40 or twenty48.outcome(state) is not None


def test_it_plays_on_where_boards_outgrow_the_packed_ones() -> None:
    state, made = twenty48.parse_position("32768 32768 4 2/16 8 4 2/2 4 2 16/0 0 2 4", seed=5), agent(simulations=50)
    for action, _, _ in made.play_many(state, 30, Thinking()):
        state = twenty48.apply(state, action)
    print(twenty48.draw(state))
    assert max(state.cells) == 16


@pytest.mark.parametrize("size", [3, 4])
def test_few_simulations_beat_greedy_by_far(size: int) -> None:
    means = []
    for made in (agent(simulations=20), GreedyAgent()):
        scores = []
        for seed in range(4):
            made.new_game(seed)
            state = twenty48.start(size, seed)
            for action, _, _ in made.play_many(state, 600, Thinking()):
                state = twenty48.apply(state, action)
            scores.append(state.score)
        means.append(np.mean(scores))
    print(size, means)
    assert means[0] > 1.5 * means[1]


@pytest.mark.parametrize(
    "wrong",
    [{"simulations": 0}, {"rollout": -1}, {"rollout": 1001}, {"policy": "?"}, {"value": "?"}, {"exploration": -1.0}],
)
def test_other_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="There"):
        agent(**wrong)


def test_the_catalogue_makes_it() -> None:
    made = catalogue.create("twenty48", catalogue.parse("twenty48", "mcts,simulations=50,policy=greedy,value=score"))
    assert isinstance(made, Mcts)
    assert made._rollout == Rollout(5, POLICIES["greedy"], True)
    assert made.plan(twenty48.start(4, 0), Thinking()).actions
