"""Files are whole at every moment, damaged ones are set aside, and the writer keeps the newest content only."""

import errno
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest

from game.saves import files, writer
from game.saves.folder import Saves
from game.saves.writer import Pending, Writer


class Note(msgspec.Struct):
    version: int
    text: str


def saves_at(path: Path, writable: bool = True) -> Saves:
    return Saves(path, writable)


def test_write_whole_makes_folders_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "note.json"
    files.write_whole(path, b"one")
    files.write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert [entry.name for entry in path.parent.iterdir()] == ["note.json"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "note.json"
    files.write_whole(path, b"old")

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        files.write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["note.json"]


_KILLED = """
import sys
from pathlib import Path
from game.saves.files import write_whole
path, number = Path(sys.argv[1]), 0
while True:
    number += 1
    write_whole(path, (str(number % 10) * 300_000).encode())
    if number == 1:
        print("writing", flush=True)
"""


def test_kill_leaves_a_whole_file(tmp_path: Path) -> None:
    chance = random.Random(1)
    path = tmp_path / "note.json"
    root = Path(__file__).resolve().parents[2]
    for _ in range(10):
        process = subprocess.Popen([sys.executable, "-c", _KILLED, str(path)], cwd=root, stdout=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
        # The moment of the kill is what is random here: waiting is on the process, which never ends by itself.
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(chance.random() * 0.03)
        process.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
        process.wait()
        process.stdout.close()
        data = path.read_bytes()
        assert len(data) == 300_000
        assert len(set(data)) == 1, "parts of two writes"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\xff",
        b"{",
        b"[1]",
        b'{"version": 1}',
        b'{"version": 2, "text": "x"}',
        b'{"version": 1, "text": 5}',
        b'{"version": "1", "text": "x"}',
        b'{"version": 1, "text": "x"} and more',
        b'{"version": 1, "text": "\\ud800"}',
        b'{"version": 1, "text": "x", "more": ' + b"[" * 100_000,
    ],
)
def test_damaged_files_are_set_aside(tmp_path: Path, data: bytes) -> None:
    saves = saves_at(tmp_path)
    path = tmp_path / "note.json"
    for count in (1, 2):
        path.write_bytes(data)
        with pytest.raises(files.DamagedFile, match=r"note\.json"):
            files.read(path, Note)
        loaded = files.load(saves, path, Note)
        assert loaded.value is None
        assert loaded.notice is not None
        assert loaded.notice.startswith("note.json could not be read (")
        assert not path.exists()
        kept = list(saves.damaged.iterdir())
        assert len(kept) == count, "an older damaged file was overwritten"
        assert all(entry.read_bytes() == data for entry in kept)
    assert files.load(saves, path, Note) == files.Loaded()


def test_unknown_fields_are_left_out_and_a_folder_is_set_aside(tmp_path: Path) -> None:
    saves = saves_at(tmp_path)
    path = tmp_path / "note.json"
    path.write_bytes(b'{"more": [1, {"a": 2}], "version": 1, "text": "hello"}')
    assert files.load(saves, path, Note) == files.Loaded(Note(1, "hello"))
    path.unlink()
    path.mkdir()
    assert "kept as damaged/note-" in (files.load(saves, path, Note).notice or "")
    assert not path.exists()


def test_a_read_only_window_leaves_damaged_files_alone(tmp_path: Path) -> None:
    path = tmp_path / "note.json"
    path.write_bytes(b"{")
    assert "cannot be read" in (files.load(saves_at(tmp_path, False), path, Note).notice or "")
    assert path.read_bytes() == b"{"


def test_what_cannot_be_moved_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "damaged").write_bytes(b"a file where the folder should be")
    saves = saves_at(tmp_path)
    path = tmp_path / "note.json"
    path.write_bytes(b"{")
    assert "nothing is saved over it" in (files.load(saves, path, Note).notice or "")
    thread = Writer(saves)
    thread.put(path, b"new")
    thread.close()
    assert path.read_bytes() == b"{"
    assert thread.problems() == [
        "note.json is not saved: the damaged file of that name could not be moved out of the way."
    ]


def test_pending_keeps_the_newest_and_once_a_second() -> None:
    pending = Pending(interval=1.0)
    a, b = Path("a"), Path("b")
    assert pending.wait(10.0) is None
    pending.put(a, b"1")
    pending.put(b, b"1")
    pending.put(a, b"2")
    assert pending.wait(10.0) == 0.0
    assert pending.due(10.0) == a
    assert pending.take(a) == b"2"
    pending.written(a, 10.0)
    pending.put(a, b"3")
    assert pending.due(10.1) == b
    assert pending.take(b) == b"1"
    pending.written(b, 10.1)
    assert pending.due(10.5) is None
    assert pending.wait(10.5) == pytest.approx(0.5)
    pending.put(a, b"4")
    assert pending.due(11.0) == a
    assert pending.take(a) == b"4"
    assert pending.waiting() == []


def test_pending_what_failed_waits_behind_something_newer() -> None:
    pending = Pending()
    a = Path("a")
    pending.put(a, b"newer")
    pending.put_back(a, b"older", 15.0)
    assert pending.due(14.0) is None
    assert pending.due(15.0) == a
    assert pending.take(a) == b"newer"


def count_writes(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bytes]]:
    done: list[tuple[str, bytes]] = []
    whole = files.write_whole

    def counted(path: Path, data: bytes) -> None:
        done.append((path.name, data))
        whole(path, data)

    monkeypatch.setattr(writer, "write_whole", counted)
    return done


def test_a_thousand_puts_within_a_second_are_written_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = count_writes(monkeypatch)
    thread = Writer(saves_at(tmp_path), clock=lambda: 100.0)
    for number in range(1000):
        thread.put(tmp_path / "a.json", str(number).encode())
    thread.close()
    assert len(done) <= 2, done
    assert done[-1] == ("a.json", b"999")
    assert (tmp_path / "a.json").read_bytes() == b"999"


def test_the_thread_writes_by_itself_and_encodes_there(tmp_path: Path) -> None:
    written = threading.Event()
    names: list[str] = []

    def encode() -> bytes:
        names.append(threading.current_thread().name)
        return b"x"

    def encode_last() -> bytes:
        written.set()
        return b"y"

    thread = Writer(saves_at(tmp_path))
    thread.put(tmp_path / "a.json", encode)
    thread.put(tmp_path / "b.json", encode_last)
    assert written.wait(30.0)
    thread.close()
    assert names == ["saves"]
    assert (tmp_path / "a.json").read_bytes() == b"x"


def test_flush_waits_for_what_the_thread_is_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entered, go_on, flushed = threading.Event(), threading.Event(), threading.Event()

    def slow(path: Path, data: bytes) -> None:
        entered.set()
        assert go_on.wait(30.0)
        files.write_whole(path, data)

    monkeypatch.setattr(writer, "write_whole", slow)
    thread = Writer(saves_at(tmp_path))
    thread.put(tmp_path / "a.json", b"x")
    assert entered.wait(30.0)

    def flush() -> None:
        thread.flush()
        flushed.set()

    other = threading.Thread(target=flush)
    other.start()
    assert not flushed.wait(0.05)
    go_on.set()
    other.join()
    assert (tmp_path / "a.json").read_bytes() == b"x"
    thread.close()


def test_removing_and_writing_after_the_end(tmp_path: Path) -> None:
    thread = Writer(saves_at(tmp_path))
    path = tmp_path / "a.json"
    thread.put(path, b"x")
    thread.flush()
    assert path.exists()
    thread.put(path, None)
    thread.put(tmp_path / "never.json", None)
    thread.flush()
    assert not path.exists()
    thread.close()
    thread.put(path, b"late")
    assert path.read_bytes() == b"late"
    assert thread.problems() == []


def test_read_only_writes_nothing(tmp_path: Path) -> None:
    thread = Writer(saves_at(tmp_path, writable=False))
    thread.put(tmp_path / "a.json", b"x")
    thread.close()
    assert list(tmp_path.iterdir()) == []
    assert thread.problems() == []


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (errno.ENOSPC, "The disk is full: a.json is not saved."),
        (errno.EROFS, "a.json is not saved: writing in {folder} is not allowed."),
        (errno.EIO, "a.json is not saved: Input/output error."),
    ],
)
def test_problems_are_sentences_said_once_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, sentence: str
) -> None:
    broken = True

    def write(path: Path, data: bytes) -> None:
        if broken:
            raise OSError(code, os.strerror(code))
        files.write_whole(path, data)

    monkeypatch.setattr(writer, "write_whole", write)
    thread = Writer(saves_at(tmp_path), clock=lambda: 0.0)
    for content in (b"1", b"2"):
        thread.put(tmp_path / "a.json", content)
        thread.flush()
    assert thread.problems() == [sentence.format(folder=tmp_path)]
    assert thread.problems() == []
    broken = False
    thread.flush()
    assert (tmp_path / "a.json").read_bytes() == b"2"
    thread.close()


def test_a_record_that_cannot_be_encoded_does_not_stop_the_others(tmp_path: Path) -> None:
    def broken() -> bytes:
        raise TypeError("no such thing")

    thread = Writer(saves_at(tmp_path))
    thread.put(tmp_path / "a.json", broken)
    thread.put(tmp_path / "b.json", b"x")
    thread.close()
    assert (tmp_path / "b.json").read_bytes() == b"x"
    assert thread.problems() == ["a.json cannot be saved: no such thing."]


def test_a_file_where_a_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "resume").write_bytes(b"")
    thread = Writer(saves_at(tmp_path))
    thread.put(tmp_path / "resume" / "sokoban.json", b"x")
    thread.close()
    (problem,) = thread.problems()
    assert problem.startswith("sokoban.json is not saved: ")
