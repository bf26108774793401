"""One export in a process of its own: our command line, told by lines how far it is, ended when that is asked for.

A thread waits for the process; the window only looks at the attributes.
"""

import json
import logging
import subprocess
import threading
from pathlib import Path

from ai import child, temporary
from game.rules.replay import Replay, dumps
from game.screens.context import give_way
from game.screens.replays.export import Request

ROOT = Path(__file__).resolve().parents[3]
log = logging.getLogger("trilogic.export")


class ExportJob:
    """Starts at once. `finished` and then `problem` (empty: it is there) say how it ended."""

    def __init__(self, replay: Replay, request: Request, path: Path) -> None:
        """Write `replay` as `request` says to `path`."""
        self.path = path
        self.share = 0.0
        """How far it is, 0 to 1."""
        self.finished = False
        self.cancelled = False
        self.problem = ""
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, args=(replay, request), name="export", daemon=True)
        self._thread.start()

    @property
    def words(self) -> str:
        """How it ended, in a sentence."""
        if self.cancelled:
            return f"The export of {self.path.name} was cancelled."
        return self.problem or f"Exported as {self.path}."

    def cancel(self) -> None:
        """End it; nothing half written stays."""
        self.cancelled = True
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                self._process.terminate()

    def wait(self) -> None:
        """Until it has ended."""
        self._thread.join()

    def _run(self, replay: Replay, request: Request) -> None:
        try:
            with temporary.folder() as folder:
                source = folder / "replay.json"
                source.write_text(dumps(replay), encoding="utf-8")
                self._export(source, request)
        except OSError as error:
            self.problem = f"{self.path.name} was not written: {error.strerror or error}."
        except Exception as error:
            log.exception("an export failed")
            self.problem = f"{self.path.name} was not written: {error or type(error).__name__}."
        self.finished = True

    def _export(self, source: Path, request: Request) -> None:
        flags = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
        with self._lock:
            if self.cancelled:
                return
            self._process = process = subprocess.Popen(
                child.command("main", "replay", str(source), *_options(request, self.path)), cwd=ROOT,
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                encoding="utf-8", errors="replace", creationflags=flags,
                process_group=0,
            )  # fmt: skip
            give_way(process)
        said = ""
        with process:
            assert process.stderr is not None
            for line in process.stderr:
                try:
                    told = json.loads(line)
                    self.share = told["done"] / max(1, told["of"])
                except (ValueError, TypeError, KeyError):
                    said = line.strip() or said
        code = process.returncode
        if code:
            temporary.sweep(self.path.parent)  # where a process cannot clean up before it is ended
        if code and not self.cancelled:
            log.error("an export ended with %d: %s", code, said)
            self.problem = f"{said.removeprefix('trilogic: ').rstrip('.') or 'The export failed'}."


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
