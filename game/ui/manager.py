"""pygame_gui's manager, made cheap enough to be thrown away with every screen.

The library's own parses its theme, starts five loading threads and reserves four megabytes for shapes each time one
is made, and screens are made again at every resize. Here all managers of one look share one parsed theme, and where
the pointer is comes from the events of the window.
"""

from functools import lru_cache
from typing import Any

import i18n
import pygame
import pygame_gui
from pygame_gui.core import UIElement
from pygame_gui.core.resource_loaders import IResourceLoader
from pygame_gui.core.ui_appearance_theme import UIAppearanceTheme
from pygame_gui.core.utility import set_default_manager
from typing_extensions import override

from game.ui.theme import ASSETS, FONT_FILES, Theme, ThemeName

AWAY = (-1, -1)
"""The pointer is not over this window, or something covers the screen."""


class _LoadAtOnce(IResourceLoader):
    """Loads nothing by itself: what a theme needs is loaded where it is asked for."""

    @override
    def add_resource(self, resource: Any) -> None:
        """Never called after `started`."""

    @override
    def start(self) -> None:
        """Nothing to start."""

    @override
    def update(self) -> tuple[bool, float]:
        """Done."""
        return True, 1.0

    @override
    def started(self) -> bool:
        """Too late to queue anything, so that everything is loaded at once."""
        return True


@lru_cache(maxsize=2)
def _parsed(name: ThemeName, scale: float) -> UIAppearanceTheme:
    parsed = UIAppearanceTheme(_LoadAtOnce(), "en")
    parsed.get_font_dictionary().add_font_path("trilogic", str(ASSETS / FONT_FILES["regular"]))
    parsed.load_theme(Theme(name, scale).gui_theme())
    return parsed


class Manager(pygame_gui.UIManager):
    """Hit-testing, layers and focus of one screen's controls."""

    def __init__(self, theme: Theme, size: tuple[int, int], pointer: tuple[int, int]) -> None:
        """`size` is the window in pixels, `pointer` where the mouse is, `AWAY` for nowhere."""
        self._look = theme
        self.pointer = pointer
        super().__init__(size, enable_live_theme_updates=False, resource_loader=_LoadAtOnce())
        # the library keeps the first manager for ever, and adds the same folder to a list each time
        set_default_manager(None)
        i18n.load_path[:] = dict.fromkeys(i18n.load_path)
        self.mouse_position = pointer

    @override
    def create_new_theme(self, theme_path: Any = None) -> UIAppearanceTheme:
        """The shared theme of this look."""
        return _parsed(self._look.name, self._look.scale)

    @override
    def _update_mouse_position(self) -> None:
        self.mouse_position = self.pointer

    @override
    def _handle_hovering(self, time_delta: float) -> None:
        """As the library does, from the top down, but far from the pointer it asks nobody: there is nothing to answer."""
        taken = False
        elements: list[Any] = self.ui_group.sprites()
        for element in reversed(elements):
            near = element.hovered or element.hover_point.__func__ is not UIElement.hover_point
            if not element.visible or not (near or element.rect.collidepoint(self.mouse_position)):
                continue
            if element.check_hover(time_delta, taken):
                self.hovering_any_ui_element = element is not self.root_container
                taken = taken or self.hovering_any_ui_element

    def close(self) -> None:
        """Let go of every element."""
        if self.root_container is not None:
            self.root_container.kill()
        self.focused_set = None

    @property
    def typing(self) -> bool:
        """Whether a text field has the keyboard."""
        return any(isinstance(element, pygame_gui.elements.UITextEntryLine) for element in self.get_focus_set() or ())


def pointer_now() -> tuple[int, int]:
    """Where the mouse is, `AWAY` when it is over another window."""
    return pygame.mouse.get_pos() if pygame.mouse.get_focused() else AWAY
