"""Where games of a DQN begin and what it is shown: positions before a solution, a person's games, the policy network's."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ai.agent import Status, Thinking
from ai.sokoban.dqn import demonstrations, starts
from ai.sokoban.dqn import replay as dqn_replay
from ai.sokoban.dqn.demonstrations import Shown
from ai.sokoban.dqn.play import Pay
from ai.sokoban.dqn.settings import PACK, Settings, level_of, with_pulls
from ai.sokoban.dqn.world import begin_on, games_of, matching_of, world_of
from ai.sokoban.search.bestfirst import AStar
from game.rules import levels, replay, sokoban
from game.rules.replay import Step
from tests.ai.sokoban.policy.files import model_file

LANE = "########\n#@ $  .#\n########\n"
ROOM = "########\n#      #\n#.$@ $.#\n#    # #\n########\n"
PAY = Pay(step=0.05, solved=5.0, dead=3.0, shaping=0.25, walking=0.05, discount=0.9)


def state_of(text: str, pull: bool = False) -> sokoban.State:
    state = levels.parse(text, "test").levels[0].state
    rules = replace(state.warehouse.rules, pull=pull)
    return sokoban.State(replace(state.warehouse, rules=rules), state.boxes, state.player)


def recorded(folder: Path, text: str, actions: str) -> str:
    path = folder / "game.json"
    path.write_text(replay.dumps(replay.record(state_of(text), [Step("URDL".index(each)) for each in actions])))
    return str(path)


@pytest.mark.parametrize("pull", [False, True])
def test_a_position_of_layer_d_is_solved_in_d_pushes_and_no_fewer(pull: bool) -> None:
    state = with_pulls(level_of("levels/6-drawn-maps.xsb", 6).state, pull)
    world = world_of([state])
    pool = starts.pool_of(world)
    starts.grow(world, pool, 5 if pull else 9)
    games, seen = games_of(world, 1), set()
    for depth in range(1, int(pool.state[0])):
        layer = pool.positions[pool.ends[depth] : pool.ends[depth + 1]]
        assert len(layer)
        for row in layer[:: max(1, len(layer) // 4)]:
            starts.put(games, 0, row)
            here = sokoban.State(state.warehouse, frozenset(games.boxes[0].tolist()), int(games.player[0]))
            assert games.occupied[0].sum() == 2 and games.player[0] not in here.boxes
            plan = AStar(10.0, 100_000, pruning="none" if pull else "corrals", optimal="pushes").plan(
                here, Thinking()
            )
            print(depth, *levels.board(here), sep="\n")
            assert plan.status is Status.SOLVED
            pushes, at = 0, here
            for action in plan.actions:
                pushes, at = pushes + sokoban.moves_box(at, action), sokoban.apply(at, action)
            assert pushes == depth
            seen.add(here)
    assert len(seen) > 12


def test_the_layers_end_with_the_start() -> None:
    states = [level_of("levels/6-drawn-maps.xsb", number).state for number in (9, 10)]
    pushes = (15, 19)  # the fewest, by A*
    for state, fewest in zip(states, pushes, strict=True):
        world = world_of([state])
        pool = starts.pool_of(world)
        starts.grow(world, pool, 60)
        print(pool.state, pool.home, np.diff(pool.ends[: pool.state[0] + 1]))
        assert pool.state.tolist() == [fewest + 1, 1] and pool.home[0] == fewest
        _, player, *boxes = pool.positions[pool.ends[fewest]].tolist()
        assert pool.ends[fewest + 1] == pool.ends[fewest] + 1
        assert (player, frozenset(boxes)) == (state.player, state.boxes)
        rows = pool.positions[: pool.ends[fewest + 1]].tolist()
        assert len({(frozenset(boxes), player) for _, player, *boxes in rows}) == len(rows)


def test_a_full_layer_keeps_those_nearest_to_the_start_and_some_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    state = level_of("levels/6-drawn-maps.xsb", 9).state
    world = world_of([state])
    means = {}
    for width in (4096, 40):
        monkeypatch.setattr(starts, "WIDTH", width)
        pool = starts.pool_of(world)
        starts.grow(world, pool, 10)
        games, far = games_of(world, 1), []
        for row in pool.positions[pool.ends[9] : pool.ends[10]]:
            starts.put(games, 0, row)
            far.append(matching_of(world.back, world, games, 0))
        means[width] = float(np.mean(far))
        assert width == 4096 or (len(far) == 40 and far[:20] == sorted(far[:20]))
    print(means)
    assert means[40] < means[4096] - 1


def test_games_begin_in_layers_up_to_the_farthest_and_beyond_them_at_the_start() -> None:
    world, stream = world_of([level_of("levels/6-drawn-maps.xsb", 6).state]), np.array([5], np.uint64)
    pool, games, seen = starts.pool_of(world), games_of(world, 1), []
    starts.grow(world, pool, 7)
    for reach in (2.0, 4.0, 9.0):
        pool.reach[0] = reach
        for _ in range(200):
            starts.begin_somewhere(world, games, pool, 0, 1.0, stream)
            seen.append((reach, int(games.depth[0])))
            assert not games.occupied[0, games.player[0]]
    found = {reach: {depth for each, depth in seen if each == reach} for reach in (2.0, 4.0, 9.0)}
    print(found)
    assert found == {2.0: {1, 2}, 4.0: {1, 2, 3, 4}, 9.0: {0, 1, 2, 3, 4, 5, 6}}


def test_the_farthest_start_follows_what_is_won() -> None:
    world = world_of([state_of(ROOM)])
    games, pool = games_of(world, 1), starts.pool_of(world)
    pool.state[:], pool.reach[0], games.depth[0] = (13, 1), 10.0, 8
    starts.heed(games, pool, 0, True)
    assert pool.reach[0] == 10.0 + starts.STEP
    starts.heed(games, pool, 0, False)
    assert pool.reach[0] == 10.0
    for depth in (0, 4):  # from the start of the board, or from near the end: says nothing of the farthest
        games.depth[0] = depth
        starts.heed(games, pool, 0, True)
        assert pool.reach[0] == 10.0
    games.depth[0] = 12
    for _ in range(1000):
        starts.heed(games, pool, 0, True)
    assert pool.reach[0] == 12 * starts.BEYOND


def test_a_game_that_was_shown_is_remembered_step_by_step_and_stays() -> None:
    world = world_of([state_of(LANE)])
    memory = dqn_replay.replay_of(8, 1, False)
    demonstrations.put([Shown(0, state_of(LANE), (1, 1, 1, 1))], world, memory, PAY, 2)
    assert memory.state.tolist() == [4, 4] and memory.shown[0] == 4
    assert memory.actions[:4].tolist() == [1, 1, 1, 1]
    assert [memory.discounts[place] > 0 for place in range(4)] == [True, True, False, False]
    pending, games = dqn_replay.pending_of(1, 1, 1), games_of(world, 1)
    begin_on(world, games, 0, 0)
    for _ in range(9):
        pending.actions[0, 0], pending.waiting[0] = 3, 1
        dqn_replay.remember(memory, pending, 0, 0, 9, games.boxes[0], 0.9, False, 0)
    assert memory.actions.tolist() == [1, 1, 1, 1, 3, 3, 3, 3] and memory.state.tolist() == [5, 8]
    places, weights = np.zeros(400, np.int64), np.zeros(400, np.float32)
    dqn_replay.draw(memory, np.ones(1, np.uint64), 0.5, places, weights)
    assert (places[:100] < 4).all() and 100 < (places[100:] < 4).sum() < 200 and (weights == 1).all()


def test_games_come_from_replays_and_from_a_policy_network(tmp_path: Path) -> None:
    state = state_of(LANE)
    world = world_of([state])
    (game,) = demonstrations.shown([state], world, Settings(replays=recorded(tmp_path, LANE, "RRLRRRL")))
    assert game == Shown(0, state, (1, 1, 3, 1, 1, 1)), game
    games = demonstrations.shown([state], world, Settings(start=str(model_file(tmp_path))))
    print([each.actions for each in games])
    assert games[0] == Shown(0, state, (1, 1, 1, 1)) and len(games) > 1
    for each in games:
        at = each.start
        for action in each.actions:
            at = sokoban.apply(at, action)
        assert sokoban.is_solved(at)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"replays": "nowhere"}, "there is no such replay"),
        ({"replays": "other"}, "no solved game of this board is there"),
        ({"replays": "unsolved"}, "no solved game of this board is there"),
        ({"start": "nothing"}, "there is no such model"),
        ({"start": "other"}, "it is no policy network"),
    ],
)
def test_what_cannot_be_shown_is_said_in_a_sentence(tmp_path: Path, told: dict[str, str], said: str) -> None:
    state = level_of(PACK, 1).state
    ((name, value),) = told.items()
    if value == "other":
        value = recorded(tmp_path, LANE, "RRRR")
    elif value == "unsolved":
        state, value = state_of(LANE), recorded(tmp_path, LANE, "RR")
    with pytest.raises(ValueError, match=said):
        demonstrations.shown([state], world_of([state]), Settings(**{name: value}))


def test_what_is_shown_is_learned_without_trying_it(tmp_path: Path) -> None:
    """All its own games are random walks, too short for the solution."""
    from ai.sokoban.dqn.training import DqnTraining

    told = {
        "level": str(tmp_path / "some.xsb"), "hidden1": 32, "hidden2": 16, "environments": 8, "memory": 2000,
        "limit": 8, "patience": 0, "epsilon": 1.0, "target": 50, "backwards": 0.0,
    }  # fmt: skip
    board = "##########\n#@  $   .#\n#   ##   #\n#        #\n##########\n"
    (tmp_path / "some.xsb").write_text(board)
    training = DqnTraining({**told, "replays": recorded(tmp_path, board, "RRRRRR")}, 1)
    for _ in range(600):
        training.advance(0.0, Thinking())
    print(training.figures())
    assert training.figures()["best_moves"] == 6
