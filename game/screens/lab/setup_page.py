"""The lab before a training: what is to be trained, its settings, and trainings that can go on."""

import time
from collections.abc import Callable, Sequence
from functools import partial

import pygame

from ai import catalogue, checkpoints
from ai.checkpoints import Unfinished
from game.play.words import span
from game.rules.games import GAMES
from game.screens.keys import TRAINING
from game.screens.lab.install import missing
from game.screens.lab.page import Lab
from game.screens.lab.request import SECONDS, trainers_of
from game.ui import text
from game.ui.chrome import draw_card, draw_heading
from game.ui.controls import Button
from game.ui.kit import Control
from game.ui.lines import Line, Lines
from game.ui.shortcuts import keys_shown
from game.ui.theme import CONTROL_HEIGHT, FONT_SMALL
from game.views.view import accent_of

HEAD, PAD, GAP, BETWEEN, FOOT = 40, 16, 8, 12, 14
MEANING = 3
"""Lines below the settings for what one of them means."""
SAYING = 4
"""Lines of text above the buttons."""
HOW = "Training runs in the background while you play. You can stop it and continue later."
POINT = "Point at a setting to read what it means. A click in its middle lets you type a value."


class SetupPage:
    """Cards on the left for the form, on the right for starting."""

    def __init__(self, scene: Lab) -> None:
        """Call `build` for its controls."""
        self.scene = scene
        self.unfinished: list[Unfinished] = []
        self.cards: dict[str, pygame.Rect] = {}
        self._start: Button | None = None
        self._explained: list[Control] = []
        """The settings, whose tips stand below all of them."""
        self._meaning = pygame.Rect(0, 0, 0, 0)

    def build(self, left: pygame.Rect, right: pygame.Rect) -> None:
        """Lay out and make the controls."""
        self.unfinished = [each for each in checkpoints.listing(self.scene.folder) if _known(each)]
        self._build_what(left)
        top = self._build_lengths(left, self.cards["what"].bottom + self.scene.theme.px(BETWEEN))
        self._build_settings(pygame.Rect(left.left, top, left.width, left.bottom - top))
        self._build_start(right)
        top = self.cards["start"].bottom + self.scene.theme.px(BETWEEN)
        self._build_list(pygame.Rect(right.left, top, right.width, right.bottom - top))
        self.refresh()

    def _build_what(self, area: pygame.Rect) -> None:
        scene, theme, form = self.scene, self.scene.theme, self.scene.form
        pad, gap, high = theme.px(PAD), theme.px(GAP), theme.px(CONTROL_HEIGHT)
        inner = pygame.Rect(area.left + pad, area.top + theme.px(HEAD), area.width - 2 * pad, high)
        wide = min(theme.px(110), inner.width // 6)
        x = inner.left
        for game in GAMES:
            button = Button(
                scene.kit, pygame.Rect(x, inner.top, wide, high), GAMES[game].title, accent=accent_of(theme, game),
                selected=game == form.request.game, on_press=partial(form.choose, game),
                tip="" if trainers_of(game) else "Nothing can be trained here yet",
            )  # fmt: skip
            button.set_enabled(bool(trainers_of(game)))
            x += wide + gap
        form.build_trainer(scene.kit, pygame.Rect(x, inner.top, inner.right - x, high))
        lines = text.wrap(theme, form.request.trainer.summary, inner.width)
        bottom = inner.bottom + theme.px(10) + len(lines) * theme.font().get_linesize() + theme.px(10)
        self.cards["what"] = pygame.Rect(area.left, area.top, area.width, bottom - area.top)

    def _build_lengths(self, area: pygame.Rect, top: int) -> int:
        """How long, where the training knows such a limit; answers where the next card begins."""
        scene, theme, form = self.scene, self.scene.theme, self.scene.form
        self.cards.pop("long", None)
        usual = form.usual_length
        if usual is None:
            return top
        pad, high = theme.px(PAD), theme.px(CONTROL_HEIGHT)
        inner = pygame.Rect(area.left + pad, top + theme.px(HEAD), area.width - 2 * pad, high)
        form.build_lengths(scene.kit, inner, usual, accent_of(theme, form.request.game))
        self.cards["long"] = pygame.Rect(area.left, top, area.width, inner.bottom + theme.px(FOOT) - top)
        return self.cards["long"].bottom + theme.px(BETWEEN)

    def _build_settings(self, card: pygame.Rect) -> None:
        """Name, seed and every setting; folded to the heading until somebody asks for them."""
        scene, theme, form = self.scene, self.scene.theme, self.scene.form
        pad, gap, high = theme.px(PAD), theme.px(GAP), theme.px(CONTROL_HEIGHT)
        self._explained = []
        if not form.open:
            card = pygame.Rect(card.left, card.top, card.width, theme.px(HEAD + 4))
            self.cards["settings"] = card
            self._build_heads(card, [("Show", self._fold)])
            return
        self.cards["settings"] = card
        said = MEANING * theme.font().get_linesize() + gap
        line = pygame.Rect(card.left + pad, card.top + theme.px(HEAD), card.width - 2 * pad, high)
        seed = theme.px(150)
        form.build_name(scene.kit, pygame.Rect(line.left, line.top, line.width - seed - gap, high))
        form.build_seed(scene.kit, pygame.Rect(line.right - seed, line.top, seed, high))
        inner = pygame.Rect(line.left, line.bottom + gap, line.width,
                            card.bottom - line.bottom - gap - theme.px(FOOT) - said)  # fmt: skip
        form.build_settings(scene.kit, inner)
        self._explained = [box for box in scene.kit.controls if box.alive() and box.tip and card.contains(box.rect)]
        for box in self._explained:
            box.pops = False
        self._meaning = pygame.Rect(inner.left, 0, inner.width, said)
        self._meaning.top = max((box.rect.bottom for box in self._explained), default=inner.top) + gap
        buttons: list[tuple[str, Callable[[], None]]] = [("Hide", self._fold)]
        if form.pages > 1:
            buttons.append((f"Page {form.page + 1} of {form.pages}", self._turn))
        if form.has_more:
            buttons.append(("Fewer settings" if form.more else "All settings", self._toggle_more))
        self._build_heads(card, buttons)

    def _build_heads(self, card: pygame.Rect, buttons: Sequence[tuple[str, Callable[[], None]]]) -> None:
        """Buttons in the heading of a card, from the right."""
        scene, theme = self.scene, self.scene.theme
        right, top, side = card.right - theme.px(PAD), card.top + theme.px(8), theme.px(28)
        for label, action in buttons:
            wide = text.width(theme, label) + theme.px(24)
            Button(scene.kit, pygame.Rect(right - wide, top, wide, side), label, on_press=action)
            right -= wide + theme.px(GAP)

    def _fold(self) -> None:
        self.scene.form.open = not self.scene.form.open
        self.scene.rebuild()

    def _turn(self) -> None:
        self.scene.form.page = (self.scene.form.page + 1) % self.scene.form.pages
        self.scene.rebuild()

    def _toggle_more(self) -> None:
        self.scene.form.more = not self.scene.form.more
        self.scene.rebuild()

    def _build_start(self, area: pygame.Rect) -> None:
        scene, theme = self.scene, self.scene.theme
        pad, gap, high = theme.px(PAD), theme.px(GAP), theme.px(CONTROL_HEIGHT)
        saying = SAYING * theme.font(FONT_SMALL).get_linesize()
        top = area.top + theme.px(HEAD) + saying + theme.px(GAP)
        inner = pygame.Rect(area.left + pad, top, area.width - 2 * pad, high)
        self._start = Button(scene.kit, inner, style="primary", on_press=scene.start)
        second = inner.move(0, high + gap)
        half = (second.width - gap) // 2
        anew = scene.form.request.going_on is not None
        place = pygame.Rect(second.left, second.top, half if anew else second.width, high)
        Button(scene.kit, place, "Copy" if anew else "Copy the command", icon="copy", on_press=scene.copy,
               tip=f"The command line that trains the same ({keys_shown('lab_copy', (TRAINING,))})")  # fmt: skip
        if anew:
            Button(scene.kit, pygame.Rect(second.right - half, second.top, half, high), "New training",
                   on_press=scene.form.start_anew, tip="A new training with these settings")  # fmt: skip
        self.cards["start"] = pygame.Rect(area.left, area.top, area.width, second.bottom + theme.px(FOOT) - area.top)

    def _build_list(self, card: pygame.Rect) -> None:
        scene, theme = self.scene, self.scene.theme
        self.cards["list"] = card
        pad = theme.px(PAD)
        inner = pygame.Rect(card.left + pad, card.top + theme.px(HEAD), card.width - 2 * pad,
                            card.height - theme.px(HEAD) - theme.px(FOOT))  # fmt: skip
        going_on = scene.form.request.going_on
        at = next((at for at, each in enumerate(self.unfinished) if each == going_on), -1)
        lines = [Line(each.path.name.removesuffix(".safetensors"), span(each.seconds)) for each in self.unfinished]
        found = Lines(scene.kit, inner, lines, max(0, at), on_choose=self._choose, on_open=self._open,
                      empty="Stopped trainings wait here.")  # fmt: skip
        found.at = at  # none is chosen until one is

    def _choose(self, at: int) -> None:
        if self.unfinished[at] != self.scene.form.request.going_on:
            self.scene.form.go_on_with(self.unfinished[at])

    def _open(self, at: int) -> None:
        self._choose(at)
        self.scene.start()

    # Frame

    def refresh(self) -> None:
        """The button says what it does."""
        form = self.scene.form
        if self._start is None:
            return
        if form.request.trainer.needs_torch and missing():
            self._start.set("Install torch", "download")
        elif form.request.going_on is not None:
            self._start.set("Continue", "play")
        else:
            self._start.set("Start", "play")

    def draw(self, surface: pygame.Surface) -> None:
        """Cards and words."""
        theme, form = self.scene.theme, self.scene.form
        for card in self.cards.values():
            draw_card(surface, theme, card)
        head, pad, request = theme.px(HEAD), theme.px(PAD), form.request
        draw_heading(surface, theme, head, self.cards["what"], "What to teach")
        if "long" in self.cards:
            draw_heading(surface, theme, head, self.cards["long"], "How long")
        y = self.cards["what"].bottom - theme.px(10)
        lines = text.wrap(theme, request.trainer.summary, self.cards["what"].width - 2 * pad)
        for line in reversed(lines):
            y -= theme.font().get_linesize()
            text.draw(surface, theme, line, (self.cards["what"].left + pad, y), colour=theme.muted)
        changed = sum(name != SECONDS for name in request.settings)
        note = f" · {changed} changed" if changed else "" if form.open else " · as usual"
        draw_heading(surface, theme, head, self.cards["settings"], f"Name and settings{note}")
        self._draw_meaning(surface)
        draw_heading(surface, theme, head, self.cards["start"], "Training")
        self._draw_saying(surface, self.cards["start"])
        count = str(len(self.unfinished)) if self.unfinished else ""
        draw_heading(surface, theme, head, self.cards["list"], "Continue a training", count)

    def _draw_meaning(self, surface: pygame.Surface) -> None:
        """Below the settings: what the one under the pointer or with the focus means."""
        if not self.scene.form.open:
            return
        theme, kit, place = self.scene.theme, self.scene.kit, self._meaning
        lit = next((each for each in self._explained if each.hovered), None) or next(
            (each for each in self._explained if each is kit.focused), None
        )
        title = str(getattr(lit, "label", "")) if lit is not None else ""
        words = lit.tip if lit is not None else POINT
        lines = text.wrap(theme, f"{title}: {words}" if title else words, place.width)
        for number, line in enumerate(lines[:MEANING]):
            y = place.top + number * theme.font().get_linesize()
            text.draw(surface, theme, line, (place.left, y), colour=theme.muted)
        if title and lines[0].startswith(title):
            text.draw(surface, theme, title, place.topleft)

    def _draw_saying(self, surface: pygame.Surface, card: pygame.Rect) -> None:
        theme, scene = self.scene.theme, self.scene
        problem = scene.form.problem or scene.refusal
        words, colour = (problem, theme.bad) if problem else (self._hint(), theme.muted)
        y = card.top + theme.px(HEAD)
        for line in text.wrap(theme, words, card.width - 2 * theme.px(PAD), FONT_SMALL)[:SAYING]:
            text.draw(surface, theme, line, (card.left + theme.px(PAD), y), size=FONT_SMALL, colour=colour)
            y += theme.font(FONT_SMALL).get_linesize()

    def _hint(self) -> str:
        request = self.scene.form.request
        if request.trainer.needs_torch and missing():
            return missing()
        if request.going_on is not None:
            ago = time.strftime("%d %b %H:%M", time.localtime(request.going_on.changed))
            return f"Continues {request.name}, trained for {span(request.going_on.seconds)} so far (saved {ago})."
        return HOW


def _known(unfinished: Unfinished) -> bool:
    return any((each.game, each.id) == (unfinished.game, unfinished.agent) for each in catalogue.TRAINERS)
