"""Games of agents by the plain rules, so that no agent can cheat: openings, seats, one game.

The command line's matches, the window's tournaments and the studies are made of this.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations

from ai.agent import Plan
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


def play(start: State, choose: Callable[[State], Plan]) -> Iterator[tuple[Step, State]]:
    """One game from `start` to its end, move by move; the step keeps what the agent thought of its moves.

    Raises:
        ValueError: the agent plays nothing, or what the rules do not allow.
    """
    game, state = games.of(start), start
    while game.outcome(state) is None:
        plan = choose(state)
        if not plan.actions:
            raise ValueError("the agent played nothing although the game goes on")
        step, state = replay.chosen(state, int(plan.actions[0]))
        yield replay.thought(step, plan.values), state
