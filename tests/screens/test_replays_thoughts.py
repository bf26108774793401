"""What the theatre shows and lets hear of each move: the values of all actions, and the sounds of the games."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from replay_person import Person, connect4_game, sokoban_game, twenty48_game

from game.rules import connect4, replay, twenty48
from game.rules.replay import Replay
from game.screens.replays.cards import thought_words
from game.screens.replays.positions import Positions
from game.screens.replays.theatre import TheatreScene
from game.views.value_bars import ValueBar


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    made = Person(tmp_path)
    yield made
    made.close()


def told(game: Replay, seat: int | None = None) -> Replay:
    """The game with a value of every legal action, of one seat or of all."""
    steps, rules = [], twenty48 if game.game == "twenty48" else connect4
    for ply, (step, state) in enumerate(zip(game.steps, replay.states(game), strict=False)):
        values = {action: 10.0 * action + ply for action in rules.legal_actions(state)}
        mine = seat is None or ply % len(game.seats) == seat
        steps.append(replay.thought(step, values) if mine else step)
    return replace(game, steps=tuple(steps))


def theatre(person: Person, *games: Replay) -> TheatreScene:
    scene = TheatreScene(person.window, person.context, games[0], playing=False)
    person.show(scene)
    for game in games[1:]:
        scene.add(game)
    assert person.until(lambda: len(scene.games) == len(games) and all(positions.done for positions in scene.games))
    return scene


def bars(positions: Positions, ply: int) -> list[ValueBar]:
    return [bar for _name, row in positions.weighing(ply).rows for bar in row]


def test_the_values_are_about_the_position_in_sight_and_the_next_move(person: Person) -> None:
    game = told(twenty48_game(12))
    positions = theatre(person, game).games[0]
    for ply in range(12):
        shown = bars(positions, ply)
        print(ply, shown)
        legal = twenty48.legal_actions(positions.state(ply))
        names = {"left": 3, "down": 2, "right": 1, "up": 0}
        assert {names[bar.label] for bar in shown if bar.share is not None} == set(legal)
        assert [names[bar.label] for bar in shown if bar.best] == [game.steps[ply].action]
        assert all(bar.shown == str(10 * names[bar.label] + ply) for bar in shown if bar.share is not None)
    assert all(bar.share is None for bar in bars(positions, 12)), "nothing is played after the last position"


def test_a_bar_for_each_column_and_a_cell_for_each_peg() -> None:
    flat = Positions(told(connect4_game(), seat=1))
    flat.build()
    weighing = flat.weighing(1)
    assert [bar.label for bar in weighing.rows[0][1]] == list("1234567")
    assert [bar.label for bar in weighing.rows[0][1] if bar.best] == ["2"]
    assert all(bar.share is None for bar in bars(flat, 0)), "a person plays first"
    deep = Positions(told(connect4_game(depth=4)))
    deep.build()
    assert [(name, len(row)) for name, row in deep.weighing(0).rows] == [("4", 4), ("3", 4), ("2", 4), ("1", 4)]
    assert deep.weighing(0).rows[3][1][0].best, "column 1, depth 1, nearest to the players"


def test_worse_values_have_shorter_bars() -> None:
    positions = Positions(told(twenty48_game(12)))
    positions.build()
    for ply in range(12):
        known = sorted((float(bar.shown), bar.share) for bar in bars(positions, ply) if bar.share is not None)
        shares = [share for _value, share in known]
        assert shares == sorted(shares), known
        assert shares[-1] == 1.0, known


def test_words_for_moves_without_values(person: Person) -> None:
    scene = theatre(person, told(connect4_game(), seat=1))
    positions, theme = scene.games[0], person.window.theme
    assert thought_words(positions, 0, theme)[0] == "a person plays"
    assert thought_words(positions, 1, theme)[0] == "plays 2"
    assert thought_words(positions, positions.length, theme)[0] == "the end"


@pytest.mark.parametrize("size", [(1024, 640), (1280, 800), (1920, 1080)])
@pytest.mark.parametrize("make", [twenty48_game, connect4_game, lambda: connect4_game(depth=4)])
def test_the_card_is_whole_at_every_size(tmp_path: Path, size: tuple[int, int], make) -> None:  # type: ignore[no-untyped-def]
    person = Person(tmp_path, size)
    scene = theatre(person, told(make()))
    (place,) = [rect for card, rect, _number in scene.cards.places if card == "thought"]
    print(scene.cards.places)
    assert place.height >= scene.games[0].weighing(0).height(person.window.theme)
    others = [rect for card, rect, _number in scene.cards.places if card != "thought"]
    assert place.collidelist(others) == -1
    assert scene.layout.panel.contains(place)
    person.close()


def test_a_game_without_values_has_no_such_card(person: Person) -> None:
    scene = theatre(person, twenty48_game(12))
    assert "thought" not in [card for card, _rect, _number in scene.cards.places]
    assert scene.views[0].values_place is None


def test_two_games_have_their_values_below_their_boards(person: Person) -> None:
    scene = theatre(person, told(twenty48_game(12)), told(twenty48_game(9, seed=3)))
    for view in scene.views:
        assert view.values_place is not None
        assert view.rect.contains(view.values_place)
        assert view.values_place.bottom <= scene.track.rect.top


@pytest.fixture
def heard(person: Person, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names: list[str] = []
    monkeypatch.setattr(person.window, "play", lambda name, pitch=1.0: names.append(name))
    return names


def test_every_move_of_a_game_that_is_played_is_heard(person: Person, heard: list[str]) -> None:
    scene = theatre(person, sokoban_game())
    scene.head.playing = True
    person.until(lambda: not scene.head.playing)
    person.frames(2)
    assert len([name for name in heard if name in ("move", "push", "home")]) == 13, heard
    assert heard.count("home") == 2, heard


def test_a_step_is_heard_and_a_way_back_is_not(person: Person, heard: list[str]) -> None:
    theatre(person, connect4_game())
    person.key(pygame.K_RIGHT)
    assert heard.count("drop") == 1, heard
    person.key(pygame.K_LEFT)
    assert heard.count("drop") == 1, heard


def test_moving_along_the_line_is_silent(person: Person, heard: list[str]) -> None:
    scene = theatre(person, connect4_game())
    bar = scene.track.bar
    for move in (1, 2, 3, 2, 5):
        person.click((scene.track.x(move / 7), bar.centery))
        assert scene.head.at == move
    assert "drop" not in heard, heard


@pytest.mark.parametrize("value", [9_999_999_999.0, -9e299], ids=["large", "huge"])
def test_a_value_no_agent_gives_stays_on_the_curve(
    person: Person, monkeypatch: pytest.MonkeyPatch, value: float
) -> None:
    game = connect4_game()
    torn = replace(
        game, steps=tuple(replace(step, value=value if at % 2 else 0.5) for at, step in enumerate(game.steps))
    )
    assert [step.value for step in replay.loads(replay.dumps(torn), "torn").steps][:2] == [0.5, value]
    drawn: list[float] = []

    def polygon(_surface: pygame.Surface, _colour: object, points: list[tuple[float, float]]) -> None:
        drawn.extend(y for _x, y in points)  # the real one goes down to the lowest point, line by line

    monkeypatch.setattr(pygame.draw, "polygon", polygon)
    scene = theatre(person, torn)
    print(f"curve of {len(drawn)} corners, {min(drawn):.0f} to {max(drawn):.0f}, {scene.track.graph.height} high")
    assert len(drawn) > 4 and 0 <= min(drawn) <= max(drawn) <= scene.track.graph.height
