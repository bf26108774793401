"""Icons and sprites from ``assets/``, drawn sharp at any size and in any colour.

An icon uses ``currentColor``; a sprite names its colours ``var(--wood, #c98a45)``, a custom property with its default,
so the files look right in any viewer. Both are replaced before the text goes to the rasteriser, which knows neither.
"""

import re
from functools import cache
from io import BytesIO
from pathlib import Path

import pygame

from game.ui.surfaces import Colour, hexadecimal, kept, opacity

ASSETS = Path(__file__).resolve().parents[2] / "assets"

_PLACEHOLDER = re.compile(r"var\(--([a-z-]+),\s*(#[0-9a-fA-F]{6})\)")


class AssetError(LookupError):
    """No such icon or sprite, or one that cannot be drawn; ``str()`` is one clear sentence."""


def icons() -> tuple[str, ...]:
    """Names of all icons, in alphabetical order."""
    return tuple(sorted(path.stem for path in (ASSETS / "icons").glob("*.svg")))


@kept
def icon(name: str, size: int, colour: Colour) -> pygame.Surface:
    """One icon of the family, a square of ``size`` pixels in one colour.

    Args:
        name: file name in ``assets/icons`` without its ending, such as ``"undo"``.
        size: side in pixels, at least 1.
        colour: the colour of every stroke; its opacity, if any, is that of the whole icon.

    Raises:
        AssetError: no icon has this name.
    """
    text = _text(ASSETS / "icons" / f"{name}.svg").replace("currentColor", hexadecimal(colour))
    surface = rasterise(text, (size, size))
    if opacity(colour) < 1:
        surface.fill((255, 255, 255, round(255 * opacity(colour))), special_flags=pygame.BLEND_RGBA_MULT)
    return surface


@kept
def sprite(name: str | Path, size: int | tuple[int, int], **colours: Colour) -> pygame.Surface:
    """One sprite, with any of its named colours replaced.

    Args:
        name: path below ``assets`` without its ending (``"sokoban/box"``), or the whole path of an SVG file.
        size: side of a square, or width and height, in pixels.
        **colours: new values of the file's custom properties; ``_`` stands for ``-``.

    Raises:
        AssetError: there is no such sprite, or it has no colour of such a name.
    """
    path = name if isinstance(name, Path) else ASSETS / f"{name}.svg"
    chosen = {key.replace("_", "-"): hexadecimal(value) for key, value in colours.items()}
    surplus = chosen.keys() - placeholders(path)
    if surplus:
        raise AssetError(f"The sprite {path.stem} has no colour called {min(surplus)}.")
    text = _PLACEHOLDER.sub(lambda match: chosen.get(match[1], match[2]), _text(path))
    return rasterise(text, (size, size) if isinstance(size, int) else size)


@cache
def placeholders(path: Path) -> frozenset[str]:
    """Names of the colours that an SVG file lets its user choose."""
    return frozenset(match[1] for match in _PLACEHOLDER.finditer(_text(path)))


def rasterise(text: str, size: tuple[int, int]) -> pygame.Surface:
    """Draw an SVG text at ``size`` (width, height in pixels), its proportions kept and the rest left clear.

    Raises:
        AssetError: the text is not an SVG drawing, or the size is not positive.
    """
    if min(size) < 1:
        raise AssetError(f"A drawing of {size[0]} × {size[1]} pixels is too small.")
    try:
        return pygame.image.load_sized_svg(BytesIO(text.encode()), size)
    except pygame.error as error:
        raise AssetError(f"A drawing cannot be read: {error}.") from error


@cache
def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        known = ", ".join(sorted(other.stem for other in path.parent.glob("*.svg"))) or "nothing"
        raise AssetError(f"There is no drawing {path.stem} in {path.parent.name}; known are {known}.") from error
