"""Whole games of 2048 by one agent: what matches, series and tests of models are made of.

Every move is played again by the rules, so that no agent can cheat.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ai.agent import Agent, Thinking
from game.play.asking import AgentFailed, ask
from game.rules import twenty48
from game.rules.twenty48 import State

MANY = 500
"""Moves asked for at once, of an agent that plays many in one call."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A few moves of a game, or a single one."""

    state: State
    """After them."""
    moves: tuple[tuple[int, int, int], ...]
    """The action, the cell of the tile that followed, and its exponent."""
    values: Mapping[int, float]
    """What the agent thought every action worth, where it was asked for one move."""
    seconds: float
    """That the agent took."""


def play(
    agent: Agent[Any],
    name: str,
    start: State,
    *,
    most: int = MANY,
    seconds: float | None = None,
    move_seconds: float | None = None,
) -> Iterator[Stretch]:
    """One game from `start` to its end.

    Args:
        agent: Who plays; begins a new game.
        name: What it is called where something is wrong with it.
        start: The first position, whose luck decides every tile.
        most: Moves that it plays in one call at most, where it can play many.
        seconds: How long such a call lasts at most, None for no limit.
        move_seconds: Seconds for every move; it is then asked for one after the other.

    Raises:
        AgentFailed: it plays nothing, or what the rules or the luck do not allow.
    """
    from ai.twenty48.search.retrace import retrace

    agent.new_game(start.seed)
    many = getattr(agent, "play_many", None) if move_seconds is None else None
    state = start
    while twenty48.outcome(state) is None:
        values: Mapping[int, float] = {}
        began = time.perf_counter()
        if many is not None:
            played = many(state, most, Thinking(seconds))
            spent = time.perf_counter() - began
            moves = tuple((int(action), int(cell), int(exponent)) for action, cell, exponent in played)
            if not moves:
                raise AgentFailed(f"{name} played nothing in a position where something moves")
        else:
            plan = ask(agent, name, state, Thinking(move_seconds), twenty48.legal_actions)
            spent = time.perf_counter() - began
            action, values = int(plan.actions[0]), plan.values
            moves = ((action, *twenty48.chance(state, action)),)
        try:
            state = retrace(state, moves)
        except ValueError as error:
            raise AgentFailed(f"{name}: {error}") from None
        yield Stretch(state, moves, values, spent)
