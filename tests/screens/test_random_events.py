"""A careless person: random keys, clicks, wheels, pastes, files and sizes on every screen, always the same ones."""

import logging
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame
import pytest

from game.screens.lab.scene import LabScene
from game.screens.navigation import SCENES, make_scene
from game.ui import clipboard
from game.ui.file_dialog import FileDialog

EVENTS = 180
"""On each screen."""
NONSENSE = (
    "",
    "hello",
    "\0\ufffd" * 20,
    "44534453",
    "9.9 0.0",
    "#####\n#@$.#\n#####",
    "0 2 4 8/" * 4,
    "{}",
    "rUlD",
    "9" * 99,
)
SIZES = ((1024, 640), (1280, 800), (700, 500), (800, 1200))
CTRL = pygame.KMOD_LCTRL
NAMED = [
    *(pygame.K_UP, pygame.K_DOWN, pygame.K_LEFT, pygame.K_RIGHT, pygame.K_RETURN, pygame.K_SPACE, pygame.K_TAB),
    *(pygame.K_ESCAPE, pygame.K_HOME, pygame.K_END, pygame.K_DELETE, pygame.K_BACKSPACE, pygame.K_F1, pygame.K_F2),
]


def something(chance: random.Random, visitor: Any, files: list[Path]) -> list[tuple[int, dict[str, Any]]]:
    """What happens next: the events of one thing that a person does."""
    window = visitor.window
    what = chance.random()
    if what < 0.4:
        letter = chance.choice("abcdefghijklmnopqrstuvwxyz0123456789.,+-[]?")
        key, mod = chance.choice([ord(letter), *NAMED]), chance.choice((0, 0, 0, CTRL, pygame.KMOD_LSHIFT))
        typed = letter if key == ord(letter) and mod != CTRL else ""
        said = {"key": key, "mod": mod, "unicode": typed}
        return [(pygame.KEYDOWN, said), (pygame.KEYUP, said)]
    if what < 0.45:
        said = {"key": pygame.K_v, "mod": CTRL, "unicode": ""}
        return [(pygame.KEYDOWN, said), (pygame.KEYUP, said)]
    if what < 0.85:
        controls = window.top.kit.controls
        place = chance.choice(controls).rect if controls and chance.random() < 0.6 else window.surface.get_rect()
        at = (chance.randrange(place.left, place.right + 1), chance.randrange(place.top, place.bottom + 1))
        to = at if chance.random() < 0.8 else (chance.randrange(window.size[0]), chance.randrange(window.size[1]))
        button = chance.choice((1, 1, 1, 3))
        return [
            (pygame.MOUSEMOTION, {"pos": at, "rel": (0, 0), "buttons": (0, 0, 0)}),
            (pygame.MOUSEBUTTONDOWN, {"pos": at, "button": button}),
            (pygame.MOUSEMOTION, {"pos": to, "rel": (1, 1), "buttons": (1, 0, 0)}),
            (pygame.MOUSEBUTTONUP, {"pos": to, "button": button}),
        ]
    if what < 0.9:
        return [(pygame.MOUSEWHEEL, {"x": 0, "y": chance.choice((-2, 1)), "flipped": False})]
    if what < 0.95:
        return [(pygame.DROPFILE, {"file": str(chance.choice(files))})]
    pygame.display.set_mode(chance.choice(SIZES), pygame.RESIZABLE)
    return [(pygame.WINDOWSIZECHANGED, {"x": 0, "y": 0})]


@pytest.mark.parametrize("scene", SCENES)
def test_nothing_that_a_careless_person_does_raises(
    visit: Callable[..., Any],
    scene: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    chance = random.Random(scene)
    monkeypatch.setattr(clipboard, "read", lambda: chance.choice(NONSENSE))
    monkeypatch.setattr(clipboard, "write", lambda text: None)
    monkeypatch.setattr(FileDialog, "enter_folder", lambda self, folder: None)  # nothing is written elsewhere,
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(LabScene, "start", lambda self: None)  # and nothing installed
    files = [tmp_path, tmp_path / "missing.xsb"]
    for name, content in {
        "a.xsb": b"\xff\xfe",
        "b.json": b"{}",
        "c.safetensors": b"\x08\0",
        "d.npy": b"\x93NUMPY",
    }.items():
        files.append(tmp_path / name)
        files[-1].write_bytes(content)
    visitor = visit(scene)
    window, done = visitor.window, []
    for _ in range(EVENTS):
        while len(window.scenes) > 4:
            window.pop()
        if not window.scenes:
            window.push(make_scene(scene, window, visitor.context))
        for kind, said in something(chance, visitor, files):
            done.append(f"{pygame.event.event_name(kind)} {said}")
            pygame.event.post(pygame.event.Event(kind, **said))
        window.frame(chance.choice((1 / 60, 0.1)))
        window.running = True
    raised = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert not raised, f"{raised[0].getMessage()}\n{raised[0].exc_text}\nafter\n" + "\n".join(done[-20:])
