"""A tournament: what is reckoned of its games, the process that plays it, and the screen meanwhile."""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pygame
import pytest

from ai import kernels
from ai.agent import Plan, Thinking
from ai.entries import Spec
from game.rules import connect4
from game.rules.connect4 import Shape
from game.saves.tournaments import Tournaments
from game.screens import app
from game.screens.connect4 import tournament_job
from game.screens.connect4.tournament import CrossTable, Cup, Game, Progress
from game.screens.connect4.tournament_player import recalled, record
from game.screens.connect4.tournament_scene import TournamentScene

SIZES = ((1024, 640), (1280, 800), (1920, 1080))
FLAT = Shape(6, 7, 1, 4)


def game(number: int, who: tuple[int, ...], winner: int | None) -> Game:
    return Game(number, who, winner, (0, 1, 0, 1, 0, 1, 0), (0.5,) * len(who), (2,) * len(who))


def test_points_shares_and_errors_of_pairs():
    table = CrossTable(3)
    for entry in (game(0, (0, 1), 0), game(1, (1, 0), 1), game(2, (0, 2), None), game(3, (2, 0), 0)):
        table.add(entry)
    assert [pair.share for pair in table.pairs[0]] == [0.0, 1.0, 0.25]
    assert [pair.points for pair in table.pairs[2]] == [1.5, 0.0, 0.0]
    assert (table.totals[0].games, table.totals[0].share) == (4, 0.625)
    # points 1, 1, 1/2, 0: variance 11/48, four games
    assert table.totals[0].error == pytest.approx((11 / 48 / 4) ** 0.5)
    assert table.ranking() == [2, 0, 1] and table.per_move(0) == 0.25


def test_with_three_seats_a_pair_counts_the_games_that_both_sat_in():
    table = CrossTable(4)
    table.add(game(0, (2, 0, 1), 0))
    table.add(game(1, (0, 1, 3), None))
    assert table.pairs[2][0].share == 1.0 and table.pairs[2][3].games == 0
    assert table.pairs[0][1].points == pytest.approx(1 / 3) and table.pairs[0][1].games == 2


def test_the_tables_say_everything_in_text():
    progress = Progress(Cup((Spec("random"), Spec("alphabeta", {"depth": 2})), FLAT, 2, 0, 0.1))
    progress.add(game(0, (0, 1), 0))
    progress.add(game(1, (1, 0), None))
    shown = progress.markdown([str(spec) for spec in progress.cup.specs])
    print(shown)
    assert "6,7,1,4 for 2, 2 games" in shown and "0.1 s a move" in shown
    assert "| 1 random |  | 75.0% | 75.0% | 25.0% | 2 | 0.2500 |" in shown
    lines = progress.csv().splitlines()
    assert lines[0] == "game,board,seat_1,seat_2,winner,moves,seconds"
    assert lines[1:] == [
        '1,"6,7,1,4",random,"alphabeta,depth=2",1,1212121,1.0',
        '2,"6,7,1,4","alphabeta,depth=2",random,,1212121,1.0',
    ]


def test_what_cannot_be_played_is_told():
    two = (Spec("random"),) * 2
    assert "3 agents" in str(Cup(two, Shape(6, 7, 1, 4, 3), 2, 0, None).problem())
    assert "openings" in str(Cup(two, Shape(2, 2, 1, 2), 2, 6, None).problem())
    assert Cup(two, FLAT, 2, 2, None).problem() is None


class First:
    """Plays the first column that is open."""

    def new_game(self, seed: int) -> None:
        pass

    def plan(self, state: Any, thinking: Thinking) -> Plan:
        return Plan(connect4.legal_actions(state)[:1])


def test_the_process_plays_every_opening_in_every_order(monkeypatch, capsys):
    monkeypatch.setattr("ai.catalogue.create", lambda game, spec: First())
    monkeypatch.setattr(kernels, "warm", lambda family: 0.0)
    cup = Cup((Spec("random"), Spec("random"), Spec("random")), FLAT, 4, 3, None)
    assert tournament_job.main([cup.command()[-1]]) == 0
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    games = [each for each in said if "game" in each]
    assert len(games) == cup.wanted == 12 and [each["game"] for each in games] == list(range(12))
    for each, other in zip(games[::2], games[1::2], strict=True):
        assert each["who"] == other["who"][::-1] and each["moves"][:3] == other["moves"][:3]
    for each in games:
        state = connect4.start(FLAT)
        for action in each["moves"]:
            state = connect4.apply(state, action)
        print(connect4.format_moves(state))
        assert connect4.outcome(state) is not None and state.winner == each["winner"]


def test_an_agent_that_is_not_there_is_refused_in_one_line(capsys, monkeypatch):
    monkeypatch.setattr(kernels, "warm", lambda family: 0.0)
    cup = Cup((Spec("nobody"), Spec("random")), FLAT, 2, 0, None)
    assert tournament_job.main([cup.command()[-1]]) == 2
    assert "nobody" in json.loads(capsys.readouterr().out)["refused"]


# The screen

SCRIPT = """
import json, sys, time
for number in range(int(sys.argv[1])):
    who = [number % 2, 1 - number % 2]
    print(json.dumps({"now": number, "who": who, "moves": [3, 3, 2]}))
    print(json.dumps({"game": number, "who": who, "winner": number % 2,
                      "moves": [2, 0, 1, 0, 1, 0, 2, 0] if number % 2 else [0, 1, 0, 1, 0, 1, 0],
                      "seconds": [0.4, 0.2], "asked": [4, 3]}), flush=True)
print(json.dumps({"now": 99, "who": [0, 2], "moves": [3, 3, 2, 2]}), flush=True)
time.sleep(60)
"""


@pytest.fixture
def held(visit: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """`held(ended, size)`: the screen, with a process that ends so many games and is in the middle of the next."""

    def open_one(ended: int, size: tuple[int, int] = (1280, 800), entrants: int = 3, **settings: Any) -> Any:
        monkeypatch.setattr(kernels, "ready", lambda _family: True)
        monkeypatch.setattr(Cup, "command", lambda self: [sys.executable, "-c", SCRIPT, str(ended)])
        visitor = visit("connect4", size, **settings)
        visitor.key(pygame.K_g, "g")
        scene = visitor.window.top
        assert isinstance(scene, TournamentScene)
        scene.specs = [Spec("random"), Spec("alphabeta", {"depth": 3}), *[Spec("random")] * (entrants - 2)]
        scene.rebuild()
        return visitor

    return open_one


def until(visitor: Any, done: Callable[[], Any]) -> None:
    end = time.perf_counter() + 20
    while not done():
        assert time.perf_counter() < end, f"waited in vain: {visitor.said()}, {visitor.window.top.status}"
        visitor.frames()
        time.sleep(0.002)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("theme", "entrants"), [("dark", 3), ("light", 6)])
def test_the_table_fills_while_it_is_played(held, size, theme, entrants):
    visitor = held(4, size, entrants, theme=theme, animation="instant")
    scene = visitor.window.top
    for running in (False, True):
        if running:
            visitor.key(pygame.K_SPACE, " ")
            until(visitor, lambda: scene.shown and scene.shown.now == ((0, 2), (3, 3, 2, 2)))
        visitor.frames(2)
        shown = [words for words, _place in visitor.words()]
        print(shown)
        inside = visitor.window.surface.get_rect()
        boxes = [control.rect for control in scene.kit.controls]
        assert all(inside.contains(box) for box in boxes)
        assert not any(box.colliderect(other) for at, box in enumerate(boxes) for other in boxes[at + 1 :])
        cards = [*scene.cards.values(), scene.table.card]
        assert all(inside.contains(card) for card in cards)
        assert not any(card.colliderect(other) for at, card in enumerate(cards) for other in cards[at + 1 :])
    for words in ("100 %", "0 %", "Stop", "depth 3", f"4 of {scene.shown.wanted} games"):
        assert words in shown, words


def test_it_is_stopped_kept_copied_and_changed_only_at_rest(held, monkeypatch):
    copied: list[str] = []
    monkeypatch.setattr(pygame.scrap, "put_text", copied.append)
    visitor = held(2)
    scene = visitor.window.top
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: scene.shown and len(scene.shown.games) == 2)
    visitor.key(pygame.K_n, "n")
    assert len(scene.specs) == 3 and "is running" in visitor.said()[-1]
    visitor.key(pygame.K_SPACE, " ")
    assert not scene.player.busy and "Stopped after 2 games" in scene.status[0]
    visitor.key(pygame.K_c, "c", pygame.KMOD_CTRL)
    assert "| 1 random |  | 100.0% |" in copied[0]
    visitor.click(scene.table.lines[1].center)
    assert scene.chosen == 1
    visitor.key(pygame.K_n, "n")
    assert [spec.id for spec in scene.specs] == ["random", "alphabeta", "alphabeta", "random"] and scene.shown is None
    visitor.key(pygame.K_DELETE)
    assert len(scene.specs) == 3 and scene.shown is not None, "the results belong to these agents again"


def begun(held: Callable[..., Any], ended: int = 2) -> Any:
    """A tournament under way of which so many games have ended."""
    visitor = held(ended)
    scene = visitor.window.top
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: scene.shown and len(scene.shown.games) == ended)
    return visitor


def test_it_goes_on_behind_other_screens_and_the_chip_leads_back(held):
    visitor = begun(held)
    window, scene = visitor.window, visitor.window.top
    process = scene.player._process._process
    visitor.key(pygame.K_ESCAPE)
    window.command("settings")
    visitor.frames(2)
    assert scene not in window.scenes and process.poll() is None
    assert window.chip.text == "Tournament 3%", "2 of 60 games"
    visitor.click(window._chip_at.center)
    back = window.top
    assert isinstance(back, TournamentScene) and back is not scene and back.player is scene.player
    assert back.specs == scene.specs and len(back.shown.games) == 2 and "Playing game 3 of 60" in back.status[0]
    visitor.frames(2)
    assert window.chip is None, "its own screen says it"
    visitor.key(pygame.K_ESCAPE)
    assert window.top.name == "settings"


def test_it_ends_with_the_app_and_its_games_are_kept(held):
    visitor = begun(held)
    process = visitor.window.top.player._process._process
    visitor.key(pygame.K_ESCAPE)
    app.close_context(visitor.context)
    assert process.wait(10) != 0, "it was told to end"
    kept = Tournaments(visitor.context.saves, visitor.context.writer).all
    assert [len(each.games) for each in kept] == [2] and kept[0].agents[0] == "random"


def test_its_end_is_said_elsewhere_until_it_is_seen(held, monkeypatch):
    monkeypatch.setattr(Cup, "wanted", 2)
    visitor = held(2)
    scene = visitor.window.top
    visitor.key(pygame.K_SPACE, " ")
    visitor.key(pygame.K_ESCAPE)
    until(visitor, lambda: len(scene.player.batch.games) == 2)
    process = scene.player._process
    process._process.terminate()
    until(visitor, lambda: not scene.player.busy)
    visitor.frames()
    assert visitor.said()[-1] == "The tournament is over after 2 games: Random came first with 100 % of the points."
    assert visitor.window.chip.text == "Tournament finished"
    visitor.key(pygame.K_g, "g")
    visitor.key(pygame.K_ESCAPE)
    visitor.frames()
    assert visitor.window.chip is None


def test_earlier_tournaments_are_looked_at_again(held):
    visitor = begun(held)
    window, scene = visitor.window, visitor.window.top
    visitor.key(pygame.K_l, "l")
    assert window.top is scene and "is running" in visitor.said()[-1]
    visitor.key(pygame.K_SPACE, " ")
    entrants = list(scene.specs)
    visitor.key(pygame.K_n, "n")
    assert scene.shown is None
    visitor.key(pygame.K_l, "l")
    line = window.top.kit.controls[0]
    print([words for words, _ in visitor.words()])
    visitor.click(line.rect.center)
    assert window.top is scene and scene.specs == entrants and len(scene.shown.games) == 2
    assert "Stopped after 2 games" in scene.status[0]


WRONG: tuple[dict[str, object], ...] = (
    {"moves": (0, 1, 0, 1, 0, 1)}, {"winner": 1}, {"who": (0, 0)}, {"who": (0, 7)}, {"asked": (1, 1, 1)},
    {"moves": (0,) * 9},
)  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_a_kept_game_that_cannot_be_is_refused(wrong):
    progress = Progress(Cup((Spec("random"), Spec("alphabeta", {"depth": 2})), FLAT, 2, 0, 0.1), "2026-11-01")
    progress.add(game(0, (0, 1), 0))
    kept = record(progress)
    back = recalled(kept)
    assert back.cup == progress.cup and back.games == progress.games
    with pytest.raises(ValueError, match=r"game 1|full|column"):
        recalled(msgspec.structs.replace(kept, games=(msgspec.structs.replace(kept.games[0], **wrong),)))


def test_the_agents_are_those_of_the_last_time(held):
    visitor = held(1)
    scene = visitor.window.top
    visitor.key(pygame.K_n, "n")
    wanted = [str(spec) for spec in scene.specs]
    visitor.key(pygame.K_ESCAPE)
    visitor.key(pygame.K_g, "g")
    assert visitor.window.top is not scene
    assert [str(spec) for spec in visitor.window.top.specs] == wanted
