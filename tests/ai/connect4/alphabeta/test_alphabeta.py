"""Alpha-beta against brute force, public exact positions, random play, and its own past."""

import itertools
import random
import time
from pathlib import Path

import pytest

from ai.agent import Progress, Status, Thinking
from ai.connect4.alphabeta import heuristics, search
from ai.connect4.alphabeta.agent import AlphaBeta
from ai.connect4.board import board
from ai.connect4.board.baselines import RandomAgent
from ai.connect4.board.scores import WIN, describe, plies_to_end
from ai.connect4.warm import alphabeta
from game.rules import connect4
from game.rules.connect4 import Shape, State
from tests.ai.connect4.brute import SMALL, faults, paranoid, picture, random_position

PUBLIC = Path(__file__).resolve().parents[5] / "shared" / "connect4"
FLAT = Shape(6, 7, 1, 4, 2)


@pytest.mark.parametrize("shape", SMALL, ids=lambda shape: f"{shape}x{shape.players}")
def test_values_agree_with_brute_force(shape: Shape) -> None:
    choose = random.Random(str(shape))
    agent = AlphaBeta(time=10.0)
    for round_ in range(12):
        state = random_position(shape, choose.randint(5, 8), choose)
        if round_ % 3 == 0:
            agent.new_game(0)
        plan = agent.plan(state, Thinking(nodes=2_000_000))
        truth = paranoid(state)
        best = max(truth.values())
        told = f"{picture(state)}\nplan {plan}\ntruth {truth}"
        assert not faults(plan, truth), f"{faults(plan, truth)}\n{told}"
        assert (plan.status is Status.LOST) == (best < 0), told
        if best >= 0 or shape.players == 2:
            assert truth[plan.actions[0]] == best, told


def public_positions(name: str, count: int) -> list[tuple[str, int]]:
    lines = (PUBLIC / name).read_text().split("\n")[:count]
    return [(moves, int(score)) for moves, score in (line.split() for line in lines if line.strip())]


@pytest.mark.skipif(not PUBLIC.is_dir(), reason="the public positions are not beside this checkout")
@pytest.mark.parametrize(("name", "count"), [("Test_L3_R1", 60), ("Test_L2_R1", 12)])
def test_public_positions(name: str, count: int) -> None:
    agent = AlphaBeta(time=60.0)
    for moves, score in public_positions(name, count):
        state = connect4.parse_position(moves, FLAT)
        plan = agent.plan(state, Thinking(nodes=20_000_000))
        value = max(plan.values.values())
        plies = plies_to_end(value)
        own = len(moves) // 2
        # The public score counts the stones the winner has left when the game ends, plus one.
        if plies is None:
            found = 0
        elif value > 0:
            found = 22 - own - (plies + 1) // 2
        else:
            found = -(22 - (len(moves) + 1) // 2 - plies // 2)
        assert plan.exact and found == score, f"{moves}: {describe(value)} is {found}, not {score}"


def play(shape: Shape, agents: list[AlphaBeta | RandomAgent], nodes: int, seed: int) -> State:
    for seat, agent in enumerate(agents):
        agent.new_game(seed * 10 + seat)
    state = connect4.start(shape)
    while connect4.outcome(state) is None:
        plan = agents[state.to_move].plan(state, Thinking(nodes=nodes))
        state = connect4.apply(state, plan.actions[0])
    return state


@pytest.mark.parametrize("size", ["6,7,1,4", "6,7,5,4"])
def test_beats_random(size: str) -> None:
    shape = connect4.parse_shape(size)
    wins = 0
    for game in range(20):
        seats = [AlphaBeta(), RandomAgent()] if game % 2 == 0 else [RandomAgent(), AlphaBeta()]
        wins += play(shape, seats, 3000, game).winner == game % 2
    assert wins >= 19, f"{wins} of 20 on {size}"


def test_a_game_of_three_on_a_deep_board_ends() -> None:
    shape = connect4.parse_shape("6,7,5,4", players=3)
    state = play(shape, [AlphaBeta(), RandomAgent(), AlphaBeta()], 2000, 1)
    assert connect4.outcome(state) is not None


GOLDEN = "4344447553326663422313711677661171722255"


def test_golden_game() -> None:
    """Two agents of 20,000 nodes a move; a change here is a change of play and should be meant."""
    state = play(FLAT, [AlphaBeta(), AlphaBeta()], 20_000, 0)
    assert connect4.format_moves(state) == GOLDEN


@pytest.mark.parametrize("size", ["6,7,1,4", "5,5,5,4"])
def test_same_nodes_same_plan(size: str) -> None:
    shape = connect4.parse_shape(size, players=3)
    plans = []
    for _ in range(2):
        agent = AlphaBeta(time=0.01)
        agent.new_game(1)
        state = connect4.start(shape)
        for _ in range(4):
            plan = agent.plan(state, Thinking(nodes=30_000))
            plans.append((plan.actions, plan.values, plan.nodes, plan.depth, plan.pv, plan.note))
            state = connect4.apply(state, plan.actions[0])
    assert plans[:4] == plans[4:]
    assert all(nodes <= 30_000 for _, _, nodes, *_ in plans)


@pytest.mark.parametrize("nodes", [2_500, 40_000, 90_000])
def test_the_best_move_has_the_highest_value(nodes: int) -> None:
    choose = random.Random(nodes)
    agent = AlphaBeta()
    for players, size in itertools.product((2, 3, 4), ("6,7,1,4", "6,7,5,4", "4,4,4,4")):
        state = random_position(connect4.parse_shape(size, players), choose.randint(20, 42), choose)
        plan = agent.plan(state, Thinking(nodes=nodes))
        told = f"{picture(state)}\n{plan}"
        assert set(plan.values) == set(connect4.legal_actions(state)), told
        if plan.status is not Status.LOST:
            assert plan.values[plan.actions[0]] == max(plan.values.values()), told
            assert plan.pv[0] == plan.actions[0], told
        position = state
        for action in plan.pv:
            position = connect4.apply(position, action)


@pytest.mark.parametrize(
    ("moves", "action", "value", "status"),
    [
        ("112233", 3, WIN - 1, Status.PLAN),
        ("11223", 3, None, Status.PLAN),
        ("7141513", 0, WIN - 1, Status.PLAN),
        ("714121", 0, None, Status.PLAN),
        ("4433", None, WIN - 3, Status.PLAN),
        ("44335", None, 2 - WIN, Status.LOST),
        ("443352", 5, WIN - 1, Status.PLAN),
    ],
)
def test_forced_moves(moves: str, action: int | None, value: float | None, status: Status) -> None:
    state = connect4.parse_position(moves, FLAT)
    plan = AlphaBeta().plan(state, Thinking(nodes=50_000))
    told = f"{moves}: {plan}"
    if action is not None:
        assert plan.actions == (action,), told
    if value is not None:
        assert max(plan.values.values()) == value, told
    assert plan.status is status, told


def test_over_and_limits() -> None:
    won = connect4.parse_position("1122334", FLAT)
    assert AlphaBeta().plan(won, Thinking()).actions == ()
    assert RandomAgent().plan(won, Thinking()).actions == ()
    shallow = AlphaBeta(depth=4).plan(connect4.start(FLAT), Thinking(nodes=10**7))
    assert shallow.depth == 4 and len(shallow.values) == 7 and not shallow.exact
    assert len(shallow.pv) >= 4 and shallow.pv[0] == shallow.actions[0]
    spent = AlphaBeta().plan(connect4.start(FLAT), Thinking(seconds=0.0))
    assert spent.actions and spent.actions[0] in range(7)
    own = AlphaBeta(time=0.05).plan(connect4.start(FLAT), Thinking())
    assert own.seconds < 2.0


def test_cancel_keeps_the_best_so_far() -> None:
    agent = AlphaBeta(time=60.0)
    state = connect4.start(connect4.parse_shape("5,5,5,4"))
    agent.plan(state, Thinking(nodes=1000))
    said: list[Progress] = []
    cancelled_at: list[float] = []

    def listen(progress: Progress) -> None:
        said.append(progress)
        if len(said) == 5:
            cancelled_at.append(time.perf_counter())
            thinking.cancel()

    thinking = Thinking(listener=listen)
    plan = agent.plan(state, thinking)
    waited = time.perf_counter() - cancelled_at[0]
    assert plan.actions and waited < 1.0, f"{waited:.3f} s"
    assert len(said) <= 6 and said[-1].nodes > 0 and said[-1].best in connect4.legal_actions(state)
    assert all(earlier.nodes <= later.nodes for earlier, later in itertools.pairwise(said))


def test_random_agent_follows_its_seed() -> None:
    agent = RandomAgent()
    state = connect4.start(FLAT)
    runs = []
    for seed in (1, 1, 2):
        agent.new_game(seed)
        runs.append([agent.plan(state, Thinking()).actions[0] for _ in range(30)])
    assert runs[0] == runs[1] != runs[2]
    assert set(runs[0] + runs[2]) == set(range(7))


def test_nothing_compiles_after_warming() -> None:
    alphabeta()
    kernels = [board.make, board.undo, search.run, heuristics.evaluate, search.principal_variation]
    before = [list(kernel.signatures) for kernel in kernels]
    assert all(before)
    for shape in (FLAT, Shape(5, 5, 5, 5, 6)):
        state = connect4.start(shape)
        agent = AlphaBeta()
        for _ in range(8):
            state = connect4.apply(state, agent.plan(state, Thinking(nodes=3000)).actions[0])
    assert [list(kernel.signatures) for kernel in kernels] == before


def test_labels() -> None:
    assert [describe(value) for value in (WIN - 7, 4 - WIN, 0.0, 12.0, -3.4)] == ["W7", "L4", "0", "+12", "-3"]
    assert plies_to_end(WIN - 7) == 7 and plies_to_end(12.0) is None
