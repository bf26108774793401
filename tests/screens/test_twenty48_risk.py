"""The risk of losing soon: how it is reckoned and said, when it is asked for and when it is forgotten."""

import random
import time
from typing import Any

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import kernels
from ai.agent import Plan, Thinking
from ai.entries import Spec
from game.play.twenty48 import risk as risk_module
from game.play.twenty48.risk import MOVES, Risk, quick, sample
from game.rules import twenty48
from game.rules.twenty48 import parse_position

NEAR_THE_END = "2 4 8/16 32 64/128 256 256"


class First:
    """Plays the first legal slide, one by one or many."""

    def new_game(self, seed: int) -> None:
        pass

    def plan(self, state: twenty48.State, thinking: Thinking) -> Plan:
        legal = twenty48.legal_actions(state)
        return Plan(legal[:1], values=dict.fromkeys(legal, 1.0), nodes=1)

    def play_many(self, state: twenty48.State, moves: int, thinking: Thinking) -> Any:
        made = []
        while len(made) < moves and (legal := twenty48.legal_actions(state)):
            state = twenty48.apply(state, legal[0])
            made.append((legal[0], 0, 1))
        return tuple(made)


def test_every_game_that_ends_early_is_counted():
    state = parse_position(NEAR_THE_END, 1)
    print(NEAR_THE_END)
    lost = sum(
        len(First().play_many(twenty48.State(3, state.cells, 0, random_seed, 0), MOVES, Thinking())) < MOVES
        for random_seed in [luck.getrandbits(63) for luck in [random.Random(7)] for _ in range(40)]
    )
    assert sample(First(), state, 40, random.Random(7), Thinking()) == lost
    assert lost > 0
    cancelled = Thinking()
    cancelled.cancel()
    assert sample(First(), state, 40, random.Random(7), cancelled) == -1


@given(st.integers(1, 1000).flatmap(lambda games: st.tuples(st.integers(0, games), st.just(games))))
def test_the_range_holds_what_was_found(found):
    lost, games = found
    low, high = Risk(lost, games).range
    print(found, low, high, Risk(lost, games).words)
    assert 0 <= low <= lost / games + 1e-9 and lost / games - 1e-9 <= high <= 1
    many_low, many_high = Risk(4 * lost, 4 * games).range
    assert many_high - many_low < high - low, "more games say it more exactly"


def test_risk_in_words():
    assert Risk(0, 1000).words == "under 0.4 %"
    assert Risk(1000, 1000).words == "over 99 %"
    assert Risk(120, 1000).words == "12 ± 2.0 %"
    assert Risk(4, 1000).words == "0.4 ± 0.4 %"


def test_the_quick_agent_looks_one_move_ahead_with_the_same_model():
    assert quick(Spec("ntuple", {"plies": 3}, "any")).settings["plies"] == 1
    assert quick(Spec("ntuple", {"plies": 3}, "any")).model == "any"
    assert quick(Spec("expectimax")).settings == {"depth": 1}
    assert quick(Spec("random")) == Spec("random")


@pytest.mark.parametrize("size", [(1024, 640), (1280, 800)])
def test_the_panel_says_it_once_an_agent_was_asked(visit, monkeypatch, size):
    monkeypatch.setattr(kernels, "ready", lambda _family: True)
    monkeypatch.setattr("ai.catalogue.create", lambda game, spec: First())
    monkeypatch.setattr(risk_module, "MOST", 60)
    visitor = visit("2048", size, animation="instant")
    scene = visitor.scene
    scene.session.choose_agent(0, Spec("expectimax"))
    scene.session.begin(parse_position(NEAR_THE_END, 1))
    visitor.frames(30)
    assert scene.session.risk.risk is None and scene.session.risk._worker is None, "nobody asked an agent"
    visitor.key(pygame.K_h, "h")
    end = time.perf_counter() + 20
    while scene.session.risk.risk is None or scene.session.risk.risk.games < 60:
        assert time.perf_counter() < end, (visitor.said(), scene.status)
        visitor.frames()
        time.sleep(0.001)
    found = scene.session.risk.risk
    print(NEAR_THE_END, found)
    assert (found.lost, found.games) == (
        sample(First(), scene.session.state, 60, random.Random(str(scene.session.state)), Thinking()),
        60,
    )
    shown = [words for words, _place in visitor.words()]
    assert f"Lost within {MOVES} moves" in shown and found.words in shown, shown
    visitor.key(pygame.K_RIGHT)
    visitor.frames(1)
    assert scene.session.risk.risk is None, "that was about another board"
