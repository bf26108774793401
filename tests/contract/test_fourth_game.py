"""A fourth game is files of its own and one line in the list of games: tried on a copy of the sources."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = Path(__file__).parent / "noughts"
PLACES = {
    "rules.py": "game/rules/noughts.py",
    "agent.py": "ai/noughts/agent.py",
    "family.py": "ai/noughts/family.py",
    "view.py": "game/views/noughts/view.py",
}
"""Where the game's files go."""
LIST = "game/rules/games.py"
NOT_COPIED = shutil.ignore_patterns("__pycache__")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources with noughts and crosses among the games."""
    folder = tmp_path_factory.mktemp("house")
    for name in ("game", "ai"):
        shutil.copytree(ROOT / name, folder / name, ignore=NOT_COPIED)
    for name in ("assets", "levels", "saves"):
        (folder / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "main.py", folder)
    for name, place in PLACES.items():
        path = folder / place
        path.parent.mkdir(exist_ok=True)
        if path.parent.name == "noughts":
            (path.parent / "__init__.py").write_text('"""Noughts and crosses."""\n')
        shutil.copy(SOURCES / name, path)
    listed = (folder / LIST).read_text()
    added = listed.replace("connect4.GAME)", "connect4.GAME, noughts.GAME)").replace(
        "import connect4,", "import connect4, noughts,"
    )
    assert added.count("noughts") == 2
    (folder / LIST).write_text(added)
    return folder


def run(copy: Path, *words: str) -> str:
    """What a program of the copy says."""
    env = os.environ | {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYTHONPATH": str(copy)}
    done = subprocess.run([sys.executable, *words], cwd=copy, env=env, capture_output=True, text=True, timeout=120)
    print(done.stdout, done.stderr)
    assert done.returncode == 0
    return done.stdout


def test_two_agents_play_a_match_that_is_kept_and_drawn(copy: Path, tmp_path: Path) -> None:
    words = ("main.py", "match", "noughts", "--agent", "first", "--agent", "first", "--games", "2", "--json")
    found = json.loads(run(copy, *words, "--record", str(tmp_path)))
    assert found["game"] == "noughts" and found["games"] == 2
    assert [agent["wins"] for agent in found["agents"]] == [1, 1], "who begins wins in the seventh move"
    replay = sorted(tmp_path.glob("*.json"))[0]
    said = run(copy, "main.py", "replay", str(replay))
    assert "Noughts and crosses" in said and "X O X" in said
    run(copy, "main.py", "replay", str(replay), "--export", str(tmp_path / "game.gif"), "--size", "200")
    assert (tmp_path / "game.gif").stat().st_size > 2000


def test_it_is_listed_analysed_and_an_environment(copy: Path) -> None:
    assert "First" in run(copy, "main.py", "agents", "noughts")
    found = json.loads(run(copy, "main.py", "analyze", "noughts", "--position", "15", "--agent", "first", "--json"))
    assert found["best"] == "2" and len(found["actions"]) == 7
    program = (
        "from game.envs import seats; env = seats.env('noughts', render_mode='rgb_array'); env.reset(); env.step(4);"
        "print(env.last()[0]['action_mask'].tolist(), env.render().shape)"
    )
    assert run(copy, "-c", program).split("\n")[-2] == "[1, 1, 1, 1, 0, 1, 1, 1, 1] (480, 480, 3)"


def test_it_keeps_what_every_game_and_every_view_promise(copy: Path) -> None:
    shutil.copytree(ROOT / "tests" / "contract", copy / "tests" / "contract", ignore=NOT_COPIED, dirs_exist_ok=True)
    tests = [f"tests/contract/test_{name}.py" for name in ("games", "views", "environments")]
    said = run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "noughts or seats", *tests)
    assert "passed" in said or "100%" in said
