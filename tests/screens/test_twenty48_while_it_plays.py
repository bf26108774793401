"""Agent, model, plies and speed of 2048 are chosen while it plays: the run goes on, the next move is the new agent's."""

import math
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pygame
import pytest

from ai import kernels
from ai.agent import Plan, Thinking
from ai.entries import Spec
from ai.models import ModelCard
from game.rules import twenty48
from game.screens.twenty48.screen import Twenty48Screen
from game.ui.controls import Stepper
from game.ui.select import Select

asked: list[tuple[str, int]] = []
"""(spec, tiles spawned so far) of every position an agent thought about."""


class Noted:
    """Plays the first legal slide, at once, and notes who was asked."""

    def __init__(self, spec: Spec) -> None:
        self.name = str(spec)

    def new_game(self, seed: int) -> None:
        pass

    def plan(self, state: twenty48.State, thinking: Thinking) -> Plan:
        asked.append((self.name, state.spawns))
        return Plan(twenty48.legal_actions(state)[:1], depth=1)


@pytest.fixture
def running(visit: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path) -> Any:
    """2048 on a large board, an agent with a model at play, many moves a second."""
    asked.clear()
    cards = [ModelCard(tmp_path / name, game="twenty48", agent="ntuple", board="8x8") for name in ("one", "two")]
    monkeypatch.setattr(kernels, "ready", lambda _family: True)
    monkeypatch.setattr("ai.catalogue.create", lambda game, spec: Noted(spec))
    monkeypatch.setattr("ai.catalogue.why_not", lambda game, spec, state: None)
    monkeypatch.setattr("ai.models.listing", lambda: cards)
    visitor = visit("2048", page="lab", animation="instant")
    scene = visitor.scene
    scene.session.begin(twenty48.start(8, 7), 7)
    scene.session.choose_agent(0, Spec("ntuple", {"plies": 1}, "one"))
    scene.session.set_speed(60.0)
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: scene.session.timeline.cursor >= 3)
    return visitor


def until(visitor: Any, done: Callable[[], bool]) -> None:
    end = time.perf_counter() + 10
    while not done():
        assert time.perf_counter() < end, f"waited in vain: {visitor.said()}, {visitor.scene.status}, {asked[-3:]}"
        visitor.frames()
        time.sleep(0.001)


def goes_on(visitor: Any, name: str) -> None:
    """The run was not stopped, and from now on every move is asked of `name`."""
    scene: Twenty48Screen = visitor.scene
    before = scene.session.timeline.cursor
    assert scene.session.driver.running
    until(visitor, lambda: scene.session.timeline.cursor >= before + 3)
    spawns = {played: who for who, played in asked}
    first = scene.session.timeline.states[before].spawns
    print(before, asked[-6:])
    assert [spawns[first + number] for number in range(3)] == [name] * 3


def control(visitor: Any, kind: type, number: int = 0) -> Any:
    return [each for each in visitor.scene.kit.controls if type(each) is kind][number]


def test_plies_with_the_wheel(running):
    box = control(running, Stepper)
    assert (box.label, box.value) == ("Plies", "1")
    running.post(pygame.MOUSEMOTION, pos=box.rect.center, rel=(0, 0), buttons=(0, 0, 0))
    running.frames(2)
    running.post(pygame.MOUSEWHEEL, y=1, x=0, flipped=False)
    goes_on(running, "ntuple:one,plies=2")
    assert control(running, Stepper).value == "2"


def test_the_model_and_the_agent_by_keyboard(running):
    running.scene.kit.focus(control(running, Select, 1))
    running.key(pygame.K_RIGHT)
    goes_on(running, "ntuple:two,plies=1")
    running.scene.kit.focus(control(running, Select))
    running.key(pygame.K_LEFT)
    goes_on(running, "expectimax")


def test_speed_by_key_while_it_plays_and_the_next_time(running, visit):
    running.key(pygame.K_MINUS, "-")
    assert running.scene.session.driver.speed == pytest.approx(40.0)
    goes_on(running, "ntuple:one,plies=1")
    for key in (pygame.K_PLUS, pygame.K_PLUS):
        running.key(key, "+")
    assert math.isinf(running.scene.session.driver.speed)
    running.close()
    again = visit("2048")
    assert math.isinf(again.scene.session.driver.speed)


class Quick(Noted):
    """Plays a hundred moves in one call."""

    def play_many(
        self, state: twenty48.State, moves: int, thinking: Thinking
    ) -> tuple[tuple[int, int | None, int | None], ...]:
        played = []
        for _ in range(100):
            action = twenty48.legal_actions(state)[0]
            state = twenty48.apply(state, action)
            played.append((action, None, None))
        return tuple(played)


def test_moves_of_a_fast_run_for_which_a_frame_has_no_time_come_with_the_next(
    running: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene: Twenty48Screen = running.scene
    monkeypatch.setattr("ai.catalogue.create", lambda game, spec: Quick(spec))
    monkeypatch.setattr("game.play.session.PLAY_SECONDS", 0.0)  # one move is all there is time for
    scene.session.choose_agent(0, Spec("ntuple", {"plies": 1}, "two"))
    first = scene.session.timeline.cursor
    expected = scene.session.state
    scene.session.set_speed(math.inf)
    until(running, lambda: scene.session.driver.thought.fast)
    shown = [scene.session.timeline.cursor]
    until(
        running, lambda: shown.append(scene.session.timeline.cursor) or scene.session.timeline.cursor >= first + 100
    )  # type: ignore[func-returns-value]
    grown = [after - before for before, after in pairwise(shown)]
    print("moves of each frame", grown)
    assert set(grown) <= {0, 1}
    for step in scene.session.timeline.steps[first:]:
        assert step.action == twenty48.legal_actions(expected)[0]
        expected = twenty48.apply(expected, step.action)
    assert expected == scene.session.state
    running.key(pygame.K_SPACE, " ")
    stopped = scene.session.timeline.cursor
    running.frames(5)
    assert scene.session.timeline.cursor == stopped and not scene.session.driver.running, "moves came after the pause"
