"""Colours that can be read (WCAG 2.2: 4.5 to 1 for text), sizes, fonts."""

import pygame
import pytest

from game.ui.theme import ASSETS, FONT_FILES, FONT_SMALL, PALETTES, Theme, blend

TEXT_ROLES = ("text", "muted", "thinking", "good", "bad")
BACKGROUNDS = ("ground", "surface", "raised")


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
@pytest.mark.parametrize("role", ("thinking", "good", "bad"))
def test_ink_reads_on_accents(name, role):
    theme = Theme(name)
    fill = getattr(theme, role)
    ratio = contrast(theme.ink_on(fill), fill)
    assert ratio >= 4.5, f"ink on {role} in the {name} theme: {ratio:.2f}"
    assert contrast(theme.thinking_ink, theme.thinking) >= 4.5


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
