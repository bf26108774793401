"""The `random` agent of 2048: what every other agent is measured against."""

import numpy as np

from ai.agent import Plan, Progress, Thinking
from ai.twenty48.expectimax import Played
from ai.twenty48.grid import play_random
from ai.twenty48.spawns import pick, random_number
from game.rules.twenty48 import State, legal_actions

_MASK = 2**64 - 1
_MOVES_IN_A_SLICE = 2_000


class RandomAgent:
    """Any legal slide, all alike likely.

    The choice depends on the seed and on how far the game is, so that the same seed gives the same game, undone
    moves or not.
    """

    def __init__(self) -> None:
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        """`seed` names the sequence of choices; it is not the one of spawns, even for equal seeds."""
        self._seed = np.uint64(~seed & _MASK)

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """One legal slide, whatever the budget."""
        legal = legal_actions(state)
        if not legal:
            return Plan((), seconds=thinking.elapsed, note="Nothing can move.")
        number = np.uint64(random_number(self._seed, np.uint64(state.spawns & _MASK)))
        return Plan((legal[pick(number, np.int64(len(legal)))],), seconds=thinking.elapsed)

    def play_many(self, state: State, moves: int, thinking: Thinking) -> Played:
        """Up to `moves` moves, as `plan` would play them one by one; stops when the game or the thinking is over."""
        cells = np.array(state.cells, np.uint8)
        luck = np.array([state.seed & _MASK, state.spawns & _MASK], np.uint64)
        done: list[tuple[int, int, int]] = []
        while len(done) < moves and not thinking.over(len(done)):
            most = moves if thinking.node_limit is None else min(moves, thinking.node_limit)
            record = np.zeros((min(_MOVES_IN_A_SLICE, most - len(done)), 3), np.int64)
            played = play_random(cells, state.size, luck, self._seed, record)
            done += [(int(action), int(cell), int(exponent)) for action, cell, exponent in record[:played]]
            thinking.report(Progress(len(done)))
            if played < len(record):
                break
        return tuple(done)
