"""Calls every kernel of the DQN once, with the types used in training and in play; needs no torch."""

import numpy as np

from ai.sokoban import dqn_play, dqn_replay, dqn_shown, dqn_starts, dqn_world
from ai.sokoban.dqn_dense import judge
from ai.sokoban.dqn_shapes import Shape, inputs, sizes
from ai.sokoban.dqn_world import games_of, world_of
from game.rules import sokoban


def warm(state: sokoban.State) -> None:
    """On a position."""
    world, boxes = world_of([state]), len(state.boxes)
    shape = Shape("dense", state.warehouse.rows, state.warehouse.cols, hidden=(2, 2))
    games, recent = games_of(world, 1), dqn_play.recent_of(1)
    pending, stream = dqn_replay.pending_of(1, 2, boxes), np.ones(1, np.uint64)
    q, weights = np.zeros((1, 4), np.float32), {n: np.zeros(s, np.float32) for n, s in sizes(shape).items()}
    active, layers = np.zeros(1 + 2 * boxes, np.int32), np.zeros((2, 2), np.float32)
    ends, lengths = np.zeros(1, np.int64), np.zeros(1, np.int64)
    dqn_play.begin_each(world, games)
    dqn_play.follow(world, games, q, ends, lengths)
    dqn_play.begin_all(world, games, 0.5, stream)
    replay = dqn_replay.replay_of(8, boxes, True)
    pay = dqn_play.Pay(0.05, 5.0, 3.0, 0.25, 0.05, 0.98)
    dqn_shown.show(world, games, pending, replay, pay, np.zeros(1, np.int64), 2)
    dqn_starts.go_back(world, games, 0, 1, stream)
    dqn_world.settle(world, games, 0)
    for _ in range(4):
        w = weights
        judge(
            world, games, False, True, w["hidden1.weight"], w["hidden1.bias"], w["hidden2.weight"], w["hidden2.bias"],
            w["advantage.weight"], w["advantage.bias"], w["value.weight"], w["value.bias"], active, layers, q,
        )  # fmt: skip
        dqn_play.play(world, games, pending, replay, recent, pay, q, 0.5, 0.5, 3, 2, stream)
    places, ones, seen = np.zeros(2, np.int64), np.ones(2, np.float32), np.zeros((4, len(active)), np.int64)
    dqn_replay.draw(replay, stream, 0.5, places, ones)
    dqn_replay.dense_batch(
        world, replay, places, False, inputs(shape) - 1, active, np.zeros(shape.rows * shape.cols, np.uint8), seen,
        np.zeros((2, 4), np.float32), places.copy(), ones.copy(), ones.copy(),
    )  # fmt: skip
    dqn_replay.reprioritise(replay, places, ones, 0.6)
    dqn_replay.set_priority(replay.tree, 0, 1.0)
