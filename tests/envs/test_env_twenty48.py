"""2048 as Gymnasium environments: the contract, the rules behind it, and batches equal to single environments."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

import game.envs  # noqa: E402
from game.rules import twenty48  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _no_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.mark.parametrize("size", [3, 4, 8])
def test_gymnasium_finds_nothing_to_complain_about(size):
    env = gymnasium.make("2048-v0", size=size, render_mode="rgb_array")
    check_env(env.unwrapped)  # every warning is an error here


def test_an_episode_is_the_game_of_its_seed():
    env = gymnasium.make("2048-v0")
    board, info = env.reset(seed=11)
    state, total, rng = twenty48.start(4, 11), 0.0, np.random.default_rng(0)
    for number in range(2):
        over = False
        while not over:
            print(twenty48.draw(state), info)
            assert board.dtype == np.uint8 and board.tolist() == np.reshape(state.cells, (4, 4)).tolist()
            assert tuple(np.flatnonzero(info["action_mask"])) == twenty48.legal_actions(state)
            assert env.unwrapped.action_masks().tolist() == info["action_mask"].astype(bool).tolist()
            action = int(rng.choice(np.flatnonzero(info["action_mask"])))
            reached = twenty48.apply(state, action)
            board, reward, over, truncated, info = env.step(action)
            assert (reward, truncated) == (reached.score - state.score, False)
            total += reward
            state = reached
            assert over == (twenty48.outcome(state) is not None)
        assert info["score"] == total == state.score
        board, info = env.reset()
        state, total = twenty48.start(4, twenty48.next_seed(state.seed)), 0.0
        assert info["score"] == 0, number


def test_an_action_that_moves_nothing_changes_nothing():
    env = gymnasium.make("2048-v0", size=3)
    board, info = env.reset(seed=1)
    while info["action_mask"].all():
        board, _, _, _, info = env.step(0)
    illegal = int(np.argmin(info["action_mask"]))
    after, reward, over, _, again = env.step(illegal)
    print(board, illegal, after)
    assert (after == board).all() and (reward, over) == (0.0, False)
    assert again["action_mask"].tolist() == info["action_mask"].tolist()
    with pytest.raises(ValueError, match="direction 4"):
        env.unwrapped.step(4)


def test_sampling_with_the_mask_plays_to_the_end():
    env = gymnasium.make("2048-v0")
    _, info = env.reset(seed=5)
    env.action_space.seed(5)
    steps, over = 0, False
    while not over:
        *_, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
        steps += 1
    print(steps, info)
    assert steps == env.unwrapped.state.spawns - 2, "every sampled action moved something"


@pytest.mark.parametrize("size", [2, 9])
def test_other_sizes_are_refused(size):
    for make in (gymnasium.make, gymnasium.make_vec):
        with pytest.raises(ValueError, match="3 to 8"):
            make("2048-v0", size=size)


def test_unknown_render_modes_are_refused():
    with pytest.raises(ValueError, match="no render mode 'film'"):
        game.envs.twenty48.Twenty48Env(render_mode="film")


def test_pictures_text_and_window_show_the_board():
    text = gymnasium.make("2048-v0", size=3, render_mode="ansi")
    text.reset(seed=2)
    print(text.render())
    assert text.render().splitlines()[0] == "Score 0"
    assert text.render().split("\n", 1)[1] == twenty48.draw(twenty48.start(3, 2))
    drawn = gymnasium.make("2048-v0", size=3, render_mode="rgb_array")
    pictures = []
    for seed in (2, 2, 3):
        drawn.reset(seed=seed)
        pictures.append(drawn.render())
    assert pictures[0].shape == (480, 480, 3) and pictures[0].dtype == np.uint8
    assert (pictures[0] == pictures[1]).all() and (pictures[0] != pictures[2]).any()
    window = gymnasium.make("2048-v0", size=3, render_mode="human")
    window.reset(seed=2)
    import pygame

    assert pygame.display.get_caption()[0] == "2048: 0 points"
    shown = pygame.surfarray.array3d(pygame.display.get_surface()).transpose(1, 0, 2)
    assert (shown == pictures[0]).all()
    window.close()
    assert not pygame.display.get_init()


def test_nothing_heavy_is_imported_to_play_without_pictures():
    program = (
        "import sys, gymnasium, game.envs\n"
        "env = gymnasium.make('2048-v0'); env.reset(seed=1); env.step(0)\n"
        "print([name for name in ('pygame', 'numba', 'torch') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, timeout=120
    )
    print(done)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_batch_answers_what_single_environments_answer(size, mode):
    count, rng = 6, np.random.default_rng(size)
    batch = gymnasium.make_vec("2048-v0", num_envs=count, size=size, autoreset_mode=mode)
    makers = [lambda: gymnasium.make("2048-v0", size=size)] * count
    single = SyncVectorEnv(makers, autoreset_mode=mode)
    assert batch.metadata["autoreset_mode"] is mode
    assert (batch.observation_space, batch.action_space) == (single.observation_space, single.action_space)
    same(batch.reset(seed=40), single.reset(seed=40))
    ended = 0
    for _ in range(500):
        actions = rng.integers(0, 4, count)
        found, expected = batch.step(actions), single.step(actions)
        same(found, expected)
        assert batch.observation_space.contains(found[0])
        ended += int(found[2].sum())
        if mode is AutoresetMode.DISABLED and found[2].any():
            with pytest.raises(gymnasium.error.ResetNeeded):
                batch.step(actions)
            mask = found[2]
            found, expected = batch.reset(options={"reset_mask": mask}), single.reset(options={"reset_mask": mask})
            same(found, expected)
    print(size, mode, ended)
    assert ended > 3
    seeds = [7, None, 3, 2**63, 0, 1]
    same(batch.reset(seed=seeds), single.reset(seed=seeds))


def same(found, expected):
    """Two answers of vector environments, infos included."""
    for one, other in zip(found, expected, strict=True):
        if isinstance(one, dict):
            assert one.keys() == other.keys()
            for key in one:
                if isinstance(one[key], np.ndarray):
                    same_arrays(one[key], other[key])
                else:
                    same((one[key],), (other[key],))
        else:
            same_arrays(one, other)


def same_arrays(one, other):
    assert one.shape == other.shape
    if one.dtype == object:
        for mine, theirs in zip(one, other, strict=True):
            assert (mine is None) == (theirs is None)
            assert mine is None or (mine == theirs).all()
    else:
        assert one.dtype == other.dtype
        assert (one == other).all(), (one, other)


def test_unseeded_batches_differ_and_their_boards_differ():
    boards = [gymnasium.make_vec("2048-v0", num_envs=64, size=8).reset()[0] for _ in range(2)]
    assert (boards[0] != boards[1]).any()
    assert len({board.tobytes() for board in boards[0]}) > 32


def test_what_a_batch_returns_stays_as_it_was():
    batch = gymnasium.make_vec("2048-v0", num_envs=3, render_mode="rgb_array")
    board, info = batch.reset(seed=1)
    kept = board.copy(), info["action_mask"].copy(), batch.action_masks()
    for action in (0, 1, 2, 3):
        batch.step(np.full(3, action))
    assert (board == kept[0]).all() and (info["action_mask"] == kept[1]).all()
    pictures = batch.render()
    assert len(pictures) == 3 and pictures[0].shape == (480, 480, 3)


def test_wrong_use_of_a_batch_is_refused():
    batch = gymnasium.make_vec("2048-v0", num_envs=2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        batch.step(np.array([0, 0]))
    batch.reset(seed=0)
    with pytest.raises(ValueError, match="2 actions"):
        batch.step(np.array([0, 4]))
    with pytest.raises(ValueError, match="whole numbers"):
        batch.step(np.array([0.0, 1.0]))
    with pytest.raises(ValueError, match="one for each of the 2 boards"):
        batch.reset(seed=[1])
    for mask in ([True, False], np.array([0, 1]), np.array([False, False]), np.array([True])):
        with pytest.raises(ValueError, match="reset_mask"):
            batch.reset(options={"reset_mask": mask})
