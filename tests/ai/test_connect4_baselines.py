"""Random play: legal, seeded, whole games in one call."""

from ai.agent import Thinking
from ai.connect4.baselines import RandomAgent
from game.rules import connect4
from game.rules.connect4 import Shape


def test_play_many_plays_a_whole_legal_game_of_every_seat() -> None:
    for players in (2, 3, 6):
        state = connect4.start(Shape(4, 5, 3, 4, players))
        agent = RandomAgent()
        agent.new_game(players)
        for action, cell, exponent in agent.play_many(state, 1000, Thinking()):
            assert (cell, exponent) == (None, None)
            state = connect4.apply(state, action)
        assert connect4.outcome(state) is not None, state


def test_the_same_seed_plays_the_same_moves_in_either_way() -> None:
    shape = Shape(6, 7, 1, 4, 2)
    many, single = RandomAgent(), RandomAgent()
    many.new_game(5)
    single.new_game(5)
    state = connect4.start(shape)
    for action, _, _ in many.play_many(state, 12, Thinking()):
        assert single.plan(state, Thinking()).actions == (action,), state
        state = connect4.apply(state, action)
