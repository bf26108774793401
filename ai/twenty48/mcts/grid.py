"""Simulations of the `mcts` agent on boards of any size, in slices. `ai.twenty48.mcts.tree` says how they go."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.grid import Cells, count_empty, slide
from ai.twenty48.board.spawns import is_four, pick, random_number
from ai.twenty48.mcts import tree as node
from ai.twenty48.mcts.rollouts import EVALUATION, RANDOM, REWARD, Rollout
from ai.twenty48.mcts.tree import Tree, add, back_up, choose, find, make_tree, spawn_number
from ai.twenty48.search.evaluation import EXPONENTS, Weights
from ai.twenty48.search.grid_lines import Lines, make_lines
from ai.twenty48.search.grid_search import evaluate, fill_marks, key_of


class GridMcts(NamedTuple):
    """A tree, the stream of random numbers of its rollouts, and what the evaluation says of lines."""

    tree: Tree
    luck: npt.NDArray[np.uint64]
    """(2,): the seed of the stream, and how many of its numbers are used."""
    boards: npt.NDArray[np.uint8]
    """(6, size²): the position on the way, the afterstates of its slides, one more."""
    marks: npt.NDArray[np.uint64]
    """(64, 64): as in `GridSearch`."""
    lines: Lines
    board: npt.NDArray[np.uint64]
    """(2, 8): the lines of the board being evaluated."""
    loss: float


def make_grid(size: int, simulations: int, weights: Weights) -> GridMcts:
    """A search of boards of one size with room for so many simulations."""
    marks = np.zeros((EXPONENTS, EXPONENTS), np.uint64)
    fill_marks(marks)
    return GridMcts(
        make_tree(simulations),
        np.zeros(2, np.uint64),
        np.zeros((6, size * size), np.uint8),
        marks,
        make_lines(size, weights.numbers(), weights.powers()),
        np.zeros((2, 8), np.uint64),
        weights.loss,
    )


@kernel
def put_tile(cells: Cells, index: np.int64, four: np.bool_) -> None:
    """Put a tile into empty cell number `index`."""
    cell = 0
    while cells[cell] or index > 0:
        index -= cells[cell] == 0
        cell += 1
    cells[cell] = 2 if four else 1


@kernel
def worth_of(cells: Cells, board: npt.NDArray[np.uint64], lines: Lines) -> np.float64:
    """What the evaluation says of a board."""
    return evaluate(cells, board, lines.size, lines.known, lines.worths, lines.numbers, lines.powers, lines.scratch)


@kernel
def play_out(
    after: Cells,
    position: Cells,
    slid: Cells,
    rollout: Rollout,
    luck: npt.NDArray[np.uint64],
    lines: Lines,
    board: npt.NDArray[np.uint64],
    loss: float,
) -> tuple[np.float64, int]:
    """(what a rollout from an afterstate finds it worth, its slides). All three boards are written over."""
    length, policy, score = rollout
    size = lines.size
    points = np.float64(0.0)
    for played in range(length):
        number = random_number(luck[0], luck[1])
        choice = random_number(luck[0], luck[1] + np.uint64(1))
        luck[1] += np.uint64(2)
        position[:] = after
        put_tile(position, pick(number, count_empty(position, size)), is_four(number))
        first = np.int64(choice & np.uint64(3))
        turn = 1 if choice & np.uint64(4) else 3
        best = -np.inf
        gained = np.int64(0)
        for tried in range(4):
            action = int((first + turn * tried) & 3)
            reward = slide(position, size, action, slid)
            if reward >= 0:
                worth = np.float64(reward) if policy == REWARD else np.float64(0.0)
                if policy == EVALUATION:
                    worth = worth_of(slid, board, lines)
                if worth > best:
                    best = worth
                    after[:] = slid
                    gained = reward
                if policy == RANDOM:
                    break
        if best == -np.inf:
            return points if score else np.float64(worth_of(position, board, lines) - loss), played
        points += gained
    return points if score else worth_of(after, board, lines), length


@kernel
def simulate_grid(
    search: GridMcts, cells: Cells, rollout: Rollout, exploration: float, total: int, limit: int
) -> None:
    """Simulate on from `cells` (uint8, size² exponents); see `simulate_packed` for the arguments."""
    head, reals, keys, tags, visits, sums, slots, gains, taken = search.tree
    luck, lines, board, loss, marks = search.luck, search.lines, search.board, search.loss, search.marks
    size, score = lines.size, rollout.score
    tried = np.zeros(4, np.uint64)
    position, afters, slid = search.boards[0], search.boards[1:5], search.boards[5]
    while head[node.SIMULATIONS] < total and head[node.NODES] < limit:
        position[:] = cells
        depth = 0
        while True:
            for action in range(4):
                reward = slide(position, size, action, afters[action])
                slots[depth, action] = node.NOTHING
                if reward >= 0:
                    tried[action] = key_of(afters[action], size, marks)
                    slots[depth, action] = find(keys, tags, head[node.SEARCH], tried[action])
                    gains[depth, action] = reward if score else 0.0
            chosen = choose(slots, gains, depth, visits, sums, reals, exploration)
            if chosen < 0:
                value = np.float64(0.0 if score else worth_of(position, board, lines) - loss)
                break
            taken[depth] = chosen
            after = afters[chosen]
            slot = slots[depth, chosen]
            fresh = slot < 0
            if slot == node.FRESH:
                slots[depth, chosen] = add(keys, tags, visits, sums, head[node.SEARCH], tried[chosen])
            depth += 1
            head[node.NODES] += 1
            if fresh or depth == node.MAX_PATH:
                value, nodes = play_out(after, position, slid, rollout, luck, lines, board, loss)
                head[node.NODES] += nodes
                break
            index, four = spawn_number(tried[chosen], visits[slot] - 1, count_empty(after, size))
            position[:] = after
            put_tile(position, index, four)
        back_up(head, reals, visits, sums, slots, gains, taken, depth, value, score)
