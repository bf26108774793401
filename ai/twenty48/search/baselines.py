"""The `random` and `greedy` agents of 2048: what every other agent is measured against."""

import numpy as np
import numpy.typing as npt

from ai.agent import Plan, Progress, Thinking
from ai.jit import kernel
from ai.twenty48.board.grid import Cells, slide, spawn
from ai.twenty48.board.spawns import pick, random_number
from ai.twenty48.search.engine import Played, luck_of
from ai.twenty48.search.stack import Record, write_move
from game.rules import twenty48
from game.rules.twenty48 import State, legal_actions

_MASK = 2**64 - 1
_MOVES_IN_A_SLICE = 2_000


class _Baseline:
    """An agent that looks at no more than its legal slides, and leaves the rest to chance.

    The choice depends on the seed and on how far the game is, so that the same seed gives the same game, undone
    moves or not.
    """

    greedy: bool
    """Whether it chooses among the slides of the largest reward only."""

    def __init__(self) -> None:
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        """`seed` names the sequence of choices; it is not the one of spawns, even for equal seeds."""
        self._seed = np.uint64(~seed & _MASK)

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """One legal slide, whatever the budget."""
        rewards = {action: _reward(state, action) for action in legal_actions(state)}
        if not rewards:
            return Plan((), seconds=thinking.elapsed, note="Nothing can move.")
        largest = max(rewards.values())
        choices = [action for action, reward in rewards.items() if reward == largest or not self.greedy]
        number = np.uint64(random_number(self._seed, np.uint64(state.spawns & _MASK)))
        action = choices[pick(number, np.int64(len(choices)))]
        values = {action: float(reward) for action, reward in rewards.items()} if self.greedy else {}
        return Plan((action,), values=values, seconds=thinking.elapsed)

    def play_many(self, state: State, moves: int, thinking: Thinking) -> Played:
        """Up to `moves` moves, as `plan` would play them one by one; stops when the game or the thinking is over."""
        cells = np.array(state.cells, np.uint8)
        luck = luck_of(state)
        done: list[tuple[int, int, int]] = []
        while len(done) < moves and not thinking.over(len(done)):
            most = moves if thinking.node_limit is None else min(moves, thinking.node_limit)
            record = np.zeros((min(_MOVES_IN_A_SLICE, most - len(done)), 3), np.int64)
            played = play_baseline(cells, state.size, luck, self._seed, self.greedy, record)
            done += [(int(action), int(cell), int(exponent)) for action, cell, exponent in record[:played]]
            thinking.report(Progress(len(done)))
            if played < len(record):
                break
        return tuple(done)


class RandomAgent(_Baseline):
    """Any legal slide, all alike likely."""

    greedy = False


class GreedyAgent(_Baseline):
    """The slide of the largest reward; any of them, all alike likely, where there are several. Values are rewards."""

    greedy = True


def _reward(state: State, action: int) -> int:
    slid = twenty48.slide(state, action)
    assert slid is not None
    return slid.reward


@kernel
def play_baseline(
    cells: Cells, size: int, luck: npt.NDArray[np.uint64], seed: np.uint64, greedy: bool, record: Record
) -> int:
    """Play actions chosen by the stream of `seed` until `record` is full or nothing moves.

    Args:
        cells: uint8 (size²,), changed in place.
        size: Edge of the board.
        luck: uint64 (2,): the game's seed and spawns, the second changed in place.
        seed: Of the choices; the choice at a position is number `spawns` of its stream.
        greedy: Whether only slides of the largest reward are chosen from, or all.
        record: int64 (n, 3): action, cell and exponent of each move.

    Returns:
        How many moves were played.
    """
    afters = np.zeros((4, len(cells)), np.uint8)
    choices = np.zeros(4, np.int64)
    for played in range(len(record)):
        count = np.int64(0)
        largest = np.int64(0)
        for action in range(4):
            reward = slide(cells, size, action, afters[action])
            if reward < 0 or (greedy and reward < largest):
                continue
            if greedy and reward > largest:
                largest = reward
                count = np.int64(0)
            choices[count] = action
            count += 1
        if count == 0:
            return played
        action = choices[pick(random_number(seed, luck[1]), count)]
        after = afters[action]
        cell, exponent = spawn(after, size, luck[0], luck[1])
        after[cell] = exponent
        cells[:] = after
        luck[1] += np.uint64(1)
        write_move(record, played, action, cell, exponent)
    return len(record)
