"""What expectimax can be told. Needs no numba."""

from dataclasses import dataclass

from ai.settings import setting


@dataclass(eq=False)
class ExpectimaxSettings:
    """Of `expectimax`."""

    depth: int = setting(4, "Depth", "Own moves looked ahead at most.", 1, 5)
