"""Policy networks with fixed random weights, for tests."""

from pathlib import Path

import numpy as np

from ai.models import ModelCard
from ai.sokoban.policy import model
from ai.sokoban.policy.model import Floats, sizes


def random_arrays(channels: int = 16, blocks: int = 3, hidden: int = 8) -> dict[str, Floats]:
    """Weights of which numbers of about one come, rounded as a file rounds them."""
    luck = np.random.default_rng(5)
    arrays = {}
    for name, size in sizes(channels, blocks, hidden).items():
        wide = size[0] * size[1] if len(size) == 3 else size[0]
        scale = 0.1 if name.endswith("bias") else 1.4 / wide**0.5
        arrays[name] = (luck.standard_normal(size) * scale).astype(np.float16).astype(np.float32)
    return arrays


def model_file(folder: Path, board: str = "7x7-16x16", channels: int = 16, blocks: int = 3) -> Path:
    """A model of such weights."""
    path = folder / "some.safetensors"
    model.write(path, random_arrays(channels, blocks), ModelCard(path, board=board, title="A test"))
    return path
