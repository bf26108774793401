"""`greedy` and `random`: what they choose from, and that chance chooses evenly among it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.agent import Thinking
from ai.twenty48.search.baselines import GreedyAgent, RandomAgent
from game.rules import twenty48
from game.rules.twenty48 import State


@st.composite
def positions(draw: st.DrawFn) -> State:
    size = draw(st.integers(3, 8))
    tile = st.one_of(st.just(0), st.integers(1, draw(st.sampled_from([1, 2, 3, 17]))))
    cells = draw(st.lists(tile, min_size=size * size, max_size=size * size).filter(any))
    return State(size, tuple(cells), 0, draw(st.integers(0, 2**64 - 1)), draw(st.integers(0, 2**40)))


@settings(deadline=None)
@given(positions(), st.integers(0, 2**64 - 1))
def test_greedy_takes_the_largest_reward(state: State, seed: int) -> None:
    agent = GreedyAgent()
    agent.new_game(seed)
    plan = agent.plan(state, Thinking())
    print(twenty48.draw(state), plan)
    rewards = {}
    for action in range(4):
        slide = twenty48.slide(state, action)
        if slide is not None:
            rewards[action] = float(slide.reward)
    assert plan.values == rewards
    if rewards:
        assert rewards[plan.actions[0]] == max(rewards.values())
    played = agent.play_many(state, 1, Thinking())
    assert [action for action, _, _ in played] == list(plan.actions)


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("0 0 0/0 2 0/0 0 0", (0, 1, 2, 3)),
        ("2 2 0/0 0 0/0 4 0", (1, 3)),
        ("2 2 0/0 0 4/0 0 4", (0, 2)),
        ("4 2 8/8 2 4/4 8 16", (0, 2)),
    ],
)
def test_equal_rewards_are_chosen_from_evenly(text: str, choices: tuple[int, ...]) -> None:
    state, agent = twenty48.parse_position(text), GreedyAgent()
    counts = np.zeros(4)
    for seed in range(1200):
        agent.new_game(seed)
        counts[agent.plan(state, Thinking()).actions[0]] += 1
    print(text, counts)
    assert tuple(np.flatnonzero(counts)) == choices
    expected = 1200 / len(choices)
    assert np.abs(counts[list(choices)] - expected).max() < 5 * expected**0.5


@pytest.mark.parametrize("size", [3, 4])
def test_greedy_plays_better_than_random(size: int) -> None:
    means = []
    for agent in (GreedyAgent(), RandomAgent()):
        scores = []
        for seed in range(60):
            agent.new_game(seed)
            state = twenty48.start(size, seed)
            for action, cell, exponent in agent.play_many(state, 500, Thinking()):
                slide = twenty48.slide(state, action)
                assert slide is not None
                state = twenty48.place(state, slide, cell, exponent)
            scores.append(state.score)
        means.append(np.mean(scores))
    print(size, means)
    assert means[0] > 1.2 * means[1]
