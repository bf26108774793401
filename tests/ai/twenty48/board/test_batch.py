"""Batches of 2048: each board is the game of the plain rules with its seed."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.twenty48.board.batch import Batch, legal_grid, legal_packed
from ai.twenty48.board.packed import pack
from game.rules import twenty48
from game.rules.twenty48 import State


@st.composite
def positions(draw: st.DrawFn, sizes: st.SearchStrategy[int], largest: int) -> State:
    size = draw(sizes)
    tile = st.one_of(st.just(0), st.integers(1, draw(st.integers(1, largest))))
    cells = draw(st.lists(tile, min_size=size * size, max_size=size * size).filter(any))
    return State(size, tuple(cells), 0, draw(st.integers(0, 2**64 - 1)), draw(st.integers(0, 2**40)))


@settings(deadline=None)
@given(positions(st.just(4), 15))
def test_legal_actions_of_packed_boards(state: State) -> None:
    legal = np.zeros(4, np.bool_)
    some = legal_packed(np.uint64(pack(np.array(state.cells, np.uint8))), legal)
    print(twenty48.draw(state), legal)
    assert tuple(np.flatnonzero(legal)) == twenty48.legal_actions(state)
    assert some == bool(legal.any())


@settings(deadline=None)
@given(positions(st.integers(3, 8), 40))
def test_legal_actions_of_all_boards(state: State) -> None:
    legal = np.ones(4, np.bool_)
    some = legal_grid(np.array(state.cells, np.uint8), state.size, legal)
    print(twenty48.draw(state), legal)
    assert tuple(np.flatnonzero(legal)) == twenty48.legal_actions(state)
    assert some == bool(legal.any())


@settings(deadline=None)
@given(positions(st.integers(3, 8), 17), st.sampled_from(range(4)))
def test_a_step_is_one_of_the_plain_rules(state: State, action: int) -> None:
    """Also where two tiles of 32768 become one that no packed board can hold."""
    batch = Batch(1, state.size)
    games = batch.games
    games.cells[0], games.seeds[0], games.spawns[0] = state.cells, state.seed, state.spawns
    games.over[0] = not legal_grid(games.cells[0], state.size, games.legal[0])
    rewards = batch.step(np.array([action]))
    print(twenty48.draw(state), action, games.cells[0])
    expected = twenty48.apply(state, action) if action in twenty48.legal_actions(state) else state
    assert tuple(games.cells[0].tolist()) == expected.cells
    assert (int(games.spawns[0]), int(rewards[0])) == (expected.spawns, expected.score)
    assert tuple(np.flatnonzero(games.legal[0])) == twenty48.legal_actions(expected)
    assert bool(games.over[0]) == (twenty48.outcome(expected) is not None)


@pytest.mark.parametrize("size", range(3, 9))
def test_boards_side_by_side_are_games_alone(size: int) -> None:
    count, chooser = 5, random.Random(size)
    batch = Batch(count, size)
    seeds = [chooser.randrange(2**64) for _ in range(count)]
    batch.start(np.array(seeds, np.uint64))
    states = [twenty48.start(size, seed) for seed in seeds]
    ended = 0
    for _ in range(600 if size < 5 else 150):
        actions = [chooser.randrange(4) for _ in range(count)]
        batch.step(np.array(actions))
        for i, (state, action) in enumerate(zip(states, actions, strict=True)):
            if action in twenty48.legal_actions(state):
                states[i] = twenty48.apply(state, action)
            assert tuple(batch.games.cells[i].tolist()) == states[i].cells, (twenty48.draw(state), action)
            assert batch.games.scores[i] == states[i].score
            if twenty48.outcome(states[i]) is not None:
                states[i] = twenty48.start(size, twenty48.next_seed(states[i].seed))
                ended += 1
        batch.follow(batch.games.over.copy())
    print(size, ended)
    assert ended or size > 4, "some games ended and others followed"


def test_games_follow_each_other_with_other_seeds() -> None:
    seeds = [0]
    for _ in range(1000):
        seeds.append(twenty48.next_seed(seeds[-1]))
    print(seeds[:4])
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**64 for seed in seeds)


@pytest.mark.parametrize(("count", "size"), [(0, 4), (1, 2), (1, 9)])
def test_impossible_batches_are_refused(count: int, size: int) -> None:
    with pytest.raises(ValueError, match=r"3 to 8|at least one"):
        Batch(count, size)


@pytest.mark.parametrize("actions", [[0], [0, 4], [-1, 0], [0, 0, 0]])
def test_wrong_actions_are_refused(actions: list[int]) -> None:
    batch = Batch(2)
    batch.start(np.array([1, 2], np.uint64))
    with pytest.raises(ValueError, match="2 actions"):
        batch.step(np.array(actions))
