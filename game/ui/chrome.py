"""The bars around every screen: the top bar with its buttons, the status bar, and cards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import pygame
from typing_extensions import override

from game.ui import shapes, text
from game.ui.controls import Button
from game.ui.kit import Kit
from game.ui.shortcuts import Group, keys_shown
from game.ui.theme import (
    FONT_HEADING,
    FONT_SMALL,
    GUTTER,
    RADIUS_CARD,
    STATUS_BAR,
    TOP_BAR,
    Colour,
    Theme,
    blend,
    str_hex,
)

ICON_BUTTON = 36
SHADOW_SPREAD = 10
"""How far the shadow of a card reaches."""


@dataclass(frozen=True, slots=True)
class Action:
    """An icon button of the top bar; its key is taken from the shortcut table."""

    icon: str
    title: str
    command: str
    accent: bool = False
    """Whether it wears the thinking colour."""


class TopBar:
    """Back, the screen's name, what is shown, and the buttons on the right."""

    def __init__(
        self,
        kit: Kit,
        width: int,
        title: str,
        accent: Colour,
        actions: Sequence[Action],
        command: Callable[[str], object],
        groups: Sequence[Group] = (),
    ) -> None:
        """`command` is called with 'back' or an action's command; `groups` has the keys of actions that are the screen's own."""
        self.theme, self.title, self.accent, self.below = kit.theme, title, accent, kit.below
        self.subtitle = ""
        self.shorter: tuple[str, ...] = ()
        """What to say instead where the subtitle has no room, the longest first."""
        theme = kit.theme
        side, gutter = theme.px(ICON_BUTTON), theme.px(GUTTER)
        self.rect = pygame.Rect(0, 0, width, theme.px(TOP_BAR))
        top = (self.rect.height - side) // 2
        Button(
            kit, pygame.Rect(gutter, top, side, side), icon="back", on_press=lambda: command("back"),
            tip=f"Back ({keys_shown('back')})",
        )  # fmt: skip
        self.buttons: dict[str, Button] = {}
        gap = theme.px(10)
        right = width - gutter - len(actions) * (side + gap) + gap
        self.left, self.right = gutter + side + theme.px(14), right - gap
        for action in actions:  # from left to right, as Tab goes
            self.buttons[action.command] = _IconButton(
                kit,
                pygame.Rect(right, top, side, side),
                action,
                keys_shown(action.command, groups),
                partial(command, action.command),
                accent,
            )
            right += side + gap

    def draw(self, surface: pygame.Surface) -> None:
        """Everything but the buttons."""
        theme, middle = self.theme, self.rect.centery
        surface.fill(theme.line, (0, self.rect.bottom - 1, self.rect.width, 1))
        place = text.draw(surface, theme, self.below, (self.left, middle), colour=theme.muted, anchor="midleft")
        dot = theme.px(10)
        surface.blit(shapes.disc(dot, self.accent), (place.right + theme.px(14), middle - dot // 2))
        place = text.draw(
            surface,
            theme,
            self.title,
            (place.right + theme.px(38), middle),
            size=FONT_HEADING,
            weight="bold",
            anchor="midleft",
        )
        if self.subtitle:
            left = place.right + theme.px(14)
            room = self.right - left
            words = text.fitting(theme, (self.subtitle, *self.shorter, ""), room) if self.shorter else self.subtitle
            text.draw(surface, theme, words, (left, middle), colour=theme.muted, anchor="midleft", limit=room)


class _IconButton(Button):
    def __init__(
        self, kit: Kit, rect: pygame.Rect, action: Action, keys: str, on_press: Callable[[], object], accent: Colour
    ) -> None:
        self.thinks, self.command = action.accent, action.command
        tip = f"{action.title} ({keys})"
        super().__init__(kit, rect, icon=action.icon, on_press=lambda: (on_press(), None)[1], tip=tip, accent=accent)

    @override
    def colours(self) -> tuple[Colour, Colour]:
        fill, ink = super().colours()
        return fill, (self.theme.thinking if self.thinks and not self.selected else ink)


@dataclass(frozen=True, slots=True)
class Chip:
    """A word in the status bar about what goes on behind the screen; a click gives its command."""

    text: str
    command: str
    share: float | None = None
    """How much is done, if that is known."""
    busy: bool = True


def fill_ground(surface: pygame.Surface, theme: Theme, place: pygame.Rect, covered: pygame.Rect) -> None:
    """Fill `place` with the theme's ground, all but what is `covered` anyway."""
    inner = covered.clip(place)
    beside = (
        (place.left, inner.top, inner.left - place.left, inner.height),
        (inner.right, inner.top, place.right - inner.right, inner.height),
    )
    above = (place.left, place.top, place.width, inner.top - place.top)
    below = (place.left, inner.bottom, place.width, place.bottom - inner.bottom)
    for part in (above, *beside, below):
        surface.fill(theme.ground, part)


def status_place(theme: Theme, size: tuple[int, int]) -> pygame.Rect:
    """Where the status bar of a window of `size` pixels is."""
    width, height = size
    return pygame.Rect(0, height - theme.px(STATUS_BAR), width, theme.px(STATUS_BAR))


def draw_status(
    surface: pygame.Surface,
    theme: Theme,
    left: str,
    right: str,
    thinking: bool,
    phase: float,
    chip: Chip | None = None,
) -> pygame.Rect | None:
    """The bar at the bottom: a dot (breathing while something thinks), what happens, a note and a chip on the right.

    Returns:
        Where the chip is.
    """
    bar = status_place(theme, surface.get_size())
    surface.fill(theme.ground.lerp(theme.surface if not theme.dark else pygame.Color(0, 0, 0), 0.35), bar)
    gutter = theme.px(GUTTER)
    dot = theme.px(8)
    shine = pygame.Color(theme.thinking)
    if thinking:
        shine = shine.lerp(theme.text, 0.5 * abs(1 - 2 * (phase % 1.0)))
    elif not left:
        shine = theme.line
    surface.blit(shapes.disc(dot, shine), (gutter, bar.centery - dot // 2))
    edge = bar.right - gutter
    where = None
    if chip is not None:
        where = _draw_chip(surface, theme, chip, edge, bar)
        edge = where.left - theme.px(14)
    place = text.draw(
        surface, theme, right, (edge, bar.centery), size=FONT_SMALL, colour=theme.muted, anchor="midright"
    )
    text.draw(
        surface, theme, left, (gutter + dot + theme.px(12), bar.centery), size=FONT_SMALL, colour=theme.muted,
        anchor="midleft", limit=place.left - gutter - dot - theme.px(28),
    )  # fmt: skip
    return where


def _draw_chip(surface: pygame.Surface, theme: Theme, chip: Chip, right: int, bar: pygame.Rect) -> pygame.Rect:
    pad, high = theme.px(10), theme.px(22)
    wide = text.width(theme, chip.text, FONT_SMALL, "medium") + 2 * pad
    rect = pygame.Rect(right - wide, bar.centery - high // 2, wide, high)
    fill = blend(theme.surface, theme.thinking, 0.16)
    surface.blit(shapes.rounded(rect.size, high // 2, fill), rect)
    if chip.share is not None:
        done = round(wide * min(1.0, max(0.0, chip.share)))
        clip = surface.get_clip()
        surface.set_clip(pygame.Rect(rect.left, rect.top, done, high).clip(clip))
        surface.blit(shapes.rounded(rect.size, high // 2, blend(theme.surface, theme.thinking, 0.38)), rect)
        surface.set_clip(clip)
    ink = theme.text if chip.busy else blend(theme.thinking, theme.text, 0.3)
    text.draw(surface, theme, chip.text, rect.center, size=FONT_SMALL, weight="medium", colour=ink, anchor="center")
    return rect


def draw_veil(surface: pygame.Surface, theme: Theme, alpha: int) -> None:
    """Dim everything drawn so far; `alpha` 0 to 255 is how much."""
    veil = _veil(surface.get_size(), str_hex(theme.ground))
    veil.set_alpha(alpha)
    surface.blit(veil, (0, 0))


@lru_cache(maxsize=1)
def _veil(size: tuple[int, int], colour: str) -> pygame.Surface:
    veil = pygame.Surface(size)
    veil.fill(colour)
    return veil


def draw_card(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, colour: Colour | None = None) -> None:
    """A card with its soft shadow."""
    radius, spread = theme.px(RADIUS_CARD), theme.px(SHADOW_SPREAD)
    fill = colour if colour is not None else theme.surface
    card = shapes.shadowed(rect.size, radius, fill, spread, theme.px(3), theme.shadow_alpha)
    surface.blit(card, (rect.left - spread, rect.top - spread), special_flags=pygame.BLEND_PREMULTIPLIED)


def draw_heading(
    surface: pygame.Surface,
    theme: Theme,
    high: int,
    rect: pygame.Rect,
    title: str,
    note: str = "",
    note_colour: Colour | None = None,
) -> None:
    """The small capitals in the top `high` pixels of a card, with a note on the right."""
    pad = theme.px(16)
    y = rect.top + high // 2 + theme.px(2)
    place = text.draw(
        surface, theme, title.upper(), (rect.left + pad, y), size=FONT_SMALL, colour=theme.muted, anchor="midleft"
    )
    text.draw(
        surface, theme, note, (rect.right - pad, y), size=FONT_SMALL, anchor="midright",
        colour=note_colour if note_colour is not None else theme.muted, limit=rect.right - pad - place.right - theme.px(10),
    )  # fmt: skip


def draw_row(
    surface: pygame.Surface,
    theme: Theme,
    rect: pygame.Rect,
    y: int,
    name: str,
    value: str,
    colour: Colour | None = None,
) -> None:
    """A line of a card: a muted name on the left, its value on the right; `y` is the middle of the line."""
    pad = theme.px(16)
    place = text.draw(surface, theme, name, (rect.left + pad, y), colour=theme.muted, anchor="midleft")
    text.draw(
        surface, theme, value, (rect.right - pad, y), anchor="midright", colour=colour,
        limit=rect.right - pad - place.right - theme.px(8),
    )  # fmt: skip


def draw_bar(surface: pygame.Surface, rect: pygame.Rect, share: float, fill: Colour, track: Colour) -> None:
    """A thin bar, `share` (0 to 1) of it filled."""
    surface.blit(shapes.rounded(rect.size, rect.height // 2, track), rect)
    wide = round(rect.width * min(1.0, max(0.0, share)))
    if wide >= rect.height:
        surface.blit(shapes.rounded((wide, rect.height), rect.height // 2, fill), rect)


def draw_curve(
    surface: pygame.Surface, rect: pygame.Rect, values: Sequence[float], colour: Colour, low: float, high: float
) -> None:
    """A curve through `values` spread over `rect`, filled softly below; `low` and `high` are the ends of the scale."""
    if len(values) < 2:
        return
    span = (high - low) or 1.0
    points = [
        (
            rect.left + rect.width * number / (len(values) - 1),
            rect.bottom - rect.height * (min(high, max(low, value)) - low) / span,
        )
        for number, value in enumerate(values)
    ]
    veil = pygame.Surface(rect.size, pygame.SRCALPHA)
    local = [(x - rect.left, y - rect.top) for x, y in points]
    pygame.draw.polygon(
        veil, (colour.r, colour.g, colour.b, 50), [*local, (rect.width, rect.height), (0, rect.height)]
    )
    surface.blit(veil, rect)
    pygame.draw.aalines(surface, colour, False, points)
    pygame.draw.lines(surface, colour, False, points, 2)
