"""A line at the edge of a board: what is the matter, and buttons to do something about it. It stops nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import pygame

from game.ui import svg, text
from game.ui.chrome import draw_card
from game.ui.controls import Button, Style
from game.ui.kit import Kit
from game.ui.theme import CONTROL_HEIGHT, FONT_BODY, Colour, Theme
from game.views.sokoban.accent import ACCENT

HEIGHT = 54
WIDEST = 660


@dataclass(frozen=True, slots=True)
class Offer:
    """A button of a banner."""

    label: str
    icon: str
    action: Callable[[], object]
    style: Style = "plain"
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """What a banner says. Two messages with the same key are the same."""

    key: str
    icon: str
    colour: Colour
    words: str
    offers: tuple[Offer, ...]
    shorter: tuple[str, ...] = ()
    """Words instead where those have no room, the longest first."""


class Banner:
    """Shows one message at a time; one that was closed stays away until another or none was due."""

    def __init__(self) -> None:
        """Nothing to say."""
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.message: Message | None = None
        self._closed = ""
        self._buttons: list[Button] = []
        self._words_right = 0

    def set(self, message: Message | None, kit: Kit, area: pygame.Rect, hidden: Callable[[pygame.Rect], int]) -> None:
        """What is due now, inside `area`, where it hides least; `hidden(rect)` says how much. Call it every frame."""
        key = message.key if message is not None else ""
        if key != self._closed:
            self._closed = ""
        if message is not None and key == self._closed:
            message = None
        if (message.key if message else "") == (self.message.key if self.message else ""):
            return
        self.clear()
        self.message = message
        if message is not None:
            self._build(message, kit, area, hidden)

    def clear(self) -> None:
        """Take it away; `set` brings it back, on a new kit for example."""
        for button in self._buttons:
            if button in button.kit.controls:
                button.kit.controls.remove(button)
            if button.alive():
                button.kill()
        self._buttons = []
        self.message = None
        self.rect = pygame.Rect(0, 0, 0, 0)

    def close(self) -> None:
        """Somebody does not want to see this message any more."""
        self._closed = self.message.key if self.message else ""
        self.clear()

    def covers(self, position: tuple[int, int]) -> bool:
        """Whether a point is on the banner."""
        return self.message is not None and self.rect.collidepoint(position)

    def _build(self, message: Message, kit: Kit, area: pygame.Rect, hidden: Callable[[pygame.Rect], int]) -> None:
        theme = kit.theme
        pad, gap, high = theme.px(14), theme.px(8), theme.px(CONTROL_HEIGHT)
        words = theme.px(40) + text.width(theme, message.words, FONT_BODY, "bold") + theme.px(18)
        widths = [text.width(theme, offer.label) + theme.px(50) for offer in message.offers]
        wanted = words + sum(widths) + gap * len(widths) + high + 2 * pad
        wide = min(wanted, theme.px(WIDEST), area.width)
        place = pygame.Rect(0, 0, wide, theme.px(HEIGHT))
        place.midbottom = (area.centerx, area.bottom - theme.px(4))
        shifts = (0, area.left - place.left, area.right - place.right)
        lifts = (0, area.top + theme.px(4) - place.top)
        places = [place.move(shift, lift) for lift in lifts for shift in shifts]
        self.rect = min(places, key=hidden)
        top = self.rect.centery - high // 2
        right = self.rect.right - pad + theme.px(4)
        right -= high
        close = pygame.Rect(right, top, high, high)
        self._buttons = [Button(kit, close, icon="close", style="ghost", on_press=self.close, tip="Close this line")]
        for offer, room in zip(reversed(message.offers), reversed(widths), strict=True):
            right -= room + gap
            place = pygame.Rect(right, top, room, high)
            press = partial(_press, offer)
            self._buttons.append(
                Button(
                    kit,
                    place,
                    offer.label,
                    icon=offer.icon,
                    style=offer.style,
                    on_press=press,
                    tip=offer.tip,
                    accent=ACCENT.on(theme),
                )
            )
        self._words_right = right - gap

    def draw(self, surface: pygame.Surface, theme: Theme) -> None:
        """Everything but the buttons."""
        if self.message is None:
            return
        draw_card(surface, theme, self.rect, theme.surface)
        edge = pygame.Rect(self.rect.left + theme.px(8), self.rect.top + theme.px(12), theme.px(3), 0)
        edge.height = self.rect.height - theme.px(24)
        surface.fill(self.message.colour, edge)
        glyph = theme.px(18)
        left = edge.right + theme.px(9)
        surface.blit(svg.icon(self.message.icon, glyph, self.message.colour), (left, self.rect.centery - glyph // 2))
        left += glyph + theme.px(10)
        room = self._words_right - left
        choices = (self.message.words, *self.message.shorter)
        words = next((each for each in choices if text.width(theme, each, weight="bold") <= room), choices[-1])
        text.draw(surface, theme, words, (left, self.rect.centery), weight="bold", anchor="midleft", limit=room)


def _press(offer: Offer) -> None:
    offer.action()
