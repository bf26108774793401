"""Colours that can be read (WCAG 2.2: 4.5 to 1 for text), sizes, fonts."""

import pygame
import pytest

from game.ui.controls import Button
from game.ui.kit import Kit
from game.ui.theme import ASSETS, FONT_FILES, FONT_SMALL, PALETTES, Theme, blend

GAMES = ("sokoban", "twenty48", "connect4")
TEXT_ROLES = ("text", "muted", *GAMES, "thinking", "good", "bad")
BACKGROUNDS = ("ground", "surface", "raised")
STYLES = ("plain", "primary", "accent", "ghost", "danger")


def luminance(colour):
    """Relative luminance, WCAG 2.2."""
    parts = [value / 255 for value in pygame.Color(colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    """Contrast ratio, 1 to 21."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def test_the_formula_itself():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("background", BACKGROUNDS)
@pytest.mark.parametrize("role", TEXT_ROLES)
def test_text_reads_on_every_background(name, role, background):
    theme = Theme(name)
    ratio = contrast(getattr(theme, role), getattr(theme, background))
    assert ratio >= 4.5, f"{role} on {background} in the {name} theme: {ratio:.2f}"


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("role", (*GAMES, "thinking", "good", "bad"))
def test_ink_reads_on_accents(name, role):
    theme = Theme(name)
    fill = getattr(theme, role)
    ratio = contrast(theme.ink_on(fill), fill)
    assert ratio >= 4.5, f"ink on {role} in the {name} theme: {ratio:.2f}"
    assert contrast(theme.thinking_ink, theme.thinking) >= 4.5


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("game", GAMES)
def test_buttons_read_at_rest_hovered_and_pressed(name, style, game):
    pygame.font.init()
    theme = Theme(name)
    kit = Kit(theme, (400, 200), pointer=(-1, -1))
    button = Button(kit, pygame.Rect(10, 10, 100, 38), "b", style=style, on_press=int, accent=theme.accent(game))
    for hovered, pressed in ((False, False), (True, False), (True, True)):
        button.hovered, button.pressed = hovered, pressed
        fill, ink = button.colours()
        seen = theme.surface if fill.a == 0 else fill
        floor = 4.5 if not pressed else 3.0
        assert contrast(ink, seen) >= floor, (style, hovered, pressed, contrast(ink, seen))


@pytest.mark.parametrize("name", PALETTES)
def test_the_three_games_and_the_agent_are_told_apart(name):
    theme = Theme(name)
    hues = [getattr(theme, role).hsva[0] for role in (*GAMES, "thinking")]
    for at, first in enumerate(hues):
        for second in hues[at + 1 :]:
            apart = abs(first - second) % 360
            assert min(apart, 360 - apart) >= 20, hues


@pytest.mark.parametrize("scale", [0.8, 1.0, 1.3, 2.0])
def test_no_text_below_13_pixels(scale):
    pygame.font.init()
    theme = Theme("dark", scale)
    small = theme.font(FONT_SMALL)
    assert small.get_height() >= pygame.font.Font(ASSETS / FONT_FILES["regular"], 13).get_height()
    assert theme.font(10) is small or scale > 1
    assert int(theme.gui_theme()["defaults"]["font"]["size"]) >= 13


def test_lengths_scale_and_never_vanish():
    theme = Theme("dark", 0.8)
    assert (theme.px(10), theme.px(0), theme.px(0.3), theme.px(-10)) == (8, 0, 1, -8)


def test_the_librarys_theme_wears_our_colours():
    theme = Theme("light")
    colours = theme.gui_theme()["defaults"]["colours"]
    assert pygame.Color(colours["normal_text"]) == theme.text
    assert pygame.Color(colours["dark_bg"]) == theme.raised


def test_blend_stays_between_its_ends():
    black, white = pygame.Color("#000000"), pygame.Color("#ffffff")
    assert blend(black, white, -1) == black
    assert blend(black, white, 2) == white
    assert blend(black, white, 0.5).r in (127, 128)


def test_accent_of_something_else_is_the_thinking_colour():
    theme = Theme("dark")
    assert theme.accent("connect4") == theme.connect4
    assert theme.accent("ground") == theme.accent("draughts") == theme.thinking
