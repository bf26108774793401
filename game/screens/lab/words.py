"""Figures of trainings in words and numbers for people."""

from pathlib import Path

from ai.entries import Figure, Parameter, Value
from game.play.words import span
from game.screens.play import parameters


def is_share(figure: Figure, lowest: float, highest: float) -> bool:
    """Whether a figure with such values is shown as a part of one, from 0 to 100 %."""
    return figure.scale == "share" and 0.0 <= lowest <= highest <= 1.0


def figure(value: float, share: bool = False) -> str:
    """A number in few characters."""
    if share:
        return f"{value:.0%}" if value in (0.0, 1.0) else f"{value:.1%}"
    size = abs(value)
    if size >= 1e9:
        return f"{value / 1e9:.1f} G"
    if size >= 1e6:
        return f"{value / 1e6:.2f} M"
    if size >= 1e4:
        return f"{value / 1e3:.1f} k"
    if size >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if size >= 0.001 or not value else f"{value:.1e}"


def typed(value: Value) -> str:
    """A value as it is edited: all its digits."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def shown(parameter: Parameter, value: Value) -> str:
    """A value in its box. Of times people want to read minutes, of limits that 0 is none."""
    if parameter.name in ("seconds", "games") and not value and isinstance(value, int | float):
        return "no limit"
    if parameter.type == "text" and parameter.name == "level":
        return Path(str(value)).name or "–"
    if parameter.unit == "s" and isinstance(value, int | float) and not isinstance(value, bool) and value >= 60:
        return span(value)
    return parameters.shown(parameter, value) or "–"
