"""One export in a process of its own: our command line, told by lines how far it is, ended when that is asked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from typing_extensions import override

from ai import child, temporary
from game.rules.replay import Replay, dumps
from game.screens.jobs.job import Job, Jobs
from game.screens.jobs.process import Process
from game.screens.replays.export import Request


class ExportJob(Job):
    """Begins at once; nothing half written stays."""

    patience = 0.3
    """It cleans up on its own after that."""

    def __init__(self, replay: Replay, request: Request, path: Path) -> None:
        """Write `replay` as `request` says to `path`."""
        super().__init__()
        self.path = path
        self.share: float | None = None
        """How far it is, 0 to 1; None until it draws."""
        self._begin("an export", self._command(replay, request))

    @property
    @override
    def outcome(self) -> str:
        """How it ended, in a sentence."""
        if self.cancelled:
            return f"The export of {self.path.name} was cancelled."
        return self.problem or f"Exported as {self.path}."

    @property
    def progress(self) -> str:
        """How far it is, in words."""
        return "starting" if self.share is None else f"{self.share:.0%}"

    @override
    def cancel(self) -> None:
        """Tell it to end; it is there until it has cleaned up."""
        self.cancelled = True
        if self._process is not None:
            self._process.cancel()

    @contextmanager
    def _command(self, replay: Replay, request: Request) -> Iterator[list[str]]:
        """The command line, as long as the file of the replay is there."""
        with temporary.folder() as folder:
            source = folder / "replay.json"
            source.write_text(dumps(replay), encoding="utf-8")
            try:
                yield child.command("main", "replay", str(source), *_options(request, self.path))
            finally:
                temporary.sweep(self.path.parent)  # where a process cannot clean up before it is ended

    @override
    def _hear(self, said: dict[str, Any]) -> None:
        self.share = said["done"] / max(1, said["of"])

    @override
    def _gone(self, process: Process) -> None:
        if process.problem:
            self.problem = f"{self.path.name} was not written: {process.problem}."
        elif process.code and not self.cancelled:
            self.problem = f"{process.last.removeprefix('trilogic: ').rstrip('.') or 'The export failed'}."


def _options(request: Request, path: Path) -> list[str]:
    """The words of the command line."""
    words = ["--export", str(path), "--progress"]
    for name, value in (("size", request.size), ("speed", request.speed), ("move", request.ply)):
        if value or (name == "move" and value is not None and request.pictures == 1):
            words += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
    if request.pictures > 1:
        words += ["--pictures", str(request.pictures)]
    if request.theme == "light":
        words.append("--light")
    if not request.caption and request.kind != "lurd":
        words.append("--plain")
    return words


def under_way(jobs: Jobs) -> str:
    """How far the first export is, in words; empty when there is none."""
    job = jobs.one(ExportJob)
    return "" if job is None else f"Exporting {job.path.name}: {job.progress}"
