"""What every screen of the app shares: saves, settings, progress, replays, and the warming of kernels."""

import contextlib
import json
import logging
import math
import os
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ai import catalogue, child, compiling, kernels
from ai.entries import CatalogueError, Spec
from game.rules.game import PERSON
from game.rules.games import GAMES
from game.saves import settings as settings_file
from game.saves.folder import Saves
from game.saves.progress import Progress
from game.saves.replays import Library
from game.saves.settings import Settings
from game.saves.writer import Writer
from game.ui.display import Look

if TYPE_CHECKING:
    from game.screens.lab.install import Installation
    from game.screens.lab.training import Job
    from game.screens.replays.export_job import ExportJob

log = logging.getLogger("trilogic.app")

LOOK_SECONDS = 1.0
NICE = 10
"""How much lower the priority of processes is that work for the window."""
ROOT = Path(__file__).resolve().parents[2]


def give_way(process: "subprocess.Popen[str]") -> None:
    """Lower the priority of a process that was just started, so that the window has the processor first.

    From here, not by a function that the process runs before its program: for that this whole process is copied, and the drawing
    thread waits until the copy has had the processor; on a busy machine that took two seconds.
    """
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):  # it has ended already
            os.setpriority(os.PRIO_PROCESS, process.pid, os.getpriority(os.PRIO_PROCESS, 0) + NICE)


class Warmer:
    """The separate process that compiles kernels at the first start; the window only reads its lines."""

    def __init__(self) -> None:
        """Starts nothing yet."""
        self.family: str | None = None
        self.problem: str | None = None
        self._process: subprocess.Popen[str] | None = None
        self._share = 0.0
        self._looked = -math.inf
        self._stopped = False

    def start(self) -> None:
        """Compile what is missing, if anything is, at low priority."""
        if kernels.all_ready() or self._process is not None:
            return
        self.family = kernels.games()[0]
        flags = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
        try:
            self._process = subprocess.Popen(
                child.command("ai.kernels"), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                stdin=subprocess.PIPE, text=True, creationflags=flags, process_group=0,
            )  # fmt: skip
        except OSError as error:
            self.problem = f"Agents cannot be prepared: {error}."
            return
        give_way(self._process)
        threading.Thread(target=self._listen, args=(self._process,), name="warmer", daemon=True).start()

    def _listen(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        with process.stdin, process.stdout, process.stderr:
            for line in process.stdout:
                try:
                    said = json.loads(line)
                except ValueError:
                    continue
                self.family = said["family"]
            trouble = process.stderr.read()
        if process.wait() != 0 and not self._stopped:
            log.error("preparing the agents failed:\n%s", trouble)
            self.problem = "Preparing the agents failed; people can play. The log has the details."
        self.family = None

    @property
    def status(self) -> str:
        """What is being prepared, for the status bar; empty when nothing is."""
        if self.family is None:
            return ""
        title = GAMES[self.family].title if self.family in GAMES else self.family
        done = f"{int(self.share * 100)} %"
        return f"Preparing agents once for this machine: {done} ({title}) · you can play meanwhile"

    @property
    def share(self) -> float:
        """What part of all the compiling is done, 0 to 1; it is looked at once a second and never falls."""
        now = time.monotonic()
        if now - self._looked > LOOK_SECONDS:
            self._looked = now
            self._share = max(self._share, compiling.share())
        return self._share

    def stop(self) -> None:
        """End the process; what it finished stays."""
        self._stopped = True
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()


@dataclass(slots=True)
class Context:
    """One per window."""

    saves: Saves
    writer: Writer
    settings: Settings
    progress: Progress
    library: Library
    warmer: Warmer = field(default_factory=Warmer)
    exports: list["ExportJob"] = field(default_factory=list)
    """Pictures and films that are being written."""
    training: "Job | None" = None
    """The training under way, or the last one until another is chosen in the lab."""
    installation: "Installation | None" = None
    """What trainings need, while it is being installed."""
    on_settings: Callable[[Settings], None] = lambda _settings: None
    """The window listens here to changes."""

    def set(self, name: str, value: object) -> None:
        """Change one setting, tell the window, save soon."""
        self.put(settings_file.changed(self.settings, name, value))

    def put(self, new: Settings) -> None:
        """Take changed settings."""
        if new != self.settings:
            self.settings = new
            settings_file.save(new, self.saves, self.writer)
            self.on_settings(new)

    def look(self) -> Look:
        """The window's part of the settings."""
        chosen = self.settings
        place = chosen.window
        return Look(
            theme=chosen.theme,
            ui_scale=chosen.ui_scale,
            animated=chosen.animation == "smooth",
            volume=int(chosen.volume),
            mute=chosen.mute,
            fullscreen=chosen.fullscreen,
            geometry=(place.x, place.y, place.w, place.h) if place else None,
        )

    def chosen(self, game: str, seat: int) -> Spec | None:
        """Who was put there last; None for a person, for nobody, and for an agent that no longer exists."""
        text = settings_file.seat_spec(self.settings, game, seat, PERSON)
        try:
            return None if text == PERSON else catalogue.parse(game, text)
        except CatalogueError:
            return None

    def speed(self, game: str, default: float) -> float:
        """Moves a second as they were last set for a game; infinity for as fast as the machine allows."""
        found = self.settings.remembered.get(f"{game}/speed", default)
        if isinstance(found, str | bool) or not 0 <= found <= 2000:
            return default
        return float(found) or math.inf

    def remember_speed(self, game: str, speed: float) -> None:
        """Save a game's moves a second."""
        self.remember(f"{game}/speed", 0.0 if math.isinf(speed) else round(speed, 3))

    def remember(self, name: str, value: settings_file.Value) -> None:
        """Save how somebody left something of a screen; the name is 'screen/what'."""
        self.put(settings_file.with_remembered(self.settings, name, value))

    def remember_seat(self, game: str, seat: int, spec: Spec | None) -> None:
        """Save who sits there."""
        self.put(settings_file.with_seat(self.settings, game, seat, str(spec) if spec else PERSON))
