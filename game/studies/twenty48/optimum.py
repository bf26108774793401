"""The study `2048-3x3`: the exact optimum of the 3×3 board as tables; at one tenth that of 2×2, which takes no time.

`ai.twenty48.search.optimum` computes it. Nothing is drawn by lot, so the seed changes nothing.
"""

from collections.abc import Callable, MutableMapping
from typing import Any

from ai.agent import Thinking
from ai.twenty48.search.optimum import Optimum, solve
from game.studies.pages import Findings, Plot, Sheet

GAME = "twenty48"
TRAININGS: tuple[str, ...] = ()
GAMES = 1_000
"""Games of a match, for whose mean the standard error is given."""
_COLOUR = "#ef6f5e"
_HUNDREDTHS = 100


class _Stopped(Exception):
    """The study was cancelled."""


def total(quick: bool) -> int:
    """Hundredths of the work: there are no games."""
    return _HUNDREDTHS


def run(
    quick: bool, seed: int, thinking: Thinking, done: Callable[[int, str], None], kept: MutableMapping[str, Any]
) -> Findings | None:
    """Solve the board and put what is known of it into tables. Nothing is kept: half a solution is worth nothing."""
    told = 0

    def hear(share: float) -> None:
        nonlocal told
        if thinking.cancelled:
            raise _Stopped
        now = int(_HUNDREDTHS * share)
        if now > told:
            done(now - told, "positions")
            told = now

    try:
        return findings(solve(2 if quick else 3, hear))
    except _Stopped:
        return None


def findings(optimum: Optimum) -> Findings:
    """Tables and the plot of a solved board."""
    board = f"{optimum.size}×{optimum.size}"
    figures = (
        ("positions, rotations and reflections counted once", float(optimum.distinct)),
        ("positions, each counted", float(optimum.positions)),
        ("expected score of optimal play", optimum.mean),
        ("standard deviation of one optimal game", optimum.deviation),
        (f"standard error of the mean of {GAMES:,} optimal games", optimum.deviation / GAMES**0.5),
        ("expected score of random play", optimum.random_mean),
    )
    tiles = tuple((tile, 100 * share) for tile, share in sorted(optimum.tiles.items(), reverse=True))
    return Findings(
        f"2048: the exact optimum of {board}",
        f"Every position of a board of {board} that can be reached has its exact value; starts and new tiles are drawn "
        "as in the game. No player can expect more than optimal play. Random play takes each legal action with the same "
        "probability.",
        (
            Sheet("optimum", "What is known", ("what", "exact"), figures, ("", ",.2f")),
            Sheet("tiles", "Largest tile at the end of an optimal game", ("tile", "%"), tiles, ("", ".6f")),
        ),
        (_plot(optimum),),
        1,
        1,
    )


def _plot(optimum: Optimum) -> Plot:
    def draw(axes: Any) -> None:
        tiles = sorted(optimum.tiles)
        axes.bar([str(tile) for tile in tiles], [100 * optimum.tiles[tile] for tile in tiles], color=_COLOUR)

    return Plot("tiles", "Largest tile at the end of an optimal game", draw, "largest tile", "% of the games")
