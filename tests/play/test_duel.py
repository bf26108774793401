"""A duel of 2048 without a window: the same luck for both, one pace, each side chosen for itself, both games kept."""

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ai import kernels
from ai.agent import Plan, Thinking
from ai.entries import Spec
from game.play.twenty48.duel import SPEED, Duel, Side
from game.play.watcher import Watcher
from game.rules import twenty48
from game.rules.replay import Step, read
from game.rules.twenty48 import State, parse_position
from tests.desk import Desk


class Fixed:
    """Plays the last legal slide as expectimax, else the first one."""

    def __init__(self, spec: Spec) -> None:
        self.at = -1 if spec.id == "expectimax" else 0
        self.wrong = spec.settings.get("depth") == 5

    def new_game(self, seed: int) -> None:
        pass

    def plan(self, state: State, thinking: Thinking) -> Plan:
        if self.wrong:
            raise RuntimeError("no idea")
        return Plan((twenty48.legal_actions(state)[self.at],), nodes=1)


class Notes(Watcher):
    def __init__(self) -> None:
        self.told: list[str] = []

    def stepped(self, before: State, step: Step, after: State, seconds: float) -> None:
        self.told.append("step")

    def ended(self) -> None:
        self.told.append("ended")

    def say(self, words: str, tone: str = "info") -> None:
        self.told.append(words)


@pytest.fixture
def duel(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`duel(left, right)`: a duel of these agents on 4×4."""
    monkeypatch.setattr(kernels, "ready", lambda _game: True)
    monkeypatch.setattr("ai.catalogue.create", lambda _game, spec: Fixed(spec))
    made: list[Duel] = []

    def begin(left: Spec = Spec("expectimax"), right: Spec = Spec("random")) -> tuple[Duel, list[Notes]]:  # noqa: B008
        desk.seats = {1: left, 2: right}
        watchers = [Notes(), Notes()]
        made.append(Duel(desk, watchers, 4))
        return made[-1], watchers

    yield begin
    for each in made:
        each.close()


def until(duel: Duel, done: Callable[[], Any]) -> set[int]:
    """Frames until it is done; how far the left side was ahead meanwhile."""
    ahead, end = set(), time.perf_counter() + 20
    while not done():
        assert time.perf_counter() < end, [twenty48.draw(side.state) for side in duel.sides]
        duel.tick(0.02, (False, False))
        ahead.add(duel.sides[0].timeline.cursor - duel.sides[1].timeline.cursor)
        time.sleep(0.001)
    return ahead


def kept_in(desk: Desk) -> list[Path]:
    """The replays in the folder of this test, without those that ship."""
    return [path for path in desk.library.paths() if path.is_relative_to(desk.saves.root)]


def test_both_play_at_one_pace_with_the_same_luck(duel):
    match, _ = duel()
    left, right = match.sides
    assert left.state == right.state == twenty48.start(4, match.seed)
    match.set_speed(60.0)
    match.toggle_run()
    assert until(match, lambda: min(side.timeline.cursor for side in match.sides) >= 8) <= {-1, 0, 1}
    match.toggle_run()
    assert not match.running
    for side, at in ((left, -1), (right, 0)):
        state = twenty48.start(4, match.seed)
        for step in side.timeline.steps:
            assert step.action == twenty48.legal_actions(state)[at]
            state = twenty48.apply(state, step.action)
        assert state == side.state


def test_the_end_is_told_once_by_each_and_both_are_kept(duel, desk):
    match, watchers = duel()
    left, right = match.sides
    left.begin(parse_position("2 2 4/8 16 32/64 128 256", 1))
    right.begin(parse_position("2 4 2/4 2 8/2 4 8", 1))
    match.set_speed(math.inf)
    match.toggle_run()
    until(match, lambda: match.over)
    match.tick(0.02, (False, False))
    assert [each.told.count("ended") for each in watchers] == [1, 1]
    assert match.lead == left.state.score - right.state.score
    match.toggle_run()
    assert watchers[0].told[-1] == "Both games are over: N plays with other tiles." and not match.running
    match.new_game()
    match.close()
    desk.writer.flush()
    kept = [read(path, path.name) for path in kept_in(desk)]
    assert sorted(record.seats for record in kept) == [("expectimax",), ("random",)]
    assert all("side by side" in record.title for record in kept)


def test_an_unfinished_game_is_kept_and_one_without_a_move_is_not(duel, desk):
    match, _ = duel()
    match.new_game(match.seed)
    match.step_once()
    until(match, lambda: match.sides[0].timeline.cursor == match.sides[1].timeline.cursor == 1)
    match.resize(1)
    match.resize(9)
    assert match.size == 8
    match.resize(-9)
    assert match.size == 3 and match.sides[0].state == match.sides[1].state
    match.close()
    desk.writer.flush()
    assert len(kept_in(desk)) == 2


def test_where_one_fails_both_stop_and_it_is_said(duel):
    match, watchers = duel(right=Spec("expectimax", {"depth": 5}))
    match.toggle_run()
    until(match, lambda: not match.running)
    assert any("no idea" in words for words in watchers[1].told)


def test_seats_and_speed_are_remembered(duel, desk):
    match, _ = duel()
    match.set_speed(20.0)
    match.scale_speed(1.5)
    match.sides[1].change_parameter(0, Spec("greedy"))
    assert desk.seats[2] == Spec("greedy") and desk.speeds[SPEED] == 30.0
    assert Duel(desk, [Watcher(), Watcher()], 4).speed == 30.0


def test_nothing_of_it_is_saved_as_the_game_that_goes_on(duel, desk):
    match, _ = duel()
    match.step_once()
    until(match, lambda: match.sides[0].timeline.cursor == 1)
    match.close()
    desk.writer.flush()
    assert not list(desk.saves.root.glob("**/*twenty48*")), Side.game
