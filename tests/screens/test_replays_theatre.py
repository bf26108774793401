"""The theatre by posted events: time, keys, the line, the list of moves, two games, going on as a game."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from replay_person import Person, connect4_game, put, sokoban_game, twenty48_game

from game.rules import replay
from game.rules.replay import Replay, Step
from game.screens.connect4.screen import Connect4Screen
from game.screens.navigation import make_scene
from game.screens.replays.library import LibraryScene
from game.screens.replays.playhead import Playhead
from game.screens.replays.positions import Positions
from game.screens.replays.theatre import TheatreScene
from game.screens.replays.track import curves
from game.screens.sokoban.screen import SokobanScreen
from game.screens.twenty48.screen import Twenty48Screen


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    made = Person(tmp_path)
    yield made
    made.close()


def theatre(person: Person, game: Replay | Path, playing: bool = False) -> TheatreScene:
    scene = TheatreScene(person.window, person.context, game, playing)
    person.show(scene)
    assert person.until(lambda: bool(scene.games) and scene.games[0].done)
    return scene


# --- positions ---


@settings(deadline=None)
@given(moves=st.integers(0, 300), order=st.lists(st.integers(0, 300), max_size=30), kept=st.integers(1, 40))
def test_a_film_gives_every_position_in_any_order(moves: int, order: list[int], kept: int) -> None:
    game = twenty48_game(moves)
    states = replay.states(game)
    positions = Positions(game)
    positions.every = kept
    while not positions.build(0.0):
        pass
    for ply in order:
        known = min(ply, len(game.steps))
        assert positions.state(ply) == states[known]
        assert positions.tally(ply) == states[known].score
    assert positions.states(7) == states[:8]


def test_a_step_that_cannot_be_played_ends_the_film() -> None:
    game = sokoban_game()
    positions = Positions(replace(game, steps=(*game.steps[:4], Step(0), *game.steps[4:])))
    positions.build()
    assert (positions.length, positions.done) == (4, True)
    assert positions.problem.startswith("The game can be shown up to move 4: step 5: "), positions.problem


@settings(deadline=None)
@given(lengths=st.lists(st.integers(0, 500), min_size=1, max_size=2), at=st.integers(0, 600), share=st.booleans())
def test_the_place_of_two_games(lengths: list[int], at: int, share: bool) -> None:
    head = Playhead(lengths)
    head.by_share = share
    head.go(at)
    plies = [head.ply(number) for number in range(len(lengths))]
    assert all(0 <= ply <= length for ply, length in zip(plies, lengths, strict=True))
    assert plies[lengths.index(max(lengths))] == min(at, max(lengths))
    head.go(head.longest)
    assert [head.ply(number) for number in range(len(lengths))] == lengths, "both games end together at the end"
    limit = head.limit([length // 2 for length in lengths])
    assert all(head.ply(number, limit) <= max(1, length // 2) + 1 for number, length in enumerate(lengths))


def test_values_of_two_players_are_told_in_the_eyes_of_the_first() -> None:
    game = connect4_game(seats=("alphabeta", "alphabeta"))
    steps = tuple(replace(step, value=10.0 if n % 2 == 0 else -10.0) for n, step in enumerate(game.steps))
    positions = Positions(replace(game, steps=steps))
    (curve,) = curves(0, positions)
    print(curve)
    assert len(set(curve.heights)) == 1, "+10 for the first seat and -10 for the second are the same"
    assert curve.heights[0] > 0
    three = replace(connect4_game(seats=("a", "b", "c")), seats=("a", "b", "c"))
    positions = Positions(replace(three, steps=tuple(replace(step, value=1.0) for step in three.steps)))
    assert [curve.seat for curve in curves(0, positions)] == [0, 1, 2]


# --- time and keys ---


def test_it_plays_by_itself_pauses_and_steps(person: Person) -> None:
    scene = theatre(person, twenty48_game(12), playing=True)
    person.frames(40, 0.1)
    assert scene.head.at == 12, "four moves a second"
    assert not scene.head.playing
    assert scene.views[0].board.drawing.state == scene.games[0].state(12)
    person.key(pygame.K_HOME)
    assert scene.head.at == 0
    person.key(pygame.K_RIGHT)
    person.key(pygame.K_PERIOD)
    person.key(pygame.K_PERIOD)
    assert scene.head.at == 3
    person.key(pygame.K_LEFT)
    person.frames(30)
    assert (scene.head.at, scene.views[0].shown) == (2, 2)
    assert scene.views[0].board.drawing.state == scene.games[0].state(2)
    person.key(pygame.K_SPACE)
    assert scene.head.playing
    person.key(pygame.K_SPACE)
    assert not scene.head.playing
    person.key(pygame.K_PAGEDOWN)
    assert scene.head.at == 12
    person.key(pygame.K_END)
    speed = scene.head.speed
    person.key(pygame.K_PLUS)
    assert scene.head.speed == 2 * speed
    person.key(pygame.K_MINUS)
    assert scene.head.speed == speed


@pytest.mark.parametrize("game", [sokoban_game(), twenty48_game(30), connect4_game(), connect4_game(4)])
@pytest.mark.parametrize("size", [(640, 480), (1024, 640), (1920, 1080)])
def test_every_game_on_every_size_shows_its_last_position(
    tmp_path: Path, game: Replay, size: tuple[int, int]
) -> None:
    person = Person(tmp_path, size)
    scene = theatre(person, game)
    person.key(pygame.K_v)
    person.key(pygame.K_END)
    person.frames(60)
    state = getattr(scene.views[0].board.drawing, "state", None) or scene.views[0].board.drawing._state
    assert state == replay.states(game)[-1]
    assert not scene.views[0].board.busy
    assert [words for words in person.said() if "wrong" in words] == []
    person.close()


def test_the_line_is_dragged_and_clicked(person: Person) -> None:
    scene = theatre(person, twenty48_game(40))
    bar, graph = scene.track.bar, scene.track.graph
    person.drag((bar.left, bar.centery), (bar.left + bar.width // 2, bar.centery))
    assert scene.head.at == 20
    person.drag((bar.centerx, bar.centery), (bar.right + 500, bar.centery - 300))
    assert scene.head.at == 40, "the end holds a drag beyond it"
    person.click((graph.left + graph.width // 4, graph.centery))
    assert scene.head.at == 10, "a click on the curve goes there"
    before = pygame.image.tobytes(scene.track._picture, "RGBA")
    assert any(before), "the values are drawn"


def test_a_click_on_a_move_goes_there(person: Person) -> None:
    scene = theatre(person, sokoban_game())
    moves = scene.cards.moves
    assert moves is not None
    labels = "".join(moves._label(ply) for ply in range(scene.games[0].length))
    assert labels == "→▶▶▶←←←←↓→▶▶▶"
    cell = moves._cell
    person.click((moves.rect.left + 4 * cell[0] + cell[0] // 2, moves.rect.top + cell[1] // 2))
    assert scene.head.at == 5
    facts = dict(scene.games[0].facts(scene.head.ply(0)))
    assert (facts["Moves"], facts["Pushes"]) == ("5", str(scene.games[0].tally(5)))


def test_moves_wait_for_positions_that_are_not_known_yet(person: Person) -> None:
    scene = TheatreScene(person.window, person.context, twenty48_game(200), playing=False)
    positions = scene.games[0]
    known = positions.known
    scene.head.go(scene.head.longest)
    assert scene.head.limit([known]) == known
    person.show(scene)
    assert person.until(lambda: positions.done)
    person.frames(2)
    assert scene.views[0].shown == positions.length


# --- two games ---


def test_two_games_side_by_side(person: Person) -> None:
    put(person.context.saves.root, a=twenty48_game(20, seed=1), b=twenty48_game(40, seed=2))
    scene = theatre(person, twenty48_game(40, seed=3))
    person.key(pygame.K_c)
    library = person.top
    assert isinstance(library, LibraryScene)
    assert person.until(lambda: library.shelf.complete)
    at = next(n for n, item in enumerate(library.shelf.items) if item.entry.path.stem == "a")
    library.grid.show(at, at_once=True)
    person.key(pygame.K_RETURN)
    assert person.top is scene
    assert person.until(lambda: len(scene.games) == 2 and scene.games[1].done)
    assert [positions.length for positions in scene.games] == [40, 20]
    assert scene.head.by_share, "games of different length go by share"
    person.drag((scene.track.bar.left, scene.track.bar.centery), (scene.track.bar.centerx, scene.track.bar.centery))
    person.frames(3)
    assert [view.shown for view in scene.views] == [20, 10]
    person.press("By share")
    person.frames(3)
    assert [view.shown for view in scene.views] == [20, 20]
    assert scene.views[0].rect.right <= scene.views[1].rect.left
    person.key(pygame.K_RIGHT)
    assert [view.positions.state(view.shown) for view in scene.views] == [
        replay.states(scene.games[0].replay)[21],
        replay.states(scene.games[1].replay)[20],
    ]
    scene.close_second()
    person.frames(2)
    assert len(scene.views) == 1
    assert scene.head.at == 21


# --- going on ---


def test_go_on_as_a_game_of_2048(person: Person) -> None:
    game = twenty48_game(30)
    scene = theatre(person, game)
    for _ in range(10):
        person.key(pygame.K_RIGHT)
    person.key(pygame.K_g)
    played = person.top
    assert isinstance(played, Twenty48Screen)
    states = replay.states(game)
    assert played.session.state == states[10]
    assert played.session.timeline.cursor == 10
    person.key(pygame.K_z)
    assert played.session.state == states[9], "its history came with it"
    moves = played.session.timeline.cursor
    for key in (pygame.K_LEFT, pygame.K_UP, pygame.K_RIGHT, pygame.K_DOWN):
        person.key(key)
    assert played.session.timeline.cursor > moves
    assert played.board is not None
    person.key(pygame.K_ESCAPE)
    assert person.top is scene, "and back to the theatre"


def test_go_on_with_sokoban_and_win(person: Person) -> None:
    game = sokoban_game()
    theatre(person, game).head.go(12)
    person.frames(2)
    person.key(pygame.K_g)
    played = person.top
    assert isinstance(played, SokobanScreen)
    assert (played.session.timeline.cursor, played.session.pushes) == (12, 5)
    assert played.session.headline().startswith("“Depot 12”"), played.session.headline()
    person.key(pygame.K_RIGHT)
    assert person.until(lambda: played.session.finished)
    person.context.writer.flush()
    kept = list(person.context.saves.replays.rglob("*.json"))
    assert len(kept) == 1
    assert [step.action for step in replay.read(kept[0]).steps] == [step.action for step in game.steps]


def test_go_on_where_only_agents_sat_gives_the_turn_to_a_person(person: Person) -> None:
    game = connect4_game(seats=("random", "random"))
    theatre(person, game).head.go(3)
    person.frames(2)
    person.key(pygame.K_g)
    played = person.top
    assert isinstance(played, Connect4Screen)
    assert played.session.state == replay.states(game)[3]
    assert [str(spec) if spec else None for spec in played.session.driver.seats] == ["random", None]


def test_the_game_on_the_screen_below_is_used_and_what_was_played_there_is_kept(person: Person) -> None:
    game = make_scene("2048", person.window, person.context)
    person.show(game)
    assert isinstance(game, Twenty48Screen)
    game.session.take_over(twenty48_game(25), replay.states(twenty48_game(25)), ("expectimax",))
    person.frames(2)
    person.key(pygame.K_p)
    scene = person.top
    assert isinstance(scene, TheatreScene)
    assert scene.games[0].length == 25, "watch the game that is on the board"
    person.until(lambda: scene.games[0].done)
    scene.head.go(5)
    person.frames(2)
    person.key(pygame.K_g)
    assert person.top is game, "one screen for one game"
    assert game.session.timeline.cursor == 5
    person.context.writer.flush()
    kept = [replay.read(path) for path in person.context.saves.replays.rglob("*.json")]
    assert [len(record.steps) for record in kept] == [25], "the longer game went to the library"


# --- damage ---


def test_a_damaged_file_is_set_aside_with_a_sentence(person: Person) -> None:
    text = replay.dumps(twenty48_game(20)).encode()
    put(person.context.saves.root, cut=text[: len(text) - 30])
    path = person.context.saves.replays / "cut.json"
    scene = TheatreScene(person.window, person.context, path)
    person.show(scene)
    assert person.until(lambda: any("cut.json" in words for words in person.said())), person.said()
    assert not path.exists()
    assert list(person.context.saves.damaged.iterdir())
    person.key(pygame.K_SPACE)
    person.key(pygame.K_g)
    person.frames(5)
    assert not [words for words in person.said() if "wrong" in words]


def test_an_illegal_step_is_told_and_the_rest_is_shown(person: Person) -> None:
    game = connect4_game()
    scene = theatre(person, replace(game, steps=(*game.steps[:5], Step(99), *game.steps[5:])))
    person.frames(2)
    assert any("up to move 5" in words for words in person.said()), person.said()
    person.key(pygame.K_END)
    person.frames(60)
    assert scene.views[0].shown == 5
    first = replace(game, steps=(Step(99), *game.steps))
    scene = theatre(person, first)
    person.key(pygame.K_END)
    person.frames(5)
    assert scene.head.longest == 0


# --- a game just finished ---


def test_watch_from_the_card_after_2048(person: Person) -> None:
    game = person.show(make_scene("2048", person.window, person.context))
    assert isinstance(game, Twenty48Screen)
    long = twenty48_game(2000)
    states = replay.states(long)
    assert game.session.over_in(states[-1])
    game.session.take_over(long, states[:-1], ("expectimax",))
    person.frames(3)
    game.session.play(long.steps[-1].action, long.steps[-1].chance)
    person.frames(30)
    person.press("Watch")
    scene = person.top
    assert isinstance(scene, TheatreScene)
    assert scene.games[0].replay.steps[-1].action == long.steps[-1].action
    assert scene.games[0].replay.result["score"] == states[-1].score
    assert scene.head.playing


def test_watch_from_the_dialog_after_sokoban(person: Person) -> None:
    game = person.show(make_scene("sokoban", person.window, person.context))
    assert isinstance(game, SokobanScreen)
    won = sokoban_game()
    game.session.take_over(won, replay.states(won)[:-1], ("person",))
    person.frames(3)
    person.key(pygame.K_RIGHT)
    assert person.until(lambda: "Watch" in person.labels())
    person.press("Watch")
    scene = person.top
    assert isinstance(scene, TheatreScene)
    assert scene.games[0].replay.result == won.result


def test_watch_by_the_button_above_in_connect4(person: Person) -> None:
    game = person.show(make_scene("connect4", person.window, person.context))
    assert isinstance(game, Connect4Screen)
    person.key(pygame.K_p)
    assert person.top is game
    assert any("nothing to watch" in words for words in person.said())
    won = connect4_game()
    game.session.take_over(won, replay.states(won), ("person", "person"))
    person.frames(3)
    assert game.top_bar is not None
    person.click(game.top_bar.buttons["theatre"].rect.center)
    assert isinstance(person.top, TheatreScene)
    assert person.top.games[0].length == 7


def test_a_game_stands_still_behind_a_dialog_and_the_list_of_keys(person: Person) -> None:
    for key in (pygame.K_e, pygame.K_F1):
        scene = TheatreScene(person.window, person.context, twenty48_game(40))
        person.show(scene)
        person.frames(5)
        assert scene.head.playing
        person.key(key)
        at = scene.head.at
        person.frames(60)
        assert (scene.head.playing, scene.head.at) == (False, at)
        person.key(pygame.K_ESCAPE)
