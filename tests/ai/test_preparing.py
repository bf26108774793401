"""In which order kernels are compiled, and what comes first when it is asked for; with processes that compile nothing."""

import io
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ai import kernels, preparing
from ai.preparing import NotPrepared, Preparation

UNITS = ["ai.sokoban.a:b", "ai.sokoban.c:d", "ai.twenty48.a:b", "ai.connect4.a:b"]


class Compilers:
    """Stand in for the processes: each unit is done when the test says so."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ready: set[str] = set()
        self.broken: set[str] = set()
        self.changed = threading.Condition()
        self._may: set[str] = set()

    def process(self) -> "Compilers._Process":
        return Compilers._Process(self)

    def finish(self, unit: str) -> None:
        """Let it be compiled, and wait until whoever did that has begun with the next one or left."""
        with self.changed:
            self._may.add(unit)
            self.changed.notify_all()

    def begins(self, count: int) -> list[str]:
        """What was begun, as soon as it is so many."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.begun) >= count, 20), self.begun
            return list(self.begun)

    class _Process:
        def __init__(self, compilers: "Compilers") -> None:
            self._compilers, self.stdin, self.stdout = compilers, io.StringIO(), self
            self._last = ""

        def __enter__(self) -> "Compilers._Process":
            self.stdin.write = self._begin  # type: ignore[method-assign, assignment]
            return self

        def __exit__(self, *_error: object) -> None:
            pass

        def _begin(self, line: str) -> int:
            self._last = line.strip()
            with self._compilers.changed:
                self._compilers.begun.append(self._last)
                self._compilers.changed.notify_all()
            return len(line)

        def readline(self) -> str:
            mine = self._compilers
            with mine.changed:
                assert mine.changed.wait_for(lambda: self._last in mine._may, 20), self._last
                if self._last in mine.broken:
                    return ""
                mine.ready.add(self._last)
            return f"{self._last}\n"


@pytest.fixture
def compilers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Compilers]:
    """Two processes."""
    made = Compilers()
    monkeypatch.setattr(preparing, "_process", made.process)
    monkeypatch.setattr(preparing, "processes", lambda: 2)
    monkeypatch.setattr(kernels, "ready", lambda units: set(units) <= made.ready)
    monkeypatch.setattr(kernels, "cache_folder", lambda game: tmp_path / game)
    yield made
    for unit in UNITS:
        made.finish(unit)


def started(preparation: Preparation) -> threading.Thread:
    thread = threading.Thread(target=preparation.run)
    thread.start()
    return thread


def test_two_processes_are_at_different_games_where_they_can(compilers: Compilers) -> None:
    running = started(Preparation(UNITS))
    assert sorted(compilers.begins(2)) == ["ai.sokoban.a:b", "ai.twenty48.a:b"]
    compilers.finish("ai.twenty48.a:b")
    assert compilers.begins(3)[2] == "ai.connect4.a:b"
    compilers.finish("ai.connect4.a:b")
    assert compilers.begins(4)[3] == "ai.sokoban.c:d", "nothing else is left"
    for unit in UNITS:
        compilers.finish(unit)
    running.join(20)
    assert not running.is_alive() and compilers.ready == set(UNITS)


def test_what_is_asked_for_comes_next_the_last_request_first(compilers: Compilers) -> None:
    preparation = Preparation([*UNITS, "ai.connect4.z:z"])
    running = started(preparation)
    compilers.begins(2)
    preparation.first(["ai.connect4.z:z"])
    preparation.first(["ai.sokoban.c:d"])
    compilers.finish("ai.twenty48.a:b")
    assert compilers.begins(3)[2] == "ai.sokoban.c:d", "also where another process is at that game"
    compilers.finish("ai.sokoban.c:d")
    assert compilers.begins(4)[3] == "ai.connect4.z:z"
    for unit in (*UNITS, "ai.connect4.z:z"):
        compilers.finish(unit)
    running.join(20)
    assert not running.is_alive() and len(compilers.begun) == 5


def test_what_somebody_else_has_compiled_meanwhile_is_left_out(compilers: Compilers) -> None:
    running = started(Preparation(UNITS))
    compilers.begins(2)
    compilers.ready |= {"ai.connect4.a:b", "ai.sokoban.c:d"}
    for unit in UNITS:
        compilers.finish(unit)
    running.join(20)
    assert sorted(compilers.begun) == ["ai.sokoban.a:b", "ai.twenty48.a:b"]


def test_a_unit_that_fails_is_named_and_the_others_are_compiled(compilers: Compilers) -> None:
    compilers.broken.add("ai.sokoban.a:b")
    for unit in UNITS:
        compilers.finish(unit)
    with pytest.raises(NotPrepared, match=r"ai\.sokoban\.a:b"):
        Preparation(UNITS).run()
    assert compilers.ready == {*UNITS} - {"ai.sokoban.a:b"}


def test_help_says_where_they_are_kept_and_compiles_nothing(
    compilers: Compilers, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRILOGIC_CACHE", "somewhere")
    for told, code in (["--help"], 0), (["training"], 2):
        with pytest.raises(SystemExit) as left:
            preparing.main(told)
        assert left.value.code == code and not compilers.begun
    said = " ".join(capsys.readouterr().out.split())
    print(said)
    assert "trainings" in said and "TRILOGIC_CACHE" in said and "somewhere/kernels" in said.replace("\\", "/")


def test_a_cache_that_cannot_be_written_is_one_sentence(
    compilers: Compilers, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(kernels, "cache_folder", lambda family: tmp_path / "file" / family)
    assert preparing.main() == 2 and not compilers.begun
    said = capsys.readouterr().err
    print(said)
    assert said.count("\n") == 1 and "TRILOGIC_CACHE" in said


@pytest.mark.parametrize("word", ["--led", "--units"])
def test_a_process_that_is_led_ends_with_its_input(word: str, tmp_path: Path) -> None:
    (tmp_path / "kernels").touch()  # a folder that cannot be made would end it sooner, with 2
    with subprocess.Popen(
        [sys.executable, "-m", "ai.preparing", word], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        cwd=Path(kernels.__file__).parents[1],
    ) as process:  # fmt: skip
        said, _trouble = process.communicate(timeout=60)
    print(word, process.returncode, said)
    assert process.returncode in ((preparing.GONE,) if word == "--units" else (preparing.GONE, 0))
    assert all({*json.loads(line)} <= {"begun", "ready"} for line in said.splitlines())
