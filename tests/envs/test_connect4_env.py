"""Connect-4 as a PettingZoo environment: the contract, and the rules behind it."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from game.envs import connect4 as envs
from game.rules import connect4

ROOT = Path(__file__).resolve().parents[2]
BOARDS = [(6, 7, 1, 4, 2), (4, 4, 4, 4, 3), (2, 3, 2, 2, 6), (3, 5, 4, 5, 4), (1, 2, 1, 2, 2), (8, 8, 8, 3, 5)]


def test_it_leaves_the_sound_of_the_process_alone():
    for wanted in (None, "dummy"):
        environment = {key: value for key, value in os.environ.items() if key != "SDL_AUDIODRIVER"}
        environment |= {} if wanted is None else {"SDL_AUDIODRIVER": wanted}
        code = "import os, game.envs.connect4; print(os.environ.get('SDL_AUDIODRIVER'))"
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
        print(done.stdout, done.stderr)
        assert done.stdout.split()[-1] == str(wanted)


@pytest.fixture(autouse=True)
def _no_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


# What PettingZoo expects of observations are single arrays of three dimensions, never all 0; it says so as warnings.
@pytest.mark.filterwarnings("ignore:Observation:UserWarning")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning")
@pytest.mark.parametrize("board", BOARDS)
def test_pettingzoo_finds_nothing_to_complain_about(board, capsys):
    api_test(envs.env(*board), num_cycles=200)
    seed_test(lambda: envs.env(*board), num_cycles=100)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize("board", BOARDS)
def test_every_game_is_the_rules_game(board):
    shape = connect4.Shape(*board)
    env, rng = envs.env(*board), np.random.default_rng(5)
    kinds = set()
    for _ in range(12):
        env.reset()
        state, sums = connect4.start(shape), dict.fromkeys(env.possible_agents, 0.0)
        while connect4.outcome(state) is None:
            seat = state.to_move
            seen, _, over, cut, info = env.last()
            print(state)
            assert env.agent_selection == f"player_{seat}" and (over, cut, info) == (False, False, {})
            assert tuple(np.flatnonzero(seen["action_mask"])) == connect4.legal_actions(state)
            for watcher in range(shape.players):
                planes = env.observe(f"player_{watcher}")["observation"]
                assert planes.shape == (shape.players, shape.rows, shape.depth, shape.cols)
                for turn in range(shape.players):
                    wanted = [stone == (watcher + turn) % shape.players + 1 for stone in state.cells]
                    assert planes[turn].ravel().tolist() == wanted
                assert watcher == seat or not env.observe(f"player_{watcher}")["action_mask"].any()
            action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
            state = connect4.apply(state, action)
            env.step(action)
            assert connect4.outcome(state) is not None or not any(env.rewards.values())
        outcome = connect4.outcome(state)
        kinds.add(outcome.kind)
        for agent in env.agent_iter():
            seen, reward, over, _, _ = env.last()
            sums[agent] += reward
            assert over and not seen["action_mask"].any()
            env.step(None)
        assert not env.agents
        won = [0 if outcome.winner is None else 1 if seat == outcome.winner else -1 for seat in range(shape.players)]
        assert list(sums.values()) == won, outcome
    assert kinds <= {"won", "draw"} and kinds


def test_an_illegal_action_is_refused_and_changes_nothing():
    env = envs.env(2, 2, 2, 2, 3)
    env.reset(options={"moves": [3, 1, 3]})
    before = env.unwrapped.position
    for action, words in ((3, "column 2.2 is full"), (4, "there is no column 4"), (-1, "no column -1")):
        with pytest.raises(ValueError, match=words):
            env.step(action)
    with pytest.raises(ValueError, match="no passing"):
        env.step(None)
    assert env.unwrapped.position is before and env.agent_selection == "player_0"
    env.step(0)
    assert len(env.unwrapped.position.moves) == 4


def test_the_wrapper_for_illegal_actions_ends_the_game():
    env = TerminateIllegalWrapper(envs.Connect4Env(1, 2, 1, 2), illegal_reward=-5)
    env.reset()
    env.last()
    env.step(0)
    env.last()
    env.step(0)
    assert all(env.terminations.values()) and env.rewards["player_1"] == -5


def test_impossible_boards_and_modes_are_refused():
    for board, words in (
        ((0, 7), "1 to 8 rows"),
        ((6, 7, 1, 8), "does not fit"),
        ((2, 3, 1, 3, 7), "2 to 6 players"),
    ):
        with pytest.raises(ValueError, match=words):
            envs.env(*board)
    with pytest.raises(ValueError, match="no render mode 'film'"):
        envs.env(render_mode="film")
    with pytest.raises(ValueError, match="the game is over"):
        envs.env(1, 2, 1, 2, 2).reset(options={"moves": [0, 1]})


def test_pictures_and_text_show_the_board():
    text = envs.env(2, 3, 2, 3, 3, render_mode="ansi")
    text.reset(options={"moves": [0, 0, 5]})
    print(text.render())
    assert text.render() == "2 . .\n1 . .\n\n. . .\n. . 3"
    drawn = envs.env(render_mode="rgb_array")
    pictures = []
    for moves in ((3,), (3,), (2,)):
        drawn.reset(options={"moves": moves})
        pictures.append(drawn.render())
    assert pictures[0].shape == (480, 480, 3) and pictures[0].dtype == np.uint8
    assert (pictures[0] == pictures[1]).all() and (pictures[0] != pictures[2]).any()
    window = envs.env(render_mode="human")
    window.reset(options={"moves": (3,)})
    import pygame

    assert pygame.display.get_caption()[0] == "Connect-4: 1 stones"
    window.close()
    assert not pygame.display.get_init()


def test_it_can_be_pickled():
    env = envs.Connect4Env(3, 4, 2, 3, 4)
    assert pickle.loads(pickle.dumps(env)).shape == env.shape


def test_nothing_heavy_is_imported_to_play_without_pictures():
    program = (
        "import sys; from game.envs import connect4\n"
        "env = connect4.env(); env.reset(seed=1); env.step(0)\n"
        "print([name for name in ('pygame', 'numba', 'torch') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, timeout=120
    )
    print(done)
    assert done.stdout.strip() == "[]"
