"""Files from outside: regular ones are read up to a limit, everything else is refused at once."""

import os
import socket
from pathlib import Path

import pytest

from game.rules import files, levels, replay


def special(folder: Path) -> dict[str, Path]:
    """One of each kind of thing that is no regular file."""
    found = {name: folder / name for name in ("pipe", "endless", "nothing", "folder", "socket", "circle", "gone")}
    os.mkfifo(found["pipe"])
    found["endless"].symlink_to("/dev/zero")
    found["nothing"].symlink_to("/dev/null")
    found["folder"].mkdir()
    found["circle"].symlink_to(found["circle"])
    place = os.open(folder, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(f"/proc/self/fd/{place}/socket")  # a socket's own name may have no more than a hundred letters
    os.close(place)
    return found


@pytest.mark.timeout(20)
def test_only_regular_files_are_read(tmp_path: Path) -> None:
    for name, path in special(tmp_path).items():
        with pytest.raises(OSError) as caught:
            files.read_regular(path, 1000)
        assert caught.value.strerror, name
        with pytest.raises(replay.ReplayError):
            replay.read(path)
        with pytest.raises(replay.ReplayError):
            replay.read_head(path)
        with pytest.raises(levels.LevelError):
            levels.read(path)


def test_names_that_no_file_can_have(tmp_path: Path) -> None:
    for name in ("a\0b", "x" * 300, "\ud800"):
        with pytest.raises(OSError) as caught:
            files.read_regular(tmp_path / name, 1000)
        assert caught.value.strerror
        with pytest.raises(replay.ReplayError):
            replay.read(tmp_path / name)
        with pytest.raises(levels.LevelError):
            levels.read(tmp_path / name)


def test_what_is_exchanged_between_looking_and_opening_is_refused(tmp_path: Path, monkeypatch) -> None:
    path, pipe = tmp_path / "file", tmp_path / "pipe"
    path.write_bytes(b"content")
    os.mkfifo(pipe)
    opened = os.open
    monkeypatch.setattr(files.os, "open", lambda _path, flags: opened(pipe, flags))
    with pytest.raises(OSError, match="pipe or a device"):
        files.read_regular(path, 1000)


def test_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 1000)
    assert files.read_regular(path, 1000) == b"x" * 1000
    with pytest.raises(OSError, match="larger than"):
        files.read_regular(path, 999)
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(OSError, match="larger than"):
        files.read_regular(path, 1_000_000)
    (tmp_path / "link").symlink_to(path)
    path.write_bytes(b"x")
    assert files.read_regular(tmp_path / "link", 1000) == b"x"
