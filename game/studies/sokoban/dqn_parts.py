"""The parts of the study `sokoban-dqn`: which trainings there are, on which boards and with which settings."""

from typing import Any

from ai.sokoban.dqn.settings import PACK

DRAWN = "levels/6-drawn-maps.xsb"
BOARDS: dict[str, tuple[str, int]] = {
    "one box": (PACK, 1),
    "two boxes": (PACK, 2),
    "three rooms": (PACK, 3),
    "into the corner": (DRAWN, 1),
    "through the gate": (DRAWN, 2),
    "two corners": (DRAWN, 4),
    "one door for two": (DRAWN, 5),
    "three lanes": (DRAWN, 8),
    "upstairs": (DRAWN, 10),
}
"""Name -> file and number."""
REPORTED = ("one box", "two boxes", "three rooms")
EPISODES = {"one box": 1000, "two boxes": 3000, "three rooms": 3000}
SWEEPS: dict[str, tuple[float, ...]] = {
    "discount": (0.9, 0.95, 0.99),
    "decay": (0.99, 0.995, 0.998),
    "rate": (0.01, 0.001, 0.0001),
    "target": (5, 10, 20),
    "epsilon": (0.05, 0.01),
    "memory": (10_000, 50_000),
}
VARIANTS: dict[str, dict[str, str]] = {
    "dense only": {"network": "dense-only"},
    "deeper": {"network": "deeper"},
    "scalar input": {"input": "scalar"},
    "dense only, scalar input": {"network": "dense-only", "input": "scalar"},
}
SWEPT = 400
"""Episodes of each of these: as many as the report says it takes."""
SECONDS = 300.0
"""Of the processor, for each training of the DQN done right."""

Part = tuple[str, str, dict[str, Any]]
"""Trainer, board, settings."""


def parts(quick: bool) -> dict[str, Part]:
    """All trainings by name, in the order in which they are done."""
    share = 10 if quick else 1
    found: dict[str, Part] = {f"dqn, {name}": ("dqn", name, {}) for name in BOARDS}
    for name in REPORTED:
        found[f"report, {name}"] = ("dqn-report", name, {"episodes": EPISODES[name] // share})
    for name, told in VARIANTS.items():
        found[f"report, {name}"] = ("dqn-report", "one box", {**told, "episodes": SWEPT // share})
    for setting, values in SWEEPS.items():
        for value in values:
            found[f"{setting} {value:g}"] = ("dqn-report", "one box", {setting: value, "episodes": SWEPT // share})
    return found
