"""Colours, sizes and fonts: the one place where the look is decided.

`Theme` answers everything a screen asks about its look: a colour by role (`theme.text`), a length in pixels at the
current scale (`theme.px(16)`), a font. The pygame_gui theme is generated from the same palette (`gui_theme`).
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import pygame

ASSETS = Path(__file__).resolve().parents[2] / "assets"
Weight = Literal["regular", "medium", "bold"]
ThemeName = Literal["dark", "light"]
Colour = pygame.Color

# Sizes in units; multiply with Theme.px. The grid is 8.
TOP_BAR, STATUS_BAR = 56, 28
PANEL, PANEL_NARROW = 320, 280
GUTTER = 16
RADIUS_CARD, RADIUS_CONTROL = 12, 8
CONTROL_HEIGHT = 38
FONT_SMALL, FONT_BODY, FONT_HEADING, FONT_TITLE = 13, 14, 18, 30


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by role, as hex text. An `_ink` colour is text on the colour that it is named for.

    Text, muted, thinking, good and bad read at 4.5 : 1 or more on ground, surface and raised (WCAG 2.2, 1.4.3).
    """

    ground: str
    surface: str
    raised: str
    line: str
    text: str
    muted: str
    thinking: str
    thinking_ink: str
    good: str
    bad: str
    wall_top: str
    wall: str
    wall_low: str
    shadow_alpha: int


PALETTES: dict[ThemeName, Palette] = {
    "dark": Palette(
        ground="#14161c", surface="#1d2029", raised="#272b37", line="#343a49", text="#e8eaf0", muted="#9aa3b5",
        thinking="#9183f6", thinking_ink="#14161c", good="#4cc38a", bad="#f16a6e",
        wall_top="#6d7690", wall="#5a6177", wall_low="#474d61", shadow_alpha=90,
    ),
    "light": Palette(
        ground="#f5f3ee", surface="#ffffff", raised="#ece8df", line="#d9d3c6", text="#22252e", muted="#5f6673",
        thinking="#5b4bd0", thinking_ink="#ffffff", good="#177044", bad="#c4282d",
        wall_top="#a7afc2", wall="#8b93a8", wall_low="#747c92", shadow_alpha=36,
    ),
}  # fmt: skip


def blend(first: Colour, second: Colour, share: float) -> Colour:
    """`first` with `share` (0 to 1) of `second` mixed in."""
    return first.lerp(second, max(0.0, min(1.0, share)))


class Theme:
    """A palette at a scale. Immutable in use: a change of theme or scale makes a new one and screens are rebuilt."""

    def __init__(self, name: ThemeName = "dark", scale: float = 1.0) -> None:
        """`scale` multiplies every length and font size; 1.0 is one unit a pixel."""
        self.name = name
        self.scale = scale
        self.palette = PALETTES[name]
        for role, value in self.palette_items():
            setattr(self, role, pygame.Color(value))

    ground: Colour
    surface: Colour
    raised: Colour
    line: Colour
    text: Colour
    muted: Colour
    thinking: Colour
    thinking_ink: Colour
    good: Colour
    bad: Colour
    wall_top: Colour
    wall: Colour
    wall_low: Colour

    def palette_items(self) -> list[tuple[str, str]]:
        """(role, hex) of every colour."""
        fields = self.palette.__dataclass_fields__
        return [(role, getattr(self.palette, role)) for role in fields if role != "shadow_alpha"]

    @property
    def shadow_alpha(self) -> int:
        """How dark soft shadows are, 0 to 255."""
        return self.palette.shadow_alpha

    @property
    def dark(self) -> bool:
        """Whether this is the dark theme."""
        return self.name == "dark"

    def ink_on(self, fill: Colour) -> Colour:
        """Black or white text, whichever reads better on `fill`."""
        light = 0.299 * fill.r + 0.587 * fill.g + 0.114 * fill.b
        return pygame.Color("#14161c") if light > 140 else pygame.Color("#ffffff")

    def px(self, units: float) -> int:
        """`units` of the layout in pixels, at least 1 for anything above 0."""
        return max(1, round(units * self.scale)) if units > 0 else round(units * self.scale)

    def font(self, size: float = FONT_BODY, weight: Weight = "regular") -> pygame.font.Font:
        """A font of `size` units, never below 13 pixels."""
        return _font(weight, max(13, round(size * self.scale)))

    def gui_theme(self) -> dict[str, Any]:
        """The same look for the elements pygame_gui draws itself (text entry lines)."""
        colours = {
            "dark_bg": str_hex(self.raised), "normal_bg": str_hex(self.raised), "normal_text": str_hex(self.text),
            "selected_bg": str_hex(self.thinking), "selected_text": str_hex(self.thinking_ink),
            "normal_border": str_hex(self.line), "text_cursor": str_hex(self.text), "disabled_bg": str_hex(self.surface),
            "focused_border": str_hex(self.thinking),
        }  # fmt: skip
        font = {"name": "trilogic", "size": str(max(13, self.px(FONT_BODY)))}
        return {
            "defaults": {"colours": colours, "font": font},
            "text_entry_line": {"font": font, "misc": {
                "shape": "rounded_rectangle", "shape_corner_radius": f"{self.px(RADIUS_CONTROL)}",
                "border_width": "1", "shadow_width": "0", "padding": f"{self.px(10)},{self.px(6)}",
            }},
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Accent:
    """A colour that some screens wear besides those of the palette, as hex text for either theme.

    It fills, and as text it reads at 4.5 : 1 or more on ground, surface and raised.
    """

    dark: str
    light: str

    def on(self, theme: Theme) -> Colour:
        """The colour in that theme."""
        return pygame.Color(self.dark if theme.dark else self.light)


def str_hex(colour: Colour) -> str:
    """#rrggbb."""
    return f"#{colour.r:02x}{colour.g:02x}{colour.b:02x}"


FONT_FILES: dict[Weight, str] = {
    "regular": "fonts/TrilogicInter-Regular.otf",
    "medium": "fonts/TrilogicInter-SemiBold.otf",
    "bold": "fonts/TrilogicInter-Bold.otf",
}


def font_of(pixels: int, weight: Weight = "regular") -> pygame.font.Font:
    """A font so many pixels high, however small: for letters that are part of a picture."""
    return _font(weight, max(1, pixels))


@lru_cache(maxsize=64)
def _font(weight: Weight, pixels: int) -> pygame.font.Font:
    return pygame.font.Font(ASSETS / FONT_FILES[weight], pixels)
