"""The question for a model's new name; it stays open, with the reason, as long as the name is not possible."""

from collections.abc import Callable

import pygame
from typing_extensions import override

from game.screens.models.shelf import MAX_NAME
from game.ui import text
from game.ui.dialog import Answer, Dialog
from game.ui.field import TextField
from game.ui.scene import Host
from game.ui.theme import CONTROL_HEIGHT, FONT_SMALL

WIDTH, NOTE = 440, 28


class RenameDialog(Dialog):
    """One line of text."""

    def __init__(self, window: Host, name: str, on_done: Callable[[str], str]) -> None:
        """`on_done(name)` does it and returns what was wrong, nothing when it worked."""
        answers = (Answer("Rename", style="primary"), Answer("Cancel"))
        super().__init__(window, "Rename the model", "", answers, WIDTH, CONTROL_HEIGHT + NOTE)
        self.name_now, self.on_done = name, on_done
        self.problem = ""
        self.field: TextField | None = None

    @override
    def build_inside(self, rect: pygame.Rect) -> None:
        """The line, and room for a sentence below it."""
        value = self.field.text if self.field is not None else self.name_now
        place = pygame.Rect(rect.left, rect.top, rect.width, self.theme.px(CONTROL_HEIGHT))
        self.field = TextField(
            self.kit, place, value, on_done=lambda _text: self.answer(self.answers[0]), longest=MAX_NAME
        )
        self.note_at = (rect.left, place.bottom + self.theme.px(NOTE // 2))
        self.kit.focus(self.field)

    @override
    def answer(self, answer: Answer) -> None:
        """Rename only to what is possible."""
        if answer is self.answers[0] and self.field is not None:
            self.problem = self.on_done(self.field.text.strip())
            if self.problem:
                return
        super().answer(answer)

    @override
    def draw_inside(self, surface: pygame.Surface) -> None:
        """What is wrong."""
        if self.problem:
            text.draw(surface, self.theme, self.problem, self.note_at, size=FONT_SMALL, colour=self.theme.bad,
                      anchor="midleft", limit=self.card.width - 2 * self.theme.px(24))  # fmt: skip
