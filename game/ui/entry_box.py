"""A box with a label and a value that can be typed as well as stepped: numbers with their exact digits, short texts."""

from collections.abc import Callable

import pygame
from typing_extensions import override

from game.ui import clipboard, shapes, text
from game.ui.controls import Stepper
from game.ui.kit import Kit
from game.ui.theme import RADIUS_CONTROL, blend

LONGEST = 200
ARROW = 24
"""Units at both ends in which a click steps."""


class EntryBox(Stepper):
    """Focused, letters and digits are typed; Enter or leaving takes them, Esc drops them. A click in the middle edits.

    Without `on_step` there are no arrows: it is a box for a text.
    """

    def __init__(
        self,
        kit: Kit,
        rect: pygame.Rect,
        label: str,
        value: str,
        *,
        plain: Callable[[], str],
        on_type: Callable[[str], str],
        on_step: Callable[[int], str] | None = None,
        tip: str = "",
    ) -> None:
        """`plain()` is the value as it is edited; `on_type(text)` takes what was typed and returns what is shown then."""
        self.plain, self.on_type, self.steps = plain, on_type, on_step is not None
        self.typed: str | None = None
        """What is being typed, None while nothing is."""
        self.wrong = False
        """Whether to mark it: what it says is not possible."""
        self.whole = False
        """Whether all that is typed is marked, so that the next letter replaces it."""
        super().__init__(kit, rect, label, value, on_step=on_step or (lambda _by: self.value), tip=tip)

    def mark(self, wrong: bool) -> None:
        """Show whether its value is possible."""
        if wrong != self.wrong:
            self.wrong = wrong
            self.repaint()

    def edit(self, typed: str, whole: bool = False) -> None:
        """Begin to type, or go on with this text; `whole`: the next letter replaces it."""
        self.typed, self.whole = text.typed(self.theme, typed[:LONGEST]), whole
        self.repaint()

    def _add(self, letters: str) -> None:
        self.edit(("" if self.whole else self.typed or "") + letters)

    def take(self) -> None:
        """What was typed is the value now."""
        if self.typed is not None:
            typed, self.typed = self.typed.strip(), None
            self.value = self.on_type(typed)
            self.repaint()

    @override
    def focus_changed(self) -> None:
        """Typing ends with the focus."""
        if self.kit.focused is not self:
            self.take()
        super().focus_changed()

    @override
    def key(self, event: pygame.event.Event) -> bool:
        """Typing, and while nothing is typed the arrows of a stepper."""
        typing = self.typed is not None
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            if typing:
                self.take()
            else:
                self.edit(self.plain(), whole=True)
        elif event.key == pygame.K_ESCAPE and typing:
            self.typed = None
            self.repaint()
        elif event.key in (pygame.K_BACKSPACE, pygame.K_DELETE):
            self.edit(self.typed[:-1] if self.typed is not None and event.key == pygame.K_BACKSPACE else "")
        elif event.key == pygame.K_v and event.mod & pygame.KMOD_CTRL:
            self._add(" ".join(clipboard.read().split()))
        elif self._letter(event):
            self._add(event.unicode)
        elif self.typed is not None and event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            self.edit(self.typed)
        else:
            return self.steps and not typing and super().key(event)
        return True

    def _letter(self, event: pygame.event.Event) -> bool:
        letter = getattr(event, "unicode", "")
        if (
            not letter
            or not letter.isprintable()
            or event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_GUI)
        ):
            return False
        # a number begins with a digit; a stepper of numbers leaves other keys to the screen
        return self.typed is not None or (letter in "0123456789.-" if self.steps else letter != " ")

    @override
    def grab(self, position: tuple[int, int]) -> None:
        """The ends step, the middle edits."""
        edge = self.theme.px(ARROW)
        if self.steps and self.typed is None and position[0] < self.rect.left + edge:
            self.step(-1)
        elif self.steps and self.typed is None and position[0] >= self.rect.right - edge:
            self.step(1)
        else:
            self.kit.focus(self)
            if self.typed is None:
                self.edit(self.plain(), whole=True)
            elif self.whole:
                self.edit(self.typed)

    @override
    def paint(self, surface: pygame.Surface) -> None:
        """As a stepper; while typing a field with a caret."""
        theme, (width, height) = self.theme, surface.get_size()
        edge = theme.bad if self.wrong else theme.thinking if self.typed is not None else None
        if self.typed is None and self.steps:
            super().paint(surface)
        else:
            fill = blend(theme.raised, theme.text, 0.08 if self.lit and self.typed is None else 0.0)
            surface.blit(shapes.rounded((width, height), theme.px(RADIUS_CONTROL), fill), (0, 0))
            pad = theme.px(12)
            place = text.draw(surface, theme, self.label, (pad, height / 2), colour=theme.muted, anchor="midleft",
                              limit=(width - 2 * pad) // 2)  # fmt: skip
            room = width - place.right - theme.px(10) - pad
            shown = self.value if self.typed is None else self.typed
            if self.typed is not None:
                shown = _end(self.typed, lambda part: text.width(theme, part) <= room - theme.px(4))
            place = pygame.Rect(0, 0, min(room, text.width(theme, shown)), theme.px(22))
            place.midright = (width - pad, height // 2)
            if self.typed and self.whole:
                surface.fill(blend(theme.raised, theme.thinking, 0.5), place)
            text.draw(surface, theme, shown, (width - pad, height / 2), anchor="midright", limit=room)
            if self.typed is not None:
                high = theme.px(18)
                surface.fill(
                    theme.text, (width - pad + theme.px(2), (height - high) // 2, max(1, theme.px(1.5)), high)
                )
        if edge is not None:
            clear = pygame.Color(0, 0, 0, 0)
            surface.blit(
                shapes.rounded((width, height), theme.px(RADIUS_CONTROL), clear, edge, max(2, theme.px(2))), (0, 0)
            )


def _end(words: str, fits: Callable[[str], bool]) -> str:
    """The last part of a text that fits."""
    while words and not fits(words):
        words = words[1:]
    return words
