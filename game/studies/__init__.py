"""The studies of `experiment`: one module each, listed here.

A module has `GAME` and `TRAININGS` (whose kernels it needs), `total(quick)`, and `run(…)`; see `Module`.
A study of levels also has `use(path)`, which comes first. It is imported when its study is run.
"""

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ai.agent import Thinking
from game.studies.pages import Findings


class Module(Protocol):
    """What a study's module offers."""

    GAME: str
    TRAININGS: tuple[str, ...]
    """Agents whose training has kernels of its own (`ai.entries.Trainer.warm`) and belongs to the study."""

    def total(self, quick: bool) -> int:
        """Games in all, for the progress bar."""
        ...

    def run(
        self,
        quick: bool,
        seed: int,
        thinking: Thinking,
        done: Callable[[int, str], None],
        kept: MutableMapping[str, Any],
    ) -> Findings | None:
        """Do it.

        Args:
            quick: At one tenth.
            seed: Of everything random.
            thinking: Its cancel ends the study; what was finished before is in the findings.
            done: Hears how many more games are done, and what is going on.
            kept: Finished parts of the same study, stopped before; what is put there is kept should it be stopped.

        Returns:
            What was found; None when it was cancelled before there was anything.
        """
        ...


class LevelModule(Module, Protocol):
    """What the module of a study of levels offers."""

    def use(self, path: Path | None) -> None:
        """Study the levels of this file, or those that it studies by itself; raises LevelError or OSError."""
        ...


@dataclass(frozen=True, slots=True)
class Study:
    """One study, before it is imported."""

    title: str
    module: str
    of_levels: bool = False
    """Whether it is about Sokoban levels, its own or those of a file."""


STUDIES: dict[str, Study] = {
    "2048-learning-rate": Study(
        "2048: four learning rates of the report's n-tuple network", "game.studies.twenty48.learning_rate"
    ),
    "connect4-report": Study("connect-4: the report's tables and charts", "game.studies.connect4.report"),
    "sokoban-search": Study(
        "Sokoban: beam search, LRTA* and all other agents", "game.studies.sokoban.search", of_levels=True
    ),
    "sokoban-dqn": Study("Sokoban: the report's DQN, and one done right", "game.studies.sokoban.dqn"),
    "2048-3x3": Study("2048: the exact optimum of the 3×3 board", "game.studies.twenty48.optimum"),
}
"""Name -> study."""
