"""What an agent thinks of the four slides: the points of each, known from the rules, apart from the rest of its value."""

import math
from collections.abc import Mapping

from ai.entries import Values
from game.rules import twenty48
from game.rules.twenty48 import State
from game.ui import text
from game.views.value_bars import DIRECTIONS, LEAST, ValueBar, reach, spread

NOTES: dict[Values, str] = {
    "points": "points now + later",
    "reward and rating": "points now + rating",
    "rating": "points now · rating",
}
"""What the two numbers of a bar are, by what the agent's values are."""
LONG = 7
"""Characters of a value from which on it is shortened; a minus takes the place of a digit."""


def rewards(state: State) -> dict[int, int]:
    """The points of each slide that moves something."""
    slides = ((action, twenty48.slide(state, action)) for action in range(4))
    return {action: slide.reward for action, slide in slides if slide is not None}


def bars(state: State, values: Mapping[int, float], kind: Values) -> list[ValueBar]:
    """One bar for each direction, the preferred one marked.

    Args:
        state: the position that was thought about.
        values: the agent's value of each legal action.
        kind: what these are. Where they hold the reward, its part of the bar is told apart, and the number is what
            is left without it.
    """
    known = {action: value for action, value in values.items() if math.isfinite(value)}
    if not known:
        return [ValueBar(label, "–", None) for _action, label in DIRECTIONS]
    best = max(known, key=lambda action: (known[action], -action))
    share, now = spread(known), rewards(state)
    far = reach(known.values())
    made = []
    for action, label in DIRECTIONS:
        if action not in known:
            made.append(ValueBar(label, "–", None))
            continue
        reward, full = now.get(action, 0), share(known[action])
        part = 0.0
        rest = known[action]
        if kind != "rating":
            rest -= reward
            part = min(full - LEAST, (1 - LEAST) * reward / far) if far > 0 else 0.0
        made.append(ValueBar(label, _number(rest), full, action == best, _points(reward), part))
    return made


def _points(reward: int) -> str:
    if not reward:
        return "0"
    return f"+{reward:,}" if reward < 10_000 else f"+{text.short(reward)}"


def _number(value: float) -> str:
    return text.short(value) if len(f"{value:.0f}") >= LONG else f"{value:,.0f}"
