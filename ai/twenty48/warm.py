"""Calls every kernel of 2048 once, the way play does, so that the window only ever loads compiled ones."""

import numpy as np

from ai import temporary
from ai.agent import Thinking
from ai.models import ModelCard
from ai.twenty48.board.batch import Batch
from ai.twenty48.mcts.agent import Mcts
from ai.twenty48.ntuple import model
from ai.twenty48.ntuple.agent import NTuple
from ai.twenty48.report import model as report_model
from ai.twenty48.report.agent import NTupleReport
from ai.twenty48.report.shapes import PLACES
from ai.twenty48.search.baselines import GreedyAgent, RandomAgent
from ai.twenty48.search.expectimax import Expectimax
from ai.twenty48.search.retrace import retrace
from game.rules.twenty48 import start


def warm() -> None:
    """Plan and play a move on a packed board and on another, with each agent."""
    mcts = Mcts(simulations=10, time=1.0, rollout=1, policy="evaluation", value="evaluation", exploration=1.0)
    for agent in (Expectimax(depth=2), mcts, GreedyAgent(), RandomAgent()):
        for size in (4, 3):
            state = start(size)
            agent.plan(state, Thinking())
            retrace(state, agent.play_many(state, 1, Thinking()))
    batch = Batch(1)
    batch.start(np.zeros(1, np.uint64))
    batch.step(np.zeros(1, np.int64))
    with temporary.folder() as folder:
        path = folder / "warm.safetensors"
        model.write(path, ((0,),), np.zeros(16, np.float32), ModelCard(path))
        network = NTuple(path, plies=2)
        other = folder / "other.safetensors"
        model.write(other, ((0,),), np.zeros(16, np.float32), ModelCard(other), size=3)
        on_arrays = NTuple(other, plies=2)
        report_model.write(path, np.zeros(sum(PLACES), np.float32), True, ModelCard(path))
        report = NTupleReport(path)
    for learned, size in ((network, 4), (report, 4), (on_arrays, 3)):
        learned.plan(start(size), Thinking())
        learned.play_many(start(size), 1, Thinking())
