"""A model that cannot play is refused in the 2048 window with one clear sentence, and the board is the person's."""

import json
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pygame
import pytest

from ai import kernels, models
from ai.entries import Spec
from ai.models import ModelCard
from ai.twenty48.ntuple import model
from game.rules import twenty48

TUPLES = ((0, 1, 2), (0, 4, 5))


def rewritten(path: Path, **texts: str) -> None:
    """The same file with other words in its header."""
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    header["__metadata__"].update(texts)
    changed = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(changed)) + changed + content[8 + length :])


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "cut": (lambda path: path.write_bytes(path.read_bytes()[:-10]), "the file may be cut"),
    "foreign": (lambda path: path.write_bytes(b"\x89PNG" + b"x" * 500), "it is no safetensors file"),
    "large-header": (
        lambda path: path.write_bytes(struct.pack("<Q", 2**40) + b"x" * 500),
        "it is no safetensors file",
    ),
    "too-many-tuples": (lambda path: rewritten(path, shapes=" ".join(["012345"] * 64)), "1 to 16 tuples, not 64"),
    "other-tuples": (lambda path: rewritten(path, shapes="0123 4567 89"), "is not of the expected type and shape"),
    "another-game": (lambda path: rewritten(path, game="sokoban"), "no agent 'ntuple' that plays 'sokoban'"),
    "another-size": (lambda path: rewritten(path, board="5x5"), "was trained for boards of 5x5, this one is 4x4"),
    "gone": (lambda path: path.unlink(), "there is no model 'gone' for 2048"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_model_gets_one_sentence_and_the_board_goes_to_the_person(
    visit: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    spoil, reason = BAD[name]
    folder = tmp_path / "saves" / "models"
    folder.mkdir(parents=True)
    monkeypatch.setattr(models, "FOLDERS", [folder])
    monkeypatch.setattr(kernels, "ready", lambda _family: True)
    path = folder / f"{name}.safetensors"
    model.write(path, TUPLES, np.ones(8192, np.float32), ModelCard(path))
    visitor = visit("2048", animation="instant")
    scene = visitor.scene
    scene.session.begin(twenty48.start(4, 7), 7)
    scene.session.choose_agent(0, Spec("ntuple", {"plies": 1}, name))
    spoil(path)
    scene.session.driver.running = True
    end = time.perf_counter() + 20
    while not any(reason in said for said in visitor.said()):
        assert time.perf_counter() < end, visitor.said()
        visitor.frames()
    said = next(said for said in visitor.said() if reason in said)
    print(said)
    assert "\n" not in said and "Traceback" not in said
    assert not scene.session.driver.running
    before = scene.session.timeline.cursor
    for key in (pygame.K_LEFT, pygame.K_UP, pygame.K_RIGHT):
        visitor.key(key)
        visitor.frames(3)
    assert scene.session.timeline.cursor > before, "the person plays on"
