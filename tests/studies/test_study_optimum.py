"""`experiment 2048-3x3 --quick`: the optimum of 2×2 in tables and a plot; a cancelled study leaves nothing."""

import importlib.util

import pytest

from ai.agent import Thinking
from game.studies.twenty48 import optimum

pytestmark = pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="needs matplotlib")


def test_the_quick_study_solves_two_by_two(run, tmp_path):
    found = run("experiment", "2048-3x3", "--out", tmp_path / "out", "--quick", "--json").json
    print(found)
    figures = dict(found["tables"]["optimum"]["rows"])
    assert figures["positions, rotations and reflections counted once"] == 110
    assert figures["expected score of optimal play"] == pytest.approx(66.964149, abs=1e-6)
    tiles = found["tables"]["tiles"]["rows"]
    assert [tile for tile, _ in tiles] == [32, 16, 8] and sum(share for _, share in tiles) == pytest.approx(100)
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"results.md", "optimum.csv", "optimum.md", "tiles.csv", "tiles.md", "tiles.png"}
    assert "2×2" in (tmp_path / "out" / "results.md").read_text(encoding="utf-8")


def test_a_cancelled_study_finds_nothing():
    thinking = Thinking()
    thinking.cancel()
    assert optimum.run(True, 0, thinking, lambda _hundredths, _what: None, {}) is None


def test_progress_is_told_in_hundredths():
    told: list[int] = []
    assert optimum.run(True, 0, Thinking(), lambda hundredths, _what: told.append(hundredths), {}) is not None
    assert sum(told) == optimum.total(True) and min(told) > 0
