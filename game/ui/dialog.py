"""A card over the present screen: a title, some text, buttons, and room for a screen's own controls."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import pygame
from typing_extensions import override

from game.ui import text
from game.ui.chrome import draw_card, draw_veil
from game.ui.controls import Button, Style
from game.ui.scene import Host, Scene
from game.ui.shortcuts import WINDOW
from game.ui.theme import CONTROL_HEIGHT, FONT_BODY, FONT_HEADING


@dataclass(frozen=True, slots=True)
class Answer:
    """A button of a dialog. `action` runs after the dialog closed."""

    label: str
    action: Callable[[], None] = lambda: None
    style: Style = "plain"
    icon: str = ""


class Dialog(Scene):
    """Subclass for controls of your own (`build_inside`), or use it as it is for a question."""

    name = "dialog"
    overlay = True
    groups = (WINDOW,)
    keeps_text = False
    """Whether Esc asks before it throws away what has been typed."""
    typed = False
    """Whether something was typed before the controls were made anew."""

    def __init__(
        self,
        window: Host,
        title: str,
        message: str = "",
        answers: Sequence[Answer] = (Answer("OK", style="primary"),),
        width: int = 460,
        inside: int = 0,
    ) -> None:
        """`width` and `inside` (height of the subclass's own part) are in units; the first answer is Enter's."""
        super().__init__(window)
        self.title, self.message, self.answers = title, message, tuple(answers)
        self.width, self.inside = width, inside
        self.card = pygame.Rect(0, 0, 0, 0)
        self.lines: list[str] = []

    @override
    def build(self) -> None:
        """Lay out the card and its buttons, the first answer on the right."""
        theme, (width, height) = self.theme, self.size
        pad = theme.px(24)
        wide = min(theme.px(self.width), width - theme.px(32))
        self.lines = text.wrap(theme, self.message, wide - 2 * pad) if self.message else []
        line = theme.font().get_linesize()
        body = len(self.lines) * line + (theme.px(12) if self.lines else 0)
        high = theme.px(72) + body + theme.px(self.inside) + theme.px(CONTROL_HEIGHT) + theme.px(24)
        self.card = pygame.Rect(0, 0, wide, min(high, height - theme.px(16)))
        self.card.center = (width // 2, height // 2)
        inner = pygame.Rect(
            self.card.left + pad, self.card.top + theme.px(60) + body, wide - 2 * pad, theme.px(self.inside)
        )
        self.build_inside(inner)
        right = self.card.right - pad
        top = self.card.bottom - pad - theme.px(CONTROL_HEIGHT)
        for answer in self.answers:
            room = text.width(theme, answer.label, FONT_BODY) + theme.px(36 if not answer.icon else 62)
            rect = pygame.Rect(right - room, top, room, theme.px(CONTROL_HEIGHT))
            Button(
                self.kit, rect, answer.label, style=answer.style, icon=answer.icon,
                on_press=partial(self.answer, answer),
            )  # fmt: skip
            right = rect.left - theme.px(10)

    def build_inside(self, rect: pygame.Rect) -> None:
        """Controls of a subclass, inside `rect`."""

    @override
    def rebuild(self) -> None:
        """What was typed stays typed."""
        self.typed = self.has_typed
        super().rebuild()

    @property
    def has_typed(self) -> bool:
        """Whether a line of text is no longer as it was when the dialog opened."""
        return self.typed or any(control.edited for control in self.kit.controls)

    def answer(self, answer: Answer) -> None:
        """Close, then act."""
        if self.window.top is self:
            self.window.pop()
        answer.action()

    @override
    def command(self, command: str) -> bool:
        """Enter gives the first answer, Esc closes; nothing reaches the screen below."""
        if command == "accept" and self.answers:
            self.answer(self.answers[0])
        elif command == "back" and self.keeps_text and self.has_typed:
            words = "Your text has not been saved."
            answers = (Answer("Keep typing", style="primary"), Answer("Discard it", self.window.pop, "danger"))
            self.window.push(Dialog(self.window, "Discard what you typed?", words, answers))
        elif not super().command(command):
            return command not in ("fullscreen", "mute", "screenshot", "help")
        return True

    @override
    def draw(self, surface: pygame.Surface) -> None:
        """Veil, card, title and text."""
        theme = self.theme
        draw_veil(surface, theme, 150)
        draw_card(surface, theme, self.card)
        pad, line = theme.px(24), theme.font().get_linesize()
        text.draw(
            surface, theme, self.title, (self.card.left + pad, self.card.top + theme.px(32)), size=FONT_HEADING,
            weight="bold", anchor="midleft", limit=self.card.width - 2 * pad,
        )  # fmt: skip
        for number, words in enumerate(self.lines):
            text.draw(
                surface,
                theme,
                words,
                (self.card.left + pad, self.card.top + theme.px(60) + number * line),
                colour=theme.muted,
            )
        self.draw_inside(surface)

    def draw_inside(self, surface: pygame.Surface) -> None:
        """A subclass's own drawing inside the card."""
