"""Draws a replay without a window: single positions and the frames of a film, each with a line of words below."""

from collections.abc import Iterator

import pygame

from game.screens.replays.frame_plan import Reel
from game.screens.replays.positions import Film
from game.screens.replays.words import title_of, who_played
from game.ui import text
from game.ui.theme import FONT_BODY, Theme, ThemeName

PLAIN_WIDTH = 560
"""Width in pixels at which lengths and fonts have their plain size."""
CAPTION = 40
MARGIN = 14


class Easel:
    """Pictures of one film, all of one size in pixels."""

    def __init__(self, film: Film, longest: int, theme: ThemeName = "dark", caption: bool = True) -> None:
        """`longest` is the longer side; width and height come out even, as films need them."""
        pygame.font.init()
        self.film = film
        self.theme = Theme(theme, max(0.7, longest / PLAIN_WIDTH))
        self.caption = self.theme.px(CAPTION) if caption else 0
        shape = min(2.0, max(0.5, film.stage.shape(film.state(0))))
        wide = longest if shape >= 1 else round(longest * shape)
        high = longest if shape <= 1 else round(longest / shape)
        high = min(longest, high + self.caption)
        self.size = (max(2, wide // 2 * 2), max(2, high // 2 * 2))
        margin = self.theme.px(MARGIN)
        self._board = pygame.Rect(margin, margin, wide - 2 * margin, high - self.caption - 2 * margin)
        if self.caption:
            self._board.height += margin // 2
        self._stage = film.stage(self.theme, animated=True)
        self._stage.show(film.state(0))
        self._stage.layout(self._board)

    def still(self, ply: int) -> pygame.Surface:
        """The position after `ply` steps."""
        self._stage.show(self.film.state(ply), self.film.steps[ply - 1] if ply else None)
        return self._picture(ply)

    def frames(self, reel: Reel) -> Iterator[pygame.Surface]:
        """Every frame of a film, steps on their way included; a frame is valid until the next is asked for."""
        film, shown = self.film, 0
        self._stage.show(film.state(0))
        for number in range(reel.frames):
            ply = reel.ply(number)
            if ply == shown + 1:
                step = film.steps[shown]
                self._stage.play(film.state(shown), step, film.state(ply), 0.9 / reel.speed)
            elif ply != shown:
                self._stage.show(film.state(ply), film.steps[ply - 1])
            shown = ply
            self._stage.update(1 / reel.rate)
            yield self._picture(ply)

    def _picture(self, ply: int) -> pygame.Surface:
        theme = self.theme
        surface = pygame.Surface(self.size)
        surface.fill(theme.ground)
        self._stage.draw(surface)
        if self.caption:
            middle = self.size[1] - self.caption // 2
            right = f"{ply:,} / {self.film.length:,}"
            if self.film.stage.tally_name:
                right = f"{self.film.stage.tally_name} {self.film.tally(ply):,}  ·  {right}"
            edge = self.size[0] - theme.px(MARGIN)
            place = text.draw(
                surface, theme, right, (edge, middle), size=FONT_BODY, colour=theme.text, anchor="midright"
            )
            left = f"{title_of(self.film.replay)} · {who_played(self.film.replay)}"
            text.draw(surface, theme, left, (theme.px(MARGIN), middle), colour=theme.muted, anchor="midleft",
                      limit=place.left - theme.px(2 * MARGIN))  # fmt: skip
        return surface
