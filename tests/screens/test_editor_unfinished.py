"""Unfinished drawings: kept in My packs, opened by the editor, finished into levels; dropped files that are no levels."""

from pathlib import Path

import numpy as np
import pygame
import pytest

from game.play.sokoban.packs import LevelPack, packs_of
from game.rules import levels, replay
from game.rules.editing import drawings
from game.rules.editing.history import Document
from game.saves import level_forms
from game.screens.editor.dialogs import ChooseDialog, SaveDialog
from game.screens.editor.packs_scene import UNFINISHED, PacksScene
from game.screens.editor.scene import EditorScene
from game.screens.opening import Unfinished, read_any
from game.screens.replays.theatre import TheatreScene
from game.ui.name_dialog import NameDialog
from game.ui.reading import Unreadable

CTRL = pygame.KMOD_CTRL
LEVEL = "#######\n#@ $ .#\n#######"
NOBODY = "#######\n#  $ .#\n#######"
TWO_BOXES = "#######\n#@$$ .#\n#######"


class Desk:
    """A person before the editor."""

    def __init__(self, visitor) -> None:
        self.visitor, self.window = visitor, visitor.window
        self.scene: EditorScene = visitor.scene

    @property
    def packs(self):
        return self.scene.exchange.packs

    def paste(self, text: str) -> None:
        pygame.scrap.put_text(text)
        self.visitor.key(pygame.K_v, mod=CTRL)

    def save(self) -> None:
        self.visitor.key(pygame.K_s, mod=CTRL)

    def press(self, label: str) -> None:
        controls = self.window.top.kit.controls
        (button,) = [one for one in controls if getattr(one, "label", "") == label and one.visible]
        self.visitor.click(button.rect.center)

    def keep(self, text: str) -> None:
        """Draw something that is no level, and keep it under the name that is offered."""
        self.paste(text)
        self.save()
        assert isinstance(self.window.top, NameDialog), self.visitor.said()
        self.visitor.key(pygame.K_RETURN, "\r")
        assert self.window.top is self.scene

    def open_packs(self) -> PacksScene:
        self.visitor.key(pygame.K_k, "k")
        assert isinstance(self.window.top, PacksScene)
        return self.window.top

    def in_the_game(self) -> list[tuple[str, int]]:
        """The user's packs as Sokoban's list sees them."""
        self.visitor.context.writer.flush()
        packs = packs_of(self.visitor.context.saves.root)
        packs.refresh()
        return [(file.id, len(packs.get(file.id).levels)) for file in packs.files if file.id.startswith("my/")]


@pytest.fixture
def desk(visit) -> Desk:
    return Desk(visit("editor"))


def test_an_unfinished_drawing_is_kept_and_no_game_sees_it(desk: Desk) -> None:
    desk.keep(NOBODY)
    assert "the player" in desk.visitor.said()[-1] or "player" in desk.visitor.said()[-1]
    assert desk.scene.exchange.where == "unfinished"
    (kept,) = desk.packs.drawings
    print(kept.drawing)
    assert kept == desk.scene.document
    assert kept.title == "Drawing 1"
    assert desk.in_the_game() == []


def test_saving_again_keeps_the_same_drawing(desk: Desk) -> None:
    desk.keep(NOBODY)
    desk.visitor.key(pygame.K_x, "x")
    assert desk.scene.exchange.where == "unfinished · changed"
    desk.save()
    assert desk.window.top is desk.scene, "nothing is asked twice"
    assert [str(each.drawing) for each in desk.packs.drawings] == ["#######\n#. $  #\n#######"]
    desk.visitor.key(pygame.K_i, "i")
    assert isinstance(desk.window.top, NameDialog)
    desk.window.top.field.entry.set_text("Yard")
    desk.visitor.key(pygame.K_RETURN, "\r")
    assert [each.title for each in desk.packs.drawings] == ["Yard"]
    assert desk.scene.exchange.where == "unfinished"


def test_the_list_of_packs_shows_it_and_only_the_editor_opens_it(desk: Desk) -> None:
    desk.keep(NOBODY)
    desk.visitor.key(pygame.K_n, mod=CTRL)
    scene = desk.open_packs()
    assert scene.stem == UNFINISHED
    words = [said for said, _ in desk.visitor.words()]
    assert any("unfinished" in said for said in words), words
    assert "there is no player" in scene.status[0] or "player" in scene.status[0]
    play = next(one for one in scene.kit.controls if getattr(one, "label", "") == "Play")
    assert not play.is_enabled
    desk.visitor.key(pygame.K_ESCAPE)
    scene = desk.open_packs()
    scene.edit()
    assert desk.window.top is desk.scene
    assert str(desk.scene.document.drawing) == NOBODY
    assert desk.scene.exchange.where == "unfinished"


def test_a_finished_drawing_becomes_a_level_and_is_a_drawing_no_more(desk: Desk) -> None:
    desk.keep(NOBODY)
    document = desk.scene.document
    square = document.drawing.cols + 1
    desk.scene.work.redraw("player", drawings.paint(document.drawing, (square,), drawings.PLAYER))
    assert desk.scene.work.level is not None, desk.scene.work.problem
    desk.save()
    assert isinstance(desk.window.top, SaveDialog)
    desk.press("Save")
    assert desk.packs.drawings == ()
    assert desk.scene.exchange.where == "My levels 1"
    assert desk.in_the_game() == [("my/my-levels", 1)]
    desk.packs.undo()
    assert len(desk.packs.drawings) == 1, "one undo brings the drawing back and takes the level away"
    assert desk.in_the_game() == []


def test_a_level_that_is_broken_stays_as_it_is_until_it_is_mended(desk: Desk) -> None:
    desk.paste(LEVEL)
    desk.save()
    desk.press("Save")
    whole = desk.scene.document
    desk.scene.work.redraw("box", drawings.paint(whole.drawing, (8 + 1,), drawings.BOX))
    desk.save()
    desk.visitor.key(pygame.K_RETURN, "\r")
    assert "Level 1 of “My levels” stays as it is" in desk.visitor.said()[-1]
    assert len(desk.packs.drawings) == 1
    assert desk.in_the_game() == [("my/my-levels", 1)]
    desk.scene.work.redraw("target", drawings.paint(desk.scene.document.drawing, (8 + 3,), drawings.TARGET))
    assert desk.scene.work.level is not None, (desk.scene.work.problem, str(desk.scene.document.drawing))
    desk.save()
    assert desk.packs.drawings == (), desk.visitor.said()
    own = desk.packs.get("my-levels")
    assert len(own.pack.levels) == 1
    assert len(own.pack.levels[0].state.boxes) == 2


def test_drawings_are_moved_deleted_and_brought_back(desk: Desk) -> None:
    for text in (NOBODY, TWO_BOXES):
        desk.keep(text)
        desk.visitor.key(pygame.K_n, mod=CTRL)
    scene = desk.open_packs()
    names = lambda: [each.title for each in desk.packs.drawings]  # noqa: E731
    assert names() == ["Drawing 1", "Drawing 2"]
    scene.move_level(1)
    assert (names(), scene.at) == (["Drawing 2", "Drawing 1"], 1)
    desk.press("Delete")
    assert names() == ["Drawing 2"]
    desk.press("Delete")
    assert (names(), scene.stem) == ([], "")
    for expected in (["Drawing 2"], ["Drawing 2", "Drawing 1"], ["Drawing 1", "Drawing 2"]):
        desk.visitor.key(pygame.K_z, "z")
        assert names() == expected


def test_all_of_a_file_are_kept_levels_and_drawings(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "mixed.xsb"
    path.write_text(f"{LEVEL}\nTitle: Good\n\n{NOBODY}\nTitle: Bad\n")
    desk.scene.exchange.import_path(path)
    desk.visitor.frames(2)
    assert isinstance(desk.window.top, ChooseDialog)
    desk.press("Keep all as a pack")
    assert [each.title for each in desk.packs.drawings] == ["Bad"]
    assert desk.in_the_game() == [("my/mixed", 1)]


FORMS = {
    "level.xsb": lambda document: level_forms.as_xsb(document).encode(),
    "level.py": lambda document: level_forms.as_python(document).encode(),
    "level.npy": level_forms.as_npy,
    "level.json": lambda document: level_forms.as_json(document).encode(),
}


@pytest.mark.parametrize("name", FORMS)
def test_an_unfinished_level_is_told_in_every_form(name: str, tmp_path: Path) -> None:
    for text in (NOBODY, TWO_BOXES, LEVEL):
        codes = {"#": 1, " ": 0, "$": 2, ".": 3, "@": 4}
        board = np.array([[codes[letter] for letter in row] for row in text.split("\n")])
        path = tmp_path / name
        path.write_bytes(FORMS[name](Document(drawings.of_array(board), "A title")))
        found = read_any(path)
        print(name, found)
        assert isinstance(found, LevelPack if text == LEVEL else Unfinished)
        if isinstance(found, Unfinished):
            (drawing,) = found.drawings
            assert str(drawing.drawing) == text


def test_what_is_no_drawing_at_all_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("# Notes\n\nNothing to see here.\n")
    with pytest.raises(Unreadable, match=r"notes\.txt"):
        read_any(path)


def test_a_dropped_unfinished_level_opens_in_the_editor(visit, tmp_path: Path) -> None:
    visitor = visit("twenty48")
    path = tmp_path / "half.xsb"
    path.write_text(f"{NOBODY}\nTitle: Half\n")
    visitor.post(pygame.DROPFILE, file=str(path))
    for _ in range(300):
        visitor.frames(1)
        if isinstance(visitor.window.top, EditorScene):
            break
        pygame.time.wait(5)
    scene = visitor.window.top
    assert isinstance(scene, EditorScene)
    visitor.frames(2)
    assert str(scene.document.drawing) == NOBODY
    assert any("“Half” is unfinished" in said and "player" in said for said in visitor.said()), visitor.said()


def test_the_editor_that_is_open_already_takes_it(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "half.xsb"
    path.write_text(NOBODY)
    desk.visitor.post(pygame.DROPFILE, file=str(path))
    desk.visitor.frames(3)
    assert desk.window.top is desk.scene
    assert str(desk.scene.document.drawing) == NOBODY
    assert any("is unfinished" in said for said in desk.visitor.said())


def test_a_replay_dropped_on_the_editor_goes_to_the_theatre(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    first = levels.parse(LEVEL, "x").levels[0].state
    path.write_text(replay.dumps(replay.record(first, [replay.Step(1)])))
    desk.visitor.post(pygame.DROPFILE, file=str(path))
    for _ in range(300):
        desk.visitor.frames(1)
        if isinstance(desk.window.top, TheatreScene):
            return
        pygame.time.wait(5)
    pytest.fail(f"{desk.window.top.name}: {desk.visitor.said()}")
