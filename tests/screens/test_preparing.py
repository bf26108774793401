"""What the status bar says while agents are prepared at the first start, on real kernels that are compiled meanwhile."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pygame
import pytest

from ai import compiling, kernels
from ai.agent import Plan, Status, Thinking
from ai.entries import Spec
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
from ai.family import Family, Unit

FAMILY = Family(agents=(), strongest=(), warm=(Unit("ai.{family}.warm:warm"),))
"""
GAME = """
from dataclasses import dataclass

@dataclass
class Game:
    id: str
"""
PARTS = (
    "__init__.py", "kernels.py", "jit.py", "compiling.py", "child.py", "stopping.py", "threads.py", "family.py", "entries.py",
    "kernel_sources.py", "preparing.py", "program.py",
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
    for module in ("ai.preparing", "ai.compiling"):
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
    monkeypatch.setattr(kernels, "units", lambda game: (f"ai.{game}.warm:warm",))
    monkeypatch.setattr(compiling, "TABLE", small_app / "ai" / "compile_seconds.json")


def _processor_seconds(running: Process) -> float | None:
    """What a process and those that it has begun have used so far; None once it has ended."""
    while running._process is None:
        time.sleep(0.001)
    pid = running._process.pid
    try:
        tasks = Path(f"/proc/{pid}/task").glob("*/children")
        children = [child for each in tasks for child in each.read_text().split()]
        own = _fields(pid)
        spent = sum(map(int, own[11:15])) + sum(sum(map(int, _fields(int(child))[11:13])) for child in children)
    except OSError:
        return None
    return None if own[0] == "Z" else spent / os.sysconf("SC_CLK_TCK")


def _fields(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()


def test_the_share_is_that_of_the_work(cold: None) -> None:
    assert [sum(map(len, compiling.known(kernels.units(each)).values())) for each in GAMES] == [6] * len(GAMES)
    warmer, seen = Warming(), []
    assert warmer.share == 0.0 and warmer._process is not None
    running = warmer._process
    end = time.monotonic() + 120
    while time.monotonic() < end:
        before, ready = warmer.share, kernels.all_ready()
        warmer.update()
        spent, words = _processor_seconds(running), warmer.status
        if spent is None:
            break
        seen.append((spent, before, ready, words))
        time.sleep(0.005)
    assert running.wait(10)
    warmer.update()
    assert not warmer.busy and warmer.status == ""
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
    assert all(" left · you can play meanwhile" in words for *_rest, ready, words in seen if not ready)
    assert not [words for _spent, _share, ready, words in seen if "100 %" in words and not ready]


def test_what_is_not_ready_is_never_shown_as_done(
    cold: None, small_app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Warming, "_begin", lambda *_words: None)
    monkeypatch.setattr(Warming, "busy", True)
    warmer = Warming()
    for family in GAMES:
        shutil.copytree(
            small_app / "known" / "kernels" / kernels.cache_folder(family).name, kernels.cache_folder(family)
        )
    marker = kernels.cache_folder("sokoban") / "ready-ai.sokoban.warm.warm"
    marker.unlink()
    assert compiling.share(["connect4", "twenty48"]) == 1.0 and compiling.left(kernels.units("twenty48")) == 0.0
    assert warmer.status == "Preparing agents once for this machine: 99 %, about 1 s left · you can play meanwhile"
    shutil.rmtree(kernels.cache_folder("twenty48"))
    assert warmer.share == 0.99, "it fell"
    marker.touch()
    assert warmer.share == 0.99 and compiling.share() < 0.9
    assert compiling.left(kernels.units("twenty48")) == compiling.whole(kernels.units("twenty48")) > 0


def test_how_long_a_unit_takes_counts_what_is_under_way(cold: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Warming, "_begin", lambda *_words: None)
    monkeypatch.setattr(Warming, "busy", True)
    monkeypatch.setattr(warming, "processes", lambda: 1)
    seconds = {"sokoban": 30.0, "connect4": 8.0, "twenty48": 12.0}
    monkeypatch.setattr(compiling, "left", lambda units: sum(seconds[kernels.game_of(unit)] for unit in units))
    monkeypatch.setattr(warming.time, "monotonic", lambda: 1000.0)
    warmer = Warming()
    (asked,), (other,) = kernels.units("connect4"), kernels.units("twenty48")
    assert warmer.seconds_until([asked]) == 8.0
    warmer._hear({"begun": other})
    assert warmer.seconds_until([asked]) == 20.0
    warmer._hear({"ready": other})
    warmer._hear({"begun": asked})
    assert warmer.seconds_until([asked]) == 8.0
    monkeypatch.setattr(warming.time, "monotonic", lambda: warmer._began + 10.0)
    seconds["sokoban"] = 10.0
    assert 4.0 < warmer.seconds_until([asked]) < 6.0, "twice as fast a machine: 20 of its seconds in 10"
    warmer._until.clear()
    monkeypatch.setattr(warming.time, "monotonic", lambda: warmer._began + 10_000.0)
    assert warmer.seconds_until([asked]) > 1000.0, "and one that is far slower"


# What was pressed before agents are there


class Asked(Warming):
    """Compiles nothing; what it was asked for, and every unit takes 8 s."""

    busy = True  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.units: list[str] = []

    def first(self, units: Iterable[str]) -> None:
        self.units = [*units]

    def seconds_until(self, units: Iterable[str]) -> float:
        return 8.0 * len(list(units))


class Pusher:
    """Answers with the first legal move."""

    def new_game(self, seed: int) -> None:
        """Nothing to forget."""

    def plan(self, state: object, thinking: Thinking) -> Plan:
        return Plan((GAMES["twenty48"].actions(state)[0],), Status.PLAN)


@pytest.fixture
def waiting(visit: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Asked, set[str]]:
    """A game of 2048 whose agents are prepared when their units are put into a set."""
    monkeypatch.setattr(Warming, "_begin", lambda *_words: None)
    compiled: set[str] = set()
    visitor = visit("2048", animation="instant")
    monkeypatch.setattr(kernels, "ready", lambda units: set(units) <= compiled)
    monkeypatch.setattr("ai.catalogue.create", lambda game, spec: Pusher())
    warmer = Asked()
    visitor.context.jobs.add(warmer)
    return visitor, warmer, compiled


def _until(visitor: Any, done: Callable[[], Any]) -> None:
    end = time.monotonic() + 20
    while not done():
        assert time.monotonic() < end, (visitor.said(), visitor.scene.status)
        visitor.frames()


def test_a_hint_asked_for_too_soon_comes_from_who_is_ready_first_and_names_it(
    waiting: tuple[Any, Asked, set[str]],
) -> None:
    visitor, warmer, compiled = waiting
    driver = visitor.scene.session.driver
    quick, strong = kernels.needed("twenty48", Spec("expectimax")), kernels.needed("twenty48", Spec("ntuple"))
    visitor.key(pygame.K_h, "h")
    assert visitor.scene.status[0] == "Hint in about 8 s · Esc forgets it"
    assert warmer.units == [*quick, *strong], "the smaller one first"
    visitor.key(pygame.K_ESCAPE)
    compiled |= {*quick}
    visitor.frames(3)
    assert not driver.busy and driver.hint is None, "it was forgotten"
    compiled.clear()
    driver._ready.clear()
    visitor.key(pygame.K_h, "h")
    compiled |= {*quick}
    _until(visitor, lambda: driver.hint is not None)
    assert driver.thought.spec.id == "expectimax"
    assert "Expectimax gives this hint: N-tuple network is still being prepared." in visitor.said()


def test_a_hint_is_dropped_with_the_position_it_was_asked_for(waiting: tuple[Any, Asked, set[str]]) -> None:
    visitor, _warmer, compiled = waiting
    driver = visitor.scene.session.driver
    visitor.key(pygame.K_h, "h")
    assert driver.hint_waits
    visitor.scene.session.person_plays(GAMES["twenty48"].actions(visitor.scene.session.state)[0])
    compiled |= {*kernels.units("twenty48")}
    visitor.frames(3)
    assert not driver.hint_waits and not driver.busy and driver.hint is None


def test_space_pressed_too_soon_lets_the_agent_play_once_it_is_there(waiting: tuple[Any, Asked, set[str]]) -> None:
    visitor, warmer, compiled = waiting
    session = visitor.scene.session
    visitor.key(pygame.K_SPACE, " ")
    assert "starts in about 8 s · Space forgets it" in visitor.scene.status[0]
    assert warmer.units == [*kernels.needed("twenty48", session.driver.seats[0])]
    compiled |= {*kernels.needed("twenty48", Spec("expectimax"))}
    visitor.frames(3)
    assert session.timeline.cursor == 0, "another agent does not take its place"
    compiled |= {*warmer.units}
    _until(visitor, lambda: session.timeline.cursor > 0)
