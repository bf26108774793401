"""Two agents of 2048 side by side: the same luck for both, one pace, each chosen for itself, and a result."""

import math
import threading
import time
from collections.abc import Callable
from typing import Any

import pygame
import pytest

from ai import kernels
from ai.agent import Plan, Thinking
from ai.entries import Spec
from game.play.twenty48.duel import Side
from game.rules import twenty48
from game.rules.twenty48 import parse_position
from game.screens.twenty48.duel_scene import DuelScene
from game.ui.dialog import Dialog

SIZES = ((1024, 640), (1280, 800), (1920, 1080))


class Fixed:
    """Plays the first or the last legal slide; a slow one needs a while for it."""

    def __init__(self, spec: Spec) -> None:
        self.last = spec.id == "expectimax"
        self.slow = spec.settings.get("depth") == 5
        self.many = spec.id == "ntuple"

    def new_game(self, seed: int) -> None:
        pass

    def plan(self, state: twenty48.State, thinking: Thinking) -> Plan:
        while self.slow and not thinking.over(0, 0.05):
            time.sleep(0.002)
        return Plan((twenty48.legal_actions(state)[-1 if self.last else 0],), nodes=1)


class Quick(Fixed):
    """Plays many moves in one call."""

    def play_many(self, state: twenty48.State, moves: int, thinking: Thinking) -> Any:
        made = []
        while len(made) < 40 and (plan := twenty48.legal_actions(state)):
            after = twenty48.apply(state, plan[0])
            cell = next(
                at for at, (old, new) in enumerate(zip(twenty48.slide(state, plan[0]).cells, after.cells, strict=True))
                if old != new
            )  # fmt: skip
            made.append((plan[0], cell, after.cells[cell]))
            state = after
        return tuple(made)


@pytest.fixture
def duel(visit: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """`duel(left, right, …)`: the screen, opened by its key from the board."""

    def open_one(
        left: Spec | None = None, right: Spec | None = None, size: tuple[int, int] = (1280, 800), **settings: Any
    ) -> tuple[Any, DuelScene]:
        monkeypatch.setattr(kernels, "ready", lambda _family: True)
        monkeypatch.setattr("ai.catalogue.create", lambda game, spec: (Quick if spec.id == "greedy" else Fixed)(spec))
        visitor = visit("2048", size, **{"animation": "instant", **settings})
        for number, spec in ((1, left or Spec("expectimax")), (2, right or Spec("random"))):
            visitor.context.remember_seat("twenty48", number, spec)
        visitor.key(pygame.K_c, "c")
        scene = visitor.window.top
        assert isinstance(scene, DuelScene)
        return visitor, scene

    return open_one


def until(visitor: Any, done: Callable[[], Any]) -> None:
    end = time.perf_counter() + 20
    while not done():
        assert time.perf_counter() < end, f"waited in vain: {visitor.said()}, {visitor.window.top.status}"
        visitor.frames()
        time.sleep(0.001)


def moves(side: Side) -> int:
    return side.timeline.cursor


def boards(scene: DuelScene) -> str:
    return "\n\n".join(twenty48.draw(side.state) for side in scene.duel.sides)


def test_both_begin_alike_and_draw_from_the_same_luck(duel):
    visitor, scene = duel()
    left, right = scene.duel.sides
    assert left.state == right.state == twenty48.start(4, scene.duel.seed)
    scene.set_speed(60.0)
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: min(moves(left), moves(right)) >= 8)
    visitor.key(pygame.K_SPACE, " ")
    print(boards(scene))
    assert not scene.duel.running
    for side, last in ((left, True), (right, False)):
        state = twenty48.start(4, scene.duel.seed)
        for step in side.timeline.steps:
            assert step.action == twenty48.legal_actions(state)[-1 if last else 0]
            state = twenty48.apply(state, step.action)
        assert state == side.state


def test_the_slower_one_sets_the_pace(duel):
    visitor, scene = duel(Spec("expectimax", {"depth": 5}), Spec("random"))
    scene.set_speed(60.0)
    visitor.key(pygame.K_SPACE, " ")
    left, right = scene.duel.sides
    seen = set()
    until(visitor, lambda: seen.add(moves(right) - moves(left)) or moves(left) >= 5)
    assert seen <= {-1, 0, 1}


def test_one_step_is_one_move_of_each(duel):
    visitor, scene = duel()
    left, right = scene.duel.sides
    for count in (1, 2):
        visitor.key(pygame.K_PERIOD, ".")
        until(visitor, lambda count=count: moves(left) == moves(right) == count)
        visitor.frames(5)
        assert (moves(left), moves(right), scene.duel.running) == (count, count, False)


def test_an_agent_is_changed_while_both_play(duel):
    visitor, scene = duel()
    scene.set_speed(60.0)
    visitor.key(pygame.K_SPACE, " ")
    left, _right = scene.duel.sides
    until(visitor, lambda: moves(left) >= 3)
    scene.forms[0]._choose("random", left.state)
    before = moves(left)
    until(visitor, lambda: moves(left) >= before + 3)
    assert scene.duel.running and left.spec == Spec("random")
    for step, state in list(zip(left.timeline.steps, left.timeline.states, strict=False))[before:]:
        assert step.action == twenty48.legal_actions(state)[0]
    assert visitor.context.settings.seats["twenty48/1"] == "random"


def test_the_end_says_who_won_and_keeps_both_games(duel):
    visitor, scene = duel()
    kept = len(visitor.context.library.paths())
    left, right = scene.duel.sides
    left.begin(parse_position("2 2 4/8 16 32/64 128 256", 1))
    right.begin(parse_position("2 4 2/4 2 8/2 4 8", 1))
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: isinstance(visitor.window.top, Dialog))
    print(boards(scene))
    lead = left.state.score - right.state.score
    dialog = visitor.window.top
    assert dialog.title == f"{'Left' if lead > 0 else 'Right'} wins by {abs(lead):,} points"
    assert f"{left.state.score:,} points" in dialog.message and f"{right.state.score:,} points" in dialog.message
    visitor.context.writer.flush()
    assert len(visitor.context.library.paths()) == kept + 2
    seed = scene.duel.seed
    visitor.click(scene.kit.controls[0].rect.center)  # the dialog is above
    visitor.key(pygame.K_ESCAPE)
    visitor.key(pygame.K_r, "r")
    assert visitor.window.top is scene and scene.duel.seed == seed and moves(left) == moves(right) == 0
    visitor.key(pygame.K_n, "n")
    assert scene.duel.seed != seed
    visitor.context.writer.flush()
    assert len(visitor.context.library.paths()) == kept + 2, "games without a move are kept"


def test_as_fast_as_the_machine_allows(duel):
    visitor, scene = duel(Spec("greedy"), Spec("greedy"))
    scene.set_speed(math.inf)
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: scene.duel.over)
    print(boards(scene))
    left, right = scene.duel.sides
    assert left.state == right.state and scene.duel.lead == 0
    assert visitor.window.top.title == "A draw!"


def test_an_agent_that_cannot_play_here_is_said(duel):
    visitor, scene = duel(Spec("ntuple", model="nowhere"))
    visitor.key(pygame.K_SPACE, " ")
    visitor.frames(3)
    assert "nowhere" in visitor.said()[-1] and not scene.duel.running


def test_leaving_pauses_and_settings_persist(duel, visit):
    visitor, scene = duel()
    scene.set_speed(20.0)
    visitor.key(pygame.K_SPACE, " ")
    visitor.window.command("settings")
    assert not scene.duel.running
    visitor.key(pygame.K_ESCAPE)
    visitor.key(pygame.K_ESCAPE)
    assert visitor.window.top is visitor.scene
    visitor.close()
    again = visit("2048")
    again.key(pygame.K_c, "c")
    assert again.window.top.duel.speed == 20.0


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_everything_is_in_view(duel, size, theme):
    visitor, scene = duel(size=size, theme=theme)
    scene.duel.sides[0].timeline.states[-1] = parse_position("131072 65536 32768 16384/0 0 0 0/0 0 0 0/0 0 0 0", 1)
    scene.duel.sides[0].timeline.states[-1] = twenty48.State(4, scene.duel.sides[0].state.cells, 3_932_100, 1, 30_000)
    visitor.frames(2)
    inside = visitor.window.surface.get_rect()
    boxes = [control.rect for control in scene.kit.controls] + scene.scores + [view.frame for view in scene.views]
    assert all(inside.contains(box) for box in boxes)
    assert not any(box.colliderect(other) for at, box in enumerate(boxes) for other in boxes[at + 1 :])
    shown = [words for words, _place in visitor.words()]
    for words in ("3,932,100", "+3,932,100 ahead", "Expectimax", "Random", "Run", "Step", "Again", "New", "Speed"):
        assert words in shown, (words, shown)


def test_leaving_waits_for_nobody(duel, monkeypatch):
    visitor, scene = duel()
    busy, deaf = threading.Semaphore(0), threading.Event()
    monkeypatch.setattr(Fixed, "plan", lambda *_: busy.release() or deaf.wait(30))
    scene.set_speed(60.0)
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: busy.acquire(blocking=False))
    until(visitor, lambda: busy.acquire(blocking=False))
    before = time.perf_counter()
    visitor.window.pop()
    took = time.perf_counter() - before
    deaf.set()
    print(f"both agents heard no cancel; leaving took {took:.3f} s")
    assert took < 1.0
