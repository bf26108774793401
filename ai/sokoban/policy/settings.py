"""What the agents of a policy network and its training are told. Needs neither numba nor torch."""

from dataclasses import dataclass
from pathlib import Path

from ai.entries import COUNT, SHARE, Figure
from ai.settings import seconds_to_learn, setting
from ai.sokoban.policy.model import PolicyModel

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


def views(default: int = 1) -> int:
    """The field `views` of both agents."""
    text = "From how many sides it looks at the level, turned and mirrored: slower, and a little wiser."
    return setting(default, "Views", text, 1, 8, advanced=True)


@dataclass(eq=False)
class PolicySettings:
    """Of `policy`; time and pushes hold where a request sets no limit of its own."""

    model: Path | PolicyModel
    time: float = setting(60.0, "Time", "Seconds before it gives up.", 0.1, 3600.0, unit="s", advanced=True)
    pushes: int = setting(500, "Pushes", "Before it gives up.", 1, 100_000)
    temperature: float = setting(
        0.0,
        "Temperature",
        "0 takes the likeliest push; above it pushes are drawn, unlikely ones the more often the higher it is.",
        0.0,
        10.0,
    )
    levels: str = setting(
        "flat",
        "Levels",
        "Push by push, or box by box: which one is brought to a target first, and then how.",
        choices=("flat", "macro"),
        advanced=True,
    )
    views: int = views(8)
    caution: int = setting(
        4,
        "Caution",
        "After so many of the likeliest pushes it looks whether the level can still be solved; 0: it does not.",
        0,
        16,
        advanced=True,
    )


@dataclass(eq=False)
class PolicySearchSettings:
    """Of `policy-search`; time and expansions hold where a request sets no limit of its own."""

    model: Path | PolicyModel
    time: float = setting(60.0, "Time", "Seconds before it gives up.", 0.1, 3600.0, unit="s")
    expansions: int = setting(
        10_000, "Expansions", "Positions that the network looks at before it gives up.", 1, 10_000_000
    )
    batch: int = setting(
        8, "Batch", "Positions that it looks at together at most; one by one at first.", 1, 64, advanced=True
    )
    order: str = setting(
        "log-odds",
        "Order",
        "Which position is next: the one with the least log-odds against its pushes, or as in LevinTS the one with the "
        "least depth by probability.",
        choices=("log-odds", "levin"),
    )
    depth: float = setting(
        0.0,
        "Depth",
        "What a push costs by itself, with log-odds: above 0 short lines come before likely ones.",
        0.0,
        10.0,
        advanced=True,
    )
    lost: float = setting(
        0.0,
        "Lost",
        "Positions are left out whose probability of being solvable is below; with 0 none is.",
        0.0,
        0.5,
        advanced=True,
    )
    views: int = views()
