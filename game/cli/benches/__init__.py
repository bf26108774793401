"""The benches of agents and start-up; those of the window are in `game.screens.bench`.

A table of benches is `{name: (function, unit, budget)}`. A function returns one number, or several by name, of which some
may have a unit and a budget of their own; the budget is the most that is good, None where a figure is only worth knowing.
"""

from collections.abc import Callable, Mapping

Figure = tuple[float, str, float | None]
"""A value with a unit and a budget of its own."""
Bench = tuple[Callable[[], float | Mapping[str, float | Figure]], str, float | None]
