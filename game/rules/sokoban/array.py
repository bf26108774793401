"""Sokoban positions as arrays of whole numbers, and back.

A square's number is its kind, 0 to 6; + 8 where the player is the second one. With fixed targets the letters are added
to it: + 16 for box a, + 32 for box b and so on up to z, + 512 for target A, + 1024 for target B and so on. So the second
player is 12, on a target 14, and box c on target A is 5 + 3 * 16 + 512. Boards that are only pushed keep 0 to 6.
"""

from functools import cache
from itertools import compress
from string import ascii_lowercase
from typing import Any

import numpy as np
import numpy.typing as npt

from game.rules.sokoban.board import MAX_SIDE, State, Warehouse
from game.rules.sokoban.variants import PUSH_ONLY, SECOND, Rules

Board = npt.NDArray[np.signedinteger[Any]]
"""Shape (rows, cols): 0 empty, 1 wall, 2 box, 3 target, 4 player, 5 box on target, 6 player on target; + 8 for the
second player, and with fixed targets the letters besides. int8 without letters, else int16."""

EMPTY, WALL, BOX, TARGET, PLAYER, BOX_ON_TARGET, PLAYER_ON_TARGET = range(7)
BOXES = (BOX, BOX_ON_TARGET)
TARGETS = (TARGET, BOX_ON_TARGET, PLAYER_ON_TARGET)
PLAYERS = (PLAYER, PLAYER_ON_TARGET)

KIND = 7
"""`number & KIND` is the kind of a square."""
KINDS_ONLY = "a board holds the whole numbers 0 to 6 only, and larger ones for letters and a second player"
"""Why a number is refused."""
_SQUARES = tuple(range(MAX_SIDE * MAX_SIDE))
"""Every square there can be: positions share these numbers, which a pack of thousands of levels would have anew."""
_BOX_BITS, _TARGET_BITS, _LETTER = 4, 9, 31
MOST_LETTERS = len(ascii_lowercase)


def cell(kind: int, box: int = 0, target: int = 0, second: bool = False) -> int:
    """The number of a square: its kind, the letters of its box and its target (1 for a, 0 for none), whose player."""
    return kind | SECOND * second | box << _BOX_BITS | target << _TARGET_BITS


def box_letter(number: int) -> int:
    """The letter of the box on a square, 1 for a; 0 where it has none."""
    return number >> _BOX_BITS & _LETTER


def target_letter(number: int) -> int:
    """The letter of the target on a square, 1 for A; 0 where it has none."""
    return number >> _TARGET_BITS & _LETTER


def is_cell(number: int) -> bool:
    """Whether a number means a square: a kind, and letters only where there is something to bear them."""
    kind, box, target = number & KIND, box_letter(number), target_letter(number)
    second = number & SECOND > 0
    return (
        number == cell(kind, box, target, second)
        and kind <= PLAYER_ON_TARGET
        and (not second or kind in PLAYERS)
        and (box == 0 or (box <= MOST_LETTERS and kind in BOXES))
        and (target == 0 or (target <= MOST_LETTERS and kind in TARGETS))
    )


def to_array(state: State) -> Board:
    """The board as an array of shape (rows, cols) with the numbers of `Board`."""
    warehouse = state.warehouse
    lettered = bool(warehouse.homes)
    flat: Board = np.zeros(warehouse.rows * warehouse.cols, dtype=np.int16 if lettered else np.int8)
    flat[list(warehouse.walls)] = WALL
    flat[list(warehouse.targets)] = TARGET
    for square in state.boxes:
        flat[square] = BOX_ON_TARGET if square in warehouse.targets else BOX
    flat[state.player] = PLAYER_ON_TARGET if state.player in warehouse.targets else PLAYER
    if state.second >= 0:
        flat[state.second] = SECOND + (PLAYER_ON_TARGET if state.second in warehouse.targets else PLAYER)
    for letter, square, home in zip(warehouse.letters, state.placed, warehouse.homes, strict=True):
        number = ascii_lowercase.index(letter) + 1
        flat[square] += cell(0, box=number)
        flat[home] += cell(0, target=number)
    return flat.reshape(warehouse.rows, warehouse.cols)


def from_array(array: npt.ArrayLike, rules: Rules = PUSH_ONLY) -> State:
    """The state of a board with the numbers of `Board`.

    Args:
        array: shape (rows, cols).
        rules: what is allowed. Letters on the board make the targets fixed, a second player makes two players,
            whatever is said here. With fixed targets, boxes and targets without letters get some (see `lettered`).

    Raises:
        ValueError: not a rectangle of 1×1 to 64×64 with the numbers of `Board`, not exactly one player (or one of each
            where two play), not as many boxes as targets, or letters that do not pair; the message says which.
    """
    board = np.asarray(array)
    if board.ndim != 2 or not 1 <= board.shape[0] <= MAX_SIDE or not 1 <= board.shape[1] <= MAX_SIDE:
        raise ValueError(f"a board has 1 to {MAX_SIDE} rows and columns, not the shape {board.shape}")
    cells = board.ravel().tolist() if board.dtype.kind in "iu" else [-1]
    found = set(cells)
    if not all(map(is_cell, found)):
        raise ValueError(KINDS_ONLY)
    kinds = bytes([number & KIND for number in cells]) if max(found) > KIND else bytes(cells)

    def squares(wanted: tuple[int, ...]) -> frozenset[int]:
        return frozenset(compress(_SQUARES, kinds.translate(_is_one_of(wanted))))

    seconds = (
        frozenset(square for square, number in enumerate(cells) if number & SECOND)
        if max(found) > KIND
        else frozenset()
    )
    players = squares(PLAYERS) - seconds
    if len(players) != 1:
        raise ValueError(f"there must be exactly one player, not {len(players)}")
    if len(seconds) > 1 or (rules.players == 2 and not seconds):
        raise ValueError(f"there must be exactly one second player, not {len(seconds)}")
    boxes, targets = squares(BOXES), squares(TARGETS)
    if len(boxes) != len(targets):
        raise ValueError(f"there must be as many boxes as targets, not {len(boxes)} and {len(targets)}")
    fixed = rules.fixed or any(number > KIND + SECOND for number in cells)
    placed, homes, letters = _pairs(lettered(cells)) if fixed else ((), (), "")
    rules = Rules(rules.pull, fixed, 2 if seconds else 1, rules.push)
    warehouse = Warehouse(board.shape[0], board.shape[1], squares((WALL,)), targets, rules, homes, letters)
    return State(warehouse, boxes, min(players), min(seconds, default=-1), placed)


@cache
def _is_one_of(kinds: tuple[int, ...]) -> bytes:
    """For `bytes.translate`: 1 for these kinds of square, 0 for the others."""
    return bytes(number in kinds for number in range(256))


def lettered(cells: list[int]) -> list[int]:
    """The squares with a letter on every box and target; letters that are there stay.

    A box on a target without letters is at home, and they get the first letter that is not used. Of the others, in
    reading order, targets without a letter get those of boxes that have no target yet, boxes those of targets
    that have no box, and what is left is paired in reading order.

    Raises:
        ValueError: the alphabet is too short.
    """
    found = list(cells)
    boxes = {box_letter(number) for number in cells} - {0}
    targets = {target_letter(number) for number in cells} - {0}

    def give(square: int, box: int = 0, target: int = 0) -> None:
        if max(box, target) > MOST_LETTERS:
            raise ValueError(f"fixed targets have {MOST_LETTERS} letters, which is fewer than there are boxes")
        found[square] |= cell(0, box, target)
        boxes.update({box} - {0})
        targets.update({target} - {0})

    def unused() -> int:
        return next(number for number in range(1, MOST_LETTERS + 2) if number not in boxes | targets)

    for square, number in enumerate(cells):
        if number == BOX_ON_TARGET:
            letter = unused()
            give(square, letter, letter)
    bare_boxes = [s for s, number in enumerate(found) if number & KIND in BOXES and not box_letter(number)]
    bare_targets = [s for s, number in enumerate(found) if number & KIND in TARGETS and not target_letter(number)]
    for letter in sorted(boxes - targets)[: len(bare_targets)]:
        give(bare_targets.pop(0), target=letter)
    for letter in sorted(targets - boxes)[: len(bare_boxes)]:
        give(bare_boxes.pop(0), box=letter)
    for number in range(max(len(bare_boxes), len(bare_targets))):
        letter = unused()
        if number < len(bare_boxes):
            give(bare_boxes[number], box=letter)
        if number < len(bare_targets):
            give(bare_targets[number], target=letter)
    return found


def _pairs(cells: list[int]) -> tuple[tuple[int, ...], tuple[int, ...], str]:
    """(square of each box, its target, the letters), by letter; raises ValueError where they do not pair."""
    boxes: dict[int, int] = {}
    targets: dict[int, int] = {}
    for square, number in enumerate(cells):
        for found, letter, name in ((boxes, box_letter(number), "box"), (targets, target_letter(number), "target")):
            if not letter:
                continue
            if letter in found:
                shown = _shown(letter) if name == "box" else _shown(letter).upper()
                raise ValueError(f"there must be one {name} {shown}, not several")
            found[letter] = square
    for letter in sorted(boxes.keys() ^ targets.keys()):
        shown = _shown(letter)
        lacks = f"box {shown} has no target {shown.upper()}"
        raise ValueError(lacks if letter in boxes else f"target {shown.upper()} has no box {shown}")
    order = sorted(boxes)
    letters = "".join(map(_shown, order))
    return tuple(boxes[letter] for letter in order), tuple(targets[letter] for letter in order), letters


def _shown(letter: int) -> str:
    return ascii_lowercase[letter - 1]
