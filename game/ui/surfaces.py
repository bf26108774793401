"""One bounded store for every drawn surface, so that sprites and shapes are made once per size and colour.

``game.ui.svg``, ``game.ui.shapes`` and the boards of the games keep what they draw here. The store counts bytes and not
entries, because a card's background weighs as much as a thousand icons; the surfaces used least recently go first.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import ParamSpec

import pygame

Colour = str | tuple[int, int, int] | tuple[int, int, int, int] | pygame.Color
"""``"#rrggbb"``, ``"#rrggbbaa"``, a name pygame knows, a tuple of bytes or a ``pygame.Color``."""

P = ParamSpec("P")
_LISTS = (pygame.Color, list)


class SurfaceStore:
    """Surfaces by key, at most ``limit`` bytes of them; the least recently used are dropped first."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.bytes = 0
        self._kept: OrderedDict[Hashable, pygame.Surface] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable) -> pygame.Surface | None:
        """The surface kept under ``key``, which counts as used now, or None."""
        surface = self._kept.get(key)
        if surface is not None:
            self._kept.move_to_end(key)
        return surface

    def put(self, key: Hashable, surface: pygame.Surface) -> None:
        """Keep ``surface``; one larger than the whole store is not kept."""
        weight = _weight(surface)
        if weight > self.limit:
            return
        self._kept[key] = surface
        self.bytes += weight
        while self.bytes > self.limit:
            _, old = self._kept.popitem(last=False)
            self.bytes -= _weight(old)

    def clear(self) -> None:
        """Drop everything."""
        self._kept.clear()
        self.bytes = 0


def _weight(surface: pygame.Surface) -> int:
    return surface.get_width() * surface.get_height() * 4


STORE = SurfaceStore(limit=96 * 1024 * 1024)


def clear() -> None:
    """Forget every surface: to be called when the theme or the display mode changes."""
    STORE.clear()


def hexadecimal(colour: Colour) -> str:
    """``#rrggbb`` of a colour, without its opacity."""
    red, green, blue, _ = pygame.Color(colour)
    return f"#{red:02x}{green:02x}{blue:02x}"


def opacity(colour: Colour) -> float:
    """Opacity of a colour, 0 to 1."""
    return pygame.Color(colour).a / 255


def mixed(colour: Colour, other: Colour, share: float) -> str:
    """``#rrggbb`` of ``colour`` with ``share`` (0 to 1) of ``other`` mixed into it."""
    return hexadecimal(pygame.Color(hexadecimal(colour)).lerp(pygame.Color(hexadecimal(other)), share))


def for_display(surface: pygame.Surface) -> pygame.Surface:
    """The surface in the display's own format where there is a display, which makes every later blit faster."""
    return surface.convert_alpha() if pygame.display.get_surface() is not None else surface


def kept(draw: Callable[P, pygame.Surface]) -> Callable[P, pygame.Surface]:
    """Decorator: draw a surface once for the same arguments and hand out the same one ever after.

    The surfaces are shared: copy one before drawing on it.
    """
    name = f"{draw.__module__}.{draw.__qualname__}"

    @wraps(draw)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> pygame.Surface:
        plain = tuple([_plain(value) for value in args])
        named = {option: _plain(value) for option, value in kwargs.items()} if kwargs else kwargs
        key = (name, plain, *named.items())
        surface = STORE.get(key)
        if surface is None:
            surface = for_display(draw(*plain, **named))  # type: ignore[arg-type]
            STORE.put(key, surface)
        return surface

    return wrapper


def _plain(value: object) -> object:
    """The same with a hash, where it is a colour or a list."""
    return tuple(value) if isinstance(value, _LISTS) else value
