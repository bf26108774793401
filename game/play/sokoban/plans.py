"""What a plan means on the board: pushes and moves, the next push in words, the way to it, boxes home."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from game.rules import sokoban
from game.rules.direction import Direction
from game.rules.sokoban import PULL, SECOND, State

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True)
class Push:
    """The next thing a plan does to a box: one box pushed or pulled in one direction, one or more squares in a row."""

    box: int
    action: int
    """Of every push or pull."""
    squares: int
    way: tuple[int, ...]
    """Squares that keepers walk before the first push."""
    actions: tuple[int, ...]
    """The walk and the pushes."""

    @property
    def direction(self) -> int:
        """Where the box goes."""
        return self.action & 3

    @property
    def words(self) -> str:
        """As people say it: 'push left, two squares', for the second player '2: push left, two squares'."""
        count = _NUMBERS[self.squares] if self.squares < len(_NUMBERS) else str(self.squares)
        who = "2: " if self.action & SECOND else ""
        what = "pull" if self.action & PULL else "push"
        way = Direction(self.direction).label.lower()
        return f"{who}{what} {way}, {count} square{'s' if self.squares > 1 else ''}"


def next_push(state: State, actions: Sequence[int]) -> Push | None:
    """What comes next in a plan from `state`; None when it pushes nothing more."""
    way: list[int] = []
    for at, action in enumerate(actions):
        if not sokoban.moves_box(state, action):
            state = sokoban.apply(state, action)
            way.append(state.second if action & SECOND else state.player)
            continue
        box = sokoban.moved_box(state, action)
        count = 0
        while at + count < len(actions) and actions[at + count] == action and sokoban.moves_box(state, action):
            state = sokoban.apply(state, action)
            count += 1
        return Push(box, action, count, tuple(way), tuple(actions[: at + count]))
    return None


def line(state: State, actions: Sequence[int]) -> list[State]:
    """Every position along a plan, one more than there are actions; stops before one that is illegal."""
    states = [state]
    for action in actions:
        try:
            state = sokoban.apply(state, action)
        except ValueError:
            break
        states.append(state)
    return states


def pushes(states: Sequence[State]) -> int:
    """How many of the steps between the positions moved a box."""
    return sum(before.boxes != after.boxes for before, after in pairwise(states))


def homes(states: Sequence[State]) -> list[float]:
    """Boxes at home at the start and after every push."""
    counts = [float(boxes_home(states[0]))]
    for before, after in pairwise(states):
        if before.boxes != after.boxes:
            counts.append(float(boxes_home(after)))
    return counts


def boxes_home(state: State) -> int:
    """Boxes that stand on a target, with fixed targets on their own."""
    return len(sokoban.at_home(state))
