"""From screen to screen by name: every name is a screen, and one that is open already is not opened twice."""

import pytest

from game.screens.navigation import CLASSES, SCENES, make_scene, show
from game.ui.dialog import Dialog


@pytest.mark.parametrize("name", SCENES)
def test_every_name_is_a_screen(visit, name):
    visitor = visit()
    scene = make_scene(name, visitor.window, visitor.context)
    visitor.window.push(scene)
    visitor.frames(2)
    assert visitor.window.top is scene and not visitor.said()
    if name in CLASSES:
        assert f"{type(scene).__module__}:{type(scene).__name__}" == CLASSES[name]


def test_one_that_is_open_comes_to_the_front(visit):
    visitor = visit("models")
    models = visitor.window.top
    lab = show("lab", visitor.window, visitor.context)
    assert visitor.window.top is lab is not models
    visitor.window.push(Dialog(visitor.window, "Sure?"))
    assert show("models", visitor.window, visitor.context) is models is visitor.window.top
    assert lab not in visitor.window.scenes
    assert show("lab", visitor.window, visitor.context) is not lab, "a closed one is made anew"
