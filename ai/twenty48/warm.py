"""Calls every kernel of 2048 once, the way play does: a function for each unit of them."""

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
from ai.twenty48.search.stack import best_action
from game.rules.twenty48 import start


def _play(agent: Expectimax | Mcts | GreedyAgent | RandomAgent) -> None:
    """A move planned and one played, on a packed board and on another."""
    for size in (4, 3):
        state = start(size)
        agent.plan(state, Thinking())
        retrace(state, agent.play_many(state, 1, Thinking()))


def expectimax() -> None:
    """Expectimax."""
    _play(Expectimax(depth=2))
    best_action(np.zeros(4))


def monte_carlo() -> None:
    """Monte-Carlo search."""
    _play(Mcts(simulations=10, time=1.0, rollout=1, policy="evaluation", value="evaluation", exploration=1.0))


def baselines() -> None:
    """Agents without search."""
    for agent in (GreedyAgent(), RandomAgent()):
        _play(agent)


def environments() -> None:
    """Many games side by side."""
    batch = Batch(1)
    batch.start(np.zeros(1, np.uint64))
    batch.step(np.zeros(1, np.int64))


def networks() -> None:
    """N-tuple networks on a packed board and on another."""
    with temporary.folder() as folder:
        path, other = folder / "warm.safetensors", folder / "other.safetensors"
        model.write(path, ((0,),), np.zeros(16, np.float32), ModelCard(path))
        model.write(other, ((0,),), np.zeros(16, np.float32), ModelCard(other), size=3)
        agents = (NTuple(path, plies=2), 4), (NTuple(other, plies=2), 3)
    for agent, size in agents:
        agent.plan(start(size), Thinking())
        agent.play_many(start(size), 1, Thinking())


def of_the_report() -> None:
    """The report's network."""
    with temporary.folder() as folder:
        path = folder / "warm.safetensors"
        report_model.write(path, np.zeros(sum(PLACES), np.float32), True, ModelCard(path))
        agent = NTupleReport(path)
    agent.plan(start(4), Thinking())
    agent.play_many(start(4), 1, Thinking())
