"""`replay`: prints what it checked, and refuses what cannot have happened."""

from dataclasses import replace

import pytest

from game.rules import connect4, levels, replay, twenty48
from game.rules.connect4 import Shape
from game.rules.replay import Step
from game.saves.replays import EXAMPLES


def game_of_connect4():
    steps = [Step(action) for action in (0, 1, 0, 1, 0, 1, 0)]
    return replay.record(connect4.start(Shape(6, 7, 1, 4)), steps, seats=("person", "random"), seed=3, title="Quick")


def game_of_twenty48():
    state, steps = twenty48.start(4, 9), []
    for _ in range(20):
        step, state = replay.chosen(state, twenty48.legal_actions(state)[0])
        steps.append(step)
    return replay.record(twenty48.start(4, 9), steps, seed=9)


def game_of_sokoban():
    state = levels.parse("######\n#@$ .#\n######", "test").levels[0].state
    return replay.record(state, [Step(1), Step(1)])


@pytest.mark.parametrize(
    ("make", "moves"), [(game_of_connect4, "1212121"), (game_of_twenty48, None), (game_of_sokoban, "RR")]
)
def test_a_good_replay(run, tmp_path, make, moves):
    game = make()
    path = tmp_path / "game.json"
    path.write_text(replay.dumps(game), "utf-8")
    found = run("replay", path, "--json").json
    assert found["game"] == game.game
    assert found["result"] == replay.result_of(game)
    assert found["steps"] == len(game.steps)
    assert found["seats"] == list(game.seats)
    assert found["valid"] is True
    assert moves is None or found["moves"] == moves
    text = run("replay", path)
    print(text.out)
    assert text.code == 0
    assert f"steps    {len(game.steps)}, all legal" in text.out


def test_an_illegal_step_is_named(run, tmp_path):
    game = game_of_connect4()
    path = tmp_path / "game.json"
    path.write_text(replay.dumps(replace(game, steps=(*game.steps, Step(3)))), "utf-8")
    ran = run("replay", path)
    assert ran.code == 2
    assert "step 8" in ran.err


def test_a_result_that_the_steps_do_not_give(run, tmp_path):
    game = game_of_connect4()
    path = tmp_path / "game.json"
    path.write_text(replay.dumps(replace(game, result={**game.result, "winner": 1})), "utf-8")
    ran = run("replay", path)
    print(ran.err)
    assert ran.code == 2
    assert "winner" in ran.err


def test_solutions_are_recorded(run, tmp_path):
    (tmp_path / "two.xsb").write_text("#######\n#@ $ .#\n#######\n; One\n\n#######\n#@.$$.#\n#######\n; None\n")
    found = run("solve", tmp_path / "two.xsb", "--agent", "astar", "--record", tmp_path / "out", "--json").json
    assert found["solved"] == 1
    (path,) = (tmp_path / "out").iterdir()
    game = replay.read(path)
    assert (game.game, game.seats) == ("sokoban", ("astar",))
    assert run("replay", path, "--json").json["moves"] == found["results"][0]["solution"]


def test_recorded_games_keep_the_values_that_agents_gave(run, tmp_path):
    run("match", "2048", "--agent", "expectimax,depth=1", "--size", 3, "--games", 1, "--time-per-move", 1,
        "--record", tmp_path)  # fmt: skip
    (path,) = tmp_path.iterdir()
    steps = replay.read(path).steps
    assert sum(step.value is not None for step in steps) == len(steps)


@pytest.mark.parametrize("name", ["2048-expectimax-1-00001", "2048-ntuple-1-00001", "connect4-deep", "connect4-flat"])
def test_examples_of_thinking_agents_have_the_value_of_every_action(name):
    game = replay.read(EXAMPLES / f"{name}.json")
    thinking = [step for ply, step in enumerate(game.steps) if game.seats[ply % len(game.seats)] != "random"]
    assert all(step.values and dict(step.values)[step.action] == step.value for step in thinking)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_examples_are_sound(run, path):
    assert run("replay", path, "--json").json["valid"] is True


def test_there_is_an_example_of_each_game_and_each_kind_of_agent():
    heads = [replay.read_head(path) for path in EXAMPLES.glob("*.json")]
    who = {(head.game, seat.partition(",")[0].partition(":")[0]) for head in heads for seat in head.seats}
    print(who)
    assert who >= {
        ("sokoban", "astar"), ("twenty48", "expectimax"), ("twenty48", "ntuple"), ("twenty48", "random"),
        ("connect4", "alphabeta"), ("connect4", "random"),
    }  # fmt: skip
