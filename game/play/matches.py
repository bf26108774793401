"""Games of agents by the plain rules, so that no agent can cheat: openings, seats, one game.

The command line's matches, the window's tournaments and the studies are made of this.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

from ai.agent import Agent, Thinking
from game.play.asking import ask
from game.rules import games, replay
from game.rules.game import State
from game.rules.replay import Step

Judge = Callable[[State], bool]
_TRIES = 2000
"""Random openings tried before saying that there is none that leaves the game open."""
ALL_ORDERS = 3
"""Up to so many players a group plays in every order; more take turns round the table only."""


def opening(start: State, plies: int, luck: random.Random, unfit: Judge | None = None) -> State:
    """A random position so many plies after `start` in which the game goes on.

    Args:
        start: The position before the opening.
        plies: Moves of the opening.
        luck: What it depends on.
        unfit: Says which of them are left out.

    Raises:
        ValueError: none was found.
    """
    game = games.of(start)
    for _ in range(_TRIES):
        state, played = start, 0
        while played < plies and game.outcome(state) is None:
            state, played = game.play(state, luck.choice(game.actions(state))), played + 1
        if game.outcome(state) is None and (unfit is None or not unfit(state)):
            return state
    raise ValueError(f"no opening of {plies} moves leaves the game open on this board")


def rotation(number: int, players: int) -> list[int]:
    """Who sits on each seat in game `number`: everybody moves on by one seat from game to game."""
    return [(seat - number) % players for seat in range(players)]


def seatings(group: Sequence[int]) -> list[tuple[int, ...]]:
    """Every order in which a group plays one opening: all of them for two or three, else each in turn first."""
    if len(group) <= ALL_ORDERS:
        return list(permutations(group))
    return [tuple(group[index] for index in rotation(number, len(group))) for number in range(len(group))]


def schedule(entrants: int, players: int, games: int) -> list[tuple[int, tuple[int, ...]]]:
    """A round robin.

    Args:
        entrants: how many agents there are, at least `players`.
        players: seats at the board.
        games: of every group of so many agents, at least; rounded up so that each opening is played in every order.

    Returns:
        For each game the number of its opening and the entrant on each seat. The games of one opening stand together,
        so that a tournament that is stopped early is still nearly even.
    """
    groups = list(combinations(range(entrants), players))
    orders = [seatings(group) for group in groups]
    rounds = -(-games // len(orders[0])) if orders else 0
    return [(number, who) for number in range(rounds) for group in orders for who in group]


@dataclass(frozen=True, slots=True)
class Turn:
    """One move of a game."""

    seat: int
    step: Step
    """With what the agent thought of its moves."""
    state: State
    """The position after it."""
    seconds: float
    """How long the agent took."""


def play(
    start: State, agents: Sequence[Agent[Any]], names: Sequence[str], thinking: Callable[[], Thinking],
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[Turn]:  # fmt: skip
    """One game from `start` to its end, move by move.

    Args:
        start: The first position.
        agents: Who sits where, told of the game before (`new_game`).
        names: What they are called where something is wrong with them.
        thinking: The budget of a move.
        clock: What their seconds are taken by.

    Raises:
        AgentFailed: an agent plays nothing, or what the rules do not allow.
    """
    game, state = games.of(start), start
    while game.outcome(state) is None:
        seat = game.to_move(state)
        plan, seconds = ask(agents[seat], names[seat], state, thinking(), clock)
        step, state = replay.chosen(state, int(plan.actions[0]))
        yield Turn(seat, replay.thought(step, plan.values), state, seconds)
