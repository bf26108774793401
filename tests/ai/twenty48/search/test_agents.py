"""The agents of 2048: the search against a plain recursive one, budgets, whole games, boards of every size."""

import math
from collections.abc import Iterable

import numpy as np
import pytest

from ai import catalogue
from ai.agent import Agent, Plan, Progress, Status, Thinking
from ai.twenty48.search.baselines import RandomAgent
from ai.twenty48.search.evaluation import Weights, evaluate_grid
from ai.twenty48.search.expectimax import Expectimax
from ai.twenty48.search.grid_search import begin_grid, look_grid, make_grid
from ai.twenty48.search.packed_search import begin_packed, look_packed, make_packed
from ai.twenty48.search.stack import CUTOFF, NODES
from game.rules import twenty48
from game.rules.twenty48 import State

WEIGHTS = Weights()
NUMBERS, POWERS = WEIGHTS.numbers(), WEIGHTS.powers()
CROWDED = "2 4 8 16/4 8 16 32/8 16 32 64/2 2 64 128"
TWO_OF_32768 = "32768 32768 4 2/16 8 4 2/2 4 2 16/0 0 2 4"


def worth(cells: Iterable[int], size: int) -> float:
    return float(evaluate_grid(np.array(tuple(cells), np.uint8), size, NUMBERS, POWERS))


def naive(state: State, depth: int, likely: float = 1.0) -> dict[int, float]:
    """The values of all legal actions by the definition of `ai.twenty48.search.stack`, on the plain rules."""
    values = {}
    for action in twenty48.legal_actions(state):
        slide = twenty48.slide(state, action)
        assert slide is not None
        if depth == 1 or likely < CUTOFF:
            values[action] = worth(slide.cells, state.size)
            continue
        empty = [cell for cell, exponent in enumerate(slide.cells) if not exponent]
        total = 0.0
        for cell in empty:
            for exponent, chance in ((1, 0.9), (2, 0.1)):
                after = twenty48.place(state, slide, cell, exponent)
                below = naive(after, depth - 1, likely * chance / len(empty))
                total += chance * max(below.values(), default=worth(after.cells, state.size) - WEIGHTS.loss)
        values[action] = total / len(empty)
    return values


def play(agent: Agent[State], state: State, moves: int) -> tuple[list[tuple[int, int, int]], State]:
    """The game that `plan` plays move by move, each as `play_many` tells it."""
    told = []
    for _ in range(moves):
        plan = agent.plan(state, Thinking())
        if not plan.actions:
            break
        slide = twenty48.slide(state, plan.actions[0])
        assert slide is not None, (twenty48.format_position(state), plan)
        cell, exponent = twenty48.spawn(slide.cells, state.seed, state.spawns)
        told.append((plan.actions[0], cell, exponent))
        state = twenty48.place(state, slide, cell, exponent)
    return told, state


def after_moves(state: State, moves: Iterable[tuple[int, int, int]]) -> State:
    """The position that `play_many` reached, every move checked against the rules."""
    for action, cell, exponent in moves:
        before, state = state, twenty48.apply(state, action)
        assert state.cells[cell] == exponent, (twenty48.format_position(before), action, cell, exponent)
    return state


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        (CROWDED, 1),
        (CROWDED, 2),
        (CROWDED, 3),
        ("0 2 4 2/4 0 4 16/2 4 2 64/2 2 64 128", 3),
        ("2 4 8/4 8 16/2 2 0", 4),
        ("8 2 4/2 16 2/0 2 4", 4),
        ("0 0 0/0 2 0/4 0 0", 2),
        (TWO_OF_32768, 2),
        ("2 4 2 4 2/4 2 4 2 4/2 4 2 4 2/4 2 4 2 4/2 4 2 2 0", 3),
        ("65536 2 4 2/4 131072 4 16/2 4 2 64/2 2 0 128", 3),
    ],
)
def test_values_are_those_of_a_plain_recursive_search(text: str, depth: int) -> None:
    state = twenty48.parse_position(text)
    expected = naive(state, depth)
    plan = Expectimax(depth).plan(state, Thinking())
    print(text, expected, plan)
    assert plan.values == pytest.approx(expected, rel=1e-6)
    assert plan.actions == (max(expected, key=lambda action: expected[action]),)
    assert (plan.depth, plan.status) == (depth, Status.PLAN)


def test_unlikely_afterstates_are_cut_alike_on_both_kinds_of_board() -> None:
    """Many empty cells at depth 4 fall below the cut-off; no plain search could follow this one."""
    cells = np.array(twenty48.parse_position("0 0 0 2/0 0 4 2/0 2 8 16/2 4 16 64").cells, np.uint8)
    packed, grid = make_packed(4, WEIGHTS), make_grid(4, 4, WEIGHTS)
    begin_packed(packed, cells, 4)
    begin_grid(grid, cells, 4)
    assert look_packed(packed, 2**62) and look_grid(grid, 2**62)
    print(packed.stack.values, grid.stack.values)
    assert packed.stack.values == pytest.approx(grid.stack.values, rel=1e-6, nan_ok=True)


@pytest.mark.parametrize("size", [4, 5])
def test_a_search_in_slices_is_the_search_in_one_go(size: int) -> None:
    state = twenty48.start(size, 3)
    cells = np.array(state.cells, np.uint8)
    values, nodes = [], []
    for slice_nodes in (2**62, 1000, 1):
        if size == 4:
            packed = make_packed(3, WEIGHTS)
            stack = packed.stack
            begin_packed(packed, cells, 3)
        else:
            grid = make_grid(size, 3, WEIGHTS)
            stack = grid.stack
            begin_grid(grid, cells, 3)
        done = False
        while not done:
            before = int(stack.head[NODES])
            limit = min(before + slice_nodes, 2**62)
            done = look_packed(packed, limit) if size == 4 else look_grid(grid, limit)
            # what cannot be interrupted is one afterstate with all its tiles
            assert stack.head[NODES] <= limit + 2 * size * size
        values.append(stack.values.tolist())
        nodes.append(int(stack.head[NODES]))
    print(values, nodes)
    assert values[0] == values[1] == values[2] and nodes[0] == nodes[1] == nodes[2]


class Watch(Thinking):
    """Says yes to `over` at the n-th question, and remembers the nodes at each."""

    def __init__(self, questions: int) -> None:
        super().__init__(listener=self.hear)
        self.questions = questions
        self.asked: list[int] = []
        self.heard: list[Progress] = []

    def hear(self, progress: Progress) -> None:
        self.heard.append(progress)

    def over(self, nodes: int = 0, seconds: float | None = None, node_limit: int | None = None) -> bool:
        self.asked.append(nodes)
        if len(self.asked) == self.questions:
            self.cancel()
        return super().over(nodes, seconds, node_limit)


@pytest.mark.parametrize("size", [4, 8])
def test_cancelled_in_the_middle_it_stops_at_once_with_its_best_so_far(size: int) -> None:
    agent = Expectimax(5)
    watch = Watch(6)
    plan = agent.plan(twenty48.start(size, 1), watch)
    print(plan, watch.asked)
    assert len(watch.asked) == 6, "nothing is searched after the answer yes"
    assert plan.nodes == watch.asked[-1]
    assert plan.status is Status.CANCELLED
    assert plan.depth is not None and 1 <= plan.depth < 5
    assert plan.actions[0] in plan.values
    assert watch.heard[-1].nodes > 0


@pytest.mark.parametrize("size", [4, 8])
def test_cancelled_while_playing_many_it_keeps_what_was_played(size: int) -> None:
    state = twenty48.start(size, 1)
    watch = Watch(3)
    moves = Expectimax(2).play_many(state, 10**9, watch)
    print(size, len(moves), watch.asked)
    assert len(watch.asked) <= 4
    told, _ = play(Expectimax(2), state, len(moves))
    assert moves == tuple(told)


def test_the_same_node_limit_gives_the_same_plan_and_less_depth() -> None:
    state = twenty48.start(4, 9)

    def plan() -> Plan:
        return Expectimax(5).plan(state, Thinking(nodes=30_000))

    first, again = plan(), plan()
    print(first)
    assert (first.actions, first.values, first.nodes, first.depth) == (
        again.actions,
        again.values,
        again.nodes,
        again.depth,
    )
    assert first.depth is not None and 1 < first.depth < 5
    assert 30_000 <= first.nodes <= 30_032
    assert "of 5" in first.note and first.status is Status.PLAN
    assert Expectimax(5).plan(state, Thinking(nodes=0)).depth == 1, "there is always an answer"


@pytest.mark.parametrize("size", range(3, 9))
def test_play_many_plays_what_plan_plays_on_every_size(size: int) -> None:
    state = twenty48.start(size, 20 + size)
    random_agent = RandomAgent()
    random_agent.new_game(20 + size)
    agents: list[tuple[Expectimax | RandomAgent, int]] = [
        (Expectimax(1), 150),
        (Expectimax(2), 40),
        (random_agent, 150),
    ]
    for agent, moves in agents:
        told, reached = play(agent, state, moves)
        many = agent.play_many(state, moves, Thinking())
        print(size, agent, twenty48.format_position(reached))
        assert many == tuple(told)
        assert after_moves(state, many) == reached
        assert len(told) == moves or twenty48.outcome(reached) is not None


def test_play_many_goes_on_when_the_board_outgrows_its_kernel_and_to_the_end() -> None:
    state = twenty48.parse_position("32768 16384 8192 8192/4 8 4 2/2 4 2 16/0 2 2 4", seed=5)
    agent = Expectimax(2)
    many = agent.play_many(state, 2000, Thinking())
    reached = after_moves(state, many)
    print(len(many), twenty48.format_position(reached))
    assert max(reached.cells) == 16, "65536 is made and played on with"
    assert len(many) == 2000 or twenty48.outcome(reached) is not None
    assert many[:60] == tuple(play(agent, state, 60)[0])
    whole = agent.play_many(twenty48.start(3, 1), 10**6, Thinking())
    assert twenty48.outcome(after_moves(twenty48.start(3, 1), whole)) is not None


@pytest.mark.parametrize("agent", [Expectimax(2), RandomAgent()])
def test_a_finished_game_gets_an_empty_plan(agent: Expectimax | RandomAgent) -> None:
    state = twenty48.parse_position("2 4 2/4 2 4/2 4 2")
    plan = agent.plan(state, Thinking())
    assert (plan.actions, dict(plan.values), plan.note) == ((), {}, "Nothing can move.")
    assert agent.play_many(state, 10, Thinking()) == ()


def test_random_agents_of_one_seed_play_one_game() -> None:
    def game(seed: int) -> tuple[tuple[int, int, int], ...]:
        agent = RandomAgent()
        agent.new_game(seed)
        return agent.play_many(twenty48.start(4, 7), 10**6, Thinking())

    assert game(1) == game(1) != game(2)
    used = [action for action, _, _ in game(1)]
    assert set(used) == {0, 1, 2, 3}


def test_random_choices_are_not_those_of_the_spawns() -> None:
    """With the agent's seed equal to the game's, the choice still says nothing about the tile that follows."""
    counts = np.zeros((4, 2))
    for seed in range(300):
        agent = RandomAgent()
        agent.new_game(seed)
        for action, _, exponent in agent.play_many(twenty48.start(6, seed), 200, Thinking()):
            counts[action, exponent - 1] += 1
    print(counts)
    assert np.abs(counts[:, 1] / counts.sum(axis=1) - 0.1).max() < 0.012


def test_the_golden_game() -> None:
    """The first moves of one game; they change only when the evaluation or the spawns do."""
    moves = Expectimax(1).play_many(twenty48.start(4, 2048), 40, Thinking())
    text = "".join("URDL"[action] for action, _, _ in moves)
    print(text, twenty48.format_position(after_moves(twenty48.start(4, 2048), moves)))
    assert text == "RRURRLRRURUUUUURURRURRRRRRUDDDRUUDRURUUR"


def test_the_default_agent_reaches_2048() -> None:
    agent = catalogue.create("twenty48", catalogue.parse("twenty48", "expectimax"))
    assert isinstance(agent, Expectimax)
    for seed in range(3):
        state = twenty48.start(4, seed)
        reached = after_moves(state, agent.play_many(state, 1200, Thinking()))
        print(twenty48.format_position(reached), reached.score)
        assert max(reached.cells) >= 11


@pytest.mark.parametrize("depth", [0, 6])
def test_other_depths_are_refused(depth: int) -> None:
    with pytest.raises(ValueError, match="1 to 5"):
        Expectimax(depth)


def test_values_are_finite_on_the_largest_board() -> None:
    state = State(8, tuple(range(1, 33)) + (0,) * 32, 0, 0, 0)
    plan = Expectimax(1).plan(state, Thinking())
    print(plan)
    assert plan.values and all(math.isfinite(value) for value in plan.values.values())
