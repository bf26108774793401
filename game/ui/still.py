"""What stands still on a surface, or may be a moment old, kept as a picture: an agent's thoughts leave little time for drawing.

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

    def draw(
        self,
        surface: pygame.Surface,
        place: pygame.Rect,
        key: Hashable,
        paint: Callable[[], None],
        ground: pygame.Color | None = None,
    ) -> None:
        """Let `paint` draw within `place` of the surface, or put there what it drew before for the same `key`.

        The place is filled with `ground` first. Without one what is there already counts as well; nine points of it tell whether
        it is something else.
        """
        area = place.clip(surface.get_clip())
        if not area.width or not area.height:
            return
        wanted = (key, tuple(area), _points(surface, area) if ground is None else tuple(ground))
        if wanted == self._kept:
            surface.blit(self._picture, area)
            return
        if ground is not None:
            surface.fill(ground, area)
        paint()
        if wanted == self._wanted:  # the second time: it stands still
            self._picture, self._kept = _taken(surface, area, self._picture), wanted
        self._wanted = wanted


def _points(surface: pygame.Surface, area: pygame.Rect) -> tuple[int, ...]:
    across, down = ((area.left, area.centerx, area.right - 1), (area.top, area.centery, area.bottom - 1))
    return tuple(surface.get_at_mapped((x, y)) for x in across for y in down)


def _taken(surface: pygame.Surface, area: pygame.Rect, before: pygame.Surface | None) -> pygame.Surface:
    """A picture of what is there, on the surface of the picture before where that can be.

    A new one would be fresh memory each time, for which the drawing thread may have to wait for an agent that asks for some.
    """
    if before is None or before.get_size() != area.size or surface.get_flags() & pygame.SRCALPHA:
        return surface.subsurface(area).copy()
    before.blit(surface, (0, 0), area)
    return before
