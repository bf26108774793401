"""Exports from the window, in a process of their own; and any file opened by dropping it."""

import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pygame
import pytest
from PIL import Image
from replay_person import LEVEL, Person, connect4_game, sokoban_game, twenty48_game

from game.play.sokoban.packs import LevelPack
from game.rules import levels, replay
from game.saves.replays import stem
from game.screens.opening import Unfinished, read_any
from game.screens.replays.export import Request
from game.screens.replays.export_dialog import ExportDialog
from game.screens.replays.export_job import ExportJob
from game.screens.replays.theatre import TheatreScene
from game.screens.sokoban.screen import SokobanScreen
from game.ui import folders
from game.ui.file_dialog import FileDialog
from game.ui.reading import Unreadable

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    made = Person(tmp_path / "saves")
    yield made
    made.close()


def dialog(person: Person, game: replay.Replay, ply: int = 3) -> ExportDialog:
    made = ExportDialog(person.window, person.context, game, ply)
    person.show(made)
    return made


def test_a_gif_from_the_theatre(person: Person) -> None:
    game = sokoban_game()
    person.show(TheatreScene(person.window, person.context, game, playing=False))
    person.key(pygame.K_e)
    asking = person.top
    assert isinstance(asking, ExportDialog)
    person.key(pygame.K_RETURN)
    assert isinstance(person.top, FileDialog)
    person.key(pygame.K_RETURN)
    assert person.top is asking
    assert person.until(lambda: not person.context.jobs.every(ExportJob), 60)
    assert person.until(lambda: asking.made is not None)
    assert person.button("Open folder")
    person.press("Close")
    assert isinstance(person.top, TheatreScene)
    (out,) = (person.context.saves.root / "exports").iterdir()
    assert any(str(out) in words for words in person.said()), person.said()
    image = Image.open(BytesIO(out.read_bytes()))
    assert (out.suffix, max(image.size)) == (".gif", 480)
    lasts = 0
    for number in range(image.n_frames):
        image.seek(number)
        lasts += image.info["duration"]
    assert lasts / 1000 == pytest.approx(0.6 + 13 / 5 + 2.0, abs=0.06)


@pytest.mark.parametrize("kind", ["mp4", "png", "lurd"])
def test_other_forms(person: Person, tmp_path: Path, kind: str) -> None:
    asking = dialog(person, sokoban_game())
    person.press(kind.upper())
    out = tmp_path / f"out.{kind}"
    asking.start(out)
    assert person.until(lambda: not person.context.jobs.every(ExportJob), 60)
    assert out.stat().st_size > 10
    if kind == "lurd":
        assert out.read_text() == "rRRRlllldrRRR\n"


def test_only_sokoban_offers_lurd(person: Person) -> None:
    dialog(person, twenty48_game())
    labels = {getattr(control, "label", "") for control in person.top.kit.controls}
    assert {"GIF", "MP4", "PNG"} <= labels
    assert "LURD" not in labels


def test_cancel_leaves_nothing(person: Person, tmp_path: Path) -> None:
    asking = dialog(person, twenty48_game(200))
    person.press("MP4")
    folder = tmp_path / "out"
    asking.start(folder / "x.mp4")
    job = person.context.jobs.one(ExportJob)
    assert person.until(lambda: (job.share or 0) > 0, 60)
    person.press("Cancel")
    assert person.until(lambda: not person.context.jobs.every(ExportJob))
    assert list(folder.iterdir()) == []
    assert any("cancelled" in words for words in person.said()), person.said()


def test_it_goes_on_in_the_background_and_says_when_it_is_there(person: Person, tmp_path: Path) -> None:
    scene = TheatreScene(person.window, person.context, twenty48_game(30), playing=False)
    person.show(scene)
    asking = dialog(person, twenty48_game(30))
    asking.start(tmp_path / "x.gif")
    person.press("In the background")
    assert person.top is scene
    assert "Exporting x.gif" in scene.status[1]
    assert person.until(lambda: not person.context.jobs.every(ExportJob), 60)
    assert any("x.gif" in words for words in person.said())
    assert scene.status[1] == ""


def test_what_fails_is_said_and_the_dialog_stays(person: Person, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    asking = dialog(person, twenty48_game())
    asking.start(tmp_path / "file" / "x.gif")
    assert person.until(lambda: not person.context.jobs.every(ExportJob), 60)
    person.frames(3)
    assert person.top is asking
    assert any(words.startswith("x.gif was not written") for words in person.said()), person.said()
    assert person.button("Export")


def test_closing_the_window_ends_an_export(tmp_path: Path) -> None:
    person = Person(tmp_path / "saves")
    asking = dialog(person, twenty48_game(300))
    person.press("MP4")
    asking.start(tmp_path / "out" / "x.mp4")
    job = person.context.jobs.one(ExportJob)
    person.until(lambda: (job.share or 0) > 0, 60)
    person.close()
    assert job.update() and not job.problem
    assert list((tmp_path / "out").iterdir()) == []


def test_it_says_that_it_starts_and_then_what_share_is_drawn(person: Person, tmp_path: Path) -> None:
    asking = dialog(person, twenty48_game(30))
    asking.start(tmp_path / "x.gif")
    job = person.context.jobs.one(ExportJob)
    assert (job.share, job.progress) == (None, "starting")
    shares = []
    person.until(lambda: shares.append(job.share) or not job.busy, 60)
    told = [share for share in shares if share is not None]
    assert told == sorted(told)
    assert told[0] < 0.5
    assert told[-1] == 1.0


def test_a_folder_that_cannot_be_shown_is_named(person: Person, tmp_path: Path, monkeypatch) -> None:
    asked = []
    for program, sentences in (("nothing-of-that-name", 1), ("false", 1), ("true", 0)):
        monkeypatch.setattr(folders.sys, "platform", "here")
        monkeypatch.setitem(folders.PROGRAMS, "here", program)
        person.window.toasts.items.clear()
        folders.open_folder(person.window, tmp_path)
        assert person.until(lambda: not person.window.readings.busy)
        asked.append(sum(str(tmp_path) in words for words in person.said()) == sentences)
    assert asked == [True, True, True]


def test_an_export_leaves_nothing_for_a_killed_window_to_leave(tmp_path: Path, monkeypatch) -> None:
    made: list[str] = []
    for name in ("mkdtemp", "mkstemp"):
        monkeypatch.setattr(f"tempfile.{name}", lambda *words, **_more: made.append(str(words)) or str(tmp_path))
    job = ExportJob(twenty48_game(), Request("png"), tmp_path / "x.png")
    job._process.wait()
    assert job.update()
    assert (job.problem, made) == ("", [])
    assert [path.name for path in tmp_path.iterdir()] == ["x.png"]


def test_an_export_that_fails_before_it_reads_says_why(tmp_path: Path) -> None:
    job = ExportJob(twenty48_game(300), Request("png", ply=10_000), tmp_path / "x.png")
    job._process.wait()
    assert job.update()
    assert "the game has" in job.problem
    assert list(tmp_path.iterdir()) == []


# --- any file ---


def drop(person: Person, path: Path) -> None:
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(path)))
    person.frames(1)


def test_a_replay_is_dropped_on_any_screen(person: Person, tmp_path: Path) -> None:
    path = tmp_path / "anything.txt"
    path.write_text(replay.dumps(connect4_game(4)), "utf-8")
    drop(person, path)
    assert person.until(lambda: isinstance(person.top, TheatreScene))
    assert person.top.games[0].replay == connect4_game(4)


def test_levels_are_dropped(person: Person, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(f"Title: Mine\n\n{LEVEL}\nTitle: One\n\n{LEVEL.replace('@ ', ' @')}\nTitle: Two\n", "utf-8")
    drop(person, path)
    assert person.until(lambda: isinstance(person.top, SokobanScreen))
    scene = person.top
    assert scene.face.subtitle() == "Mine · 1 of 2 · “One”"
    person.key(pygame.K_PAGEDOWN)
    assert scene.face.subtitle() == "Mine · 2 of 2 · “Two”"
    drop(person, path)
    assert person.until(lambda: scene.session.course.number == 0)
    assert person.window.scenes.count(scene) == 1
    assert sum(isinstance(other, SokobanScreen) for other in person.window.scenes) == 1


def test_an_array_and_nonsense_are_dropped(person: Person, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = np.array([[1,1,1,1,1],[1,4,2,3,1],[1,1,1,1,1]])")
    drop(person, tmp_path / "a.py")
    assert person.until(lambda: isinstance(person.top, SokobanScreen))
    before = person.top
    for name, data in (("b.bin", bytes(range(256))), ("c.txt", b"hello"), ("d.json", b"{}")):
        (tmp_path / name).write_bytes(data)
        drop(person, tmp_path / name)
        assert person.until(lambda name=name: any(name in words for words in person.said())), person.said()
    drop(person, tmp_path)
    assert person.until(lambda: any("a folder, not a file" in words for words in person.said()))
    assert person.top is before


@pytest.mark.parametrize("form", ["replay", "xsb", "npy", "png"])
def test_mutated_files_are_refused_with_their_name(tmp_path: Path, form: str) -> None:
    """2,000 in all: no crash, nothing slow, every refusal names the file."""
    chance = random.Random(form)
    array = np.array([[1, 1, 1, 1, 1], [1, 4, 2, 3, 1], [1, 1, 1, 1, 1]], dtype=np.int8)
    stream = BytesIO()
    np.save(stream, array)
    picture = BytesIO()
    Image.new("RGB", (3, 3)).save(picture, "PNG")
    source = {
        "replay": replay.dumps(twenty48_game(30)).encode(), "xsb": f"Title: A\n\n{LEVEL}\n".encode() * 5,
        "npy": stream.getvalue(), "png": picture.getvalue(),
    }[form]  # fmt: skip
    path = tmp_path / f"mutated-{form}"
    read = 0
    for _ in range(500):
        data = bytearray(source)
        for _ in range(chance.choice((1, 2, 8))):
            at = chance.randrange(len(data))
            action = chance.randrange(4)
            if action == 0:
                data[at] = chance.randrange(256)
            elif action == 1:
                del data[at : at + chance.randrange(1, 60)]
            elif action == 2:
                data[at:at] = data[at : at + chance.randrange(1, 60)]
            else:
                data[at:at] = bytes(chance.choices(b'#@$.*+ 0123456789,[]{}":-e\n', k=chance.randrange(1, 30)))
            data = data or bytearray(b" ")
        path.write_bytes(data)
        began = time.perf_counter()
        try:
            found = read_any(path)
        except Unreadable as error:
            assert path.name in str(error), error
        else:
            read += 1
            assert isinstance(found, replay.Replay | LevelPack | Unfinished)
        assert time.perf_counter() - began < 2
    print(form, read, "of 500 could still be read")


def test_open_from_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(replay.dumps(sokoban_game()), "utf-8")
    code = (
        "import os, sys\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "from game.screens import app\n"
        "from game.ui.window import Window\n"
        "seen = []\n"
        "frame = Window.frame\n"
        "Window.frame = lambda self, dt: (frame(self, dt), seen.append(self.top.name))[0]\n"
        "from pathlib import Path\n"
        f"app.run(None, Path({str(path)!r}), Path({str(tmp_path / 'saves')!r}))\n"
        "print(seen[-1])\n"
    )
    environment = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "TRILOGIC_EXIT_AFTER_FRAMES": "90"}
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **environment}, timeout=120
    )
    print(ran.stderr)
    assert ran.stdout.strip().splitlines()[-1] == "theatre"


def test_a_level_that_is_known_opens_under_its_own_pack(person: Person) -> None:
    path = next((ROOT / "levels").glob("*.xsb"))
    drop(person, path)
    assert person.until(lambda: isinstance(person.top, SokobanScreen))
    assert person.top.session.course.pack is not None
    assert person.top.session.course.pack.id == path.stem
    assert levels.read(path).levels[0].state == person.top.session.state


def test_the_name_of_a_file_says_how_the_game_ended_or_how_far_it_is() -> None:
    ended = twenty48_game(40)
    print(stem(ended), stem(replace(ended, result={})))
    assert re.fullmatch(r"[\d-]{17}-2048-\d+-tile-\d+-points", stem(ended))
    assert re.fullmatch(r"[\d-]{17}-2048-after-40-moves", stem(replace(ended, result={})))
    assert stem(replace(connect4_game(), result={})).endswith(f"-after-{len(connect4_game().steps)}-moves")
