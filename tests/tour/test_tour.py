"""Through all scenes of the real app: play, solve, resize, change the theme, close, come back."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pygame
import pytest

from game.rules import replay, sokoban
from game.screens.connect4.screen import Connect4Screen
from game.screens.connect4.setup import SetupDialog
from game.screens.menu import MenuScene
from game.screens.play.screen import GameScreen
from game.screens.settings import SettingsScene
from game.screens.sokoban.screen import SokobanScreen
from game.screens.twenty48.screen import Twenty48Screen

from .conftest import Person

ROOT = Path(__file__).resolve().parents[2]
ARROWS = {0: pygame.K_UP, 1: pygame.K_RIGHT, 2: pygame.K_DOWN, 3: pygame.K_LEFT}
OpenApp = Callable[..., Person]


def breadth_first(state: sokoban.State) -> list[int]:
    """A shortest solution in moves, by plain search; for the small first levels."""
    came: dict[sokoban.State, tuple[sokoban.State, int] | None] = {state: None}
    edge = [state]
    while edge:
        new_edge = []
        for position in edge:
            if sokoban.is_solved(position):
                moves: list[int] = []
                step = came[position]
                while step is not None:
                    moves.append(step[1])
                    step = came[step[0]]
                return moves[::-1]
            for action in sokoban.legal_actions(position):
                after = sokoban.apply(position, action)
                if after not in came:
                    came[after] = (position, action)
                    new_edge.append(after)
        edge = new_edge
    raise AssertionError("the level has no solution")


def open_game(person: Person, digit: str) -> GameScreen:
    """Open a game from the menu by its number."""
    assert isinstance(person.top, MenuScene), person.top.name
    person.key(ord(digit), digit)
    assert isinstance(person.top, GameScreen), person.say()
    person.frames(15)
    return person.top


def test_sokoban_by_keys_then_by_agent(open_app: OpenApp) -> None:
    person = open_app()
    scene = open_game(person, "1")
    assert isinstance(scene, SokobanScreen)
    scene.session.skip_lesson()
    first = scene.session.course.level_id
    for action in breadth_first(scene.session.state):
        person.key(ARROWS[action])
    assert sokoban.is_solved(scene.session.state), scene.session.state
    assert person.until(lambda: "Again" in person.labels(), 5), person.say()
    person.key(pygame.K_RETURN)
    assert person.top is scene
    assert scene.session.course.level_id != first, "Enter did not lead to the next level"
    assert scene.context.progress.solved(first)

    scene.session.set_speed(float("inf"))
    person.key(pygame.K_SPACE, " ")
    assert person.until(lambda: sokoban.is_solved(scene.session.state)), (person.say(), scene.session.driver.thought)
    person.leave()
    files = sorted(person.context.saves.replays.rglob("*.json"))
    games = [replay.read(file) for file in files]
    assert sorted(game.seats[0] for game in games) == ["fess", "person"], files
    assert all(sokoban.is_solved(replay.states(game)[-1]) for game in games)


def test_2048_by_keys_agent_and_undo(open_app: OpenApp) -> None:
    person = open_app()
    scene = open_game(person, "2")
    assert isinstance(scene, Twenty48Screen)
    for _ in range(6):
        for key in ARROWS.values():
            person.key(key)
    played = scene.session.timeline.cursor
    assert played >= 10, scene.session.state
    person.key(pygame.K_z)
    assert scene.session.timeline.cursor == played - 1
    person.key(pygame.K_y)
    assert scene.session.timeline.cursor == played
    weakest = scene.session.driver.seats[0]
    person.key(pygame.K_F3)
    for _ in range(4):  # to one that looks ahead
        person.key(pygame.K_DOWN)
    person.key(pygame.K_RETURN)
    assert person.top is scene and scene.session.driver.seats[0] not in (None, weakest)
    person.key(pygame.K_SPACE, " ")
    assert person.until(lambda: scene.session.timeline.cursor >= played + 5), person.say()
    assert scene.session.driver.thought.values, "the agent shows no values"
    person.key(pygame.K_SPACE, " ")
    stopped = scene.session.timeline.cursor
    person.frames(30)
    assert scene.session.timeline.cursor == stopped, "the agent went on after the pause"
    person.key(pygame.K_h)
    assert person.until(lambda: scene.session.driver.hint is not None), person.say()
    person.key(pygame.K_RETURN)
    assert scene.session.timeline.cursor == stopped + 1


def test_connect4_drops_setup_views_and_answer(open_app: OpenApp) -> None:
    person = open_app()
    scene = open_game(person, "3")
    assert isinstance(scene, Connect4Screen)
    person.key(pygame.K_4, "4")
    assert scene.session.timeline.cursor >= 1
    assert person.until(lambda: scene.session.timeline.cursor == 2), (person.say(), scene.session.driver.thought)
    person.key(pygame.K_z)
    assert scene.session.timeline.cursor == 0, "undo goes back to the person's turn"
    person.key(pygame.K_l)
    assert isinstance(person.top, SetupDialog)
    person.top._preset("cube")
    person.key(pygame.K_RETURN)
    assert person.top is scene
    assert scene.session.state.shape.depth == 4
    for view in ("layers", "slices", "orbit"):
        person.key(pygame.K_v)
        assert scene.board is not None
        assert scene.board.view == view
    person.click(tuple(round(x) for x in scene.board.column_top(5)))  # type: ignore[arg-type]
    assert scene.session.timeline.cursor == 1, "a click on a peg drops a stone"
    person.key(pygame.K_ESCAPE)
    assert isinstance(person.top, MenuScene)


def test_resize_theme_keys_and_coming_back(open_app: OpenApp, tmp_path: Path) -> None:
    person = open_app()
    scene = open_game(person, "2")
    for key in (pygame.K_LEFT, pygame.K_UP, pygame.K_RIGHT, pygame.K_DOWN, pygame.K_LEFT):
        person.key(key)
    state = scene.session.state
    for size in ((1024, 640), (1920, 1080), (800, 600), (1280, 800)):
        pygame.display.set_mode(size, pygame.RESIZABLE)
        pygame.event.post(pygame.event.Event(pygame.WINDOWSIZECHANGED, x=size[0], y=size[1]))
        person.frames(1)
        assert person.until(lambda: person.window._resized_at is None, 2)
        person.frames(2)
        assert scene.layout.window.size == size
        board = scene.board.frame if isinstance(scene, Twenty48Screen) and scene.board else None
        assert board is not None
        assert scene.layout.window.contains(board), (size, board)
    person.key(pygame.K_F1)
    assert person.window.showing_keys
    person.key(pygame.K_ESCAPE)
    assert not person.window.showing_keys
    person.key(pygame.K_F10)
    assert isinstance(person.top, SettingsScene)
    dark = person.window.surface.get_at((5, 400))
    person.context.set("theme", "light")
    person.frames(20)
    assert person.window.surface.get_at((5, 400)) != dark
    person.key(pygame.K_ESCAPE)
    person.key(pygame.K_ESCAPE)
    assert isinstance(person.top, MenuScene)
    person.leave()

    again = open_app()
    assert again.window.look.theme == "light"
    assert again.top.last is not None  # type: ignore[attr-defined]
    again.key(pygame.K_RETURN)
    assert isinstance(again.top, Twenty48Screen)
    assert again.top.session.state == state


def test_an_agent_that_raises_hands_the_board_back(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    person = open_app()
    scene = open_game(person, "2")

    class Broken:
        def new_game(self, seed: int) -> None:
            pass

        def plan(self, state: object, thinking: object) -> object:
            raise RuntimeError("the agent's table is torn")

    monkeypatch.setattr("ai.catalogue.create", lambda game, spec: Broken())
    person.key(pygame.K_SPACE, " ")
    assert person.until(lambda: any("torn" in text for text in person.say()), 5), person.say()
    assert not scene.session.driver.running
    before = scene.session.timeline.cursor
    for key in ARROWS.values():
        person.key(key)
    assert scene.session.timeline.cursor > before, "the person can no longer play"


PLAYER = """
import os, sys
os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
import pygame
from pathlib import Path
from game.screens import app
from game.screens.navigation import make_scene
window, context = app.open_window(Path(sys.argv[1]), (1024, 640))
scene = make_scene("2048", window, context)
window.push(scene)
window.running = True
print("ready", scene.session.timeline.cursor, flush=True)
keys = (pygame.K_LEFT, pygame.K_UP, pygame.K_RIGHT, pygame.K_DOWN)
number = 0
while True:
    number += 1
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=keys[number % 4], mod=0, unicode=""))
    pygame.event.post(pygame.event.Event(pygame.KEYUP, key=keys[number % 4], mod=0, unicode=""))
    window.turn()
    print(scene.session.timeline.cursor, flush=True)
"""


def test_kill_9_loses_a_second_at_most(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PLAYER, str(tmp_path)]
    reached = 0
    for _ in range(2):
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        line = process.stdout.readline()
        while not line.startswith("ready"):
            line = process.stdout.readline()
        resumed = int(line.split()[1])
        assert resumed >= reached - 70, f"{reached} moves were played, {resumed} came back"
        start = time.perf_counter()
        for line in process.stdout:
            reached = int(line)
            if time.perf_counter() - start > 2.5:
                break
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
    assert reached > 30
    saved = json.loads((tmp_path / "resume" / "twenty48.json").read_text())
    assert saved["cursor"] >= reached - 70


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed")
def test_a_real_window_under_xvfb(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
        pass_fds=[writer], stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writer)
    try:
        with os.fdopen(reader) as pipe:
            display = pipe.readline().strip()
        environment = {key: value for key, value in os.environ.items() if key != "SDL_VIDEODRIVER"}
        environment |= {"DISPLAY": f":{display}", "SDL_AUDIODRIVER": "dummy", "TRILOGIC_EXIT_AFTER_FRAMES": "40"}
        command = [sys.executable, str(ROOT / "main.py"), "--scene", "sokoban", "--saves", str(tmp_path)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    finally:
        server.terminate()
        server.wait()
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout.splitlines()[-1])
    assert len(report["frame_ms"]) == 40


def test_no_display_is_one_line(tmp_path: Path) -> None:
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    environment = {key: value for key, value in os.environ.items() if key not in hidden}
    command = [sys.executable, str(ROOT / "main.py"), "--saves", str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    lines = [line for line in done.stderr.splitlines() if line]
    assert done.returncode == 2, done
    assert len(lines) == 1, done.stderr
    assert "match" in lines[0]
