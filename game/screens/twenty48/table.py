"""The table of 2048: the board and the panel's words about it, with what the agent thinks and why."""

import math
from typing import Any

import pygame

from ai import catalogue
from ai.entries import Values
from game.play.twenty48.risk import MOVES, RiskView
from game.rules import twenty48
from game.rules.direction import Direction
from game.rules.replay import Step
from game.rules.twenty48 import State
from game.screens.play.panel import Row
from game.screens.play.screen import GameScene
from game.screens.twenty48.why import WhyView
from game.ui import text
from game.ui.chrome import draw_card
from game.ui.theme import FONT_SMALL, Colour
from game.ui.tween import ease_out
from game.views.twenty48 import worth
from game.views.twenty48.accent import ACCENT
from game.views.twenty48.board import SLIDE_SECONDS, BoardView
from game.views.value_bars import ValueBar

FLOAT_SECONDS = 0.9
WHY_ROWS, WHY_ROWS_DENSE = 6, 3
"""Lines of the legend of 'why?', and of the short one in a low window."""
DANGER = 0.05
"""Risk from which it wears the colour of danger."""
WHY_LAG = 0.6
"""Seconds for which an explanation stays on the board of a running agent."""


class Twenty48Table(GameScene):
    """What is seen of one game of 2048; `Twenty48Scene` plays it."""

    timeline: Any

    def __init__(self, window: Any, context: Any) -> None:
        """Takes up the saved game."""
        self.board: BoardView | None = None
        self._floats: list[tuple[int, float]] = []
        self._bars: tuple[object, list[ValueBar]] | None = None
        """The value bars drawn last, with what they were made from."""
        self.why = WhyView()
        self.risk = RiskView()
        self.why_on = context.settings.remembered.get("2048/why") is True
        self._by_agent = False
        """Whether an agent made any move of this game."""
        super().__init__(window, context)

    def close(self) -> None:
        """End the threads; the game is saved."""
        self.why.close()
        self.risk.close()
        super().close()

    # Board

    def build_board(self, rect: pygame.Rect) -> None:
        """The board as large as it fits."""
        if self.board is None:
            self.board = BoardView(self.theme)
        self.board.set_theme(self.theme, self.window.look.animated)
        self.board.show(self.state)
        self.board.layout(rect)

    def show(self, state: State) -> None:
        """Jump."""
        if self.board is not None:
            self.board.show(state)

    def animate(self, before: State, step: Step, after: State, seconds: float) -> None:
        """Slide; the points float up."""
        if self.board is not None:
            slow = seconds >= SLIDE_SECONDS or math.isinf(self.driver.speed)
            self.board.play(before, step, after, SLIDE_SECONDS if slow else seconds)
        if after.score > before.score:
            self._floats = [(points, age) for points, age in self._floats if age > 0.45][-1:]
            self._floats.append((after.score - before.score, 0.0))

    def board_busy(self) -> bool:
        """At most speeds the agent waits for the slide."""
        return self.board is not None and self.board.busy

    def update_board(self, dt: float) -> None:
        """Animation and floating points."""
        if self.board is not None:
            self.board.update(dt)
        self._explain(dt)
        driver = self.driver
        thought = driver.thought
        used = (thought.plan is not None or thought.fast) and driver.ready and not self.over(self.state)
        self.risk.update(dt, driver.seats[0] if used else None, self.state, driver.running)
        self._floats = [(points, age + dt) for points, age in self._floats if age + dt < FLOAT_SECONDS]

    @property
    def covered(self) -> pygame.Rect:
        """The board's frame."""
        return self.board.frame if self.board is not None else super().covered

    def draw_board(self, surface: pygame.Surface) -> None:
        """The board."""
        if self.board is None:
            return
        hint, ahead = self.driver.hint, self.looks_ahead
        self.board.hint = hint.actions[0] if hint is not None and hint.actions and not ahead else None
        slide = twenty48.slide(self.state, self.why.why.action) if ahead and self.why.why is not None else None
        self.board.instead = slide.cells if slide is not None else None
        self.board.draw(surface, self.theme.ground)
        if self.explained:
            self.why.draw(surface, self.theme, self.board)

    @property
    def arranged(self) -> bool:
        """Whether this game began on a board that somebody arranged, which makes no record."""
        first = self.timeline.initial
        return first != twenty48.start(first.size, first.seed)

    # Why

    def toggle_why(self) -> None:
        """Show why the agent's move is the best, or stop showing it; a paused agent thinks about its move for that."""
        self.why_on = not self.why_on
        self.context.remember("2048/why", self.why_on)
        if self.why_on and not self.driver.running and not self.thought_counts and not self.over(self.state):
            self.ask_hint()
        self.rebuild()

    def _explain(self, dt: float) -> None:
        """Keep the explanation up with what was thought last."""
        self.why.update(dt)
        if self.why.problem:
            self.window.say(self.why.problem, "bad")
            self.why.problem = ""
        thought = self.driver.thought
        if self.why_on and thought.plan is not None and thought.plan.actions and thought.spec and self.thought_counts:
            self.why.ask(thought.spec, thought.ply, self.timeline.states[thought.ply], thought.plan.actions[0])

    @property
    def explained(self) -> bool:
        """Whether there is an explanation that is about this board."""
        ply, states = self.why.ply, self.timeline.states
        if not self.why_on or self.why.why is None or not 0 <= ply < len(states) or states[ply] != self.why.state:
            return False
        speed = 0.0 if math.isinf(self.driver.speed) or not self.driver.running else self.driver.speed
        return 0 <= self.timeline.cursor - ply <= 1 + speed * WHY_LAG

    @property
    def looks_ahead(self) -> bool:
        """Whether the board is drawn as it would be right after the explained move."""
        busy = self.board is not None and self.board.busy
        return self.explained and self.why.ply == self.timeline.cursor and not self.driver.running and not busy

    def _no_reason(self) -> str:
        if self.why.unable:
            return "Choose an n-tuple network to see why"
        if self.driver.running and math.isinf(self.driver.speed):
            return "Too fast to follow"
        return "H lets the agent think" if not self.driver.running else ""

    @property
    def game_heading(self) -> str:  # type: ignore[override]
        """The last card's."""
        why = self.why.why
        if not self.why_on:
            return "This game"
        if why is None or not self.explained:
            return "Why?"
        other = f", not {Direction(why.other).label}" if why.other is not None else ""
        return f"Why {Direction(why.action).label}{other}?"

    @property
    def game_buttons_rows(self) -> int:  # type: ignore[override]
        """The legend of 'why?' takes the buttons' place."""
        return 0 if self.why_on else 1

    # Panel

    def draw_panel_top(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """Score and best side by side, points floating up."""
        theme = self.theme
        half = (rect.width - theme.px(8)) // 2
        who = "agent" if self._by_agent else "person"
        best = self.context.progress.best_2048(self.state.size, who).score
        if not self.arranged:
            best = max(best, self.state.score)
        boxes = (("Score", self.state.score, rect.left), ("Best", best, rect.right - half))
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

    def value_bars(self) -> list[ValueBar]:
        """The four directions, points apart from the rest of the value, the preferred one marked."""
        thought = self.driver.thought
        values = thought.values if self.thought_counts else {}
        before = self.timeline.states[thought.ply] if values else self.state
        key = (before, tuple(values.items()), self.values_kind)
        if self._bars is None or self._bars[0] != key:
            self._bars = key, worth.bars(before, values, self.values_kind)
        return self._bars[1]

    @property
    def values_kind(self) -> Values:
        """What the values are of the agent that thought last."""
        spec = self.driver.thought.spec or self.driver.seats[0]
        return catalogue.entry(self.game, spec.id).values_of(spec) if spec is not None else "rating"

    @property
    def now_colour(self) -> Colour:
        """Points wear the game's own colour."""
        return ACCENT.on(self.theme)

    def thought_note(self) -> str:
        """What the two numbers of a bar are."""
        thought, kind = self.driver.thought, self.values_kind
        known = bool(thought.values) if kind == "rating" else self.driver.ready and not thought.thinking
        return self.dated(worth.NOTES[kind] if known or thought.values else super().thought_note())

    def _risk_rows(self) -> list[Row]:
        risk = self.risk.risk
        if risk is None:
            return []
        colour = self.theme.bad if risk.range[0] > DANGER else None
        return [Row(f"Lost within {MOVES} moves", risk.words, colour)]

    def thought_rows(self) -> list[Row]:
        """The risk, how much was searched, how fast."""
        thought = self.driver.thought
        rows = [] if self.panel.dense else self._risk_rows()
        if thought.plan is not None and thought.plan.nodes and self.thought_counts:
            rate = thought.plan.nodes / max(thought.plan.seconds, 1e-6)
            rows.append(Row("Searched", f"{text.short(thought.plan.nodes)} positions · {text.short(rate)}/s"))
        if self.driver.running:
            rows.append(Row("Moves", f"{self.driver.rate:,.0f} a second"))
        return rows

    def game_rows(self) -> list[Row]:
        """Moves, largest tile, time; or why the agent's move is the best."""
        if self.why_on:
            rows = (
                self.why.rows(self.state.size, self.panel.dense) if self.explained else [Row(self._no_reason(), "")]
            )
            return rows + [Row("", "")] * ((WHY_ROWS_DENSE if self.panel.dense else WHY_ROWS) - len(rows))
        state = self.state
        minutes, seconds = divmod(int(self.seconds), 60)
        return [
            *(self._risk_rows() if self.panel.dense else ()),
            Row("Moves", f"{self.timeline.cursor:,}"),
            Row("Largest tile", f"{1 << max(state.cells):,}"),
            Row("Time", f"{minutes}:{seconds:02d}"),
        ]
