"""What a plan means on the board: pushes and moves, the next push in words, the way to it, boxes home."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from game.rules import sokoban
from game.rules.direction import Direction
from game.rules.sokoban import State

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True)
class Push:
    """The next thing a plan does to a box: one box pushed in one direction, one or more squares in a row."""

    box: int
    direction: int
    squares: int
    way: tuple[int, ...]
    """Squares that the keeper walks before the first push."""
    actions: tuple[int, ...]
    """The walk and the pushes."""

    @property
    def words(self) -> str:
        """As people say it: 'push left, two squares'."""
        count = _NUMBERS[self.squares] if self.squares < len(_NUMBERS) else str(self.squares)
        return f"push {Direction(self.direction).label.lower()}, {count} square{'s' if self.squares > 1 else ''}"


def next_push(state: State, actions: Sequence[int]) -> Push | None:
    """What comes next in a plan from `state`; None when it pushes nothing more."""
    way: list[int] = []
    for at, action in enumerate(actions):
        if not sokoban.is_push(state, action):
            state = sokoban.apply(state, action)
            way.append(state.player)
            continue
        box = state.warehouse.steps[state.player][action]
        count = 0
        while at + count < len(actions) and actions[at + count] == action and sokoban.is_push(state, action):
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
    """Boxes on targets at the start and after every push."""
    counts = [float(boxes_home(states[0]))]
    for before, after in pairwise(states):
        if before.boxes != after.boxes:
            counts.append(float(boxes_home(after)))
    return counts


def boxes_home(state: State) -> int:
    """Boxes that stand on a target."""
    return len(state.boxes & state.warehouse.targets)


def counted(number: int, word: str) -> str:
    """'1 push', '2 pushes', '9 boxes', '1,000 moves'."""
    ending = "" if number == 1 else "es" if word.endswith(("sh", "x")) else "s"
    return f"{number:,} {word}{ending}"
