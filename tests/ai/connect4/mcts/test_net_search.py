"""The network inside Monte-Carlo search: the kernel against the numpy network, what it brings, what it refuses."""

import random

import numpy as np
import pytest

from ai import catalogue, models
from ai.agent import Status, Thinking
from ai.connect4.board.board import LEGAL, board_of, tables
from ai.connect4.board.scores import PROVED
from ai.connect4.mcts.agent import Mcts
from ai.connect4.net import model
from ai.connect4.net.agent import Net
from ai.connect4.net.kernel import judge, network_of
from ai.entries import CatalogueError
from game.rules import connect4
from game.rules.connect4 import Shape, State

MODEL = models.find("connect4-net")
FLAT = Shape(6, 7, 1, 4, 2)


def positions(count: int) -> list[State]:
    """Random positions in which the game goes on, of any number of stones."""
    choose, found = random.Random(7), []
    while len(found) < count:
        state, plies = connect4.start(FLAT), choose.randrange(38)
        while len(state.moves) < plies and connect4.outcome(state) is None:
            state = connect4.apply(state, choose.choice(connect4.legal_actions(state)))
        if connect4.outcome(state) is None:
            found.append(state)
    return found


def test_the_kernel_says_what_the_network_says() -> None:
    assert MODEL is not None
    agent, made = Net(MODEL), tables(FLAT)
    net = network_of(model.load(MODEL))
    for state in positions(40):
        board = board_of(state)
        before = board.copy()
        priors, guesses = np.zeros(7, np.float32), np.zeros(7, np.float32)
        value = judge(made, board, net, int(board[LEGAL]), priors, guesses)
        expected, worth, whole = agent.judge(state)
        print(connect4.format_moves(state), value, whole, priors, expected)
        assert (board == before).all()
        assert value == pytest.approx(whole, abs=1e-4)
        for action in range(7):
            assert priors[action] == pytest.approx(expected.get(action, 0.0), abs=1e-4)
            if worth.get(action, 1.0) < 0.9999:
                assert guesses[action] == pytest.approx(worth[action], abs=1e-4)


def test_it_sees_at_once_what_playouts_find_out_slowly() -> None:
    assert MODEL is not None
    state = connect4.start(FLAT)
    plan = Mcts(model=MODEL).plan(state, Thinking(nodes=40))
    print(plan)
    assert plan.actions == (3,) and plan.nodes == 40
    assert set(plan.values) == set(range(7))
    assert Mcts(model=MODEL).plan(state, Thinking(nodes=40)).values == plan.values


def test_what_is_decided_is_proved_nevertheless() -> None:
    assert MODEL is not None
    state = connect4.start(FLAT)
    for column in (3, 0, 3, 0, 2, 6):  # two in the middle of the bottom row, and nobody at its sides
        state = connect4.apply(state, column)
    plan = Mcts(model=MODEL).plan(state, Thinking(nodes=4000))
    print(plan)
    assert plan.exact and plan.status is Status.PLAN and plan.values[plan.actions[0]] >= PROVED


def test_other_boards_and_models_are_refused() -> None:
    with pytest.raises(CatalogueError, match="is for ntuple in connect4, not for net"):
        catalogue.create("connect4", catalogue.parse("connect4", "mcts:connect4-ntuple"))
    deep = connect4.start(Shape(4, 4, 4, 4, 2))
    spec = catalogue.parse("connect4", "mcts:connect4-net,exploration=1.5")
    reason = catalogue.why_not("connect4", spec, deep)
    print(reason)
    assert reason is not None and "was trained for boards of" in reason
    assert catalogue.why_not("connect4", spec, connect4.start(FLAT)) is None
    stand_in = catalogue.stand_in("connect4", spec, deep)
    assert stand_in is not None and str(stand_in) == "mcts,exploration=1.5"
    with pytest.raises(ValueError, match="plays 6x7x1x4 for 2 only"):
        catalogue.create("connect4", spec).plan(deep, Thinking(nodes=10))
