"""The ghost of a room that teaches: a few moves that show one idea, played beside the game and never in it.

A level has a ghost where a line of its comment says `Ghost:` and then letters: moves as LURD (a capital pushes), `z` takes the
last move back, a comma waits. Where a box is lost by the ghost's moves the rules say so, not the script.
"""

import re
from dataclasses import dataclass
from typing import Literal

from game.rules import sokoban
from game.rules.levels import Level
from game.rules.sokoban import State

MAX_SCRIPT = 200
"""Letters of a script at most; a longer one is no ghost's."""
SECONDS = {"move": 0.30, "undo": 0.13, "wait": 0.85}
"""How long a beat of each kind takes."""
BEFORE, AFTER = 0.9, 0.7
"""Seconds before the first beat, and after the last until the ghost is gone."""
_LINE = re.compile(r"^\s*Ghost:\s*([lurdLURDz,]+)\s*$", re.MULTILINE)
_LETTERS = "urdl"

Kind = Literal["move", "undo", "wait"]


@dataclass(frozen=True, slots=True)
class Beat:
    """One letter of a script, played."""

    kind: Kind
    action: int
    """The direction walked or taken back; where the ghost looks while it waits."""
    before: State
    after: State


def beats(start: State, script: str) -> tuple[Beat, ...]:
    """A script played from a position.

    Raises:
        ValueError: a move is not legal, a capital pushes nothing, a small letter pushes, or nothing is left to be taken back.
    """
    if len(script) > MAX_SCRIPT:
        raise ValueError(f"a ghost has {MAX_SCRIPT} letters at most")
    line: list[tuple[State, int]] = []
    state, looks, found = start, 2, []
    for letter in script:
        before = state
        if letter == ",":
            found.append(Beat("wait", looks, state, state))
        elif letter == "z":
            if not line:
                raise ValueError("nothing is left to be taken back")
            state, looks = line.pop()
            found.append(Beat("undo", looks, before, state))
        else:
            looks = _LETTERS.index(letter.lower())
            if looks not in sokoban.legal_actions(state) or sokoban.is_push(state, looks) != letter.isupper():
                raise ValueError(f"{letter!r} is no such move here")
            line.append((state, looks))
            state = sokoban.apply(state, looks)
            found.append(Beat("move", looks, before, state))
    return tuple(found)


def beats_of(level: Level) -> tuple[Beat, ...]:
    """What the ghost of a level plays; nothing where it has none, or one that breaks the rules."""
    found = _LINE.search(level.comment)
    try:
        return beats(level.state, found[1]) if found is not None else ()
    except ValueError:
        return ()


class Ghost:
    """Plays its beats once as time passes."""

    def __init__(self, played: tuple[Beat, ...]) -> None:
        """The first beat comes after a moment."""
        self._beats = played
        self._at = 0
        self._age = -BEFORE
        """Seconds since the present beat began; below 0 before the first."""

    def update(self, dt: float) -> None:
        """Let `dt` seconds pass."""
        self._age += dt
        while self._at < len(self._beats) and self._age >= SECONDS[self._beats[self._at].kind]:
            self._age -= SECONDS[self._beats[self._at].kind]
            self._at += 1

    @property
    def over(self) -> bool:
        """Whether it is gone."""
        return self._at >= len(self._beats) and self._age >= AFTER

    @property
    def beat(self) -> Beat | None:
        """The beat under way, the last one once all are played; None where there is nothing to be seen yet, or any more."""
        if self.over or self._age < 0 or not self._beats:
            return None
        return self._beats[min(self._at, len(self._beats) - 1)]

    @property
    def share(self) -> float:
        """How far the beat under way has come, 0 to 1."""
        if self._at >= len(self._beats):
            return 1.0
        return max(0.0, self._age / SECONDS[self._beats[self._at].kind])

    @property
    def presence(self) -> float:
        """How much of the ghost is there, 0 to 1: it fades at the end."""
        return 1.0 if self._at < len(self._beats) else max(0.0, 1.0 - self._age / AFTER)
