"""Sokoban's warehouse, state and single moves. `game.rules.sokoban` is the face of the game; import that.

Squares are numbers, row * cols + col, rows from the top. What lies off the board counts as wall. A warehouse is
what never changes (walls and targets), a state adds the boxes and the player.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from game.rules.direction import DELTAS
from game.rules.outcome import Outcome

Board = npt.NDArray[np.int8]
"""Shape (rows, cols): 0 empty, 1 wall, 2 box, 3 target, 4 player, 5 box on target, 6 player on target."""

MAX_SIDE = 64
"""Rows and columns at most."""

EMPTY, WALL, BOX, TARGET, PLAYER, BOX_ON_TARGET, PLAYER_ON_TARGET = range(7)

_LETTERS = "urdl"


@dataclass(frozen=True)
class Warehouse:
    """What never changes in a level: size, walls and targets (squares are row * cols + col)."""

    rows: int
    cols: int
    walls: frozenset[int]
    targets: frozenset[int]

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


@dataclass(frozen=True)
class State:
    """One position: where the boxes and the player stand in a warehouse."""

    warehouse: Warehouse
    boxes: frozenset[int]
    player: int


def legal_actions(state: State) -> tuple[int, ...]:
    """The directions in which the player can move or push now, in ascending order."""
    return tuple(action for action in range(4) if _moved(state, action) is not None)


def apply(state: State, action: int) -> State:
    """The state after one move or push; raises ValueError where a wall or a box is in the way."""
    moved = _moved(state, action) if 0 <= action < 4 else None
    if moved is None:
        raise ValueError(f"action {action} is not legal here (legal: {legal_actions(state)})")
    return moved


def is_push(state: State, action: int) -> bool:
    """Whether the legal `action` pushes a box."""
    return state.warehouse.steps[state.player][action] in state.boxes


def is_solved(state: State) -> bool:
    """Whether every box is on a target."""
    return state.boxes <= state.warehouse.targets


def outcome(state: State) -> Outcome | None:
    """'won' once every box is on a target, else None: Sokoban can be stuck but is never lost by rule."""
    return Outcome("won") if is_solved(state) else None


def to_array(state: State) -> Board:
    """The board as an array of shape (rows, cols), int8, with the numbers of `Board`."""
    warehouse = state.warehouse
    flat: Board = np.zeros(warehouse.rows * warehouse.cols, dtype=np.int8)
    flat[list(warehouse.walls)] = WALL
    flat[list(warehouse.targets)] = TARGET
    for square in state.boxes:
        flat[square] = BOX_ON_TARGET if square in warehouse.targets else BOX
    flat[state.player] = PLAYER_ON_TARGET if state.player in warehouse.targets else PLAYER
    return flat.reshape(warehouse.rows, warehouse.cols)


def from_array(array: npt.ArrayLike) -> State:
    """The state of a board with the numbers of `Board`.

    Raises:
        ValueError: not a rectangle of 1×1 to 64×64 with the numbers 0 to 6, not exactly one player, or not as many
            boxes as targets; the message says which.
    """
    board = np.asarray(array)
    if board.ndim != 2 or not 1 <= board.shape[0] <= MAX_SIDE or not 1 <= board.shape[1] <= MAX_SIDE:
        raise ValueError(f"a board has 1 to {MAX_SIDE} rows and columns, not the shape {board.shape}")
    if board.dtype.kind not in "iu" or board.min() < EMPTY or board.max() > PLAYER_ON_TARGET:
        raise ValueError("a board holds the whole numbers 0 to 6 only")

    cells = board.ravel().tolist()

    def squares(*kinds: int) -> frozenset[int]:
        return frozenset(square for square, cell in enumerate(cells) if cell in kinds)

    players = squares(PLAYER, PLAYER_ON_TARGET)
    if len(players) != 1:
        raise ValueError(f"there must be exactly one player, not {len(players)}")
    boxes, targets = squares(BOX, BOX_ON_TARGET), squares(TARGET, BOX_ON_TARGET, PLAYER_ON_TARGET)
    if len(boxes) != len(targets):
        raise ValueError(f"there must be as many boxes as targets, not {len(boxes)} and {len(targets)}")
    return State(Warehouse(board.shape[0], board.shape[1], squares(WALL), targets), boxes, min(players))


def to_lurd(state: State, actions: Iterable[int]) -> str:
    """The actions as LURD text, pushes in capitals; raises ValueError on one that is illegal from `state` on."""
    letters = []
    for action in actions:
        after = apply(state, action)
        letters.append(_LETTERS[action].upper() if is_push(state, action) else _LETTERS[action])
        state = after
    return "".join(letters)


def from_lurd(text: str) -> tuple[int, ...]:
    """The actions of LURD text in any case, white space ignored; raises ValueError on any other character."""
    actions = []
    for letter in "".join(text.split()):
        action = _LETTERS.find(letter.lower())
        if action < 0:
            raise ValueError(f"{letter!r} is none of the moves l, u, r, d")
        actions.append(action)
    return tuple(actions)


def _moved(state: State, action: int) -> State | None:
    """The state after `action`, None where it is illegal."""
    steps = state.warehouse.steps
    square = steps[state.player][action]
    if square < 0:
        return None
    if square not in state.boxes:
        return State(state.warehouse, state.boxes, square)
    beyond = steps[square][action]
    if beyond < 0 or beyond in state.boxes:
        return None
    return State(state.warehouse, state.boxes - {square} | {beyond}, square)
