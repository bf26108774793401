"""Hands and feasts of 2048: undo by gesture, a slide that does nothing, a new largest tile, the end beside the board."""

import math
import time
from collections.abc import Callable
from typing import Any

import pygame
import pytest

from ai import kernels
from ai.agent import Plan, Thinking
from ai.entries import Spec
from game.play import memory
from game.rules import twenty48
from game.rules.twenty48 import parse_position
from game.ui.controls import Button, Stepper
from game.ui.dialog import Dialog

BOARD = "512 512 64 8/16 32 8 4/2 8 4 2/0 2 4 2"
FULL = "2 4 8 16/4 8 16 32/8 16 32 64/16 32 64 64"
"""Slid to the left one 2 or 4 comes, and nothing moves any more."""
SIZES = ((1024, 640), (1280, 800), (1920, 1080))


class First:
    """Plays the first legal slide, many at once where it is asked to; made slowly."""

    made = 0

    def __init__(self) -> None:
        First.made += 1

    def new_game(self, seed: int) -> None:
        pass

    def plan(self, state: twenty48.State, thinking: Thinking) -> Plan:
        legal = twenty48.legal_actions(state)
        return Plan(legal[:1], values={action: 1000.0 - action for action in legal})

    def play_many(self, state: twenty48.State, moves: int, thinking: Thinking) -> Any:
        played = []
        for _ in range(20):
            legal = twenty48.legal_actions(state)
            if legal:
                state = twenty48.apply(state, legal[0])
                played.append((legal[0], None, None))
        time.sleep(0.005)
        return tuple(played)


@pytest.fixture
def able(monkeypatch: pytest.MonkeyPatch) -> None:
    """Agents can be asked."""
    First.made = 0
    monkeypatch.setattr(kernels, "ready", lambda _family: True)
    monkeypatch.setattr("ai.catalogue.create", lambda game, spec: First())
    monkeypatch.setattr("ai.catalogue.why_not", lambda game, spec, state: None)


def until(visitor: Any, done: Callable[[], Any]) -> None:
    end = time.perf_counter() + 10
    while not done():
        assert time.perf_counter() < end, f"waited in vain: {visitor.said()}, {visitor.scene.status}"
        visitor.frames()
        time.sleep(0.001)


def finish(visitor: Any) -> None:
    session = visitor.scene.session
    session.begin(parse_position(FULL, 5))
    visitor.frames()
    visitor.key(pygame.K_LEFT)
    visitor.frames(60)
    print(twenty48.draw(session.state))
    assert session.over


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_end_leaves_the_board_in_view_and_offers_what_to_do(visit, size, theme):
    visitor = visit("2048", size, theme=theme)
    scene = visitor.scene
    finish(visitor)
    assert visitor.window.top is scene, "no box over the board"
    shown = [words for words, _place in visitor.words()]
    assert {"NO MOVE IS LEFT", "128", "Your best", "Agents' best", "Again", "Watch", "Undo"} <= set(shown)
    assert scene.card.width and not scene.card.colliderect(scene.board.frame)
    assert scene.layout.board.contains(scene.card) and scene.layout.board.contains(scene.board.frame)
    inside = [each for each in scene.kit.controls if isinstance(each, Button) and scene.card.contains(each.rect)]
    assert [each.label for each in inside] == ["Again", "Watch", "Undo"]
    visitor.click(inside[2].rect.center)
    visitor.frames(2)
    assert not scene.session.over and not scene.card.width, "undo takes the card away"
    finish(visitor)
    visitor.click(next(each for each in scene.kit.controls if getattr(each, "label", "") == "Again").rect.center)
    visitor.frames(2)
    assert not scene.session.over and scene.session.timeline.cursor == 0


def test_a_new_largest_tile_is_celebrated_until_the_next_move_and_no_dialog_opens(visit):
    visitor = visit("2048")
    scene = visitor.scene
    scene.session.begin(parse_position(BOARD, 5))
    visitor.frames()
    corners = [scene.board.cell_rect(cell).center for cell in (12, 15)]
    visitor.key(pygame.K_LEFT)
    visitor.frames(15)
    assert scene.party.active and "New: 1,024" in [words for words, _place in visitor.words()]
    bright = [visitor.window.surface.get_at(place) for place in corners]
    visitor.frames(160)
    assert not scene.party.active and bright == [visitor.window.surface.get_at(place) for place in corners]
    scene.session.begin(parse_position(BOARD.replace("512", "1024"), 5))
    visitor.key(pygame.K_LEFT)
    visitor.frames(15)
    assert visitor.window.top is scene and "You made it!" in [words for words, _place in visitor.words()]
    visitor.key(pygame.K_ESCAPE)
    assert not scene.party.active and visitor.window.top is scene, "Esc ends the feast and leaves nothing"
    scene.session.begin(parse_position(BOARD, 5))
    visitor.key(pygame.K_LEFT)
    visitor.frames(15)
    visitor.key(pygame.K_RIGHT)
    assert not scene.party.active


def test_without_animation_the_word_stands_still_and_agents_are_not_celebrated(visit):
    visitor = visit("2048", animation="instant")
    scene = visitor.scene
    scene.session.begin(parse_position(BOARD, 5))
    visitor.key(pygame.K_LEFT)
    visitor.frames(3)
    assert scene.party.active and scene.party.picture is not None, "nothing moves"
    scene.session.begin(parse_position(BOARD, 5))
    scene.session.by_agent = True
    scene.session.play(3)
    scene.session.by_agent = False
    assert not scene.party.active


def test_a_slide_that_moves_nothing_shakes_and_says_nothing(visit, monkeypatch):
    visitor = visit("2048")
    scene = visitor.scene
    heard: list[str] = []
    monkeypatch.setattr(scene.window, "play", lambda name, pitch=1.0: heard.append(name))
    scene.session.begin(parse_position("2 4 8 16/0 0 0 0/0 0 0 0/0 0 0 0", 5))
    visitor.frames(2)
    still = visitor.window.surface.copy()
    place = scene.board.cell_rect(0).inflate(20, 20)
    visitor.key(pygame.K_LEFT)
    visitor.frames(3)
    moved = pygame.surfarray.array3d(visitor.window.surface.subsurface(place))
    assert heard == ["blocked"] and not visitor.said() and scene.session.timeline.cursor == 0
    assert (moved != pygame.surfarray.array3d(still.subsurface(place))).any(), "the tiles do not shake"
    visitor.frames(30)
    after = pygame.surfarray.array3d(visitor.window.surface.subsurface(place))
    assert (after == pygame.surfarray.array3d(still.subsurface(place))).all(), "the tiles are where they were"


def test_z_takes_back_a_gesture_and_shift_z_a_single_slide(visit, able):
    visitor = visit("2048", animation="instant")
    scene = visitor.scene
    scene.session.begin(twenty48.start(4, 7), 7)
    scene.session.choose_agent(0, Spec("ntuple", model="any"))
    scene.session.set_speed(60.0)
    for key in (pygame.K_LEFT, pygame.K_UP, pygame.K_RIGHT, pygame.K_DOWN):
        visitor.key(key)
    own = scene.session.timeline.cursor
    assert own >= 2
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: scene.session.timeline.cursor >= own + 4)
    visitor.key(pygame.K_SPACE, " ")
    end = scene.session.timeline.cursor
    visitor.key(pygame.K_z, "Z", pygame.KMOD_SHIFT)
    assert scene.session.timeline.cursor == end - 1
    visitor.key(pygame.K_y, "Y", pygame.KMOD_SHIFT)
    assert scene.session.timeline.cursor == end
    visitor.key(pygame.K_z, "z")
    assert scene.session.timeline.cursor == own - 1, "the slide before the agent's goes with it"
    visitor.key(pygame.K_y, "y")
    assert scene.session.timeline.cursor == end


def test_a_fast_run_shows_what_is_thought_now_and_then(visit, able):
    visitor = visit("2048", page="lab", animation="instant")
    scene = visitor.scene
    scene.session.begin(twenty48.start(8, 7), 7)
    scene.session.choose_agent(0, Spec("ntuple", model="any"))
    scene.session.set_speed(math.inf)
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: scene.session.driver.thought.fast)
    plies = set()

    def seen() -> bool:
        thought = scene.session.driver.thought
        assert thought.values and any(bar.share is not None for bar in scene.face.value_bars())
        plies.add(thought.ply)
        return len(plies) >= 3

    begun = time.perf_counter()
    until(visitor, seen)
    print(plies, time.perf_counter() - begun, scene.session.timeline.cursor)
    assert scene.session.timeline.cursor > 20 * len(plies), "it plays on at full speed between two looks"
    assert scene.face.thought_note() == "now and then"
    visitor.key(pygame.K_SPACE, " ")


def test_the_agent_for_hints_is_made_before_it_is_asked_unless_memory_is_scarce(visit, able, monkeypatch):
    visitor = visit("2048")
    monkeypatch.setattr(memory, "scarce", lambda wanted: wanted > 0)
    visitor.frames(150)
    assert First.made == 0
    monkeypatch.setattr(memory, "scarce", lambda wanted: False)
    until(visitor, lambda: First.made == 1)
    visitor.key(pygame.K_h, "h")
    visitor.scene.session.risk.update = lambda *_given: None  # which has an agent of its own
    until(visitor, lambda: visitor.scene.session.driver.hint is not None)
    assert First.made == 1, "who asks finds it made"


def test_while_it_is_loaded_the_status_says_so(visit, able, monkeypatch):
    waits = [True]

    def create(game: str, spec: Spec) -> First:
        while waits:
            time.sleep(0.002)
        return First()

    monkeypatch.setattr("ai.catalogue.create", create)
    visitor = visit("2048")
    until(visitor, lambda: "is being loaded" in visitor.scene.status[0])
    waits.clear()
    until(visitor, lambda: "is being loaded" not in visitor.scene.status[0])


def test_the_size_is_that_of_the_board_and_another_one_asks_before_it_ends_a_long_game(visit):
    visitor = visit("2048", animation="instant")
    scene = visitor.scene

    def size() -> Stepper:
        return next(each for each in scene.kit.controls if isinstance(each, Stepper) and each.label == "Size")

    assert size().value == "4×4"
    size().step(1)
    visitor.frames(2)
    assert scene.session.state.size == 5 and size().value == "5×5"
    while scene.session.timeline.cursor < 25:
        scene.session.person_plays(twenty48.legal_actions(scene.session.state)[0])
    size().step(1)
    visitor.frames(2)
    assert isinstance(visitor.window.top, Dialog) and visitor.window.top.title == "Start a new 6×6 game?"
    assert size().value == "5×5" and scene.session.state.size == 5
    visitor.key(pygame.K_RETURN, "\r")
    visitor.frames(2)
    assert scene.session.state.size == 6 and size().value == "6×6"


def test_points_are_never_in_the_colour_of_what_is_bad(visit):
    visitor = visit("2048")
    assert visitor.scene.face.now_colour == visitor.scene.theme.good != visitor.scene.theme.bad


def test_records_of_persons_and_agents_stand_apart_in_panel_and_menu(visit):
    visitor = visit("2048")
    progress = visitor.context.progress
    progress.played_2048(4, 1_123_456, 32768, "ntuple:any")
    assert visitor.scene.session.bests == (0, 1_123_456)
    shown = [words for words, _place in visitor.words()]
    assert "1,123,456" in shown and "Your best" in shown and "Agents' best" in shown
    progress.played_2048(4, 20_148, 2048)
    visitor.close()
    menu = visit("menu", size=(1024, 640))
    assert "your best 20,148 · agents' best 1.1 M" in [words for words, _place in menu.words()]
