"""Keys drawn as they look on a keyboard, for showing what to press without a word."""

import pygame

from game.ui import shapes, svg, text
from game.ui.theme import Theme, blend

ARROWS = ("arrow-up", "arrow-right", "arrow-down", "arrow-left")
"""Icon of the key for each direction (0 up, 1 right, 2 down, 3 left)."""


def draw(
    surface: pygame.Surface,
    theme: Theme,
    centre: tuple[float, float],
    side: int,
    icon: str = "",
    label: str = "",
    glow: float = 0.0,
) -> pygame.Rect:
    """One key with an icon or a short label; answers where it is.

    Args:
        surface: what to draw on.
        theme: its colours.
        centre: the middle of the key, in pixels.
        side: its edge in pixels.
        icon: name of an icon, drawn in place of the label.
        label: a sign or two.
        glow: 0 for a key at rest to 1 for one that is being pressed, which wears the thinking colour and goes down.
    """
    glow = min(1.0, max(0.0, glow))
    steps = round(glow * 8) / 8  # few colours, so that few pictures are kept
    deep = max(2, round(side * 0.10))
    rect = pygame.Rect(0, 0, side, side)
    rect.center = (round(centre[0]), round(centre[1]))
    fill = blend(theme.raised, theme.thinking, steps)
    low = blend(blend(theme.line, theme.ground, 0.25), theme.thinking, 0.5 * steps)
    radius = max(3, round(side * 0.2))
    surface.blit(shapes.rounded((side, side), radius, low), rect)
    down = round(deep * 0.7 * steps)
    face = pygame.Rect(rect.left, rect.top + down, side, side - deep)
    edge = blend(theme.line, theme.thinking, max(0.35, steps))
    surface.blit(shapes.rounded(face.size, radius, fill, edge, max(1, round(side * 0.035))), face)
    ink = blend(theme.text, theme.thinking_ink, steps)
    if icon:
        glyph = max(10, round(side * 0.56))
        surface.blit(svg.icon(icon, glyph, ink), (face.centerx - glyph // 2, face.centery - glyph // 2))
    else:
        text.draw(
            surface, theme, label, face.center, size=side * 0.46 / theme.scale, weight="bold", colour=ink,
            anchor="center",
        )  # fmt: skip
    return rect


def pulse(age: float, seconds: float = 1.6) -> float:
    """How far down a key is that is pressed again and again, 0 to 1, `age` seconds after the first time began."""
    share = age % seconds / seconds
    return max(0.0, 1.0 - abs(share - 0.3) / 0.22)
