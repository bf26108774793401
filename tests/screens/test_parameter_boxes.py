"""Boxes of an agent's form: what is left out at first, where they go, what values the settings mean."""

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import catalogue
from ai.entries import Spec
from game.screens.play import parameter_boxes

MCTS = catalogue.entry("twenty48", "mcts")


@given(st.lists(st.integers(10, 300), max_size=8), st.integers(100, 600), st.integers(0, 12), st.integers(1, 4))
def test_boxes_fill_their_lines_in_order(needs, wide, gap, most):
    lines = parameter_boxes.flow(needs, wide, gap, most)
    print(needs, wide, gap, most, lines)
    assert sum(len(line) for line in lines) == len(needs)
    left = iter(needs)
    for line in lines:
        assert 1 <= len(line) <= most and line[0][0] == 0 and sum(line[-1]) == wide
        for at, (_x, box) in enumerate(line):
            assert box >= next(left) or len(line) == 1
            assert at == 0 or line[at - 1][0] + line[at - 1][1] + gap == line[at][0]


def test_boxes_that_need_little_are_equally_wide():
    assert parameter_boxes.flow([50, 90], 208, 8, 2) == [[(0, 100), (108, 100)]]
    assert parameter_boxes.flow([120, 40], 208, 8, 2) == [[(0, 140), (148, 60)]]
    assert parameter_boxes.flow([120, 90], 208, 8, 2) == [[(0, 208)], [(0, 208)]]


@pytest.mark.parametrize(("value", "kind"), [("evaluation", "rating"), ("score", "points")])
def test_what_counts_in_a_search_says_what_its_values_are(value, kind):
    assert MCTS.values_of(Spec("mcts", {"value": value})) == kind
    assert MCTS.values_of(Spec("mcts")) == "rating"


@pytest.mark.parametrize("size", [(1024, 640), (1280, 800)])
def test_seldom_used_settings_show_on_demand_and_values_have_room(visit, size):
    visitor = visit("twenty48", size, page="lab")
    scene = visitor.scene
    scene.session.choose_agent(0, Spec("mcts"))
    visitor.frames()

    def names() -> set[str]:
        return {getattr(control, "label", "") for control in scene.kit.controls}

    print(names())
    assert {"Simulations", "More"} <= names() and "Exploration" not in names()
    theme, card = scene.theme, scene.panel.cards["thinks"]
    assert card.height >= scene.panel.page.head + theme.px(16) + 4 * scene.panel.page.row - theme.px(2)
    more = next(control for control in scene.kit.controls if getattr(control, "label", "") == "More")
    visitor.click(more.rect.center)
    print(names())
    assert {"Simulations", "Less", "Exploration", "Rollouts by", "Worth"} <= names()
    boxes = [control.rect for control in scene.kit.controls if scene.panel.cards["who"].contains(control.rect)]
    assert all(not a.colliderect(b) for a in boxes for b in boxes if a is not b)


def test_messages_stand_on_the_status_bar_and_off_the_board(visit):
    visitor = visit("connect4")
    scene, window = visitor.scene, visitor.scene.window
    surface, bar = window.surface, scene.bar.rect.inflate(0, -4)
    visitor.frames(60)
    window.toasts.items.clear()
    visitor.frames(1)
    before = pygame.image.tobytes(surface.subsurface(bar), "RGB")
    window.say("A message of some length that stands in the middle of the window and says what there is to be said.")
    visitor.frames(30)
    assert window.toasts.items
    assert pygame.image.tobytes(surface.subsurface(bar), "RGB") == before
