"""`agents`: what the catalogue says, in the documented form."""

from ai import catalogue
from game.rules.games import GAMES


def test_all_agents_in_the_documented_form(run):
    listed = run("agents", "--json").json
    assert list(listed) == ["agents"]
    assert [(each["game"], each["id"]) for each in listed["agents"]] == [
        (entry.game, entry.id) for game in GAMES for entry in catalogue.entries(game)
    ]
    for each in listed["agents"]:
        assert {"id", "game", "title", "parameters", "needs_model", "models"} <= set(each)
        for parameter in each["parameters"]:
            assert list(parameter) == ["name", "type", "default", "min", "max", "choices", "help"]


def test_agents_of_one_game(run, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)  # no terminal: nothing is wrapped
    assert {each["game"] for each in run("agents", "2048", "--json").json["agents"]} == {"twenty48"}
    ran = run("agents", "connect4")
    print(ran.out)
    assert ran.code == 0
    for entry in catalogue.entries("connect4"):
        assert entry.title in ran.out
        assert all(parameter.help in ran.out for parameter in entry.parameters)
    assert "Sokoban" not in ran.out
