"""How long start-up and kernels take, and how fast agents, environments and generators are: `bench` without the window."""

import json
import os
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ai import catalogue, kernels, stopping, temporary
from ai.agent import Thinking
from ai.entries import Entry, Spec
from ai.preparing import processes
from ai.program import ROOT
from ai.sokoban.rooms import kinds
from game.cli.benches import Bench
from game.cli.benches.cancels import hardest, limits, positions
from game.cli.output import notice
from game.play.asking import load_kernels, make
from game.rules import levels, twenty48
from game.rules.sokoban.game import GAME as SOKOBAN

STARTS = 5
SPEED_SECONDS = 3.0
BOARDS = 1024
ROOMS = 256
TIMEOUT = 600.0
LATE = ("torch", "numba", "matplotlib")


def menu_start() -> float:
    """Seconds from the start of a process to the menu on the screen: the median of warm starts.

    Two processes are added: one that imports what comes before the window, from its start to its end, and one that
    shows the menu, from there to its first frame.
    """
    before, shown = [], []
    with temporary.folder() as saves:
        for _ in range(STARTS):
            began = time.perf_counter()
            _python("-c", "import game.cli.main, game.screens.app")
            before.append(time.perf_counter() - began)
            report = _python(
                str(ROOT / "main.py"), "--scene", "menu", "--saves", str(saves), TRILOGIC_EXIT_AFTER_FRAMES="1"
            )
            shown.append(float(json.loads(report.splitlines()[-1])["menu_seconds"]))
    return statistics.median(before[1:]) + statistics.median(shown[1:])


def menu_modules() -> float:
    """How many libraries that are to be imported late are imported to reach the menu."""
    names = ", ".join(repr(name) for name in LATE)
    program = f"import sys, game.cli.main, game.screens.app, game.screens.menu; print(sum(n in sys.modules for n in ({names})))"
    return float(_python("-c", program).split()[-1])


def _python(*words: str, **environment: str) -> str:
    """Run Python without a screen in the program's folder; returns its output. Its standard input ends with this process."""
    reader, writer = os.pipe()
    try:
        with stopping.held():
            process = subprocess.Popen(
                [sys.executable, *words],
                env=os.environ | {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"} | environment,
                cwd=ROOT,
                stdin=reader,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                process_group=0,
            )

        def end() -> None:
            process.kill()
            process.wait(1.0)

        with process, stopping.cleaning(end):
            try:
                said, trouble = process.communicate(timeout=TIMEOUT)
            finally:
                process.kill()
    finally:
        os.close(reader)
        os.close(writer)
    if process.returncode != 0:
        raise RuntimeError(f"python {' '.join(words)[:80]} failed: {trouble.strip()[-300:]}")
    return said


def compile_kernels() -> dict[str, float]:
    """Seconds to compile all kernels of play from nothing, with an empty cache, in as many processes as the first start takes."""
    with temporary.folder() as cache:
        began = time.perf_counter()
        _python("-m", "ai.preparing", "--led", TRILOGIC_CACHE=str(cache))
        return {"all": time.perf_counter() - began, "processes": float(processes())}


def node_speed(state: Any, game: str, entry: Entry) -> Callable[[], float]:
    """A bench: positions a second."""

    def measure() -> float:
        load_kernels(kernels.units(game), notice)
        agent = make(game, hardest(entry), 0)
        nodes, began = 0, time.perf_counter()
        while (left := SPEED_SECONDS - (time.perf_counter() - began)) > 0:
            nodes += agent.plan(state, Thinking(seconds=left)).nodes
        return nodes / (time.perf_counter() - began)

    return measure


def move_speed(entry: Entry) -> Callable[[], float]:
    """A bench: moves a second of a 2048 agent with its own settings, whole games in a kernel where it can."""

    def measure() -> float:
        load_kernels(kernels.units(twenty48.GAME.id), notice)
        agent: Any = make(twenty48.GAME.id, Spec(entry.id), 0)
        moves, game, began = 0, 0, time.perf_counter()
        while (left := SPEED_SECONDS - (time.perf_counter() - began)) > 0:
            agent.new_game(game)
            moves += len(agent.play_many(twenty48.start(4, game), 100_000, Thinking(seconds=left)))
            game += 1
        return moves / (time.perf_counter() - began)

    return measure


def batch_speed() -> float:
    """Moves a second of 1,024 boards of 2048 stepped side by side at random; an action that moves nothing is no move."""
    load_kernels(kernels.units(twenty48.GAME.id), notice)
    from ai.twenty48.board.batch import Batch

    batch, chooser = Batch(BOARDS), np.random.default_rng(0)
    actions = chooser.integers(0, 4, (64, BOARDS))
    batch.start(np.arange(BOARDS, dtype=np.uint64))
    moves, steps, began = 0, 0, time.perf_counter()
    while time.perf_counter() - began < SPEED_SECONDS:
        before = batch.games.spawns.copy()
        batch.step(actions[steps % len(actions)])
        moves += int((batch.games.spawns - before).sum())
        batch.follow(batch.games.over.copy())
        steps += 1
    return moves / (time.perf_counter() - began)


def policy_speed(batch: int) -> Callable[[], float]:
    """A bench: positions a processor-second that a network of 5 blocks of 32 channels looks at, `batch` together.

    The level is an open hall of 10 x 10, 64 squares that the player may enter, so that no level of this size takes longer.
    """

    def measure() -> float:
        from ai.models import ModelCard
        from ai.sokoban.board.layout import layout
        from ai.sokoban.policy import model as policy_model
        from ai.sokoban.policy.inference import Network, weights_of

        luck = np.random.default_rng(0)
        sizes = policy_model.sizes(32, 5, 64).items()
        arrays = {name: (0.1 * luck.standard_normal(size)).astype(np.float32) for name, size in sizes}
        model = policy_model.PolicyModel(ModelCard(Path("bench"), board="10x10"), 32, 5, 64, arrays)
        hall = "##########\n" + "#        #\n" * 7 + "# @ $ .  #\n" + "##########\n"
        network = Network(weights_of(model), layout(levels.parse(hall, "bench").levels[0].state), batch)
        network.seen[:] = luck.random(network.seen.shape, dtype=np.float32)
        network.evaluate(batch, lambda: None)
        looked, began = 0, time.process_time()
        while time.process_time() - began < SPEED_SECONDS:
            for _ in range(20):
                network.evaluate(batch, lambda: None)
            looked += 20 * batch
        return looked / (time.process_time() - began)

    return measure


def room_speed(mode: str) -> Callable[[], float]:
    """A bench: different rooms of 10x10 squares with four boxes, a processor-second."""

    def measure() -> float:
        load_kernels(kernels.units(SOKOBAN.id), notice)
        from ai.sokoban.rooms.maker import RoomMaker

        maker = RoomMaker(0, 10, 10, 4, mode)
        maker.make(1)
        made, began = 0, time.process_time()
        while time.process_time() - began < SPEED_SECONDS:
            made += len(maker.make(50).boards)
        return made / (time.process_time() - began)

    return measure


def label_speed() -> float:
    """Positions a processor-second labelled with all best pushes: rooms of 10x10 squares with four boxes, 8 of each."""
    load_kernels(kernels.units(SOKOBAN.id), notice)
    from ai.sokoban.policy.labels import Labeller
    from ai.sokoban.rooms.maker import RoomMaker

    rooms = RoomMaker(0, 10, 10, 4).make(200).boards.reshape(200, -1)
    labeller, most = Labeller(), np.full(len(rooms), 8, np.int32)
    labeller.label(rooms[:1], most[:1], 10, 0)
    positions, began = 0, time.process_time()
    while time.process_time() - began < SPEED_SECONDS:
        positions += len(labeller.label(rooms, most, 10, 0).to_go)
    return positions / (time.process_time() - began)


def environment_speed() -> Mapping[str, float]:
    """Steps a processor-second of one Sokoban environment with tiny pictures at random, without resets and with them."""
    load_kernels(kernels.units(SOKOBAN.id), notice)
    import gymnasium

    import game.envs  # noqa: F401

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Gymnasium takes the established names for versions
        env: Any = gymnasium.make("Sokoban-v1", observation_mode="tiny_rgb_array")
    env.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, 9, 100_000).tolist()
    resetting, steps, began = 0.0, 0, time.process_time()
    while time.process_time() - began < SPEED_SECONDS:
        over = False
        while not over:
            _, _, solved, cut, _ = env.step(actions[steps % len(actions)])
            over = solved or cut
            steps += 1
        paused = time.process_time()
        env.reset()
        resetting += time.process_time() - paused
    spent = time.process_time() - began
    return {"steps": steps / (spent - resetting), "with-resets": steps / spent}


def environments_speed(pictures: bool) -> Callable[[], float]:
    """A bench: steps a processor-second of 256 rooms of Sokoban side by side at random, new rooms included."""

    def measure() -> float:
        load_kernels(kernels.units(SOKOBAN.id), notice)
        from ai.sokoban.batch.games import NO_TILES, Batch
        from game.envs.sokoban_tiles import tiny_tiles

        batch = Batch(ROOMS, tiles=tiny_tiles(1, False) if pictures else NO_TILES, uses=100)
        actions = np.random.default_rng(0).integers(0, batch.actions, (1000, ROOMS))
        batch.step(actions[0])
        steps, began = 0, time.process_time()
        while time.process_time() - began < SPEED_SECONDS:
            for row in actions:
                batch.step(row)
                if pictures:
                    batch.pixels.copy()
            steps += actions.size
        return steps / (time.process_time() - began)

    return measure


START: dict[str, Bench] = {
    "menu-warm-start": (menu_start, "s", 1.5),
    "menu-heavy-modules": (menu_modules, "modules", 0.0),
    "kernels": (compile_kernels, "s", 80.0),
}
"""What comes before anything can be asked."""


def benches() -> dict[str, Bench]:
    """The speeds: positions, moves, rooms and steps a second."""
    table: dict[str, Bench] = {}
    for game, name, state in positions():
        for entry in catalogue.entries(game):
            if entry.plays(state) is None and not entry.needs_model and limits(entry):
                table[f"nodes-{game}-{entry.id}{name}"] = (node_speed(state, game, entry), "nodes/s", None)
    for entry in catalogue.entries(twenty48.GAME.id):
        if not entry.needs_model:
            table[f"moves-twenty48-{entry.id}"] = (move_speed(entry), "moves/s", None)
    table["moves-twenty48-batch"] = (batch_speed, "moves/s", None)
    table["policy-sokoban"] = (policy_speed(1), "positions/CPU-s", None)
    table["policy-sokoban-batch"] = (policy_speed(16), "positions/CPU-s", None)
    for mode in kinds.MODES:
        table[f"rooms-sokoban-{mode}"] = (room_speed(mode), "rooms/CPU-s", None)
    table["labels-sokoban"] = (label_speed, "positions/CPU-s", None)
    table["env-sokoban-single"] = (environment_speed, "steps/CPU-s", None)
    table["env-sokoban-batch"] = (environments_speed(False), "steps/CPU-s", None)
    table["env-sokoban-batch-pictures"] = (environments_speed(True), "steps/CPU-s", None)
    return table
