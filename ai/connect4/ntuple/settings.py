"""What a training of an n-tuple network is told. Needs no numba."""

from dataclasses import dataclass

from ai.entries import COUNT, SHARE, Figure
from ai.settings import seconds_to_learn, setting

FIGURES = {
    "games": COUNT,
    "moves": COUNT,
    "first_wins": Figure("First player wins", "share"),
    "draws": SHARE,
    "td_error": Figure("TD error", words="TD error {:.3g}"),
    "labels": COUNT,
    "kept": Figure("Best move kept", "share"),
    "own_kept": Figure("Own moves right", "share"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """Of `train connect4 ntuple`."""

    board: str = setting("6x7x1x4", "Board", "Rows, columns, depth, stones in a row.")
    players: int = setting(2, "Players", "Seats at the board.", 2, 4)
    walks: int = setting(60, "Walks", "Tuples of connected cells, beside the winning lines.", 0, 120)
    length: int = setting(8, "Length", "Cells of a walk.", 2, 9)
    games: int = setting(100_000, "Games", "Games with itself.", 0, 1_000_000_000)
    roots: int = setting(0, "Roots", "Openings whose exactly solved positions are learned.", 0, 1_000_000)
    passes: int = setting(2, "Passes", "How often each of these is learned.", 1, 1000)
    alpha: float = setting(1.0, "Alpha", "Learning rate.", 0.0001, 4.0)
    lam: float = setting(0.6, "Lambda", "How much of a game's later course counts.", 0.0, 1.0)
    explore: float = setting(0.1, "Exploration", "Share of random moves in its games.", 0.0, 1.0)
    opening: int = setting(4, "Opening", "Its games begin with so many random moves at most.", 0, 64)
    choice: float = setting(0.5, "Choice", "Weight of the right choice beside the values.", 0.0, 10.0)
    corrected: int = setting(
        0, "Corrected games", "Games at the end, every move exactly judged; takes 512 MB.", 0, 1_000_000
    )
    seconds: float = seconds_to_learn()
