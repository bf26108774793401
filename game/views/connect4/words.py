"""What agents' values of columns are called on the board, whatever scale an agent has."""

from collections.abc import Mapping
from dataclasses import dataclass

from ai.connect4.board.scores import describe, plies_to_end

UNIT = 1.5
"""Estimates that all stay below this are expected results from -1 to 1, not line points."""


@dataclass(frozen=True, slots=True)
class Said:
    """A value in words."""

    label: str
    result: int | None
    """1 for a proved win of who moves, 0 for a draw, -1 for a loss; None for an estimate."""


def said(values: Mapping[int, float], exact: bool = False) -> dict[int, Said]:
    """A label for each action's value: `W7`, `L4`, `D`, `+12`, or `+0.35` where the agent reckons in results.

    Args:
        values: by action, from the side to move, on the scale of `ai.connect4.board.scores`.
        exact: whether the agent says that all of them are proved, so that 0 is a draw.
    """
    fine = _in_results(values)
    return {action: _word(value, exact, fine) for action, value in values.items()}


def said_of(action: int, values: Mapping[int, float], exact: bool = False) -> Said:
    """The label of one action alone."""
    return _word(values[action], exact, _in_results(values))


def _word(value: float, exact: bool, fine: bool) -> Said:
    if plies_to_end(value) is not None:
        return Said(describe(value), 1 if value > 0 else -1)
    if exact and value == 0:
        return Said("D", 0)
    return Said(_small(value) if fine else describe(value), None)


def sentence(column: str, value: float, said: Said) -> str:
    """What the label of a column means, in a sentence: 'Column 4 wins in 7: proved'."""
    plies = plies_to_end(value)
    if plies is not None:
        return f"Column {column} {'wins' if value > 0 else 'loses'} in {plies}, counting both players' stones"
    if said.result == 0:
        return f"Column {column} is a draw if both play their best"
    if said.label.endswith("?"):
        return f"Column {column} probably {'wins' if value > 0 else 'loses'}: not proved"
    good = "about even" if said.label == "0" else f"an estimate of {said.label}"
    return f"Column {column}: {good}, not proved"


def legend(labels: Mapping[int, Said]) -> str:
    """What the labels that are there mean."""
    letters = {each.label[0] for each in labels.values() if each.result is not None}
    words = [sign for letter, sign in _SIGNS if letter in letters]
    if any(each.label.endswith("?") for each in labels.values()):
        words.append("? expected")
    if any(each.result is None for each in labels.values()):
        words.append("± an estimate" if words else "an estimate: + is good for the player to move, - is bad")
    return " · ".join(words)


def share(value: float, values: Mapping[int, float]) -> float:
    """An estimate on the scale of line points, where `values` are what stood beside it."""
    return value * 20 if _in_results(values) else value


def _in_results(values: Mapping[int, float]) -> bool:
    estimates = [abs(value) for value in values.values() if plies_to_end(value) is None]
    return any(estimates) and max(estimates) <= UNIT


def _small(value: float) -> str:
    return f"{value:+.2f}" if round(value, 2) else "0"


_SIGNS = (("W", "W3 wins in 3"), ("L", "L4 loses in 4"), ("D", "D draw"))
