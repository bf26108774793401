"""One step of a replay: the action, what chance answered, and what the agent thought of it; its form in the file.

In a file a step is its action alone, or `[action, a, b]`, or `[action, a, b, value]`, or `[action, a, b, value, values]`.
`a` and `b` are what chance answered, both null where it had no part; `values` has the agent's value of action 0, 1, 2 and
so on, null for those it did not weigh.

What is read is counted before anything is made of it, and then decoded a piece at a time against the types below: a file
of nothing but brackets costs no more memory than its bytes.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

import msgspec
import numpy as np

from game.rules.game import Chance
from game.rules.reader import JSON, Reader

MAX_STEPS = 1_000_000
MAX_WEIGHED = 64
"""Actions that an agent can have weighed in one step: the columns of the largest board."""
DIGITS, WHOLE = 4, 1000.0
"""Significant digits of a value; from `WHOLE` on it is a whole number. Nobody reads more of it."""

Weighed = tuple[tuple[int, float], ...]
"""(action, value) of each action that an agent weighed, by action."""

_PIECE = 1000
"""Steps that are decoded at once."""
_LONGEST = 4096
"""Bytes of a step on average, in a piece."""
_SCANNED = 1 << 20
"""Bytes that are counted at once."""
_PLACE = re.compile(r" - at `\$\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Step:
    """One action and what chance answered."""

    action: int
    chance: Chance | None = None
    """What chance answered to it, in games that leave something to chance."""
    value: float | None = None
    """The agent's own value of what it played, where it had one."""
    values: Weighed = ()
    """Its values of every action it weighed in the position before, where it told them."""


def weighed(values: Mapping[int, float]) -> Weighed:
    """An agent's values as a step keeps them: by action, rounded, those left out that are no finite number."""
    found = ((int(action), rounded(value)) for action, value in sorted(values.items()))
    return tuple((action, value) for action, value in found if value is not None and 0 <= action < MAX_WEIGHED)


def rounded(value: float) -> float | None:
    """A value as a step keeps it; None for what is no finite number."""
    if not math.isfinite(value):
        return None
    return float(round(value)) if abs(value) >= WHOLE else float(f"{value:.{DIGITS}g}")


def thought(step: Step, values: Mapping[int, float]) -> Step:
    """The step with what an agent said of the position before it: the value of each action."""
    told = weighed(values)
    return replace(step, value=dict(told).get(step.action), values=told) if told else step


def plain(step: Step) -> Step:
    """The same in Python's own numbers: kernels answer with numpy's."""
    chance = None if step.chance is None else (int(step.chance[0]), int(step.chance[1]))
    return Step(int(step.action), chance, step.value, step.values)


def packed(step: Step) -> JSON:
    """Its form in a file; values that are no finite number are left out."""
    step = plain(step)
    answered = step.chance or (None, None)
    value = None if step.value is None or not math.isfinite(step.value) else _short(step.value)
    known = {action: _short(each) for action, each in step.values if math.isfinite(each)}
    if known:
        values: list[JSON] = [known.get(action) for action in range(max(known) + 1)]
        return [step.action, *answered, value, values]
    if value is not None:
        return [step.action, *answered, value]
    return step.action if step.chance is None else [step.action, *answered]


def _short(value: float) -> float:
    """Whole numbers without a point, so that long games stay small files."""
    return int(value) if value == int(value) and abs(value) < 1e15 else float(value)


_Action = Annotated[int, msgspec.Meta(ge=0, le=4096)]
_Value = Annotated[float, msgspec.Meta(gt=-1e300, lt=1e300)]


class _Entry(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """A step that is more than its action, as it stands in a file."""

    action: _Action
    first: _Action | None
    second: Annotated[int, msgspec.Meta(ge=0, le=64)] | None
    value: _Value | None = None
    values: Annotated[list[_Value | None], msgspec.Meta(min_length=1, max_length=MAX_WEIGHED)] = []


_DECODER = msgspec.json.Decoder(list[_Action | _Entry])


def unpacked(reader: Reader, text: bytes, most: int, weighed: int) -> Iterator[Step]:
    """The steps from their form in a file, the JSON list of them.

    Args:
        reader: Refuses what is no such list.
        text: The list, brackets included.
        most: Steps that there can be.
        weighed: Actions that can be weighed in one of them.

    Raises:
        ReplayError: before the first step where there are more than `most`, else at the first that is none.
    """
    text = text.strip()  # without blanks it is no copy
    if not (text.startswith(b"[") and text.endswith(b"]") and len(text) > 1):
        reader.fail("steps is not a list")
    ends = _ends(reader, text, most)
    number = 0
    for begin, end in zip((0, *ends), (*ends, len(text) - 1), strict=True):
        for entry in _decoded(reader, text[begin + 1 : end], number, bool(ends)):
            number += 1
            if isinstance(entry, int):
                yield Step(entry)
                continue
            if len(entry.values) > weighed:
                reader.fail(f"step {number}: it weighs more actions than there are")
            values = tuple((action, value) for action, value in enumerate(entry.values) if value is not None)
            yield Step(entry.action, _answered(reader, entry, number), entry.value, values)


def _answered(reader: Reader, entry: _Entry, number: int) -> Chance | None:
    if entry.first is None and entry.second is None:
        return None
    if entry.first is None or entry.second is None:
        reader.fail(f"step {number}: half of what chance answered is missing")
    return entry.first, entry.second


def _ends(reader: Reader, text: bytes, most: int) -> list[int]:
    """Where the commas are after which a new piece begins; raises ReplayError where there are more than `most` steps.

    There are no texts in steps, so that brackets and commas need no more than to be counted. In a list that holds a text
    nevertheless they may be counted wrongly, and the decoder refuses it.
    """
    bytes_ = np.frombuffer(text, np.uint8)
    ends: list[int] = []
    depth = commas = 0
    for start in range(0, len(bytes_), _SCANNED):
        part = bytes_[start : start + _SCANNED]
        depths = depth + np.cumsum((part == ord("[")).astype(np.int32) - (part == ord("]")))
        found = np.flatnonzero((part == ord(",")) & (depths == 1))
        ends += (found[(_PIECE - 1 - commas) % _PIECE :: _PIECE] + start).tolist()
        depth = int(depths[-1])
        commas += len(found)
        if commas >= most:
            reader.fail(f"it has more than {most} steps")
    return ends


def _decoded(reader: Reader, text: bytes, before: int, needed: bool) -> list[int | _Entry]:
    """The steps of a piece, of which `before` came before; `needed`: there has to be one."""
    if len(text) > _PIECE * _LONGEST:
        reader.fail(f"its steps are too long, from step {before + 1} on")
    try:
        found = _DECODER.decode(b"[%b]" % text)
    except msgspec.ValidationError as error:
        reason, place = str(error), _PLACE.search(str(error))
        if place is None:
            reader.fail(f"one of its steps is none: {reason}")
        reader.fail(f"step {before + int(place[1]) + 1} is none: {reason[: place.start()]}")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        reader.fail(f"its steps are no JSON, from step {before + 1} on")
    if needed and not found:
        reader.fail(f"step {before + 1} is missing")
    return found
