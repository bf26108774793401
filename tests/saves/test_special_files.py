"""Pipes, devices, folders and links where the app keeps its files: none is waited for, none is followed, all are said."""

import logging
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from ai import catalogue, checkpoints, models
from game.play.sokoban.packs import Packs
from game.rules.games import GAMES
from game.saves import draft, log, resume, settings, unfinished, user_packs
from game.saves.files import write_whole
from game.saves.folder import Saves, open_saves
from game.saves.progress import Progress
from game.saves.replays import Library
from game.saves.user_packs import UserPacks
from game.saves.writer import Writer
from game.screens.kinds import kind_of_file
from game.screens.lab.history import History
from game.screens.opening import read_any
from game.ui.reading import Unreadable

pytestmark = pytest.mark.timeout(30)
KINDS = ("pipe", "endless", "folder", "socket", "circle")


def put(kind: str, path: Path) -> None:
    """Something that is no regular file, at `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "endless":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    elif kind == "circle":
        path.symlink_to(path)
    else:
        place = os.open(path.parent, os.O_RDONLY)
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(f"/proc/self/fd/{place}/{path.name}")
        os.close(place)


@pytest.fixture
def saves(tmp_path: Path) -> Iterator[Saves]:
    with open_saves(tmp_path / "saves") as opened:
        assert opened.writable
        yield opened


@pytest.mark.parametrize("kind", KINDS)
def test_every_file_of_the_saves(kind: str, saves: Saves) -> None:
    root = saves.root
    own = user_packs.folder(root)
    places = [saves.settings, saves.progress, root / "examples.json", own / "order.json", own / "pack.xsb",
              own / unfinished.FILE, saves.replays / "game.json", saves.replays / "auto" / "game.json",
              saves.resume("editor"), *(saves.resume(game) for game in GAMES),
              saves.models / "model.safetensors", saves.models / "some.checkpoint.safetensors", saves.log]  # fmt: skip
    for place in places:
        put(kind, place)
    handler = log.set_up(saves)
    logging.getLogger("trilogic.test").warning("said")
    log.tear_down(handler)
    assert saves.log.read_text().endswith("said\n"), "the log has its file, and what was there is set aside"

    writer = Writer(saves)
    assert settings.load(saves)[0] == settings.Settings()
    assert Progress(saves, writer).notice
    assert resume.last_session(saves) is None
    for game in GAMES:
        assert resume.load(saves, game).notice
    assert draft.load(saves).notice
    found = list(Library(saves, writer, root / "none").scan())
    assert len(found) == 2, found
    assert all(isinstance(each, str) for each in found)
    listed = Packs(root / "shipped", own)
    for file in listed.files:
        assert listed.get(file.id) is None
        assert file.path.name in listed.trouble(file.id)
    assert not UserPacks(saves, writer).packs
    (card,) = models.listing([saves.models])
    assert card.problem
    assert checkpoints.listing(saves.models) == []
    left = [place for place in places if os.path.lexists(place) and place not in (saves.log, *saves.models.iterdir())]
    assert left == [], "set aside"
    writer.close()


@pytest.mark.parametrize("kind", KINDS)
def test_files_that_people_open(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "some.json"
    put(kind, path)
    with pytest.raises(Unreadable, match=r"some\.json"):
        read_any(path)
    assert kind_of_file(path) == "levels"
    history = History(catalogue.TRAINERS[0])
    history.read(path, 1e9)
    assert history.rows == []


@pytest.mark.parametrize("kind", ["pipe", "endless", "socket", "circle"])
def test_writing_takes_the_place_of_what_is_no_file(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "some.json"
    put(kind, path)
    write_whole(path, b"new")
    assert path.is_file()
    assert not path.is_symlink()
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("kind", KINDS)
def test_the_lock_and_the_folders(kind: str, tmp_path: Path) -> None:
    for name in ("lock", "resume", "replays", "levels", "models", "log"):
        put(kind, tmp_path / name)
    with open_saves(tmp_path) as saves:
        handler = log.set_up(saves)
        log.tear_down(handler)
        writer = Writer(saves)
        settings.load(saves)
        resume.last_session(saves)
        resume.load(saves, "sokoban")
        UserPacks(saves, writer)
        assert list(Library(saves, writer, tmp_path / "none").scan()) == []
        assert models.listing([saves.models]) == []
        writer.close()


def test_a_log_that_is_a_pipe_with_a_reader_is_not_written_into(saves: Saves) -> None:
    put("pipe", saves.log)
    reader = os.open(saves.log, os.O_RDONLY | os.O_NONBLOCK)
    handler = log.set_up(saves)
    logging.getLogger("trilogic.test").warning("said")
    log.tear_down(handler)
    assert os.read(reader, 100) == b""
    os.close(reader)
    assert "said" in saves.log.read_text()
    assert [each.is_fifo() for each in saves.damaged.iterdir()] == [True]
