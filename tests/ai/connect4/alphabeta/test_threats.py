"""Threat-space search: what it finds is won, and the board is left as it was."""

import random

import numpy as np
import pytest

from ai.agent import Thinking
from ai.connect4.alphabeta import threats
from ai.connect4.alphabeta.agent import AlphaBeta
from ai.connect4.board import board as kernels
from ai.connect4.board.scores import WIN
from game.rules import connect4
from game.rules.connect4 import Shape, State
from tests.ai.connect4.brute import picture


def find(state: State, most: int = 20) -> tuple[int, list[int]]:
    """The shortest win by threats as (plies, moves)."""
    made, board = kernels.tables(state.shape), kernels.board_of(state)
    table, line = threats.new_table(), np.zeros(61, np.int64)
    before = board[: kernels.MOVES].copy()
    for number in range(1, most):
        plies, nodes = threats.find_win(made, board, table, number, 50_000, line)
        assert np.array_equal(board[: kernels.MOVES], before), picture(state)
        assert nodes > 0
        if plies:
            return plies, [int(move) for move in line[: max(plies, 0)]]
    return 0, []


def quiet(shape: Shape, stones: int, choose: random.Random) -> State:
    """A random position in which nobody has won or wins at once."""
    while True:
        state = connect4.start(shape)
        while len(state.moves) < stones and state.winner is None:
            state = connect4.apply(state, choose.choice(connect4.legal_actions(state)))
        if connect4.outcome(state) is None and not winning(state):
            return state


def winning(state: State) -> list[int]:
    return [action for action in connect4.legal_actions(state) if connect4.apply(state, action).winner is not None]


def check_forced(state: State, moves: list[int]) -> None:
    """Every answer but the one in the line loses at once, and the line ends with a win."""
    seat = state.to_move
    for number, move in enumerate(moves):
        if number % 2 == 1:
            assert not winning(state), picture(state)
            for reply in connect4.legal_actions(state):
                if reply != move:
                    assert winning(connect4.apply(state, reply)), f"{reply + 1} in {picture(state)}"
        state = connect4.apply(state, move)
    assert state.winner == seat, picture(state)


@pytest.mark.parametrize("board", ["6,7,1,4", "4,4,4,4", "5,5,5,4", "6,7,5,4", "5,6,2,5"])
def test_lines_are_forced_wins(board: str) -> None:
    choose = random.Random(board)
    shape = connect4.parse_shape(board)
    found = []
    for _ in range(60):
        state = quiet(shape, choose.randint(4, min(24, shape.cells // 2)), choose)
        plies, moves = find(state)
        if plies > 0:
            found.append(plies)
            assert plies == len(moves) and plies % 2 == 1
            check_forced(state, moves)
    assert found or board == "5,6,2,5"
    if board in ("5,5,5,4", "6,7,5,4"):
        assert max(found) >= 7, found


def test_none_in_a_quiet_opening() -> None:
    assert find(connect4.parse_position("4453", Shape(6, 7, 1, 4))) == (0, [])


def test_out_of_nodes() -> None:
    state = connect4.start(connect4.parse_shape("5,5,5,4"))
    made, board = kernels.tables(state.shape), kernels.board_of(state)
    line = np.zeros(61, np.int64)
    assert threats.find_win(made, board, threats.new_table(), 5, 1, line) == (threats.OUT_OF_NODES, 1)


def test_alpha_beta_sees_long_threats_at_a_glance() -> None:
    """A win by threats is played, and proved, by a search far too short for it; so is the answer to one."""
    choose = random.Random(9)
    shape = connect4.parse_shape("6,7,5,4")
    seen = 0
    while seen < 5:
        state = quiet(shape, choose.randint(12, 24), choose)
        plies, moves = find(state)
        if plies < 7:
            continue
        seen += 1
        plan = AlphaBeta().plan(state, Thinking(nodes=3_000))
        assert max(plan.values.values()) >= WIN - plies, f"{picture(state)}\n{plan}"
        assert plan.values[plan.actions[0]] == max(plan.values.values()) and plan.exact
        last = connect4.apply(state, moves[0])
        assert AlphaBeta().plan(last, Thinking(nodes=3_000)).actions[0] == moves[1], picture(last)
