"""Calls every kernel of connect-4 once, with the types used in play, so that nothing compiles later."""

import numpy as np

from ai.agent import Thinking
from ai.connect4.alphabeta.agent import AlphaBeta
from ai.connect4.alphabeta.multiplayer_agents import MaxN
from ai.connect4.board.board import board_of, tables
from ai.connect4.exact.solver import Solver, new_table, solve_positions
from ai.connect4.mcts.agent import Mcts
from ai.connect4.ntuple.network import SIZE, evaluate, make_board
from ai.connect4.report.players import Defensive
from ai.connect4.report.state import signatures, state_key
from game.rules import connect4
from game.rules.connect4 import Shape


def warm() -> None:
    """Compile or load every kernel: shallow searches go through all of them."""
    searches = (AlphaBeta(depth=3), MaxN(depth=3))
    for shape in (Shape(4, 4, 1, 3, 2), Shape(3, 3, 2, 3, 3)):
        for agent in searches:
            agent.plan(connect4.start(shape), Thinking(nodes=2000))
        Defensive().plan(connect4.start(shape), Thinking())
        Mcts(simulations=20).plan(connect4.start(shape), Thinking())
    # A flat board in the middle of a game: wins by threats are looked for, and a Q-table is asked.
    shape = Shape(6, 7, 1, 4)
    state = connect4.parse_position("44444", shape)
    AlphaBeta(depth=5).plan(state, Thinking(nodes=20_000))
    state_key(tables(shape, "complex"), board_of(state, "complex"), signatures(shape))
    _exact()
    _networks()


def _exact() -> None:
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


def _networks() -> None:
    """N-tuple networks."""
    shape = Shape(4, 4, 1, 3)
    board = make_board(shape, 1, 3)
    weights, stones = np.zeros(2 * board.head[SIZE], np.int16), np.zeros(shape.cells, np.int32)
    evaluate(board, weights, np.float32(1.0), stones, 0, np.zeros(shape.columns, np.float32))
