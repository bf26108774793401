"""The study `sokoban-dqn` on a corridor, and `models measure` of a DQN."""

import pytest

from ai import models, trainers
from ai.agent import Thinking
from ai.sokoban.dqn.training import DqnTraining
from game.studies.pages import write
from game.studies.sokoban import dqn as study
from game.studies.sokoban import dqn_pages, dqn_parts

pytest.importorskip("torch")
CORRIDOR = "#######\n#@ $ .#\n#     #\n#######\n"
FAST = {
    "hidden1": 32,
    "hidden2": 16,
    "environments": 8,
    "exploration": 1500,
    "target": 50,
    "memory": 2000,
    "limit": 30,
}
FAST["patience"] = 250


@pytest.fixture
def level(tmp_path, monkeypatch):
    path = tmp_path / "corridor.xsb"
    path.write_text(CORRIDOR)
    monkeypatch.setattr(dqn_parts, "BOARDS", {"one box": (str(path), 1)})
    monkeypatch.setattr(dqn_parts, "REPORTED", ("one box",))
    monkeypatch.setattr(dqn_parts, "EPISODES", {"one box": 3})
    monkeypatch.setattr(dqn_parts, "SWEEPS", {"rate": (0.01,)})
    monkeypatch.setattr(dqn_parts, "SWEPT", 2)
    monkeypatch.setattr(dqn_parts, "VARIANTS", {"scalar input": {"input": "scalar"}})
    monkeypatch.setattr("ai.sokoban.dqn.training.DqnTraining", lambda told, seed: DqnTraining({**told, **FAST}, seed))
    return path


def test_the_study_goes_on_and_leaves_tables_pictures_and_films(level, tmp_path):
    thinking, kept, heard = Thinking(), {}, []

    def stop_after_two(count, name):
        heard.append((count, name))
        if len(kept) == 2:
            thinking.cancel()

    first = study.run(False, 1, thinking, stop_after_two, kept)
    assert first is not None and first.done == len(kept) and 2 <= first.done < first.parts == study.total(False) == 4
    again = []
    found = study.run(False, 1, Thinking(), lambda count, name: again.append((count, name)), kept)
    assert found is not None and found.done == 4 and again[:2] == [(1, each) for each in list(kept)[:2]]
    files = {path.name for path in write(found, tmp_path / "out", "the command")}
    print(sorted(files))
    assert {"results.md", "boards.csv", "comparison.md", "sweeps.csv", "networks.csv", "curve-dqn.png"} <= files
    assert {
        "film-dqn-one-box.gif",
        "film-report-one-box.gif",
        "film-astar-one-box.gif",
        "game-dqn-one-box.png",
    } <= files
    assert (tmp_path / "out" / "film-astar-one-box.gif").read_bytes().startswith(b"GIF89a")
    stopped = {path.suffix for path in write(found, tmp_path / "stopped", "the command", pictures=False)}
    assert stopped == {".md", ".csv"}
    boards = {row[0]: row for row in found.sheets[0].rows}
    print(boards)
    assert boards["dqn"][5:8] == ("yes", 3, 3) and boards["dqn-report"][2] == 3
    assert dqn_pages.CLAIMS["one box"] in boards["dqn-report"]


def test_measure_says_success_and_moves(run, tmp_path):
    path = tmp_path / "corridor.xsb"
    path.write_text(CORRIDOR)
    model = tmp_path / "some.safetensors"
    trainers.run(DqnTraining({**FAST, "level": str(path)}, 1), model, "the command", Thinking(60))
    found = run("models", "measure", model, "--games", 20, "--json").json
    print(found)
    assert (found["moves"], found["games"]) == (3, 20) and found["mean"] > 50
    assert models.card(model).strength[1].games == 20
    said = run("models", "measure", model, "--games", 5)
    assert "the start in 3 moves; " in said.out
