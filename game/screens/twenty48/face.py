"""What stands around a board of 2048: score, values, risk, and why the agent's move is the best."""

import math
from collections.abc import Callable

import pygame
from typing_extensions import override

from game.play.twenty48.risk import MOVES
from game.play.twenty48.session import TileSession
from game.rules.direction import Direction
from game.screens.play.face import Face, Row
from game.screens.twenty48 import why
from game.ui import text
from game.ui.chrome import draw_card
from game.ui.controls import Button, Stepper
from game.ui.kit import Kit
from game.ui.theme import FONT_SMALL, Colour, Theme
from game.ui.tween import ease_out
from game.views.twenty48 import worth
from game.views.twenty48.accent import ACCENT
from game.views.value_bars import ValueBar

FLOAT_SECONDS = 0.9
WHY_ROWS, WHY_ROWS_DENSE = 6, 3
"""Lines of the legend of 'why?', and of the short one in a low window."""
DANGER = 0.05
"""Risk from which it wears the colour of danger."""


class TileFace(Face):
    """One card above the others has the score, with points that float up."""

    session: TileSession

    top_height = 72
    helper_heading = "Computer player"
    watch_label = "Watch it"
    last_icon = ("shuffle", "new", "New game")

    def __init__(
        self, session: TileSession, theme: Theme, command: Callable[[str], object], looks_ahead: Callable[[], bool]
    ) -> None:
        """`looks_ahead` answers whether the board is drawn as it would be right after the explained move."""
        super().__init__(session, theme, command)
        self._looks_ahead = looks_ahead
        self._floats: list[tuple[int, float]] = []
        self._bars: tuple[object, list[ValueBar]] | None = None
        """The value bars drawn last, with what they were made from."""

    @override
    def subtitle(self) -> str:
        """The size."""
        return f"{self.session.state.size} × {self.session.state.size}"

    @override
    def idle_status(self) -> str:
        """How to play."""
        session, reason = self.session, self.session.explainer.why
        if session.over:
            return "No move is left · N starts a new game · Z takes the last move back"
        hint = session.driver.hint
        if self._looks_ahead() and reason is not None:
            way = Direction(reason.action).label
            return f"The board as it would be after sliding {way} · Enter plays it · V shows the board again"
        if hint is not None and hint.actions:
            return (
                f"The arrow is the agent's move: {Direction(hint.actions[0]).label} · Enter plays it · Esc forgets it"
            )
        return "Arrows or swipes slide the tiles · H hint · Space lets the agent play"

    @override
    def status_right(self) -> str:
        """The move and the seed."""
        return f"move {self.session.timeline.cursor:,} · seed {self.session.seed}"

    @override
    def about(self) -> tuple[str, ...]:
        """The rules."""
        return (
            "Slide all tiles with the arrow keys.",
            "Two of the same number become one.",
            "Make 2048, before the board is full.",
        )

    # The score

    def float_up(self, points: int) -> None:
        """A move has just brought points."""
        self._floats = [(each, age) for each, age in self._floats if age > 0.45][-1:]
        self._floats.append((points, 0.0))

    def settle(self) -> None:
        """No points float any more."""
        self._floats.clear()

    def update(self, dt: float) -> None:
        """Let `dt` seconds pass."""
        self._floats = [(points, age + dt) for points, age in self._floats if age + dt < FLOAT_SECONDS]

    @override
    def draw_top(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """Score and best side by side, points floating up."""
        theme, session = self.theme, self.session
        half = (rect.width - theme.px(8)) // 2
        who = "agent" if session.agent_played else "person"
        best = session.store.progress.best_2048(session.state.size, who).score
        if not session.arranged:
            best = max(best, session.state.score)
        boxes = (("Score", session.state.score, rect.left), ("Best", best, rect.right - half))
        for name, number, left in boxes:
            box = pygame.Rect(left, rect.top, half, rect.height)
            draw_card(surface, theme, box)
            text.draw(
                surface, theme, name.upper(), (left + theme.px(14), rect.top + theme.px(18)), size=FONT_SMALL,
                colour=theme.muted, anchor="midleft",
            )  # fmt: skip
            size = 26 if number < 1_000_000 else 20
            text.draw(surface, theme, f"{number:,}", (left + theme.px(14), rect.top + theme.px(46)), size=size, weight="bold",
                      anchor="midleft", limit=half - theme.px(20))  # fmt: skip
        for points, age in self._floats:
            share = age / FLOAT_SECONDS
            colour = pygame.Color(ACCENT.on(theme))
            colour.a = round(255 * (1 - share))
            y = rect.top + theme.px(22) - theme.px(20) * ease_out(share)
            text.draw(surface, theme, f"+{points:,}", (rect.left + half - theme.px(12), y), colour=colour, weight="bold",
                      anchor="midright")  # fmt: skip

    # What it thinks

    @override
    def value_bars(self) -> list[ValueBar]:
        """The four directions, points apart from the rest of the value, the preferred one marked."""
        session, thought = self.session, self.session.driver.thought
        values = thought.values if session.thought_counts else {}
        before = session.timeline.states[thought.ply] if values else session.state
        key = (before, tuple(values.items()), session.values_kind)
        if self._bars is None or self._bars[0] != key:
            self._bars = key, worth.bars(before, values, session.values_kind)
        return self._bars[1]

    @property
    @override
    def now_colour(self) -> Colour:
        """Points wear the game's own colour."""
        return ACCENT.on(self.theme)

    @override
    def thought_note(self) -> str:
        """What the two numbers of a bar are."""
        driver, kind = self.session.driver, self.session.values_kind
        thought = driver.thought
        known = bool(thought.values) if kind == "rating" else driver.ready and not thought.thinking
        return self.dated(worth.NOTES[kind] if known or thought.values else super().thought_note())

    def _risk_rows(self) -> list[Row]:
        risk = self.session.risk.risk
        if risk is None:
            return []
        colour = self.theme.bad if risk.range[0] > DANGER else None
        return [Row(f"Lost within {MOVES} moves", risk.words, colour)]

    @override
    def thought_rows(self) -> list[Row]:
        """The risk, how much was searched, how fast."""
        driver = self.session.driver
        plan = driver.thought.plan
        rows = [] if self.dense else self._risk_rows()
        if plan is not None and plan.nodes and self.session.thought_counts:
            rate = plan.nodes / max(plan.seconds, 1e-6)
            rows.append(Row("Searched", f"{text.short(plan.nodes)} positions · {text.short(rate)}/s"))
        if driver.running:
            rows.append(Row("Moves", f"{driver.rate:,.0f} a second"))
        return rows

    # This game, or why the agent's move is the best

    @property
    @override
    def game_heading(self) -> str:  # type: ignore[override]
        """The last card's."""
        reason = self.session.explainer.why
        if not self.session.why_on:
            return "This game"
        if reason is None or not self.session.explained:
            return "Why?"
        other = f", not {Direction(reason.other).label}" if reason.other is not None else ""
        return f"Why {Direction(reason.action).label}{other}?"

    @property
    @override
    def game_buttons_rows(self) -> int:  # type: ignore[override]
        """The legend of 'why?' takes the buttons' place."""
        return 0 if self.session.why_on else 1

    @override
    def game_rows(self) -> list[Row]:
        """Moves, largest tile, time; or why the agent's move is the best."""
        session, state = self.session, self.session.state
        if session.why_on:
            explained = session.explained
            rows = why.rows(session.explainer, state.size, self.dense) if explained else [Row(self._no_reason(), "")]
            return rows + [Row("", "")] * ((WHY_ROWS_DENSE if self.dense else WHY_ROWS) - len(rows))
        minutes, seconds = divmod(int(session.seconds), 60)
        return [
            *(self._risk_rows() if self.dense or not self.thoughtful else ()),
            Row("Moves", f"{session.timeline.cursor:,}"),
            Row("Largest tile", f"{1 << max(state.cells):,}"),
            Row("Time", f"{minutes}:{seconds:02d}"),
        ]

    def _no_reason(self) -> str:
        driver = self.session.driver
        if self.session.explainer.unable:
            return "Choose an n-tuple network to see why"
        if driver.running and math.isinf(driver.speed):
            return "Too fast to follow"
        return "H lets the agent think" if not driver.running else ""

    @override
    def build_game_buttons(self, kit: Kit, rect: pygame.Rect) -> None:
        """Size and new game."""
        gap, high = kit.theme.px(8), kit.theme.px(38)
        half = (rect.width - gap) // 2
        Stepper(kit, pygame.Rect(rect.left, rect.top, half, high), "Size", self._size_text(), on_step=self._resize,
                tip="Edge of the next board, 3 to 8")  # fmt: skip
        Button(kit, pygame.Rect(rect.left + half + gap, rect.top, half, high), "New game", icon="shuffle",
               on_press=lambda: self.command("new"), tip="New game (N)")  # fmt: skip

    def _size_text(self) -> str:
        return f"{self.session.size_chosen}×{self.session.size_chosen}"

    def _resize(self, by: int) -> str:
        self.session.choose_size(min(8, max(3, self.session.size_chosen + by)))
        return self._size_text()
