"""What the agent and a training of an n-tuple network are told, and how that goes together. Needs no numba."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ai.entries import COUNT, SHARE, Figure
from ai.settings import games_to_play, seconds_to_learn, setting
from ai.twenty48.ntuple.shapes import LARGEST, SHAPES_OF, SIZES, Tuples, parse_stages, parse_tuples

FIGURES = {
    "games": COUNT,
    "moves": COUNT,
    "moves_per_second": Figure(words="{:,.0f} moves/s"),
    "mean_score": Figure(words="mean {:,.0f}"),
    "reached_2048": Figure(scale="share", words="2048 in {:.0%}"),
    "reached_8192": SHARE,
    "reached_16384": SHARE,
    "reached_32768": SHARE,
    "td_error": Figure("TD error", words="TD error {:.3g}"),
}


@dataclass(eq=False)
class NTupleSettings:
    """Of the agent `ntuple`."""

    model: Path
    plies: int = setting(1, "Plies", "Own moves looked ahead.", 1, 5)
    time: float = setting(
        0.0, "Time", "Instead of plies: as deep as so many seconds allow, 0 for no time.", 0.0, 600.0, unit="s", advanced=True
    )  # fmt: skip
    empties: int = setting(0, "Crowded", "One ply more with at most so many empty cells.", 0, 16, advanced=True)


@dataclass(frozen=True, slots=True)
class Settings:
    """Of `train 2048 ntuple`."""

    size: int = setting(4, "Size", "Rows of the board.", 3, 5)
    tuples: str = setting(
        "5x4", "Tuples", "5x4, 4x5, 4x6, 5x6, 8x6, or cells: '0123 4567 0145'; 4x6, 8x6 on 3×3; 6x4, 6x5 on 5×5."
    )
    rule: str = setting("tc", "Rule", "What is learned from an error.", choices=("tc", "td", "td-backward", "otd"))
    lam: float = setting(0.0, "Lambda", "How much a later error counts for earlier moves.", 0.0, 0.85)
    alpha: float = setting(1.0, "Alpha", "Learning rate of TC.", 0.0001, 1.0)
    td_alpha: float = setting(0.1, "TD alpha", "Learning rate of TD.", 0.0001, 1.0)
    final: float = setting(1.0, "Fade to", "What part of the rates is left after `fading` games.", 0.0, 1.0)
    fading: int = setting(0, "Fading", "Games over which the rates fade, 0 for never.", 0, 1_000_000_000)
    optimistic: float = setting(0.0, "First value", "What every board is worth at first.", 0.0, 10_000_000.0)
    td_share: float = setting(0.9, "TD share", "Part of the games that otd learns by TD.", 0.0, 1.0)
    stages: str = setting("", "Stages", "Sums of all tiles at which later stages begin: '16384 24576'.")
    promote: bool = setting(True, "Promote", "Later stages begin with what the stage before knows, not with 0.")
    restart: bool = setting(False, "Restart", "Play on from the middle of games until they are short.")
    carousel: bool = setting(False, "Carousel", "Begin every stage as often as the first.")
    replays: str = setting("", "Replays", "Games in which later stages may begin: a replay or a folder.")
    late: bool = setting(False, "Late", "The first stage is played, not learned: it is known already.")
    known: int = setting(15, "Known", "Tiles above 2**known are looked at as halved in the first stage.", 11, 15)
    least: float = setting(0.0, "Least", "Weights with a smaller sum of errors are left out.", 0.0, 1_000_000.0)
    games: int = games_to_play()
    seconds: float = seconds_to_learn()
    threads: int = setting(1, "Threads", "More than one: faster, but never twice the same.", 1, 64)
    td_games: int = 0
    """Games after which `otd` changes to TC; follows from `games` and `td_share` when a training begins."""

    def shape(self) -> Tuples:
        """The tuples, named or spelt out. Raises ValueError."""
        if self.size not in SIZES:
            raise ValueError(f"networks play boards of size {_listed(map(str, SIZES))}, not {self.size}")
        named = SHAPES_OF[self.size]
        if self.tuples not in named and "x" in self.tuples:  # no cell is called x
            board = f"{self.size}x{self.size}"
            raise ValueError(f"{self.tuples!r} is no name of tuples on {board}: expected {_listed(named)}, or cells")
        return parse_tuples(named.get(self.tuples, self.tuples), self.size)

    def thresholds(self) -> tuple[int, ...]:
        """Where the later stages begin. Raises ValueError."""
        return parse_stages(self.stages)

    def check(self) -> None:
        """Raise ValueError when the settings do not go together."""
        if self.rule == "otd" and not self.td_games:
            raise ValueError("otd must know when to change to TC: say how many games there will be")
        if self.rule == "td-backward" and self.lam:
            raise ValueError("td-backward takes no lambda: it learns from the end of a game")
        if self.known < LARGEST and (self.size != 4 or self.rule == "td-backward"):
            raise ValueError(
                "only on 4x4 boards, and not by td-backward, are boards looked at as smaller ones (known)"
            )
        if self.replays and (self.size != 4 or not self.stages or not self.carousel):
            raise ValueError("replays are for the carousel of 4x4 boards with later stages")
        if self.late and (not self.carousel or self.restart or self.rule == "td-backward"):
            raise ValueError("late goes with the carousel, and neither with restart nor with td-backward")
        if self.final < 1 and not self.fading:
            raise ValueError("the rates are to fade: say over how many games (fading)")

    def sentence(self) -> str:
        """The rule, as the header of a model says it."""
        trace = f"({self.lam:g})"
        tc, td = f"TC{trace}, alpha {self.alpha:g}", f"TD{trace}, alpha {self.td_alpha:g}"
        said = {
            "tc": tc,
            "td": td,
            "td-backward": f"TD backward, alpha {self.td_alpha:g}",
            "otd": f"{td}; after {self.td_games:,} games {tc}",
        }[self.rule]
        if self.final < 1:
            said += f", fading to {self.final:g} of it in {self.fading:,} games"
        if self.optimistic:
            said += f", first value {self.optimistic:,.0f}"
        return (
            said
            + ", stages from 0" * bool(self.stages and not self.promote)
            + f", tiles above {2**self.known} halved" * (self.known < LARGEST)
            + ", restart" * self.restart
            + ", carousel" * self.carousel
            + " of the later stages" * (self.carousel and self.late)
        )


def _listed(words: Iterable[str]) -> str:
    """'3, 4 or 5'."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
