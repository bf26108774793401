"""An agent's game alone, by the plain rules, so that no agent can cheat: the one loop of matches, series and trials."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from ai.agent import Thinking
from game.play.asking import AgentFailed, ask
from game.rules import games, replay
from game.rules.game import State
from game.rules.replay import Step

MANY = 500
"""Moves asked of `play_many` at once."""

Move = tuple[int, int | None, int | None]
"""An action and what chance answered, as `play_many` tells them."""


@runtime_checkable
class FastPlayer(Protocol):
    """An agent that can play many moves in one call."""

    def play_many(self, state: Any, moves: int, thinking: Thinking) -> Sequence[Move]:
        """Up to so many moves, for every seat."""
        ...


@dataclass(frozen=True, slots=True)
class Turn:
    """What an agent played when it was asked once."""

    state: State
    """The position after it."""
    moves: Sequence[Move]
    seconds: float
    """How long the agent took."""
    values: Mapping[int, float]
    """What it said of the actions, where it was asked for one move."""

    def steps(self) -> list[Step]:
        """The moves as steps of a replay."""
        return [replay.thought(step_of(move), self.values) for move in self.moves]


def step_of(move: Move) -> Step:
    """A move as a step of a replay."""
    action, first, second = move
    return Step(int(action), None if first is None or second is None else (int(first), int(second)))


def checked(state: State, moves: Sequence[Move]) -> State:
    """The position after some moves.

    Raises:
        ValueError: the rules or the position's own luck do not allow one of them.
    """
    for move in moves:
        wanted = step_of(move)
        step, state = replay.chosen(state, wanted.action)
        if step != wanted:
            raise ValueError(f"{wanted.chance} is not what chance answers to {wanted.action}, but {step.chance}")
    return state


def play(
    agent: Any,
    name: str,
    start: State,
    *,
    most: int = MANY,
    seconds: float | None = None,
    move_seconds: float | None = None,
    check: Callable[[State, Any], State] = checked,
) -> Iterator[Turn]:
    """One game to its end, of an agent that has been told of it (`new_game`).

    Args:
        agent: Who plays; with `play_many` it is asked for many moves at once.
        name: What it is called where something is wrong with it.
        start: The first position.
        most: Moves that it plays in one call at most, where it can play many.
        seconds: How long such a call lasts at most, None for no limit.
        move_seconds: Seconds for every move; it is then asked for one after the other.
        check: Plays the moves again and refuses those that are wrong with a ValueError.

    Raises:
        AgentFailed: it plays nothing, or what the rules or the position's luck do not allow.
    """
    game, state = games.of(start), start
    fast = agent if move_seconds is None and isinstance(agent, FastPlayer) else None
    while game.outcome(state) is None:
        values: Mapping[int, float] = {}
        if fast is not None:
            began = time.perf_counter()
            moves = fast.play_many(state, most, Thinking(seconds))
            spent = time.perf_counter() - began
            if not moves:
                raise AgentFailed(f"{name} played nothing although the game goes on")
        else:
            plan, spent = ask(agent, name, state, Thinking(move_seconds))
            action, values = int(plan.actions[0]), plan.values
            answered = (None, None) if game.chance is None else game.chance(state, action)
            moves = ((action, *answered),)
        try:
            state = check(state, moves)
        except ValueError as error:
            raise AgentFailed(f"{name} broke the rules: {error}") from None
        yield Turn(state, moves, spent, values)
