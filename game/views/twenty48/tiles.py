"""The look of 2048's tiles: one ramp from sand over warm to violet, blue and green, each number drawn once per size."""

import pygame

from game.ui import shapes
from game.ui.surfaces import kept
from game.ui.theme import ASSETS, FONT_FILES

DARK_INK, LIGHT_INK = "#3f3a30", "#ffffff"

RAMP: tuple[tuple[str, str], ...] = (
    ("#ece7dc", DARK_INK),  # 2
    ("#e6d7b2", DARK_INK),
    ("#f2bd7c", DARK_INK),
    ("#ee9a5c", DARK_INK),  # 16
    ("#dd6a41", LIGHT_INK),
    ("#d9503f", LIGHT_INK),  # 64
    ("#cf4570", LIGHT_INK),
    ("#b24a95", LIGHT_INK),
    ("#9150b3", LIGHT_INK),  # 512
    ("#7257c8", LIGHT_INK),
    ("#5560d6", LIGHT_INK),  # 2048
    ("#3f74d4", LIGHT_INK),
    ("#2680c2", LIGHT_INK),  # 8192
    ("#167f9c", LIGHT_INK),
    ("#12806a", LIGHT_INK),  # 32768
    ("#4b7d1f", LIGHT_INK),  # 65536
    ("#8a6a00", LIGHT_INK),
)
"""(fill, ink) of exponent 1, 2, …; larger exponents keep the last."""

DIGITS_HIGH, DIGITS_WIDE = 0.56, 0.80
"""Font size and greatest width of a number, as shares of the tile."""
LEAST_DIGITS = 12
"""Pixels of a font below which five digits and more are written in thousands (1024 is one)."""


def colours(exponent: int) -> tuple[pygame.Color, pygame.Color]:
    """(fill, ink) of a tile."""
    fill, ink = RAMP[min(exponent, len(RAMP)) - 1]
    return pygame.Color(fill), pygame.Color(ink)


@kept
def tile(exponent: int, side: int) -> pygame.Surface:
    """One tile of `side` pixels with a thin lower edge; shared, do not draw on it."""
    fill, ink = colours(exponent)
    radius = max(2, round(side * 0.08))
    surface = pygame.Surface((side, side), pygame.SRCALPHA)
    edge = max(1, round(side * 0.025))
    low = fill.lerp(pygame.Color(0, 0, 0), 0.28)
    surface.blit(shapes.rounded((side, side), radius, low), (0, 0))
    surface.blit(shapes.rounded((side, side - edge), radius, fill), (0, 0))
    if side >= 12:
        image = _number(exponent, side, ink)
        surface.blit(image, image.get_rect(center=(side // 2, (side - edge) // 2)))
    return surface


@kept
def scaled(exponent: int, whole: int, side: int) -> pygame.Surface:
    """A tile of `whole` pixels on its way to that size, `side` pixels large: quicker than drawing one of that size."""
    return pygame.transform.smoothscale(tile(exponent, whole), (side, side))


def _number(exponent: int, side: int, ink: pygame.Color) -> pygame.Surface:
    """The digits as large as they fit; '16K' for 16384 and so on where they would be too small to read."""
    path = ASSETS / FONT_FILES["bold"]
    size = side * DIGITS_HIGH
    measure = pygame.font.Font(path, 64)
    digits = str(1 << exponent)
    wide = measure.size(digits)[0] / 64
    if len(digits) > 4 and side * DIGITS_WIDE / wide < LEAST_DIGITS:
        digits = f"{1 << (exponent - 10)}K"
        wide = measure.size(digits)[0] / 64
    return pygame.font.Font(path, max(6, int(min(size, side * DIGITS_WIDE / wide)))).render(digits, True, ink)
