"""The window's performance figures: our own work in a frame, late frames, a key's effect, leaks.

They run the real screens under SDL's dummy driver, with kernels compiled beforehand, and are listed by
`python main.py bench` beside the others.
"""

import gc
import math
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import cast

import pygame

from ai import catalogue, kernels, temporary
from ai.entries import Spec
from game.rules import connect4, levels, twenty48
from game.rules.connect4 import Shape
from game.rules.games import GAMES
from game.screens.play.screen import GameScreen
from game.ui.scene import Scene
from game.ui.window import Window

Figure = tuple[float, str, float | None]
"""A value with a unit and a budget of its own."""
Value = float | Mapping[str, float | Figure]

SECONDS = 6.0
ROUNDS = 4
LATE_MS = 25.0
OWN_MS, MORE_MS = 8.0, 3.0
"""Budgets: our own work in a frame; how much more than an empty screen's while two other programs run."""
PROGRAMS = 2
LEAK_GAMES = 10_000
SIZE = (1280, 800)
HARD_LEVEL = """
#############
#     #     #
# $ $   $ $ #
#  $  #  $  #
# $ $ @ $ $ #
#     #     #
#### ### ####
#.......... #
#           #
#############
"""
"""A room that keeps A* busy for longer than a turn of the bench lasts (10 s and 6.7 million positions find nothing)."""


@contextmanager
def _window(game: str) -> Iterator[tuple[Window, GameScreen]]:
    """A window of 1280×800 on a screen of its own, with the game's scene on top."""
    os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
    from game.screens import app
    from game.screens.games import game_scene

    with temporary.folder() as folder:
        window, context = app.open_window(folder, SIZE)
        try:
            scene = cast(GameScreen, game_scene(game, window, context))
            window.push(scene)
            window.running = True
            scene.session.skip_lesson()
            yield window, scene
        finally:
            window.close()
            app.close_context(context)
            pygame.display.quit()


def _turns(window: Window, seconds: float) -> None:
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        window.turn()


def _busy(scene: GameScreen) -> None:
    """Set the scene up so that its agent thinks without an end, on the panel's page that has most to draw."""
    scene.panel.show("lab")
    if scene.session.game == "sokoban":
        scene.session.begin(levels.parse(HARD_LEVEL, "bench").levels[0].state, 1)
        scene.session.driver.seats[0] = Spec("astar", {"time": 600.0})
    elif scene.session.game == "twenty48":
        scene.session.begin(twenty48.start(4, 1), 1)
        scene.session.driver.seats[0] = Spec("expectimax", {"depth": 3})
        scene.session.set_speed(math.inf)
    else:
        scene.session.driver.seats = [Spec("alphabeta", {"time": 30.0})] * 2
        scene.session.begin(connect4.start(Shape(6, 7, 5, 5, 2)), 1)
        scene.rebuild()
    scene.session.autosave = False
    scene.session.driver.run()


class Empty(Scene):
    """A screen with nothing on it: what is left of a frame's work then is the machine's."""

    name = "empty"


def frame_work(game: str, programs: int = 0) -> Mapping[str, float | Figure]:
    """Our own work in a frame while the game's agent thinks, in alternation with an empty screen on which nobody thinks.

    Args:
        game: whose screen.
        programs: how many other programs keep a processor busy meanwhile.

    Returns:
        99th percentiles in milliseconds by the clock: `p99` of the game, `empty` without it, `more` the difference of the two;
        `working` of the game in processor time of the thread that draws, without what it waited for others; and `others`, how
        many processors other programs kept busy. What is seen for 0.3 s after a game has ended and another begun does not count.
    """
    kernels.warm(kernels.units(game))
    work: dict[bool, list[float]] = {True: [], False: []}
    working: list[float] = []
    with _window(game) as (window, scene), _others(programs):
        _busy(scene)
        spent = _processor_ms(window)
        _turns(window, 2.0)
        load = Load()
        for _ in range(ROUNDS):
            for empty in (False, True):
                if empty:
                    window.push(Empty(window))  # the game's screen pauses its agent
                _turns(window, 0.3)
                end = time.perf_counter() + SECONDS / ROUNDS
                while time.perf_counter() < end:
                    window.turn()
                    work[empty].append(window.work_ms[-1])
                    if not empty:
                        working.append(spent[-1])
                        _go_on(window, scene)
                if empty:
                    window.pop()
                    scene.session.driver.run()
        others = load.others()
    own, empty_ms = _percentile(work[False], 0.99), _percentile(work[True], 0.99)
    more = own - empty_ms
    return {
        "p99": (own, "ms", None if programs else OWN_MS),
        "empty": (empty_ms, "ms", None),
        "more": (more, "ms", MORE_MS if programs else None),
        "working": (_percentile(working, 0.99), "ms", None),
        "others": (others, "processors", None),
    }


def _go_on(window: Window, scene: GameScreen) -> None:
    """A game that has ended begins again, so that its agent thinks all the time."""
    if scene.session.over:
        while window.top is not scene:
            window.pop()
        _busy(scene)
        _turns(window, 0.3)


def _processor_ms(window: Window) -> deque[float]:
    """Milliseconds of processor time that the drawing thread needs for each frame from now on, the last one last."""
    frame, spent = window.frame, deque[float](maxlen=1)

    def measured(dt: float) -> None:
        before = time.thread_time()
        frame(dt)
        spent.append((time.thread_time() - before) * 1000)

    setattr(window, "frame", measured)  # noqa: B010 (mypy calls it a method)
    return spent


class Load:
    """How busy other programs keep the machine's processors, from the moment when it is made."""

    def __init__(self) -> None:
        self._began, self._machine, self._own = time.perf_counter(), _machine_seconds(), time.process_time()

    def others(self) -> float:
        """Processors that were busy with others so far, on average; 0 where the system does not tell."""
        seconds = time.perf_counter() - self._began
        used = _machine_seconds() - self._machine - (time.process_time() - self._own)
        return max(0.0, used / seconds)


def _machine_seconds() -> float:
    """What all processors have worked since the machine was started, in seconds of one of them."""
    try:
        with open("/proc/stat", encoding="ascii") as file:
            user, nice, system, _idle, _io_wait, irq, soft_irq = map(int, file.readline().split()[1:8])
    except OSError:
        return 0.0
    return (user + nice + system + irq + soft_irq) / os.sysconf("SC_CLK_TCK")


@contextmanager
def _others(count: int) -> Iterator[None]:
    """So many programs that do nothing but keep a processor busy."""
    programs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


def late_frames(game: str) -> float:
    """Late frames in a hundred with the agent thinking, less those without it, in alternation in one run."""
    kernels.warm(kernels.units(game))
    late = {True: 0, False: 0}
    seen = {True: 0, False: 0}
    with _window(game) as (window, scene):
        _busy(scene)
        _turns(window, 2.0)
        for _ in range(ROUNDS):
            for thinking in (True, False):
                if thinking:
                    scene.session.driver.run()
                else:
                    scene.session.driver.stop()
                _turns(window, 0.3)
                window.gaps_ms.clear()
                _turns(window, SECONDS / 2)
                late[thinking] += sum(gap > LATE_MS for gap in window.gaps_ms)
                seen[thinking] += len(window.gaps_ms)
    return 100 * (late[True] / seen[True] - late[False] / seen[False])


def key_frames() -> float:
    """Frames from a key to its effect on the screen, the worst of twenty moves of 2048."""
    worst = 0
    with _window("twenty48") as (window, scene):
        _turns(window, 0.3)
        for number in range(20):
            before = scene.session.timeline.cursor
            picture = pygame.image.tobytes(window.surface, "RGB")
            key = (pygame.K_LEFT, pygame.K_DOWN, pygame.K_RIGHT, pygame.K_UP)[number % 4]
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode=""))
            pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key, mod=0, unicode=""))
            frames = 0
            while frames < 60:
                window.turn()
                frames += 1
                if pygame.image.tobytes(window.surface, "RGB") != picture:
                    break
            if scene.session.timeline.cursor > before:
                worst = max(worst, frames)
            _turns(window, 0.35)
    return float(worst)


def leak(games: int = LEAK_GAMES) -> float:
    """Growth of the process's memory over random connect-4 games watched at full speed, in per cent.

    Measured from the end of the first third (about a minute) to the end.
    """
    kernels.warm(kernels.units("connect4"))
    with _window("connect4") as (window, scene):
        scene.session.driver.seats = [catalogue.parse("connect4", "random")] * 2
        scene.session.set_speed(math.inf)
        scene.session.autosave = False
        window.look = type(window.look)(animated=False)
        first = 0.0
        for number in range(games):
            scene.session.new_game()
            scene.session.driver.run()
            while not scene.session.over:
                window.frame(1 / 60)
                time.sleep(0.0005)
            if number == games // 3:
                gc.collect()
                first = _memory()
        gc.collect()
        return 100 * (_memory() / first - 1)


def _memory() -> float:
    """Resident memory of this process in bytes."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return float(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _percentile(values: Iterable[float], share: float) -> float:
    ordered = sorted(values)
    return float(ordered[min(len(ordered) - 1, int(len(ordered) * share))])


def _of(measure: Callable[..., Value], *arguments: str | int) -> Callable[[], Value]:
    return lambda: measure(*arguments)


BENCHES: dict[str, tuple[Callable[[], Value], str, float | None]] = {
    **{f"frame-work-{game}": (_of(frame_work, game), "ms", None) for game in GAMES},
    **{f"frame-work-busy-{game}": (_of(frame_work, game, PROGRAMS), "ms", None) for game in GAMES},
    **{f"late-frames-{game}": (_of(late_frames, game), "more in 100", 1.0) for game in GAMES},
    "key-to-screen": (key_frames, "frames", 1.0),
    "leak-connect4": (leak, "% growth", 5.0),
}
"""Name -> (measure, unit, budget: at most)."""
