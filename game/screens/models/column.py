"""The column beside the cards: what is known of the chosen model, and the buttons for what can be done with it."""

from collections.abc import Callable
from functools import partial

import pygame

from ai.models import ModelCard
from game.screens.keys import LIBRARY, MODELS
from game.screens.models import details
from game.screens.models.shelf import Shelf
from game.screens.models.trying import MOST_PLIES, Tester, Trial
from game.ui.chrome import draw_card
from game.ui.controls import Button, Stepper, Style
from game.ui.kit import Kit
from game.ui.shortcuts import keys_shown
from game.ui.theme import CONTROL_HEIGHT

PAD, EDGE, GAP, BETWEEN = 16, 12, 8, 12
PLIES_TIP = "How many moves ahead the test looks"
TIPS = {
    "accept": "Open the game with this model playing",
    "test_model": "A short match in the background",
    "rename": "Rename the model and its file",
    "delete": "Delete the model (can be undone)",
}
"""Command -> what its button does, when it can."""


class Column:
    """Make its buttons with `build`; call `allow` when another model is chosen or a test begins or ends."""

    def __init__(self, shelf: Shelf, tester: Tester) -> None:
        """Nothing is laid out yet."""
        self.shelf, self.tester = shelf, tester
        self.plies = 1
        """At which the next test looks ahead."""
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.actions = pygame.Rect(0, 0, 0, 0)
        self.buttons: dict[str, Button] = {}
        """By their commands."""
        self._stepper: Stepper | None = None

    def build(self, kit: Kit, rect: pygame.Rect, command: Callable[[str], object]) -> None:
        """Three rows of buttons in a card at the bottom of `rect`."""
        theme, self.rect = kit.theme, pygame.Rect(rect)
        high, gap = theme.px(CONTROL_HEIGHT), theme.px(GAP)
        tall = 3 * high + 2 * gap + 2 * theme.px(EDGE)
        self.actions = pygame.Rect(rect.left, rect.bottom - tall, rect.width, tall)
        inner = self.actions.inflate(-2 * theme.px(PAD), -2 * theme.px(EDGE))
        half = (inner.width - gap) // 2
        left = [pygame.Rect(inner.left, inner.top + row * (high + gap), half, high) for row in range(3)]
        right = [place.move(inner.width - half, 0) for place in left]

        def button(name: str, place: pygame.Rect, label: str, icon: str, style: Style = "plain") -> None:
            self.buttons[name] = Button(kit, place, label, icon=icon, style=style, on_press=partial(command, name))

        self.buttons = {}
        button("accept", pygame.Rect(inner.left, inner.top, inner.width, high), "Play with it", "play", "primary")
        self._stepper = Stepper(kit, left[1], "Plies", str(self.plies), on_step=self._step, tip=PLIES_TIP)
        button("test_model", right[1], "Test now", "speed")
        button("rename", left[2], "Rename", "edit")
        button("delete", right[2], "Delete", "trash", "danger")

    def _step(self, by: int) -> str:
        self.plies = min(MOST_PLIES, max(1, self.plies + by))
        return str(self.plies)

    def allow(self, card: ModelCard | None) -> None:
        """Enable what the chosen model allows; the tips of the others say why not."""
        if card is None or not self.buttons:
            return
        testing, kept = self.tester.busy, self.shelf.keeper(card)
        self.buttons["test_model"].set(*(("Stop", "stop") if testing else ("Test now", "speed")))
        reasons = {
            "accept": f"This file cannot be used: {card.problem}." if card.problem is not None else None,
            "test_model": None if testing else Tester.refusal(card),
            "rename": kept,
            "delete": kept,
        }
        if self._stepper is not None:
            self._stepper.set_enabled(reasons["test_model"] is None)
            self._stepper.tip = reasons["test_model"] or PLIES_TIP
        for name, reason in reasons.items():
            self.buttons[name].set_enabled(reason is None)
            self.buttons[name].tip = reason or f"{TIPS[name]} ({keys_shown(name, (LIBRARY, MODELS))})"

    def draw(self, surface: pygame.Surface, card: ModelCard, trial: Trial | None) -> None:
        """Details, strength and the card behind the buttons; `trial` is this model's test, if there was one."""
        theme = self.buttons["accept"].theme
        gap = theme.px(BETWEEN)
        draw_card(surface, theme, self.actions)
        bottom = self.actions.top - gap
        if card.problem is None:
            lines = details.measured(card, trial)
            high = details.strength_height(theme, len(lines))
            place = pygame.Rect(self.rect.left, bottom - high, self.rect.width, high)
            details.draw_strengths(surface, theme, place, card, lines, trial.problem if trial else "")
            bottom = place.top - gap
        place = pygame.Rect(self.rect.left, self.rect.top, self.rect.width, bottom - self.rect.top)
        if place.height > theme.px(details.HEAD):
            note = "comes with the app" if self.shelf.ships(card) else "yours"
            details.draw_details(surface, theme, place, card, note)
