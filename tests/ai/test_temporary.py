"""Temporary files: those of processes that have ended are removed, those of a process that runs never are."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from ai import temporary, tensors
from ai.agent import Thinking
from ai.trainers import checkpoint_of
from ai.trainers import run as train
from game.saves.folder import open_saves

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 4_194_305
"""No process has this number: Linux counts to 4,194,304."""
_MAKES = """
import sys
from pathlib import Path
from ai import temporary
with temporary.folder() as folder:
    for name in sys.argv[1:]:
        temporary.beside(Path(name)).write_bytes(b"half")
    (folder / "inside").write_bytes(b"half")
    print(folder, flush=True)
    sys.stdin.read()
"""


@contextmanager
def other_process(*files: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A process that is writing these files and has a folder; ended at the latest with the block."""
    words = [sys.executable, "-c", _MAKES, *map(str, files)]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        try:
            yield other, Path(other.stdout.readline().strip())
        finally:
            other.kill()


@pytest.fixture(autouse=True)
def _own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr(tempfile, "tempdir", None)


def hidden(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob(".*.tmp"))


def test_what_a_killed_process_leaves_is_swept_and_not_before(tmp_path: Path) -> None:
    root = tmp_path / "saves"
    folders = [root, *(root / name for name in ("models", "replays/auto", "replays", "levels", "resume", "exports"))]
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
    with other_process(*(folder / "some.safetensors" for folder in folders)) as (other, its_folder):
        assert len(hidden(root)) == len(folders)
        open_saves(root).close()
        temporary.sweep_folders()
        assert len(hidden(root)) == len(folders), "it is still writing them"
        assert (its_folder / "inside").is_file()
        other.kill()
        other.wait()
        open_saves(root).close()
        temporary.sweep_folders()
    assert hidden(root) == []
    assert not its_folder.exists()


def test_a_number_that_was_given_again_is_another_process(tmp_path: Path) -> None:
    own = temporary.beside(tmp_path / "x.json")
    head, began, tail = own.name.rsplit("-", 2)
    reused = own.with_name(f"{head}-{int(began) - 1}-{tail}")
    for path in (own, reused):
        path.write_bytes(b"half")
    temporary.sweep(tmp_path)
    assert own.is_file()
    assert not reused.exists()


def test_other_peoples_files_stay(tmp_path: Path) -> None:
    names = [
        ".bashrc",
        ".x.tmp",
        "x-1-2-0123abcd.tmp",
        f".x-{NOBODY}-12-0123abcd.tmp.txt",
        f".x-{NOBODY}-12-abcd.tmp",
    ]
    ours = [f".x-{NOBODY}-12-0123abcd.tmp", f".x.json-{NOBODY}-0123abcd.tmp"]
    for name in names + ours:
        (tmp_path / name).write_bytes(b"")
    temporary.sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == sorted(names)


def test_sweeping_where_nothing_can_be_swept(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for place in (tmp_path / "gone", tmp_path / "file", Path("a\0b"), tmp_path / ("x" * 300)):
        temporary.sweep(place)
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").write_bytes(b"")
    (tmp_path / f".x-{NOBODY}-1-0123abcd.tmp").symlink_to(tmp_path / "kept")
    temporary.sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "kept", "tmp"]
    assert (tmp_path / "kept" / "file").is_file(), "links are not followed"


_SAVES = """
import sys
from pathlib import Path
import numpy as np
from ai import tensors
table = np.zeros(20_000_000, np.uint8)
print("begun", flush=True)
while True:
    tensors.write_whole(Path(sys.argv[1]), {"a": table}, {})
"""


def test_nothing_is_left_of_a_checkpoint_whose_writer_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "some.checkpoint.safetensors"
    left = 0
    for wait in range(8):
        with subprocess.Popen([sys.executable, "-c", _SAVES, str(path)], cwd=ROOT, stdout=subprocess.PIPE) as other:
            assert other.stdout is not None
            other.stdout.readline()
            deadline = time.monotonic() + 20
            while (
                not ((wait < 4 and hidden(tmp_path)) or (wait >= 4 and path.exists())) and time.monotonic() < deadline
            ):
                continue
            other.kill()
        left += len([each for each in tmp_path.iterdir() if each.name.startswith(".")])
        temporary.sweep(tmp_path)
        assert {each.name for each in tmp_path.iterdir()} <= {path.name, "tmp"}
    assert left > 0, "it was killed while it wrote"


def test_names_of_any_length_can_be_written(tmp_path: Path) -> None:
    for name in ("é" * 127, "x" * 255):
        tensors.write_whole(tmp_path / name, {"a": np.zeros(1, np.uint8)}, {})
        assert (tmp_path / name).is_file()


class _Nothing:
    """A training that learns nothing and is over at once."""

    seconds, earlier, games, goal = 0.0, "", 0, 0

    def advance(self, seconds: float, thinking: Thinking) -> bool:
        return True

    def figures(self) -> dict[str, float]:
        return {"games": 0.0}

    def save_checkpoint(self, path: Path, command: str) -> None:
        tensors.write_whole(path, {"a": np.zeros(1, np.uint8)}, {})

    save_model = lambda self, path, title, command: self.save_checkpoint(path, command)  # noqa: E731


def test_a_training_sweeps_what_the_one_before_left(tmp_path: Path) -> None:
    model = tmp_path / "models" / "some.safetensors"
    model.parent.mkdir()
    with other_process(checkpoint_of(model)) as (other, _):
        (left,) = hidden(model.parent)
        assert left.startswith(".some.checkpoint.safetensors-")
        other.kill()
        other.wait()
    train(_Nothing(), model, "", Thinking())
    assert hidden(model.parent) == []
    assert model.is_file()


@pytest.mark.timeout(20)
def test_a_pipe_where_the_figures_of_a_training_go_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "some.csv")
    with pytest.raises(OSError, match="pipe or a device"):
        train(_Nothing(), tmp_path / "some.safetensors", "", Thinking())
