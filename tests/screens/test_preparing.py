"""What the status bar says while agents are prepared at the first start, on real kernels that are compiled meanwhile."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ai import compiling, kernels
from game.rules.games import GAMES
from game.screens.jobs import process, warming
from game.screens.jobs.process import Process
from game.screens.jobs.warming import Warming

ROOT = Path(__file__).resolve().parents[2]
LEAN = """
from ai.jit import kernel, lean

@lean
def add(a, b):
    return a + b

@lean
def clamp(a):
    return min(max(a, 0), 9)

@kernel
def total(values):
    found = values[0]
    for value in values:
        found += value
    return found
"""
STEP = """
    for at in range(1, len(values)):
        if values[at] > values[at - 1] + {number}:
            values[at], values[at - 1] = values[at - 1] * {number}, clamp(values[at]) + {number}
        elif values[at] < {number}:
            values[at] = add(values[at] // 3, {number}) % (at + 7)
"""
WARM = """
import numpy as np
from ai.{family} import small

def warm():
    small.add(1, 2)
    small.clamp(3)
    small.total(np.arange(5))
    small.total(np.arange(5.0))
    small.total(np.arange(5, dtype=np.int32))
    small.busy(np.arange(5))
"""
"""Six files of machine code: three signatures of one kernel, two lean ones, and last the one that takes longest."""

FAMILY = """
from ai.family import Family

FAMILY = Family(agents=(), strongest=(), warm=("ai.{family}.warm",))
"""
GAME = """
from dataclasses import dataclass

@dataclass
class Game:
    id: str
"""
PARTS = (
    "__init__.py", "kernels.py", "jit.py", "compiling.py", "child.py", "stopping.py", "threads.py", "family.py", "entries.py",
)  # fmt: skip


@pytest.fixture(scope="module")
def small_app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiling part of the app with three small families, and how long their kernels take here."""
    root = tmp_path_factory.mktemp("app")
    for name in PARTS:
        (root / "ai").mkdir(exist_ok=True)
        shutil.copy(ROOT / "ai" / name, root / "ai")
    (root / "game" / "rules").mkdir(parents=True)
    (root / "game" / "rules" / "games.py").write_text(
        f"{GAME}\nGAMES = {{name: Game(name) for name in {list(GAMES)}}}\n"
    )
    for size, family in enumerate(GAMES, 1):
        folder = root / "ai" / family
        folder.mkdir()
        (folder / "__init__.py").touch()
        busy = "@kernel\ndef busy(values):" + "".join(STEP.format(number=number) for number in range(2 * size))
        (folder / "small.py").write_text(f"{LEAN}\n{busy}\n    return values[0]\n")
        (folder / "warm.py").write_text(WARM.format(family=family))
        (folder / "family.py").write_text(FAMILY.format(family=family))
    for module in ("ai.kernels", "ai.compiling"):
        subprocess.run(
            [sys.executable, "-m", module],
            cwd=root,
            env={**os.environ, "TRILOGIC_CACHE": str(root / "known")},
            check=True,
        )
    return root


@pytest.fixture
def cold(small_app: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty cache."""
    monkeypatch.setenv("TRILOGIC_CACHE", str(tmp_path))
    monkeypatch.setattr(process, "ROOT", small_app)
    monkeypatch.setattr(warming, "LOOK_SECONDS", -1.0)
    folders = {each: tmp_path / "kernels" / f"{each}-{kernels.sources_hash(each, small_app)}" for each in GAMES}
    monkeypatch.setattr(kernels, "cache_folder", folders.__getitem__)
    monkeypatch.setattr(kernels, "TABLE", small_app / "ai" / "compile_seconds.json")


def _processor_seconds(running: Process) -> float | None:
    """What a process has used so far; None once it has ended."""
    while running._process is None:
        time.sleep(0.001)
    try:
        fields = Path(f"/proc/{running._process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_the_share_is_that_of_the_work(cold: None) -> None:
    assert {each: sum(map(len, kernels.known_seconds()[each].values())) for each in GAMES} == dict.fromkeys(GAMES, 6)
    warmer, seen = Warming(), []
    assert warmer.share == 0.0 and warmer._process is not None
    running = warmer._process
    end = time.monotonic() + 120
    while time.monotonic() < end:
        before, ready = warmer.share, kernels.all_ready()
        spent, words = _processor_seconds(running), warmer.status
        if spent is None:
            break
        seen.append((spent, before, ready, words))
        time.sleep(0.005)
    assert running.wait(10) and warmer.update() and warmer.status == ""
    assert running.code == 0 and kernels.all_ready() and warmer.share == 1.0
    whole = seen[-1][0]
    ahead = max(share - spent / whole for spent, share, ready, _words in seen if not ready)
    steps = sorted({share for _spent, share, _ready, _words in seen})
    print(f"{whole:.1f} s; ahead of the work by {ahead:.2f} at most; steps", [round(step, 2) for step in steps])
    assert ahead < 0.12
    assert [share for _spent, share, _ready, _words in seen] == sorted(
        share for _spent, share, _ready, _words in seen
    )
    assert sum(0.1 < step < 0.95 for step in steps) > 5
    assert not [words for _spent, _share, ready, words in seen if "100 %" in words and not ready]


def test_what_is_not_ready_is_never_shown_as_done(
    cold: None, small_app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Warming, "_begin", lambda *_words: None)
    warmer = Warming()
    warmer._hear({"family": "sokoban"})
    for family in GAMES:
        shutil.copytree(
            small_app / "known" / "kernels" / kernels.cache_folder(family).name, kernels.cache_folder(family)
        )
    (kernels.cache_folder("sokoban") / "ready").unlink()
    assert compiling.share(["connect4", "twenty48"]) == 1.0
    assert warmer.status == "Preparing agents once for this machine: 99 % (Sokoban) · you can play meanwhile"
    shutil.rmtree(kernels.cache_folder("twenty48"))
    assert warmer.share == 0.99, "it fell"
    (kernels.cache_folder("sokoban") / "ready").touch()
    assert warmer.share == 0.99 and compiling.share() < 0.9
