"""What a training of the report's network is told. Needs no numba."""

from dataclasses import dataclass

from ai.entries import COUNT, Figure
from ai.settings import games_to_play, seconds_to_learn, setting

FIGURES = {
    "games": COUNT,
    "moves": COUNT,
    "moves_per_second": Figure(words="{:,.0f} moves/s"),
    "mean_score": Figure(words="mean {:,.0f}"),
    "reached_2048": Figure(scale="share", words="2048 in {:.0%}"),
    "td_error": Figure("TD error", words="TD error {:.3g}"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """Of `train 2048 ntuple-report`."""

    games: int = games_to_play()
    seconds: float = seconds_to_learn()
    alpha: float = setting(0.01, "Alpha", "Learning rate; the report tried 0.0025 to 0.05.", 0.0001, 1.0)
    rule: str = setting(
        "report", "Rule", "The report's target leaves rewards out; correct is TD(0).", choices=("report", "correct")
    )
    symmetries: bool = setting(True, "Symmetries", "Look patterns up in all eight positions.")
