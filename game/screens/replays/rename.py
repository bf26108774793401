"""Asks for a game's title."""

from collections.abc import Callable

import pygame
from typing_extensions import override

from game.ui.dialog import Answer, Dialog
from game.ui.field import TextField
from game.ui.scene import Host

LONGEST = 80


class RenameDialog(Dialog):
    """`on_done(title)` is called after it closed."""

    def __init__(self, window: Host, title: str, on_done: Callable[[str], None]) -> None:
        """Starts with the present title."""
        answers = (Answer("Rename", self._done, "primary"), Answer("Cancel"))
        super().__init__(window, "Rename the game", "", answers, inside=44)
        self.text, self.on_done = title, on_done
        self.field: TextField | None = None

    @override
    def build_inside(self, rect: pygame.Rect) -> None:
        """The line to type into."""
        if self.field is not None:
            self.text = self.field.text
        self.field = TextField(
            self.kit, pygame.Rect(rect.left, rect.top, rect.width, self.theme.px(38)), self.text,
            on_done=lambda _text: self.answer(self.answers[0]), placeholder="No title", longest=LONGEST,
        )  # fmt: skip
        self.kit.focus(self.field)

    def _done(self) -> None:
        if self.field is not None:
            self.on_done(self.field.text.strip())
