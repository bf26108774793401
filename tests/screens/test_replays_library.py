"""The library by posted events: filters, order, thumbnails, names, deletion with undo, damage, a thousand files."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from replay_person import Person, connect4_game, put, sokoban_game, twenty48_game

from game.rules import replay
from game.saves.replays import Library
from game.screens.replays import library as library_module
from game.screens.replays.library import LibraryScene
from game.screens.replays.shelf import unlike
from game.screens.replays.theatre import TheatreScene
from game.screens.replays.words import kind_of, result_words
from game.ui.name_dialog import NameDialog
from game.ui.select import Select


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    made = Person(tmp_path)
    made.context.library = Library(made.context.saves, made.context.writer, tmp_path / "no-examples")
    yield made
    made.close()


@pytest.fixture
def library(person: Person) -> Callable[[], LibraryScene]:
    """Opens the library and waits until everything in it is read."""

    def open_it() -> LibraryScene:
        scene = LibraryScene(person.window, person.context)
        person.show(scene)
        assert person.until(lambda: scene.shelf.complete)
        person.frames(2)
        return scene

    return open_it


def names(scene: LibraryScene) -> list[str]:
    return [item.entry.path.stem for item in scene.shelf.items]


def choose(person: Person, scene: LibraryScene, number: int, label: str) -> None:
    """Take an option of one of the four lists, by mouse."""
    box = [control for control in scene.kit.controls if isinstance(control, Select)][number]
    at = next(n for n, option in enumerate(box.options) if option.label == label)
    person.click(box.rect.center)
    popup = scene.kit.popup
    assert popup is not None
    person.click((popup.rect.centerx, popup.rect.top + popup.pad + popup.row * at + popup.row // 2))
    person.frames(2)


def fill(person: Person) -> None:
    old = replace(twenty48_game(20, 1), started="2025-05-05T05:05:05+00:00")
    put(
        person.context.saves.root,
        small=old,
        large=twenty48_game(60, 2),
        mine=twenty48_game(30, 3, seat="person"),
        level=sokoban_game(("astar,time=5.0",)),
        lost=connect4_game(seats=("alphabeta", "person")),
        won=connect4_game(),
    )


def test_everything_is_there_and_the_newest_comes_first(person: Person, library: Callable[[], LibraryScene]) -> None:
    fill(person)
    scene = library()
    assert set(names(scene)) == {"small", "large", "mine", "level", "lost", "won"}
    assert names(scene)[-1] == "small"


def test_filters_narrow_and_say_when_nothing_is_left(person: Person, library: Callable[[], LibraryScene]) -> None:
    fill(person)
    scene = library()
    choose(person, scene, 0, "2048")
    assert set(names(scene)) == {"small", "large", "mine"}
    choose(person, scene, 1, "Person")
    assert names(scene) == ["mine"]
    scene.shelf.filter.kind = "won"
    scene._arrange()
    person.frames(2)
    assert names(scene) == []
    assert scene.chosen is None
    for key in (pygame.K_RETURN, pygame.K_DELETE, pygame.K_F2, pygame.K_e, pygame.K_DOWN):
        person.key(key)
    assert person.top is scene, "nothing to do anything with"
    scene.show_all()
    person.frames(2)
    assert len(names(scene)) == 6
    choose(person, scene, 3, "Longest first")
    assert names(scene)[0] == "large"
    choose(person, scene, 2, "Lost")
    assert names(scene) == ["lost"]


def test_results_in_words() -> None:
    assert result_words(sokoban_game()) == "Solved: 13 moves, 6 pushes"
    assert result_words(connect4_game()) == "Coral wins after 7 moves"
    game = twenty48_game(40)
    assert result_words(game) == f"{game.result['score']:,} points, tile {game.result['max_tile']}"
    odd = {"moves": "x", "pushes": [], "winner": "me", "score": None, "max_tile": {}, "outcome": 7}
    for made in (sokoban_game(), connect4_game(), game):
        assert result_words(replace(made, result=odd)), "whatever a file says, there are words"
        assert kind_of(replace(made, result=odd)) == "open"
    assert kind_of(connect4_game(seats=("a", "person"))) == "lost"
    assert kind_of(connect4_game(seats=("person", "a"))) == "won"
    assert kind_of(connect4_game(seats=("a", "b"))) == "won"


def test_enter_and_a_click_on_the_picture_watch(person: Person, library: Callable[[], LibraryScene]) -> None:
    fill(person)
    scene = library()
    person.key(pygame.K_RIGHT)
    assert scene.grid.at == 1
    person.key(pygame.K_RETURN)
    assert isinstance(person.top, TheatreScene)
    assert person.until(lambda: bool(person.top.games))
    assert person.top.games[0].replay.title == scene.shelf.items[1].entry.head.title
    person.key(pygame.K_ESCAPE)
    card = scene.grid.card(2)
    person.click((card.centerx, card.bottom - 10))
    assert person.top is scene
    assert scene.grid.at == 2
    person.click((card.centerx, card.top + 40))
    assert isinstance(person.top, TheatreScene)


def test_thumbnails_show_the_last_position(person: Person, library: Callable[[], LibraryScene]) -> None:
    fill(person)
    scene = library()
    assert person.until(lambda: len(scene.pictures._pictures) == 6)
    for path, state in scene.pictures._states.items():
        assert state == replay.states(replay.read(path))[-1]


def test_rename(person: Person, library: Callable[[], LibraryScene]) -> None:
    put(person.context.saves.root, one=sokoban_game())
    scene = library()
    person.key(pygame.K_F2)
    dialog = person.top
    assert isinstance(dialog, NameDialog)
    assert dialog.field is not None
    dialog.field.entry.set_text("")
    person.type("My best")
    person.key(pygame.K_RETURN)
    assert person.top is scene
    assert scene.chosen is not None
    assert scene.chosen.entry.head.title == "My best"
    person.context.writer.flush()
    after = replay.read(person.context.saves.replays / "one.json")
    assert (after.title, after.steps) == ("My best", sokoban_game().steps)
    person.key(pygame.K_F2)
    person.key(pygame.K_ESCAPE)
    assert scene.chosen.entry.head.title == "My best"


def test_delete_and_undo(person: Person, library: Callable[[], LibraryScene]) -> None:
    fill(person)
    scene = library()
    before = names(scene)
    person.key(pygame.K_DELETE)
    person.press("Delete")
    assert names(scene) == before[2:]
    assert not (person.context.saves.replays / f"{before[0]}.json").exists()
    person.key(pygame.K_z)
    person.press("Undo")
    assert names(scene) == before, person.said()
    assert {path.stem for path in person.context.saves.replays.glob("*.json")} == set(before)
    person.key(pygame.K_z)
    assert "There is nothing to bring back." in person.said()
    person.key(pygame.K_DELETE)
    person.key(pygame.K_ESCAPE)
    assert person.top is not scene
    assert not list((person.context.saves.replays / "trash").iterdir()), "gone for good once the library is closed"
    assert {path.stem for path in person.context.saves.replays.glob("*.json")} == set(before[1:])


def test_a_game_deleted_while_its_picture_is_made_is_not_taken_for_damaged(
    person: Person, library: Callable[[], LibraryScene]
) -> None:
    put(person.context.saves.root, one=sokoban_game())
    scene = LibraryScene(person.window, person.context)
    assert not scene.shelf.read(1.0, 0.0)
    path = person.context.saves.replays / "one.json"
    person.context.library.discard(path)
    theme, size = person.window.theme, (100, 60)
    for _ in range(100):
        assert scene.pictures.picture(path, size, theme, 0.0) is None
        scene.pictures.update(0.01)
        time.sleep(0.001)
    assert scene.pictures.problems == {}
    person.context.library.take_back(path)
    person.show(scene)
    assert person.until(lambda: path in scene.pictures._states)
    assert names(scene) == ["one"]


def test_a_game_that_is_finished_meanwhile_appears(
    person: Person, library: Callable[[], LibraryScene], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(person.context.saves.root, one=sokoban_game())
    scene = library()
    hours = iter(range(1, 10_000))
    monkeypatch.setattr(library_module.time, "monotonic", lambda: 3600.0 * next(hours))
    person.context.library.keep(replace(twenty48_game(30), started="2026-12-31T00:00:00+00:00"))
    person.context.writer.flush()
    assert person.until(lambda: len(scene.shelf.items) == 2)
    person.key(pygame.K_DELETE)
    person.frames(6)
    assert len(scene.shelf.items) == 1, "what is deleted does not come back by itself"


def test_damaged_files_are_set_aside_with_a_sentence(person: Person, library: Callable[[], LibraryScene]) -> None:
    good = replay.dumps(sokoban_game()).encode()
    put(person.context.saves.root, good=good, head=b"{}", steps=good[:-20])
    scene = library()
    assert person.until(lambda: names(scene) == ["good"]), names(scene)
    assert {path.name.split("-")[0] for path in person.context.saves.damaged.iterdir()} == {"head", "steps"}
    assert sum("could not be read" in words for words in person.said()) == 2


def test_mutated_files_never_harm(person: Person) -> None:
    """Whatever stands in the folder, the library and the theatre go on and say what they set aside."""
    chance = random.Random(20)
    texts = [replay.dumps(game).encode() for game in (sokoban_game(), twenty48_game(20), connect4_game(2))]
    games: dict[str, bytes] = {}
    for number in range(90):
        data = bytearray(chance.choice(texts))
        for _ in range(chance.choice((1, 1, 3, 20))):
            at = chance.randrange(len(data))
            action = chance.randrange(3)
            if action == 0:
                data[at] ^= 1 << chance.randrange(8)
            elif action == 1:
                del data[at : at + chance.randrange(1, 40)]
            else:
                data[at:at] = bytes(chance.choices(b'0123456789,[]{}":-e', k=chance.randrange(1, 20)))
            if not data:
                data = bytearray(b"{")
        games[f"g{number:03d}"] = bytes(data)
    put(person.context.saves.root, **games)
    scene = LibraryScene(person.window, person.context)
    person.show(scene)
    assert person.until(lambda: scene.shelf.complete)
    for number in range(0, 90, 4):
        scene.grid.show(number, at_once=True)
        person.frames(8)
    aside = person.context.saves.damaged
    assert len(scene.shelf.items) + len(list(aside.iterdir())) == 90, "every file is shown or set aside"
    survivors = [item.entry.path for item in scene.shelf.items]
    print(len(survivors), "can be shown")
    for path in survivors:
        theatre = TheatreScene(person.window, person.context, path)
        person.show(theatre)
        assert person.until(lambda theatre=theatre: not theatre._coming)
        person.key(pygame.K_END)
        person.frames(3)
        person.window.pop()
    assert person.top is scene
    assert not [words for words in person.said() if "Something went wrong" in words], person.said()


def test_a_thousand_files_are_read_in_small_pieces(person: Person, library: Callable[[], LibraryScene]) -> None:
    data = replay.dumps(twenty48_game(20)).encode()
    put(person.context.saves.root, **{f"g{number:04d}": data for number in range(1000)})
    scene = LibraryScene(person.window, person.context)
    person.show(scene)
    frames = 0
    while not scene.shelf.complete and frames < 3000:
        person.frames(1)
        frames += 1
    assert len(scene.shelf.items) == 1000
    assert frames > 5, "not all at once"
    person.key(pygame.K_END)
    person.frames(60)
    assert scene.grid.at == 999
    assert scene.grid.view.contains(scene.grid.card(999))
    drawn: list[int] = []
    original = library_module.draw_game_card
    library_module.draw_game_card = lambda *args: (drawn.append(1), original(*args))[1]
    try:
        person.frames(1)
    finally:
        library_module.draw_game_card = original
    assert 0 < len(drawn) < 40, "only the cards in sight are drawn"


def test_a_second_game_is_offered_on_the_same_board_first(
    person: Person, library: Callable[[], LibraryScene]
) -> None:
    first = twenty48_game(20, seed=1)
    small = replace(first, setup={**first.setup, "size": 3})
    games = [replace(game, started=f"2026-01-0{day}T10:00:00+00:00") for day, game in
             ((1, first), (2, twenty48_game(20, seed=2)), (3, small), (4, sokoban_game()))]  # fmt: skip
    assert [unlike(game, first) for game in games] == [0, 1, 2, 2]
    put(person.context.saves.root, same=games[0], board=games[1], other=games[3])
    scene = LibraryScene(person.window, person.context, on_choose=lambda path: None, like=first)
    person.show(scene)
    assert person.until(lambda: scene.shelf.complete)
    assert names(scene) == ["same", "board", "other"], "though the others are newer"


def test_f10_opens_the_settings(person: Person, library: Callable[[], LibraryScene]) -> None:
    scene = library()
    person.key(pygame.K_F10)
    assert person.top.name == "settings"
    person.key(pygame.K_ESCAPE)
    assert person.top is scene
