"""A line of text to type into: pygame_gui's own entry, with our theme, in the order of Tab."""

from collections.abc import Callable
from typing import Any

import pygame
from pygame_gui.elements import UITextEntryLine
from typing_extensions import override

from game.ui import clipboard
from game.ui.kit import Control, Kit
from game.ui.text import typed


class TextField(Control):
    """While it has the keyboard, letters are text and no commands."""

    def __init__(
        self,
        kit: Kit,
        rect: pygame.Rect,
        value: str = "",
        *,
        on_done: Callable[[str], None],
        placeholder: str = "",
        longest: int = 200,
        tip: str = "",
    ) -> None:
        """`on_done(text)` is called on Enter; `longest` is the most characters it takes."""
        self.on_done = on_done
        super().__init__(kit, rect, tip)
        self.entry = _Entry(self, rect, value, placeholder)
        self.entry.set_text_length_limit(longest)
        self._first = self.text

    @property
    def text(self) -> str:
        """What is typed so far."""
        return str(self.entry.get_text())

    @property
    @override
    def edited(self) -> bool:  # type: ignore[override]
        """Whether the text is another than at first."""
        return self.text != self._first

    @override
    def focus_changed(self) -> None:
        """The entry takes the keyboard with our focus and gives it back with it."""
        mine = self.kit.focused is self
        if mine != self.entry.is_focused:
            self.kit.manager.set_focus_set(self.entry.get_focus_set() if mine else None)

    @override
    def key(self, event: pygame.event.Event) -> bool:
        """Enter is the end of it; every other key is text."""
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            self.on_done(self.text)
            return True
        return False

    @override
    def paint(self, surface: pygame.Surface) -> None:
        """The entry draws itself, above."""


class _Entry(UITextEntryLine):
    """The library's entry, which would leave the whole window without repeating keys, and raise at what has no width."""

    def __init__(self, field: TextField, rect: pygame.Rect, value: str, placeholder: str) -> None:
        self._field = field
        shown = placeholder or None
        super().__init__(rect, field.kit.manager, initial_text=typed(field.theme, value), placeholder_text=shown)

    @override
    def set_text(self, text: str | None) -> Any:
        super().set_text(None if text is None else typed(self._field.theme, text))

    @override
    def process_event(self, event: pygame.event.Event) -> Any:
        if event.type == pygame.TEXTINPUT:
            event = pygame.event.Event(pygame.TEXTINPUT, {**event.dict, "text": typed(self._field.theme, event.text)})
        return super().process_event(event)

    @override
    def _do_paste(self) -> None:
        room = (self.length_limit or 0) - len(self.text) + abs(self.select_range[0] - self.select_range[1])
        for sign in typed(self._field.theme, clipboard.read()[: max(0, room)]):
            self._process_entered_character(sign)

    @override
    def focus(self) -> Any:
        repeat = pygame.key.get_repeat()
        super().focus()
        pygame.key.set_repeat(*repeat)
        self._field.kit.focused = self._field

    @override
    def unfocus(self) -> Any:
        repeat = pygame.key.get_repeat()
        super().unfocus()
        pygame.key.set_repeat(*repeat)
        if self._field.kit.focused is self._field:
            self._field.kit.focused = None
