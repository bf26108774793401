"""Draws a replay without a window: single positions and the frames of a video, each with a line of words below."""

from collections.abc import Iterator

import pygame

from game.screens.replays.frame_plan import FramePlan
from game.screens.replays.positions import Positions
from game.screens.replays.words import title_of, who_played
from game.ui import text
from game.ui.theme import FONT_BODY, Theme, ThemeName

PLAIN_WIDTH = 560
"""Width in pixels at which lengths and fonts have their plain size."""
CAPTION = 40
MARGIN = 14


class Renderer:
    """Pictures of one game, all of one size in pixels."""

    def __init__(self, positions: Positions, longest: int, theme: ThemeName = "dark", caption: bool = True) -> None:
        """`longest` is the longer side; width and height come out even, as videos need them."""
        pygame.font.init()
        self.positions = positions
        self.theme = Theme(theme, max(0.7, longest / PLAIN_WIDTH))
        self.caption = self.theme.px(CAPTION) if caption else 0
        shape = min(2.0, max(0.5, positions.view.shape(positions.state(0))))
        wide = longest if shape >= 1 else round(longest * shape)
        high = longest if shape <= 1 else round(longest / shape)
        high = min(longest, high + self.caption)
        self.size = (max(2, wide // 2 * 2), max(2, high // 2 * 2))
        margin = self.theme.px(MARGIN)
        place = pygame.Rect(margin, margin, wide - 2 * margin, high - self.caption - 2 * margin)
        if self.caption:
            place.height += margin // 2
        self._board = positions.view.board(self.theme, animated=True)
        self._board.show(positions.state(0))
        self._board.layout(place)

    def still(self, ply: int) -> pygame.Surface:
        """The position after `ply` steps."""
        self._board.show(self.positions.state(ply), self.positions.steps[ply - 1] if ply else None)
        return self._picture(ply)

    def frames(self, plan: FramePlan) -> Iterator[pygame.Surface]:
        """Every frame of a video, steps on their way included; a frame is valid until the next is asked for."""
        positions, shown = self.positions, 0
        self._board.show(positions.state(0))
        for number in range(plan.frames):
            ply = plan.ply(number)
            if ply == shown + 1:
                step = positions.steps[shown]
                self._board.play(positions.state(shown), step, positions.state(ply), 0.9 / plan.speed)
            elif ply != shown:
                self._board.show(positions.state(ply), positions.steps[ply - 1])
            shown = ply
            self._board.update(1 / plan.rate)
            yield self._picture(ply)

    def _picture(self, ply: int) -> pygame.Surface:
        theme = self.theme
        surface = pygame.Surface(self.size)
        surface.fill(theme.ground)
        self._board.draw(surface)
        if self.caption:
            middle = self.size[1] - self.caption // 2
            right = f"{ply:,} / {self.positions.length:,}"
            if self.positions.view.tally_name:
                right = f"{self.positions.view.tally_name} {self.positions.tally(ply):,}  ·  {right}"
            edge = self.size[0] - theme.px(MARGIN)
            place = text.draw(
                surface, theme, right, (edge, middle), size=FONT_BODY, colour=theme.text, anchor="midright"
            )
            left = f"{title_of(self.positions.replay)} · {who_played(self.positions.replay)}"
            text.draw(surface, theme, left, (theme.px(MARGIN), middle), colour=theme.muted, anchor="midleft",
                      limit=place.left - theme.px(2 * MARGIN))  # fmt: skip
        return surface
