"""Every game of the house keeps what `Game` promises."""

import random
from typing import Any

import numpy as np
import pytest

from game.rules import games, replay
from game.rules.game import PERSON, Game, Option
from game.rules.games import GAMES
from game.rules.replay import Step

EVERY = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
MOST = 60


def played(game: Game[Any], seed: int) -> list[tuple[Any, int | None]]:
    """The positions of a random game, each with the action that was played in it."""
    luck = random.Random(seed)
    state, found = game.start({}, seed), []
    while len(found) < MOST and game.outcome(state) is None and game.actions(state):
        action = luck.choice(game.actions(state))
        found.append((state, action))
        state = game.play(state, action)
    return [*found, (state, None)]


@EVERY
def test_names(game: Game[Any]) -> None:
    assert GAMES[game.id] is game
    for text in (game.id, game.name, game.title, game.title.upper()):
        assert games.named(text) is game, text
    with pytest.raises(ValueError, match=game.name):
        games.named("chess")


@EVERY
def test_the_same_seed_begins_the_same_game(game: Game[Any]) -> None:
    state = game.start({}, 7)
    assert type(state) is game.state
    assert games.of(state) is game
    assert state == game.start({}, 7)
    assert hash(state) == hash(game.start({}, 7))
    assert game.outcome(state) is None
    assert game.actions(state)


@EVERY
def test_options_are_checked(game: Game[Any]) -> None:
    with pytest.raises(ValueError, match="no option 'colour'"):
        game.start({"colour": 1})
    for option in game.options:
        wrong = (3, None) if isinstance(option.default, str) else (option.min - 1, option.max + 1, True, "4", 1.5)
        for value in wrong:
            with pytest.raises(ValueError, match=option.name):
                game.start({option.name: value})


@EVERY
def test_what_a_set_up_leaves_out_is_as_the_options_say(game: Game[Any]) -> None:
    assert game.start({option.name: option.default for option in game.options}, 3) == game.start({}, 3)


def test_an_option_has_bounds() -> None:
    size = Option("size", "Size", 4, "", 3, 8)
    assert [value for value in range(12) if accepted(size, value)] == [3, 4, 5, 6, 7, 8]


def accepted(option: Option, value: object) -> bool:
    try:
        option.check(value)
    except ValueError:
        return False
    return True


@EVERY
@pytest.mark.parametrize("seed", range(3))
def test_actions_are_the_legal_ones(game: Game[Any], seed: int) -> None:
    first = game.start({}, seed)
    count = game.action_count(first)
    for state, _ in played(game, seed):
        legal = game.actions(state)
        assert list(legal) == sorted(set(legal))
        assert game.action_count(state) == count
        for action in range(count):
            if action in legal:
                assert type(game.play(state, action)) is game.state
            else:
                with pytest.raises(ValueError):
                    game.play(state, action)


@EVERY
def test_a_position_goes_through_text(game: Game[Any]) -> None:
    for state, _ in played(game, 4):
        text = game.write(state)
        assert game.write(game.position(text, {}, 4)) == text
        assert game.draw(game.position(text, {}, 4)) == game.draw(state), text
    with pytest.raises(ValueError):
        game.position("?", {})


@EVERY
def test_observations_are_in_their_space(game: Game[Any]) -> None:
    for state, _ in played(game, 5):
        space = game.space(state)
        for seat in range(game.players(state)):
            array = game.observe(state, seat)
            assert array.shape == space.shape
            assert array.dtype == np.dtype(space.dtype)
            assert array.min() >= 0
            assert array.max() <= space.high


@EVERY
def test_seats(game: Game[Any]) -> None:
    for state, _ in played(game, 6):
        least, most = game.seats
        assert least <= game.players(state) <= most
        assert 0 <= game.to_move(state) < game.players(state)


@EVERY
@pytest.mark.parametrize("seed", range(3))
def test_a_game_is_a_replay(game: Game[Any], seed: int) -> None:
    states = played(game, seed)
    steps = [replay.chosen(state, action)[0] for state, action in states if action is not None]
    first, last = states[0][0], states[-1][0]
    made = replay.record(first, steps, seats=(PERSON,) * game.players(first), seed=seed)
    read = replay.loads(replay.dumps(made), "x")
    assert read == made
    assert replay.states(read) == [state for state, _ in states]
    assert read.result["moves"] == len(steps)
    assert read.result["outcome"] == ("open" if game.outcome(last) is None else game.outcome(last).kind)
    assert game.ending(read.result)
    game.board_words(read.setup)
    assert len(game.words(first, [step.action for step in steps])) >= len(steps)
    longest = game.longest(first)
    assert longest is None or len(steps) <= longest


@EVERY
def test_chance_is_in_the_steps_and_nowhere_else(game: Game[Any]) -> None:
    state = game.start({}, 1)
    action = game.actions(state)[0]
    step, after = replay.chosen(state, action)
    assert replay.after(state, step) == after == game.play(state, action)
    assert (step.chance is None) == (game.chance is None)
    other = Step(action, (0, 0)) if game.chance is None else Step(action)
    with pytest.raises(ValueError):
        replay.after(state, other)


@EVERY
def test_points_are_told_once_it_is_over(game: Game[Any]) -> None:
    for state, _ in played(game, 8):
        if game.outcome(state) is None:
            with pytest.raises(ValueError, match="goes on"):
                game.points(state)
        else:
            assert len(game.points(state)) == game.players(state)
            assert all(0 <= point <= 1 for point in game.points(state))
