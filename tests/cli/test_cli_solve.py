"""`solve`: solved, unsolvable, given up and invalid are four answers; solutions are replayed here once more."""

import pytest

from ai.agent import Plan, Status
from game.play.sokoban import solving
from game.rules import levels, sokoban
from game.rules.editing import drawings
from game.rules.editing.history import Document
from game.saves import level_forms

PACK = """; Two steps
######
#@$ .#
######

; Never
######
#@ $.#
#    #
#$  .#
######

; Twins
######
#@$.@#
######

; Around
#######
#@    #
# $ . #
#     #
#######
"""


@pytest.fixture
def pack(tmp_path):
    path = tmp_path / "pack.xsb"
    path.write_text(PACK)
    return path


def plays_out(board, solution):
    """Whether LURD solves the board, by the plain rules."""
    state = levels.parse(board, "test").levels[0].state
    for action in sokoban.from_lurd(solution):
        state = sokoban.apply(state, action)
    return sokoban.is_solved(state)


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_kind_of_answer(run, pack, jobs):
    found = run("solve", pack, "--agent", "astar", "--time", 20, "--jobs", jobs, "--json").json
    print(found)
    assert (found["levels"], found["solved"]) == (4, 2)
    assert 0 < found["seconds"] < 20
    results = found["results"]
    assert [each["level"] for each in results] == [1, 2, 3, 4]
    assert [each["status"] for each in results] == ["solved", "unsolvable", "invalid", "solved"]
    assert [each["title"] for each in results] == ["Two steps", "Never", "", "Around"]
    for each in results:
        assert set(each) == {
            "level", "title", "status", "solution", "moves", "pushes", "nodes", "seconds", "reason",
        }  # fmt: skip
    first, never, twins, around = results
    assert (first["solution"], first["moves"], first["pushes"]) == ("RR", 2, 2)
    assert plays_out(PACK.split("\n\n")[3], around["solution"])
    assert around["pushes"] == sum(letter.isupper() for letter in around["solution"]) == 2
    assert never["solution"] is None
    assert "pack.xsb:14" in twins["reason"]


def test_chosen_levels_and_text(run, pack):
    ran = run("solve", pack, "--agent", "astar", "--level", 4)
    print(ran.out)
    assert ran.code == 0
    assert "Around" in ran.out
    assert "Two steps" not in ran.out
    assert "solved 1 of 1" in ran.out
    assert [
        each["level"] for each in run("solve", pack, "--agent", "astar", "--level", 3, 1, "--json").json["results"]
    ] == [1, 3]


def test_the_budget_overrides_the_agent(run, tmp_path):
    path = tmp_path / "wide.xsb"
    path.write_text(
        "\n".join(
            ["###########", *["#         #"] * 2, "# $ $ $ $ #", "#@ . . . .#", *["#         #"] * 2, "###########"]
        )
    )
    found = run("solve", path, "--agent", "astar,nodes=1000", "--nodes", 5, "--json").json["results"][0]
    print(found)
    assert found["status"] == "gave_up"
    assert found["nodes"] <= 200
    assert found["reason"]


def test_a_wrong_solution_is_not_called_solved(run, pack, monkeypatch):
    class Liar:
        def new_game(self, seed):
            pass

        def plan(self, state, thinking):
            return Plan((1,), Status.SOLVED)

    monkeypatch.setattr(solving, "make", lambda *_: Liar())
    found = run("solve", pack, "--agent", "astar", "--level", 1, "--json").json["results"][0]
    print(found)
    assert found["status"] == "gave_up"
    assert found["solution"] is None
    assert "wrong" in found["reason"]


@pytest.mark.parametrize("form", ["runs", "slc", "python", "npy", "json", "png"])
def test_every_form_of_level_is_solved(run, tmp_path, form):
    document = Document(drawings.of_array([[1] * 6, [1, 4, 2, 0, 3, 1], [1] * 6]), "Two steps")
    data = {
        "runs": level_forms.as_runs, "python": level_forms.as_python, "npy": level_forms.as_npy, "json": level_forms.as_json,
        "png": lambda document: level_forms.as_png(document, 1, 1, b"123"),
        "slc": lambda _document: "<SokobanLevels><Level Id='Two steps'>\n<L>######</L>\n<L>#@$ .#</L>\n<L>######</L>"
                                 "</Level></SokobanLevels>",
    }[form](document)  # fmt: skip
    path = tmp_path / "level.any"  # the name tells nothing
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    (result,) = run("solve", path, "--agent", "astar", "--json").json["results"]
    assert (result["status"], result["solution"]) == ("solved", "RR"), result
    assert result["title"] == ("" if form == "npy" else "Two steps")


VARIED = """######
#@$ .#
######

########
#@ $. .#
# $  & #
#      #
########

########
#@ $. .#
# $    #
#      #
########
Variant: push & pull
"""


def test_levels_whose_rules_the_agent_does_not_know(run, tmp_path):
    path = tmp_path / "varied.xsb"
    path.write_text(VARIED)
    found = run("solve", path, "--agent", "fess", "--time", 20, "--json").json["results"]
    print(found)
    assert [each["status"] for each in found] == ["solved", "gave_up", "gave_up"]
    assert [each.get("variant") for each in found] == [None, "two players", "push & pull"]
    assert found[1]["reason"] == "fess: it plays push only, not two players"
    refused = run("solve", path, "--agent", "fess", "--level", 2)
    assert refused.code == 2
    assert "it plays push only, not two players" in refused.err


def test_variants_are_solved_and_the_solutions_replayed(run, tmp_path):
    path = tmp_path / "varied.xsb"
    path.write_text(VARIED)
    for agent in ("astar", "bfs"):
        found = run("solve", path, "--agent", agent, "--time", 20, "--json").json["results"]
        print(found)
        assert [each["status"] for each in found] == ["solved"] * 3
        for each, level in zip(found, levels.read(path).levels, strict=True):
            played = levels.replayed(level.state, each["solution"], "the answer")
            assert (len(played), sum(map(str.isupper, each["solution"]))) == (each["moves"], each["pushes"])
        assert [each["pushes"] for each in found] == [2, 6, 6]


def test_a_variant_for_levels_that_say_nothing(run, tmp_path):
    path = tmp_path / "plain.xsb"
    path.write_text("#######\n#  .  #\n# @$  #\n#  $. #\n#     #\n#######\n")
    pushes = {}
    for variant in ("push", "pull", "fixed", "pull + fixed"):
        (found,) = run("solve", path, "--agent", "astar", "--variant", variant, "--json").json["results"]
        print(found)
        assert found["status"] == "solved"
        pushes[variant] = found["pushes"]
    assert pushes["push"] <= pushes["fixed"]
    assert pushes["pull"] <= pushes["push"]
    (found,) = run("solve", path, "--agent", "astar", "--variant", "two", "--json").json["results"]
    assert found["status"] == "invalid"
    assert found["reason"] == "plain.xsb:1: under two players: there must be exactly one second player, not 0"
    refused = run("solve", path, "--agent", "astar", "--variant", "sideways")
    assert refused.code == 2
    assert "the variant 'sideways' are not known (there are: push only, push & pull" in refused.err


@pytest.mark.parametrize("form", ["json", "png", "py", "npy", "xsb"])
def test_analyze_reads_every_form_that_the_editor_writes(run, tmp_path, form):
    document = Document(drawings.of_array([[1] * 6, [1, 4, 2, 0, 3, 1], [1] * 6]), "Two steps")
    made = {
        "json": lambda: level_forms.as_json(document).encode(),
        "png": lambda: level_forms.as_png(document, 1, 1, bytes(3)),
        "py": lambda: level_forms.as_python(document).encode(),
        "npy": lambda: level_forms.as_npy(document),
        "xsb": lambda: level_forms.as_xsb(document).encode(),
    }
    path = tmp_path / f"level.{form}"
    path.write_bytes(made[form]())
    for option in ("--position", "--positions"):
        found = run("analyze", "sokoban", option, path, "--agent", "astar", "--json").json
        found = found["results"][0] if option == "--positions" else found
        print(found)
        assert (found["score"], found["solution"], found["position"]) == (-2, "RR", "######\n#@$ .#\n######")
