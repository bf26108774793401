"""Levels written as text that `text` reads back: XSB, or boards and solutions in runs."""

import re

from game.rules import sokoban
from game.rules.levels import rle
from game.rules.levels.data import Level, Pack, Sketch
from game.rules.levels.letters import covered_of, rows_of, runs_of

_MARK = re.compile(r"\s*comment(-end)?\s*:", re.IGNORECASE)


def dump(pack: Pack, runs: bool = False) -> str:
    """The pack as text; reading it gives the same pack (line numbers and blanks around texts apart).

    Args:
        pack: any levels with what is said of them.
        runs: write boards and solutions in run-length form, a line each.
    """
    head = _pairs(("Title", pack.title), ("Author", pack.author), ("Licence", pack.licence)) + _remark(pack.comment)
    parts = ["\n".join(head)] if head else []
    parts += [_text(level, sokoban.to_array(level.state), runs) for level in pack.levels]
    return "\n\n".join(parts) + "\n"


def dump_sketch(sketch: Sketch, runs: bool = False) -> str:
    """One board as text, be it a puzzle or not. Outer rows without a wall cannot be read back as rows."""
    return _text(sketch, sketch.board, runs) + "\n"


def _text(level: Level | Sketch, array: sokoban.Board, runs: bool) -> str:
    """The board and below it what is said."""
    solution = level.solution and rle.shorten(level.solution) if runs else level.solution
    lines = [runs_of(array)] if runs else rows_of(array)
    rules = level.rules if isinstance(level, Sketch) else level.state.warehouse.rules
    variant = rules.name if rules != sokoban.PUSH_ONLY else ""
    lines += _pairs(("Variant", variant), ("Covered", covered_of(array)))
    lines += _pairs(("Title", level.title), ("Author", level.author)) + _remark(level.comment)
    return "\n".join(lines + _pairs(("Solution", solution)))


def _pairs(*pairs: tuple[str, str]) -> list[str]:
    """`Key: value` lines of the values that are there, each on one line."""
    return [f"{key}: {' '.join(value.split())}" for key, value in pairs if value.strip()]


def _remark(comment: str) -> list[str]:
    """The lines of a comment between its marks; marks inside it lose their colon."""
    if not comment.strip():
        return []
    lines = re.split(r"\r\n|\n|\r", comment.strip("\n"))
    body = [line.rstrip().replace(":", "", 1) if _MARK.match(line) else line.rstrip() for line in lines]
    return ["Comment:", *body, "Comment-End:"]
