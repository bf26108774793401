"""Every game of several seats is an environment that plays by its rules."""

import random
from typing import Any

import numpy as np
import pytest

from game.envs import seats
from game.rules.game import Game
from game.rules.games import GAMES

SEVERAL = [game for game in GAMES.values() if game.seats[1] > 1]


def test_there_is_one() -> None:
    assert SEVERAL


@pytest.mark.parametrize("game", SEVERAL, ids=lambda game: game.id)
@pytest.mark.parametrize("seed", range(3))
def test_an_episode_is_a_game(game: Game[Any], seed: int) -> None:
    env, luck, state = seats.env(game.id, render_mode="ansi"), random.Random(seed), game.start({})
    env.reset()
    sums = dict.fromkeys(env.possible_agents, 0.0)
    while game.outcome(state) is None:
        agent = env.agent_selection
        seen, _, over, cut, _ = env.last()
        assert agent == f"player_{game.to_move(state)}"
        assert (over, cut) == (False, False)
        assert env.observation_space(agent).contains(seen)
        assert tuple(np.flatnonzero(seen["action_mask"])) == game.actions(state)
        assert np.array_equal(seen["observation"], game.observe(state, game.to_move(state)))
        assert env.render()
        action = luck.choice(game.actions(state))
        state = game.play(state, action)
        env.step(action)
        for each in env.agents:
            sums[each] += env.rewards[each]
    points = game.points(state)
    assert all(env.terminations.values())
    assert [reward > 0 for reward in sums.values()] == [point == 1 for point in points]
    assert [reward < 0 for reward in sums.values()] == [point == 0 for point in points]


def test_what_is_no_board_is_refused() -> None:
    with pytest.raises(KeyError):
        seats.env("chess")
    with pytest.raises(ValueError, match="players"):
        seats.env(SEVERAL[0].id, {"players": 99})
