"""Sokoban's warehouse, state and single moves. `game.rules.sokoban` is the face of the game; import that.

Squares are numbers, row * cols + col, rows from the top. What lies off the board counts as wall. A warehouse is
what never changes (walls, targets and rules), a state adds the boxes and the players.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from typing_extensions import override

from game.rules.direction import DELTAS
from game.rules.outcome import Outcome
from game.rules.sokoban.variants import PULL, PUSH_ONLY, SECOND, Rules

MAX_SIDE = 64
"""Rows and columns at most."""


@dataclass(frozen=True)
class Warehouse:
    """What never changes in a level: size, walls, targets and rules (squares are row * cols + col)."""

    rows: int
    cols: int
    walls: frozenset[int]
    targets: frozenset[int]
    rules: Rules = PUSH_ONLY
    homes: tuple[int, ...] = ()
    """With fixed targets only: the target of each box, in the order of `State.placed`; the squares of `targets`."""
    letters: str = ""
    """With fixed targets only: the small letter of each box, in the same order, ascending."""
    entry: int = -1
    """Where the player must be able to walk in the end, boxes aside; -1 where it does not matter. A level played
    backwards ends where the player of the level starts."""

    @override
    def __hash__(self) -> int:
        """As any dataclass, worked out once: every hash of a state asks for it."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.rows, self.cols, self.walls, self.targets, self.rules, self.homes, self.entry))

    @cached_property
    def steps(self) -> tuple[tuple[int, int, int, int], ...]:
        """For every square its neighbours up, right, down and left; -1 where a wall or the edge is."""
        table = []
        for square in range(self.rows * self.cols):
            row, col = divmod(square, self.cols)
            around = []
            for down, right in DELTAS:
                inside = 0 <= row + down < self.rows and 0 <= col + right < self.cols
                other = square + down * self.cols + right
                around.append(other if inside and other not in self.walls else -1)
            up, right_, down_, left = around
            table.append((up, right_, down_, left))
        return tuple(table)

    @cached_property
    def floor(self) -> frozenset[int]:
        """The squares inside: not connected with the edge of the board, or connected with a target."""
        squares = range(self.rows * self.cols)
        edge = {s for s in squares if s // self.cols in (0, self.rows - 1) or s % self.cols in (0, self.cols - 1)}
        outside = self.connected(edge - self.walls) - self.connected(self.targets)
        return frozenset(squares) - self.walls - outside

    def connected(self, seeds: Iterable[int]) -> frozenset[int]:
        """The squares joined to any of `seeds` by open squares, boxes ignored, seeds included."""
        seen = set(seeds)
        stack = list(seen)
        while stack:
            for other in self.steps[stack.pop()]:
                if other >= 0 and other not in seen:
                    seen.add(other)
                    stack.append(other)
        return frozenset(seen)


@dataclass(frozen=True, init=False)
class State:
    """One position: where the boxes and the players stand in a warehouse."""

    warehouse: Warehouse
    boxes: frozenset[int]
    player: int
    second: int = -1
    """The second player's square; -1 where one plays."""
    placed: tuple[int, ...] = ()
    """With fixed targets only: the square of each box, by letter; the squares of `boxes`."""

    def __init__(
        self,
        warehouse: Warehouse,
        boxes: frozenset[int],
        player: int,
        second: int = -1,
        placed: tuple[int, ...] = (),
    ) -> None:
        """As any dataclass; the fields are put past the guard of a frozen one, which costs more than they do."""
        fields = self.__dict__
        fields["warehouse"], fields["boxes"], fields["player"] = warehouse, boxes, player
        fields["second"], fields["placed"] = second, placed


def legal_actions(state: State) -> tuple[int, ...]:
    """What the players can do now, in ascending order (see `variants` for the numbers)."""
    return tuple(action for action in state.warehouse.rules.actions if _moved(state, action) is not None)


def apply(state: State, action: int) -> State:
    """The state after one step; raises ValueError where the rules or what stands in the way do not allow it."""
    moved = _moved(state, action) if action in state.warehouse.rules.actions else None
    if moved is None:
        raise ValueError(f"action {action} is not legal here (legal: {legal_actions(state)})")
    return moved


def is_push(state: State, action: int) -> bool:
    """Whether the legal `action` pushes a box."""
    who = state.second if action & SECOND else state.player
    return not action & PULL and state.warehouse.steps[who][action & 3] in state.boxes


def moves_box(state: State, action: int) -> bool:
    """Whether the legal `action` pushes or pulls a box. What people call pushes are all of these."""
    return moved_box(state, action) >= 0


def moved_box(state: State, action: int) -> int:
    """The square of the box that the legal `action` pushes or pulls; -1 where it moves none."""
    who = state.second if action & SECOND else state.player
    square = state.warehouse.steps[who][action & 3 ^ 2 if action & PULL else action & 3]
    return square if square in state.boxes else -1


def at_home(state: State) -> frozenset[int]:
    """The boxes on a target, with fixed targets those on their own."""
    warehouse = state.warehouse
    if not warehouse.homes:
        return state.boxes & warehouse.targets
    return frozenset(box for box, home in zip(state.placed, warehouse.homes, strict=True) if box == home)


def is_solved(state: State) -> bool:
    """Whether every box is on a target, with fixed targets on its own, and the player can walk to the entry."""
    warehouse = state.warehouse
    home = state.placed == warehouse.homes if warehouse.homes else state.boxes <= warehouse.targets
    return home and (warehouse.entry < 0 or _walks_to(state, warehouse.entry))


def outcome(state: State) -> Outcome | None:
    """'won' once it is solved, else None: Sokoban can be stuck but is never lost by rule."""
    return Outcome("won") if is_solved(state) else None


def _moved(state: State, action: int) -> State | None:
    """The state after `action`, one that the rules know; None where it is illegal."""
    warehouse = state.warehouse
    steps = warehouse.steps
    who, other = (state.player, state.second) if action < SECOND else (state.second, state.player)
    square = steps[who][action & 3]
    if square < 0 or square == other:
        return None
    boxes = state.boxes
    if square in boxes:
        box, to = square, steps[square][action & 3]
        if to < 0 or to in boxes or to == other or action & PULL or not warehouse.rules.push:
            return None
    elif action & PULL:
        box, to = steps[who][action & 3 ^ 2], who
        if box not in boxes:
            return None
    else:
        return _stepped(state, action, square, boxes, state.placed)
    placed = state.placed
    if placed:
        placed = tuple(to if each == box else each for each in placed)
    return _stepped(state, action, square, boxes - {box} | {to}, placed)


def _stepped(state: State, action: int, square: int, boxes: frozenset[int], placed: tuple[int, ...]) -> State:
    """The state with the player who acts on `square`, and these boxes."""
    if action < SECOND:
        return State(state.warehouse, boxes, square, state.second, placed)
    return State(state.warehouse, boxes, state.player, square, placed)


def _walks_to(state: State, square: int) -> bool:
    """Whether the player can walk to a square."""
    seen = {state.player}
    stack = [state.player]
    while stack and square not in seen:
        for other in state.warehouse.steps[stack.pop()]:
            if other >= 0 and other not in seen and other not in state.boxes and other != state.second:
                seen.add(other)
                stack.append(other)
    return square in seen
