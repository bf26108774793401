"""The named players of 2048 really score as their names say, on boards without a network as well."""

import statistics

import pytest

from ai import catalogue, kernels, models
from ai.family import Opponent
from game.play import solo
from game.play.asking import load_kernels
from game.rules import twenty48
from game.saves.folder import PROGRAM_SAVES

models.use_folders(PROGRAM_SAVES / "models")
WEAKEST, LEARNER, CASUAL, STEADY, SKILLED, EXPERT, CHAMPION, STRONGEST = catalogue.opponents("twenty48")


def mean(named: Opponent, games: int, size: int = 4) -> float:
    """Of the scores of games by seed."""
    spec = catalogue.opponent("twenty48", named, twenty48.start(size))
    agent, scores = catalogue.create("twenty48", spec), []
    for seed in range(games):
        state = twenty48.start(size, seed)
        agent.new_game(seed)
        for turn in solo.play(agent, named.name, state):
            state = turn.state
        scores.append(state.score)
    print(named.name, spec, scores)
    return statistics.fmean(scores)


def test_who_stands_higher_scores_more() -> None:
    load_kernels(kernels.units("twenty48"))
    means = [mean(each, 6) for each in (WEAKEST, LEARNER, CASUAL, STEADY, SKILLED, EXPERT)]
    assert means == sorted(means)


@pytest.mark.parametrize(("size", "model"), [(5, "2048-5x5"), (6, None)])
def test_the_strongest_takes_the_network_of_the_board_where_there_is_one(size: int, model: str | None) -> None:
    state = twenty48.start(size)
    assert catalogue.opponent("twenty48", STRONGEST, state).model == model
    assert catalogue.opponent("twenty48", EXPERT, state) == catalogue.parse("twenty48", EXPERT.elsewhere)


def test_on_small_boards_the_order_holds() -> None:
    load_kernels(kernels.units("twenty48"))
    assert mean(WEAKEST, 20, 3) < mean(STEADY, 20, 3) < mean(STRONGEST, 20, 3)
