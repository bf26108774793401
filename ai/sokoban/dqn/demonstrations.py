"""Games that a DQN is shown: a person's, from replays, and the policy network's own.

They stay in its memory (Hester et al. 2018, deep Q-learning from demonstrations): a part of every batch is drawn from them, and
at first their actions have to look better than all others by a margin.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ai import models
from ai.agent import Status, Thinking
from ai.jit import kernel
from ai.sokoban.board.layout import Longs
from ai.sokoban.dqn.play import Pay, potential, reward_of
from ai.sokoban.dqn.replay import Pending, Replay, pending_of, remember
from ai.sokoban.dqn.settings import Settings
from ai.sokoban.dqn.starts import grow, pool_of
from ai.sokoban.dqn.world import GOES_ON, Games, World, act, begin_on, games_of, settle, try_action
from ai.tensors import ModelError
from game.rules import replay, sokoban

BOARDS = 200
"""Rooms at most that the policy network plays."""
BACK = 30
"""Positions before the end of a single board that it plays as well."""
HOUR = 3600.0
"""Its games end by their pushes."""


class Shown(NamedTuple):
    """A game that ends with the solution."""

    board: int
    """Of the world."""
    start: sokoban.State
    actions: tuple[int, ...]


def shown(states: Sequence[sokoban.State], world: World, told: Settings) -> list[Shown]:
    """What the settings `replays` and `start` give for these boards.

    Raises:
        ValueError: something is asked for and there is nothing of it for these boards, in one sentence.
    """
    found: list[Shown] = []
    if told.replays:
        found += _replays(Path(told.replays), states)
    if told.start:
        found += _policy(told.start, states, world)
    return found


def put(games: list[Shown], world: World, memory: Replay, pay: Pay, ahead: int) -> None:
    """Write them to the beginning of an empty memory, where they stay."""
    one, pending = games_of(world, 1), pending_of(1, ahead, world.boxes.shape[1])
    for each in games:
        _place(world, one, each)
        show(world, one, pending, memory, pay, np.array(each.actions, np.int64), ahead)
    memory.shown[0] = memory.state[0] = memory.state[1]


def steps_of(games: list[Shown]) -> int:
    """How many transitions they make."""
    return sum(len(each.actions) for each in games)


@kernel
def show(world: World, games: Games, pending: Pending, memory: Replay, pay: Pay, actions: Longs, ahead: int) -> int:
    """Play a solution from where the only game is, into the memory; returns how it ended, GOES_ON after an illegal action."""
    board, boxes, end = games.board[0], games.boxes[0], GOES_ON
    pending.waiting[0] = 0
    for action in actions:
        row, before = pending.waiting[0], potential(pay, games, 0)
        square, _, _ = try_action(world, board, games.occupied[0], games.player[0], action)
        if square < 0 or end != GOES_ON:
            break
        pending.positions[0, row, 0] = games.player[0]
        for box in range(len(boxes)):
            pending.positions[0, row, 1 + box] = boxes[box]
        end = act(world, games, 0, action)
        _, reward = reward_of(pay, end, before, potential(pay, games, 0))
        pending.actions[0, row], pending.rewards[0, row], pending.waiting[0] = action, reward, row + 1
        if end != GOES_ON or row + 1 == ahead:
            least = 0 if end != GOES_ON else ahead - 1
            remember(memory, pending, 0, board, games.player[0], boxes, pay.discount, end != GOES_ON, least)
    return end


def _place(world: World, games: Games, each: Shown) -> None:
    """Its start on the only game."""
    begin_on(world, games, 0, each.board)
    games.player[0], games.boxes[0] = each.start.player, sorted(each.start.boxes)
    games.occupied[0] = 0
    games.occupied[0, games.boxes[0]] = 1
    settle(world, games, 0)


def _replays(source: Path, states: Sequence[sokoban.State]) -> list[Shown]:
    """Solved games on these boards, from a replay or a folder of replays."""
    if not os.path.exists(source):
        raise ValueError(f"{source}: there is no such replay or folder of replays")
    files = sorted(source.glob("*.json")) if os.path.isdir(source) else [source]
    boards = {_ground(state): number for number, state in reversed(list(enumerate(states)))}
    found: list[Shown] = []
    problems = []
    for file in files:
        try:
            game = replay.read(file)
            if game.game == "sokoban":
                found += _solved(game, file.name, boards, states)
        except (OSError, replay.ReplayError) as error:
            problems.append(str(error))
    if not found:
        reason = problems[0] if len(files) == 1 and problems else "no solved game of this board is there"
        raise ValueError(f"{source}: {reason}")
    return found


def _solved(
    game: replay.Replay, name: str, boards: dict[object, int], states: Sequence[sokoban.State]
) -> Iterator[Shown]:
    """A game up to its first solution, if it has one and is of one of the boards."""
    line = [state for state in replay.play(game, name) if isinstance(state, sokoban.State)]
    number, rules = boards.get(_ground(line[0])), line[0].warehouse.rules
    if number is None or rules not in (sokoban.PUSH_ONLY, states[number].warehouse.rules):
        return
    end = next((index for index, state in enumerate(line) if sokoban.is_solved(state)), 0)
    if end:
        yield Shown(number, line[0], tuple(step.action for step in game.steps[:end]))


def _ground(state: sokoban.State) -> object:
    """What makes a board the same one."""
    warehouse = state.warehouse
    return warehouse.rows, warehouse.cols, warehouse.walls, warehouse.targets, len(state.boxes)


def _policy(name: str, states: Sequence[sokoban.State], world: World) -> list[Shown]:
    """What a policy network solves without search: the boards, and where there is one also positions before its end."""
    from ai.sokoban.policy.agent import Policy

    path = models.find(name)
    if path is None:
        raise ValueError(f"start={name}: there is no such model")
    try:
        agent = Policy(path, HOUR, views=1, caution=0)
    except ModelError as error:
        raise ValueError(f"start={name}: it is no policy network ({error})") from None
    starts = dict.fromkeys(enumerate(states[:BOARDS]))
    if len(states) == 1:
        starts |= dict.fromkeys((0, state) for state in _before_the_end(states[0], world))
    found = []
    for board, state in starts:
        rules = sokoban.PUSH_ONLY
        pushed = sokoban.State(replace(state.warehouse, rules=rules), state.boxes, state.player)
        plan = agent.plan(pushed, Thinking())
        if plan.status is Status.SOLVED and plan.actions:
            found.append(Shown(board, state, plan.actions))
    if not found:
        raise ValueError(
            f"start={name}: it solves nothing of this board by itself, so there is nothing to learn from it"
        )
    return found


def _before_the_end(state: sokoban.State, world: World) -> Iterator[sokoban.State]:
    """Positions ever farther from the solution, those of a distance that are nearest to the start."""
    pool = pool_of(world)
    grow(world, pool, BACK + 1)
    layers = int(pool.state[0]) - 1
    for number in range(BACK if layers else 0):
        place = pool.ends[1 + number % layers] + number // layers
        if place < pool.ends[2 + number % layers]:
            _, player, *boxes = pool.positions[place].tolist()
            yield sokoban.State(state.warehouse, frozenset(boxes), player)
