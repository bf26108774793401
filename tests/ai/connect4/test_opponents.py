"""The named opponents of connect-4 really play as strongly as their names say, and sit down at deep boards."""

import random

import pytest

from ai import catalogue, kernels, models
from ai.agent import Thinking
from ai.entries import Spec
from ai.family import Opponent
from game.play import matches
from game.play.asking import load_kernels
from game.rules import connect4
from game.rules.connect4 import Shape
from game.saves.folder import PROGRAM_SAVES

models.use_folders(PROGRAM_SAVES / "models")
WEAKEST, LEARNER, CASUAL, STEADY, SKILLED, EXPERT, CHAMPION, PERFECT = catalogue.opponents("connect4")


def points(one: str, other: str, openings: int) -> float:
    """Points of one agent against another: each opening of two stones from both seats, by seed."""
    agents = [catalogue.create("connect4", catalogue.parse("connect4", agent)) for agent in (one, other)]
    won = 0.0
    for number in range(2 * openings):
        who = matches.rotation(number % 2, 2)
        for index in who:
            agents[index].new_game(2 * number + index)
        state = matches.opening(connect4.start(Shape(6, 7, 1, 4)), 2, random.Random(number // 2))
        *_, last = matches.play(state, [agents[index] for index in who], [one, other], Thinking)
        won += connect4.GAME.points(last.state)[who.index(0)]
    return won


@pytest.mark.parametrize(("weaker", "stronger"), [(WEAKEST, CASUAL), (LEARNER, STEADY), (STEADY, EXPERT)])
def test_who_stands_two_higher_wins_most_games(weaker: Opponent, stronger: Opponent) -> None:
    load_kernels(kernels.units("connect4"))
    won = points(weaker.agent, stronger.agent, 20)
    print(weaker.name, "has", won, "of 40 points against", stronger.name)
    assert won <= 14
    assert won == points(weaker.agent, stronger.agent, 20), "the same seeds, the same games"


def test_a_perfect_player_is_one_where_the_exact_search_plays() -> None:
    flat, deep, three = (connect4.start(Shape(*each)) for each in ((6, 7, 1, 4), (4, 4, 4, 4), (6, 7, 1, 4, 3)))
    assert catalogue.opponent("connect4", PERFECT, flat) == Spec("perfect")
    assert catalogue.opponent("connect4", PERFECT, deep) == Spec("alphabeta")
    assert catalogue.opponent("connect4", PERFECT, three) == Spec("alphabeta")
    assert catalogue.opponent("connect4", WEAKEST, three) == catalogue.parse("connect4", WEAKEST.agent)
