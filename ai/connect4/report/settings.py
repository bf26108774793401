"""What the agent and a training of the report's Q-table are told. Needs neither numba nor torch."""

from dataclasses import dataclass
from pathlib import Path

from ai.entries import COUNT, SHARE, Figure
from ai.settings import games_to_play, seconds_to_learn, setting
from game.rules.connect4 import Shape, parse_shape

FIGURES = {
    "games": COUNT,
    "games_per_second": Figure(words="{:,.0f} games/s"),
    "win_rate": Figure(scale="share", words="{:.1%} of the last 1,000 won"),
    "cumulative_win_rate": Figure(scale="share", words="{:.1%} of all"),
    "draw_rate": SHARE,
    "exploration": Figure(scale="share", words="exploring {:.0%}"),
    "master_share": Figure(scale="share", words="with the master {:.0%}"),
    "states": Figure(scale="count", words="{:,.0f} states"),
    "updates": COUNT,
}


@dataclass(eq=False)
class QSettings:
    """Of the agent `qlearning`."""

    model: Path
    fallback: str = setting(
        "alphabeta",
        "Where new",
        "What is played in positions that the table does not know.",
        choices=("alphabeta", "random"),
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """Of `train connect4 qlearning`."""

    board: str = setting("6x7x1x4", "Board", "Rows, columns, depth, stones in a row.")
    players: int = setting(2, "Players", "The learner and its opponents.", 2, 6)
    seat: int = setting(1, "Seat", "Where the learner sits.", 1, 6)
    master: bool = setting(True, "Master", "Alpha-beta shows moves where else chance would choose.")
    alpha: float = setting(0.1, "Alpha", "Learning rate.", 0.001, 1.0)
    gamma: float = setting(0.95, "Gamma", "What a later reward is worth a move earlier.", 0.0, 1.0)
    explore: float = setting(1.0, "Exploration", "Share of explored moves at first.", 0.0, 1.0)
    fading: int = setting(0, "Fading", "Games until exploring ends, 0 for the last one.", 0, 1_000_000_000)
    depth: int = setting(2, "Depth", "Plies of the opponents and the master.", 1, 8)
    weakness: float = setting(0.8, "Weakness", "Share of random moves of the opponents.", 0.0, 1.0)
    least: int = setting(1, "Visits", "States visited less often are left out.", 1, 1_000_000)
    games: int = games_to_play()
    seconds: float = seconds_to_learn()

    def shape(self) -> Shape:
        """The board; raises ValueError with one clear sentence."""
        parts = self.board.split("x")
        if len(parts) != 4:
            raise ValueError(f"A board is written RxCxDxW, e.g. 6x7x1x4, not {self.board[:40]!r}.")
        shape = parse_shape(",".join(parts), self.players)
        if not 1 <= self.seat <= self.players:
            raise ValueError(f"There is no seat {self.seat} among {self.players} players.")
        return shape
