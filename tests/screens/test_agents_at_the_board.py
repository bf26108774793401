"""Agents on the screens of 2048 and connect-4: whose move it is, what is shown of their thinking, what stops them."""

import math
import threading
import time
from collections.abc import Callable
from typing import Any

import pygame
import pytest

from ai import kernels
from ai.agent import Plan, Progress, Thinking
from ai.entries import Spec
from game.play.driver import Driver
from game.rules import connect4, twenty48
from game.screens.connect4.setup import SetupDialog
from game.screens.play.screen import STAY_SECONDS
from game.ui.dialog import Dialog


class Slow:
    """Prefers the last legal action, and says so only when it is told to stop."""

    patient = True
    rules: Any = connect4

    def new_game(self, seed: int) -> None:
        pass

    def plan(self, state: Any, thinking: Thinking) -> Plan:
        actions = self.rules.legal_actions(state)
        values = {action: float(10 * len(getattr(state, "moves", ())) + action) for action in actions}
        while self.patient and not thinking.over(0, 30.0):
            thinking.report(Progress(10, values=values, best=actions[-1]))
            time.sleep(0.002)
        return Plan((actions[-1],), values=values, nodes=10, seconds=0.4, depth=3)


class Quick(Slow):
    """Answers at once."""

    patient = False


class Many(Quick):
    """Plays many moves in one call."""

    rules = twenty48

    def play_many(self, state: Any, moves: int, thinking: Thinking) -> tuple[tuple[int, int, int], ...]:
        made = []
        while len(made) < 5 and twenty48.outcome(state) is None:
            action = twenty48.legal_actions(state)[-1]
            slide = twenty48.slide(state, action)
            assert slide is not None
            cell, exponent = twenty48.spawn(slide.cells, state.seed, state.spawns)
            state = twenty48.place(state, slide, cell, exponent)
            made.append((action, cell, exponent))
        return tuple(made)


class Quick48(Quick):
    """Answers at once at 2048."""

    rules = twenty48


@pytest.fixture
def sit(visit: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """`sit(scene, agent)`: the scene with that agent behind every name."""

    def open_one(scene: str, agent: type) -> Any:
        monkeypatch.setattr(kernels, "ready", lambda _family: True)
        monkeypatch.setattr("ai.catalogue.create", lambda game, spec: agent())
        return visit(scene, animation="instant")

    return open_one


def until(visitor: Any, done: Callable[[], Any], what: str) -> None:
    end = time.perf_counter() + 10
    while not done():
        assert time.perf_counter() < end, f"waited in vain until {what}: {visitor.said()}, {visitor.scene.status}"
        visitor.frames()
        time.sleep(0.001)


# Connect-4


def test_an_agent_goes_on_after_settings_and_after_a_cancelled_set_up(sit):
    visitor = sit("connect4", Slow)
    scene = visitor.scene
    visitor.key(pygame.K_4, "4")
    for key in (pygame.K_F10, pygame.K_l):
        assert scene.session.timeline.cursor == 1
        until(visitor, lambda: scene.session.driver.thinks_long, "the agent thinks")
        visitor.key(key)
        assert visitor.window.top is not scene
        assert not scene.session.driver.busy, "it thinks behind another screen"
        visitor.key(pygame.K_ESCAPE)
        assert visitor.window.top is scene
        until(visitor, lambda: scene.session.driver.busy, "the agent thinks again")


def test_a_paused_agent_stays_paused_after_settings(sit):
    visitor = sit("connect4", Quick)
    scene = visitor.scene
    visitor.key(pygame.K_SPACE, " ")
    visitor.key(pygame.K_4, "4")
    visitor.key(pygame.K_F10)
    visitor.key(pygame.K_ESCAPE)
    visitor.frames(10)
    assert (scene.session.timeline.cursor, scene.session.driver.running) == (1, False)


def test_escape_lets_a_thinking_agent_play_its_best_so_far(sit):
    visitor = sit("connect4", Slow)
    scene = visitor.scene
    visitor.key(pygame.K_1, "1")
    until(visitor, lambda: scene.session.driver.thinks_long, "the agent thinks")
    visitor.frames(2)
    assert "Esc plays its best so far" in scene.status[0]
    visitor.key(pygame.K_ESCAPE)
    assert visitor.window.top is scene
    until(visitor, lambda: scene.session.timeline.cursor == 2, "it plays")
    assert scene.session.state.moves == (0, 6), connect4.format_moves(scene.session.state)


def test_escape_pauses_agents_among_themselves_and_then_leaves(sit):
    visitor = sit("connect4", Slow)
    scene = visitor.scene
    scene.session.choose_agent(0, Spec("random"))
    until(visitor, lambda: scene.session.driver.thinks_long, "the first agent thinks")
    assert "Esc pauses" in scene.status[0]
    visitor.key(pygame.K_ESCAPE)
    assert visitor.window.top is scene
    assert not scene.session.driver.running and not scene.session.driver.busy
    visitor.key(pygame.K_ESCAPE)
    assert visitor.window.top is scene and visitor.window.running, "who presses it twice wants the board"
    visitor.frames(round(60 * STAY_SECONDS) + 1)
    visitor.post(pygame.KEYDOWN, key=pygame.K_ESCAPE, mod=0, unicode="")
    assert not visitor.window.running, "the only screen was left, but the app goes on"


def test_a_hint_at_the_agents_turn_does_not_stop_it(sit):
    visitor = sit("connect4", Slow)
    scene = visitor.scene
    visitor.key(pygame.K_4, "4")
    until(visitor, lambda: scene.session.driver.busy, "the agent thinks")
    visitor.key(pygame.K_h)
    assert scene.session.driver.running and scene.session.driver.busy
    assert any("agent's turn" in words for words in visitor.said())


def test_a_hint_for_a_person_shows_values_of_the_position_on_the_board(sit):
    visitor = sit("connect4", Quick)
    scene = visitor.scene
    visitor.key(pygame.K_h)
    until(visitor, lambda: scene.session.driver.hint is not None, "the hint is there")
    overlay = scene._overlay()
    assert overlay.hint == 6
    assert overlay.values == {action: f"+{action}" if action else "0" for action in range(7)}
    assert "Enter" in scene.status[0]
    visitor.key(pygame.K_RETURN)
    assert scene.session.state.moves[0] == 6
    until(visitor, lambda: scene.session.timeline.cursor == 2, "the agent answers")
    visitor.frames(5)
    assert not scene._overlay().values, "values of the move before are shown on the board"
    assert scene.face.thought_note() == "before the last move"


def test_undo_forgets_what_was_thought_about_another_line(sit):
    visitor = sit("connect4", Quick)
    scene = visitor.scene
    scene.session.choose_agent(1, None)
    visitor.key(pygame.K_1, "1")
    visitor.key(pygame.K_h)
    until(visitor, lambda: scene.session.driver.hint is not None, "the hint is there")
    visitor.key(pygame.K_z)
    visitor.key(pygame.K_2, "2")
    assert scene.session.timeline.cursor == 1
    assert not scene._overlay().values, "the values belong to the position after column 1"


def test_one_step_at_a_persons_turn_says_so_and_pauses_nobody(sit):
    visitor = sit("connect4", Quick)
    visitor.key(pygame.K_PERIOD)
    assert visitor.scene.session.driver.running
    assert any("person's turn" in words for words in visitor.said())


def test_a_seat_changed_after_the_end_starts_nobody(sit):
    visitor = sit("connect4", Quick)
    scene = visitor.scene
    scene.session.choose_agent(1, None)
    for column in "1212121":
        visitor.key(ord(column), column)
    assert scene.session.over, connect4.format_moves(scene.session.state)
    scene.session.choose_agent(1, Spec("random"))
    assert not scene.session.driver.running


def test_enter_meant_for_a_stone_starts_no_new_game(sit):
    visitor = sit("connect4", Quick)
    scene = visitor.scene
    scene.session.choose_agent(1, None)
    for column in "1212121":
        visitor.key(ord(column), column)
    visitor.key(pygame.K_RETURN)
    assert scene.session.timeline.cursor == 7, "nobody could see who has won"
    visitor.frames(60)
    visitor.key(pygame.K_RETURN)
    assert scene.session.timeline.cursor == 0


def test_the_set_up_says_why_a_board_is_refused(sit):
    visitor = sit("connect4", Quick)
    visitor.key(pygame.K_l)
    dialog = visitor.window.top
    assert isinstance(dialog, SetupDialog)
    dialog.numbers[3] = 8
    dialog.rebuild()
    visitor.key(pygame.K_RETURN)
    assert visitor.window.top is dialog, "an impossible board was started"
    assert any("8" in words and "row" in words for words, _ in visitor.words())


# Every game


@pytest.mark.parametrize("name", ["sokoban", "2048", "connect4"])
def test_every_key_of_the_list_does_something(visit, name):
    scene = visit(name).scene
    listed = [
        shortcut.command
        for group in scene.groups
        for shortcut in group.shortcuts
        if shortcut.shown and shortcut.command not in scene.without
    ]
    assert "undo" in listed
    by_window = {"help", "fullscreen", "screenshot", "mute", "focus", "focus_back", "lab"}
    assert not [command for command in listed if not scene.command(command) and command not in by_window]


# 2048


def test_values_are_of_the_position_shown(sit):
    visitor = sit("2048", Quick48)
    scene = visitor.scene
    visitor.key(pygame.K_h)
    until(visitor, lambda: scene.session.driver.hint is not None, "the hint is there")
    assert any(bar.share is not None for bar in scene.face.value_bars())
    assert "Enter plays it" in scene.status[0]
    for _ in range(3):
        visitor.key(pygame.K_RIGHT)
        visitor.key(pygame.K_DOWN)
        visitor.key(pygame.K_LEFT)
    assert all(bar.share is None for bar in scene.face.value_bars()), "values of an old position"
    assert scene.face.thought_note() == ""


def test_an_agent_thinks_before_its_moment_so_that_its_values_can_be_seen(sit):
    visitor = sit("2048", Quick48)
    scene = visitor.scene
    scene.session.set_speed(1.0)
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: scene.session.timeline.cursor == 1, "the first move")
    until(visitor, lambda: scene.session.driver.thought.ply == 1, "it thinks about the next one")
    assert scene.session.timeline.cursor == 1, "the second move came at once"
    assert "is playing" in scene.status[0]


def test_at_full_speed_no_old_values_are_shown(sit):
    visitor = sit("2048", Many)
    scene = visitor.scene
    visitor.key(pygame.K_h)
    until(visitor, lambda: scene.session.driver.hint is not None, "the hint is there")
    visitor.key(pygame.K_ESCAPE)
    scene.session.set_speed(math.inf)
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: scene.session.driver.thought.fast, "it plays")
    assert scene.face.thought_note() == "now and then"
    thought = scene.session.driver.thought
    assert thought.spec is not None and not thought.for_hint, "what is shown was thought in this run"
    visitor.key(pygame.K_SPACE, " ")
    assert scene.face.thought_note() == ""


def test_one_step_of_the_agent_makes_the_game_the_agents(sit):
    visitor = sit("2048", Quick48)
    scene = visitor.scene
    visitor.key(pygame.K_PERIOD)
    until(visitor, lambda: scene.session.timeline.cursor == 1, "the step")
    assert scene.session.player_names() != ("person",)
    assert not scene.session.driver.running


def test_a_long_game_is_not_given_up_without_a_question_and_its_score_stays(sit):
    visitor = sit("2048", Quick48)
    scene = visitor.scene
    keys = (pygame.K_LEFT, pygame.K_DOWN, pygame.K_RIGHT, pygame.K_DOWN)
    number = 0
    while scene.session.timeline.cursor < 20:
        visitor.key(keys[number % 4] if number < 400 else pygame.K_UP)
        number += 1
    score = scene.session.state.score
    assert score > 0
    visitor.key(pygame.K_n)
    assert isinstance(visitor.window.top, Dialog)
    visitor.key(pygame.K_ESCAPE)
    assert scene.session.state.score == score
    visitor.key(pygame.K_r)
    visitor.key(pygame.K_RETURN)
    assert visitor.window.top is scene
    assert (scene.session.timeline.cursor, scene.session.state.score) == (0, 0)
    assert scene.context.progress.best_2048(4, "person").score == score


def test_an_agent_that_cannot_be_prepared_is_not_said_to_play(visit):
    visitor = visit("2048")
    visitor.key(pygame.K_SPACE, " ")
    assert "starts once agents are prepared" in visitor.scene.status[0]


def test_leaving_does_not_wait_for_a_model_that_is_being_read(monkeypatch):
    read = threading.Event()
    monkeypatch.setattr(kernels, "ready", lambda _family: True)
    monkeypatch.setattr("ai.catalogue.create", lambda game, spec: read.wait(20))
    driver = Driver("connect4", [Spec("random"), Spec("random")])
    driver.run()
    driver.tick(0.1, connect4.start(connect4.Shape(6, 7, 1, 4)), 0, 0, False)
    end = time.perf_counter() + 10
    while not driver.loading:
        assert time.perf_counter() < end, "no agent is made"
        time.sleep(0.001)
    began = time.perf_counter()
    driver.close()
    took = time.perf_counter() - began
    read.set()
    assert took < 1.0
