"""Choosing a model in the panel of the games: what is listed, what is remembered, what fits where there is little room."""

from pathlib import Path

import numpy as np
import pygame
import pytest
from safetensors.numpy import load_file, save_file

from ai import kernels, models
from ai.agent import Plan
from ai.entries import Spec
from ai.models import ModelCard, Strength
from ai.tensors import TensorFile
from ai.twenty48.ntuple import model as ntuple_model
from ai.twenty48.ntuple.shapes import parse_tuples, table_sizes
from game.play.driver import Thought
from game.screens.models import shelf as shelf_module
from game.screens.twenty48.screen import Twenty48Screen
from game.ui.controls import Stepper
from game.ui.select import Select
from game.views.twenty48 import worth

TUPLES = parse_tuples("012 045")
SIZES = [(1024, 640), (1280, 800), (1920, 1080)]


def write(path: Path, board: str = "4x4") -> Path:
    """A small model for boards of one size."""
    weights = np.random.default_rng(1).normal(0, 500, sum(table_sizes(TUPLES))).astype(np.float32)
    ntuple_model.write(path, TUPLES, weights, ModelCard(Path(), strength={1: Strength(21234.5, 610.5, 1000)}))
    with TensorFile(path) as file:
        texts = {**file.metadata, "board": board}
    save_file(load_file(path), path, texts)
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own models; the app ships none."""
    monkeypatch.setattr(shelf_module, "SHIPPED", tmp_path / "app")
    monkeypatch.setattr(models, "FOLDERS", [])
    own = tmp_path / "saves" / "models"
    own.mkdir(parents=True)
    return own


def selects(scene: Twenty48Screen) -> list[Select]:
    return [control for control in scene.kit.controls if isinstance(control, Select)]


def seated(visit, size=(1280, 800), model="one", **settings) -> tuple:
    """2048 with the network on its seat."""
    visitor = visit("2048", size, page="lab", **settings)
    visitor.scene.session.choose_agent(0, Spec("ntuple", {"plies": 2}, model))
    visitor.frames()
    return visitor, visitor.scene


def test_models_that_fit_come_first_the_others_are_grey_with_their_reason(visit, folder):
    write(folder / "one.safetensors")
    write(folder / "large.safetensors", "5x5")
    write(folder / "two.safetensors")
    (folder / "spoilt.safetensors").write_bytes(b"x" * 100)
    _visitor, scene = seated(visit)
    agents, found = selects(scene)
    print(found.options)
    assert agents.chosen == "ntuple" and found.chosen == "one"
    assert [(option.id, bool(option.reason)) for option in found.options] == [
        ("one", False), ("two", False), ("large", True), ("spoilt", True),
    ]  # fmt: skip
    assert found.options[0].note == "21,234 ± 610 at 1-ply, 1,000 games"
    assert "5×5" in found.options[2].reason
    assert "no safetensors file" in found.options[3].reason


def test_a_model_is_chosen_by_mouse_and_remembered(visit, folder):
    for name in ("one", "two"):
        write(folder / f"{name}.safetensors")
    visitor, scene = seated(visit)
    visitor.click(selects(scene)[1].rect.center)
    popup = scene.kit.popup
    assert popup is not None
    visitor.click((popup.rect.left + 30, popup.rect.top + popup.pad + popup.row + popup.row // 2))
    assert scene.session.driver.seats == [Spec("ntuple", {"plies": 2}, "two")], "the plies were lost"
    assert visitor.context.settings.seats["twenty48/0"] == "ntuple:two,plies=2"
    assert selects(scene)[1].chosen == "two"
    visitor.close()
    again = visit("2048")
    assert again.scene.session.driver.seats == [Spec("ntuple", {"plies": 2}, "two")]


def test_the_arrows_pass_over_models_that_do_not_fit(visit, folder):
    write(folder / "one.safetensors")
    write(folder / "large.safetensors", "5x5")
    visitor, scene = seated(visit)
    scene.kit.focus(selects(scene)[1])
    visitor.key(pygame.K_RIGHT)
    visitor.key(pygame.K_RIGHT)
    assert scene.session.driver.seats[0].model == "one"


def test_without_a_model_that_fits_the_agent_is_grey(visit, folder):
    write(folder / "one.safetensors")
    visitor = visit("2048", page="lab")
    scene = visitor.scene

    def reason() -> str:
        return next(option.reason for option in selects(scene)[0].options if option.id == "ntuple")

    assert reason() == ""
    scene.session.new_board(5)
    visitor.frames()
    assert "5x5" in reason()
    scene.session.new_board(4)
    assert reason() == ""


def test_on_a_board_of_another_size_another_plays_and_the_first_comes_back(visit, folder):
    write(folder / "one.safetensors")
    write(folder / "large.safetensors", "5x5")
    visitor, scene = seated(visit)
    first = scene.session.driver.seats[0]
    said = []
    scene.window.say = lambda words, *_kind: said.append(words)

    def on(size: int) -> Spec | None:
        scene.session.new_board(size)
        visitor.frames()
        print(size, scene.session.driver.seats, said)
        return scene.session.driver.seats[0]

    assert on(5) == Spec("ntuple", {"plies": 2}, "large")
    assert said == ["Model 'one' was trained for boards of 4x4, this one is 5x5: large takes its place."]
    assert on(3) == Spec("expectimax") and "Expectimax takes its place" in said[-1]
    assert on(4) == first and len(said) == 2, "nothing is said when the chosen one is back"
    assert on(4) == first and len(said) == 2
    on(3)
    scene.session.choose_agent(0, Spec("random"))
    assert on(4) == Spec("random"), "who was chosen meanwhile stays"
    assert visitor.context.settings.seats["twenty48/0"] == "random"


def test_a_model_that_is_gone_is_said_to_be(visit, folder):
    write(folder / "one.safetensors")
    _visitor, scene = seated(visit, model="gone")
    found = selects(scene)[1]
    assert found.chosen == "gone"
    assert found.options[found.index].label == "gone" and found.options[found.index].reason


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_model_plies_and_all_four_values_are_in_view(visit, folder, size, theme):
    write(folder / "one.safetensors")
    visitor, scene = seated(visit, size, theme=theme)
    values = {0: 51_111.0, 1: 52_222.0, 2: 53_333.0, 3: 54_444.0}
    spec = scene.session.driver.seats[0]
    scene.session.driver.thought = Thought(spec, Plan((3,), values=values, nodes=4, seconds=0.1, depth=2), ply=0)
    visitor.frames()
    shown = [words for words, _place in visitor.words()]
    print(shown)
    now = worth.rewards(scene.session.state)
    later = [f"{value - now.get(action, 0):,.0f}" for action, value in values.items()]
    for words in ("N-tuple network", "one", "Plies", "2", *later, "points now + later",
                  "left", "down", "right", "up", "Moves"):  # fmt: skip
        assert words in shown, words
    model, plies = selects(scene)[1].rect, next(c.rect for c in scene.kit.controls if isinstance(c, Stepper))
    assert model.top == plies.top and model.right < plies.left, "model and plies share a line"
    boxes = [control.rect for control in scene.kit.controls]
    for at, box in enumerate(boxes):
        assert not any(box.colliderect(other) for other in boxes[at + 1 :]), box


def test_the_status_names_agent_and_model(visit, folder, monkeypatch):
    write(folder / "one.safetensors")
    _visitor, scene = seated(visit)
    scene.session.driver.running = True
    monkeypatch.setattr(kernels, "ready", lambda _units: True)
    print(scene.status)
    assert scene.status[0].startswith("N-tuple network · one is playing")
    assert scene.face.thought_note() == "points now + later"
    scene.session.choose_agent(0, Spec("random"))
    assert scene.face.thought_note() == ""
