"""A fourth game touches no other file: noughts and crosses, added to a copy of the tree, is played everywhere.

What is added stands in `tests/contract/fourth`, laid out as in the tree: a module in `rules`, a folder in `ai`, one in
`views`. The only change is one line in the list of games, and the import beside it.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ADDED = Path(__file__).resolve().parent / "fourth"
LIST = "game/rules/games.py"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program with the fourth game."""
    root = tmp_path_factory.mktemp("tree")
    ignored = shutil.ignore_patterns("__pycache__", "*.nbi", "*.nbc")
    for name in ("game", "ai", "assets"):
        shutil.copytree(ROOT / name, root / name, ignore=ignored)
    shutil.copy(ROOT / "main.py", root)
    for file in sorted(ADDED.rglob("*.py")):
        place = root / file.relative_to(ADDED)
        assert not place.exists(), "it only adds files"
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, place)
    listed = (root / LIST).read_text("utf-8")
    changed = listed.replace("import connect4, ", "import connect4, noughts, ").replace(
        "        connect4.GAME,\n", "        connect4.GAME,\n        noughts.GAME,\n"
    )
    assert changed.count("noughts") == 2, listed
    (root / LIST).write_text(changed, "utf-8")
    return root


def run(tree: Path, *words: object, code: int = 0) -> str:
    """What a command of the copy prints."""
    environment = {**os.environ, "TRILOGIC_CACHE": str(tree / "cache"), "SDL_VIDEODRIVER": "dummy"}
    done = subprocess.run(
        [sys.executable, *map(str, words)], cwd=tree, env=environment, capture_output=True, text=True, timeout=120
    )
    print(words, done.stdout, done.stderr)
    assert done.returncode == code
    return done.stdout if code == 0 else done.stderr


def test_its_agents_play_a_match_whose_games_are_replays(tree: Path) -> None:
    assert {each["id"] for each in json.loads(run(tree, "main.py", "agents", "noughts", "--json"))["agents"]} == {
        "careful", "random",
    }  # fmt: skip
    words = ("main.py", "match", "noughts", "--agent", "careful", "--agent", "random", "--games", 6, "--json")
    found = json.loads(run(tree, *words, "--openings", 1, "--record", tree / "kept"))
    careful, luck = found["agents"]
    assert (found["game"], found["players"], found["games"]) == ("noughts", 2, 6)
    assert careful["wins"] + careful["draws"] + careful["losses"] == 6
    assert careful["wins"] == luck["losses"]
    files = sorted((tree / "kept").glob("noughts-*.json"))
    assert len(files) == 6
    for file in files:
        played = json.loads(run(tree, "main.py", "replay", file, "--json"))
        assert played["valid"] and played["result"]["outcome"] in ("won", "draw")
        assert played["seats"] in (["careful", "random"], ["random", "careful"])
    run(tree, "main.py", "replay", files[0], "--export", tree / "game.png")
    assert (tree / "game.png").stat().st_size > 1000


def test_a_position_is_analysed(tree: Path) -> None:
    words = ("main.py", "analyze", "noughts", "--agent", "careful", "--json", "--position")
    found = json.loads(run(tree, *words, "XX./OO./..."))
    assert (found["position"], found["best"], found["score"]) == ("XX./OO./...", "3", 1.0)
    assert [each["action"] for each in found["actions"]] == ["3", "6", "7", "8", "9"]
    assert "three rows" in run(tree, *words, "XX", code=2)


def test_what_belongs_to_other_games_is_refused(tree: Path) -> None:
    words = ("main.py", "match", "noughts", "--agent", "careful")
    assert "noughts has 2 seats" in run(tree, *words, code=2)
    assert "--board belongs to Connect-4 only" in run(tree, *words, "--agent", "random", "--board", "3,3,1,3", code=2)


def test_it_is_an_environment(tree: Path) -> None:
    program = (
        "from pettingzoo.test import seed_test\n"
        "from game.envs import seats\n"
        "seed_test(lambda: seats.env('noughts'), num_cycles=50)\n"
        "env = seats.env('noughts', render_mode='rgb_array')\n"
        "env.reset()\n"
        "for agent in env.agent_iter():\n"
        "    seen, reward, over, cut, info = env.last()\n"
        "    env.step(None if over else env.action_space(agent).sample(seen['action_mask']))\n"
        "assert env.render().shape == (480, 480, 3)\n"
    )
    run(tree, "-c", program)


def test_it_keeps_what_every_game_and_every_view_promise(tree: Path) -> None:
    shutil.copytree(ROOT / "tests" / "contract", tree / "tests" / "contract", dirs_exist_ok=True)
    tests = [f"tests/contract/test_{name}.py" for name in ("games", "views", "environments")]
    said = run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "noughts or seats", *tests)
    assert "100%" in said


WINDOW = """
import sys, time
import pygame
from pathlib import Path
from ai import kernels
from game.screens import app

kernels.ready = lambda *_words: True
window, context = app.open_window(Path(sys.argv[1]), (1280, 800))
window.push(app.make_scene("menu", window, context))
window.frame(1 / 60)
scene = app.make_scene("noughts", window, context)
window.push(scene)

def frames(wanted):
    end = time.monotonic() + 30
    while not wanted() and time.monotonic() < end:
        window.frame(1 / 60)
    assert wanted()

frames(lambda: window.frames > 3)
for square in (4, 0, 1, 2, 3, 5, 6, 7, 8):
    cursor = scene.session.timeline.cursor
    if scene.session.over or scene.session.state.cells[square]:
        continue
    rect = scene.drawing.rect
    place = rect.x + rect.w * (square % 3) // 3 + 20, rect.y + rect.h * (square // 3) // 3 + 20
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=place, button=1))
    frames(lambda: scene.session.over or scene.session.timeline.cursor == cursor + 2)
pygame.image.save(window.surface, sys.argv[2])
print(scene.session.state.cells, scene.session.over, [toast.text for toast in window.toasts.items])
window.close()
app.close_context(context)
again = app.open_window(Path(sys.argv[1]), (1280, 800))
print(app.make_scene("noughts", *again).session.timeline.cursor)
app.close_context(again[1])
"""


def test_it_is_played_in_the_window_saved_and_kept(tree: Path, tmp_path: Path) -> None:
    said = run(tree, "-c", WINDOW, tmp_path / "saves", tmp_path / "window.png").splitlines()
    print(said)
    assert "True []" in said[-2], "the game is over, and nothing went wrong"
    assert int(said[-1].split()[0]) >= 5, "it was saved"
    assert any((tmp_path / "saves" / "replays").rglob("*noughts*")), "and kept among the replays"
