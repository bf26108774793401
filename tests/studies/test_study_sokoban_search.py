"""`experiment sokoban-search`: a tiny study leaves every table and plot; a file of levels; bad input in one line."""

import importlib.util

import pytest

from game.studies.kept import FILE
from game.studies.sokoban import runs
from game.studies.sokoban.runs import CONTENDERS, Run
from game.studies.sokoban.tables import mean, pairs, ratio

NAME = "sokoban-search"
LEVELS = "#######\n#@ $ .#\n#######\n\n########\n#@     #\n#  $  .#\n#      #\n########\n"
needs_matplotlib = pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="needs matplotlib")


@needs_matplotlib
def test_a_study_of_a_file_leaves_every_table_and_plot(run, tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "SEEDS", 2)
    path = tmp_path / "two.xsb"
    path.write_text(LEVELS)
    found = run("experiment", NAME, "--out", tmp_path / "out", "--levels", path, "--json").json
    print({key: value for key, value in found.items() if key != "tables"})
    assert found["done"] == found["parts"] == len(CONTENDERS)
    written = {each.name for each in (tmp_path / "out").iterdir()}
    assert FILE not in written and written == {each.split("/")[-1] for each in found["files"]}
    assert len([name for name in written if name.endswith(".png")]) == 8
    assert "--levels two.xsb" in (tmp_path / "out" / "results.md").read_text(encoding="utf-8")
    tables = found["tables"]
    for name, table in tables.items():
        print(name, table["rows"][:2])
        assert table["rows"] and all(len(row) == len(table["head"]) for row in table["rows"])
    assert [row[:3] for row in tables["agents"]["rows"]] == [[each.name, 2, 100.0] for each in CONTENDERS]
    exact = {row[0]: row[7] for row in tables["agents"]["rows"]}
    assert exact["astar, moves"] == exact["bfs, moves"] == 1.0


def test_what_cannot_be_studied_is_said_in_one_line(run, tmp_path):
    pulled = tmp_path / "pulled.xsb"
    pulled.write_text("#####\n#@$.#\n#   #\n#####\nVariant: pull\n")
    for words, said in (
        ((NAME, "--levels", tmp_path / "none.xsb"), "No such file"),
        ((NAME, "--levels", pulled), "push only"),
        (("2048-3x3", "--levels", pulled), "no study of levels"),
    ):
        ran = run("experiment", *words, "--out", tmp_path / "out")
        print(ran)
        assert ran.code == 2 and said in ran.err and len(ran.err.strip().splitlines()) == 1


def test_figures():
    solved, failed = Run(True, 2.0, 10, 8, 3), Run(False, 9.0, 99, None, None)
    assert mean([solved, failed], lambda run: run.seconds) == 2.0
    assert mean([solved, failed, failed], lambda run: run.seconds) is None
    one, other = ("p", 1), ("p", 2)
    assert pairs({one: [solved], other: [solved]}, {one: [Run(True, 1.0, 5, 4, 2)], other: [failed]},
                 lambda run: run.seconds) == [(2.0, 1.0)]  # fmt: skip
    found = ratio([(2.0, 1.0), (8.0, 1.0)])
    assert found is not None and found[0] == pytest.approx(4.0)
    assert ratio([(2.0, 1.0)]) is None
