"""Figures of trainings in words and numbers for people."""

from pathlib import Path

from ai.entries import Parameter, Value
from game.screens.models.words import span
from game.screens.play import parameters

TITLES = {
    "td_error": "TD error",
    "mean_score": "Mean score",
    "in_book": "In the book",
    "kept": "Best move kept",
    "own_kept": "Own moves right",
    "epsilon": "Exploration ε",
    "eta": "Time left",
    "first_wins": "First player wins",
}
"""Where the name with spaces is not good enough."""
SHARES = (
    "rate", "share", "solved", "solve", "exploration", "epsilon", "draws", "first_wins", "kept", "success", "accuracy",
    "solvable", "best_pushes", "played",
)  # fmt: skip
"""Figures with one of these words in their names are shares of one."""
NOT_SHARES = ("learning_rate", "rate")


def figure_title(name: str) -> str:
    """'Mean score' for `mean_score`, 'Reached 2048' for `reached_2048`."""
    return TITLES.get(name) or name.replace("_per_second", "/s").replace("_", " ").capitalize()


def is_share(name: str, lowest: float, highest: float) -> bool:
    """Whether a figure is a part of one, so that its scale goes from 0 to 100 %."""
    if name in NOT_SHARES or not 0.0 <= lowest <= highest <= 1.0:
        return False
    return name.startswith("reached_") or any(word in name for word in SHARES)


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


def short_span(seconds: float) -> str:
    """'0:42', '12:05', '3:07:00'."""
    whole = max(0, round(seconds))
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
