"""Calls every Sokoban kernel once, on a tiny level, with the types used in play: a function for each unit of them."""

from pathlib import Path

import numpy as np

from ai.agent import Thinking
from ai.models import ModelCard
from ai.sokoban.batch.cells import CHANGED, LOOKS, META, paint_all, paint_sprites, step_one
from ai.sokoban.batch.games import NO_TILES, Batch, boards_of
from ai.sokoban.board.ground import survey
from ai.sokoban.board.layout import Bytes, Ints, layout
from ai.sokoban.board.moves import move, solved
from ai.sokoban.dqn import agent, shapes, world
from ai.sokoban.dqn import model as dqn_model
from ai.sokoban.fess import agent as fess
from ai.sokoban.fess import packing_room, packing_search, patterns, search
from ai.sokoban.fess.macro import make_motion
from ai.sokoban.policy import agent as policy_agent
from ai.sokoban.policy import frontier
from ai.sokoban.policy import model as policy_model
from ai.sokoban.policy import search as policy_search
from ai.sokoban.rooms.batch import remember_all
from ai.sokoban.rooms.maker import make_rooms
from ai.sokoban.search import beam, beam_search, bestfirst, ida, ida_search, lrta, lrta_search
from ai.sokoban.search.optimise import Optimise
from game.rules import sokoban

_LEVEL = (
    (1, 1, 1, 1, 1, 1, 1),
    (1, 4, 0, 0, 0, 0, 1),
    (1, 0, 2, 0, 2, 0, 1),
    (1, 3, 0, 0, 0, 3, 1),
    (1, 1, 1, 1, 1, 1, 1),
)


def _state() -> sokoban.State:
    return sokoban.from_array(np.array(_LEVEL))


def best_first() -> None:
    """A* and its kin."""
    state = _state()
    bestfirst.AStar(60.0, 1000).plan(state, Thinking())
    board = layout(state)
    move(board.steps, board.occupied, board.player, 1)
    solved(board.occupied, board.is_target)


def deepening() -> None:
    """IDA*."""
    ida.Ida(60.0, 1000, table=1000).plan(_state(), Thinking())
    table, larger = (ida.empty_table(room, 1) for room in (4, 8))
    ida_search.move_over(table, larger, np.zeros(4, dtype=np.int32), 0, 4)


def beams() -> None:
    """Beam search."""
    beam.Beam(60.0, 1000).plan(_state(), Thinking())
    beam_search.enter(np.zeros(4, dtype=np.uint64), np.ones(4, dtype=np.uint64))


def learning() -> None:
    """LRTA*."""
    lrta.Lrta(60.0, 1000).plan(_state(), Thinking())
    words, values = np.ones(4, dtype=np.uint64), np.zeros(4, dtype=np.int32)
    lrta_search.relearn(words, values, np.zeros(8, dtype=np.uint64), np.zeros(8, dtype=np.int32))


def optimiser() -> None:
    """Shortening a solution."""
    Optimise("astar", 60.0, 2000).plan(_state(), Thinking())


def strong() -> None:
    """The strong solver, also where a plan with parked boxes is made anew, which that level has none of."""
    state = _state()
    fess.Fess(60.0, 1000).plan(state, Thinking())
    squares = len(layout(state).squares)
    patterns.adopt(patterns.make_patterns(squares), patterns.make_patterns(squares), 0, np.zeros(squares, np.uint8))
    search.rehash(np.full(4, -1, dtype=np.int32), np.zeros(1, dtype=np.uint64), 0, 1)
    board = layout(state)
    pulls = packing_room.make_pulls(board, 4, opening=False)
    none: Ints = np.zeros(0, dtype=np.int32)
    source: Ints = np.zeros(len(board.squares), dtype=np.int32)
    packing_search.follow(
        survey(board, None, lambda _note: None), source, none, pulls, make_motion(len(board.squares)), 0, none, none, 0, True
    )  # fmt: skip


def policies() -> None:
    """Playing and searching with a network."""
    state = _state()
    arrays = {name: np.zeros(size, np.float32) for name, size in policy_model.sizes(4, 2, 4).items()}
    model = policy_model.PolicyModel(ModelCard(Path("none"), board="10x10"), 4, 2, 4, arrays)
    policy_agent.Policy(model, views=1, caution=0).plan(state, Thinking())
    policy_search.PolicySearch(model, expansions=100).plan(state, Thinking())
    frontier.put(np.zeros(4, dtype=np.int32), np.zeros(4), np.zeros(frontier.META, dtype=np.int64), 0, 0.0)


def q_network() -> None:
    """Playing with a Q network."""
    state = _state()
    shape = shapes.Shape("dense", state.warehouse.rows, state.warehouse.cols, hidden=(2, 2))
    arrays = {name: np.zeros(size, np.float32) for name, size in shapes.sizes(shape).items()}
    agent.judge_of(dqn_model.DqnModel(ModelCard(Path("none")), shape, arrays, None), state)(state)
    world.alive_of(state.warehouse)


def rooms() -> None:
    """Making rooms."""
    make_rooms(seed=0, rows=5, cols=5, boxes=1, count=2)
    remember_all(np.zeros(2, np.uint64), np.ones(1, np.uint64))


def environments() -> None:
    """Batches with and without pictures, and the single game."""
    boards = boards_of(make_rooms(seed=0, rows=5, cols=5, boxes=1, count=2))
    tiles: Bytes = np.zeros((LOOKS, 1, 3), np.uint8)
    for kind in (NO_TILES, tiles):
        batch = Batch(1, 5, 5, 1, tiles=kind, boards=boards)
        batch.step(np.ones(1, np.int64))
    pixels: Bytes = np.zeros(75, np.uint8)
    cells, meta = boards.cells[0], np.zeros((1, META), np.int32)
    meta[:] = boards.meta[0]
    paint_all(cells, 5, pixels, tiles)
    ended: Bytes = np.zeros(1, np.uint8)
    step_one(cells, meta, np.ones(1, np.int64), np.zeros(1), ended, 5, False, 120, pixels, tiles)
    picture: Bytes = np.zeros((5, 5, 3), np.uint8)
    sprites: Bytes = np.zeros((32, 1, 1, 4), np.uint8)
    paint_sprites(picture, picture, sprites, cells, meta[0, CHANGED:], 5)
