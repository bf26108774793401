"""What is compiled at the first start, and what by a training."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ai import kernels
from ai.agent import Thinking
from ai.entries import Trainer
from ai.family import Family
from ai.sokoban.board import moves
from ai.sokoban.dqn import dense, model
from ai.sokoban.dqn.agent import Dqn
from ai.sokoban.warm import warm
from game.rules import sokoban
from game.rules.games import GAMES

MODELS = Path(__file__).resolve().parents[2] / "saves" / "models"


@pytest.fixture
def warmed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Which modules were asked to compile: of a game with one training that has kernels of its own."""
    asked: list[str] = []
    for name in ("play", "learn"):
        module = ModuleType(f"probe_{name}")
        setattr(module, "warm", lambda name=name: asked.append(name))  # noqa: B010 (mypy knows no such name)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    training = Trainer("dqn", "Learner", "", "nowhere:None", warm="probe_learn")
    probed = Family(agents=(), strongest=(), warm=("probe_play",), trainers=(training,))
    monkeypatch.setattr(kernels, "GAMES", {"sokoban": GAMES["sokoban"]})
    monkeypatch.setattr(kernels, "family", lambda game: probed)
    monkeypatch.setattr(kernels, "families", lambda: {"sokoban": probed})
    monkeypatch.setattr(kernels, "cache_folder", lambda family: tmp_path / family)
    monkeypatch.setenv("TRILOGIC_CACHE", str(tmp_path / "cache"))
    return asked


def test_the_first_start_leaves_out_what_only_a_training_needs(warmed: list[str]) -> None:
    assert not kernels.ready("sokoban")
    assert kernels.main() == 0
    assert warmed == ["play"] and kernels.all_ready() and not kernels.ready("sokoban", "dqn")


def test_a_training_compiles_its_own(warmed: list[str]) -> None:
    kernels.warm("sokoban", "dqn")
    assert warmed == ["learn"] and kernels.ready("sokoban", "dqn") and not kernels.ready("sokoban")
    assert kernels.ready("sokoban", "policy"), "it has none of its own"


def test_with_the_trainings_each_once(warmed: list[str]) -> None:
    assert kernels.main(["trainings"]) == 0 == kernels.main(["trainings"])
    assert warmed == ["play", "learn"]


def test_help_says_where_they_are_kept_and_compiles_nothing(
    warmed: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRILOGIC_CACHE", "somewhere")
    for told, code in (["--help"], 0), (["training"], 2):
        with pytest.raises(SystemExit) as left:
            kernels.main(told)
        assert left.value.code == code and not warmed
    said = " ".join(capsys.readouterr().out.split())
    print(said)
    assert "trainings" in said and "TRILOGIC_CACHE" in said and "somewhere/kernels" in said.replace("\\", "/")


def test_a_relative_cache_is_the_same_wherever_the_app_is_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TRILOGIC_CACHE", "kept")
    before = kernels.cache_root()
    monkeypatch.chdir(tmp_path)
    assert before == kernels.cache_root() and before.is_absolute()
    monkeypatch.setenv("TRILOGIC_CACHE", str(tmp_path))
    assert kernels.cache_root() == tmp_path


def test_a_cache_that_cannot_be_written_is_one_sentence(
    warmed: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(kernels, "cache_folder", lambda family: tmp_path / "file" / family)
    assert kernels.main() == 2 and not warmed
    said = capsys.readouterr().err
    print(said)
    assert said.count("\n") == 1 and "TRILOGIC_CACHE" in said


@pytest.mark.parametrize("name", ["one-box", "two-boxes", "report"])
def test_playing_with_a_q_network_compiles_nothing(name: str) -> None:
    warm()
    used = [dense.see, dense.add_rows, moves.mark_alive]
    before = [list(kernel.signatures) for kernel in used]
    assert all(before)
    path = MODELS / f"sokoban-dqn-{name}.safetensors"
    level = model.load(path).level
    assert level is not None
    plan = Dqn(path, 50, "game", True).plan(level, Thinking())
    print(name, plan.note)
    assert plan.values and not sokoban.is_solved(level)
    assert [list(kernel.signatures) for kernel in used] == before


PLAY = '''
import sys
import numpy as np
from numba.core.dispatcher import Dispatcher
from ai import catalogue, kernels
from ai.agent import Thinking
from game.rules import connect4, sokoban, twenty48
from game.rules.connect4 import Shape
from game.rules.levels import parse

LEVEL = [[1] * 7, [1, 4, 2, 3, 0, 0, 1], [1, 0, 2, 0, 0, 0, 1], [1, 0, 0, 3, 0, 0, 1], [1] * 7]
# boxes that must go through the targets, so the plan parks some
THROUGH = """
###############
#     #########
#     ##      #
#     ##  $$  #
#     ##  $@$ #
#     ## #    #
#     ##  #####
#     ....#####
#     #########
###############
"""
game = sys.argv[1]
kernels.warm(game)
STATES = {
    "connect4": [
        connect4.parse_position("4444", Shape(6, 7, 1, 4)),
        connect4.start(Shape(4, 4, 4, 4)),
        connect4.start(Shape(6, 7, 5, 4, 3)),
    ],
    "twenty48": [twenty48.start(4), twenty48.start(3), twenty48.start(5)],
    "sokoban": [sokoban.from_array(np.array(LEVEL)), parse(THROUGH, "through").levels[0].state],
}


def compiled():
    found = set()
    for name, module in list(sys.modules.items()):
        if name.startswith("ai."):
            for value in vars(module).values():
                if isinstance(value, Dispatcher):
                    name = f"{value.py_func.__module__}.{value.py_func.__name__}"
                    found |= {f"{name}{sign}" for sign in value.stats.cache_misses}
    return found


before = compiled()
asked = 0
for state in STATES[game]:
    for entry in catalogue.entries(game):
        spec = catalogue.default_spec(game, entry.id, state)
        if catalogue.why_not(game, spec, state) is None:
            agent = catalogue.create(game, spec)
            agent.new_game(1)
            agent.plan(state, Thinking(seconds=0.3, nodes=3000))
            asked += 1
new = compiled() - before
assert asked > 5, asked
print(asked, "plans; not in the cache:", *sorted(new), sep="\\n")
sys.exit(bool(new))
'''


@pytest.mark.parametrize("game", GAMES)
def test_nothing_compiles_while_agents_play(game: str) -> None:
    done = subprocess.run([sys.executable, "-c", PLAY, game], capture_output=True, text=True, timeout=300)
    print(done.stdout, done.stderr)
    assert done.returncode == 0
