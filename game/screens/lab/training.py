"""One training in a process of low priority: started, paused, stopped, and what it has said so far."""

import time
from enum import Enum
from pathlib import Path
from typing import Any

from typing_extensions import override

from ai import models
from ai.models import SUFFIX, ModelCard
from ai.trainers import checkpoint_of
from game.play.words import clock
from game.screens.jobs.job import Job
from game.screens.jobs.process import Process
from game.screens.lab.history import History
from game.screens.lab.request import Request
from game.ui.chrome import Chip

CLOSING_SECONDS = 0.25
"""How long the end of the app waits for a training to be saved; after that the process does it on its own."""


class Phase(Enum):
    """How it stands with a training."""

    STARTING = "gets ready"
    RUNNING = "learns"
    PAUSED = "paused"
    STOPPING = "is being saved"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


ENDED = frozenset({Phase.DONE, Phase.STOPPED, Phase.FAILED})


class Training(Job):
    """Begins at once."""

    place = "lab"
    at_exit = "the training can go on later"
    stays = True
    patience = CLOSING_SECONDS

    def __init__(self, request: Request, folder: Path) -> None:
        """The model goes into `folder`."""
        super().__init__()
        self.request, self.folder = request, folder
        self.model = folder / (request.name + SUFFIX)
        self.phase = Phase.STARTING
        self.history = History(request.trainer)
        self.games = 0
        self.seconds = request.going_on.seconds if request.going_on is not None else 0.0
        """Learned, in all runs."""
        self.eta: float | None = None
        self.fraction: float | None = None
        self.board = ""
        """The position being played now, as text; empty where none is shown."""
        self.compiling = False
        """Whether what it needs is compiled first, once on this machine."""
        self.asked_pause = False
        self.seen = False
        """Whether somebody has seen how it ended."""
        self.heard = time.perf_counter()
        """When the process said something last."""
        if request.going_on is not None:
            self.history.read(folder / f"{request.name}.csv", request.going_on.seconds)
        self._begin(f"the training of {request.name}", request.command(folder))

    @property
    def active(self) -> bool:
        """Whether it has not ended yet."""
        return self.phase not in ENDED

    @property
    @override
    def chip(self) -> Chip | None:
        """How it stands, until somebody has seen how it ended."""
        if self.seen and not self.active:
            return None
        return Chip(self._brief, self.place, self.fraction if self.active else None, self.active)

    @property
    def _brief(self) -> str:
        if self.phase is Phase.PAUSED:
            return "Training paused"
        if not self.active:
            return f"{self.request.name}: {'training failed' if self.phase is Phase.FAILED else 'trained'}"
        if self.fraction is not None:
            return f"Training {self.fraction:.0%}"
        return f"Training {clock(round(self.seconds))}"

    @property
    @override
    def outcome(self) -> str:
        """How it ended, in a sentence."""
        if self.phase is Phase.FAILED:
            return f"The training of {self.request.name}: {self.problem}"
        if self.card is None:
            return f"The training of {self.request.name} was stopped before it had a model to save."
        return (
            f"{self.request.name} is {'trained' if self.phase is Phase.DONE else 'saved'}: it is in your models now."
        )

    @property
    def card(self) -> ModelCard | None:
        """The model that was saved, if it can be used."""
        card = models.card(self.model)
        return card if not self.active and card.problem is None else None

    @property
    def can_go_on(self) -> bool:
        """Whether there is a checkpoint to go on from."""
        return not self.active and checkpoint_of(self.model).is_file()

    # Leading it

    def pause(self) -> None:
        """Compute nothing until it goes on."""
        if self._process is not None and self.phase in (Phase.STARTING, Phase.RUNNING) and not self.asked_pause:
            self.asked_pause = True
            self._process.tell("pause")

    def go_on(self) -> None:
        """Learn again."""
        if self._process is not None and self.asked_pause and self.active:
            self.asked_pause = False
            self._process.tell("continue")

    def stop(self) -> None:
        """Save model and checkpoint, and end; what has not begun to learn has nothing to save."""
        if self._process is None or not self.active or self.phase is Phase.STOPPING:
            return
        if self.phase is Phase.STARTING:
            self.cancel()
            self._done(stopped=True)
            return
        self.phase = Phase.STOPPING
        self._process.tell("stop")

    @override
    def close(self) -> None:
        """The app ends: it is saved."""
        self.stop()

    # Listening

    @override
    def _hear(self, said: dict[str, Any]) -> None:
        self.heard = time.perf_counter()
        if "problem" in said:
            self._fail(_sentence(str(said["problem"])))
        elif "done" in said:
            self._done(bool(said["done"].get("stopped")))
        elif "paused" in said:
            self._set(Phase.PAUSED if said["paused"] else Phase.RUNNING)
        elif "compiling" in said:
            self.compiling = True
        elif "begun" in said:
            self.games = int(said["begun"]["games"])
            self._set(Phase.RUNNING)
        elif "games" in said:
            self._round(said)

    @override
    def _gone(self, process: Process) -> None:
        if process.problem:
            self._fail(f"The training cannot be started: {process.problem}.")
        else:
            self._fail(_why(process.last, checkpoint_of(self.model).is_file()))

    def _set(self, phase: Phase) -> None:
        if self.phase is not Phase.STOPPING:
            self.phase = phase

    def _round(self, said: dict[str, Any]) -> None:
        self.games, self.seconds = int(said["games"]), float(said["seconds"])
        self.eta, self.fraction = said["eta"], said["fraction"]
        if "board" in said:
            self.board = str(said["board"])
        figures = said.get("figures")
        if isinstance(figures, dict):
            self.history.add(self.seconds, figures)

    def _done(self, stopped: bool) -> None:
        self.phase = Phase.STOPPED if stopped else Phase.DONE
        self.eta, self._process = None, None

    def _fail(self, problem: str) -> None:
        self.phase, self.problem = Phase.FAILED, problem
        self.eta, self._process = None, None


def _sentence(text: str) -> str:
    text = text.strip().rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


def _why(trouble: str, kept: bool) -> str:
    """What a process that broke off said last; a line of a traceback means nothing to people."""
    if trouble.startswith("trilogic: "):
        return _sentence(trouble.removeprefix("trilogic: "))
    rest = "it can go on from its last checkpoint" if kept else "it had saved nothing yet"
    return f"The training stopped unexpectedly; {rest}. The log has the details."
