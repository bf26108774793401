"""Every screen as a new user finds it, and its list of keys: no line of text ends in an ellipsis."""

from collections.abc import Callable
from typing import Any

import pygame
import pytest

from game.screens.navigation import SCENES

SIZES = ((1024, 640), (1280, 800), (1920, 1080))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scene", SCENES)
def test_nothing_is_cut_off(visit: Callable[..., Any], scene: str, size: tuple[int, int]) -> None:
    visitor = visit(scene, size)
    visitor.frames(3)
    for what in ("screen", "keys"):
        cut = [words for words, _ in visitor.words() if words.rstrip().endswith("…")]
        assert not cut, f"the {what} of {scene} at {size} cuts {cut}"
        visitor.key(pygame.K_F1)
