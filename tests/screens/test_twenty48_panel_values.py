"""The panel of 2048 while it shows what an agent thinks of the four slides: their points apart from the rest."""

import pygame

from ai import kernels
from ai.agent import Plan, Thinking
from ai.entries import Spec
from game.rules import twenty48
from game.rules.twenty48 import parse_position
from game.views.twenty48 import worth

BOARD = """
2 2 4 4
0 0 0 8
0 0 0 8
0 0 0 2
"""
STATE = parse_position(BOARD)


class Points:
    """Expects a hundred more points after any slide but up."""

    def new_game(self, seed: int) -> None:
        pass

    def plan(self, state: twenty48.State, thinking: Thinking) -> Plan:
        legal = worth.rewards(state)
        values = {action: float(reward + (100 if action else 0)) for action, reward in legal.items()}
        return Plan((max(values, key=values.__getitem__),), values=values, nodes=4)


def test_the_panel_shows_points_and_value_of_the_position_that_was_thought_about(visit, monkeypatch):
    monkeypatch.setattr(kernels, "ready", lambda _family: True)
    monkeypatch.setattr("ai.catalogue.create", lambda game, spec: Points())
    monkeypatch.setattr("ai.catalogue.why_not", lambda game, spec, state: None)
    visitor = visit("twenty48", page="lab", animation="instant")
    scene = visitor.scene
    scene.session.begin(STATE)
    scene.session.choose_agent(0, Spec("ntuple", model="any"))
    visitor.key(pygame.K_h, "h")
    while scene.session.driver.busy:
        visitor.frames()
    print(BOARD)
    assert scene.face.thought_note() == "points now + later"
    words = [word for word, _place in visitor.words()]
    assert words.count("+16") == 2 and words.count("+12") == 2 and words.count("100") == 3
    scene.session.person_plays(0)  # another board now, on which up makes other points
    assert {bar.now for bar in scene.face.value_bars()} == {"+16", "+12"}
    assert scene.face.thought_note() == "before the last move"
    scene.session.person_plays(3)
    assert all(bar.share is None for bar in scene.face.value_bars())
