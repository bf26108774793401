"""'Why?' on the screen of 2048: the groups of cells on the board, their legend, and when there is nothing to say."""

import time
from collections.abc import Callable
from typing import Any

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import kernels
from ai.agent import Plan, Thinking
from ai.entries import Spec
from ai.twenty48.ntuple.why import Part, Why
from game.rules import twenty48
from game.rules.direction import Direction
from game.rules.twenty48 import parse_position
from game.screens.twenty48.why import where
from game.views.twenty48.outline import loops

SIZES = ((1024, 640), (1100, 700), (1280, 800), (1920, 1080))
BOARD = "2 2 4 8/0 0 0 0/0 0 2 0/0 0 0 0"
WHY = Why(3, 1, 0, 1500.0, (Part((0, 1, 2, 3), 1204.0), Part((0, 1, 4, 5), 873.0), Part((2, 3, 6, 7), -577.0)))


class Explains:
    """Slides left, and says why."""

    def new_game(self, seed: int) -> None:
        pass

    def plan(self, state: twenty48.State, thinking: Thinking) -> Plan:
        legal = twenty48.legal_actions(state)
        return Plan((3 if 3 in legal else legal[0],), values={action: float(action) for action in legal}, nodes=4)

    def explain(self, state: twenty48.State, action: int, other: int | None) -> Why:
        return Why(action, other, WHY.reward, WHY.value, WHY.parts)


class Silent(Explains):
    """Knows no reasons."""

    explain = None


@pytest.fixture
def at(visit: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """`at(agent, size, …)`: the board above, paused, that agent on the seat."""

    def open_one(agent: type = Explains, size: tuple[int, int] = (1280, 800), **settings: Any) -> Any:
        monkeypatch.setattr(kernels, "ready", lambda _family: True)
        monkeypatch.setattr("ai.catalogue.create", lambda game, spec: agent())
        monkeypatch.setattr("ai.catalogue.why_not", lambda game, spec, state: None)
        visitor = visit("2048", size, **{"animation": "instant", **settings})
        visitor.scene.session.begin(parse_position(BOARD, 5))
        visitor.scene.session.choose_agent(0, Spec("ntuple", model="any"))
        return visitor

    return open_one


def until(visitor: Any, done: Callable[[], Any]) -> None:
    end = time.perf_counter() + 10
    while not done():
        assert time.perf_counter() < end, f"waited in vain: {visitor.said()}, {visitor.scene.status}"
        visitor.frames()
        time.sleep(0.002)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_v_asks_for_the_move_and_shows_what_speaks_for_it(at, size, theme):
    visitor = at(Explains, size, theme=theme)
    scene = visitor.scene
    before = visitor.window.surface.copy()
    visitor.key(pygame.K_v, "v")
    until(visitor, lambda: scene.session.explained and scene.session.explainer.parts)
    visitor.frames(2)
    shown = [words for words, _place in visitor.words()]
    print(BOARD, shown)
    for words in ("WHY LEFT, NOT DOWN?", "1  +1,204", "2  +873", "1 · row 1", "2 · 4 cells top left"):
        assert words in shown, words
    said = " ".join(shown)
    for words in ("Makes a 4 at once", "After all its search it is worth 1 points more than down."):
        assert words in said, words
    assert "−" not in said.replace("− ", ""), "nothing that argues against the move is told as a reason"
    assert not scene.card.colliderect(scene.board.frame), "the card covers no tile"
    assert "3  −577" not in shown, "what speaks against the move is not drawn as a reason"
    assert scene.board.instead == (2, 2, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)
    assert "after sliding left" in scene.status[0]
    changed = pygame.Color(*before.get_at(scene.board.frame.center)), scene.board.cell_rect(0)
    assert visitor.window.surface.get_at(changed[1].midtop) != before.get_at(changed[1].midtop)
    visitor.key(pygame.K_v, "v")
    assert not scene.session.explained and "1  +1,204" not in [words for words, _place in visitor.words()]
    assert scene.board.instead is None


def test_the_explanation_belongs_to_its_position(at):
    visitor = at()
    scene = visitor.scene
    visitor.key(pygame.K_v, "v")
    until(visitor, lambda: scene.session.explained)
    visitor.key(pygame.K_RETURN, "\r")
    visitor.frames(2)
    assert scene.session.timeline.cursor == 1 and scene.session.explained and scene.board.instead is None
    visitor.key(pygame.K_UP)
    visitor.frames(2)
    assert scene.session.timeline.cursor == 2 and not scene.session.explained
    scene.session.begin(parse_position("2 2 0/0 0 0/0 0 0", 3))
    visitor.frames(2)
    assert not scene.session.explained


def test_it_keeps_up_with_a_running_agent_and_goes_on_after_the_window_was_closed(at, visit):
    visitor = at()
    scene = visitor.scene
    visitor.key(pygame.K_v, "v")
    visitor.key(pygame.K_SPACE, " ")
    seen = set()
    until(visitor, lambda: seen.add(scene.session.explainer.ply) or len(seen) >= 3)
    assert scene.session.driver.running and not visitor.said()
    visitor.close()
    again = visit("2048")
    assert again.scene.session.why_on
    assert [words for words, _place in again.words() if words == "WHY?"]


def test_an_agent_without_reasons_says_so(at):
    visitor = at(Silent)
    scene = visitor.scene
    visitor.key(pygame.K_v, "v")
    until(visitor, lambda: scene.session.explainer.unable)
    visitor.frames(2)
    said = " ".join(words for words, _place in visitor.words())
    assert "Only n-tuple networks can say which cells count" in said and "Makes a 4 at once" in said


CELLS = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1)


@given(CELLS)
def test_the_line_around_a_group_encloses_just_its_cells(cells):
    found = loops(cells)
    area = 0
    for loop in found:
        for (row, col), (next_row, next_col) in zip(loop, loop[1:] + loop[:1], strict=True):
            assert (row == next_row) != (col == next_col)
            area += col * next_row - next_col * row
    print(sorted(cells), found)
    assert abs(area) / 2 == len(cells)


def test_a_group_is_named_by_its_place():
    print(BOARD)
    assert [where(cells, 4) for cells in ((0, 1, 2, 3), (1, 5, 9, 13), (0, 1, 4, 5), (5, 6, 9, 10), (10, 11, 14))] == [
        "row 1", "column 2", "4 cells top left", "4 cells in the middle", "3 cells bottom right",
    ]  # fmt: skip
    assert Direction(WHY.action) is Direction.LEFT
