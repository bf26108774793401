"""What every game's family under `ai` promises, and that nothing else there knows a game by name."""

import ast
import importlib
import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path
from types import ModuleType

import pytest

from ai import catalogue, family, kernels, models
from ai.entries import CatalogueError, Entry, Figure, Spec, Trainer, named
from ai.family import Family, Unit, families
from ai.models import ModelCard
from ai.settings import parameters_of, setting
from ai.tensors import write_whole
from game.rules import games
from game.rules.games import GAMES
from game.saves.folder import PROGRAM_SAVES

AI = Path(family.__file__).parent
AGENTS = [entry for each in families().values() for entry in each.agents]
TRAINERS = [trainer for each in families().values() for trainer in each.trainers]
EVERY = pytest.mark.parametrize("game", GAMES)


@EVERY
def test_ids_are_of_that_game_and_different(game: str) -> None:
    each = families()[game]
    for rows in (each.agents, each.trainers):
        ids = [row.id for row in rows]
        print(game, ids)
        assert len(set(ids)) == len(ids) and {row.game for row in rows} <= {game}
    with pytest.raises(FrozenInstanceError):
        each.warm = ()  # type: ignore[misc]


@EVERY
def test_who_is_strongest_exists_and_the_last_plays_without_a_model(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    each = families()[game]
    for spec in each.strongest:
        entry = each.agent(spec.id)
        assert entry is not None and all(
            entry.parameter(name).check(value) == value for name, value in spec.settings.items()
        )
    monkeypatch.setattr(models, "FOLDERS", [])
    state = GAMES[game].start({})
    assert catalogue.why_not(game, catalogue.strongest(game, state), state) is None


@pytest.mark.parametrize("trainer", TRAINERS, ids=lambda trainer: f"{trainer.game}-{trainer.id}")
def test_what_a_training_is_told_is_allowed_by_default(trainer: Trainer) -> None:
    for parameter in trainer.parameters:
        print(parameter.name, parameter.default, parameter.describe())
        assert parameter.check(parameter.default) == parameter.default
        assert parameter.title and parameter.help.rstrip().endswith((".", "'"))
    assert trainer.parameter("seconds").type == "float"
    assert trainer.figure("mean_score_per_second") == Figure("Mean score/s")
    assert all(
        trainer.figure(name).title and each.words.format(0.5) is not None for name, each in trainer.figures.items()
    )


@EVERY
def test_opponents_are_agents_that_can_be_had(game: str) -> None:
    """Each is an agent that parses, with a model that ships where it names one, and plays the usual board itself."""
    models.use_folders(PROGRAM_SAVES / "models")
    named_ones, state = catalogue.opponents(game), GAMES[game].start({})
    assert len({each.name for each in named_ones}) == len(named_ones)
    assert len({each.agent for each in named_ones}) == len(named_ones)
    for each in named_ones:
        print(each)
        assert each.name and each.about.endswith(".")
        assert catalogue.opponent(game, each, state) == catalogue.parse(game, each.agent)
        if each.elsewhere:
            assert catalogue.parse(game, each.elsewhere).model is None, "no model plays every board"


@EVERY
def test_opponents_stand_from_weakest_to_strongest(game: str) -> None:
    """By ratings that are all measured, or none of them is."""
    rated = [each.rating for each in catalogue.opponents(game) if each.rating is not None]
    assert rated == sorted(rated) and len(set(rated)) == len(rated)
    assert len(rated) in (0, len(catalogue.opponents(game)))
    assert bool(rated) <= bool(families()[game].rated_in)
    assert all(
        (each.stderr is None) <= (each.rating is None or not each.rating) for each in catalogue.opponents(game)
    )


@EVERY
def test_what_compiles_its_kernels_is_there(game: str) -> None:
    """Looked up in a process of its own, which imports numba."""
    each = families()[game]
    ids = {entry.id for entry in each.agents}
    words = {word for unit in each.warm for word in unit.needed_by} - ids
    assert words <= {"rooms", "openings", "oracle"}, f"neither agents nor asked for by anybody: {words}"
    units = [unit.warm for unit in each.warm] + [f"{trainer.warm}:warm" for trainer in each.trainers if trainer.warm]
    code = f"from ai.entries import named\nfor unit in {units}: assert callable(named(unit)), unit"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=AI.parent)


@pytest.mark.parametrize("entry", AGENTS, ids=lambda entry: f"{entry.game}-{entry.id}")
def test_an_agent_with_models_says_what_loads_them(entry: Entry) -> None:
    lender = families()[entry.game].agent(entry.model_agent)
    print(entry.id, entry.model_agent, lender and lender.loader)
    assert lender is not None
    assert bool(lender.loader) == (entry.takes_model or entry.finds_model)
    assert not lender.loader or callable(named(lender.loader))


def test_no_game_stands_by_name_in_what_belongs_to_none() -> None:
    names = {*GAMES, *(game.name for game in GAMES.values()), *(game.title for game in GAMES.values())}
    ids = {entry.id for entry in AGENTS}
    for path in sorted(AI.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value not in names | ids, f"{path.name}:{node.lineno}: {node.value!r}"
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                assert not any(node.module.startswith(f"ai.{game}") for game in GAMES), f"{path.name}:{node.lineno}"


def test_families_are_found_without_numba_and_torch() -> None:
    code = "import sys; import ai.catalogue, ai.kernels; print({'numba', 'torch', 'pygame'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=AI.parent)
    assert done.stdout.strip() == "set()"


# A game more


@pytest.fixture
def noughts(monkeypatch: pytest.MonkeyPatch) -> Family:
    """A game with one agent, one training and one kind of model, in no table but the list of games."""
    title = Entry("first", "First", "The first square.", "builtins:dict", loader="builtins:open")
    training = Trainer("first", "First", "", "builtins:tuple", warm="ai.noughts.learning")
    made = Family(
        agents=(title,),
        strongest=(Spec("first"),),
        warm=(Unit("ai.noughts.warm:first", ("first",)),),
        trainers=(training,),
    )
    module = ModuleType("ai.noughts.family")
    setattr(module, "FAMILY", made)  # noqa: B010 (mypy knows no such name)
    game = importlib.import_module("copy").copy(GAMES["connect4"])
    object.__setattr__(game, "id", "noughts")
    monkeypatch.setitem(sys.modules, "ai.noughts", ModuleType("ai.noughts"))
    monkeypatch.setitem(sys.modules, "ai.noughts.family", module)
    monkeypatch.setitem(games.GAMES, "noughts", game)
    return made


def test_a_game_more_is_in_everything_that_collects(noughts: Family, tmp_path: Path) -> None:
    found = families()["noughts"]
    assert found.strongest == noughts.strongest and found.warm == noughts.warm
    assert [each.game for each in (*found.agents, *found.trainers)] == ["noughts", "noughts"]
    assert kernels.units("noughts") == kernels.needed("noughts", Spec("first")) == ("ai.noughts.warm:first",)
    assert "ai.noughts.warm:first" in kernels.in_order() and "ai.noughts.learning:warm" in kernels.trainings()
    assert catalogue.strongest("noughts", None) == Spec("first")
    assert not kernels.game_ready("noughts") and not kernels.ready(kernels.training("noughts", "first"))
    assert kernels.ready(kernels.training("noughts", "other"))
    path = tmp_path / "model.safetensors"
    for agent, good in (("first", True), ("second", False)):
        write_whole(path, {}, ModelCard(path, game="noughts", agent=agent, board="3x3").metadata())
        card = models.card(path)
        print(card)
        assert (card.problem is None) == good
        path.unlink()


# Settings


def test_a_field_without_help_is_no_parameter() -> None:
    from dataclasses import dataclass

    @dataclass(frozen=True)
    class Settings:
        games: int = setting(3, "Games", "How many.", 1, 9, unit="games")
        rule: str = setting("a", "Rule", "Which.", choices=("a", "b"), advanced=True)
        counted: int = 7

    games_, rule = parameters_of(Settings)
    assert (games_.name, games_.type, games_.default, games_.min, games_.max, games_.unit) == (
        "games",
        "int",
        3,
        1,
        9,
        "games",
    )
    assert (rule.type, rule.choices, rule.advanced) == ("choice", ("a", "b"), True)
    assert Settings() == Settings(3, "a", 7)
    with pytest.raises(CatalogueError, match="from 1 to 9"):
        games_.parse("10")


def test_a_word_that_python_keeps_for_itself_ends_in_an_underscore_that_nobody_sees() -> None:
    from dataclasses import dataclass

    @dataclass
    class Settings:
        from_: str = setting("a", "From", "Where it begins.", choices=("a", "b"))
        depth: int = setting(3, "Depth", "How deep.", 1, 9)

    entry = Entry("first", "First", "", "builtins:dict", parameters_of(Settings))
    assert [each.name for each in entry.parameters] == ["from", "depth"]
    assert entry.make({"from": "b"}) == {"from_": "b", "depth": 3}
