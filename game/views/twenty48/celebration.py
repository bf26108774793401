"""A new largest tile is celebrated on the board: a ring and sparks around it, and a word; nothing is darkened or covered."""

import math

import pygame

from game.ui import shapes, text
from game.ui.theme import FONT_SMALL, Theme
from game.ui.tween import ease_out
from game.views.twenty48.board import SLIDE_SECONDS, BoardView
from game.views.twenty48.tiles import colours

FIRST_EXPONENT, GOAL = 6, 11
"""The smallest tile that is celebrated, 64, and the one that the game is played for, 2048."""
SECONDS, GOAL_SECONDS = 1.3, 2.6
SPARKS, GOAL_SPARKS = 14, 36
FADE = 0.35
"""Share of the time in which it goes."""


class Celebration:
    """One at a time; the next move ends it."""

    def __init__(self) -> None:
        """Nothing to celebrate yet."""
        self._cell = self._exponent = 0
        self._age = math.inf
        self._moves = True

    def begin(self, cell: int, exponent: int, moves: bool) -> None:
        """The tile in `cell` is the largest so far; `moves` False shows the word alone."""
        self._cell, self._exponent, self._moves = cell, exponent, moves
        self._age = -SLIDE_SECONDS if moves else 0.0

    def stop(self) -> None:
        """No more of it."""
        self._age = math.inf

    def update(self, dt: float) -> None:
        """Let `dt` seconds pass."""
        self._age += dt

    @property
    def active(self) -> bool:
        """Whether there is something to draw."""
        return self._age < self._seconds

    @property
    def picture(self) -> object | None:
        """Equal to what it was before where the same would be drawn again; None while something moves."""
        return None if self.active and self._moves else (self.active and self._cell, self._exponent)

    @property
    def _seconds(self) -> float:
        return GOAL_SECONDS if self._exponent >= GOAL else SECONDS

    def draw(self, surface: pygame.Surface, theme: Theme, board: BoardView) -> None:
        """Within the frame of the board."""
        if not self.active or self._age < 0 or board.state is None or self._cell >= board.state.size**2:
            return
        share = self._age / self._seconds
        place = board.cell_rect(self._cell)
        clip = surface.get_clip()
        surface.set_clip(board.frame.clip(clip))
        if self._moves:
            self._draw_sparks(surface, place, share)
        self._draw_words(surface, theme, place, board.frame, share)
        surface.set_clip(clip)

    def _draw_sparks(self, surface: pygame.Surface, place: pygame.Rect, share: float) -> None:
        """A ring that grows, and discs that fly from the tile and fall a little."""
        goal, fill = self._exponent >= GOAL, colours(self._exponent)[0]
        out = ease_out(share)
        ring = round(place.width * (1.0 + (1.6 if goal else 0.8) * out)) // 2 * 2
        fading = pygame.Color(fill)
        fading.a = round(255 * max(0.0, 1 - share * 1.4))
        if fading.a:
            image = shapes.ring(ring, max(2, round(place.width * 0.05 * (1 - share))), fill).copy()
            image.set_alpha(fading.a)
            surface.blit(image, image.get_rect(center=place.center))
        count = GOAL_SPARKS if goal else SPARKS
        for number in range(count):
            angle = 2 * math.pi * (number + 0.37 * (number % 3)) / count
            far = place.width * (0.55 + (1.9 if goal else 0.8) * out * (0.6 + 0.4 * (number * 7 % 5) / 4))
            side = round(place.width * 0.09 * (1 - share) * (1.0 if number % 2 else 0.65))
            if side >= 2:
                spark = shapes.disc(side, colours(max(1, self._exponent - number % 3))[0])
                x = place.centerx + far * math.cos(angle)
                y = place.centery + far * math.sin(angle) + place.width * 0.35 * share**2
                surface.blit(spark, spark.get_rect(center=(round(x), round(y))))

    def _draw_words(
        self, surface: pygame.Surface, theme: Theme, place: pygame.Rect, frame: pygame.Rect, share: float
    ) -> None:
        """Below the number of the tile."""
        words = "You made it!" if self._exponent == GOAL else f"New: {1 << self._exponent:,}"
        wide = text.width(theme, words, FONT_SMALL, "bold") + theme.px(18)
        pill = pygame.Rect(0, 0, wide, theme.px(24))
        pill.midbottom = (place.centerx, place.bottom + theme.px(4))
        pill.clamp_ip(frame)
        alpha = round(255 * min(1.0, (1 - share) / FADE)) if self._moves else 255
        image = pygame.Surface(pill.size, pygame.SRCALPHA)
        image.blit(shapes.rounded(pill.size, pill.height // 2, theme.surface, theme.good, theme.px(2)), (0, 0))
        text.draw(
            image, theme, words, (pill.width // 2, pill.height // 2), size=FONT_SMALL, weight="bold", anchor="center"
        )
        image.set_alpha(alpha)
        surface.blit(image, pill)
