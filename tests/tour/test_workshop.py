"""Draw a level, mend it, prove it solvable, save it, play it, watch it, film it; then load a model and watch it play."""

from collections.abc import Callable
from pathlib import Path

import pygame
from PIL import Image

from game.rules import sokoban
from game.screens.editor.scene import EditorScene
from game.screens.menu import MenuScene
from game.screens.models.screen import ModelsScene
from game.screens.replays.export_dialog import ExportDialog
from game.screens.replays.library import LibraryScene
from game.screens.replays.theatre import TheatreScene
from game.screens.sokoban.screen import SokobanScreen
from game.screens.twenty48.screen import Twenty48Screen

from .conftest import Person
from .test_tour import ARROWS, breadth_first

BOX, TARGET, PLAYER, FLOOR = pygame.K_3, pygame.K_4, pygame.K_5, pygame.K_2
OpenApp = Callable[..., Person]


def paint(person: Person, scene: EditorScene, tile: int, row: int, col: int) -> None:
    """Take a tile by its key and click a square with it."""
    person.key(tile, chr(tile))
    person.click(scene.canvas.rect_of(row * scene.drawing.cols + col).center)


def shown(scene: EditorScene) -> str:
    return str(scene.drawing)


def test_from_an_empty_map_to_a_film(open_app: OpenApp, tmp_path: Path) -> None:
    person = open_app()
    person.press("Level editor")
    scene = person.top
    assert isinstance(scene, EditorScene)
    paint(person, scene, PLAYER, 4, 4)
    paint(person, scene, BOX, 4, 6)
    paint(person, scene, BOX, 3, 6)
    paint(person, scene, TARGET, 4, 8)
    person.press("Solvable?")
    person.frames(5)
    assert not scene.work.solving.solution, shown(scene)
    assert any(check.verdict == "bad" for check in scene.review.checks), "two boxes and one target pass the checks"
    paint(person, scene, FLOOR, 3, 6)
    assert person.until(lambda: all(check.verdict == "good" for check in scene.review.checks), 5), shown(scene)
    person.press("Solvable?")
    assert person.until(lambda: bool(scene.work.solving.solution)), (shown(scene), scene.work.solving.verdict)

    person.press("Save")
    person.write("By the wall")
    person.press("Save")
    assert scene.document.title == "By the wall", person.say()

    person.press("Try it")
    trial = person.top
    assert isinstance(trial, SokobanScreen)
    for action in breadth_first(trial.session.state):
        person.key(ARROWS[action])
    assert sokoban.is_solved(trial.session.state)
    assert person.until(lambda: "Watch" in person.labels(), 5), person.say()
    person.press("Watch")
    theatre = person.top
    assert isinstance(theatre, TheatreScene), (theatre.name, person.say())
    assert person.until(lambda: bool(theatre.games) and theatre.games[0].done, 10)
    steps = theatre.games[0].length
    assert steps == len(breadth_first(trial.session.timeline.initial))

    person.key(pygame.K_e, "e", pygame.KMOD_CTRL)
    dialog = person.top
    assert isinstance(dialog, ExportDialog), (dialog.name, person.say())
    positions = tmp_path / "film.gif"
    dialog.start(positions)
    assert person.until(positions.exists, 180), person.say()
    with Image.open(positions) as image:
        assert image.n_frames > steps, "a picture for every move at least"
        assert min(image.size) >= 200
        seconds = 0.0
        for frame in range(image.n_frames):
            image.seek(frame)
            seconds += image.info["duration"] / 1000
    assert 0.3 < seconds < 60


def test_the_level_saved_is_played_like_the_shipped_ones(open_app: OpenApp) -> None:
    person = open_app()
    person.press("Level editor")
    scene = person.top
    assert isinstance(scene, EditorScene)
    for tile, row, col in ((PLAYER, 2, 2), (BOX, 2, 4), (TARGET, 2, 6)):
        paint(person, scene, tile, row, col)
    person.press("Save")
    person.write("Mine")
    person.press("Save")
    for _ in range(3):
        if not isinstance(person.top, MenuScene):
            person.key(pygame.K_ESCAPE)
    person.context.writer.flush()
    person.key(pygame.K_1, "1")
    game = person.top
    assert isinstance(game, SokobanScreen)
    person.key(pygame.K_l, "l")
    assert person.until(lambda: game.session.course.packs.get("my/my-levels") is not None, 10)


def test_a_model_is_loaded_from_its_card_and_plays(open_app: OpenApp) -> None:
    person = open_app()
    person.press("Models")
    scene = person.top
    assert isinstance(scene, ModelsScene)
    assert person.until(lambda: scene.card is not None, 5)
    for at, card in enumerate(scene.cards):
        if card.name == "2048-small":
            scene.choose(at)
    assert scene.card is not None
    assert scene.card.name == "2048-small", scene.card
    person.press("Play with it")
    game = person.top
    assert isinstance(game, Twenty48Screen), (person.top.name, person.say())
    spec = game.session.driver.seats[0]
    assert spec is not None
    assert (spec.id, spec.model) == ("ntuple", "2048-small")
    if not game.session.driver.running:
        person.key(pygame.K_SPACE, " ")
    game.session.set_speed(float("inf"))
    assert person.until(lambda: game.session.timeline.cursor > 300), (person.say(), game.session.driver.thought)


def test_the_library_is_not_empty_on_the_first_day(open_app: OpenApp) -> None:
    person = open_app()
    person.press("Replays")
    scene = person.top
    assert isinstance(scene, LibraryScene)
    assert person.until(lambda: scene.chosen is not None, 10), person.say()
    person.key(pygame.K_RETURN)
    theatre = person.top
    assert isinstance(theatre, TheatreScene), (theatre.name, person.say())
    assert person.until(lambda: bool(theatre.games) and theatre.games[0].done, 20)
    assert theatre.games[0].length > 0
