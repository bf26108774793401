"""A dialog for one line of text, such as a name. It comes back, with the reason, with one that cannot be."""

from collections.abc import Callable

import pygame
from typing_extensions import override

from game.ui import text
from game.ui.dialog import Answer, Dialog
from game.ui.field import TextField
from game.ui.scene import Host
from game.ui.theme import CONTROL_HEIGHT, FONT_SMALL

WIDTH, NOTE = 440, 28


class NameDialog(Dialog):
    """`on_done(text)` is called after it closed; what that answers is why the name cannot be, in one sentence."""

    keeps_text = True

    def __init__(
        self,
        window: Host,
        title: str,
        label: str,
        value: str,
        on_done: Callable[[str], str | None],
        *,
        words: str = "",
        longest: int = 200,
        none: str = "",
    ) -> None:
        """`label` is what Enter does; `none` is what an empty text means: without it that is no answer."""
        answers = (Answer(label, self._finish, "primary"), Answer("Cancel"))
        super().__init__(window, title, words, answers, WIDTH, CONTROL_HEIGHT + NOTE)
        self.value, self.on_done, self.longest, self.none = value, on_done, longest, none
        self.problem = ""
        self.field: TextField | None = None

    @override
    def build_inside(self, rect: pygame.Rect) -> None:
        """The line, and room for a sentence below it."""
        value = self.field.text if self.field is not None else self.value
        place = pygame.Rect(rect.left, rect.top, rect.width, self.theme.px(CONTROL_HEIGHT))
        self.field = TextField(
            self.kit, place, value, on_done=lambda _text: self.answer(self.answers[0]), placeholder=self.none,
            longest=self.longest,
        )  # fmt: skip
        self.note_at = (rect.left, place.bottom + self.theme.px(NOTE // 2))
        self.kit.focus(self.field)

    def _finish(self) -> None:
        typed = self.field.text.strip() if self.field is not None else ""
        if typed or self.none:
            self.problem = self.on_done(typed) or ""
            if self.problem:
                self.window.push(self)

    @override
    def draw_inside(self, surface: pygame.Surface) -> None:
        """What is wrong."""
        if self.problem:
            text.draw(surface, self.theme, self.problem, self.note_at, size=FONT_SMALL, colour=self.theme.bad,
                      anchor="midleft", limit=self.card.width - 2 * self.theme.px(24))  # fmt: skip
