"""Signals at random moments of real commands, and parents that are killed; `scripts/signals.py` does hundreds of both."""

import fcntl
import json
import multiprocessing
import os
import pty
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from ai import catalogue
from game.play.sokoban import solving
from game.play.sokoban.solving import Task
from game.rules import levels

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")
ROOT = Path(__file__).parents[2]

SCREEN = """
import os, signal, sys
from ai import stopping
stopping.install()
from game.cli.main import main
import pygame
from game.screens import app

def open_window(saves):
    window, context = really(saves)
    every_frame, keys = window.on_frame, iter((pygame.K_LEFT, pygame.K_UP, pygame.K_RIGHT, pygame.K_DOWN))

    def frame(dt):
        every_frame(dt)
        key = next(keys, None)
        if key is not None:
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode=""))
        elif not stopping.received():
            print(window.top.session.timeline.cursor, flush=True)
            os.kill(os.getpid(), int(sys.argv[2]))

    window.on_frame = frame
    return window, context

really, app.open_window = app.open_window, open_window
stopping.leave(main(["--scene", "2048", "--saves", sys.argv[1]]))
"""


def test_random_moments_of_commands_and_of_what_they_began() -> None:
    only = ["agents", "solve --jobs", "window menu", "replay --export png", "export", "analyze connect4"]
    words = ["--count", "8", "--kills", "2", "--seed", "5", "--only", *only]
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "signals.py"), *words], capture_output=True, text=True
    )
    print(done.stdout, done.stderr)
    assert done.returncode == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_the_window_saves_before_it_goes(tmp_path: Path, number: signal.Signals, code: int) -> None:
    environment = os.environ | {
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
    }
    words = [sys.executable, "-c", SCREEN, str(tmp_path), str(int(number))]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    print(done)
    moves = int(done.stdout)
    assert moves > 0, "some of the four keys moved something"
    assert (done.returncode, done.stderr) == (code, "trilogic: stopped.\n")
    assert json.loads((tmp_path / "resume" / "twenty48.json").read_text())["cursor"] == moves


def test_a_process_that_breaks_off_costs_its_level_only() -> None:
    level = levels.parse("#######\n#@ $ .#\n#######\n", "here").levels[0]
    tasks = [Task(number, "", level.state, 0, 5.0, None) for number in range(1, 5)]
    solved = solving.solve_in_processes(catalogue.parse("sokoban", "bfs"), tasks, 1)
    found = [next(solved)[0]]
    [process] = multiprocessing.active_children()
    assert process.pid is not None
    os.kill(process.pid, signal.SIGSTOP)  # it answers no more: whatever it is at, or is given next, is lost
    os.kill(process.pid, signal.SIGKILL)
    found += [result for result, _, _ in solved]
    for result in found:
        print(result)
    assert sorted(result.level for result in found) == [1, 2, 3, 4]
    [broken] = [result for result in found if result.status != "solved"]
    assert broken.reason is not None and "broke off (exit code -9)" in broken.reason
    assert not multiprocessing.active_children()


def test_a_closed_terminal_does_not_end_the_helper_of_multiprocessing() -> None:
    """It is killed while a process is begun, and its next use would warn about that on standard error."""
    program = """
import signal
from multiprocessing import resource_tracker
from ai import catalogue
from game.play.sokoban import solving
from game.play.sokoban.solving import Task
if __name__ == "__main__":
    mine, process = solving._begin(catalogue.parse("sokoban", "bfs"))
    tracker = resource_tracker._resource_tracker._pid
    blocked = open(f"/proc/{tracker}/status").read().partition("SigBlk:")[2].split()[0]
    print(bool(int(blocked, 16) & 1 << signal.SIGHUP - 1))
    process.kill()
"""
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60)
    print(done)
    assert done.stdout.splitlines()[-1] == "True" and done.stderr == ""


def test_a_training_is_saved_when_its_terminal_is_closed(tmp_path: Path) -> None:
    terminal, its = pty.openpty()
    words = [
        sys.executable,
        "main.py",
        "train",
        "2048",
        "ntuple",
        "--set",
        "tuples=0123",
        "--out",
        str(tmp_path / "m"),
    ]
    process = subprocess.Popen(
        words, cwd=ROOT, stdin=its, stdout=its, stderr=its, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )  # fmt: skip
    os.close(its)
    shown = b""
    while b"moves/s" not in shown:  # it learns, and its bar is on the terminal
        shown += os.read(terminal, 4096)
    os.close(terminal)
    assert process.wait(30) == 129
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == [
        "m.checkpoint.safetensors",
        "m.csv",
        "m.safetensors",
    ]
