"""Opens the display, or says that there is none."""

import os
import sys
from dataclasses import dataclass

import pygame

from game.ui.theme import ASSETS, ThemeName

SMALLEST = (640, 480)
FIRST_SIZE = (1280, 800)
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR")
"""On Linux one of these is set wherever there is a screen."""
SHOWN = 80
"""So many pixels of a window have to be on a screen for its old place to be taken again."""


class NoDisplay(RuntimeError):
    """There is no screen to open a window on; the message is one line for people."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the settings say about the window."""

    theme: ThemeName = "dark"
    ui_scale: float = 1.0
    animated: bool = True
    volume: int = 60
    mute: bool = False
    fullscreen: bool = False
    geometry: tuple[int, int, int, int] | None = None
    """x, y, width, height of the window before; None for a fresh one."""


def windowed_size(look: Look) -> tuple[int, int]:
    """Size in pixels of the window when it is not in full screen: the one before, if this desktop has room for it."""
    size = FIRST_SIZE if look.geometry is None else look.geometry[2:]
    desktops = pygame.display.get_desktop_sizes()
    room = (max(width for width, _ in desktops), max(height for _, height in desktops))
    return (
        min(max(size[0], SMALLEST[0]), max(room[0], SMALLEST[0])),
        min(max(size[1], SMALLEST[1]), max(room[1], SMALLEST[1])),
    )


def place_on_screen(look: Look) -> tuple[int, int] | None:
    """The window's old top left corner, None where no screen is there any more.

    SDL tells the sizes of the screens and not how they stand: they are taken to stand side by side.
    """
    if look.geometry is None:
        return None
    x, y = look.geometry[:2]
    desktops = pygame.display.get_desktop_sizes()
    wide, high = sum(width for width, _ in desktops), max(height for _, height in desktops)
    return (x, y) if 0 <= x <= wide - SHOWN and 0 <= y <= high - SHOWN else None


def open_display(look: Look, title: str, exactly: tuple[int, int] | None = None) -> pygame.Surface:
    """Open the window; raises NoDisplay where there is no screen.

    SDL may silently choose a driver without a screen; unless SDL_VIDEODRIVER asked for one, that means no display.
    `exactly` is a size in pixels that is taken whatever the desktop's.
    """
    asked = os.environ.get("SDL_VIDEODRIVER", "") or os.environ.get("SDL_VIDEO_DRIVER", "")
    if not asked and sys.platform.startswith("linux") and not any(os.environ.get(name) for name in SCREENS):
        raise NoDisplay("no display found")  # the system's libraries would print lines of their own while they look
    try:
        pygame.display.init()
    except pygame.error as error:
        raise NoDisplay(f"no display found ({error})") from None
    driver = pygame.display.get_driver()
    if driver in ("offscreen", "dummy", "evdev", "kmsdrm") and driver not in asked:
        raise NoDisplay("no display found")
    pygame.font.init()
    pygame.display.set_caption(title)
    pygame.display.set_icon(pygame.image.load_sized_svg(ASSETS / "icon.svg", (64, 64)))
    place = place_on_screen(look)
    if place is not None:
        os.environ["SDL_VIDEO_WINDOW_POS"] = f"{place[0]},{place[1]}"
    try:
        return set_mode(look.fullscreen and exactly is None, exactly or windowed_size(look))
    except pygame.error as error:
        raise NoDisplay(f"the window could not be opened ({error})") from None
    finally:
        os.environ.pop("SDL_VIDEO_WINDOW_POS", None)  # for this window only


def set_mode(fullscreen: bool, size: tuple[int, int]) -> pygame.Surface:
    """Make the window fill the screen, or be `size` pixels large; raises pygame.error."""
    if fullscreen:
        return pygame.display.set_mode((0, 0), pygame.RESIZABLE | pygame.FULLSCREEN)
    surface = pygame.display.set_mode(size, pygame.RESIZABLE)
    pygame.Window.from_display_module().minimum_size = SMALLEST
    return surface
