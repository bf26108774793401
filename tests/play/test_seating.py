"""Who can sit at a board: named opponents, weakest first, and every agent as it was left."""

from typing import Any

import pytest

from ai import catalogue
from ai.entries import Spec
from ai.family import family
from game.play import seating
from game.rules import levels, twenty48
from game.rules.games import GAMES
from game.saves.settings import Settings, with_remembered

LEVEL = "######\n#@ $.#\n######\n"


class Kept:
    """The part of the store that remembers."""

    def __init__(self) -> None:
        self.settings = Settings()

    def remember(self, name: str, value: Any) -> None:
        self.settings = with_remembered(self.settings, name, value)


@pytest.fixture
def store() -> Any:
    return Kept()


@pytest.mark.parametrize("game", ["twenty48", "connect4"])
def test_players_come_in_eight_strengths_and_a_newcomer_meets_the_first(game: str) -> None:
    state = GAMES[game].start({})
    named = seating.candidates(game, state)
    print([(each.opponent.name, each.strength, str(each.spec)) for each in named])
    assert [each.rank for each in named] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert named[2].strength == "strength 3 of 8" and named[2].measured.endswith(family(game).rated_in)
    assert f"{named[2].opponent.rating:,.0f} ± {named[2].opponent.stderr:,.0f} " in named[2].measured
    assert seating.first_opponent(game, state) == named[0].spec
    assert seating.candidate(game, named[5].spec, state) == named[5]
    assert seating.candidate(game, None, state) is None
    assert [seating.name(game, each.spec, state) for each in named] == [each.opponent.name for each in named]


def test_solvers_have_presets_that_say_no_strength_and_the_strongest_stands_ready() -> None:
    state = levels.parse(LEVEL, "test").levels[0].state
    named = seating.candidates("sokoban", state)
    assert [each.opponent.name for each in named] == ["Quick", "Shortest", "Watch it learn"]
    assert {each.strength for each in named} == {""}
    assert seating.first_opponent("sokoban", state) == catalogue.strongest("sokoban", state)
    assert seating.name("sokoban", named[0].spec, state) == catalogue.entry("sokoban", named[0].spec.id).title


def test_of_two_that_are_the_same_on_a_board_one_is_shown() -> None:
    state = twenty48.start(8)
    specs = [str(each.spec) for each in seating.candidates("twenty48", state)]
    print(specs)
    assert len(specs) == len(set(specs)) >= 3


def test_an_agent_without_a_name_is_called_by_title_and_model() -> None:
    state = twenty48.start(4)
    assert seating.name("twenty48", Spec("mcts"), state) == "Monte-Carlo search"
    spec = Spec("ntuple", {"plies": 5}, "2048-small")
    assert seating.name("twenty48", spec, state) == "N-tuple network · 2048-small"


def test_an_agent_comes_back_as_it_was_set(store: Any) -> None:
    state = twenty48.start(4)
    assert seating.kept(store, "twenty48", "expectimax", state) == Spec("expectimax")
    seating.keep(store, "twenty48", Spec("expectimax", {"depth": 2}))
    seating.keep(store, "twenty48", Spec("mcts", {"simulations": 50}))
    assert seating.kept(store, "twenty48", "expectimax", state) == Spec("expectimax", {"depth": 2})
    assert seating.kept(store, "twenty48", "mcts", state) == Spec("mcts", {"simulations": 50})
    assert seating.kept(store, "twenty48", "greedy", state) == Spec("greedy")


def test_a_model_that_does_not_fit_the_board_gives_way_and_the_settings_stay(store: Any) -> None:
    seating.keep(store, "twenty48", Spec("ntuple", {"plies": 2}, "2048-small"))
    assert seating.kept(store, "twenty48", "ntuple", twenty48.start(4)).model == "2048-small"
    assert seating.kept(store, "twenty48", "ntuple", twenty48.start(3)) == Spec("ntuple", {"plies": 2}, "2048-3x3")


@pytest.mark.parametrize("text", ["greedy", "ntuple:2048-small,plies=99", "gone,depth=3", 7])
def test_what_is_remembered_and_cannot_be_is_forgotten(store: Any, text: Any) -> None:
    store.remember("twenty48/agent expectimax", text)
    assert seating.kept(store, "twenty48", "expectimax", twenty48.start(4)) == Spec("expectimax")
