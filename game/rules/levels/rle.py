"""Run-length encoding as Sokoban programs write it, for boards and for solutions: `4#3-`, `3r2U`, `2(rU)`.

A number repeats the letter or the bracketed group behind it. On a board `|` ends a row, which this file treats as a
letter like any other. (Written by YSokoban, Sokoban YASC and others.)
"""

import re

_TOKEN = re.compile(r"([0-9]+)([^0-9]|\Z)|[()]|[^0-9()]+")
_RUNS = re.compile(r"(.)\1*", re.DOTALL)
_MAX_DIGITS = 6
MAX_DEPTH = 20
"""Brackets within brackets at most."""


def expand(text: str, most: int) -> str:
    """The text with every run written out; white space stays as it is.

    Args:
        text: runs, groups and single letters, for example `2(rU)3l`.
        most: letters that may come out; what would be longer is never built.

    Raises:
        ValueError: it would be longer, a number is 0 or has nothing behind it, or the brackets do not pair, have nothing
            between them, or are nested too deeply.
    """
    open_groups: list[tuple[int, list[str]]] = []
    parts: list[str] = []
    size = 0
    for token in _TOKEN.finditer(text):
        digits, letter = token[1], token[2]
        count = 1
        if digits:
            if letter in ("", ")"):
                raise ValueError(f"the number {digits[:12]} has nothing behind it")
            count = _count(digits, most)
        else:
            letter = token[0]
        if letter == ")":
            if not open_groups:
                raise ValueError("a bracket closes that was never opened")
            if not parts:
                raise ValueError("a pair of brackets has nothing in it")
            count, outer = open_groups.pop()
            inside = "".join(parts)
            size += len(inside) * (count - 1)
            _bound(size, most)
            outer.append(inside * count)
            parts = outer
        elif letter == "(":
            if len(open_groups) == MAX_DEPTH:
                raise ValueError(f"its brackets are nested more than {MAX_DEPTH} deep")
            open_groups.append((count, parts))
            parts = []
        else:
            size += count * len(letter)
            _bound(size, most)
            parts.append(letter * count)
    if open_groups:
        raise ValueError("a bracket is not closed")
    return "".join(parts)


def shorten(text: str) -> str:
    """The text with runs of two and more as a number and the letter; it must hold no digit and no bracket."""
    return "".join((str(len(run[0])) if len(run[0]) > 1 else "") + run[1] for run in _RUNS.finditer(text))


def _count(digits: str, most: int) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError(f"a run is longer than {most:,}")
    count = int(digits)
    if count == 0:
        raise ValueError("a run of 0 letters means nothing")
    return count


def _bound(size: int, most: int) -> None:
    if size > most:
        raise ValueError(f"its runs make more than {most:,} letters")
