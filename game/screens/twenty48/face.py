"""What stands around a board of 2048: score, records, values, risk."""

from collections.abc import Callable

import pygame
from typing_extensions import override

from game.play.twenty48.risk import MOVES
from game.play.twenty48.session import TileSession
from game.rules import twenty48
from game.rules.direction import Direction
from game.screens.play.face import Face, Row
from game.ui import text
from game.ui.chrome import draw_card
from game.ui.controls import Button, Stepper
from game.ui.kit import Kit
from game.ui.theme import FONT_SMALL, Colour, Theme, Weight
from game.ui.tween import ease_out
from game.views.twenty48 import worth
from game.views.value_bars import ValueBar

FLOAT_SECONDS = 0.9
SCORE_SHARE = 0.38
"""Of the width of the card above the others."""
BOLD: tuple[Weight, Weight] = ("regular", "bold")
SCORE_SIZES = (26, 22, 18, 16)
DANGER = 0.05
"""Risk from which it wears the colour of danger."""


class TileFace(Face):
    """One card above the others has the score, with points that float up."""

    session: TileSession

    top_height = 72
    helper_heading = "Computer player"
    watch_label = "Watch it"
    game_buttons_rows = 1
    last_icon = ("shuffle", "new", "New game")

    def __init__(
        self, session: TileSession, theme: Theme, command: Callable[[str], object], looks_ahead: Callable[[], bool],
        new_board: Callable[[int], None],
    ) -> None:  # fmt: skip
        """`looks_ahead` answers whether the board is drawn as it would be right after the explained move.

        `new_board` begins a game on a board of another size, or asks first.
        """
        super().__init__(session, theme, command)
        self._new_board = new_board
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
        session, reason = self.session, self.session.explainer.reasons
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
        if session.driver.loads_early:
            agent = session.name_of(session.hint_spec())
            return f"{agent} is being loaded, so that hints come at once · arrows or swipes slide the tiles"
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
        """The score, points floating up, and beside it both records."""
        theme, session = self.theme, self.session
        gap, pad, edge = theme.px(8), theme.px(14), theme.px(10)
        left = pygame.Rect(rect.left, rect.top, round((rect.width - gap) * SCORE_SHARE), rect.height)
        right = pygame.Rect(left.right + gap, rect.top, rect.right - left.right - gap, rect.height)
        for box in (left, right):
            draw_card(surface, theme, box)
        if not self._floats:  # they rise where the name stands
            text.draw(surface, theme, "SCORE", (left.left + pad, rect.top + theme.px(18)), size=FONT_SMALL,
                      colour=theme.muted, anchor="midleft")  # fmt: skip
        shown, room = f"{session.state.score:,}", left.width - theme.px(20)
        size = next((each for each in SCORE_SIZES if text.width(theme, shown, each, "bold") <= room), SCORE_SIZES[-1])
        text.draw(surface, theme, shown, (left.left + pad, rect.top + theme.px(46)), size=size, weight="bold",
                  anchor="midleft", limit=room)  # fmt: skip
        own, theirs = session.bests
        for number, (name, best) in enumerate((("Your", own), ("Agents'", theirs))):
            middle = rect.top + theme.px(23 + 26 * number)
            counts = session.agent_played == bool(number)
            shown, weight = f"{best:,}" if best else "–", BOLD[counts]
            room = right.width - 2 * edge - text.width(theme, shown, weight=weight) - theme.px(6)
            label = text.fitting(theme, (f"{name} best", name), room, FONT_SMALL)
            text.draw(surface, theme, label, (right.left + edge, middle), size=FONT_SMALL, colour=theme.muted,
                      anchor="midleft")  # fmt: skip
            text.draw(surface, theme, shown, (right.right - edge, middle), anchor="midright", weight=weight,
                      limit=right.width - 2 * edge)  # fmt: skip
        for points, age in self._floats:
            share = age / FLOAT_SECONDS
            colour = pygame.Color(theme.good)
            colour.a = round(255 * (1 - share))
            y = rect.top + theme.px(22) - theme.px(20) * ease_out(share)
            text.draw(surface, theme, f"+{points:,}", (left.right - theme.px(12), y), colour=colour, weight="bold",
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
        """Points that are gained are good."""
        return self.theme.good

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

    # This game

    @override
    def game_rows(self) -> list[Row]:
        """Moves, largest tile, time."""
        session, state = self.session, self.session.state
        minutes, seconds = divmod(int(session.seconds), 60)
        return [
            *(self._risk_rows() if self.dense or not self.thoughtful else ()),
            Row("Moves", f"{session.timeline.cursor:,}"),
            Row("Largest tile", f"{1 << max(state.cells):,}"),
            Row("Time", f"{minutes}:{seconds:02d}"),
        ]

    @override
    def build_game_buttons(self, kit: Kit, rect: pygame.Rect) -> None:
        """Size and new game."""
        gap, high = kit.theme.px(8), kit.theme.px(38)
        half = (rect.width - gap) // 2
        Stepper(kit, pygame.Rect(rect.left, rect.top, half, high), "Size", self._size_text(), on_step=self._resize,
                tip="Edge of the board, 3 to 8: another size is another game")  # fmt: skip
        Button(kit, pygame.Rect(rect.left + half + gap, rect.top, half, high), "New game", icon="shuffle",
               on_press=lambda: self.command("new"), tip="New game (N)")  # fmt: skip

    def _size_text(self) -> str:
        return f"{self.session.state.size}×{self.session.state.size}"

    def _resize(self, by: int) -> str:
        size = min(twenty48.MAX_SIZE, max(twenty48.MIN_SIZE, self.session.state.size + by))
        if size != self.session.state.size:
            self._new_board(size)
        return self._size_text()
