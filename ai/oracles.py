"""Who judges the games of a kind: found by the game's id, and which kernels that takes."""

import importlib
from typing import cast

from ai import kernels
from ai.family import family
from ai.review import Oracle


def has_oracle(game: str) -> bool:
    """Whether anybody judges games of that kind."""
    return bool(family(game).oracle)


def units(game: str) -> tuple[str, ...]:
    """The units of kernels that judging takes."""
    return kernels.needed_by(game, "oracle")


def oracle(game: str) -> Oracle:
    """A new oracle; its kernels should be compiled before. Not for the drawing thread: it may import much and read a model.

    Raises:
        KeyError: nobody judges games of that kind.
    """
    module, _, name = family(game).oracle.partition(":")
    if not name:
        raise KeyError(game)
    return cast(Oracle, getattr(importlib.import_module(module), name)())
