"""Short messages that come, stay a few seconds and go."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import pygame

from game.ui import shapes, svg, text
from game.ui.theme import RADIUS_CONTROL, Theme
from game.ui.tween import ease_out

Kind = Literal["info", "good", "bad"]
SECONDS = {"info": 4.0, "good": 4.0, "bad": 8.0}
MOST_BAD = 3
"""Messages of something that went wrong that are shown at once; of all others only the newest."""
FRESH_SECONDS = 0.5
"""A message as young as this was said on the way to another screen and goes there with it."""


@dataclass(slots=True)
class Toast:
    """One message and how long it has been there."""

    text: str
    kind: Kind
    age: float = 0.0
    holds: Callable[[], bool] | None = None
    """Asks whether it is still true; None for what stays true."""


class Toasts:
    """The messages on screen, newest at the bottom: a new one takes the place of what was said before.

    What went wrong stays beside it for its time, and so does what was said in the same frame. The same text twice is shown
    once, afresh.
    """

    def __init__(self) -> None:
        """None yet."""
        self.items: list[Toast] = []

    def say(self, message: str, kind: Kind = "info", holds: Callable[[], bool] | None = None) -> None:
        """Show a sentence, no longer than it `holds`."""
        others = [item for item in self.items if item.text != message]
        bad = [item for item in others if item.kind == "bad"][-(MOST_BAD - (kind == "bad")) :]
        together = [item for item in others if item.kind != "bad" and item.age == 0][-1:]
        self.items = [*bad, *together, Toast(message, kind, holds=holds)]

    def leave(self) -> None:
        """Another screen comes: what was said on the one before goes with it, but for what went wrong for good."""
        lasting = [item for item in self.items if item.kind == "bad" and item.holds is None]
        self.items = [item for item in self.items if item in lasting or item.age < FRESH_SECONDS]

    def update(self, dt: float) -> None:
        """Let `dt` seconds pass."""
        for item in self.items:
            item.age += dt
        self.items = [
            item for item in self.items if item.age < SECONDS[item.kind] and (item.holds is None or item.holds())
        ]

    def draw(self, surface: pygame.Surface, theme: Theme, bottom: int) -> None:
        """Centred, on `bottom`: over the status bar and off the board."""
        width, pad, gap, glyph = surface.get_width(), theme.px(14), theme.px(8), theme.px(18)
        margin = theme.px(7)
        for item in reversed(self.items):
            limit = width - theme.px(64) - 2 * pad - glyph - gap
            lines = text.wrap(theme, item.text, limit)
            line_height = theme.font().get_linesize()
            wide = max(text.width(theme, line) for line in lines) + 2 * pad + glyph + gap
            high = line_height * len(lines) + 2 * margin
            ease = ease_out(item.age / 0.18) * min(1.0, (SECONDS[item.kind] - item.age) / 0.25)
            box = pygame.Rect(0, 0, wide, high)
            box.midbottom = (width // 2, bottom - theme.px(4) + round((1 - ease) * theme.px(12)))
            ink = {"info": theme.thinking, "good": theme.good, "bad": theme.bad}[item.kind]
            icon = {"info": "info", "good": "check", "bad": "warning"}[item.kind]
            surface.blit(shapes.rounded(box.size, theme.px(RADIUS_CONTROL), theme.raised, ink, 1), box)
            surface.blit(svg.icon(icon, glyph, ink), (box.left + pad, box.centery - glyph // 2))
            for number, line in enumerate(lines):
                text.draw(
                    surface,
                    theme,
                    line,
                    (box.left + pad + glyph + gap, box.top + margin + number * line_height),
                )
            bottom = box.top
