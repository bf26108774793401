"""2048's board: tiles that slide, merge and appear. No scene, no agent: the screen and the menu's card use it."""

import math
from collections import deque
from dataclasses import dataclass

import pygame

from game.rules import twenty48
from game.rules.replay import Step
from game.rules.twenty48 import Slide, State
from game.ui import shapes
from game.ui.still import Still
from game.ui.theme import Theme, blend
from game.ui.tween import ease_out, pop
from game.views.twenty48.tiles import scaled, tile

SLIDE_SECONDS, APPEAR_SECONDS = 0.10, 0.20
WAYS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""(rows, columns) of a step up, right, down, left."""
PREPARED = 12
"""The largest exponent whose tile is drawn beforehand, 4096."""
SHAKE_SECONDS, SHAKE_FAR = 0.2, 0.07
"""How long the tiles shake at a slide that moves nothing, and how far, as a share of a cell."""
HURRY_FROM = 2
"""Waiting steps from which the queue is caught up with at once."""


@dataclass(slots=True)
class _Motion:
    """One step on its way: the slide, then what merged pops and what spawned appears."""

    before: State
    after: State
    slide: Slide
    spawned: int | None
    pace: float
    age: float = 0.0

    @property
    def slide_share(self) -> float:
        return ease_out(self.age / (SLIDE_SECONDS * self.pace))

    @property
    def appear_share(self) -> float:
        return min(1.0, max(0.0, (self.age - SLIDE_SECONDS * self.pace) / (APPEAR_SECONDS * self.pace)))

    @property
    def sliding(self) -> bool:
        return self.age < SLIDE_SECONDS * self.pace

    @property
    def done(self) -> bool:
        return self.appear_share >= 1.0


class BoardView:
    """Draws a state, tweens from one to the next; input is never lost: steps queue and catch up."""

    def __init__(self, theme: Theme, animated: bool = True) -> None:
        """`animated` False shows every step at once."""
        self.theme = theme
        self.animated = animated
        self.rect = pygame.Rect(0, 0, 1, 1)
        self.frame = pygame.Rect(0, 0, 1, 1)
        self.state: State | None = None
        self.hint: int | None = None
        """Direction to suggest with an arrow, in the thinking colour."""
        self.instead: tuple[int, ...] | None = None
        """Cells to draw in place of those of the position, when nothing moves."""
        self._motion: _Motion | None = None
        self._queue: deque[_Motion] = deque()
        self._side, self._gap = 1, 1
        self._still = Still()
        self._shaken: tuple[int, float] | None = None
        """The direction in which nothing moves, and the seconds since somebody tried."""
        self._drawn: tuple[int, ...] | None = None
        """The cells that were drawn last, where there was nothing else."""
        self._cells: dict[int, pygame.Surface] = {}
        """Exponent -> the cell that `redraw` draws, for the present size and theme."""

    def set_theme(self, theme: Theme, animated: bool) -> None:
        """Another theme or scale; call `layout` afterwards."""
        self.theme, self.animated = theme, animated

    def layout(self, rect: pygame.Rect) -> None:
        """Centre the board in `rect`."""
        self.rect = rect
        self._cells.clear()
        if self.state is None:
            return
        size = self.state.size
        room = min(rect.width, rect.height)
        self._gap = max(2, round(room / (size * 12)))
        self._side = max(4, (room - self._gap * (size + 1)) // size)
        wide = self._side * size + self._gap * (size + 1)
        self.frame = pygame.Rect(0, 0, wide, wide)
        self.frame.center = rect.center

    def show(self, state: State) -> None:
        """Jump to a position."""
        fresh = self.state is None or self.state.size != state.size
        self.state = state
        self._motion = None
        self._queue.clear()
        if fresh:
            self.layout(self.rect)

    def play(self, before: State, step: Step, after: State, seconds: float = SLIDE_SECONDS) -> None:
        """Queue a step; `seconds` below 0.1 plays it faster."""
        slide = twenty48.slide(before, step.action)
        if not self.animated or slide is None or seconds < 0.02:
            self.show(after)
            return
        pace = min(1.0, max(0.2, seconds / SLIDE_SECONDS))
        self._queue.append(_Motion(before, after, slide, step.chance[0] if step.chance else None, pace))
        self.state = after

    def shake(self, direction: int) -> None:
        """The tiles press against what stops them and come back."""
        if self.animated and not self.busy:
            self._shaken = direction, 0.0

    @property
    def busy(self) -> bool:
        """Whether a slide is still to be seen (the appearing of a new tile delays nothing)."""
        return bool(self._queue) or (self._motion is not None and self._motion.sliding)

    def settle(self) -> None:
        """Finish at once."""
        self._motion = None
        self._queue.clear()

    def update(self, dt: float) -> None:
        """Let `dt` seconds pass; with steps waiting, the present one is cut short."""
        if self._shaken is not None:
            direction, age = self._shaken
            self._shaken = (direction, age + dt) if age + dt < SHAKE_SECONDS else None
        while len(self._queue) > HURRY_FROM:
            self._queue.popleft()
            self._motion = None
        if self._motion is not None:
            self._motion.age += dt
            if self._motion.done or (self._queue and not self._motion.sliding):
                self._motion = None
        if self._motion is None and self._queue:
            self._motion = self._queue.popleft()

    def place(self, cell: int) -> tuple[int, int]:
        """Top left corner of a cell in pixels."""
        assert self.state is not None
        row, col = divmod(cell, self.state.size)
        step = self._side + self._gap
        return self.frame.left + self._gap + col * step, self.frame.top + self._gap + row * step

    @property
    def side(self) -> int:
        """Edge of a cell in pixels."""
        return self._side

    @property
    def gap(self) -> int:
        """Pixels between two cells."""
        return self._gap

    def cell_rect(self, cell: int) -> pygame.Rect:
        """Where a cell is."""
        return pygame.Rect(self.place(cell), (self._side, self._side))

    def cell_at(self, position: tuple[int, int]) -> int | None:
        """The cell under the pointer."""
        if self.state is None or not self.frame.collidepoint(position):
            return None
        step = self._side + self._gap
        col, row = (position[0] - self.frame.left) // step, (position[1] - self.frame.top) // step
        size = self.state.size
        return row * size + col if row < size and col < size else None

    def draw(self, surface: pygame.Surface, ground: pygame.Color | None = None) -> None:
        """The frame, on `ground`, the empty cells, the tiles."""
        if self.state is None:
            return
        key = (self.theme, self._side, self.state.size)
        self._still.draw(surface, self.frame, key, lambda: self._draw_empty(surface), ground)
        if self._motion is None:
            self._draw_cells(surface, self.instead or self.state.cells, {}, self._off)
        elif self._motion.sliding:
            self._draw_slide(surface, self._motion)
        else:
            self._draw_arrival(surface, self._motion)
        if self.hint is not None:
            self._draw_hint(surface, self.hint)
        alone = self._motion is None and self.hint is None and self._shaken is None
        self._drawn = (self.instead or self.state.cells) if alone else None

    def redraw(self, surface: pygame.Surface, ground: pygame.Color) -> list[pygame.Rect]:
        """Draw only the cells that have changed since the board was drawn last, if nothing moves; answers the places."""
        cells = self.instead or (self.state.cells if self.state is not None else ())
        moves = self._motion is not None or self._shaken is not None
        if self._drawn is None or moves or self.hint is not None or len(self._drawn) != len(cells):
            self.draw(surface, ground)
            return [self.frame]
        changed = [cell for cell, (old, new) in enumerate(zip(self._drawn, cells, strict=True)) if old != new]
        areas = [self.cell_rect(cell) for cell in changed]
        surface.fblits([(self._cell(cells[cell]), area) for cell, area in zip(changed, areas, strict=True)])
        self._drawn = cells
        return areas

    def _cell(self, exponent: int) -> pygame.Surface:
        """A cell with what is on it and the frame below it, made once for the present size."""
        picture = self._cells.get(exponent)
        if picture is None:
            frame, hole = self._empty_shapes()
            picture = self._cells[exponent] = pygame.Surface((self._side, self._side))
            picture.blit(frame, (0, 0), (self._gap, self._gap, self._side, self._side))
            picture.blit(hole, (0, 0))
            if exponent:
                picture.blit(tile(exponent, self._side), (0, 0))
        return picture

    def prepare(self) -> None:
        """Make the pictures that every game needs, so that none of its frames has to wait for one."""
        for exponent in range(PREPARED + 1):
            self._cell(exponent)

    def drawn_over(self) -> None:
        """Something was drawn above the board: the next time it is drawn as a whole."""
        self._drawn = None

    @property
    def picture(self) -> object | None:
        """Equal to what it was before where `draw` would draw the same again; None while something moves."""
        moves = self._motion is not None or self._shaken is not None
        return None if moves else (self.instead or self.state, self.hint)

    @property
    def _off(self) -> tuple[float, float]:
        """Pixels by which the tiles are off their places while they shake: there and back, once more and less."""
        if self._shaken is None:
            return 0.0, 0.0
        direction, age = self._shaken
        share = age / SHAKE_SECONDS
        far = self._side * SHAKE_FAR * math.sin(3 * math.pi * share) * (1 - share)
        rows, cols = WAYS[direction]
        return cols * far, rows * far

    def _draw_empty(self, surface: pygame.Surface) -> None:
        """The frame and the empty cells."""
        assert self.state is not None
        frame, hole = self._empty_shapes()
        surface.blit(frame, self.frame)
        for cell in range(self.state.size**2):
            surface.blit(hole, self.place(cell))

    def _empty_shapes(self) -> tuple[pygame.Surface, pygame.Surface]:
        """The frame, and a cell without a tile."""
        theme, side = self.theme, self._side
        radius = max(4, round(side * 0.1))
        ground = theme.surface if theme.dark else blend(theme.line, theme.muted, 0.38)
        empty = theme.raised if theme.dark else blend(theme.line, theme.muted, 0.10)
        return (
            shapes.rounded(self.frame.size, radius + self._gap // 2, ground),
            shapes.rounded((side, side), max(2, round(side * 0.08)), empty),
        )

    def _draw_cells(
        self,
        surface: pygame.Surface,
        cells: tuple[int, ...],
        scales: dict[int, float],
        off: tuple[float, float] = (0, 0),
    ) -> None:
        for cell, exponent in enumerate(cells):
            if exponent:
                x, y = self.place(cell)
                self._draw_tile(surface, exponent, (x + off[0], y + off[1]), scales.get(cell, 1.0))

    def _draw_tile(self, surface: pygame.Surface, exponent: int, at: tuple[float, float], scale: float) -> None:
        side = round(self._side * scale)
        if side < 2:
            return
        shift = (self._side - side) / 2
        image = tile(exponent, side) if scale == 1.0 else scaled(exponent, self._side, side)
        surface.blit(image, (round(at[0] + shift), round(at[1] + shift)))

    def _draw_slide(self, surface: pygame.Surface, motion: _Motion) -> None:
        share = motion.slide_share
        for move in motion.slide.moves:
            (x0, y0), (x1, y1) = self.place(move.source), self.place(move.target)
            self._draw_tile(surface, move.exponent, (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share), 1.0)

    def _draw_arrival(self, surface: pygame.Surface, motion: _Motion) -> None:
        share = motion.appear_share
        scales = {move.target: pop(share) for move in motion.slide.moves if move.merged}
        if motion.spawned is not None:
            scales[motion.spawned] = 0.2 + 0.8 * ease_out(share * 1.4)
        self._draw_cells(surface, motion.after.cells, scales)

    def _draw_hint(self, surface: pygame.Surface, direction: int) -> None:
        rows, cols = WAYS[direction]
        x, y = self.frame.center
        reach = self.frame.width * 0.28
        tail, tip = (x - cols * reach, y - rows * reach), (x + cols * reach, y + rows * reach)
        image, at = shapes.arrow((tail, tip), max(6, self._side // 9), self.theme.thinking)
        surface.blit(image, at)
