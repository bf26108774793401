"""The file of the last tournaments: how many are kept, and what is no such file."""

import pytest

from game.saves import tournaments
from game.saves.folder import open_saves
from game.saves.tournaments import Game, Tournament, Tournaments
from game.saves.writer import Writer


def tournament(began: str, games: int = 1) -> Tournament:
    game = Game((0, 1), 0, (0, 1, 0, 1, 0, 1, 0), (0.5, 0.25), (4, 3))
    return Tournament(began, ("random", "random"), "6,7,1,4", 2, 20, 2, None, (game,) * games)


@pytest.fixture
def opened(tmp_path):
    with open_saves(tmp_path) as saves:
        writer = Writer(saves, interval=0.0)
        yield saves, writer
        writer.close()


def test_the_last_ones_are_kept_and_one_that_goes_on_takes_its_own_place(opened):
    saves, writer = opened
    kept = Tournaments(saves, writer)
    for number in range(tournaments.LAST + 2):
        kept.put(tournament(str(number)))
    kept.put(tournament("9", 3))
    writer.flush()
    again = Tournaments(saves, writer).all
    assert [each.began for each in again] == list("98765432")
    assert len(again[0].games) == 3 and again == kept.all


def test_long_ones_push_out_earlier_ones_but_never_themselves(opened, monkeypatch):
    monkeypatch.setattr(tournaments, "MOST_GAMES", 10)
    kept = Tournaments(*opened)
    for number, games in enumerate((4, 6, 3)):
        kept.put(tournament(str(number), games))
    assert [each.began for each in kept.all] == ["2", "1"]
    kept.put(tournament("long", 30))
    assert [each.began for each in kept.all] == ["long"]


@pytest.mark.parametrize("text", ["", "[]", '{"version": 2, "tournaments": []}', '{"version": 1, "tournaments": [{}]}',
                                  '{"version": 1, "tournaments": [{"began": "x", "agents": ["a"]}]}'])  # fmt: skip
def test_a_damaged_file_is_kept_aside(opened, text):
    saves, writer = opened
    (saves.root / tournaments.FILE).write_text(text)
    kept = Tournaments(saves, writer)
    assert kept.all == () and "could not be read" in kept.notice
    assert len(list(saves.damaged.iterdir())) == 1
