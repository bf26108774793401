"""Calls every kernel of 2048 that only trainings use once, with the types used there."""

import numpy as np

from ai.agent import Thinking
from ai.twenty48.ntuple.downgrade import NO_STAGES
from ai.twenty48.ntuple.network import make_rules
from ai.twenty48.ntuple.starts import collect
from ai.twenty48.ntuple.training import NTupleTraining


def warm() -> None:
    """Learn from one game on a packed board and one on another, and read no replays."""
    NTupleTraining({"games": 1}, 0).advance(60.0, Thinking())
    NTupleTraining({"games": 1, "size": 3, "tuples": "0"}, 0).advance(60.0, Thinking())
    collect(
        np.uint64(0),
        np.zeros((0, 3), np.int64),
        NO_STAGES,
        make_rules().rows,
        np.zeros(0, np.uint64),
        np.zeros(0, np.int64),
    )
