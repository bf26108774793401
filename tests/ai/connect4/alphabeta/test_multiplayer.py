"""Minimax, max^n, BRS and BRS+ against models of them in plain Python, and against each other."""

import random
import time
from collections.abc import Callable

import pytest

from ai.agent import Progress, Status, Thinking
from ai.connect4.alphabeta import multiplayer
from ai.connect4.alphabeta.agent import AlphaBeta
from ai.connect4.alphabeta.deepening import Deepening
from ai.connect4.alphabeta.multiplayer_agents import BestReply, BestReplyPlus, MaxN, Minimax
from ai.connect4.board.scores import EXPECTED, PROVED, WIN, describe, expected
from ai.connect4.warm import several_players
from game.rules import connect4
from game.rules.connect4 import Shape, State
from tests.ai.connect4.brute import SMALL, faults, max_n, one_ply_later, paranoid, picture, random_position

AGENTS = [Minimax, MaxN, BestReply, BestReplyPlus, AlphaBeta]
MANY = [shape for shape in SMALL if shape.players > 2]


def with_stone(state: State, seat: int, action: int) -> State:
    """The position after `seat` drops a stone, whoever's turn it is."""
    cell = connect4.landing(state, action)
    assert cell is not None
    cells = (*state.cells[:cell], seat + 1, *state.cells[cell + 1 :])
    heights = tuple(height + (column == action) for column, height in enumerate(state.heights))
    lines = connect4.lines_through(state.shape)[cell]
    won = any(all(cells[other] == seat + 1 for other in line) for line in lines)
    return State(state.shape, cells, heights, (*state.moves, action), seat if won else None)


def ended(state: State, root: int) -> float | None:
    if state.winner is not None:
        return WIN if state.winner == root else -WIN
    return 0.0 if len(state.moves) == state.shape.cells else None


def best_reply(state: State) -> dict[int, float]:
    """BRS: the root seat and any one opponent in alternation."""
    root = state.to_move
    opponents = [seat for seat in range(state.shape.players) if seat != root]
    known: dict[tuple[int, ...], float] = {}

    def value(state: State, own: bool) -> float:
        over = ended(state, root)
        if over is not None:
            return over
        if state.cells not in known:
            seats = [root] if own else opponents
            values = [
                value(with_stone(state, seat, action), not own)
                for seat in seats
                for action in connect4.legal_actions(state)
            ]
            known[state.cells] = one_ply_later(max(values) if own else min(values))
        return known[state.cells]

    return {
        action: one_ply_later(value(with_stone(state, root, action), False))
        for action in connect4.legal_actions(state)
    }


def promise(state: State, action: int) -> int:
    cell = connect4.landing(state, action)
    assert cell is not None
    total = 0
    for line in connect4.lines_through(state.shape)[cell]:
        stones = [state.cells[other] for other in line if state.cells[other]]
        if len(set(stones)) < 2:
            total += 4 ** len(stones)
    return total


def best_reply_plus(state: State) -> dict[int, float]:
    """BRS+: in turn, but only one opponent of each round chooses; the others play what is most promising."""
    root, players = state.to_move, state.shape.players

    def wins(state: State) -> list[int]:
        return [a for a in connect4.legal_actions(state) if connect4.apply(state, a).winner is not None]

    def value(state: State, used: bool) -> float:
        over = ended(state, root)
        if over is not None:
            return over
        legal = connect4.legal_actions(state)
        seat = state.to_move
        if seat == root:
            return one_ply_later(max(value(connect4.apply(state, action), False) for action in legal))
        if wins(state):
            return one_ply_later(-WIN)
        last = (seat + 1) % players == root
        after = {action: connect4.apply(state, action) for action in legal}
        sensible = [action for action in legal if not (last and wins(after[action]))] or list(legal)
        chosen = max(sensible, key=lambda action: promise(state, action))
        options = [(chosen, used)] if used or not last else []
        if not used:
            options += [(action, True) for action in sensible]
        return one_ply_later(min(value(after[action], now) for action, now in options))

    return {
        action: one_ply_later(value(connect4.apply(state, action), False)) for action in connect4.legal_actions(state)
    }


@pytest.mark.parametrize("shape", SMALL, ids=lambda shape: f"{shape}x{shape.players}")
def test_max_n_agrees_with_brute_force(shape: Shape) -> None:
    choose = random.Random(str(shape))
    agent = MaxN()
    for _ in range(12):
        state = random_position(shape, choose.randint(5, 8), choose)
        agent.new_game(0)
        plan, truth = agent.plan(state, Thinking(nodes=5_000_000)), max_n(state)
        assert not faults(plan, truth), f"{faults(plan, truth)}\n{picture(state)}\n{plan}\n{truth}"
        assert truth[plan.actions[0]] == max(truth.values()), f"{picture(state)}\n{plan}"


@pytest.mark.parametrize("shape", SMALL, ids=lambda shape: f"{shape}x{shape.players}")
def test_minimax_agrees_with_brute_force(shape: Shape) -> None:
    choose = random.Random(str(shape))
    for _ in range(6):
        state = random_position(shape, choose.randint(4, 6), choose)
        plan, truth = Minimax().plan(state, Thinking(nodes=5_000_000)), paranoid(state)
        assert not faults(plan, truth), f"{faults(plan, truth)}\n{picture(state)}\n{plan}\n{truth}"


@pytest.mark.parametrize("agent", [BestReply, BestReplyPlus])
@pytest.mark.parametrize("shape", SMALL[:7], ids=str)
def test_for_two_they_are_minimax(agent: type[Deepening], shape: Shape) -> None:
    choose = random.Random(str(shape))
    one = agent()
    for _ in range(6):
        state = random_position(shape, choose.randint(5, 8), choose)
        plan, truth = one.plan(state, Thinking(nodes=5_000_000)), paranoid(state)
        assert not faults(plan, truth), f"{faults(plan, truth)}\n{picture(state)}\n{plan}\n{truth}"


@pytest.mark.parametrize(("agent", "model"), [(BestReply, best_reply), (BestReplyPlus, best_reply_plus)])
@pytest.mark.parametrize("shape", MANY, ids=lambda shape: f"{shape}x{shape.players}")
def test_best_reply_searches_agree_with_their_models(
    agent: type[Deepening], model: Callable[[State], dict[int, float]], shape: Shape
) -> None:
    choose = random.Random(str(shape))
    one = agent()
    for _ in range(6):
        state = random_position(shape, choose.randint(4, 6), choose)
        plan, truth = one.plan(state, Thinking(nodes=5_000_000)), model(state)
        best = max(truth.values())
        found = max(plan.values.values())
        told = f"{picture(state)}\n{plan}\n{truth}"
        assert (expected(found) if abs(found) >= PROVED else found) == (expected(best) if best else 0), told
        assert found >= max(paranoid(state).values()) or abs(found) < PROVED, told
        if abs(found) >= PROVED:
            # Only what is seen at once is certain.
            assert abs(found) >= WIN - 2, told


@pytest.mark.parametrize("players", [2, 3, 4])
def test_alpha_beta_finds_what_minimax_finds(players: int) -> None:
    """To one depth where no threat lengthens lines, the values are those of the plain search."""
    state = connect4.parse_position("44", connect4.parse_shape("6,7,1,4", players))
    for depth in (1, 2):
        for heuristic in ("lines", "complex"):
            plain = Minimax(depth=depth, heuristic=heuristic).plan(state, Thinking(nodes=10**7))
            pruned = AlphaBeta(depth=depth, heuristic=heuristic).plan(state, Thinking(nodes=10**7))
            assert max(plain.values.values()) == max(pruned.values.values()), (plain, pruned)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("players", [2, 3, 6])
def test_limits_and_repetition(agent: type[Deepening], players: int) -> None:
    state = connect4.start(connect4.parse_shape("5,5,5,4", players))
    plans = []
    for _ in range(2):
        one = agent(time=0.01)
        one.new_game(1)
        plans.append(one.plan(state, Thinking(nodes=30_000)))
    assert plans[0].nodes <= 30_000
    assert [(p.actions, p.values, p.nodes, p.note) for p in plans[:1]] == [
        (p.actions, p.values, p.nodes, p.note) for p in plans[1:]
    ]
    shallow = agent(depth=2).plan(state, Thinking(nodes=10**7))
    assert shallow.depth == 2 and set(shallow.values) == set(range(25)), shallow
    assert shallow.values[shallow.actions[0]] == max(shallow.values.values()), shallow


@pytest.mark.parametrize("agent", AGENTS)
def test_cancel(agent: type[Deepening]) -> None:
    state = connect4.start(connect4.parse_shape("5,5,5,4", 3))
    one = agent(time=60.0)
    one.plan(state, Thinking(nodes=1000))
    said: list[Progress] = []
    cancelled_at: list[float] = []

    def listen(progress: Progress) -> None:
        said.append(progress)
        if len(said) == 5:
            cancelled_at.append(time.perf_counter())
            thinking.cancel()

    thinking = Thinking(listener=listen)
    plan = one.plan(state, thinking)
    waited = time.perf_counter() - cancelled_at[0]
    assert plan.actions and waited < 1.0, f"{waited:.3f} s"
    assert len(said) <= 6 and said[-1].values


def test_all_seats_play_whole_games() -> None:
    shape = connect4.parse_shape("4,4,3,4", 5)
    agents = [agent(random_moves=0.1) for agent in AGENTS]
    for game in range(2):
        for agent in agents:
            agent.new_game(game)
        state = connect4.start(shape)
        while connect4.outcome(state) is None:
            state = connect4.apply(state, agents[state.to_move].plan(state, Thinking(nodes=2000)).actions[0])


def test_lost_against_all_it_blocks_what_can_be_blocked_and_plays_on() -> None:
    """Of positions lost against a coalition max^n keeps more than half undecided or won; there it is followed."""
    choose = random.Random(3)
    shape = connect4.parse_shape("6,7,1,4", 3)
    hopeful = seen = 0
    for _ in range(40):
        state = random_position(shape, choose.randint(16, 26), choose)
        plan = AlphaBeta().plan(state, Thinking(nodes=60_000))
        if plan.status is not Status.LOST:
            continue
        seen += 1
        told = f"{picture(state)}\n{plan}"
        assert "all others play together" in plan.note, told
        hopeful += "each plays for itself" in plan.note
        following = (state.to_move + 1) % 3

        def hands_over(action: int, state: State = state, following: int = following) -> bool:
            after = connect4.apply(state, action)
            return any(connect4.apply(after, reply).winner == following for reply in connect4.legal_actions(after))

        safe = [action for action in connect4.legal_actions(state) if not hands_over(action)]
        assert not safe or plan.actions[0] in safe, told
    assert seen >= 10 and hopeful >= seen // 3, (seen, hopeful)


def test_nothing_compiles_after_warming() -> None:
    several_players()
    kernels = [multiplayer.run, multiplayer.take_back]
    before = [list(kernel.signatures) for kernel in kernels]
    assert all(before)
    for agent in AGENTS:
        agent().plan(connect4.start(Shape(5, 5, 5, 5, 6)), Thinking(nodes=3000))
    assert [list(kernel.signatures) for kernel in kernels] == before


def test_expected_values_lie_between_evaluations_and_proofs() -> None:
    assert 900_000 < expected(WIN - 512) < EXPECTED < PROVED
    assert expected(4 - WIN) == 4 - EXPECTED
    assert [describe(expected(value)) for value in (WIN - 7, 4 - WIN)] == ["W7?", "L4?"]
