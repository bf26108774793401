"""What a training of the network for flat boards is told. Needs neither numba nor torch."""

from dataclasses import dataclass

from ai.entries import COUNT, Figure
from ai.settings import seconds_to_learn, setting

FIGURES = {
    "games": COUNT,
    "positions": COUNT,
    "kept": Figure("Best move kept", "share"),
    "own_kept": Figure("Own moves right", "share"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """Of `train connect4 net`."""

    board: str = setting("6x7x1x4", "Board", "Rows, columns, depth, stones in a row.")
    width: int = setting(64, "Width", "Channels of a column.", 8, 512)
    blocks: int = setting(1, "Blocks", "Pairs of layers after the first.", 0, 16)
    roots: int = setting(240, "Roots", "Openings whose exactly solved positions are learned.", 1, 1_000_000)
    passes: int = setting(5, "Passes", "How often each of these is learned.", 1, 1000)
    rate: float = setting(0.002, "Rate", "Learning rate of Adam.", 1e-06, 1.0)
    corrected: int = setting(
        0, "Corrected games", "Games at the end, every move exactly judged; takes 512 MB.", 0, 1_000_000
    )
    explore: float = setting(0.15, "Exploration", "Share of random moves in these games.", 0.0, 1.0)
    opening: int = setting(4, "Opening", "They begin with so many random moves at most.", 0, 64)
    seconds: float = seconds_to_learn()
