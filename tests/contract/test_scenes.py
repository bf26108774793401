"""Every scene: it opens, is drawn at every size in both themes, bears keys and clicks, and closes with an empty log."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

from game.screens.navigation import SCENES
from game.ui.display import set_mode
from game.ui.theme import PALETTES
from tests.screens.conftest import Visitor, visit

__all__ = ["visit"]
SIZES = ((1024, 640), (1920, 1080), (1280, 800))


@pytest.mark.parametrize("theme", PALETTES)
@pytest.mark.parametrize("scene", SCENES)
def test_it_opens_and_closes(visit: Callable[..., Visitor], scene: str, theme: str, tmp_path: Path) -> None:
    visitor = visit(scene, SIZES[-1], theme=theme)
    luck, window = random.Random(1), visitor.window
    for size in SIZES:
        window.surface = set_mode(False, size)
        window.relayout()
        visitor.frames(2)
        colours = {tuple(window.surface.get_at(place)) for place in places(size)}
        print(scene, theme, size, len(colours))
        assert window.surface.get_size() == size and len(colours) > 3
        for _ in range(8):
            # the bar along the top stays untouched: its first button leaves the screen
            visitor.click((luck.randrange(size[0]), luck.randrange(80, size[1])))
            if not window.scenes:  # the menu's way out
                break
            visitor.key(luck.choice((pygame.K_LEFT, pygame.K_UP, pygame.K_TAB, pygame.K_RETURN, pygame.K_DELETE)))
    window.close()
    assert not window.scenes
    for log in tmp_path.rglob("*.log"):
        assert "Traceback" not in log.read_text("utf-8")


def places(size: tuple[int, int]) -> Iterator[Any]:
    """Points all over the window."""
    return ((x, y) for x in range(0, size[0], 37) for y in range(0, size[1], 29))
