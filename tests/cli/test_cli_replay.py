"""`replay`: prints what it checked, and refuses what cannot have happened."""

from dataclasses import replace

import pytest

from game.rules import connect4, levels, replay, twenty48
from game.rules.connect4 import Shape
from game.rules.replay import Step


def game_of_connect4():
    steps = [Step(action) for action in (0, 1, 0, 1, 0, 1, 0)]
    return replay.record(connect4.start(Shape(6, 7, 1, 4)), steps, seats=("person", "random"), seed=3, title="Quick")


def game_of_twenty48():
    state, steps = twenty48.start(4, 9), []
    for _ in range(20):
        action = twenty48.legal_actions(state)[0]
        reached = twenty48.apply(state, action)
        steps.append(replay.spawned(state, action, reached))
        state = reached
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
