"""The editor's panel in a narrow window: its buttons as a rail of icons."""

from collections.abc import Callable
from functools import partial

import pygame

from game.screens.keys import LEVEL
from game.ui.controls import Button
from game.ui.kit import Kit
from game.ui.shortcuts import keys_shown

RAIL = (
    ("play", "Try it", "try"),
    ("hint", "Is it solvable?", "solvable"),
    ("eye", "Watch the solution", "watch"),
    ("flask", "Train on this map", "train_map"),
    ("save", "Save", "save"),
    ("layers", "My packs", "packs"),
    ("plus", "New map", "new_map"),
    ("folder", "Import", "open_file"),
    ("download", "Export", "export"),
)


def build_rail(kit: Kit, rect: pygame.Rect, command: Callable[[str], object]) -> None:
    """One icon below the other."""
    gap = kit.theme.px(8)
    side = min(rect.width, (rect.height - gap * (len(RAIL) - 1)) // len(RAIL), kit.theme.px(44))
    for number, (icon, title, name) in enumerate(RAIL):
        place = pygame.Rect(rect.right - side, rect.top + number * (side + gap), side, side)
        tip = f"{title} ({keys_shown(name, (LEVEL,))})"
        Button(kit, place, icon=icon, on_press=partial(command, name), tip=tip)
