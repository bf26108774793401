"""The lab while a training is under way and after it: the board being played, all curves, and what can be done."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pygame

from ai.entries import CatalogueError
from game.play.words import span
from game.screens.keys import TRAINING
from game.screens.lab import words
from game.screens.lab.charts import Charts
from game.screens.lab.page import Lab
from game.screens.lab.request import Request
from game.screens.lab.training import Phase, Training
from game.screens.models.words import size_words
from game.ui import text
from game.ui.chrome import draw_bar, draw_card, draw_heading, draw_row
from game.ui.controls import Button, Style
from game.ui.shortcuts import keys_shown
from game.ui.theme import CONTROL_HEIGHT, FONT_HEADING, FONT_SMALL, Colour, Theme, blend
from game.views.board import Board
from game.views.view import accent_of, view_of

HEAD, PAD, GAP, BETWEEN, FOOT = 40, 16, 8, 12, 14
BOARD_SHARE = 0.42
ROW = 25
SWEEP = 0.3
"""Part of the bar that runs to and fro while nobody knows how long it takes."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """A button below the numbers."""

    name: str
    label: str
    icon: str
    action: Callable[[], None]
    tip: str
    style: Style = "plain"


class RunPage:
    """Curves on the left, with the board where one is shown; numbers and buttons on the right."""

    def __init__(self, scene: Lab, job: Training) -> None:
        """Call `build` for its controls."""
        self.scene, self.job = scene, job
        self.charts = Charts(job.history)
        self.cards: dict[str, pygame.Rect] = {}
        self._buttons: dict[str, Button] = {}
        self._board: Board | None = None
        self._shown = ""
        self._built_for: tuple[object, ...] = ()
        self._sweep = 0.0

    # Lay out

    def build(self, left: pygame.Rect, right: pygame.Rect) -> None:
        """Lay out and make the controls."""
        scene, theme = self.scene, self.scene.theme
        self._built_for = self._shape()
        self.cards = {"status": right}
        self._build_board(left)
        if "board" in self.cards:
            gap = self.cards["board"].width + theme.px(BETWEEN)
            left = pygame.Rect(left.left + gap, left.top, left.width - gap, left.height)
        self.cards["curves"] = left
        accent = accent_of(theme, self.job.request.game)
        self.charts.build(scene.kit, left, accent, scene.rebuild)
        self._build_buttons(right)

    def _shape(self) -> tuple[object, ...]:
        """What the controls depend on."""
        job = self.job
        return (job.active, bool(job.board), job.card is not None, job.can_go_on, tuple(job.history.drawn))

    def _build_board(self, area: pygame.Rect) -> None:
        state = position(self.job.request, self.job.board)
        self._board = None
        if state is None:
            return
        theme = self.scene.theme
        wide = round(area.width * BOARD_SHARE)
        card = pygame.Rect(area.left, area.top, wide, area.height)
        self.cards["board"] = card
        self._board = view_of(self.job.request.game).board(theme, self.scene.window.look.animated, small=True)
        pad = theme.px(PAD)
        self._board.layout(pygame.Rect(card.left + pad, card.top + theme.px(HEAD), card.width - 2 * pad,
                                       card.height - theme.px(HEAD) - pad))  # fmt: skip
        self._board.show(state)
        self._shown = self.job.board

    def _choices(self) -> list[list["_Choice"]]:
        """The buttons, row by row."""
        scene, job, charts = self.scene, self.job, self.charts
        rows = []
        if charts.pages > 1:
            label = f"Curves {charts.page + 1} of {charts.pages}"
            rows.append([_Choice("page", label, "chart", self.turn, "The next curves")])
        if job.active:
            pause = _Choice("pause", "Pause", "pause", scene.toggle, _tip("Pause or go on", "lab_run"), "primary")
            stop = _Choice("stop", "Stop", "stop", scene.stop, _tip("Save the model and stop", "lab_stop"))
            return [*rows, [pause, stop]]
        if job.card is not None:
            label, icon = ("Watch it", "eye") if scene.can_watch_level else ("Try it", "play")
            what = "on the level that it learned" if scene.can_watch_level else "at the board"
            rows.append([_Choice("try", label, icon, scene.try_it, _tip(f"See it {what}", "lab_try"), "primary")])
        last = [_Choice("new", "New", "plus", scene.new, _tip("Another training", "lab_new"))]
        if job.can_go_on:
            last.insert(
                0, _Choice("on", "Continue", "restart", scene.go_on, _tip("Continue the training", "lab_run"))
            )
        return [*rows, last]

    def _build_buttons(self, card: pygame.Rect) -> None:
        scene, theme = self.scene, self.scene.theme
        pad, gap, high = theme.px(PAD), theme.px(GAP), theme.px(CONTROL_HEIGHT)
        rows = self._choices()
        top = card.bottom - theme.px(FOOT) - len(rows) * high - (len(rows) - 1) * gap
        self.cards["buttons"] = pygame.Rect(card.left + pad, top, card.width - 2 * pad, card.bottom - top)
        self._buttons = {}
        for row in rows:
            wide = (card.width - 2 * pad - gap * (len(row) - 1)) // len(row)
            for number, choice in enumerate(row):
                place = pygame.Rect(card.left + pad + number * (wide + gap), top, wide, high)
                self._buttons[choice.name] = Button(scene.kit, place, choice.label, icon=choice.icon, style=choice.style,
                                                    on_press=choice.action, tip=choice.tip)  # fmt: skip
            top += high + gap
        self._name_buttons()

    def turn(self) -> None:
        """Further curves."""
        self.charts.turn()
        self.scene.rebuild()

    def _name_buttons(self) -> None:
        if "pause" in self._buttons:
            resting = self.job.asked_pause
            self._buttons["pause"].set("Continue" if resting else "Pause", "play" if resting else "pause")
            saving = self.job.phase is Phase.STOPPING
            self._buttons["pause"].set_enabled(not saving)
            self._buttons["stop"].set_enabled(not saving)

    # Frame

    def update(self, dt: float) -> None:
        """Show what is new."""
        if self._shape() != self._built_for:
            self.scene.rebuild()
            return
        self._sweep = (self._sweep + dt * 0.45) % 2.0
        self._name_buttons()
        self.charts.follow(self.scene.kit.pointer)
        if self._board is not None:
            if self.job.board != self._shown:
                self._shown = self.job.board
                state = position(self.job.request, self._shown)
                if state is not None:
                    self._board.show(state)
            self._board.update(dt)

    def draw(self, surface: pygame.Surface) -> None:
        """Cards and words."""
        theme, job = self.scene.theme, self.job
        if "board" in self.cards and self._board is not None:
            draw_card(surface, theme, self.cards["board"])
            draw_heading(
                surface, theme, theme.px(HEAD), self.cards["board"], "Playing now" if job.active else "Last played"
            )
            self._board.draw(surface)
        if not self.charts.charts:
            self._draw_waiting(surface, self.cards["curves"])
        self._draw_status(surface, self.cards["status"])

    def _draw_waiting(self, surface: pygame.Surface, area: pygame.Rect) -> None:
        theme = self.scene.theme
        draw_card(surface, theme, area)
        said = "The first figures will be here in a moment." if self.job.active else "It reported no figures."
        text.draw(
            surface, theme, said, area.center, colour=theme.muted, anchor="center", limit=area.width - theme.px(32)
        )

    def _draw_status(self, surface: pygame.Surface, card: pygame.Rect) -> None:
        theme, job = self.scene.theme, self.job
        draw_card(surface, theme, card)
        pad, head = theme.px(PAD), theme.px(HEAD)
        draw_heading(surface, theme, head, card, "Training", job.phase.value, phase_colour(theme, job.phase))
        inner = pygame.Rect(card.left + pad, card.top + head, card.width - 2 * pad, 0)
        y = inner.top + theme.px(12)
        text.draw(surface, theme, job.request.name, (inner.left, y), size=FONT_HEADING, weight="bold", anchor="midleft",
                  limit=inner.width)  # fmt: skip
        y += theme.px(24)
        text.draw(surface, theme, job.request.title, (inner.left, y), size=FONT_SMALL, colour=theme.muted, anchor="midleft",
                  limit=inner.width)  # fmt: skip
        y += theme.px(18)
        y = self._draw_bar(surface, pygame.Rect(inner.left, y, inner.width, theme.px(6)))
        for line in text.wrap(theme, job.problem, inner.width) if job.problem else ():
            text.draw(surface, theme, line, (inner.left, y), colour=theme.bad)
            y += theme.font().get_linesize()
        y += theme.px(ROW) // 2 + theme.px(4)
        for name, value in self._rows():
            if y + theme.px(ROW) // 2 > self.cards["buttons"].top - theme.px(4):
                break
            draw_row(surface, theme, card, y, name, value)
            y += theme.px(ROW)

    def _draw_bar(self, surface: pygame.Surface, bar: pygame.Rect) -> int:
        theme, job = self.scene.theme, self.job
        track = blend(theme.raised, theme.line, 0.5)
        colour = phase_colour(theme, job.phase)
        if job.fraction is not None or not job.active:
            share = 1.0 if job.phase is Phase.DONE else job.fraction or 0.0
            draw_bar(surface, bar, share, colour, track)
        else:
            draw_bar(surface, bar, 0.0, colour, track)
            if job.phase is not Phase.PAUSED:
                wide = round(bar.width * SWEEP)
                at = 1 - abs(1 - self._sweep)
                draw_bar(surface, pygame.Rect(bar.left + round((bar.width - wide) * at), bar.top, wide, bar.height),
                         1.0, colour, track)  # fmt: skip
        return bar.bottom + theme.px(10)

    def _rows(self) -> list[tuple[str, str]]:
        job = self.job
        rows = [("Trained for", span(job.seconds))]
        if job.eta is not None:
            rows.append(("Time left", f"about {span(job.eta)}"))
        if job.fraction is not None and job.active:
            rows.append(("Done", f"{job.fraction:.0%}"))
        rows.append(("Games", f"{job.games:,}"))
        for name in job.history.counts:
            if name not in ("games", "episodes"):  # the games have their row
                rows.append((job.history.trainer.figure(name).title, words.figure(job.history.latest[name])))
        card = job.card
        if card is not None:
            rows.append(("Model", size_words(card.size)))
        changed = [(job.request.trainer.parameter(name), value) for name, value in job.request.settings.items()]
        rows += [(parameter.title, words.shown(parameter, value)) for parameter, value in changed]
        rows.append(("Seed", str(job.request.seed)))
        return rows


def _tip(words: str, command: str) -> str:
    return f"{words} ({keys_shown(command, (TRAINING,))})"


def phase_colour(theme: Theme, phase: Phase) -> Colour:
    """How a training's phase is marked."""
    if phase is Phase.FAILED:
        return theme.bad
    return (
        theme.good
        if phase is Phase.DONE
        else theme.muted
        if phase in (Phase.PAUSED, Phase.STOPPED)
        else theme.thinking
    )


def position(request: Request, written: str) -> Any:
    """The position that a training shows; None where it shows none, or one that cannot be drawn here."""
    try:
        if not written:
            return None
        return view_of(request.game).training_board(written, request.value)
    except (ValueError, CatalogueError):
        return None
