"""The screen of the user's own packs, by events: make, rename, reorder, delete, undo, edit, play."""

import pygame
import pytest

from game.play.sokoban.packs import packs_of
from game.rules import levels, sokoban
from game.rules.levels import Level
from game.screens.editor.packs_scene import PacksScene
from game.screens.editor.scene import EditorScene
from game.screens.sokoban.screen import SokobanScreen


def level(title: str, width: int) -> Level:
    row = [1, 4, 2, *[0] * (width - 5), 3, 1]
    return Level(sokoban.from_array([[1] * width, row, [1] * width]), title)


class Packs:
    """A person before the screen, with two packs."""

    def __init__(self, visitor) -> None:
        self.visitor, self.window = visitor, visitor.window
        self.editor: EditorScene = visitor.scene
        self.packs = self.editor.exchange.packs
        self.first = self.packs.make("First")
        self.packs.add(self.first, [level(name, 5 + at) for at, name in enumerate("abcd")])
        self.second = self.packs.make("Second")
        self.packs.add(self.second, [level("z", 12)])
        visitor.key(pygame.K_k, "k")
        assert isinstance(self.window.top, PacksScene)
        self.scene: PacksScene = self.window.top

    def press(self, label: str = "", icon: str = "") -> None:
        controls = self.window.top.kit.controls
        found = [one for one in controls if getattr(one, "label", None) == label and (not icon or one.icon == icon)]
        assert len(found) == 1, (label, icon, [getattr(one, "label", "") for one in controls])
        self.visitor.click(found[0].rect.center)

    def card(self, number: int) -> tuple[int, int]:
        grid = self.scene.grid
        assert grid is not None
        rect = grid.grid.card(number)
        return rect.centerx + grid.rect.left, rect.centery + grid.rect.top

    @property
    def titles(self) -> list[str]:
        return [own.title for own in self.packs.packs]

    @property
    def names(self) -> list[str]:
        assert self.scene.own is not None
        return [found.title for found in self.scene.own.pack.levels]

    def on_disk(self) -> list[tuple[str, list[str]]]:
        """As Sokoban's list of levels sees them."""
        self.visitor.context.writer.flush()
        packs = packs_of(self.visitor.context.saves.root)
        packs.refresh()
        own = [packs.get(file.id) for file in packs.files if file.id.startswith("my/")]
        return [(pack.title, [found.title for found in pack.levels]) for pack in own if pack is not None]


@pytest.fixture
def packs(visit) -> Packs:
    return Packs(visit("editor"))


def test_packs_are_made_renamed_and_reordered(packs: Packs) -> None:
    packs.press("New pack")
    packs.visitor.post(pygame.TEXTINPUT, text="!")
    packs.press("Make it")
    assert packs.titles[-1].replace("!", "") == "My levels"
    packs.press("Rename")
    packs.window.top.field.entry.set_text("Third")
    packs.visitor.key(pygame.K_RETURN, "\r")
    assert packs.titles == ["First", "Second", "Third"]
    packs.press(icon="arrow-up")
    assert packs.titles == ["First", "Third", "Second"]
    assert packs.on_disk() == [("First", list("abcd")), ("Second", ["z"])]


def test_levels_are_moved_and_deleted_and_all_is_undone(packs: Packs) -> None:
    packs.visitor.click(packs.card(2))
    assert packs.scene.at == 2
    packs.visitor.key(pygame.K_LEFT, mod=pygame.KMOD_CTRL)
    assert packs.names == list("acbd")
    packs.press(icon="arrow-left")
    assert packs.names == list("cabd")
    packs.press("Delete")
    assert packs.names == list("abd")
    packs.press("Delete pack")
    assert packs.titles == ["Second"]
    assert packs.on_disk() == [("Second", ["z"])]
    for expected in (list("abd"), list("cabd"), list("acbd"), list("abcd")):
        packs.visitor.key(pygame.K_z, "z")
        packs.scene.stem = packs.first
        assert packs.names == expected
    assert packs.on_disk() == [("First", list("abcd")), ("Second", ["z"])]
    packs.visitor.key(pygame.K_y, "y")
    assert packs.names == list("acbd")


def test_the_chosen_level_is_played_and_edited(packs: Packs) -> None:
    packs.visitor.click(packs.card(1))
    packs.press("Play")
    trial = packs.window.top
    assert isinstance(trial, SokobanScreen)
    assert trial.session.course.title == "b"
    packs.visitor.key(pygame.K_ESCAPE)
    assert packs.window.top is packs.scene
    packs.press("Edit")
    assert packs.window.top is packs.editor
    assert packs.editor.exchange.where == "First 2"
    packs.visitor.key(pygame.K_x, "x")
    packs.visitor.key(pygame.K_s, mod=pygame.KMOD_CTRL)
    (_, names), _ = packs.on_disk()
    assert names == list("abcd")
    own = packs.packs.get(packs.first)
    assert own is not None
    assert levels.board(own.pack.levels[1].state) == str(packs.editor.document.drawing).split("\n")


def test_a_level_that_was_moved_meanwhile_is_still_replaced_where_it_is(packs: Packs) -> None:
    packs.press("Edit")
    packs.packs.move_level(packs.first, 0, 3)
    packs.visitor.key(pygame.K_x, "x")
    packs.visitor.key(pygame.K_s, mod=pygame.KMOD_CTRL)
    own = packs.packs.get(packs.first)
    assert own is not None
    assert [found.title for found in own.pack.levels] == list("bcda")
    assert "@" in levels.board(own.pack.levels[3].state)[1][2:]


@pytest.mark.parametrize("size", [(640, 480), (1024, 640), (1920, 1080)])
def test_the_screen_fits_any_window(visit, size) -> None:
    packs = Packs(visit("editor", size))
    whole = pygame.Rect((0, 0), size)
    for control in packs.scene.kit.controls:
        assert whole.contains(control.rect), control
    cut = [words for words, _ in packs.visitor.words() if words.endswith("…")]
    assert cut == [], cut
