"""The study `sokoban-dqn`: the report's DQN again, beside one done right and the other agents, on the report's boards.

Every training is a part, kept when it is done, so that a study that was stopped goes on with the next.
"""

from collections.abc import Callable, MutableMapping
from functools import partial
from typing import Any

import msgspec

from ai.agent import Thinking
from ai.sokoban.dqn import model
from ai.sokoban.dqn.report.study import Curve, train
from ai.sokoban.dqn.settings import level_of
from game.studies.kept import play
from game.studies.pages import Findings
from game.studies.sokoban import dqn_pages, dqn_parts
from game.studies.sokoban.dqn_parts import parts

GAME = "sokoban"
TRAININGS: tuple[str, ...] = ("dqn",)


def total(quick: bool) -> int:
    """Trainings."""
    return len(parts(quick))


def run(
    quick: bool, seed: int, thinking: Thinking, done: Callable[[int, str], None], kept: MutableMapping[str, Any]
) -> Findings | None:
    """Train what is not kept already, play, and put everything into tables."""
    seconds = dqn_parts.SECONDS / (10 if quick else 1)
    play(
        {name: (1, partial(_part, *each, seconds, seed, thinking)) for name, each in parts(quick).items()}, done, kept
    )
    curves = {name: msgspec.convert(kept[name], Curve) for name in parts(quick) if name in kept}
    return dqn_pages.findings(curves, parts(quick), quick) if curves else None


def _part(
    trainer: str, board: str, settings: dict[str, Any], seconds: float, seed: int, thinking: Thinking,
    done: Callable[[int], None],
) -> dict[str, Any] | None:  # fmt: skip
    """One training, as it is kept."""
    from ai.sokoban.dqn.report.training import ReportTraining
    from ai.sokoban.dqn.training import DqnTraining

    path, number = dqn_parts.BOARDS[board]
    start = level_of(path, number).state
    told = {"level": path, "number": number, **settings}
    training = DqnTraining(told, seed) if trainer == "dqn" else ReportTraining({**told, "every": 0}, seed)
    most = seconds if trainer == "dqn" else 1e9  # the report's ends by its episodes
    found: Curve | None = train(training, start, model.text_of(start), most, thinking, partial(done, 0))
    if found is None:
        return None
    done(1)
    return dict(msgspec.to_builtins(found))
