"""The screen of many games of one agent, while a process plays them."""

import sys
import time
from collections.abc import Callable
from typing import Any

import pygame
import pytest

from ai import kernels
from game.play.twenty48.series import Series
from game.screens.twenty48.series_scene import SeriesScene

SIZES = ((1024, 640), (1280, 800), (1920, 1080))

SCRIPT = """
import json, sys, time
for seed in range(int(sys.argv[1])):
    print(json.dumps({"now": [50, 400, 0.1]}))
    print(json.dumps({"seed": seed, "score": 1000 * (seed + 1), "tile": 64 << seed % 3, "moves": 200, "seconds": 0.4}))
    sys.stdout.flush()
print(json.dumps({"now": [77, 4321, 0.2]}), flush=True)
time.sleep(float(sys.argv[2]))
"""


@pytest.fixture
def many(visit: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """`many(ended, ...)`: the screen, with a process that ends so many games and goes on with the next."""

    def open_one(ended: int, size: tuple[int, int] = (1280, 800), stays: float = 60.0, **settings: Any) -> Any:
        monkeypatch.setattr(kernels, "ready", lambda _family: True)
        command = [sys.executable, "-c", SCRIPT, str(ended), str(stays)]
        monkeypatch.setattr(Series, "command", lambda _self: command)
        visitor = visit("2048", size, **settings)
        visitor.key(pygame.K_g, "g")
        assert isinstance(visitor.window.top, SeriesScene)
        return visitor

    return open_one


def until(visitor: Any, done: Callable[[], Any]) -> None:
    end = time.perf_counter() + 20
    while not done():
        assert time.perf_counter() < end, f"waited in vain: {visitor.said()}, {visitor.window.top.status}"
        visitor.frames()
        time.sleep(0.002)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_what_is_found_is_shown_while_it_plays(many, size, theme):
    visitor = many(6, size, theme=theme, animation="instant")
    scene = visitor.window.top
    assert any(words.startswith("Press Start") for words, _place in visitor.words())
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: scene.series and scene.series.now[0] == 77)
    visitor.frames(2)
    drawn = visitor.words()
    shown = [words for words, _place in drawn]
    print(shown)
    for words in ("6 of 100", "3,500 ± 764", "4,000", "6,000", "4,321 · 77 moves", "100 %", "67 %", "33 %", "Stop"):
        assert words in shown, words
    inside = visitor.window.surface.get_rect()
    assert all(inside.contains(control.rect) for control in scene.kit.controls)
    boxes = [control.rect for control in scene.kit.controls]
    assert not any(box.colliderect(other) for at, box in enumerate(boxes) for other in boxes[at + 1 :])


def test_stopping_keeps_what_there_is_and_copies_it(many, monkeypatch):
    copied: list[str] = []
    monkeypatch.setattr(pygame.scrap, "put_text", copied.append)
    visitor = many(3)
    scene = visitor.window.top
    visitor.key(pygame.K_c, "c", pygame.KMOD_CTRL)
    assert visitor.said() == ["No game has ended yet."]
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: scene.series and len(scene.series.games) == 3)
    assert scene.status[2]
    visitor.key(pygame.K_SPACE, " ")
    visitor.frames(3)
    assert not scene.player.busy and "Stopped after 3 games" in scene.status[0] and not visitor.said()[1:]
    visitor.key(pygame.K_c, "c", pygame.KMOD_CTRL)
    assert copied and len(copied[0].splitlines()) == 4
    assert "3 games is on the clipboard" in visitor.said()[-1]


def test_the_table_is_saved_as_a_file(many):
    visitor = many(2)
    scene = visitor.window.top
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: scene.series and len(scene.series.games) == 2)
    visitor.key(pygame.K_s, "s", pygame.KMOD_CTRL)
    assert visitor.window.top is not scene
    visitor.key(pygame.K_RETURN, "\r")
    visitor.frames(2)
    files = list((visitor.context.saves.root / "exports").glob("*.csv"))
    assert len(files) == 1 and len(files[0].read_text().splitlines()) == 3, visitor.said()


def test_games_go_on_behind_the_settings_and_end_with_the_screen(many):
    visitor = many(1)
    scene = visitor.window.top
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: scene.series and scene.series.games)
    visitor.window.command("settings")
    process = scene.player._process._process
    assert scene.player.busy and process.poll() is None
    while visitor.window.top is not visitor.scene:
        visitor.key(pygame.K_ESCAPE)
    assert process.wait(10) != 0


def test_games_that_break_off_are_said_to(many):
    visitor = many(2, stays=0.0)
    scene = visitor.window.top
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: visitor.said())
    assert "stopped unexpectedly" in visitor.said()[0] and len(scene.series.games) == 2


def test_the_number_of_games_is_remembered(many, visit):
    visitor = many(1)
    visitor.window.top._step_count(1)
    visitor.close()
    again = visit("2048")
    again.key(pygame.K_g, "g")
    assert again.window.top.count == 1000
