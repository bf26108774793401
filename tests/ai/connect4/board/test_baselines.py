"""The baselines: legal, seeded; what they take, block and extend."""

import pytest

from ai.agent import Thinking
from ai.connect4.alphabeta.agent import AlphaBeta
from ai.connect4.board.baselines import RandomAgent
from ai.connect4.report.players import Defensive, Greedy, Offensive
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


PLAYERS = [Greedy, Offensive, Defensive]


def often(agent: Greedy | Offensive | Defensive, moves: str, players: int = 2) -> tuple[int, float]:
    """The action that is played most of 200 times, and its share."""
    state = connect4.parse_position(moves, Shape(6, 7, 1, 4, players))
    agent.new_game(1)
    played = [agent.plan(state, Thinking()).actions[0] for _ in range(200)]
    best = max(set(played), key=played.count)
    return best, played.count(best) / 200


@pytest.mark.parametrize("agent", PLAYERS)
def test_all_take_a_win(agent: type[Greedy] | type[Offensive] | type[Defensive]) -> None:
    # Both have three stones on one another; the first is to move.
    action, share = often(agent(), "171717")
    assert action == 0 and share > 0.8


def test_one_extends_and_one_blocks() -> None:
    # The second is to move: the first threatens to fill column 1; its own two stones stand in column 7.
    action, share = often(Defensive(), "17171")
    assert action == 0 and share > 0.8
    action, share = often(Offensive(), "17171")
    assert action == 6 and share > 0.8


def test_the_defensive_player_looks_at_every_opponent() -> None:
    # Three players; the second is to move. The first, who plays last, threatens column 1.
    action, share = often(Defensive(), "1231241", 3)
    assert action == 0 and share > 0.8


def test_worths_are_gains_in_runs() -> None:
    state = connect4.parse_position("44", Shape(6, 7, 1, 4, 2))
    worths = Offensive().plan(state, Thinking()).values
    # Beside its stone: a run of two for a run of one, and upwards a new run; the diagonals are too short.
    assert worths[2] == worths[4] == (64 - 8) + 8, worths
    # A corner lies on three axes, all long enough.
    assert worths[0] == worths[6] == 3 * 8, worths
    # On top of the other's stone: a run of one in each direction, upwards with just enough room.
    assert worths[3] == 4 * 8, worths


@pytest.mark.parametrize("agent", [*PLAYERS, AlphaBeta])
def test_random_moves(agent: type[Greedy]) -> None:
    state = connect4.parse_position("171717", Shape(6, 7, 1, 4, 2))
    one = agent(random_moves=0.5)
    runs = []
    for seed in (1, 1, 2):
        one.new_game(seed)
        runs.append([one.plan(state, Thinking(nodes=1000)).actions[0] for _ in range(200)])
    assert runs[0] == runs[1] != runs[2]
    won = sum(action == 0 for run in runs for action in run) / 600
    assert 0.4 < won < 0.72, won


@pytest.mark.parametrize("players", [2, 3, 6])
def test_they_play_whole_games_on_deep_boards(players: int) -> None:
    shape = Shape(4, 5, 3, 4, players)
    for game in range(3):
        agents = [PLAYERS[seat % 3]() for seat in range(players)]
        for agent in agents:
            agent.new_game(game)
        state = connect4.start(shape)
        while connect4.outcome(state) is None:
            plan = agents[state.to_move].plan(state, Thinking())
            assert set(plan.values) == set(connect4.legal_actions(state))
            state = connect4.apply(state, plan.actions[0])
        assert all(agent.plan(state, Thinking()).actions == () for agent in agents)
