"""Calls every kernel that only the training of connect-4's n-tuple networks uses once, with the types used there."""

import numpy as np

from ai.agent import Thinking
from ai.connect4.exact.bitboard import geometry
from ai.connect4.exact.labels import UNKNOWN, harvest, sample, settle
from ai.connect4.exact.search import new_search
from ai.connect4.ntuple.learning import learn_labels
from ai.connect4.ntuple.network import make_board
from ai.connect4.ntuple.training import NTupleTraining
from game.rules.connect4 import Shape


def warm() -> None:
    """Learn from a few games and from one label."""
    shape = Shape(4, 4, 1, 4)
    training = NTupleTraining({"board": "4x4x1x3", "walks": 1, "length": 3, "games": 2}, 0)
    training.advance(60.0, Thinking())
    found = new_search(geometry(shape), np.zeros(1 << 20, np.uint64))
    positions, signs = np.zeros((1, 2), np.uint64), np.full((1, shape.columns), UNKNOWN, np.int8)
    sample(found.geometry, 1, 0, np.zeros(1, np.int64), positions)
    settle(*found, positions, 10, signs)
    harvest(found.geometry, found.table, 1, np.zeros((shape.cells, 1, 2), np.uint64), np.zeros(shape.cells, np.int64))
    board = make_board(shape, 1, 3)
    learn_labels(board, np.zeros((2 * board.head[4], 3), np.float32), positions, signs, 1.0, 0.5, np.zeros(4))
