"""One step of a replay: the action, what chance answered, and what the agent thought of it; its form in the file.

In a file a step is its action alone, or `[action, cell, exponent]`, or `[action, cell, exponent, value]`, or
`[action, cell, exponent, value, values]`, where `values` has the agent's value of action 0, 1, 2 and so on, null for
those it did not weigh.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from game.rules.replay_json import JSON, Reader

MAX_WEIGHED = 64
"""Actions that an agent can have weighed in one step: the columns of the largest board."""
DIGITS, WHOLE = 4, 1000.0
"""Significant digits of a value; from `WHOLE` on it is a whole number. Nobody reads more of it."""

Weighed = tuple[tuple[int, float], ...]
"""(action, value) of each action that an agent weighed, by action."""


@dataclass(frozen=True, slots=True)
class Step:
    """One action and what chance answered."""

    action: int
    cell: int | None = None
    """Cell of the tile spawned after the action, in 2048 only."""
    exponent: int | None = None
    """Its exponent: 1 (a two) or 2 (a four)."""
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
    cell, exponent = step.cell, step.exponent
    return Step(
        int(step.action),
        None if cell is None else int(cell),
        None if exponent is None else int(exponent),
        step.value,
        step.values,
    )


def packed(step: Step) -> JSON:
    """Its form in a file; values that are no finite number are left out."""
    step = plain(step)
    value = None if step.value is None or not math.isfinite(step.value) else _short(step.value)
    known = {action: _short(each) for action, each in step.values if math.isfinite(each)}
    if known:
        values: list[JSON] = [known.get(action) for action in range(max(known) + 1)]
        return [step.action, step.cell, step.exponent, value, values]
    if value is not None:
        return [step.action, step.cell, step.exponent, value]
    if step.cell is not None or step.exponent is not None:
        return [step.action, step.cell, step.exponent]
    return step.action


def _short(value: float) -> float:
    """Whole numbers without a point, so that long games stay small files."""
    return int(value) if value == int(value) and abs(value) < 1e15 else float(value)


def unpacked(reader: Reader, item: Any, number: int) -> Step:
    """The step from its form in a file, where it is the one with this number (from 1); raises ReplayError."""
    name = f"step {number}"
    if type(item) is int:
        return Step(reader.whole(item, name, 0, 4096))
    if not isinstance(item, list) or len(item) not in (3, 4, 5):
        reader.fail(f"{name} is neither an action nor a list of three to five")
    action, cell, exponent = item[:3]
    value = item[3] if len(item) > 3 else None
    return Step(
        reader.whole(action, name, 0, 4096),
        None if cell is None else reader.whole(cell, name, 0, 4096),
        None if exponent is None else reader.whole(exponent, name, 0, 64),
        None if value is None else reader.number(value, name),
        _values(reader, item[4], name) if len(item) == 5 else (),
    )


def _values(reader: Reader, items: Any, name: str) -> Weighed:
    if not isinstance(items, list) or not 1 <= len(items) <= MAX_WEIGHED:
        reader.fail(f"{name}: its values are no list of 1 to {MAX_WEIGHED}")
    told = enumerate(items)
    return tuple((action, reader.number(value, name)) for action, value in told if value is not None)
