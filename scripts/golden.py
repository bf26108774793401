#!/usr/bin/env python3
"""Writes down what the app does, so that two versions can be set beside each other: nothing else may change in a rebuild.

    python scripts/golden.py write FOLDER [NAME ...]     # with the version before, then with the one after
    python scripts/golden.py compare BEFORE AFTER        # exit code 1 and a line for everything that differs

`write` runs commands whose limits are positions, plies or games, never seconds, and keeps their JSON without times and
dates; it trains small models and keeps their numbers; and it takes stills of every screen, in both themes and three
sizes, without agents and without motion. NAME is the beginning of a name: `solve`, `still-menu`.
"""

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TIMES = {
    "seconds", "date", "started", "moves_per_second", "seconds_per_move", "longest_move", "games_per_second",
    "positions_per_second", "rooms_per_second", "nodes_per_second",
}  # fmt: skip
"""Keys whose values are another's every time."""
SIZES = ((1024, 640), (1280, 800), (1920, 1080))
SCENES = ("menu", "settings", "sokoban", "2048", "connect4", "editor", "replays", "models", "lab")
SOLVERS = ("fess", "astar", "astar,optimal=moves", "weighted-astar", "greedy", "ucs", "bfs", "ida", "beam", "lrta")
NETWORKS = ("policy:sokoban-policy-2min", "policy-search:sokoban-policy-2min,expansions=300")
PLAYERS_2048 = (
    "expectimax,depth=2", "ntuple:2048-small", "ntuple:2048-small,plies=2", "ntuple-report:ntuple-report",
    "mcts,simulations=200,time=600", "greedy", "random",
)  # fmt: skip
PLAYERS_CONNECT4 = (
    "perfect,time=600", "alphabeta,depth=5,time=600", "minimax,depth=3,time=600", "maxn,depth=4,time=600",
    "brs,depth=4,time=600", "brs+,depth=4,time=600", "qlearning:qlearning-100k", "mcts,simulations=500,time=600",
    "mcts:connect4-net,simulations=100,time=600", "greedy", "offensive", "defensive", "ntuple:connect4-ntuple",
    "net:connect4-net",
)  # fmt: skip
TRAININGS = (
    "2048 ntuple --set tuples=4x5,games=300",
    "2048 ntuple-report --set games=100",
    "connect4 qlearning --set games=2000",
    "connect4 ntuple --set board=4x5x1x4,games=2000,roots=20,passes=1",
    "connect4 book --set rows=4,columns=5,nodes=1000,plies=2,table=20",
    "sokoban dqn --set number=1,patience=200",
)


def commands() -> dict[str, str]:
    """Name -> words after `python main.py`; OUT is a folder for what they write."""
    found = {"agents": "agents", "models": "models"}
    for agent in SOLVERS:
        found[f"solve-{agent}"] = (
            f"solve levels/2-depot.xsb --agent {agent} --nodes 20000 --time 600 --level 1 2 3 4 5 6 7 8"
        )
    found["solve-variants"] = "solve levels/5-variants.xsb --agent astar --nodes 20000 --time 600"
    for agent in NETWORKS:
        found[f"solve-{agent}"] = f"solve levels/1-first-steps.xsb --agent {agent} --time 600 --level 5 6 7 8"
    found["solve-dqn"] = "solve levels/4-report.xsb --agent dqn:sokoban-dqn-two-boxes --level 2"
    for agent in PLAYERS_2048:
        found[f"match-2048-{agent}"] = f"match 2048 --agent {agent} --games 2 --seed 3 --record OUT"
    for agent in PLAYERS_CONNECT4:
        words = f"match connect4 --agent {agent} --agent random --games 4 --seed 3 --record OUT"
        found[f"match-connect4-{agent}"] = words
    three = "--agent maxn,depth=3,time=600 --agent brs,depth=3,time=600 --agent greedy"
    found["match-connect4-three"] = f"match connect4 --board 4,5,3,4 {three} --games 3 --seed 3 --record OUT"
    found["analyze-connect4"] = "analyze connect4 --position 44535 --agent perfect,time=600"
    found["analyze-deep"] = "analyze connect4 --position 4.1,4.2 --board 4,4,4,4 --agent alphabeta,depth=4,time=600"
    found["analyze-deep"] = found["analyze-deep"].replace("4.1,4.2", "'4.1 4.2'")
    found["analyze-2048"] = "analyze 2048 --position '0 2 4 8/16 32 64 2/4 4 0 0/0 0 0 0' --agent expectimax,depth=3"
    for mode in ("established", "fast"):
        found[f"generate-{mode}"] = (
            f"generate --size 9x9 --boxes 3 --count 5 --mode {mode} --seed 4 --out OUT/rooms.xsb"
        )
    for path in sorted((ROOT / "saves" / "replays" / "examples").glob("*.json")):
        found[f"replay-{path.stem}"] = f"replay {path.relative_to(ROOT).as_posix()}"
    for words in TRAININGS:
        found["train-" + "-".join(words.split()[:2])] = f"train {words} --seed 5 --out OUT/model.safetensors"
    return found


def _plain(value: Any, folder: str) -> Any:
    """JSON without what is another's every time."""
    if isinstance(value, dict):
        return {key: _plain(each, folder) for key, each in value.items() if key not in TIMES}
    if isinstance(value, list):
        return [_plain(each, folder) for each in value]
    return value.replace(folder, "OUT") if isinstance(value, str) else value


def _written(folder: Path) -> Iterator[tuple[str, Any]]:
    """What a command has written: replays and rooms as they are, models by their numbers."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.suffix == ".json":
            yield name, _plain(json.loads(path.read_text("utf-8")), str(folder))
        elif path.suffix == ".xsb":
            yield name, path.read_text("utf-8")
        elif path.suffix == ".safetensors":
            from safetensors.numpy import load_file

            yield name, {key: hashlib.sha256(each.tobytes()).hexdigest() for key, each in load_file(path).items()}


def _run(words: str) -> Any:
    import shlex

    with tempfile.TemporaryDirectory() as folder:
        asked = [sys.executable, "main.py", *shlex.split(words.replace("OUT", folder)), "--json"]
        done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, timeout=900)
        try:
            said = json.loads(done.stdout)
        except ValueError:
            said = [done.stdout, done.stderr[-2000:]]
        return {"code": done.returncode, "said": _plain(said, folder), "written": dict(_written(Path(folder)))}


class _Same(random.Random):
    """In the place of chance."""

    def __init__(self) -> None:
        super().__init__(7)


def _stills(folder: Path, wanted: tuple[str, ...]) -> None:
    os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    sys.path.insert(0, str(ROOT))
    import pygame

    from ai import kernels
    from game.screens import app
    from game.screens.navigation import make_scene

    random.SystemRandom = _Same  # the seeds of new games
    kernels.ready = lambda _units: False
    kernels.all_ready = lambda: False
    for scene in SCENES:
        for size in SIZES:
            for theme in ("dark", "light"):
                name = f"still-{scene}-{theme}-{size[0]}x{size[1]}"
                if wanted and not name.startswith(wanted):
                    continue
                with tempfile.TemporaryDirectory() as saves:
                    window, context = app.open_window(Path(saves), size)
                    context.set("theme", theme)
                    context.set("animation", "instant")
                    window.push(make_scene(scene, window, context))
                    window.running = True
                    for _ in range(60):
                        window.frame(1 / 60)
                        time.sleep(0.01)  # thumbnails are made in a thread
                    pygame.image.save(window.surface, folder / f"{name}.png")
                    window.close()
                    app.close_context(context)
                print(name, flush=True)


def write(folder: Path, wanted: tuple[str, ...]) -> int:
    """Everything, or what was named, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, words in commands().items():
        if not wanted or name.startswith(wanted):
            found = json.dumps({"command": words, **_run(words)}, indent=1, sort_keys=True)
            (folder / f"{name.replace(':', '_')}.json").write_text(found + "\n", encoding="utf-8")
            print(name, flush=True)
    _stills(folder, wanted)
    return 0


def compare(before: Path, after: Path) -> int:
    """Name what differs; returns the exit code."""
    names = sorted({path.name for folder in (before, after) for path in folder.iterdir()})
    different = []
    for name in names:
        one, other = before / name, after / name
        if not (one.exists() and other.exists()):
            different.append(f"{name}: only in {before if one.exists() else after}")
        elif one.read_bytes() != other.read_bytes():
            different.append(f"{name}: {_difference(one, other)}")
    print("\n".join(different) or f"{len(names)} files, all equal")
    return 1 if different else 0


def _difference(one: Path, other: Path) -> str:
    if one.suffix == ".png":
        import numpy as np
        from PIL import Image

        first, second = (np.asarray(Image.open(path).convert("RGB")).astype(int) for path in (one, other))
        if first.shape != second.shape:
            return "another size"
        rows, columns = np.nonzero((first != second).any(axis=2))
        return f"{len(rows)} pixels differ, from ({columns.min()}, {rows.min()}) to ({columns.max()}, {rows.max()})"
    lines = zip(one.read_text("utf-8").splitlines(), other.read_text("utf-8").splitlines(), strict=False)
    first_two = next(((a.strip(), b.strip()) for a, b in lines if a != b), ("", "longer or shorter"))
    return f"{first_two[0][:150]!r} became {first_two[1][:150]!r}"


def main() -> int:
    """Write or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("write", "compare"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("rest", nargs="*", metavar="NAME or AFTER")
    arguments = parser.parse_args()
    if arguments.what == "compare":
        return compare(arguments.folder, Path(arguments.rest[0]))
    return write(arguments.folder, tuple(arguments.rest))


if __name__ == "__main__":
    sys.exit(main())
