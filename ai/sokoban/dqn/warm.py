"""Calls every kernel that only the training `dqn` uses once, with the types used there; needs no torch."""

import numpy as np

from ai.sokoban.dqn import demonstrations, play, starts
from ai.sokoban.dqn import replay as dqn_replay
from ai.sokoban.dqn import world as dqn_world
from ai.sokoban.dqn.learning import Learner
from ai.sokoban.dqn.shapes import Shape
from ai.sokoban.dqn.world import games_of, world_of
from game.rules import sokoban

_LEVEL = (
    (1, 1, 1, 1, 1, 1, 1),
    (1, 4, 0, 0, 0, 0, 1),
    (1, 0, 2, 0, 2, 0, 1),
    (1, 3, 0, 0, 0, 3, 1),
    (1, 1, 1, 1, 1, 1, 1),
)


def warm() -> None:
    """Compile or load them."""
    state = sokoban.from_array(np.array(_LEVEL))
    world, boxes = world_of([state]), len(state.boxes)
    shape = Shape("dense", state.warehouse.rows, state.warehouse.cols, hidden=(2, 2))
    games, recent = games_of(world, 1), play.recent_of(1)
    pending, stream = dqn_replay.pending_of(1, 2, boxes), np.ones(1, np.uint64)
    q = np.zeros((1, 4), np.float32)
    ends, lengths = np.zeros(1, np.int64), np.zeros(1, np.int64)
    play.begin_each(world, games)
    play.follow(world, games, q, ends, lengths)
    pool = starts.pool_of(world)
    starts.grow(world, pool, 2)
    play.begin_all(world, games, pool, 0.5, stream)
    replay = dqn_replay.replay_of(8, boxes, True)
    pay = play.Pay(0.05, 5.0, 3.0, 0.25, 0.05, 0.98)
    demonstrations.show(world, games, pending, replay, pay, np.zeros(1, np.int64), 2)
    dqn_world.settle(world, games, 0)
    learner = Learner(shape, world, 2, 0.001, True, 1)
    learner.judge(games, q)
    for _ in range(4):
        play.play(world, games, pending, replay, recent, pool, pay, q, 0.5, True, 0.5, 3, 2, stream)
    places, ones = np.zeros(2, np.int64), np.ones(2, np.float32)
    dqn_replay.draw(replay, stream, 0.5, places, ones)
    learner.learn(replay, places, ones)
    dqn_replay.reprioritise(replay, places, ones, 0.6)
    dqn_replay.set_priority(replay.tree, 0, 1.0)
