"""`bench`: chosen by name, in the documented form, judged against the budget."""

from dataclasses import replace

import pytest

from ai import kernels
from game.cli import bench
from game.cli.benches import cancels, speeds
from game.rules.games import GAMES
from game.screens import bench as window


def test_figures_in_the_documented_form(run, monkeypatch):
    table = {
        "fast-start": (lambda: 0.5, "s", 1.0),
        "fast-answers": (lambda: {"median": 2.0, "max": 60.0}, "ms", 50.0),
        "fast-frame": (lambda: {"p99": 3.0, "others": (1.5, "processors", None)}, "ms", 8.0),
        "slow": (lambda: 7.0, "nodes/s", None),
    }
    monkeypatch.setattr(bench, "all_benches", lambda: table)
    found = run("bench", "fast", "--json").json
    assert found == {
        "benches": [
            {"name": "fast-start", "value": 0.5, "unit": "s", "budget": 1.0, "ok": True},
            {"name": "fast-answers-median", "value": 2.0, "unit": "ms", "budget": 50.0, "ok": True},
            {"name": "fast-answers-max", "value": 60.0, "unit": "ms", "budget": 50.0, "ok": False},
            {"name": "fast-frame-p99", "value": 3.0, "unit": "ms", "budget": 8.0, "ok": True},
            {"name": "fast-frame-others", "value": 1.5, "unit": "processors", "budget": None, "ok": True},
        ]
    }
    text = run("bench")
    print(text.out)
    assert "slow" in text.out
    assert len(text.out.splitlines()) == 7


def test_every_searching_agent_is_measured():
    names = set(bench.all_benches())
    print(sorted(names))
    assert {"menu-warm-start", "menu-heavy-modules", "kernels"} <= names
    assert {"cancel-sokoban-astar", "cancel-twenty48-expectimax", "cancel-connect4-alphabeta"} <= names


def test_a_cancel_is_answered(monkeypatch):
    monkeypatch.setattr(cancels, "CANCELS", 2)
    function, unit, budget = cancels.benches()["cancel-twenty48-expectimax"]
    found = function()
    print(found, unit, budget)
    assert 0 < found["median"] <= found["max"] < 2000


def test_speeds_are_counted(monkeypatch):
    monkeypatch.setattr(speeds, "SPEED_SECONDS", 0.1)
    for name in ("moves-twenty48-random", "moves-twenty48-batch", "nodes-connect4-alphabeta", "nodes-sokoban-astar"):
        value = speeds.benches()[name][0]()
        print(name, value)
        assert value > 100


@pytest.mark.parametrize("game", GAMES)
def test_the_agent_thinks_for_as_long_as_a_frame_is_measured(game):
    kernels.warm(kernels.units(game))
    with window._window(game) as (shown, scene):
        window._busy(scene)
        window._turns(shown, 1.5)
        assert scene.session.driver.running and not scene.session.over
        assert scene.session.driver.busy or scene.session.timeline.cursor > 100, (
            "2048 plays its moves faster than it shows them"
        )
        if game == "twenty48":
            scene.session.driver.stop()
            scene.session.begin(replace(scene.session.state, cells=(1, 2, 1, 2, 2, 1, 2, 1) * 2))
            window._go_on(shown, scene)
            assert scene.session.driver.running and not scene.session.over, "a game that has ended begins again"


def test_work_in_a_frame_is_told_beside_an_empty_screen_and_other_programs(monkeypatch):
    monkeypatch.setattr(window, "SECONDS", 0.4)
    monkeypatch.setattr(window, "ROUNDS", 1)
    found = {name: value for name, (value, _unit, _budget) in window.frame_work("connect4", 1).items()}
    print(found)
    assert found["more"] == found["p99"] - found["empty"]
    assert found["empty"] > 0 and 0 < found["working"] <= found["p99"]
    assert found["others"] > 0.1, "the program that it started keeps a processor busy"
