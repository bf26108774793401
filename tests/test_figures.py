"""The figures of the documents: each stands beside a command that is in docs/figures.toml, and the quick ones are run."""

from pathlib import Path

import pytest

from scripts import check_figures
from scripts.check_figures import Command, Figure, commands_in, pages, plain, table

COMMANDS, USAGES = table()
QUICK = [each for each in COMMANDS if each.quick]


@pytest.mark.parametrize("page", list(pages()))
def test_every_command_of_a_page_is_known(page: str) -> None:
    known = {each.shown for each in COMMANDS if page in each.pages}
    known |= {line for usage in USAGES if page in usage.pages for line in usage.commands}
    found = commands_in(pages()[page])
    print(page, "has", len(found), "commands; not in docs/figures.toml:", *sorted(found - known), sep="\n  ")
    assert not found - known, "a figure's command belongs into docs/figures.toml, one without a figure under `usage`"
    print("not in the page:", *sorted(known - found), sep="\n  ")
    assert not known - found


def test_no_page_is_passed_over() -> None:
    named = {page for each in (*COMMANDS, *USAGES) for page in each.pages}
    print(sorted(named))
    assert named <= set(pages()) and {"README.md", "saves/models/README.md", "docs/sokoban-policy.md"} <= named
    assert sum(len(commands_in(text)) for text in pages().values()) > 150
    both = {(page, each.shown) for each in COMMANDS for page in each.pages} & {
        (page, line) for usage in USAGES for page in usage.pages for line in usage.commands
    }
    assert not both, "a command with a figure is no mere usage"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: " ".join(each.words)[:70])
def test_the_figures_stand_in_the_documents(command: Command) -> None:
    texts = [plain(pages()[page]) for page in command.pages]
    assert command.figures and command.seconds > 0
    for figure in command.figures:
        print(figure.text, "->", figure.value, "±", figure.error)
        assert any(plain(figure.text) in text for text in texts)
        assert figure.value is not None


def test_the_quick_ones_are_quick() -> None:
    assert 8 <= len(QUICK) <= 15 and sum(each.seconds for each in QUICK) <= 40
    assert not any(each.needs for each in QUICK), "what is not part of the project is not there everywhere"


@pytest.mark.parametrize("command", QUICK, ids=lambda each: " ".join(each.words)[:70])
def test_a_command_gives_the_figure_beside_it(command: Command) -> None:
    assert check_figures.check(command, [], speeds=False)


def test_commands_are_found_wherever_a_page_has_them() -> None:
    text = """
Words (`python main.py bench
cancel`), `… --agent fess,without=plan`, `train x --set a=1`, `--json` and `analyze`.

    python main.py agents            # indented
    python -c "print()"

```
python main.py solve FILE --agent a#b   # a remark
./play
```
"""
    assert commands_in(text) == {
        "python main.py bench cancel",
        "… --agent fess,without=plan",
        "train x --set a=1",
        "python main.py agents",
        "python main.py solve FILE --agent a#b",
    }


@pytest.mark.parametrize(
    ("said", "value", "error", "good", "bad"),
    [
        ("| [96.2 ± 0.6] % |", 96.2, 0.6, (96.2, 94.5, 97.9), (94.3, 98.1)),
        ("mean 152,115 ± 24,491; 2,360 moves/s", 152115, 24491, (152115, 80000), (78000,)),
        ("1,000 games: [−0.1]", -0.1, None, (-0.1, -0.06), (0.1, -0.2)),
        ("| 22, [35] |", 35, None, (35,), (34, 36)),
    ],
)
def test_a_figure_is_compared_as_exactly_as_it_is_said(
    said: str, value: float, error: float | None, good: tuple[float, ...], bad: tuple[float, ...]
) -> None:
    figure = Figure(said, "x")
    assert (figure.value, figure.error) == (value, error)
    assert all(map(figure.right, good)) and not any(map(figure.right, bad))


def test_speeds_may_differ_by_their_factor_and_limits_are_limits() -> None:
    speed, limit = Figure("about 300 a second", "x", factor=3.0), Figure("27 ms at most", "x", most=50.0)
    assert speed.right(101) and speed.right(899) and not speed.right(99) and not speed.right(901)
    assert limit.right(3) and limit.right(50) and not limit.right(51)


def test_places_in_a_document() -> None:
    document = {
        "results": [{"status": "solved", "n": 1}, {"status": "gave_up", "n": None}, {"status": "solved", "n": 4}],
        "benches": [{"name": "a", "value": 2.0}, {"name": "b.c", "value": 3.0}],
    }
    for at, take, times, wanted in (
        ("results.0.n", "", 10.0, 10.0),
        ("benches.name=a.value", "", 1.0, 2.0),
        ("results.*.status", "share solved", 1.0, 200 / 3),
        ("results.*.status", "count solved", 1.0, 2.0),
        ("results.*.n", "mean", 100.0, 250.0),
        ("results.*.n", "max", 1.0, 4.0),
    ):
        assert check_figures.read(document, Figure("1", at, take, times)) == pytest.approx(wanted), at
    for at in ("results.9.n", "nothing", "benches.name=z.value", "results.*.n"):
        with pytest.raises((KeyError, IndexError, ValueError)):
            check_figures.read(document, Figure("1", at))


def test_a_wrong_figure_and_a_missing_file_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = Command(
        "python main.py bench",
        (),
        1,
        (Figure("[7] levels", "solved"),),
        run="solve levels/4-report.xsb --agent greedy",
    )
    absent = Command(
        "python main.py bench", (), 1, (Figure("[7] levels", "solved"),), run="solve {absent.xsb} --agent greedy"
    )
    monkeypatch.setattr(check_figures, "table", lambda: ([wrong, absent], []))
    assert check_figures.main(["absent", "--files", str(tmp_path)]) == 0
    assert "skipped: absent.xsb" in capsys.readouterr().out
    assert check_figures.main(["report"]) == 1
    said = capsys.readouterr().out
    print(said)
    assert "NOT: 3" in said and "1 commands, 1 with" in said
    assert check_figures.main(["--all", "--list"]) == 0 and "4-report" in capsys.readouterr().out
