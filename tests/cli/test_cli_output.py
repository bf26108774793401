"""What commands print for people: columns stay apart on narrow terminals and with wide signs."""

import pytest

from ai import catalogue
from game.cli.output import columns, table, wrapped
from game.rules import connect4
from game.rules.connect4 import Shape
from game.rules.games import GAMES

ROWS = [
    (1, "倉庫番", "solved", 12, "a few words of why it is so"),
    (2, "すごく長い題名の倉庫番の面です", "gave up", None, ""),
    (3, "Cafe\u0301", "solved", 3, "no"),
]
HEAD = ("level", "title", "status", "pushes", "note")


def starts(text: str, words: tuple[str, ...]) -> list[int]:
    """The column of the terminal in which each word begins."""
    line = next(line for line in text.splitlines() if all(word in line for word in words))
    return [columns(line[: line.index(word)]) for word in words]


def test_wide_signs_take_two_columns_and_accents_none() -> None:
    assert [columns(text) for text in ("abc", "倉庫番", "ﾃｽﾄ", "Cafe\u0301", "Café", "")] == [3, 6, 3, 4, 4, 0]


def test_columns_stand_below_each_other_whatever_is_in_them() -> None:
    shown = table(HEAD, ROWS, left=(1, 2, 4), width=200)
    print(shown)
    assert len(shown.splitlines()) == 4
    assert (
        len({starts(shown, words)[0] for words in (("status",), ("solved", "12"), ("gave up",), ("solved", "3"))})
        == 1
    )
    assert starts(shown, ("note",)) == starts(shown, ("a few",))


@pytest.mark.parametrize("width", [80, 60, 56])
def test_a_table_that_is_too_wide_goes_on_below(width: int) -> None:
    shown = table(HEAD, ROWS, left=(1, 2, 4), width=width)
    print(shown)
    assert all(columns(line) <= width for line in shown.splitlines())
    assert "".join(shown.split()).count("倉庫番") == 2
    assert all(word in shown for row in ROWS for word in str(row[4]).split())
    assert starts(shown, ("status",)) == starts(shown, ("gave",)) and starts(shown, ("note",)) == starts(
        shown, ("a few",)
    )


def test_a_table_that_cannot_be_narrower_is_not_torn() -> None:
    shown = table(("name", "number"), [("twenty-letters-of-name", 123456)], width=10)
    assert shown.splitlines()[1] == "twenty-letters-of-name  123,456"


def test_a_word_without_blanks_is_broken() -> None:
    assert wrapped("倉庫番倉庫番 abcdefgh i", 5) == ["倉庫", "番倉", "庫番", "abcde", "fgh i"]
    assert wrapped("", 5) == [""] and wrapped("ab", 1) == ["a", "b"] and wrapped("番", 1) == ["番"]


@pytest.mark.parametrize("width", ["", "80", "100"])
def test_in_the_list_of_agents_nothing_runs_together(run, monkeypatch: pytest.MonkeyPatch, width: str) -> None:
    monkeypatch.setenv("COLUMNS", width)
    shown = run("agents").out
    lines = shown.splitlines()
    for entry in (each for game in GAMES for each in catalogue.entries(game)):
        assert any(line.startswith(f"  {entry.id} ") and f"  {entry.title}. " in line for line in lines), entry.id
        for each in entry.parameters:
            assert any(line.startswith(f"    {each.name}  ") for line in lines), each.name
    assert not width or max(map(len, lines)) <= int(width)


def test_the_layers_of_a_narrow_board_stand_below_their_names() -> None:
    shown = connect4.draw(connect4.parse_position("1.1 2.3", Shape(2, 2, 3, 2)))
    print(shown)
    head, *_, stones, numbers = shown.splitlines()
    assert head == "depth 1    depth 2    depth 3"
    assert numbers == "1 2        1 2        1 2"
    assert stones.index("O") == head.index("depth 3") + 2
