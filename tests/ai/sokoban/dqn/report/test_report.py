"""The report's DQN of Sokoban: its boards, its network, its rewards and every quirk of them; that it goes on and plays."""

import math
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from ai import models, trainers
from ai.agent import Thinking
from ai.settings import parameters_of
from ai.sokoban.dqn import shapes
from ai.sokoban.dqn.agent import Dqn
from ai.sokoban.dqn.report.game import Rewards, distance, first_target, is_stuck, step
from ai.sokoban.dqn.report.settings import ReportSettings
from ai.sokoban.dqn.settings import PACK, level_of
from ai.sokoban.dqn.shapes import Shape
from ai.sokoban.search.bestfirst import AStar
from game.rules import levels, sokoban

UP, RIGHT, DOWN, LEFT = range(4)
SMALL = {"network": "dense-only", "batch": 8, "episodes": 6, "steps": 12, "every": 2}


def state_of(text: str) -> sokoban.State:
    return levels.parse(text, "test").levels[0].state


def rewards_of(state: sokoban.State, actions: list[int]) -> list[float]:
    """The reward of every action, until the game is over."""
    target, found = first_target(state), []
    for action in actions:
        state, reward, over = step(state, action, target, Rewards())
        found.append(reward)
        if over:
            break
    print("\n".join(levels.board(state)), found)
    return found


@pytest.mark.parametrize(("number", "moves", "most"), [(1, 8, 149.2), (2, 12, 143.8)])
def test_the_shortest_solutions_of_its_boards_and_what_they_earn(number: int, moves: int, most: float) -> None:
    start = level_of(PACK, number).state
    plan = AStar(30.0, 1_000_000, optimal="moves").plan(start, Thinking())
    assert len(plan.actions) == moves
    assert sum(rewards_of(start, list(plan.actions))) == pytest.approx(most)


def test_the_network_has_as_many_weights_as_the_report_should_have_said() -> None:
    sizes = {name: math.prod(size) for name, size in shapes.sizes(Shape("report", 9, 11)).items()}
    assert sum(sizes.values()) == 3_304_068
    assert sizes["conv1.weight"] + sizes["conv1.bias"] == 2_048


def test_every_number_is_a_setting_with_bounds_and_the_reports_default() -> None:
    told = ReportSettings()
    for parameter in parameters_of(ReportSettings):
        assert parameter.check(parameter.default) == getattr(told, parameter.name)
        assert parameter.type in ("text", "choice") or parameter.min is not None
    assert (told.rate, told.batch, told.discount, told.memory, told.target) == (0.001, 32, 0.99, 50_000, 10)
    assert (told.epsilon, told.decay, told.steps, told.episodes, told.every) == (0.01, 0.998, 50, 1000, 100)
    assert math.log(told.epsilon) / math.log(told.decay) / told.steps == pytest.approx(46, abs=0.1)


def test_pushing_away_and_back_pays() -> None:
    """The box is pushed away from its target and back: two steps that move nothing in the end earn 2.8."""
    state = state_of("########\n#      #\n#. $   #\n#  @   #\n########\n")
    away = rewards_of(state, [LEFT, UP, RIGHT])[-1]
    assert away == pytest.approx(-0.1 - 2)
    back = rewards_of(state, [RIGHT, UP, LEFT])[-1]
    assert back == pytest.approx(-0.1 + 5)
    assert away + back == pytest.approx(2.8)


def test_only_the_first_box_and_the_first_target_count() -> None:
    state = state_of("########\n# $  . #\n#      #\n#. $@  #\n########\n")
    assert first_target(state) == 13 and distance(state, 13) == 3
    assert rewards_of(state, [LEFT]) == pytest.approx([-0.1])  # the second box comes nearer to its target: nothing


def test_the_first_target_is_one_that_had_no_box_at_the_start() -> None:
    state = state_of("########\n# *  . #\n#   $  #\n#   @  #\n########\n")
    assert first_target(state) == 13
    done = sokoban.State(state.warehouse, frozenset({13, 20}), 28)
    assert distance(done, first_target(state)) == 0, "it stays the first target when a box is on it"


def test_after_a_push_another_box_may_be_the_first() -> None:
    state = state_of("########\n#      #\n#  $ . #\n#   $  #\n#.  @  #\n########\n")
    # the second box comes above the first one and is the first from now on
    assert distance(state, first_target(state)) == 2
    assert rewards_of(state, [UP, LEFT, UP, RIGHT])[0] == pytest.approx(-0.1)
    first_up = sokoban.apply(state, UP)
    assert min(first_up.boxes) == min(state.boxes)


def test_a_box_in_a_corner_is_stuck_even_on_a_target_but_the_win_comes_first() -> None:
    two = state_of("#######\n#.$ @ #\n#  $. #\n#     #\n#######\n")
    assert rewards_of(two, [LEFT, LEFT]) == pytest.approx([-0.1, -0.1 + 5 + 20 - 50])
    one = state_of("#######\n#.$ @ #\n#     #\n#######\n")
    assert rewards_of(one, [LEFT, LEFT]) == pytest.approx([-0.1, -0.1 + 5 + 20 + 100])


def test_what_counts_as_stuck() -> None:
    wall_line = state_of("#######\n# @   #\n#$  . #\n#     #\n#######\n")
    assert not is_stuck(wall_line) and sokoban.is_dead(wall_line), "a wall without a target is not seen"
    beside = state_of("#######\n#@$$  #\n#.  . #\n#######\n")
    assert is_stuck(beside), "a wall above and a box beside it"
    home = state_of("#######\n#@**  #\n#.$   #\n#     #\n#######\n")
    assert not is_stuck(home), "boxes on targets hold nothing"


def test_a_step_into_a_wall_costs_a_step() -> None:
    state = state_of("#####\n#@$.#\n#####\n")
    assert rewards_of(state, [UP, LEFT]) == pytest.approx([-0.1, -0.1])


def test_it_goes_on_exactly_where_it_was_and_keeps_checkpoints(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from ai.sokoban.dqn.report.training import ReportTraining

    path = tmp_path / "corridor.xsb"
    path.write_text("#######\n#@ $ .#\n#     #\n#######\n")
    told = {**SMALL, "level": str(path)}
    whole = ReportTraining(told, 2)
    figures = trainers.run(whole, tmp_path / "whole.safetensors", "train", Thinking())
    print(figures)
    assert (figures["episodes"], whole.goal) == (6, 6) and isinstance(whole.watch(), sokoban.State)
    kept = sorted(each.name for each in tmp_path.glob("whole.episode*"))
    assert kept == [f"whole.episode-{number}.checkpoint.safetensors" for number in (2, 4, 6)]
    part = ReportTraining(told, 2)
    while part.games < 6:
        part.advance(0.0, Thinking())
        if part.figures()["steps"] % 7 == 0:
            part.save_checkpoint(tmp_path / "part")
            part = ReportTraining({}, 0, tmp_path / "part")
    part.save_checkpoint(tmp_path / "part")
    again = ReportTraining({}, 0, tmp_path / "whole.episode-4.checkpoint.safetensors")
    while not again.advance(1.0, Thinking()):
        pass
    again.save_checkpoint(tmp_path / "again")
    one = load_file(tmp_path / "whole.checkpoint.safetensors")
    for other in (load_file(tmp_path / "part"), load_file(tmp_path / "again")):
        assert one.keys() == other.keys()
        for name in one:
            assert np.array_equal(one[name], other[name]), name
    assert models.check(tmp_path / "whole.safetensors").agent == "dqn"
    plan = Dqn(tmp_path / "whole.safetensors", 20, "game", True).plan(level_of(str(path), 1).state, Thinking())
    assert set(plan.values) == {RIGHT, DOWN}


def test_the_best_is_by_the_mean_of_ten_episodes(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from ai.sokoban.dqn.report.training import ReportTraining

    training = ReportTraining({**SMALL, "episodes": 14, "steps": 4, "every": 0}, 1)
    while not training.advance(1.0, Thinking()):
        pass
    figures = training.figures()
    print(figures)
    assert 10 <= figures["best_episode"] <= 14 and figures["best_reward_10"] >= figures["reward_10"]
    assert figures["epsilon"] == pytest.approx(0.998 ** (14 * 4 - 7))
