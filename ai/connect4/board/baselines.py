"""Opponents that do not look ahead."""

import random

from ai.agent import Plan, Thinking
from game.rules import connect4
from game.rules.connect4 import State


class RandomMoves:
    """What weakens an agent: with some probability it plays any column that is not full instead of its own choice."""

    def __init__(self, probability: float) -> None:
        self._probability = probability
        self._random = random.Random(0)

    def new_game(self, seed: int) -> None:
        """Start the sequence of choices that belongs to `seed`."""
        self._random = random.Random(seed)

    def plan(self, state: State) -> Plan | None:
        """A random move for this turn, or None when the agent is to choose."""
        if not self._probability or self._random.random() >= self._probability:
            return None
        return Plan((self._random.choice(connect4.legal_actions(state)),), note="any column")


class RandomAgent:
    """Any column that is not full, each as likely as the others."""

    def __init__(self) -> None:
        self._random = random.Random(0)

    def new_game(self, seed: int) -> None:
        """Start the sequence of choices that belongs to `seed`."""
        self._random = random.Random(seed)

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """One legal action; none when the game is over."""
        legal = connect4.legal_actions(state)
        if not legal:
            return Plan((), note="the game is over")
        return Plan((self._random.choice(legal),), nodes=1, seconds=thinking.elapsed, note="any column")

    def play_many(self, state: State, moves: int, thinking: Thinking) -> tuple[tuple[int, None, None], ...]:
        """Up to `moves` random moves for every seat in turn, in the form of all fast players."""
        played: list[tuple[int, None, None]] = []
        while len(played) < moves and (legal := connect4.legal_actions(state)) and not thinking.over():
            action = self._random.choice(legal)
            state = connect4.apply(state, action)
            played.append((action, None, None))
        return tuple(played)
