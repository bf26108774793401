"""What a training of the policy network is told. Needs neither numba nor torch."""

from dataclasses import dataclass

from ai.entries import COUNT, SHARE, Figure
from ai.settings import seconds_to_learn, setting

FIGURES = {
    "games": COUNT,
    "positions": COUNT,
    "best_pushes": Figure(scale="share", words="best pushes {:.1%}"),
    "solvable": SHARE,
    "played": Figure(scale="share", words="its own games {:.0%} solved"),
    "solve_rate": Figure(scale="share", words="unseen rooms {:.1%}"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """Of `train sokoban policy`."""

    channels: int = setting(32, "Channels", "Numbers that each layer keeps of a square.", 8, 128)
    blocks: int = setting(5, "Blocks", "Of two layers each.", 1, 16)
    rooms: int = setting(40_000, "Rooms", "Rooms to learn from; the learning rate ends there.", 100, 1_000_000_000)
    rate: float = setting(0.0025, "Learning rate", "At its highest.", 1e-06, 0.1)
    batch: int = setting(256, "Batch", "Positions of one step.", 16, 4096)
    replays: str = setting("", "Replays", "A person's solved games to learn from too: a file or a folder.")
    bf16: bool = setting(True, "Short numbers", "16 bits where that is enough.", advanced=True)
    seconds: float = seconds_to_learn()
