"""Sokoban's batch kernel and vector environment: every board answers as a single game does, in all manners of reset."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.vector import AutoresetMode  # noqa: E402

import game.envs  # noqa: E402, F401
from ai.sokoban.batch.cells import CLOCK, ENDED, META, paint_all, step_one  # noqa: E402
from ai.sokoban.batch.games import NEVER, NEXT_STEP, SAME_STEP, Batch, boards_of, boards_of_states  # noqa: E402
from ai.sokoban.rooms.maker import RoomMaker  # noqa: E402
from game.envs.sokoban_tiles import tiny_tiles  # noqa: E402
from game.rules import sokoban  # noqa: E402

TILES = tiny_tiles(2, False)
EMPTY = np.zeros(0, np.uint8)


def painted(cells, cols, tiles):
    rows = len(cells) // cols
    pixels = np.zeros(rows * tiles.shape[1] * cols * tiles.shape[2], np.uint8)
    paint_all(cells, cols, pixels, tiles)
    return pixels


@pytest.mark.parametrize("autoreset", [NEVER, NEXT_STEP, SAME_STEP])
@pytest.mark.parametrize("variant", [{}, {"pulls": True, "fixed": True}, {"players": 2}])
def test_every_board_is_a_game_of_its_own(autoreset, variant):
    count, most = 12, 40
    batch = Batch(
        count,
        7,
        6,
        2,
        seed=3,
        max_steps=most,
        autoreset=autoreset,
        pool=20,
        tiles=tiny_tiles(2, bool(variant)),
        **variant,
    )
    known = {cells.tobytes() for cells in batch.pool.cells}
    rng = np.random.default_rng(1)
    ends = 0
    for _ in range(300):
        cells, meta, ended = batch.cells.copy(), batch.meta.copy(), batch.ended.copy()
        actions = rng.integers(0, batch.actions, count)
        rewards = batch.step(actions)
        for board in range(count):
            if autoreset == NEXT_STEP and ended[board]:
                assert (rewards[board], batch.ended[board]) == (0, 0) and batch.cells[board].tobytes() in known
                continue
            alone, row = cells[board].copy(), meta[board : board + 1].copy()
            action, flag = actions[board : board + 1], np.zeros(1, np.uint8)
            reward, _, end = step_one(
                alone, row, action, np.zeros(1), flag, 6, batch.pulls, most, EMPTY, batch.tiles
            )  # fmt: skip
            assert (reward, end) == (rewards[board], batch.ended[board])
            if end and autoreset == SAME_STEP:
                assert batch.cells[board].tobytes() in known and batch.meta[board, CLOCK] == 0
            else:
                assert (batch.cells[board] == alone).all() and (batch.meta[board] == row[0]).all()
            assert (batch.pixels[board] == painted(batch.cells[board], 6, batch.tiles)).all()
        ends += int((batch.ended > 0).sum())
        if autoreset == NEVER and batch.ended.any():
            which = batch.ended > 0
            batch.start(which=which)
            assert not batch.ended.any() and not batch.meta[which, CLOCK].any()
    print(ends, "games ended")
    assert ends > 60


def test_boards_of_rooms_are_those_of_their_positions():
    for rules in (sokoban.PUSH_ONLY, sokoban.Rules(fixed=True), sokoban.Rules(players=2)):
        rooms = RoomMaker(4, 9, 7, 3, "fast", rules.players).make(30)
        found = boards_of(rooms, rules.fixed)
        expected = boards_of_states([rooms.state(number, rules) for number in range(30)])
        assert (found.cells == expected.cells).all() and (found.meta == expected.meta).all()
        assert found.meta.shape == (30, META) and not found.meta[:, ENDED].any()


def test_the_seed_decides_rooms_and_choices():
    first, second = Batch(30, 8, 8, 2, seed=5), Batch(30, 8, 8, 2, seed=5)
    other = Batch(30, 8, 8, 2, seed=6)
    rng = np.random.default_rng(0)
    for _ in range(200):
        actions = rng.integers(0, 9, 30)
        assert (first.step(actions) == second.step(actions)).all()
        assert (first.cells == second.cells).all()
        other.step(actions)
    assert (first.cells != other.cells).any()
    first.start(seed=9)
    second.start(seed=9)
    assert (first.cells == second.cells).all()


def test_rooms_that_were_used_often_are_replaced():
    batch = Batch(64, 7, 7, 2, pool=32, uses=2, max_steps=3, tiles=TILES)
    before = batch.pool.cells.copy()
    for _ in range(30):
        batch.step(np.zeros(64, np.int64))
    replaced = (batch.pool.cells != before).any(axis=1)
    print(int(replaced.sum()), "of 32 replaced")
    assert replaced.all()
    for room in range(32):
        assert (batch._pool_pixels[room] == painted(batch.pool.cells[room], 7, TILES)).all()
    kept = Batch(64, 7, 7, 2, pool=32, max_steps=3)
    before = kept.pool.cells.copy()
    for _ in range(30):
        kept.step(np.zeros(64, np.int64))
    assert (kept.pool.cells == before).all()


def test_a_pool_has_as_many_rooms_as_there_are():
    batch = Batch(4, 5, 5, 1, pool=500, uses=1, max_steps=2)
    assert len(batch.pool.cells) == 64
    for _ in range(60):
        batch.step(np.zeros(4, np.int64))


@pytest.mark.parametrize("actions", [np.zeros(3, np.int64), np.array([0, 9]), np.array([0, -1])])
def test_wrong_actions_change_nothing(actions):
    batch = Batch(2, 6, 6, 1, pool=2)
    cells = batch.cells.copy()
    with pytest.raises(ValueError, match="2 actions, each from 0 to 8"):
        batch.step(actions)
    assert (batch.cells == cells).all()


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_vector_environment_begins_anew_in_every_manner(mode):
    env = gymnasium.make_vec("Sokoban-small-v0", num_envs=8, max_steps=25, pool=16, scale=2, autoreset_mode=mode)
    assert env.metadata["autoreset_mode"] is mode
    seen, infos = env.reset(seed=1)
    assert env.observation_space.contains(seen) and seen.shape == (8, 14, 14, 3) and infos == {}
    rng, over, ends = np.random.default_rng(2), np.zeros(8, np.bool_), 0
    firsts = {each.tobytes() for each in env.unwrapped.batch._pool_pixels}
    for _ in range(120):
        actions = rng.integers(0, 9, 8)
        if mode is AutoresetMode.DISABLED and over.any():
            with pytest.raises(gymnasium.error.ResetNeeded):
                env.step(actions)
            before = seen
            seen, _ = env.reset(options={"reset_mask": over})
            assert (seen[~over] == before[~over]).all()
            assert all(each.tobytes() in firsts for each in seen[over])
            over[:] = False
        waited = over
        seen, rewards, solved, cut, infos = env.step(actions)
        over = solved | cut
        ends += int(over.sum())
        assert env.observation_space.contains(seen)
        if mode is AutoresetMode.NEXT_STEP:
            assert not rewards[waited].any() and not over[waited].any()
            assert all(each.tobytes() in firsts for each in seen[waited])
        elif mode is AutoresetMode.SAME_STEP and over.any():
            assert (infos["_final_obs"] == over).all()
            assert all((last is not None) == ended for last, ended in zip(infos["final_obs"], over, strict=True))
            assert all(each.tobytes() in firsts for each in seen[over])
    print(mode, ends)
    assert ends > 20


def test_seeds_of_the_vector_environment():
    one, two = (gymnasium.make_vec("Sokoban-small-v0", num_envs=4, pool=64) for _ in range(2))
    assert (one.reset(seed=3)[0] == two.reset(seed=3)[0]).all()
    assert (one.reset()[0] == two.reset()[0]).all()
    assert (one.reset(seed=[3, 4, None, 6])[0] == two.reset(seed=3)[0]).all()
    assert (one.reset(seed=4)[0] != two.reset(seed=3)[0]).any()
    assert (gymnasium.make_vec("Sokoban-small-v0", num_envs=4).reset()[0] != two.reset()[0]).any()


def test_what_the_vector_environment_returns_stays_as_it_was():
    env = gymnasium.make_vec("Sokoban-v0", num_envs=3, pool=8, render_mode="rgb_array")
    seen, _ = env.reset(seed=1)
    kept, rewards = seen.copy(), env.step(np.array([1, 2, 3]))[1]
    rewards_kept = rewards.copy()
    for action in range(9):
        env.step(np.full(3, action))
    assert (seen == kept).all() and (rewards == rewards_kept).all()
    pictures = env.render()
    assert len(pictures) == 3 and pictures[0].shape == (160, 160, 3)
    tiny = gymnasium.make_vec("Sokoban-v0", num_envs=3, pool=8, render_mode="tiny_rgb_array", scale=2)
    assert (np.array(tiny.reset(seed=1)[0]) == np.array(tiny.render())).all()
    bare = gymnasium.make_vec("Sokoban-v0", num_envs=3, pool=8, observation_mode=None)
    assert bare.reset(seed=1)[0].shape == (3, 0) and bare.step(np.zeros(3, np.int64))[0].shape == (3, 0)


def test_wrong_use_is_refused():
    env = gymnasium.make_vec("Sokoban-small-v0", num_envs=2, pool=2)
    for method in (lambda: env.step(np.zeros(2, np.int64)), env.render):
        with pytest.raises(gymnasium.error.ResetNeeded):
            method()
    env.reset(seed=0)
    with pytest.raises(ValueError, match="2 actions, each from 0 to 8"):
        env.step(np.array([0, 9]))
    with pytest.raises(ValueError, match="whole numbers"):
        env.step(np.array([0.0, 1.0]))
    with pytest.raises(ValueError, match="one for each of the 2 boards"):
        env.reset(seed=[1])
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": np.array([False, False])})
    for options, words in (({"observation_mode": "rgb_array"}, "no observation mode"), ({"pool": 0}, "at least one")):
        with pytest.raises(ValueError, match=words):
            gymnasium.make_vec("Sokoban-v0", num_envs=2, **options)


def test_boxoban_levels_side_by_side(tmp_path):
    from game.rules import levels

    rooms = RoomMaker(1, 10, 10, 4, "fast").make(10)
    text = "\n\n".join(f"; {number}\n" + "\n".join(levels.board(rooms.state(number))) for number in range(10))
    (tmp_path / "000.txt").write_text(text)
    env = gymnasium.make_vec("Boxoban-Train-v0", num_envs=5, levels=tmp_path)
    env.reset(seed=1)
    expected = {cells.tobytes() for cells in boards_of_states([rooms.state(number) for number in range(10)]).cells}
    assert {cells.tobytes() for cells in env.unwrapped.batch.pool.cells} == expected
    env.step(np.zeros(5, np.int64))
