"""What is wrong with a drawing, square by square: the live checks of the level editor.

`quick_checks` takes well under a millisecond on ordinary maps and is made for every stroke; `stuck_check` may take a
tenth of a second on the largest ones. `level_of` is the last word: what it accepts can be saved and played.
"""

from dataclasses import dataclass
from string import ascii_lowercase
from typing import Literal

import numpy as np

from game.rules import levels, sokoban
from game.rules.editing.drawings import Drawing, Mask, edge, of_array, spread, trim
from game.rules.editing.history import Document
from game.rules.sokoban import BOX, BOX_ON_TARGET, EMPTY, PLAYER, PUSH_ONLY, TARGET, WALL, Rules
from game.rules.sokoban.array import BOXES, PLAYERS, TARGETS, box_letter, target_letter

Verdict = Literal["good", "bad", "note", "wait"]
"""'note' is odd but allowed; 'wait' cannot be said yet."""


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the checks: what was found, and the squares that it is about."""

    name: Literal["player", "boxes", "enclosed", "reachable", "stuck"]
    verdict: Verdict
    text: str
    squares: frozenset[int] = frozenset()
    """Those with which something is wrong; none where something is missing, because what is there is fine."""
    missing: tuple[int, int] | None = None
    """(kind of square, how many of it are missing)."""


def checks(drawing: Drawing, rules: Rules = PUSH_ONLY) -> tuple[Check, ...]:
    """All checks under these rules, in the order they are shown."""
    return (*quick_checks(drawing, rules), stuck_check(drawing, rules))


def quick_checks(drawing: Drawing, rules: Rules = PUSH_ONLY) -> tuple[Check, ...]:
    """Players, boxes and targets, walls all round, everything in reach."""
    return (_player(drawing, rules), _counts(drawing), _enclosed(drawing), _reachable(drawing))


def stuck_check(drawing: Drawing, rules: Rules = PUSH_ONLY) -> Check:
    """Boxes that can provably never reach a target, and boxes that cannot all have a target of their own."""
    boxes, targets = frozenset(drawing.squares(BOXES)), frozenset(drawing.squares(TARGETS))
    state = _position(drawing, rules)
    if state is None:
        return Check("stuck", "wait", "stuck boxes: not known yet")
    stuck = sokoban.stuck_boxes(state)
    if stuck:
        said = f"stuck box at {_place(drawing, stuck)}" if len(stuck) == 1 else f"{len(stuck)} boxes are stuck"
        return Check("stuck", "bad", said, stuck)
    if len(boxes) == len(targets) and sokoban.is_dead(state):
        return Check("stuck", "bad", "boxes need the same target", boxes - targets)
    return Check("stuck", "good", "no box is stuck")


def _position(drawing: Drawing, rules: Rules) -> sokoban.State | None:
    """The drawing as a position, though there be more boxes than targets or fewer; None where it cannot be one."""
    players, boxes = drawing.squares(PLAYERS), frozenset(drawing.squares(BOXES))
    seconds, targets = drawing.squares(PLAYERS, second=True), frozenset(drawing.squares(TARGETS))
    if len(players) != 1 or len(seconds) != rules.players - 1 or not boxes or not targets:
        return None
    if rules.fixed:
        try:
            return sokoban.from_array(drawing.array, rules)
        except ValueError:
            return None
    walls = frozenset(drawing.squares((WALL,)))
    warehouse = sokoban.Warehouse(drawing.rows, drawing.cols, walls, targets, rules)
    return sokoban.State(warehouse, boxes, players[0], seconds[0] if seconds else -1)


def level_of(document: Document, solution: str = "") -> levels.Level:
    """The level that a document is, without margins of nothing but floor.

    Raises:
        ValueError: it is no level yet; the message says what is wrong, in words.
    """
    try:
        state = sokoban.from_array(trim(document.drawing).array, document.rules)
        levels.check(state)
    except levels.LevelError as error:
        raise ValueError(error.reason) from None
    return levels.Level(state, document.title, document.author, document.comment, solution)


def problem_of(document: Document) -> str:
    """What a document lacks to be a level, in the words of the checks; empty where it is one."""
    try:
        level_of(document)
    except ValueError as error:
        bad = next(
            (check for check in quick_checks(document.drawing, document.rules) if check.verdict == "bad"), None
        )
        if bad is None:
            return str(error)
        return bad.text.rpartition(": ")[2] if bad.name == "boxes" else bad.text
    return ""


def document_of(level: levels.Level, pack: str = "") -> Document:
    """A level as a document; `pack` is the own pack it stands in, empty for none."""
    drawing = of_array(sokoban.to_array(level.state))
    home = levels.level_id(level) if pack else ""
    rules = level.state.warehouse.rules
    return Document(drawing, level.title, level.author, level.comment, pack, home, rules=rules)


def _player(drawing: Drawing, rules: Rules) -> Check:
    players = drawing.squares(PLAYERS)
    if len(players) == 1 and rules.players == 2:
        seconds = drawing.squares(PLAYERS, second=True)
        if len(seconds) == 1:
            return Check("player", "good", "two players")
        said = f"there are {len(seconds)} second players" if seconds else "there is no second player"
        return Check("player", "bad", said, frozenset(seconds))
    if len(players) == 1:
        return Check("player", "good", "one player")
    if not players:
        return Check("player", "bad", "there is no player", missing=(PLAYER, 1))
    return Check("player", "bad", f"there are {len(players)} players", frozenset(players))


def _counts(drawing: Drawing) -> Check:
    boxes, targets = drawing.squares(BOXES), drawing.squares(TARGETS)
    home = frozenset(drawing.squares((BOX_ON_TARGET,)))
    if not boxes and not targets:
        return Check("boxes", "bad", "there are no boxes and no targets")
    said = f"{_count(len(boxes), 'box')}, {_count(len(targets), 'target')}"
    unpaired = _unpaired(drawing, said) if drawing.lettered else None
    if unpaired is not None:
        return unpaired
    missing = len(boxes) - len(targets)
    if missing:
        kind, word = (TARGET, "target") if missing > 0 else (BOX, "box")
        lacks = f"{_count(abs(missing), word)} missing"
        return Check("boxes", "bad", f"{said}: {lacks}", missing=(kind, abs(missing)))
    if drawing.lettered:
        home = frozenset(s for s in home if box_letter(drawing.cells[s]) == target_letter(drawing.cells[s]))
    if len(home) == len(boxes):
        return Check("boxes", "bad", f"{said}: already solved")
    return Check("boxes", "good", said)


def _unpaired(drawing: Drawing, counted: str) -> Check | None:
    """Letters without their counterpart."""
    boxes = {box_letter(cell): square for square, cell in enumerate(drawing.cells) if box_letter(cell)}
    targets = {target_letter(cell): square for square, cell in enumerate(drawing.cells) if target_letter(cell)}
    odd = sorted(boxes.keys() ^ targets.keys())
    if not odd:
        return None
    squares = frozenset(boxes.get(letter, targets.get(letter, 0)) for letter in odd)
    letter = ascii_lowercase[odd[0] - 1]
    lacks = f"box {letter} has no target" if odd[0] in boxes else f"target {letter.upper()} has no box"
    return Check("boxes", "bad", f"{counted}: {lacks}", squares)


def _enclosed(drawing: Drawing) -> Check:
    inside = _inside(drawing)
    if not inside.any():
        return Check("enclosed", "wait", "enclosed: nothing is inside yet")
    leaks = _squares(inside & edge(drawing))
    if not leaks:
        return Check("enclosed", "good", "enclosed by walls")
    said = _place(drawing, leaks) if len(leaks) == 1 else f"{len(leaks)} squares of the edge"
    return Check("enclosed", "bad", f"open at {said}", leaks)


def _reachable(drawing: Drawing) -> Check:
    players = drawing.mask(PLAYERS)
    if not players.any():
        return Check("reachable", "wait", "reachable: needs a player")
    open_squares = ~drawing.mask((WALL,))
    inside = spread(players, open_squares)
    lost_boxes = _squares(drawing.mask(BOXES) & ~drawing.mask((BOX_ON_TARGET,)) & ~inside)
    lost_targets = _squares(drawing.mask(TARGETS) & ~drawing.mask((BOX_ON_TARGET,)) & ~inside)
    lost = lost_boxes | lost_targets
    if len(lost) == 1:
        kind = "box" if lost_boxes else "target"
        return Check("reachable", "bad", f"{kind} out of reach: {_place(drawing, lost)}", lost)
    if lost:
        parts = [_count(len(group), kind) for group, kind in ((lost_boxes, "box"), (lost_targets, "target")) if group]
        return Check("reachable", "bad", f"{', '.join(parts)} out of reach", lost)
    outside = spread(edge(drawing), open_squares)
    pockets = _squares(drawing.mask((EMPTY,)) & ~inside & ~outside)
    if pockets:
        return Check("reachable", "note", f"{_count(len(pockets), 'square')} of floor closed off", pockets)
    return Check("reachable", "good", "everything is reachable")


def _inside(drawing: Drawing) -> Mask:
    """What the player can walk on, boxes ignored; without a player what hangs together with boxes and targets."""
    seeds = drawing.mask(PLAYERS)
    if not seeds.any():
        seeds = drawing.mask((*BOXES, *TARGETS))
    return spread(seeds, ~drawing.mask((WALL,)))


def _squares(mask: Mask) -> frozenset[int]:
    return frozenset(int(square) for square in np.flatnonzero(mask))


def _place(drawing: Drawing, squares: frozenset[int]) -> str:
    row, col = divmod(min(squares), drawing.cols)
    return f"row {row + 1}, column {col + 1}"


def _count(number: int, word: str) -> str:
    plural = "boxes" if word == "box" else f"{word}s"
    return f"{number} {word if number == 1 else plural}"
