"""What stands still on a surface, kept as a picture: while an agent thinks, most frames draw the same board again.

Drawing a board of many pegs takes twenty times as long as putting its picture there.
"""

from collections.abc import Callable, Hashable

import pygame


class Still:
    """One picture of one place on a surface, for as long as what is drawn there stays the same."""

    def __init__(self) -> None:
        """Nothing is kept yet."""
        self._wanted: Hashable = None
        self._kept: Hashable = None
        self._picture = pygame.Surface((1, 1))

    def draw(self, surface: pygame.Surface, place: pygame.Rect, key: Hashable, paint: Callable[[], None]) -> None:
        """Let `paint` draw within `place` of the surface, or put there what it drew before for the same `key`.

        The ground counts as well; nine points of it tell whether it is another one.
        """
        area = place.clip(surface.get_clip())
        if not area.width or not area.height:
            return
        across, down = ((area.left, area.centerx, area.right - 1), (area.top, area.centery, area.bottom - 1))
        ground = tuple(surface.get_at_mapped((x, y)) for x in across for y in down)
        wanted = (key, tuple(area), ground)
        if wanted == self._kept:
            surface.blit(self._picture, area)
            return
        paint()
        if wanted == self._wanted:  # the second time: it stands still
            self._picture, self._kept = surface.subsurface(area).copy(), wanted
        self._wanted = wanted
