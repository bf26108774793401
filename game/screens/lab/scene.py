"""The lab: choose a training, watch it, try what it has learned. It goes on behind other screens."""

from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

import pygame
from typing_extensions import override

from ai import checkpoints, kernels
from ai.program import ROOT
from game.screens import results
from game.screens.context import Context
from game.screens.keys import TRAINING
from game.screens.lab import install, trying
from game.screens.lab.form import Form, first_request
from game.screens.lab.request import Request, continued
from game.screens.lab.run_page import RunPage
from game.screens.lab.setup_page import SetupPage
from game.screens.lab.training import Phase, Training
from game.screens.navigation import show
from game.ui.chrome import Action, TopBar
from game.ui.dialog import Answer, Dialog
from game.ui.file_dialog import FileDialog
from game.ui.layout import layout
from game.ui.scene import Host, Scene
from game.ui.shortcuts import MOVES, WINDOW

ACTIONS = (
    Action("cube", "Models", "lab_models"),
    Action("help", "Keys", "help"),
    Action("settings", "Settings", "settings"),
)
LEVELS = (".xsb", ".sok", ".txt", ".slc")
"""Endings of files of levels."""
LOOK_SECONDS = 0.5
"""How often it is looked whether the training can be begun."""
NARROW = 240
"""Units of the column on the right where the window is too narrow for the panel of the games."""


class LabScene(Scene):
    """The form, or the training that is under way or has just ended."""

    name = "lab"
    groups = (MOVES, TRAINING, WINDOW)
    without = frozenset({"lab"})
    meanings = MappingProxyType({"accept": "Use or edit a box"})
    gestures = (
        ("click", "Use; in the middle of a box: type"), ("wheel", "Change the number under the pointer"),
        ("hover", "The value of a curve there"), ("click a curve", "Show only that curve"),
    )  # fmt: skip

    def __init__(self, window: Host, context: Context) -> None:
        """With the form, if no training is under way."""
        super().__init__(window)
        self.context = context
        self.top_bar: TopBar | None = None
        self.form = Form(first_request(self.folder), self.folder, self._changed, self._ask_level)
        self.refusal = ""
        """Why the training of the form cannot be begun, in one sentence, as of the last look."""
        self._looked = LOOK_SECONDS
        self.page: SetupPage | RunPage = SetupPage(self)

    def take(self, request: Request) -> None:
        """Another request for the form."""
        self._put_away()
        self.form.take(request)

    def _put_away(self) -> None:
        """The form comes first, unless a training is under way."""
        self.context.jobs.remove(Training)

    @property
    def folder(self) -> Path:
        """Where models and checkpoints are."""
        return self.context.saves.models

    @property
    def job(self) -> Training | None:
        """The training under way or just ended."""
        return self.context.jobs.one(Training)

    @property
    def installation(self) -> install.Installation | None:
        """That of what trainings need, while it is under way."""
        return self.context.jobs.one(install.Installation)

    def _turn_page(self) -> None:
        job = self.job
        if job is None:
            self.page = SetupPage(self)
        elif not isinstance(self.page, RunPage) or self.page.job is not job:
            self.page = RunPage(self, job)

    # Lay out

    @override
    def build(self) -> None:
        """The page for what is under way."""
        theme = self.theme
        self._turn_page()
        areas = layout(self.size, theme)
        left, right = areas.beside(theme, NARROW)
        self.top_bar = TopBar(
            self.kit, self.size[0], "Lab", theme.thinking, ACTIONS, self.window.command, self.groups
        )
        self.top_bar.subtitle = "train agents here" if self.job is None else self.job.request.title
        self.page.build(left, right)

    def _changed(self, whole: bool) -> None:
        if whole:
            self.rebuild()
        elif isinstance(self.page, SetupPage):
            self.page.refresh()
        self._looked = LOOK_SECONDS

    def _ask_level(self, take: Callable[[str], object]) -> None:
        """The dialog for a file of levels."""
        known = self.form.request.level
        folder = known[0].parent if known is not None else ROOT / "levels"

        def done(path: Path) -> None:
            take(str(path))
            self.rebuild()

        self.window.push(FileDialog(self.window, "Learn a level of this file", folder, LEVELS, done))

    # What is asked for

    def _why_not(self) -> str:
        """Why the training of the form cannot be begun, in one sentence; empty when it can. Looks at folders."""
        request = self.form.request
        if not self.context.saves.writable:
            return "The saves folder is read-only, so nothing can be trained here."
        problem = request.problem(self.folder)
        if problem is not None:
            return problem
        if self.installation is not None:
            return ""
        if not kernels.game_ready(request.game):
            return self.context.wait_for(kernels.units(request.game))
        return ""

    def start(self) -> None:
        """Begin the training of the form."""
        self.kit.focus(None)  # what is being typed counts
        request = self.form.request
        if self.job is not None and self.job.active:
            return
        refusal, self.form.problem = self.form.problem or self._why_not(), ""
        if refusal:
            self.window.say(refusal, "bad")  # of what was typed once: the box says what is in force
            return
        if request.trainer.needs_torch and install.missing():
            self._ask_install()
            return
        self._put_away()
        self.context.jobs.add(Training(request, self.folder))
        self.rebuild()

    def toggle(self) -> None:
        """Start, pause or go on, whichever there is to do."""
        job = self.job
        if job is None:
            self.start()
        elif not job.active:
            self.go_on()
        elif job.asked_pause:
            job.go_on()
        else:
            job.pause()

    def stop(self) -> None:
        """Save and stop."""
        if self.job is not None and self.job.active:
            self.job.stop()

    def go_on(self) -> None:
        """Learn more, from the checkpoint of what has just ended."""
        job = self.job
        if job is None or job.active:
            return
        found = next((each for each in checkpoints.listing(self.folder) if each.path == job.model), None)
        request = continued(found) if found is not None else None
        if request is None:
            self.window.say("There is no checkpoint to continue from.", "bad")
            return
        self._put_away()
        self.form.take(request)

    def new(self) -> None:
        """Back to the form, for another training."""
        job = self.job
        if job is None or job.active:
            return
        self._put_away()
        self.form.request = job.request
        self.form.start_anew()

    @property
    def can_watch_level(self) -> bool:
        """Whether it was trained on one level, which can be shown."""
        return self.job is not None and self.job.request.level is not None

    def try_it(self) -> None:
        """Open its game with the model at the board; on the level it learned, where it learned one."""
        job = self.job
        card = job.card if job is not None else None
        if job is None or card is None:
            self.window.say("There is no model to try yet: it is saved when the training ends.")
            return
        trying.play(self.window, self.context, card, job.request.level)

    def copy(self) -> None:
        """The command line of the form, or of the training under way."""
        request = self.form.request if self.job is None else self.job.request
        results.put(self.window, request.command_line(), "The command line is on the clipboard.")

    def _ask_install(self) -> None:
        if self.installation is not None:
            self.window.say("The installation is running.")
            return

        def begin() -> None:
            self.context.jobs.add(install.Installation())

        words = f"{install.missing()} It is downloaded now, for training only; you can keep using the app."
        answers = (Answer("Install", begin, "primary", "download"), Answer("Not now"))
        self.window.push(Dialog(self.window, "Install torch?", words, answers))

    # Scene

    @override
    def command(self, command: str) -> bool:
        """Start, pause, stop, try."""
        actions: dict[str, Callable[[], object]] = {
            "lab_run": self.toggle, "run": self.toggle, "lab_stop": self.stop, "lab_try": self.try_it, "lab_new": self.new,
            "lab_copy": self.copy, "lab_models": self._models, "lab": lambda: None,
        }  # fmt: skip
        if command == "back" and self.kit.focused is not None:
            self.kit.focus(None)
            return True
        if command == "back" and isinstance(self.page, RunPage) and self.page.charts.alone is not None:
            self.page.charts.alone = None
            self.rebuild()
            return True
        if command in actions:
            actions[command]()
            return True
        return super().command(command)

    def _models(self) -> None:
        shown = show("models", self.window, self.context)
        if self.job is not None:
            shown.choose_path(self.job.model)

    @override
    def again(self) -> "LabScene":
        """A fresh one."""
        return LabScene(self.window, self.context)

    @override
    def update(self, dt: float) -> None:
        """The page follows the training."""
        self._turn_page_if_other()
        job = self.job
        if job is not None and not job.active:
            job.seen = True
        if isinstance(self.page, RunPage):
            self.page.update(dt)
        else:
            self._looked += dt
            if self._looked >= LOOK_SECONDS:
                self._looked, self.refusal = 0.0, self._why_not()
            self.page.refresh()

    def _turn_page_if_other(self) -> None:
        shown = self.page.job if isinstance(self.page, RunPage) else None
        if shown is not self.job:
            self.rebuild()

    @override
    def draw(self, surface: pygame.Surface) -> None:
        """The page and the bar."""
        if self.top_bar is not None:
            self.top_bar.draw(surface)
        self.page.draw(surface)

    @property
    @override
    def status(self) -> tuple[str, str, bool]:
        """What is under way, and where it is kept."""
        job, installation = self.job, self.installation
        if installation is not None:
            return f"Installing: {installation.line}", "", True
        if job is None:
            preparing = self.context.preparing
            return (
                preparing or "Space starts the training · Esc goes back",
                self.form.request.trainer.title,
                bool(preparing),
            )
        where = f"{job.model.name}"
        words = {
            Phase.STARTING: "Its kernels are compiled, once on this machine" if job.compiling else "Getting ready",
            Phase.RUNNING: "Learning · Space pauses · Esc goes back, the training continues",
            Phase.PAUSED: "Paused · Space continues",
            Phase.STOPPING: "Saving the model and its checkpoint",
            Phase.DONE: "Training finished · T lets it play",
            Phase.STOPPED: "Stopped and saved · Space continues · T lets it play",
            Phase.FAILED: job.problem,
        }[job.phase]
        if job.active and job.asked_pause and job.phase is Phase.RUNNING:
            words = "Pausing after this round"
        return words, where, job.phase in (Phase.STARTING, Phase.RUNNING, Phase.STOPPING)
