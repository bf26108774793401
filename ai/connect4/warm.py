"""Calls every kernel of connect-4 once, with the types used in play: a function for each unit of them."""

import numpy as np

from ai.agent import Thinking
from ai.connect4.alphabeta.agent import AlphaBeta
from ai.connect4.alphabeta.multiplayer_agents import MaxN
from ai.connect4.board.board import board_of, tables
from ai.connect4.exact.solver import Solver, new_table, solve_positions
from ai.connect4.mcts.agent import Mcts
from ai.connect4.ntuple.network import SIZE, evaluate, make_board
from ai.connect4.report.players import Defensive, Greedy
from ai.connect4.report.state import signatures, state_key
from game.rules import connect4
from game.rules.connect4 import Shape

_SHAPES = (Shape(4, 4, 1, 3, 2), Shape(3, 3, 2, 3, 3))
"""Shallow searches on these go through all kernels."""


def alphabeta() -> None:
    """Alpha-beta, also in the middle of a game on a flat board, where wins by threats are looked for."""
    for shape in _SHAPES:
        AlphaBeta(depth=3).plan(connect4.start(shape), Thinking(nodes=2000))
    state = connect4.parse_position("44444", Shape(6, 7, 1, 4))
    AlphaBeta(depth=5).plan(state, Thinking(nodes=20_000))


def several_players() -> None:
    """Searches for several players."""
    for shape in _SHAPES:
        MaxN(depth=3).plan(connect4.start(shape), Thinking(nodes=2000))


def monte_carlo() -> None:
    """Monte-Carlo search."""
    for shape in _SHAPES:
        Mcts(simulations=20).plan(connect4.start(shape), Thinking())
    Mcts(simulations=20).plan(connect4.parse_position("11", Shape(4, 4, 1, 3)), Thinking())


def of_the_report() -> None:
    """The report's players, and the question to its table."""
    for shape in _SHAPES:
        for player in (Greedy(), Defensive()):
            player.plan(connect4.start(shape), Thinking())
    shape = Shape(6, 7, 1, 4)
    state_key(
        tables(shape, "complex"), board_of(connect4.parse_position("44444", shape), "complex"), signatures(shape)
    )


def exact() -> None:
    """The exact search, from the empty 4×4 board, and the questions beside it."""
    shape, table = Shape(4, 4, 1, 4), new_table(20)
    assert table is not None
    solver = Solver(shape, table)
    solver.begin(0, 0)
    solver.test(0, 1000)
    solver.narrow(1000)
    solver.won(0)
    solver.threats(0, 0)
    solve_positions(shape, [(0, 0)], table)


def networks() -> None:
    """N-tuple networks."""
    shape = Shape(4, 4, 1, 3)
    board = make_board(shape, 1, 3)
    weights, stones = np.zeros(2 * board.head[SIZE], np.int16), np.zeros(shape.cells, np.int32)
    evaluate(board, weights, np.float32(1.0), stones, 0, np.zeros(shape.columns, np.float32))
