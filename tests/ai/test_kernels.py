"""What is compiled at the first start, and what by a training."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ai import kernels
from ai.agent import Thinking
from ai.entries import Entry, Parameter, Spec, Trainer
from ai.family import Family, Unit
from ai.sokoban.board import moves
from ai.sokoban.dqn import dense, model
from ai.sokoban.dqn.agent import Dqn
from ai.sokoban.warm import q_network
from game.rules import sokoban
from game.rules.games import GAMES

MODELS = Path(__file__).resolve().parents[2] / "saves" / "models"


@pytest.fixture
def warmed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Which units were asked to compile: of a game with two agents, something else, and one training with kernels of its own."""
    asked: list[str] = []
    for name in ("small", "large", "rooms", "rest", "learn"):
        module = ModuleType(f"ai.sokoban.probe_{name}")
        setattr(module, "warm", lambda name=name: asked.append(name))  # noqa: B010 (mypy knows no such name)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    from_one = Parameter("from", "", "choice", "small", "", choices=("small", "large"))
    agents = (
        Entry("large", "", "", "nowhere:None"),
        Entry("small", "", "", "nowhere:None"),
        Entry("better", "", "", "nowhere:None", (from_one,)),
        Entry("asks", "", "", "nowhere:None", borrows="large"),
    )
    wanted = (("rest", ()), ("rooms", ("rooms",)), ("large", ("large", "rooms")), ("small", ("small",)))
    probed = Family(
        agents=agents,
        strongest=(Spec("large"), Spec("small")),
        warm=tuple(Unit(f"ai.sokoban.probe_{name}:warm", words) for name, words in wanted),
        trainers=(Trainer("dqn", "Learner", "", "nowhere:None", warm="ai.sokoban.probe_learn"),),
    )
    monkeypatch.setattr(kernels, "GAMES", {"sokoban": GAMES["sokoban"]})
    monkeypatch.setattr(kernels, "family", lambda game: probed)
    monkeypatch.setattr(kernels, "families", lambda: {"sokoban": probed})
    monkeypatch.setattr(kernels, "cache_folder", lambda family: tmp_path / family)
    monkeypatch.setenv("TRILOGIC_CACHE", str(tmp_path / "cache"))
    return asked


def named(*names: str) -> tuple[str, ...]:
    return tuple(f"ai.sokoban.probe_{name}:warm" for name in names)


def test_the_smallest_useful_agent_comes_first_and_what_no_agent_needs_last(warmed: list[str]) -> None:
    assert kernels.in_order() == named("small", "large", "rest", "rooms")


@pytest.mark.parametrize(
    ("spec", "units"),
    [
        (Spec("small"), ["small"]),
        (Spec("better"), ["small"]),
        (Spec("better", {"from": "large"}), ["large"]),
        (Spec("asks"), []),
        (Spec("asks", model="m"), ["large"]),
    ],
    ids=str,
)
def test_an_agent_needs_its_own_kernels_and_those_of_who_plays_within_it(
    warmed: list[str], spec: Spec, units: list[str]
) -> None:
    assert kernels.needed("sokoban", spec) == named(*units)


def test_only_what_is_asked_for_is_compiled(warmed: list[str]) -> None:
    kernels.warm(kernels.needed_by("sokoban", "rooms"))
    assert warmed == ["rooms", "large"]
    assert kernels.ready(kernels.needed("sokoban", Spec("large"))) and not kernels.game_ready("sokoban")
    assert not kernels.ready(kernels.needed("sokoban", Spec("small")))


def test_a_training_compiles_its_own(warmed: list[str]) -> None:
    kernels.warm(kernels.training("sokoban", "dqn"))
    assert warmed == ["learn"] and kernels.ready(kernels.training("sokoban", "dqn"))
    assert not kernels.game_ready("sokoban")
    assert kernels.training("sokoban", "policy") == (), "it has none of its own"


def test_a_relative_cache_is_the_same_wherever_the_app_is_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TRILOGIC_CACHE", "kept")
    before = kernels.cache_root()
    monkeypatch.chdir(tmp_path)
    assert before == kernels.cache_root() and before.is_absolute()
    monkeypatch.setenv("TRILOGIC_CACHE", str(tmp_path))
    assert kernels.cache_root() == tmp_path


@pytest.mark.parametrize("name", ["one-box", "two-boxes", "report"])
def test_playing_with_a_q_network_compiles_nothing(name: str) -> None:
    q_network()
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
kernels.warm(kernels.units(game))
STATES = {
    "connect4": [
        connect4.parse_position("4444", Shape(6, 7, 1, 4)),
        connect4.start(Shape(4, 4, 4, 4)),
        connect4.start(Shape(6, 7, 5, 4, 3)),
    ],
    "twenty48": [twenty48.start(4), twenty48.start(3), twenty48.start(5)],
    "sokoban": [sokoban.from_array(np.array(LEVEL)), parse(THROUGH, "through").levels[0].state],
}


def all_kernels():
    found = {}
    for name, module in list(sys.modules.items()):
        if name.startswith("ai."):
            for value in vars(module).values():
                if isinstance(value, Dispatcher):
                    found[f"{value.py_func.__module__}.{value.py_func.__name__}"] = value
    return found


def in_memory():
    return {f"{name}{sign}" for name, each in all_kernels().items() for sign in each.overloads}


missing = set()
asked = 0
for state in STATES[game]:
    for entry in catalogue.entries(game):
        spec = catalogue.default_spec(game, entry.id, state)
        if catalogue.why_not(game, spec, state) is None:
            # only what the agent's own units load is there
            for each in all_kernels().values():
                each._reset_overloads()
            kernels.warm(kernels.needed(game, spec))
            before = in_memory()
            agent = catalogue.create(game, spec)
            agent.new_game(1)
            agent.plan(state, Thinking(seconds=0.3, nodes=3000))
            missing |= {f"{entry.id}: {each}" for each in in_memory() - before}
            asked += 1
assert asked > 5, asked
print(asked, "plans; in none of the agent's units:", *sorted(missing), sep="\\n")
sys.exit(bool(missing))
'''


@pytest.mark.parametrize("game", GAMES)
def test_an_agent_plays_with_the_kernels_of_its_own_units(game: str) -> None:
    done = subprocess.run([sys.executable, "-c", PLAY, game], capture_output=True, text=True, timeout=300)
    print(done.stdout, done.stderr)
    assert done.returncode == 0
