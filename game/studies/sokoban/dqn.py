"""The study `sokoban-dqn`: the report's DQN again, beside one done right and the other agents, on the report's boards.

Every training is a part, kept when it is done, so that a study that was stopped goes on with the next.
"""

from collections.abc import Callable, MutableMapping
from typing import Any

import msgspec

from ai.agent import Thinking
from ai.sokoban.dqn import model
from ai.sokoban.dqn.report.study import Curve, train
from ai.sokoban.dqn.settings import PACK, level_of
from game.studies.pages import Findings
from game.studies.sokoban import dqn_pages as pages

GAME = "sokoban"
TRAININGS: tuple[str, ...] = ("dqn",)
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


def total(quick: bool) -> int:
    """Trainings."""
    return len(parts(quick))


def run(
    quick: bool, seed: int, thinking: Thinking, done: Callable[[int, str], None], kept: MutableMapping[str, Any]
) -> Findings | None:
    """Train what is not kept already, play, and put everything into tables."""
    for name, (trainer, board, settings) in parts(quick).items():
        if name not in kept:
            found = _train(
                trainer, board, settings, SECONDS / (10 if quick else 1), seed, thinking, lambda n=name: done(0, n)
            )
            if found is None:
                break
            kept[name] = msgspec.to_builtins(found)
        done(1, name)
    curves = {name: msgspec.convert(kept[name], Curve) for name in parts(quick) if name in kept}
    return pages.findings(curves, parts(quick), quick) if curves else None


def _train(
    trainer: str,
    board: str,
    settings: dict[str, Any],
    seconds: float,
    seed: int,
    thinking: Thinking,
    said: Callable[[], None],
) -> Curve | None:
    from ai.sokoban.dqn.report.training import ReportTraining
    from ai.sokoban.dqn.training import DqnTraining

    path, number = BOARDS[board]
    start = level_of(path, number).state
    told = {"level": path, "number": number, **settings}
    if trainer == "dqn":
        return train(DqnTraining(told, seed), start, model.text_of(start), seconds, thinking, said)
    whole = 1e9  # it ends by its episodes
    return train(ReportTraining({**told, "every": 0}, seed), start, model.text_of(start), whole, thinking, said)
