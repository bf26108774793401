"""Policy networks of Sokoban on the command line: measured, solving, and what is refused."""

import json
from pathlib import Path

import pytest

from ai import models
from tests.ai.sokoban.policy.files import model_file

SHIPPED = Path(__file__).resolve().parents[2] / "saves" / "models"
CORRIDOR = "########\n#@ $  .#\n########\n"
WIDE = "Title: Wide\n\n" + "#" * 20 + "\n#@ $" + " " * 14 + ".#\n" + "#" * 20 + "\n"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return model_file(tmp_path)


def test_a_model_is_measured_by_rooms(run, model):
    found = run("models", "measure", model, "--games", 20, "--json").json
    print(found)
    assert found["games"] == 20 and 0 <= found["mean"] <= 100 and "10 x 10, 4 boxes" in found["rooms"]
    assert models.card(model).strength[1].mean == found["mean"]
    again = run("models", "measure", model, "--games", 20, "--json").json
    assert again["mean"] == found["mean"], "always the same rooms"
    assert "rooms solved without search" in run("models", "measure", model, "--games", 2).out
    assert "leave --plies out" in run("models", "measure", model, "--plies", 2).err


def test_levels_are_solved(run, model, tmp_path):
    file = tmp_path / "some.xsb"
    file.write_text(f"{CORRIDOR}\n{WIDE}\n")
    for agent in ("policy", "policy-search", "policy,levels=macro,views=8", "policy,views=1,caution=0"):
        name, comma, settings = agent.partition(",")
        found = run("solve", file, "--agent", f"{name}:{model}{comma}{settings}", "--json").json
        print(json.dumps(found, indent=1))
        assert [each["solution"] for each in found["results"]] == ["rRRR", "r" + 15 * "R"]


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("policy", "needs a model"),
        ("policy:none", "there is no model 'none'"),
        ("policy-search:{other}", "is for ntuple in twenty48, not for policy in sokoban"),
        ("policy:{torn}", "it is no safetensors file, or only a part of one"),
        ("policy:{model},temperature=11", "expected a number from 0 to 10"),
        ("policy-search:{model},order=best", "expected one of log-odds, levin"),
        ("policy-search:{model},batch=0", "expected a whole number from 1 to 64"),
    ],
)
def test_what_is_refused(run, model, tmp_path, agent, said):
    file, torn = tmp_path / "some.xsb", tmp_path / "torn.safetensors"
    file.write_text(CORRIDOR)
    torn.write_bytes(model.read_bytes()[:20])
    ran = run(
        "solve", file, "--agent", agent.format(model=model, torn=torn, other=SHIPPED / "2048-small.safetensors")
    )
    print(ran.err)
    assert ran.code == 2 and said in ran.err and len(ran.err.strip().splitlines()) == 1


def test_other_rules_are_refused(run, model, tmp_path):
    file = tmp_path / "some.xsb"
    file.write_text(CORRIDOR)
    ran = run("solve", file, "--agent", f"policy:{model}", "--variant", "pull")
    assert ran.code == 2 and "it plays push only" in ran.err
