"""The level editor with other rules: the dialog, letters, the second player, what is saved, exported and tried."""

from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from game.rules import levels, sokoban
from game.rules.sokoban import Rules
from game.saves import level_forms
from game.screens.editor.dialogs import RulesDialog, SaveDialog
from game.screens.sokoban.screen import SokobanScreen
from game.views.sokoban.keys import PAIR, PULLING
from tests.screens.test_editor import BOX, CORRIDOR, PLAYER, TARGET, Editor

HOME, SECOND = "6", "8"


@pytest.fixture
def editor(visit) -> Editor:
    made = Editor(visit("editor"))
    made.paste(CORRIDOR)
    return made


def rule(editor: Editor, *titles: str) -> None:
    """Switch some rules in the dialog and take them."""
    editor.visitor.key(pygame.K_o, "o")
    assert isinstance(editor.window.top, RulesDialog)
    for title in titles:
        editor.press(title)
    editor.press("Use these rules")


def test_rules_are_chosen_shown_and_undone(editor: Editor) -> None:
    rule(editor, "Boxes can be pulled")
    assert editor.scene.document.rules == Rules(pull=True)
    assert [one.label for one in editor.scene.kit.controls if getattr(one, "label", "").startswith("Rules")] == [
        "Rules: pull"
    ]
    assert editor.scene.work.level is not None
    assert editor.scene.work.level.state.warehouse.rules == Rules(pull=True)
    editor.visitor.key(pygame.K_z, "z")
    assert editor.scene.document.rules == Rules()
    editor.visitor.key(pygame.K_o, "o")
    editor.press("Two players")
    editor.press("Cancel")
    assert editor.scene.document.rules == Rules()


def test_letters_come_and_go_with_fixed_targets(editor: Editor) -> None:
    rule(editor, "Fixed targets")
    assert editor.rows()[1] == "#@ a A#"
    editor.take(BOX)
    assert editor.scene.status[0].startswith("Box b")
    editor.click(1, 2)
    assert editor.rows()[1] == "#@ba A#"
    assert editor.check("boxes") == "bad"
    assert editor.scene.work.problem == "box b has no target"
    editor.take(TARGET)
    editor.click(1, 4)
    assert editor.rows()[1] == "#@baBA#", str(editor)
    assert editor.check("boxes") == "good"
    editor.click(1, 2, button=3)
    editor.click(0, 2)
    assert editor.rows()[:2] == ["##b####", "#@ aBA#"], "a box that was picked is moved, not painted twice"
    editor.take(HOME)
    assert editor.scene.status[0].startswith("Box on target c")
    rule(editor, "Fixed targets")
    assert editor.rows()[:2] == ["##$####", "#@ $..#"]


def test_a_second_player(editor: Editor) -> None:
    assert len(editor.scene._tiles) == 7
    rule(editor, "Two players")
    assert len(editor.scene._tiles) == 8
    assert editor.scene.work.problem == "there is no second player"
    editor.take(SECOND)
    editor.click(1, 2)
    assert editor.rows()[1] == "#@&$ .#"
    editor.click(1, 5)
    assert editor.rows()[1] == "#@ $ %#", "there is one, and he stands on the target"
    editor.take(PLAYER)
    editor.click(1, 2)
    assert editor.rows()[1] == "# @$ %#"
    assert editor.scene.work.level is not None
    rule(editor, "Two players")
    assert editor.rows()[1] == "# @$ .#"
    assert len(editor.scene._tiles) == 7


def test_a_level_of_every_rule_is_saved_exported_opened_and_tried(editor: Editor, tmp_path: Path) -> None:
    rule(editor, "Boxes can be pulled", "Fixed targets", "Two players")
    editor.take(SECOND)
    editor.click(1, 2)
    document = editor.scene.document
    rules = Rules(True, True, 2)
    assert document.rules == rules
    for form in ("xsb", "runs", "python", "json"):
        text = getattr(level_forms, f"as_{form}")(document)
        print(text)
        editor.paste(text)
        assert replace(editor.scene.document, pack="", level="", draft="") == document
    editor.scene.command("try")
    editor.visitor.frames(3)
    trial = editor.window.top
    assert isinstance(trial, SokobanScreen)
    assert trial.session.state.warehouse.rules == rules
    assert PAIR in trial.groups
    assert PULLING in trial.groups
    editor.visitor.key(pygame.K_ESCAPE)
    editor.visitor.key(pygame.K_s, mod=pygame.KMOD_CTRL)
    assert isinstance(editor.window.top, SaveDialog)
    editor.press("Save")
    editor.visitor.frames(2)
    editor.visitor.context.writer.flush()
    (path,) = (editor.visitor.context.saves.root / "levels").glob("*.xsb")
    (level,) = levels.read(path).levels
    assert level.state == editor.scene.work.level.state
    assert not editor.scene.exchange.unsaved
    again = editor.scene.again()
    assert again.document == editor.scene.document, "the draft keeps rules and letters"
    again.close()


def test_unfinished_drawings_keep_their_rules(editor: Editor) -> None:
    rule(editor, "Fixed targets", "Two players")
    kept = editor.scene.exchange.packs.keep(editor.scene.document)
    editor.visitor.context.writer.flush()
    again = type(editor.scene.exchange.packs)(editor.visitor.context.saves, editor.visitor.context.writer)
    assert again.drawing(kept.draft) == kept
    assert kept.rules == Rules(fixed=True, players=2)


def test_more_boxes_than_letters_cannot_be_fixed(editor: Editor) -> None:
    editor.paste("#" * 60 + "\n#@" + "$." * 28 + " #\n" + "#" * 60)
    rule(editor, "Fixed targets")
    assert editor.scene.document.rules == Rules()
    assert any("26 letters" in said for said in editor.visitor.said())
    assert editor.scene.document.rules == sokoban.PUSH_ONLY
