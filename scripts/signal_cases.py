"""The command lines and programs of `signals.py`, and what each of them promises to leave when it is told to end."""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from ai import models  # noqa: E402
from game.rules import levels  # noqa: E402

MODELS = ROOT / "saves" / "models"
EXAMPLE = ROOT / "saves" / "replays" / "examples" / "2048-expectimax-1-00001.json"
HARD = ROOT / "levels" / "3-night-shift.xsb"

Check = Callable[[Path, str], Iterator[str]]
"""What is wrong in the folder of a run, given what it printed."""


def nothing(_folder: Path, _out: str) -> Iterator[str]:
    """The command promises nothing."""
    return iter(())


@dataclass(frozen=True)
class Case:
    """One command line; `{}` in a word is the folder of the run."""

    name: str
    words: tuple[str, ...]
    seconds: float
    """Moments are drawn from so long."""
    check: Check = nothing
    program: str = ""
    """Instead of a command: a program that starts processes as the window does."""


def saved_training(folder: Path, out: str) -> Iterator[str]:
    """Once it learns (its log is there), checkpoint and model are saved when it is stopped, and it goes on."""
    if not (folder / "m.csv").exists():
        return
    if not (folder / "m.checkpoint.safetensors").exists():
        yield "it had begun to learn, and there is no checkpoint"
    elif out and models.card(folder / "m.safetensors").problem:
        yield f"the model cannot be used: {models.card(folder / 'm.safetensors').problem}"


def whole_model(folder: Path, _out: str) -> Iterator[str]:
    """Its strength is written into the file or not."""
    problem = models.card(folder / "copy.safetensors").problem
    if problem:
        yield f"the model is damaged: {problem}"


def whole_rooms(folder: Path, _out: str) -> Iterator[str]:
    """What was made is a file of levels."""
    if (folder / "rooms.xsb").exists():
        try:
            levels.read(folder / "rooms.xsb")
        except ValueError as error:
            yield f"the rooms cannot be read: {error}"


def whole_replays(folder: Path, _out: str) -> Iterator[str]:
    """Every game that was recorded is whole."""
    for path in (folder / "record").glob("*.json"):
        try:
            json.loads(path.read_text("utf-8"))
        except ValueError:
            yield f"{path.name} is not whole"


def whole_study(folder: Path, out: str) -> Iterator[str]:
    """Finished parts are kept, and where there are some the page is there."""
    kept = folder / "study" / "unfinished.json"
    if kept.exists():
        parts = json.loads(kept.read_text("utf-8"))["parts"]
        if out and parts and not (folder / "study" / "results.md").exists():
            yield "parts are done, and there is no page"


def no_export(folder: Path, _out: str) -> Iterator[str]:
    """Nothing half written stays, at any moment."""
    for path in folder.glob(".film*"):
        yield f"{path.name} was left"


def whole_saves(folder: Path, _out: str) -> Iterator[str]:
    """The window's files are whole, and its log knows no error."""
    for path in (folder / "saves").rglob("*.json"):
        try:
            json.loads(path.read_text("utf-8"))
        except ValueError:
            yield f"{path.name} is not whole"
    for path in (folder / "saves").rglob("*.log"):
        if "Traceback" in path.read_text("utf-8"):
            yield "the log has a traceback"


def _train(game: str, agent: str, *settings: str, seconds: float = 9.0) -> Case:
    words = [word for each in settings for word in ("--set", each)]
    name = f"train {game} {agent}"
    return Case(name, ("train", game, agent, *words, "--out", "{}/m.safetensors", "--json"), seconds, saved_training)


def _study(name: str) -> Case:
    return Case(f"experiment {name}", ("experiment", name, "--quick", "--out", "{}/study"), 8.0, whole_study)


def _window(scene: str) -> Case:
    return Case(f"window {scene}", ("--scene", scene, "--saves", "{}/saves"), 3.0, whole_saves)


CASES = (
    Case("agents", ("agents",), 0.4),
    Case("solve", ("solve", str(HARD), "--agent", "astar", "--record", "{}/record"), 2.0, whole_replays),
    Case("solve --jobs 2", ("solve", str(HARD), "--agent", "ida,time=20", "--jobs", "2"), 5.0),
    Case("match 2048", ("match", "2048", "--agent", "expectimax,depth=3", "--games", "99", "--record", "{}/record"), 4.0,
         whole_replays),
    Case("match 2048 ntuple", ("match", "2048", "--agent", "ntuple:2048-small", "--games", "999"), 4.0),
    Case("match connect4", ("match", "connect4", "--agent", "alphabeta,time=0.1", "--agent", "net:connect4-net",
                            "--games", "99", "--record", "{}/record"), 5.0, whole_replays),
    Case("analyze sokoban", ("analyze", "sokoban", "--agent", "beam", "--time", "9", "--position", str(HARD)), 3.0),
    Case("analyze 2048", ("analyze", "2048", "--agent", "mcts,time=5", "--position",
                          "2 4 8 16/256 128 64 32/512 1024 2048 4096/0 2 0 0"), 3.0),
    Case("analyze connect4", ("analyze", "connect4", "--agent", "perfect", "--position", "4453"), 2.0),
    _train("2048", "ntuple", "tuples=4x5"),
    _train("2048", "ntuple-report"),
    _train("connect4", "qlearning"),
    _train("connect4", "ntuple"),
    _train("connect4", "net", seconds=12.0),
    _train("connect4", "book"),
    _train("sokoban", "policy", "rooms=200", seconds=15.0),
    _train("sokoban", "dqn", "number=1"),
    _train("sokoban", "dqn-report", "number=1"),
    Case("generate", ("generate", "--size", "10x10", "--boxes", "4", "--count", "9999", "--out", "{}/rooms.xsb"), 4.0,
         whole_rooms),
    Case("generate --difficulty", ("generate", "--size", "8x8", "--boxes", "3", "--count", "999", "--difficulty", "10-90",
                                   "--out", "{}/rooms.xsb"), 4.0, whole_rooms),
    *(_study(name) for name in ("2048-learning-rate", "connect4-report", "sokoban-search", "sokoban-dqn", "2048-3x3")),
    Case("replay", ("replay", str(EXAMPLE)), 0.6),
    *(Case(f"replay --export {kind}", ("replay", str(EXAMPLE), "--export", "{}/film." + kind), 4.0, no_export)
      for kind in ("gif", "mp4", "png")),
    Case("models", ("models",), 0.6),
    Case("models measure", ("models", "measure", "{}/copy.safetensors", "--games", "20"), 3.0, whole_model),
    *(Case(f"bench {name}", ("bench", name), seconds)
      for name, seconds in (("menu-warm-start", 4.0), ("kernels", 8.0), ("nodes-connect4", 4.0), ("cancel-sokoban", 4.0),
                            ("frame-work-sokoban", 6.0), ("policy-sokoban", 2.0))),
    *(_window(scene) for scene in ("menu", "sokoban", "2048", "connect4", "editor", "lab", "replays")),
)  # fmt: skip

_BEGIN = """
import sys, time
from pathlib import Path
from ai import stopping
stopping.install()
folder = Path(sys.argv[1])
{}
print("begun", flush=True)
time.sleep(600)
"""
_JOB = """
from game.screens.lab.training import Training
from game.screens.lab.request import Request
job = Training(Request({!r}, {!r}, "m"), folder)
"""
_LINES = """
from game.screens.jobs.process import Process
from ai.entries import Spec
{}
"""
PROGRAMS = {
    "training of 2048": _JOB.format("twenty48", "ntuple"),
    "training of Sokoban with torch": _JOB.format("sokoban", "policy"),
    "warmer": "from game.screens.jobs.warming import Warming; warmer = Warming(); assert warmer.busy",
    "many games": _LINES.format(
        "from game.play.twenty48.series import Series\n"
        "job = Process('many games', Series(Spec('expectimax', {'depth': 3}), 4, 100).command())"
    ),
    "test of a model": _LINES.format(
        "from game.play.twenty48.series import Series\n"
        f"spec = Spec('ntuple', {{'plies': 3}}, {str(MODELS / '2048-strong.safetensors')!r})\n"
        "job = Process('a test', Series(spec, 4, 100).command())"
    ),
    "export": (
        "from game.rules import replay\nfrom game.screens.replays.export import Request\n"
        "from game.screens.replays.export_job import ExportJob\n"
        f"job = ExportJob(replay.read(Path({str(EXAMPLE)!r})), Request('mp4', size=1080), folder / 'film.mp4')"
    ),
    "installation": (
        "import socket\nfrom game.screens.lab import install\n"
        "door = socket.create_server(('127.0.0.1', 0))\nwords = install.command()[:4]\n"
        "install.command = lambda: [*words, 'download', '--index-url', f'http://127.0.0.1:{door.getsockname()[1]}', 'x']\n"
        "job = install.Installation()"
    ),
}
"""What a window has at work for it."""
PARENTS = (
    *(Case(name, (), 5.0, program=_BEGIN.format(program)) for name, program in PROGRAMS.items()),
    *(
        case
        for case in CASES
        if case.name in ("solve --jobs 2", "replay --export mp4", "bench kernels", "bench menu-warm-start")
    ),
)
