"""Where games of a DQN begin and what it is shown: positions before a solution, a person's games, the policy network's."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sokoban_policy import model_file

from ai.agent import Status, Thinking
from ai.sokoban import dqn_replay, dqn_shown, dqn_starts
from ai.sokoban.bestfirst import astar
from ai.sokoban.dqn_play import Pay
from ai.sokoban.dqn_settings import PACK, Settings, level_of
from ai.sokoban.dqn_shown import Shown
from ai.sokoban.dqn_world import begin_on, games_of, matching_of, world_of
from game.rules import levels, replay, sokoban
from game.rules.replay import Step

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
def test_positions_before_a_solution_are_solved_in_as_many_pushes_or_fewer(pull: bool) -> None:
    state = state_of(ROOM, pull)
    world, stream = world_of([state]), np.array([3], np.uint64)
    games, seen = games_of(world, 1), set()
    for depth in (1, 1, 2, 3, 3, 6, 6, 9, 14):
        begin_on(world, games, 0, 0)
        if not dqn_starts.go_back(world, games, 0, depth, stream):
            continue
        here = sokoban.State(state.warehouse, frozenset(games.boxes[0].tolist()), int(games.player[0]))
        print(depth, *levels.board(here), sep="\n")
        assert games.occupied[0].sum() == 2 and games.player[0] not in here.boxes
        plan = astar(10.0, 100_000, pruning="none" if pull else "corrals").plan(here, Thinking())
        assert plan.status is Status.SOLVED
        pushes, at = 0, here
        for action in plan.actions:
            pushes, at = pushes + sokoban.moves_box(at, action), sokoban.apply(at, action)
        assert 1 <= pushes <= depth
        seen.add(here)
    assert len(seen) > 4


def test_going_back_far_comes_near_the_start() -> None:
    world, stream = world_of([level_of("levels/6-drawn-maps.xsb", 9).state]), np.array([5], np.uint64)
    games = games_of(world, 1)

    def away(depth: int) -> float:
        found = []
        for _ in range(50):
            begin_on(world, games, 0, 0)
            dqn_starts.go_back(world, games, 0, depth, stream)
            found.append(matching_of(world.back, world, games, 0))
        return float(np.mean(found))

    near, far = away(3), away(40)
    print(near, far)
    assert far < 6 < 10 < near


def test_the_farthest_start_follows_what_is_won() -> None:
    games = games_of(world_of([state_of(ROOM)]), 1)
    games.reach[0], games.depth[0] = 10.0, 8
    dqn_starts.heed(games, 0, True, 120)
    assert games.reach[0] == 10.0 + dqn_starts.STEP
    dqn_starts.heed(games, 0, False, 120)
    assert games.reach[0] == 10.0
    for depth in (0, 4):  # from the start of the board, or from near the end: says nothing of the farthest
        games.depth[0] = depth
        dqn_starts.heed(games, 0, True, 120)
        assert games.reach[0] == 10.0
    games.depth[0] = 8
    for _ in range(1000):
        dqn_starts.heed(games, 0, True, 12)
    assert games.reach[0] == 12.0


def test_a_game_that_was_shown_is_remembered_step_by_step_and_stays() -> None:
    world = world_of([state_of(LANE)])
    memory = dqn_replay.replay_of(8, 1, False)
    dqn_shown.put([Shown(0, state_of(LANE), (1, 1, 1, 1))], world, memory, PAY, 2)
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
    (game,) = dqn_shown.shown([state], world, Settings(replays=recorded(tmp_path, LANE, "RRLRRRL")), 1)
    assert game == Shown(0, state, (1, 1, 3, 1, 1, 1)), game
    games = dqn_shown.shown([state], world, Settings(start=str(model_file(tmp_path))), 1)
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
        dqn_shown.shown([state], world_of([state]), Settings(**{name: value}), 1)


def test_what_is_shown_is_learned_without_trying_it(tmp_path: Path) -> None:
    """All its own games are random walks, too short for the solution."""
    pytest.importorskip("torch")
    from ai.sokoban.dqn_training import DqnTraining

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
