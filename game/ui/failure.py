"""What is shown in place of the last screen when that one keeps failing: a sentence and two ways on."""

from collections.abc import Callable

import pygame
from typing_extensions import override

from game.ui import text
from game.ui.chrome import draw_card
from game.ui.controls import Button
from game.ui.scene import Host, Scene
from game.ui.shortcuts import WINDOW
from game.ui.theme import CONTROL_HEIGHT, FONT_HEADING

WIDTH, HEIGHT = 460, 190


class Failure(Scene):
    """Uses nothing of the app but the theme and two buttons."""

    name = "trouble"
    groups = (WINDOW,)

    def __init__(self, window: Host, reason: str, again: Callable[[], Scene]) -> None:
        """`again` makes the scene that failed once more."""
        super().__init__(window)
        self.reason, self._make_again = reason, again
        self.card = pygame.Rect(0, 0, 0, 0)

    @override
    def build(self) -> None:
        """A card in the middle with its buttons."""
        theme, pad = self.theme, self.theme.px(24)
        self.card = pygame.Rect(0, 0, min(theme.px(WIDTH), self.size[0] - pad), theme.px(HEIGHT))
        self.card.center = (self.size[0] // 2, self.size[1] // 2)
        place = pygame.Rect(0, 0, theme.px(120), theme.px(CONTROL_HEIGHT))
        place.bottomright = (self.card.right - pad, self.card.bottom - pad)
        Button(self.kit, place, "Try again", style="primary", on_press=self.try_again)
        Button(self.kit, place.move(-place.width - theme.px(10), 0), "Quit", on_press=self.window.quit)

    @override
    def again(self) -> Scene:
        """The scene that failed, made once more."""
        return self._make_again()

    def try_again(self) -> None:
        """Show the scene that failed once more."""
        self.window.swap(self.again())

    @override
    def command(self, command: str) -> bool:
        """Enter tries again, Escape leaves the app."""
        if command == "accept":
            self.try_again()
        elif command == "back":
            self.window.quit()
        else:
            return False
        return True

    @override
    def draw(self, surface: pygame.Surface) -> None:
        """Title and reason."""
        theme, pad = self.theme, self.theme.px(24)
        draw_card(surface, theme, self.card)
        left, top = self.card.left + pad, self.card.top + theme.px(34)
        text.draw(surface, theme, "This screen keeps failing", (left, top), size=FONT_HEADING, weight="bold",
                  anchor="midleft")  # fmt: skip
        line = theme.font().get_linesize()
        for number, words in enumerate(text.wrap(theme, self.reason, self.card.width - 2 * pad)[:3]):
            text.draw(surface, theme, words, (left, top + theme.px(22) + number * line), colour=theme.muted)
