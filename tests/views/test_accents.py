"""The games' accents can be read (WCAG 2.2: 4.5 to 1 for text) and told apart."""

import pygame
import pytest

from game.rules.games import GAMES
from game.ui.controls import Button
from game.ui.kit import Kit
from game.ui.theme import PALETTES, Theme
from game.views.view import accent_of, view_of
from tests.ui.test_theme import BACKGROUNDS, contrast

STYLES = ("plain", "primary", "accent", "ghost", "danger")


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("game", GAMES)
def test_accents_read_on_every_background_and_under_ink(name, game):
    theme = Theme(name)
    accent = accent_of(theme, game)
    for background in BACKGROUNDS:
        ratio = contrast(accent, getattr(theme, background))
        assert ratio >= 4.5, f"{game} on {background} in the {name} theme: {ratio:.2f}"
    assert contrast(theme.ink_on(accent), accent) >= 4.5


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("game", GAMES)
def test_buttons_read_at_rest_hovered_and_pressed(name, style, game):
    pygame.font.init()
    theme = Theme(name)
    kit = Kit(theme, (400, 200), pointer=(-1, -1))
    button = Button(kit, pygame.Rect(10, 10, 100, 38), "b", style=style, on_press=int, accent=accent_of(theme, game))
    for hovered, pressed in ((False, False), (True, False), (True, True)):
        button.hovered, button.pressed = hovered, pressed
        fill, ink = button.colours()
        seen = theme.surface if fill.a == 0 else fill
        floor = 4.5 if not pressed else 3.0
        assert contrast(ink, seen) >= floor, (style, hovered, pressed, contrast(ink, seen))


@pytest.mark.parametrize("name", PALETTES)
def test_the_games_and_the_agent_are_told_apart(name):
    theme = Theme(name)
    hues = [colour.hsva[0] for colour in (*(accent_of(theme, game) for game in GAMES), theme.thinking)]
    for at, first in enumerate(hues):
        for second in hues[at + 1 :]:
            apart = abs(first - second) % 360
            assert min(apart, 360 - apart) >= 20, hues


def test_accent_of_something_else_is_the_thinking_colour():
    theme = Theme("dark")
    assert accent_of(theme, "connect4") == view_of("connect4").accent.on(theme) == pygame.Color("#35b8a6")
    assert accent_of(theme, "ground") == accent_of(theme, "draughts") == theme.thinking
