"""Who is at the board where nobody was chosen: the weakest for a newcomer, else the strongest; whoever was chosen stays."""

import threading
import time

import pygame
import pytest

from ai import catalogue, kernels, models
from ai.agent import Plan, Thinking
from ai.entries import Spec
from game.play import seating
from game.rules import connect4, levels, twenty48
from game.rules.connect4 import Shape

CORRIDOR = "#######\n#@ $ .#\n#######\n"
PULLS = "######\n#$  .#\n# @  #\n######\nVariant: push & pull\n"


@pytest.mark.parametrize(
    ("size", "wanted"),
    [
        (3, "ntuple:2048-3x3,plies=3"),
        (4, "ntuple:2048-strong,plies=3"),
        (5, "ntuple:2048-5x5,plies=3"),
        (6, "expectimax"),
        (8, "expectimax"),
    ],
)
def test_2048_is_played_by_the_best_network_of_its_size(size: int, wanted: str) -> None:
    assert str(catalogue.strongest("twenty48", twenty48.start(size))) == wanted


@pytest.mark.parametrize(
    ("shape", "players", "wanted"),
    [((6, 7, 1, 4), 2, "perfect"), ((6, 7, 1, 4), 3, "alphabeta"), ((8, 8, 1, 4), 2, "alphabeta"),
     ((7, 6, 1, 4), 2, "alphabeta"), ((4, 4, 4, 4), 2, "alphabeta"), ((6, 7, 1, 5), 2, "alphabeta")],
)  # fmt: skip
def test_connect4_is_played_perfectly_where_there_is_a_book(
    shape: tuple[int, int, int, int], players: int, wanted: str
) -> None:
    assert catalogue.strongest("connect4", connect4.start(Shape(*shape, players=players))).id == wanted


@pytest.mark.parametrize(("level", "wanted"), [(CORRIDOR, "fess"), (PULLS, "astar")])
def test_sokoban_is_solved_by_the_strong_solver_where_it_knows_the_rules(level: str, wanted: str) -> None:
    print(level)
    assert catalogue.strongest("sokoban", levels.parse(level, "test").levels[0].state).id == wanted


def test_a_new_network_without_measurements_is_not_the_default(monkeypatch, tmp_path) -> None:
    shipped = models.find("2048-small")
    assert shipped is not None
    (tmp_path / "a.safetensors").write_bytes(shipped.read_bytes())
    monkeypatch.setattr(models, "FOLDERS", [tmp_path])
    assert catalogue.default_spec("twenty48", "ntuple", twenty48.start(4)).model == "a"
    monkeypatch.setattr(models, "FOLDERS", [tmp_path, shipped.parent])
    assert catalogue.default_spec("twenty48", "ntuple", twenty48.start(4)).model == "2048-strong"


def test_a_newcomer_at_2048_meets_the_weakest_and_keeps_it(visit) -> None:
    visitor = visit("2048")
    scene = visitor.scene
    weakest, strongest = Spec("random"), "ntuple:2048-strong,plies=3"
    assert scene.session.driver.seats == [weakest] and scene.session.name_of(weakest) == "Newcomer"
    assert str(scene.session.hint_spec()) == strongest, "hints are good ones all the same"
    visitor.context.progress.played_2048(4, 100, 5)
    visitor.close()
    assert visit("2048").scene.session.driver.seats == [weakest], "the choice was forgotten after the first game"


def test_nobody_chosen_follows_the_board_and_somebody_chosen_stays(visit) -> None:
    visitor = visit()
    visitor.context.progress.played_2048(4, 100, 5)
    visitor.close()
    scene = visit("2048").scene
    seat = lambda: str(scene.session.driver.seats[0])  # noqa: E731
    assert seat() == "ntuple:2048-strong,plies=3"
    scene.face._resize(-1)
    assert seat() == "ntuple:2048-3x3,plies=3"
    scene.face._resize(3)
    assert seat() == "expectimax"
    scene.session.choose_agent(0, Spec("greedy"))
    scene.face._resize(-2)
    assert seat() == "greedy"


def test_an_opponent_is_the_same_by_name_on_every_board(visit) -> None:
    scene = visit("2048").scene
    named = next(each for each in seating.candidates("twenty48", scene.session.state) if each.opponent.elsewhere)
    scene.session.choose_agent(0, named.spec)
    for by in (1, -1):
        scene.face._resize(by)
        found = seating.candidate("twenty48", scene.session.driver.seats[0], scene.session.state)
        print(scene.session.state.size, scene.session.driver.seats)
        assert found is not None and found.opponent == named.opponent
    assert scene.session.driver.seats == [named.spec]


def test_a_chosen_solver_comes_back_after_a_level_it_does_not_know(visit) -> None:
    visitor = visit("sokoban")
    scene = visitor.scene
    plain, other = scene.session.course.packs.get("2-depot"), scene.session.course.packs.get("5-variants")
    who = lambda: scene.session.driver.seats[0].id  # noqa: E731
    assert who() == "fess"
    scene.session.open_level(other, 0)
    assert who() == "astar"
    scene.session.open_level(plain, 0)
    assert who() == "fess"
    scene.session.choose_agent(0, Spec("ida"))
    scene.session.open_level(plain, 1)
    assert who() == "ida"


def test_the_first_game_of_connect4_is_against_the_weakest_with_the_best_advice(visit) -> None:
    visitor = visit("connect4")
    scene = visitor.scene
    weakest = seating.first_opponent("connect4", scene.session.state)
    assert scene.session.driver.seats == [None, weakest] and scene.session.who(1) == "Newcomer"
    assert scene.session.adviser.spec(scene.session.state).id == "perfect"
    visitor.key(pygame.K_l, "l")
    dialog = visitor.window.top
    dialog._preset("cube")
    visitor.key(pygame.K_RETURN)
    assert scene.session.driver.seats == [None, weakest]
    assert scene.session.adviser.spec(scene.session.state).id == "alphabeta"


def test_an_agent_that_takes_long_to_make_is_said_to_be_loaded(visit, monkeypatch) -> None:
    made = threading.Event()

    class Agent:
        def new_game(self, seed: int) -> None:
            pass

        def plan(self, state: twenty48.State, thinking: Thinking) -> Plan:
            return Plan(twenty48.legal_actions(state)[:1])

    def make(game: str, spec: Spec) -> Agent:
        made.wait(20)
        return Agent()

    monkeypatch.setattr(kernels, "ready", lambda _family: True)
    monkeypatch.setattr(catalogue, "create", make)
    visitor = visit("2048", animation="instant")
    visitor.scene.session.choose_agent(0, Spec("ntuple", {"plies": 5}, "2048-strong"))
    visitor.key(pygame.K_SPACE)
    end = time.perf_counter() + 20
    while "is being loaded" not in visitor.scene.status[0] and time.perf_counter() < end:
        visitor.frames()
        time.sleep(0.01)
    assert visitor.scene.status[0] == "N-tuple network · 2048-strong is being loaded"
    assert "loading" in [words for words, _ in visitor.words()]
    made.set()
    while not visitor.scene.session.timeline.cursor and time.perf_counter() < end:
        visitor.frames()
    assert visitor.scene.session.timeline.cursor and "loaded" not in visitor.scene.status[0]
