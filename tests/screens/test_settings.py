"""The settings screen: every line works at once, by mouse, keys and gamepad, and is kept."""

import json

import pygame
import pytest

from game.saves.settings import SETTINGS, setting
from game.screens.settings import SettingsScene
from game.ui.chrome import TopBar
from game.ui.controls import Stepper, Toggle
from game.ui.select import Select


def control(visitor, name):
    """The control of one setting."""
    return next(control for row, _, control in visitor.scene.lines if row.name == name)


@pytest.mark.parametrize("size", [(1024, 640), (1280, 800), (1920, 1080)])
@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("scale", [0.8, 1.0, 2.0])
def test_everything_is_inside_apart_and_in_full(visit, size, theme, scale):
    visitor = visit("settings", size, theme=theme, ui_scale=scale)
    scene = visitor.scene
    assert isinstance(scene, SettingsScene)
    room = pygame.Rect(0, scene.theme.px(56), size[0], size[1] - scene.theme.px(56 + 28))
    assert len(scene.lines) == len(SETTINGS)
    cards = [card for _, card in scene.cards]
    for at, card in enumerate(cards):
        assert room.contains(card), (card, room)
        assert not any(card.colliderect(other) for other in cards[at + 1 :])
    for row, place, box in scene.lines:
        assert any(card.contains(box.rect) for card in cards), row
        assert place.contains(box.rect), (row.name, place, box.rect)
    words = [words for words, _ in visitor.words()]
    for row in SETTINGS:
        assert row.title in words, row.title
        limited = row.name == "ui_scale" and scene.theme.scale < scale
        assert limited or row.help in words, (row.help, words)


@pytest.mark.parametrize(("size", "room"), [((1280, 800), "125 %"), ((1920, 1200), "")])
def test_the_line_of_the_size_says_what_there_is_room_for(visit, size, room):
    visitor = visit("settings", size, ui_scale=1.5)
    said = [words for words, _ in visitor.words() if words.startswith("This window only has room for")]
    assert [room in words for words in said] == [True] * bool(room)


def test_each_kind_has_its_control(visit):
    visitor = visit("settings")
    kinds = {"bool": Toggle, "choice": Select, "number": Stepper}
    for row, _, box in visitor.scene.lines:
        assert type(box) is kinds[row.kind], row


def test_theme_changes_at_once_and_is_kept(visit, tmp_path):
    visitor = visit("settings")
    dark = visitor.window.theme.ground
    visitor.click(control(visitor, "theme").rect.center)
    visitor.key(pygame.K_DOWN)
    visitor.key(pygame.K_RETURN)
    assert visitor.window.look.theme == "light"
    assert visitor.window.theme.ground != dark
    assert control(visitor, "theme").chosen == "light"
    visitor.click(control(visitor, "animation").rect.center)
    visitor.key(pygame.K_END)
    visitor.key(pygame.K_RETURN)
    assert not visitor.window.look.animated
    visitor.close()
    kept = json.loads((tmp_path / "saves" / "settings.json").read_text())
    assert (kept["theme"], kept["animation"]) == ("light", "instant")
    again = visit("settings")
    assert again.window.look.theme == "light"


def test_size_of_text_by_keys_keeps_the_focus(visit):
    visitor = visit("settings", (1920, 1080))
    while visitor.scene.kit.focused is not control(visitor, "ui_scale"):
        visitor.key(pygame.K_TAB)
    sizes = [visitor.window.theme.scale]
    for _ in range(3):
        visitor.key(pygame.K_LEFT)
        sizes.append(visitor.window.theme.scale)
    assert sizes == sorted(sizes, reverse=True)
    assert visitor.context.settings.ui_scale == setting("ui_scale").min, "two steps down from 1, and no further"
    assert visitor.scene.kit.focused is control(visitor, "ui_scale")
    assert visitor.scene.kit.focused.value == "80 %"


def test_volume_stops_at_its_ends_and_reaches_the_sound(visit):
    visitor = visit("settings", volume=95)
    box = control(visitor, "volume")
    for _ in range(3):
        visitor.click((box.rect.right - 10, box.rect.centery))
    assert visitor.context.settings.volume == 100
    assert visitor.window.sounds.volume == 100
    assert box.value == "100 %"
    visitor.click(control(visitor, "mute").rect.center)
    assert visitor.window.sounds.mute


def test_keys_and_switches_agree(visit):
    visitor = visit("settings")
    visitor.key(pygame.K_m)
    assert visitor.context.settings.mute
    assert control(visitor, "mute").value, "the switch does not show what the key did"
    visitor.click(control(visitor, "mute").rect.center)
    assert not visitor.context.settings.mute
    assert not visitor.window.look.mute


def test_gamepad_walks_and_changes(visit):
    visitor = visit("settings")
    for _ in range(12):
        visitor.pad(pygame.CONTROLLER_BUTTON_DPAD_DOWN)
        if visitor.scene.kit.focused is control(visitor, "volume"):
            break
    assert visitor.scene.kit.focused is control(visitor, "volume")
    before = visitor.context.settings.volume
    visitor.pad(pygame.CONTROLLER_BUTTON_DPAD_LEFT)
    assert visitor.context.settings.volume == before - 5
    visitor.pad(pygame.CONTROLLER_BUTTON_DPAD_DOWN)
    visitor.pad(pygame.CONTROLLER_BUTTON_A)
    assert visitor.context.settings.mute


def test_every_setting_can_be_changed_by_keys_alone(visit):
    visitor = visit("settings")
    before = visitor.context.settings
    for row in SETTINGS:
        if row.name == "fullscreen":
            continue  # has a test of its own with the window
        visitor.scene.kit.focus(control(visitor, row.name))
        visitor.key(pygame.K_RETURN if row.kind == "bool" else pygame.K_LEFT)
        if getattr(visitor.context.settings, row.name) == getattr(before, row.name):
            visitor.key(pygame.K_RIGHT)
        assert getattr(visitor.context.settings, row.name) != getattr(before, row.name), row.name
    assert visitor.said() == []


def test_read_only_saves_say_so_and_settings_still_work(visit, tmp_path):
    first = visit("menu")
    second = visit("settings")  # the first window holds the lock
    assert any("Another window" in words for words in second.said())
    assert "not saved" in second.scene.status[0]
    second.click(control(second, "mute").rect.center)
    assert second.window.sounds.mute
    assert first.context.saves.writable


def test_escape_leads_back(visit):
    visitor = visit("menu")
    visitor.key(pygame.K_F10)
    assert isinstance(visitor.window.top, SettingsScene)
    assert isinstance(visitor.window.top.top_bar, TopBar)
    visitor.key(pygame.K_F10)
    assert len(visitor.window.scenes) == 2, "settings over settings"
    visitor.key(pygame.K_ESCAPE)
    assert visitor.window.top is visitor.scene
