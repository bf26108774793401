"""The evaluation graph: how good each side stood at every move, from what agents said; a click goes to that move."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pygame

from game.play.driver import Thought
from game.play.timeline import Timeline
from game.rules.connect4 import State
from game.rules.replay import Step
from game.ui import shapes, text
from game.ui.theme import FONT_SMALL, Theme, blend
from game.views.connect4 import words
from game.views.connect4.stones import STONES, flat_stone
from game.views.connect4.view import VIEW

LABEL = 15
"""Units below the graph for what is said of the move under the pointer."""
STONE = 14
LEAST_MOVES = 12
"""The graph is at least so many moves wide, so that a short game does not jump about."""


@dataclass(frozen=True, slots=True)
class Point:
    """What an agent thought of one position."""

    ply: int
    height: float
    """-1 to 1: with two players up is good for the first, with more for whoever was to move."""
    label: str


class Points:
    """The points of each seat that was asked about its position; each step is looked at once."""

    def __init__(self) -> None:
        """Nothing was looked at."""
        self._known: dict[int, tuple[Step, Point | None]] = {}

    def lines(self, timeline: Timeline[State], thought: Thought) -> dict[int, list[Point]]:
        """By seat; the present thought counts for the present position."""
        found: dict[int, list[Point]] = {}
        live = thought.values if thought.ply == timeline.cursor else {}
        for ply, state in enumerate(timeline.states):
            step = timeline.steps[ply] if ply < len(timeline.steps) else None
            if ply == timeline.cursor and live:
                point = _point(ply, state, live, thought.plan is not None and thought.plan.exact)
            elif step is not None:
                point = self._of_step(ply, state, step)
            else:
                continue
            if point is not None:
                found.setdefault(state.to_move, []).append(point)
        return found

    def _of_step(self, ply: int, state: State, step: Step) -> Point | None:
        known = self._known.get(ply)
        if known is None or known[0] is not step:
            known = self._known[ply] = (step, _point(ply, state, dict(step.values), False))
        return known[1]


def _point(ply: int, state: State, values: Mapping[int, float], exact: bool) -> Point | None:
    """What the best of the values says of a position."""
    if not values:
        return None
    best = max(values, key=lambda action: values[action])
    label = words.said_of(best, values, exact).label
    return Point(ply, height_of(words.share(values[best], values), state), label)


def height_of(value: float, state: State) -> float:
    """Where a value of the side to move stands in the graph."""
    return VIEW.height(value, state.to_move if state.shape.players == 2 else 0)


class Graph:
    """Draws itself into the panel's last card and answers which move was clicked."""

    def __init__(self) -> None:
        """Nothing laid out yet."""
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.hover: int | None = None
        """The move under the pointer."""
        self._held = False
        self._length, self._edge = 1, 0
        self._made: tuple[Any, ...] = ()
        self._picture = pygame.Surface((1, 1))
        self._lines: dict[int, list[Point]] = {}
        self._points = Points()

    def handle(self, event: pygame.event.Event, moves: int) -> int | None:
        """The move to go to, when a press or drag asks for one; `moves` are those there are."""
        if event.type == pygame.MOUSEMOTION:
            inside = self._held or self.rect.collidepoint(event.pos)
            self.hover = min(moves, self._ply(event.pos[0])) if inside else None
            return self.hover if self._held else None
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.rect.collidepoint(event.pos):
            self._held = True
            return min(moves, self._ply(event.pos[0]))
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            self._held = False
        return None

    @property
    def held(self) -> bool:
        """Whether it is being dragged."""
        return self._held

    def _ply(self, x: float) -> int:
        return max(
            0, round((x - self.rect.left - self._edge) / max(1, self.rect.width - 2 * self._edge) * self._length)
        )

    def draw(
        self, surface: pygame.Surface, theme: Theme, rect: pygame.Rect, timeline: Timeline[State], thought: Thought
    ) -> None:
        """The picture is made anew only when something in it changed."""
        label = theme.px(LABEL) if rect.height >= theme.px(60) else 0
        self.rect = pygame.Rect(
            rect.left, rect.top, rect.width, max(0, rect.height - label - (theme.px(3) if label else 0))
        )
        if self.rect.height < theme.px(16):
            return
        last = timeline.steps[-1] if timeline.steps else None
        told = (thought.values, thought.plan is not None and thought.plan.exact)
        made = (theme, self.rect.size, timeline.cursor, len(timeline.steps), thought.ply, last, told)
        if len(made) != len(self._made) or any(
            new is not old and new != old for new, old in zip(made, self._made, strict=True)
        ):
            self._made = made
            self._length, self._edge = max(LEAST_MOVES, len(timeline.steps)), theme.px(8)
            self._lines = self._points.lines(timeline, thought)
            self._picture = self._paint(theme, timeline)
        surface.blit(self._picture, self.rect)
        if self.hover is not None:
            x = self._x(self.hover)
            pygame.draw.line(surface, theme.muted, (x, self.rect.top), (x, self.rect.bottom - 1))
        if label:
            at = (rect.left, rect.bottom - label // 2)
            text.draw(surface, theme, self.words(timeline), at, size=FONT_SMALL, colour=theme.muted, anchor="midleft",
                      limit=rect.width)  # fmt: skip

    def words(self, timeline: Timeline[State]) -> str:
        """What stands below: the move under the pointer, else how to read the graph."""
        if self.hover is not None and self.hover < len(timeline.states):
            state = timeline.states[self.hover]
            seat = state.to_move
            point = next((point for point in self._lines.get(seat, []) if point.ply == self.hover), None)
            said = f": {STONES[seat].name} {point.label}" if point is not None else ""
            return f"move {self.hover}{said} · click to go there"
        if not self._lines:
            return "no values yet · T: an agent comments"
        return (
            f"up: {STONES[0].name} · down: {STONES[1].name}"
            if timeline.state.shape.players == 2
            else "up: good for that player"
        )

    def _x(self, ply: float) -> int:
        return self.rect.left + round(self._edge + ply / self._length * (self.rect.width - 2 * self._edge))

    def _paint(self, theme: Theme, timeline: Timeline[State]) -> pygame.Surface:
        wide, high = self.rect.size
        picture = pygame.Surface((wide, high), pygame.SRCALPHA)
        picture.blit(shapes.rounded((wide, high), theme.px(6), blend(theme.surface, theme.raised, 0.6)), (0, 0))
        pygame.draw.line(picture, theme.line, (0, high // 2), (wide, high // 2))
        inset = theme.px(7)

        def at(ply: float, height: float) -> tuple[float, float]:
            across = self._edge + ply / self._length * (wide - 2 * self._edge)
            return across, high / 2 - height * (high / 2 - inset)

        now = at(timeline.cursor, 0)[0]
        pygame.draw.line(picture, blend(theme.surface, theme.text, 0.35), (now, 0), (now, high))
        alone = len(self._lines) == 1
        for seat, points in sorted(self._lines.items()):
            colour = theme.thinking if alone else pygame.Color(STONES[seat].colour)
            if not theme.dark and not alone:
                colour = blend(colour, pygame.Color("#14161c"), 0.25)
            drawn = [at(point.ply, point.height) for point in points]
            for start, end, point in zip(drawn, drawn[1:], points[1:], strict=False):
                later = point.ply > timeline.cursor
                pygame.draw.aaline(picture, blend(theme.surface, colour, 0.35) if later else colour, start, end, 2)
            for spot, point in zip(drawn, points, strict=True):
                if len(points) <= wide / theme.px(6) or point.ply == timeline.cursor:
                    faded = blend(theme.surface, colour, 0.35) if point.ply > timeline.cursor else colour
                    pygame.draw.aacircle(picture, faded, spot, theme.px(3 if point.ply == timeline.cursor else 2))
            if not alone and wide > theme.px(80):
                stone = flat_stone(theme.px(STONE), STONES[seat].colour, STONES[seat].mark)
                x = min(wide - stone.get_width() - 1, drawn[-1][0] + theme.px(4))
                picture.blit(
                    stone, (x, min(high - stone.get_height(), max(0, drawn[-1][1] - stone.get_height() / 2)))
                )
        self._mark_end(picture, theme, timeline, at)
        return picture

    def _mark_end(self, picture: pygame.Surface, theme: Theme, timeline: Timeline[State], at: Any) -> None:
        """The winner's stone at the end of a game that was won."""
        final = timeline.states[-1]
        if final.winner is None:
            return
        height = 1.0 if final.shape.players > 2 or final.winner == 0 else -1.0
        stone = flat_stone(theme.px(STONE), STONES[final.winner].colour, STONES[final.winner].mark)
        x, y = at(len(timeline.steps), height)
        place = stone.get_rect(center=(x, y)).clamp(picture.get_rect())
        picture.blit(stone, place)
