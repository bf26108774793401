"""The short test of a model of 2048: a small series of games in a process of its own."""

from collections.abc import Mapping, Sequence
from typing import Any

from ai.entries import Spec
from ai.models import ModelCard
from game.play.twenty48.series import Series
from game.play.twenty48.sizes import size_for

GAMES: dict[int, int] = {1: 100, 2: 20, 3: 10}
"""Plies -> games of the short test."""


def refusal(card: ModelCard) -> str | None:
    """Why a model cannot be tested, in one sentence, or None when it can."""
    return f"There are no boards of {card.board}." if size_for(card) is None else None


def command(card: ModelCard, spec: Spec, games: int) -> list[str]:
    """What the process is started with."""
    size = size_for(card)
    assert size is not None
    return Series(spec, size, games).command()


def reached(games: Sequence[Mapping[str, Any]]) -> str:
    """What the best game came to, in a few words."""
    return f"largest tile {max(game['tile'] for game in games):,}"
