"""Sokoban as Gymnasium environments: the contract for every name, and the plain rules behind each variant."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

import game.envs  # noqa: E402
from ai.sokoban.batch.cells import ASTRAY, PLAYER, SECOND, paint_all  # noqa: E402
from ai.sokoban.batch.games import boards_of_states  # noqa: E402
from ai.sokoban.rooms.maker import RoomMaker  # noqa: E402
from game.envs import sokoban_ids  # noqa: E402
from game.envs.sokoban import SokobanEnv, action_names  # noqa: E402
from game.envs.sokoban_tiles import Painter, tiny_tiles  # noqa: E402
from game.rules import levels, sokoban  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = ROOT.parent / "shared" / "levels"
WAYS = {"up": 0, "right": 1, "down": 2, "left": 3}
CORRIDOR = "#######\n#@$. .#\n#  $  #\n#     #\n#     #\n#     #\n#######"


@pytest.fixture(autouse=True)
def _no_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture
def boxoban(tmp_path):
    """A folder as Boxoban's, with levels of our own."""
    rooms = RoomMaker(1, 10, 10, 4, "fast").make(60)
    for number, (kind, split) in enumerate(sokoban_ids._BOXOBAN.values()):
        folder = tmp_path / kind / split
        folder.mkdir(parents=True)
        for file in range(2):
            first = 12 * number + 6 * file
            boards = ["\n".join(levels.board(rooms.state(first + each))) for each in range(6)]
            text = "\n\n".join(f"; {each}\n{board}" for each, board in enumerate(boards))
            (folder / f"{file:03}.txt").write_text(text + "\n")
    return tmp_path


def make(name, boxoban, **options):
    if name in sokoban_ids.from_folder():
        options["levels"] = boxoban
    return gymnasium.make(name, **options)


def test_the_established_names_sizes_boxes_and_actions():
    kinds = sokoban_ids.generated()
    assert {
        name: (kind["dim_room"], kind["num_boxes"]) for name, kind in kinds.items() if "-Sokoban" not in name
    } == {
        "Sokoban-v0": ((10, 10), 3),
        "Sokoban-v1": ((10, 10), 4),
        "Sokoban-v2": ((10, 10), 5),
        "Sokoban-small-v0": ((7, 7), 2),
        "Sokoban-small-v1": ((7, 7), 3),
        "Sokoban-large-v0": ((13, 11), 3),
        "Sokoban-large-v1": ((13, 11), 4),
        "Sokoban-large-v2": ((13, 11), 5),
        "Sokoban-huge-v0": ((13, 13), 5),
    }
    for name, actions in (("Sokoban-v0", 9), ("FixedTarget-Sokoban-v0", 9), ("PushAndPull-Sokoban-v0", 13)):
        assert gymnasium.make(name).action_space.n == actions
    assert gymnasium.make("TwoPlayer-Sokoban-v0").action_space.n == 17
    assert action_names(False, 1)[:6] == (
        "no operation",
        "push up",
        "push down",
        "push left",
        "push right",
        "move up",
    )
    assert action_names(True, 1)[9:] == ("pull up", "pull down", "pull left", "pull right")
    assert action_names(False, 2)[8:10] == ("P1: move right", "P2: push up")
    assert SokobanEnv().get_action_meanings()[0] == "no operation"


@pytest.mark.parametrize("name", [*sokoban_ids.generated(), *sokoban_ids.from_folder()])
@pytest.mark.parametrize("mode", ["rgb_array", "tiny_rgb_array"])
def test_gymnasium_finds_nothing_to_complain_about(name, mode, boxoban):
    env = make(name, boxoban, render_mode=mode, **({} if name.startswith("Boxoban") else {"rooms": "fast"}))
    check_env(env.unwrapped)  # every warning is an error here
    rows, cols = env.unwrapped.dim_room
    side = 16 if mode == "rgb_array" else 1
    seen, _ = env.reset(seed=2)
    assert seen.shape == (rows * side, cols * side, 3) and (env.render() == seen).all()
    cells = env.unwrapped._cells
    assert (cells & 15 >= 3).sum() == env.unwrapped.num_boxes == env.unwrapped._meta[0, ASTRAY]


def plainly(state, name):
    """The position after an action of the environment, by the plain rules."""
    second = name.startswith("P2: ") and sokoban.SECOND
    kind, _, way = name.removeprefix("P1: ").removeprefix("P2: ").partition(" ")
    if kind == "no":
        return state
    action = WAYS[way] + second
    legal = sokoban.legal_actions(state)
    if kind == "pull" and action + sokoban.PULL in legal:
        return sokoban.apply(state, action + sokoban.PULL)
    if action in legal and (kind == "push" or not sokoban.is_push(state, action)):
        return sokoban.apply(state, action)
    return state


@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize("pulls", [False, True])
@pytest.mark.parametrize("players", [1, 2])
def test_every_variant_follows_the_plain_rules(fixed, pulls, players):
    rules = sokoban.Rules(pull=pulls, fixed=fixed, players=players)
    rng = np.random.default_rng(int(fixed) + 2 * pulls + 4 * players)
    rooms = RoomMaker(9, 7, 8, 3, "fast", players).make(4)
    env = SokobanEnv((7, 8), 3, 10_000, fixed=fixed, pulls=pulls, players=players, observation_mode="tiny_rgb_array")
    names = action_names(pulls, players)
    moved = set()
    for number in range(4):
        state = rooms.state(number, rules)
        seen, _ = env.reset(options={"level": state})
        for _ in range(200):
            action = int(rng.integers(env.action_space.n))
            after = plainly(state, names[action])
            home = sum(map(_at_home, [state] * 3, range(3)))
            home_after = sum(map(_at_home, [after] * 3, range(3)))
            seen, reward, solved, cut, info = env.step(action)
            expected = boards_of_states([after])
            if (env._cells != expected.cells[0]).any():
                print(
                    number,
                    names[action],
                    *levels.board(state),
                    *levels.board(after),
                    env._cells.reshape(7, 8),
                    sep="\n",
                )
            assert (env._cells == expected.cells[0]).all()
            columns = [PLAYER, SECOND, ASTRAY]
            assert (env._meta[0, columns] == expected.meta[0, columns]).all()
            assert reward == pytest.approx(-0.1 + np.sign(home_after - home) + 10 * sokoban.is_solved(after))
            assert (solved, cut) == (sokoban.is_solved(after), False)
            assert info["action.moved_player"] == ((state.player, state.second) != (after.player, after.second))
            assert info["action.moved_box"] == (state.boxes != after.boxes)
            assert (seen == _tiny(env._cells, 8, fixed)).all()
            moved.add((names[action].split()[-2], info["action.moved_box"]))
            state = after
            if solved:
                break
    print(moved)
    assert {("push", True), ("push", False), ("move", False)} <= moved and ("move", True) not in moved
    assert (("pull", True) in moved) == pulls


def _at_home(state, number):
    warehouse = state.warehouse
    if warehouse.homes:
        return state.placed[number] == warehouse.homes[number]
    return sorted(state.boxes)[number] in warehouse.targets


def _tiny(cells, cols, fixed, scale=1):
    picture = np.zeros((len(cells) // cols * scale, cols * scale, 3), np.uint8)
    paint_all(cells, cols, picture.reshape(-1), tiny_tiles(scale, fixed))
    return picture


def test_rewards_of_one_game():
    env = SokobanEnv((7, 7), 2, observation_mode="tiny_rgb_array")
    env.reset(options={"level": CORRIDOR})
    right, left, move_right = 4, 3, 8
    told = [env.step(action)[1] for action in (move_right, right, right, left)]
    assert told == pytest.approx([-0.1, 0.9, -1.1, -0.1]), "blocked; on; off; a push with nothing to push is a move"
    env.reset(options={"level": "#######\n#@$.  #\n#    .#\n#    $#\n#     #\n#     #\n#######"})
    assert env.step(right)[1] == pytest.approx(0.9)
    for action in (6, 6, 6, 8, 8):
        assert env.step(action)[1] == pytest.approx(-0.1)
    _, reward, solved, cut, info = env.step(8)
    assert (reward, solved, info["action.moved_player"]) == (pytest.approx(-0.1), False, True)
    _, reward, solved, cut, info = env.step(1)
    assert (reward, solved, cut) == (pytest.approx(10.9), True, False)
    assert info["all_boxes_on_target"] and not info["maxsteps_used"] and info["action.name"] == "push up"
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_an_episode_ends_after_120_steps():
    env = gymnasium.make("Sokoban-small-v0", rooms="fast")
    env.reset(seed=1)
    for number in range(120):
        _, reward, solved, cut, info = env.step(0)
        assert (reward, solved, cut) == (-0.1, False, number == 119)
    assert info["maxsteps_used"] and not info["all_boxes_on_target"]
    env = gymnasium.make("Sokoban-small-v0", rooms="fast", max_steps=5)
    env.reset(seed=1)
    assert [env.step(0)[3] for _ in range(5)] == [False] * 4 + [True]


@pytest.mark.parametrize("rooms", ["fast", "established"])
def test_every_reset_makes_a_new_room_and_the_seed_decides_all(rooms):
    env = gymnasium.make("Sokoban-v0", rooms=rooms, render_mode="tiny_rgb_array")
    seen = [env.reset(seed=5)[0], *(env.reset()[0] for _ in range(4))]
    again = [env.reset(seed=5)[0], *(env.reset()[0] for _ in range(4))]
    assert len({each.tobytes() for each in seen}) == 5
    assert all((one == other).all() for one, other in zip(seen, again, strict=True))
    assert (gymnasium.make("Sokoban-v0", rooms=rooms, render_mode="tiny_rgb_array").reset()[0] != seen[0]).any()
    tiny = SokobanEnv((5, 5), 1, rooms="fast", observation_mode="tiny_rgb_array")
    tiny.reset(seed=0)
    for _ in range(300):  # more than there are different rooms
        tiny.reset()


@pytest.mark.parametrize("variant", [{}, {"fixed": True}, {"players": 2, "pulls": True}])
def test_large_pictures_show_what_a_fresh_drawing_shows(variant):
    env = SokobanEnv((8, 9), 3, rooms="fast", render_mode="rgb_array", **variant)
    env.action_space.seed(3)
    fresh = Painter(8, 9, env.fixed)
    for seed in range(2):
        first, _ = env.reset(seed=seed)
        for _ in range(60):
            seen, *_ = env.step(env.action_space.sample())
            fresh.begin(env._cells)
            assert (seen == fresh.pixels).all()
        assert seen.shape == (128, 144, 3) and (seen != first).any()
        assert (env.render() == seen).all()


def test_the_scale_of_tiny_pictures():
    env = gymnasium.make("Sokoban-small-v0", rooms="fast", render_mode="tiny_rgb_array", scale=3)
    seen, _ = env.reset(seed=1)
    small, _ = gymnasium.make("Sokoban-small-v0", rooms="fast", render_mode="tiny_rgb_array").reset(seed=1)
    assert seen.shape == (21, 21, 3) and (seen[::3, ::3] == small).all() and (seen[2::3, 1::3] == small).all()
    colours = {tuple(each) for each in small.reshape(-1, 3).tolist()}
    print(colours)
    assert colours == {(0, 0, 0), (243, 248, 238), (254, 126, 125), (142, 121, 56), (160, 212, 56)}
    large, _ = gymnasium.make("Sokoban-small-v0", rooms="fast", render_mode="rgb_array", scale=3).reset(seed=1)
    assert large.shape == (112, 112, 3), "it changes nothing there"
    mixed = gymnasium.make(
        "Sokoban-small-v0", rooms="fast", render_mode="rgb_array", observation_mode="tiny_rgb_array"
    )
    assert (mixed.reset(seed=1)[0] == small).all() and (mixed.render() == large).all()


def test_ten_colours_are_told_apart():
    tiles = tiny_tiles(1, True)[:, 0, :3]
    bytes_ = [(2 + box) << 4 for box in range(10)] + [3 + box for box in range(10)]
    bytes_ += [(2 + box) << 4 | 3 + box for box in range(10)] + [
        (2 + (box + 1) % 10) << 4 | 3 + box for box in range(10)
    ]
    assert len({tuple(tiles[each].tolist()) for each in bytes_}) == 40


@pytest.mark.parametrize("mode", ["human", "tiny_human"])
def test_a_window_shows_the_room(mode):
    env = gymnasium.make("Sokoban-small-v0", rooms="fast", render_mode=mode)
    env.metadata["render_fps"] = 1000
    env.reset(seed=1)
    import pygame

    before = pygame.surfarray.array3d(pygame.display.get_surface())
    assert before.shape == (476, 476, 3)
    for action in (1, 2, 3, 4):
        env.step(action)
    assert pygame.display.get_caption()[0] == "Sokoban: 4 steps"
    assert (pygame.surfarray.array3d(pygame.display.get_surface()) != before).any()
    assert env.render() is None
    env.close()
    assert not pygame.display.get_init()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dim_room": (4, 10)}, "5 to 20 rows and columns"),
        ({"num_boxes": 11}, "1 to 10 boxes, not 11"),
        ({"rooms": "slow"}, "no way 'slow'"),
        ({"players": 3}, "1 or 2 players, not 3"),
        ({"max_steps": 0}, "at least one step"),
        ({"render_mode": "film"}, "no render mode 'film'"),
        ({"observation_mode": "human"}, "no observation mode 'human'"),
        ({"scale": 0}, "scale of 1 to 64, not 0"),
    ],
)
def test_what_cannot_be_is_refused(options, words):
    with pytest.raises(ValueError, match=words):
        SokobanEnv(**options)


def test_wrong_actions_and_levels_are_refused():
    env = SokobanEnv((7, 7), 2, rooms="fast")
    for method in (lambda: env.step(0), env.render):
        with pytest.raises(gymnasium.error.ResetNeeded):
            method()
    env.reset(seed=0)
    for action in (9, -1):
        with pytest.raises(ValueError, match=f"no action {action} here"):
            env.step(action)
    for level, words in (
        ("####\n#@ #\n####", "there is no box"),
        ("#####\n#@$.#\n#####", "plays 7x7 squares and push only, not 3x5"),
        (7, "a State of game.rules.sokoban, or XSB text"),
    ):
        with pytest.raises(ValueError, match=words):
            env.reset(options={"level": level})


def test_boxoban_levels_come_from_the_folder(boxoban, monkeypatch, tmp_path):
    env = gymnasium.make("Boxoban-Val-v1", levels=boxoban, render_mode="tiny_rgb_array")
    files = sorted((boxoban / "medium" / "valid").glob("*.txt"))
    known = {_tiny(boards_of_states([level.state]).cells[0], 10, False).tobytes()
             for file in files for level in levels.read(file).levels}  # fmt: skip
    seen = [env.reset(seed=3)[0].tobytes(), *(env.reset()[0].tobytes() for _ in range(40))]
    assert set(seen) <= known and len(set(seen)) > 6
    assert [env.reset(seed=3)[0].tobytes(), *(env.reset()[0].tobytes() for _ in range(40))] == seen
    for deeper in (boxoban / "medium", boxoban / "medium" / "valid"):
        assert gymnasium.make("Boxoban-Val-v1", levels=deeper).unwrapped.files == files
    monkeypatch.setenv("BOXOBAN_LEVELS", str(boxoban))
    assert gymnasium.make("Boxoban-Val-v1").unwrapped.files == files
    monkeypatch.delenv("BOXOBAN_LEVELS")
    with pytest.raises(ValueError, match="Name the folder of Boxoban levels"):
        gymnasium.make("Boxoban-Train-v0")
    with pytest.raises(ValueError, match="no such folder"):
        gymnasium.make("Boxoban-Train-v0", levels=tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"no \.txt files here, nor in unfiltered/train"):
        gymnasium.make("Boxoban-Train-v0", levels=tmp_path / "empty")
    (tmp_path / "empty" / "a.txt").write_text("#####\n#@$.#\n#####\n")
    with pytest.raises(ValueError, match="none of its levels has 10x10"):
        gymnasium.make("Boxoban-Train-v0", levels=tmp_path / "empty").reset()


@pytest.mark.skipif(not (PUBLIC / "boxoban-medium-valid-000.txt").exists(), reason="no Boxoban files here")
def test_real_boxoban_files(tmp_path):
    (tmp_path / "000.txt").symlink_to(PUBLIC / "boxoban-medium-valid-000.txt")
    env = gymnasium.make("Boxoban-Val-v1", levels=tmp_path)
    assert env.reset(seed=0)[0].shape == (160, 160, 3)


def test_nothing_heavy_is_imported_without_need():
    program = (
        "import sys, gymnasium, game.envs\n"
        "print([name for name in ('pygame', 'numba', 'torch') if name in sys.modules])\n"
        "env = gymnasium.make('Sokoban-small-v0', observation_mode='tiny_rgb_array'); env.reset(seed=1); env.step(0)\n"
        "print([name for name in ('pygame', 'torch') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    print(done)
    assert done.stdout.split() == ["[]", "[]"]
    assert game.envs.sokoban_ids is sokoban_ids
