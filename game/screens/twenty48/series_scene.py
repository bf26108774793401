"""Many games of one agent while they are played: which tiles it reaches, how its scores spread, how fast it is."""

from collections.abc import Callable
from types import MappingProxyType

import pygame
from typing_extensions import override

from ai import catalogue, kernels
from ai.entries import Spec
from game.play.twenty48.series import Series
from game.play.words import counted, span
from game.rules import twenty48
from game.screens import results
from game.screens.context import Context
from game.screens.jobs.batch import BatchPlayer
from game.screens.play.agent_form import AgentForm
from game.screens.replays.words import seat_title
from game.screens.twenty48 import series_charts
from game.ui import text
from game.ui.chrome import Action, TopBar, draw_bar, draw_card, draw_heading, draw_row
from game.ui.controls import Button, Stepper, neighbour
from game.ui.layout import layout
from game.ui.scene import Host, Scene
from game.ui.shortcuts import WINDOW
from game.ui.theme import CONTROL_HEIGHT, blend
from game.views.twenty48.accent import ACCENT
from game.views.twenty48.keys import SERIES

TOP_ACTIONS = (Action("help", "Keys", "help"), Action("settings", "Settings", "settings"))
GAME = "twenty48"
COUNTS = (10, 100, 1000)
EASE = 9.0
"""How fast bars follow what they show, per second."""


class SeriesScene(Scene):
    """The charts on the left, the agent and the numbers on the right. Games go on behind other screens."""

    name = "series"
    groups = (SERIES, WINDOW)
    meanings = MappingProxyType({"back": "Back to the board"})

    def __init__(self, window: Host, context: Context, spec: Spec, size: int) -> None:
        """Starts nothing by itself."""
        super().__init__(window)
        self.context = context
        self.board = twenty48.start(size)
        remembered = context.settings.remembered.get("2048/games")
        self.count = remembered if isinstance(remembered, int) and remembered in COUNTS else COUNTS[1]
        self.form = AgentForm(GAME, spec, self._choose, narrow=True)
        self.player = BatchPlayer[Series]()
        self.top_bar: TopBar | None = None
        self.cards: dict[str, pygame.Rect] = {}
        self.start_button: Button | None = None
        self._bars = series_charts.Shown()
        self._results: tuple[object, list[tuple[str, str]]] = (None, [])
        self._keeping: list[Button] = []

    # Lay out

    @override
    def build(self) -> None:
        """Two charts, and a column of cards."""
        theme = self.theme
        areas = layout(self.size, theme)
        left, right = areas.beside(theme, 240)
        self.top_bar = TopBar(
            self.kit, self.size[0], "Many games", ACCENT.on(theme), TOP_ACTIONS, self.window.command
        )  # fmt: skip
        size = self.board.size
        self.top_bar.subtitle = f"{size} × {size} · seeds 0, 1, 2, …"
        gap, pad, high = theme.px(12), theme.px(16), theme.px(CONTROL_HEIGHT)
        upper = round((left.height - gap) * 0.54)
        self.cards = {
            "tiles": pygame.Rect(left.left, left.top, left.width, upper),
            "scores": pygame.Rect(left.left, left.top + upper + gap, left.width, left.height - upper - gap),
        }
        inner = right.inflate(-2 * pad, 0)
        top = right.top + theme.px(40)
        form = self.form.height(self.kit, inner.width)
        self.form.build(self.kit, pygame.Rect(inner.left, top, inner.width, form), self.board)
        top += form + theme.px(8)
        Stepper(self.kit, pygame.Rect(inner.left, top, inner.width, high), "Games", f"{self.count:,}",
                on_step=self._step_count, tip="How many games it plays")  # fmt: skip
        top += high + theme.px(8)
        self.start_button = Button(
            self.kit, pygame.Rect(inner.left, top, inner.width, high), style="primary", on_press=self.toggle,
            tip="Start, or stop and keep the games (Space)",
        )  # fmt: skip
        top += high + theme.px(14)
        self.cards["who"] = pygame.Rect(right.left, right.top, right.width, top - right.top)
        self.cards["numbers"] = pygame.Rect(right.left, top + gap, right.width, right.bottom - top - gap)
        half = (inner.width - theme.px(8)) // 2
        place = pygame.Rect(inner.left, right.bottom - high - theme.px(12), half, high)
        self._keeping = [
            Button(self.kit, place, "Copy", icon="copy", on_press=self.copy,
                   tip="Put the table of all games on the clipboard (Ctrl C)"),
            Button(self.kit, place.move(inner.width - half, 0), "Save", icon="save", on_press=self.save,
                   tip="Save the table of all games as a CSV file (Ctrl S)"),
        ]  # fmt: skip

    def _choose(self, _spec: Spec, whole: bool) -> None:
        if whole:
            self.rebuild()

    def _step_count(self, by: int) -> str:
        self.count = neighbour(COUNTS, self.count, by)
        self.context.remember("2048/games", self.count)
        return f"{self.count:,}"

    # What is asked for

    @property
    def series(self) -> Series | None:
        """What is shown."""
        return self.player.batch

    def toggle(self) -> None:
        """Start, or stop and keep what there is."""
        if self.player.busy:
            self.player.stop()
            return
        reason = catalogue.why_not(GAME, self.form.spec, self.board)
        if reason is None and not kernels.ready(kernels.needed(GAME, self.form.spec)):
            reason = self.context.wait_for(kernels.needed(GAME, self.form.spec))
        if reason is not None:
            self.window.say(reason, "bad")
            return
        self._bars = series_charts.Shown()
        series = Series(self.form.spec, self.board.size, self.count)
        self.player.begin(series, series.command())

    def copy(self) -> None:
        """The table of all games as text."""
        results.copy(self.window, self._ended, self._table)

    def save(self) -> None:
        """The same as a file."""
        name = f"2048-{self.series.spec.id}" if self.series is not None else "2048"
        results.save(self.window, self.context, name, self._ended, self._table)

    @property
    def _ended(self) -> int:
        return len(self.series.games) if self.series is not None else 0

    def _table(self) -> str:
        return self.series.table() if self.series is not None else ""

    # Scene

    @override
    def command(self, command: str) -> bool:
        """Start, stop, copy, save."""
        actions: dict[str, Callable[[], object]] = {
            "series_run": self.toggle,
            "series_copy": self.copy,
            "series_save": self.save,
        }
        if command in actions:
            actions[command]()
            return True
        return super().command(command)

    @override
    def update(self, dt: float) -> None:
        """Take what was played; let the bars follow."""
        series = self.series
        before = len(series.games) if series is not None else 0
        self.player.update()
        if series is not None and len(series.games) > before:
            self._keep_results()
        if series is not None and series.problem:
            self.window.say(series.problem, "bad")
            series.problem = ""
        self._bars.follow(series, min(1.0, dt * EASE) if self.window.look.animated else 1.0)

    @override
    def close(self) -> None:
        """End the process."""
        self.player.stop()

    def _keep_results(self) -> None:
        """Statistics are reckoned once a game, not once a frame."""
        series = self.series
        assert series is not None
        scores = sorted(game.score for game in series.games)
        error = series.error
        self._results = (
            series,
            [
                ("Mean score", f"{series.mean:,.0f}" + (f" ± {error:,.0f}" if error is not None else "")),
                ("Half are above", f"{scores[len(scores) // 2]:,}"),
                ("Best game", f"{scores[-1]:,}"),
                ("Weakest game", f"{scores[0]:,}"),
                ("Moves a game", f"{sum(game.moves for game in series.games) / len(scores):,.0f}"),
            ],
        )
        self._bars.aim(series)

    @override
    def draw(self, surface: pygame.Surface) -> None:
        """Charts, cards, bars."""
        theme, series, busy = self.theme, self.series, self.player.busy
        if self.top_bar is not None:
            self.top_bar.draw(surface)
        if self.start_button is not None:
            self.start_button.set("Stop" if busy else "Start", "stop" if busy else "play")
        for button in self._keeping:
            button.set_enabled(series is not None and bool(series.games))
        for name in self.cards:
            draw_card(surface, theme, self.cards[name])
        head = theme.px(40)
        said = f"of {counted(len(series.games), 'game')}" if series is not None and series.games else ""
        draw_heading(surface, theme, head, self.cards["tiles"], "Games that reach each tile", said)
        series_charts.draw_tiles(surface, theme, self.cards["tiles"], self._bars)
        draw_heading(surface, theme, head, self.cards["scores"], "How the scores spread", "games by points")
        series_charts.draw_scores(surface, theme, self.cards["scores"], self._bars)
        draw_heading(surface, theme, head, self.cards["who"], "Who plays", "agent" if busy else "",
                     theme.thinking if busy else None)  # fmt: skip
        self._draw_numbers(surface, self.cards["numbers"])

    def _draw_numbers(self, surface: pygame.Surface, card: pygame.Rect) -> None:
        theme, series, row = self.theme, self.series, self.theme.px(25)
        ended = f"{len(series.games):,} of {series.wanted:,}" if series is not None else ""
        draw_heading(surface, theme, theme.px(40), card, "Games", ended)
        bar = pygame.Rect(card.left + theme.px(16), card.top + theme.px(38), card.width - theme.px(32), theme.px(6))
        share = len(series.games) / series.wanted if series is not None else 0.0
        draw_bar(surface, bar, share, theme.thinking, blend(theme.raised, theme.line, 0.5))
        if series is None:
            words = "Press Start: the agent plays one game after the other, and you see how good it is."
            y = bar.bottom + theme.px(12)
            for line in text.wrap(theme, words, bar.width):
                text.draw(surface, theme, line, (bar.left, y), colour=theme.muted)
                y += theme.font().get_linesize()
            return
        rows = list(self._results[1]) if self._results[0] is series else []
        speed, left = series.moves_per_second, self.player.left
        if speed is not None:
            rows.insert(4, ("Speed", f"{speed:,.0f} moves/s"))
        if left is not None:
            rows.insert(4, ("Time left", span(left)))
        if series.now[0]:
            rows.insert(0, ("Playing now", f"{series.now[1]:,} · {counted(series.now[0], 'move')}"))
        elif not rows and self.player.busy:
            rows.append(("The agent gets ready.", ""))
        y = bar.bottom + theme.px(8) + row // 2
        for name, value in rows:
            if y + row // 2 > card.bottom - theme.px(CONTROL_HEIGHT + 16):
                return
            draw_row(surface, theme, card, y, name, value)
            y += row

    @property
    @override
    def status(self) -> tuple[str, str, bool]:
        """How far it is."""
        series, right = self.series, seat_title(GAME, str(self.form.spec))
        if series is None:
            return "Space starts the games · Esc goes back to the board", right, False
        right = seat_title(GAME, str(series.spec))
        if self.player.busy:
            playing = min(len(series.games) + 1, series.wanted)
            words = f"Playing game {playing:,} of {series.wanted:,} · Space stops and keeps what there is"
            return words, right, True
        how = "All games played" if series.done else f"Stopped after {counted(len(series.games), 'game')}"
        return f"{how} · Ctrl S saves the table · Space plays anew", right, False
