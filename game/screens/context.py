"""What every screen of the app shares: saves, settings, progress, replays, and what goes on behind the screens."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ai import catalogue
from ai.entries import CatalogueError, Spec
from game.play.words import about
from game.rules.game import PERSON
from game.saves import settings as settings_file
from game.saves.folder import Saves
from game.saves.progress import Progress
from game.saves.replays import Library
from game.saves.settings import Settings
from game.saves.writer import Writer
from game.screens.jobs.job import Jobs
from game.screens.jobs.warming import Warming
from game.ui.display import Look


@dataclass(slots=True)
class Context:
    """One per window."""

    saves: Saves
    writer: Writer
    settings: Settings
    progress: Progress
    library: Library
    jobs: Jobs = field(default_factory=Jobs)
    on_settings: Callable[[Settings], None] = lambda _settings: None
    """The window listens here to changes."""

    @property
    def preparing(self) -> str:
        """What of the agents is being prepared, for the status bar; empty when nothing is."""
        warming = self.jobs.one(Warming)
        return "" if warming is None else warming.status

    @property
    def unprepared(self) -> str:
        """Why agents are not prepared and will not be, in one sentence; empty where nothing failed."""
        warming = self.jobs.one(Warming)
        return "" if warming is None else warming.problem

    def prepare_first(self, units: Iterable[str]) -> None:
        """Let these kernels be compiled next, where they are missing."""
        warming = self.jobs.one(Warming)
        if warming is not None:
            warming.first(units)

    def seconds_until(self, units: Iterable[str]) -> float | None:
        """How long it takes until these kernels are there, when they come next; None where nobody compiles."""
        warming = self.jobs.one(Warming)
        return None if warming is None else warming.seconds_until(units)

    def wait_for(self, units: Iterable[str]) -> str:
        """Let these kernels come next; why that which needs them cannot begin yet, in one sentence."""
        wanted = list(units)
        self.prepare_first(wanted)
        seconds = self.seconds_until(wanted)
        when = "" if seconds is None else f": ready in {about(seconds)}"
        return self.unprepared or f"Agents are still being prepared for this machine{when}."

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
        text = settings_file.seat_spec(self.settings, game, seat)
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
