"""What `analyze` says of a position. A game that judges positions on a scale of its own has it in `game.cli.GAME.analysis`."""

import argparse
import importlib
import math
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from ai.agent import Agent, Plan
from game.rules.game import Game, State


class Analysis:
    """The agents' own values, rounded."""

    def __init__(self, game: Game[Any]) -> None:
        """Of one game."""
        self.game = game

    def told(self, line: str, setup: Mapping[str, Any]) -> tuple[str, int | None]:
        """A line of a file of positions, and the score that stands behind it, if any."""
        return line, None

    def score(self, state: State, plan: Plan) -> float | None:
        """What the position is worth to the side to move; None where the agent has no opinion."""
        values = [value for value in plan.values.values() if math.isfinite(value)]
        return self.value(state, max(values), plan.exact) if values else None

    def value(self, state: State, value: float, exact: bool) -> float | None:
        """An agent's value as it is printed; None where there is none on the scale of the score."""
        return round(float(value), 6) if math.isfinite(value) else None

    def values(self, state: State, plan: Plan) -> dict[int, float | None]:
        """The values of the actions that the agent weighed."""
        return {action: self.value(state, value, plan.exact) for action, value in plan.values.items()}

    def more(self, state: State, plan: Plan) -> dict[str, Any]:
        """What else the JSON form has."""
        return {}

    def kept(
        self, arguments: argparse.Namespace, agent: Agent[Any], asked: Sequence[tuple[State, int | None]]
    ) -> None:
        """Check one move in every position, and print the counts."""
        raise NotImplementedError


def analysis_of(game: Game[Any]) -> Analysis:
    """How positions of a game are judged."""
    name = f"game.cli.{game.id}.analysis"
    there = find_spec(f"game.cli.{game.id}") is not None and find_spec(name) is not None
    found: Analysis = importlib.import_module(name).ANALYSIS(game) if there else Analysis(game)
    return found
