"""Simulations of the `mcts` agent on packed 4×4 boards, in slices. `ai.twenty48.mcts.tree` says how they go."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.packed import (
    U1,
    Board,
    Rewards,
    Rows,
    build_rows,
    count_empty,
    empty_bits,
    pack,
    reward_of,
    slide,
)
from ai.twenty48.board.spawns import is_four, pick, random_number
from ai.twenty48.mcts import tree as node
from ai.twenty48.mcts.rollouts import EVALUATION, RANDOM, REWARD, Rollout
from ai.twenty48.mcts.tree import Tree, add, back_up, choose, find, make_tree, spawn_number
from ai.twenty48.search.evaluation import LineTable, Weights, build_lines, evaluate_packed


class PackedMcts(NamedTuple):
    """A tree, the stream of random numbers of its rollouts, and the tables of the rules and of the evaluation."""

    tree: Tree
    luck: npt.NDArray[np.uint64]
    """(2,): the seed of the stream, and how many of its numbers are used."""
    rows: Rows
    rewards: Rewards
    lines: LineTable
    loss: float


def make_packed(simulations: int, weights: Weights) -> PackedMcts:
    """A search of 4×4 boards with room for so many simulations."""
    rows, rewards = np.zeros((2, 65536), np.uint16), np.zeros(65536, np.int64)
    build_rows(rows, rewards)
    lines = np.zeros((2, 65536), np.float32)
    build_lines(lines, weights.numbers(), weights.powers())
    return PackedMcts(make_tree(simulations), np.zeros(2, np.uint64), rows, rewards, lines, weights.loss)


@kernel
def with_tile(board: Board, bits: Board, index: np.int64, four: np.bool_) -> Board:
    """The board with a tile in empty cell number `index`; `bits` are its empty cells."""
    for _ in range(index):
        bits &= bits - U1
    bit = bits & (~bits + U1)
    return board | (bit << U1 if four else bit)


@kernel
def play_out(
    after: Board,
    rollout: Rollout,
    luck: npt.NDArray[np.uint64],
    rows: Rows,
    rewards: Rewards,
    lines: LineTable,
    loss: float,
) -> tuple[np.float64, int]:
    """(what a rollout from an afterstate finds it worth, its slides)."""
    length, policy, score = rollout
    points = np.float64(0.0)
    for played in range(length):
        number = random_number(luck[0], luck[1])
        choice = random_number(luck[0], luck[1] + U1)
        luck[1] += np.uint64(2)
        bits = empty_bits(after)
        position = with_tile(after, bits, pick(number, count_empty(bits)), is_four(number))
        first = np.int64(choice & np.uint64(3))
        turn = 1 if choice & np.uint64(4) else 3
        best = -np.inf
        gained = np.int64(0)
        for tried in range(4):
            action = int((first + turn * tried) & 3)
            slid = slide(position, action, rows)
            if slid != position:
                reward = reward_of(position, action, rewards) if score or policy == REWARD else np.int64(0)
                worth = np.float64(reward) if policy == REWARD else np.float64(0.0)
                if policy == EVALUATION:
                    worth = evaluate_packed(slid, lines)
                if worth > best:
                    best = worth
                    after = slid
                    gained = reward
                if policy == RANDOM:
                    break
        if best == -np.inf:
            return points if score else np.float64(evaluate_packed(position, lines) - loss), played
        points += gained
    return points if score else evaluate_packed(after, lines), length


@kernel
def simulate_packed(
    search: PackedMcts, cells: npt.NDArray[np.uint8], rollout: Rollout, exploration: float, total: int, limit: int
) -> None:
    """Simulate on until there are `total` simulations or `limit` nodes.

    Args:
        search: Its tree is of this position, or has begun anew.
        cells: uint8 (16,): the position, exponents that fit.
        rollout: How values are found.
        exploration: How much slides seldom tried are preferred.
        total: Simulations, with those already done.
        limit: Nodes, with those already counted; the simulation that reaches it is finished.
    """
    head, reals, keys, tags, visits, sums, slots, gains, taken = search.tree
    luck, rows, rewards, lines, loss = search.luck, search.rows, search.rewards, search.lines, search.loss
    score = rollout.score
    afters = np.zeros(4, np.uint64)
    root = pack(cells)
    while head[node.SIMULATIONS] < total and head[node.NODES] < limit:
        position = root
        depth = 0
        while True:
            for action in range(4):
                after = slide(position, action, rows)
                slots[depth, action] = node.NOTHING
                if after != position:
                    slots[depth, action] = find(keys, tags, head[node.SEARCH], after)
                    afters[action] = after
                    gains[depth, action] = reward_of(position, action, rewards) if score else 0.0
            chosen = choose(slots, gains, depth, visits, sums, reals, exploration)
            if chosen < 0:
                value = np.float64(0.0 if score else evaluate_packed(position, lines) - loss)
                break
            taken[depth] = chosen
            after = afters[chosen]
            slot = slots[depth, chosen]
            fresh = slot < 0
            if slot == node.FRESH:
                slots[depth, chosen] = add(keys, tags, visits, sums, head[node.SEARCH], after)
            depth += 1
            head[node.NODES] += 1
            if fresh or depth == node.MAX_PATH:
                value, nodes = play_out(after, rollout, luck, rows, rewards, lines, loss)
                head[node.NODES] += nodes
                break
            bits = empty_bits(after)
            index, four = spawn_number(after, visits[slot] - 1, count_empty(bits))
            position = with_tile(after, bits, index, four)
        back_up(head, reals, visits, sums, slots, gains, taken, depth, value, score)
