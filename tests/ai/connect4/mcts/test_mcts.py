"""Monte-Carlo search: playouts against exact probabilities, proofs against brute force, play, limits, repeatability."""

import random
import threading
import time
from functools import lru_cache

import numpy as np
import pytest

from ai.agent import Progress, Status, Thinking
from ai.connect4.board.baselines import RandomAgent
from ai.connect4.board.board import board_of, tables
from ai.connect4.board.scores import PROVED, WIN
from ai.connect4.board.xorshift import new_luck
from ai.connect4.mcts import tree as tree_kernels
from ai.connect4.mcts.agent import Mcts
from ai.connect4.mcts.playout import DRAW, new_scratch, playout
from game.rules import connect4
from game.rules.connect4 import Shape, State

SMALL = [
    Shape(3, 3, 1, 3, 2),
    Shape(4, 3, 1, 3, 2),
    Shape(2, 5, 1, 3, 2),
    Shape(4, 4, 1, 4, 2),
    Shape(3, 2, 2, 3, 2),
    Shape(2, 2, 2, 2, 2),
    Shape(3, 3, 1, 3, 3),
    Shape(3, 2, 2, 2, 3),
    Shape(2, 3, 2, 3, 3),
    Shape(3, 4, 1, 3, 4),
    Shape(3, 3, 1, 2, 5),
]
FLAT = Shape(6, 7, 1, 4, 2)


def picture(state: State) -> str:
    return f"{state.shape} for {state.shape.players}: {connect4.format_moves(state) or 'empty'}"


def random_position(shape: Shape, empty: int, choose: random.Random) -> State:
    """A position that goes on, with at most `empty` empty cells where random games last so long."""
    before = state = connect4.start(shape)
    for _ in range(100):
        before = state = connect4.start(shape)
        while connect4.outcome(state) is None:
            if shape.cells - len(state.moves) <= empty:
                return state
            before, state = state, connect4.apply(state, choose.choice(connect4.legal_actions(state)))
    return before


@lru_cache(maxsize=100_000)
def wins_at(state: State, action: int, seat: int) -> bool:
    """Whether the seat, if it could play there now, would win."""
    cell = connect4.landing(state, action)
    return cell is not None and any(
        all(state.cells[other] == seat + 1 for other in line if other != cell)
        for line in connect4.lines_through(state.shape)[cell]
    )


def chances(state: State, forced: bool) -> np.ndarray:
    """The exact probability of every result of a playout, draws last."""
    shape = state.shape
    over = connect4.outcome(state)
    found = np.zeros(shape.players + 1)
    if over is not None:
        found[shape.players if over.winner is None else over.winner] = 1.0
        return found
    legal, seat = connect4.legal_actions(state), state.to_move
    following = (seat + 1) % shape.players
    candidates = list(legal)
    if forced:
        winning = [action for action in legal if wins_at(state, action, seat)]
        threats = [action for action in legal if wins_at(state, action, following)]
        safe = []
        for action in legal:
            after = connect4.apply(state, action)
            over = connect4.outcome(after)
            if (over is None and not any(wins_at(after, reply, following) for reply in legal)) or over is not None:
                safe.append(action)
        if winning:
            found[seat] = 1.0
            return found
        if len(threats) > 1 or not safe:
            found[following] = 1.0
            return found
        candidates = safe
    for action in candidates:
        found += chances(connect4.apply(state, action), forced) / len(candidates)
    return found


@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize("shape", SMALL, ids=lambda shape: f"{shape}x{shape.players}")
def test_playouts_end_as_often_as_they_should(shape: Shape, forced: bool) -> None:
    choose, luck = random.Random(str(shape)), new_luck(3)
    scratch = new_scratch(len(connect4.lines(shape)))
    for _ in range(6):
        state = random_position(shape, 6, choose)
        expected, board, games = chances(state, forced), board_of(state), 3000
        before = board.copy()
        counted = np.zeros(shape.players + 1)
        for _ in range(games):
            result = playout(tables(shape), board, scratch, luck, forced)
            counted[shape.players if result == DRAW else result] += 1
        print(picture(state), forced, expected, counted / games)
        assert (board == before).all()
        spread = np.sqrt(np.maximum(expected * (1 - expected), 1e-9) / games)
        assert (np.abs(counted / games - expected) <= 4.5 * spread + 1e-9).all()


@lru_cache(maxsize=1_000_000)
def provable(cells: tuple[int, ...], state: State) -> int | None:
    """Who wins (6: nobody) whatever seats do that have nothing better to choose, None where that is open."""
    over = connect4.outcome(state)
    if over is not None:
        return DRAW if over.winner is None else over.winner
    seat = state.to_move
    found = set()
    for action in connect4.legal_actions(state):
        after = connect4.apply(state, action)
        found.add(provable(after.cells, after))
    if seat in found:
        return seat
    if None in found:
        return None
    if DRAW in found:
        return DRAW
    return found.pop() if len(found) == 1 else None


@pytest.mark.parametrize("shape", SMALL, ids=lambda shape: f"{shape}x{shape.players}")
def test_what_is_proved_is_true(shape: Shape) -> None:
    choose, agent, proved = random.Random(str(shape)), Mcts(simulations=20_000), 0
    for _ in range(25):
        state = random_position(shape, choose.randint(4, 7), choose)
        plan = agent.plan(state, Thinking())
        result = provable(state.cells, state)
        found = {
            action: provable((after := connect4.apply(state, action)).cells, after)
            for action in connect4.legal_actions(state)
        }
        print(picture(state), plan, result, found)
        assert set(plan.values) == set(found)
        for action, value in plan.values.items():
            if abs(value) >= PROVED:
                assert found[action] is not None and (value > 0) == (found[action] == state.to_move)
                assert found[action] != DRAW
        if plan.exact:
            proved += 1
            assert result is not None
            assert (plan.status is Status.LOST) == (result not in (DRAW, state.to_move))
            chosen = found[plan.actions[0]]
            assert chosen == result or plan.status is Status.LOST
        elif shape.players == 2:
            pytest.fail("a small position of two players stayed open")
    assert proved >= 10


def test_a_win_is_taken_and_a_threat_blocked_at_once() -> None:
    agent = Mcts(simulations=50)
    for moves, best, value in (("112233", {3}, WIN - 1), ("11223", {3}, None), ("445566", {2, 6}, WIN - 1)):
        state = connect4.parse_position(moves, FLAT)
        plan = agent.plan(state, Thinking())
        print(picture(state), plan)
        assert plan.actions[0] in best
        if value is not None:
            assert plan.values[plan.actions[0]] == value and plan.exact


def test_a_lost_position_says_so() -> None:
    state = connect4.parse_position("44335", FLAT)  # three in a row with both ends free
    plan = Mcts(simulations=50).plan(state, Thinking())
    print(picture(state), plan)
    assert plan.status is Status.LOST and plan.exact and set(plan.values.values()) == {2 - WIN}
    assert plan.actions[0] in (1, 5) and plan.note == "loses in 2 plies"


def test_the_same_seed_and_simulations_give_the_same_plan() -> None:
    state = connect4.parse_position("1.1 2.2 3.3", Shape(4, 4, 4, 4, 3))
    plans = []
    for seed, slices in ((5, 256), (5, 17), (6, 256)):
        agent = Mcts(simulations=3_000)
        agent.new_game(seed)
        agent._slice = slices  # how the work is cut changes nothing
        plans.append(agent.plan(state, Thinking()))
        print(plans[-1])
    assert plans[0].values == plans[1].values and plans[0].pv == plans[1].pv and plans[0].nodes == 3_000
    assert plans[0].values != plans[2].values


def test_a_full_tree_goes_on_and_a_grown_one_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    state = connect4.start(FLAT)
    usual = Mcts(simulations=4_000).plan(state, Thinking())
    monkeypatch.setattr("ai.connect4.mcts.agent._FIRST_CAPACITY", 300)
    assert Mcts(simulations=4_000).plan(state, Thinking()).values == usual.values
    monkeypatch.setattr("ai.connect4.mcts.agent._LARGEST_CAPACITY", 300)
    agent = Mcts(simulations=4_000)
    plan = agent.plan(state, Thinking())
    print(usual, plan)
    assert plan.nodes == 4_000 and agent._tree is not None and agent._tree.head[tree_kernels.SIZE] == 300


def test_the_tree_counts_every_simulation_once() -> None:
    state = connect4.parse_position("4.1 4.2", Shape(4, 4, 2, 3, 3))
    agent = Mcts(solver=False, playout="random", simulations=2_000)
    agent.plan(state, Thinking())
    tree = agent._tree
    assert tree is not None
    size = int(tree.head[tree_kernels.SIZE])
    checked = 0
    for node in range(size):
        children, child = [], int(tree.nodes[node, tree_kernels.CHILD])
        while child:
            children.append(child)
            child = int(tree.nodes[child, tree_kernels.SIBLING])
        visits = int(tree.nodes[node, tree_kernels.VISITS])
        if children:
            checked += 1
            below = sum(int(tree.nodes[each, tree_kernels.VISITS]) for each in children)
            assert below == visits - (node != 0), node
        total = float(tree.sums[node].sum())
        assert -1.0001 * visits <= total <= 1e-6, "one wins and two lose, or all share: -1 a simulation"
    assert checked > 10 and int(tree.nodes[0, tree_kernels.VISITS]) == 2_000


def test_it_beats_random_play() -> None:
    for shape, rival in ((FLAT, RandomAgent()), (Shape(4, 4, 4, 4, 3), RandomAgent())):
        wins, agent = 0, Mcts(simulations=150)
        for game in range(9):
            agent.new_game(game)
            rival.new_game(game)
            state, seat = connect4.start(shape), game % shape.players
            while connect4.outcome(state) is None:
                player = agent if state.to_move == seat else rival
                state = connect4.apply(state, player.plan(state, Thinking()).actions[0])
            wins += state.winner == seat
        print(shape, wins)
        assert wins >= 8


@pytest.mark.parametrize("shape", [FLAT, Shape(8, 8, 8, 8, 6)], ids=str)
def test_a_cancel_is_answered_within_50_milliseconds(shape: Shape) -> None:
    agent = Mcts(time=60.0)
    agent.plan(connect4.start(shape), Thinking(nodes=600))
    thinking = Thinking()
    reports: list[Progress] = []
    thinking._listener = reports.append
    canceller = threading.Timer(0.4, thinking.cancel)
    canceller.start()
    plan = agent.plan(connect4.start(shape), thinking)
    late = time.perf_counter() - thinking.started - 0.4
    print(shape, late, plan.note, len(reports))
    assert late < 0.15 and len(reports) >= 2, "50 ms, and what a loaded machine adds"
    assert plan.actions[0] in plan.values and len(plan.values) == shape.columns


@pytest.mark.parametrize("wrong", [{"simulations": -1}, {"exploration": float("nan")}, {"playout": "good"}])
def test_wrong_settings_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="no search"):
        Mcts(**wrong)  # type: ignore[arg-type]
