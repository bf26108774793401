"""`experiment`: a study of a few games leaves every table and plot; Ctrl-C keeps what is done; bad input in one line."""

import csv
import importlib.util
import signal

import numpy as np
import pytest

from ai import stopping
from ai.twenty48.report import shapes, study
from ai.twenty48.report.study import Setup, curve, knowledge
from ai.twenty48.report.training import Games
from game.studies import STUDIES
from game.studies.pages import Sheet
from game.studies.twenty48 import figures, learning_rate

NAME = "2048-learning-rate"
pytestmark = pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="needs matplotlib")


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    """Thirty games where the study has 50,000, in three trainings."""
    monkeypatch.setattr(study, "GAMES", 300)
    monkeypatch.setattr(study, "PLAYED", 20)
    setups = (Setup(0.01), Setup(0.05), Setup(0.01, symmetries=False))
    monkeypatch.setattr(study, "SETUPS", setups)


def test_a_quick_study_leaves_every_table_and_plot(run, tmp_path):
    out = tmp_path / "new" / "results"
    found = run("experiment", NAME, "--out", out, "--quick", "--json", "--seed", 3).json
    print({key: value for key, value in found.items() if key != "tables"})
    assert (found["experiment"], found["quick"], found["seed"], found["done"], found["parts"]) == (
        NAME,
        True,
        3,
        3,
        3,
    )
    assert sorted(path.name for path in out.iterdir()) == sorted(path.split("/")[-1] for path in found["files"])
    pictures = [path for path in out.iterdir() if path.suffix == ".png"]
    assert len(pictures) == 7 and all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)
    page = (out / "results.md").read_text(encoding="utf-8")
    for name, table in found["tables"].items():
        rows = list(csv.reader((out / f"{name}.csv").read_text(encoding="utf-8").splitlines()))
        print(name, rows[:2])
        assert rows[0] == table["head"] and len(rows) == 1 + len(table["rows"]) > 1
        assert all(len(row) == len(rows[0]) for row in rows)
        if (out / f"{name}.md").exists():
            assert (out / f"{name}.md").read_text(encoding="utf-8").strip() in page
    assert set(found["tables"]) == {
        "scores", "tiles-training", "tiles-played", "random", "importance", "touched", "curves", "weights",
    }  # fmt: skip
    scores = found["tables"]["scores"]["rows"]
    assert [row[0] for row in scores] == ["α = 0.01", "α = 0.05", "α = 0.01, no symmetries"]
    assert [row[2] for row in scores] == [60_888, 47_895, None], "the report's, where it has one"
    assert found["tables"]["touched"]["rows"][-1][1] == 15_788_976
    assert "30 games of learning" in page and "--quick" in page


def test_people_get_the_scores_and_the_page(run, tmp_path):
    ran = run("experiment", NAME, "--out", tmp_path, "--quick")
    print(ran.out)
    assert ran.code == 0 and "| α = 0.05 |" in ran.out and str(tmp_path / "results.md") in ran.out


def test_the_same_seed_gives_the_same_tables(run, tmp_path):
    first, again = (
        run("experiment", NAME, "--out", tmp_path / name, "--quick", "--json").json["tables"] for name in "ab"
    )
    for tables in (first, again):
        for row in tables["scores"]["rows"]:
            row.pop()  # time
    assert first == again


def test_ctrl_c_keeps_the_trainings_that_are_done(run, tmp_path, monkeypatch):
    hear = learning_rate._Steps.hear

    def press(steps, games):
        hear(steps, games)
        if steps._what == "α = 0.05":
            stopping.receive(signal.SIGINT)

    monkeypatch.setattr(learning_rate._Steps, "hear", press)
    ran = run("experiment", NAME, "--out", tmp_path, "--quick")
    print(ran.out, ran.err)
    assert ran.code == 130 and "the tables hold 1 of 3 parts" in ran.err
    assert "1 of 3 parts" in (tmp_path / "results.md").read_text(encoding="utf-8")


def test_ctrl_c_before_anything_is_done_writes_nothing(run, tmp_path, monkeypatch):
    monkeypatch.setattr(learning_rate._Steps, "hear", lambda _steps, _games: stopping.receive(signal.SIGINT))
    ran = run("experiment", NAME, "--out", tmp_path, "--quick")
    print(ran.err)
    assert (ran.code, ran.out) == (130, "") and ran.err.splitlines()[-1] == "trilogic: stopped."
    assert not list(tmp_path.iterdir())


def test_bad_input_gets_one_line(run, tmp_path):
    (tmp_path / "file").touch()
    for words, reason in (
        (("nothing", "--out", tmp_path), f"there is no study 'nothing' (there are: {', '.join(STUDIES)})"),
        ((NAME,), "--out"),
        ((NAME, "--out", tmp_path / "file"), "file: "),
        ((NAME, "--out", tmp_path / "file" / "below"), "below: "),
    ):
        ran = run("experiment", *words)
        print(ran.err)
        assert (ran.code, ran.out) == (2, "")
        assert reason in ran.err and ran.err.count("\n") == 1


def test_without_matplotlib_it_says_what_to_install(run, tmp_path, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "matplotlib" else find(name))
    ran = run("experiment", NAME, "--out", tmp_path)
    print(ran.err)
    assert ran.code == 2 and "pip install -r requirements.txt" in ran.err and ran.err.count("\n") == 1


def test_curves_and_weights_are_summed_up():
    scores = np.arange(250)
    found = curve(Games(scores, np.where(scores < 125, 10, 11), scores / 2))
    print(found)
    assert found.games[0] == 2 and found.games[-1] == 250 and len(found.games) == 125
    assert found.score[0] == 0.5 and found.error[-1] == pytest.approx(124.25)
    assert found.reached[61] == 0 and found.reached[62] == 0.5 and found.reached[63] == 1
    weights = np.full(sum(shapes.PLACES), 0, np.float32)
    weights[0], weights[1], weights[14] = 3.0, -5.0, 99.0
    said = knowledge(weights)
    print(said.touched, said.importance)
    assert said.importance == (4.0, *[0.0] * 7), "the place of a tile that is not told apart does not count"
    assert said.touched_of_all == pytest.approx(2 / 15_788_976) and said.counts.sum() == 2
    assert (said.edges[0], said.edges[-1]) == (5.0, 13.0)


def test_the_reports_figures_are_whole():
    assert sum(figures.PLAYED_TILES.values()) == pytest.approx(100)
    assert sum(figures.RANDOM_TILES.values()) == pytest.approx(100)
    assert len(figures.IMPORTANCE) == 8
    assert set(figures.LAST_GAMES) == set(figures.PLAYED) == set(study.ALPHAS)


def test_tables_in_markdown_and_csv():
    sheet = Sheet("x", "X", ("a", "b", "c"), (("one", 1234, None), ("two", 5, 0.25)), ("", ",", ".1f"))
    assert sheet.markdown().splitlines() == ["| a | b | c |", "| --- | ---: | ---: |", "| one | 1,234 | – |",
                                             "| two | 5 | 0.2 |"]  # fmt: skip
    assert sheet.csv() == "a,b,c\none,1234,\ntwo,5,0.25\n"
