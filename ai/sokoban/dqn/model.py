"""DQNs of Sokoban as model files: 16-bit weights, one step for each column of outputs. Needs neither torch nor numba.

The header's `rule` begins with the kind of network; `level` holds the board that it was trained on, as a text, where that
was one. A loaded model is shared by all agents that use it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ai.loaded import Loaded
from ai.models import ModelCard, card_for
from ai.sokoban.dqn import shapes
from ai.tensors import Array, ModelError, TensorFile, write_whole
from game.rules import levels, sokoban
from game.rules.levels import LevelError

AGENT = "dqn"
Floats = npt.NDArray[np.float32]
_LARGEST = {"I16": 32767, "U8": 127}


@dataclass(frozen=True, eq=False)
class DqnModel:
    """One loaded file."""

    card: ModelCard
    shape: shapes.Shape
    arrays: dict[str, Floats]
    level: sokoban.State | None
    """Where it was trained, if on one board."""


def read(path: Path) -> DqnModel:
    """Read and check a file.

    Raises:
        ModelError: with what is wrong.
    """
    with TensorFile(path) as file:
        card = card_for(file, "sokoban", AGENT)
        try:
            shape = shapes.parse(card.shapes)
        except ValueError:
            raise ModelError(path, f"its network {card.shapes[:60]!r} is none that this app knows") from None
        if shapes.board_of(shape) != card.board:
            raise ModelError(path, f"its network is for boards of {shapes.board_of(shape)}, not {card.board[:40]}")
        arrays: dict[str, Floats] = {}
        for name, size in shapes.sizes(shape).items():
            steps = file.array(f"{name}.step", "F32", (size[-1],))
            kind = "U8" if name in shapes.coarse(shape) else "I16"
            numbers = file.array(name, kind, size).astype(np.float32)
            arrays[name] = (numbers - 128 if kind == "U8" else numbers) * steps
        if not all(np.isfinite(each).all() for each in arrays.values()):
            raise ModelError(path, "it holds numbers that no training makes")
        level = _level(path, file.metadata.get("level", ""))
    return DqnModel(card, shape, arrays, level)


load = Loaded(read).load
"""The model in a file, the one already in memory where the file has not changed; raises ModelError."""


def write(
    path: Path, shape: shapes.Shape, arrays: Mapping[str, Floats], card: ModelCard, level: sokoban.State | None
) -> None:
    """Write float32 weights; what of the card the arguments say is filled in.

    Raises:
        OSError: when it cannot be written.
        ValueError: when a weight is not finite.
    """
    stored: dict[str, Array] = {}
    for name, weights in arrays.items():
        if not np.isfinite(weights).all():
            raise ValueError("the weights have run away: train anew with a lower rate")
        kind = "U8" if name in shapes.coarse(shape) else "I16"
        largest = np.abs(weights).max(axis=tuple(range(weights.ndim - 1))) if weights.ndim > 1 else np.abs(weights)
        steps = np.maximum(largest / _LARGEST[kind], 1e-12).astype(np.float32)
        numbers = np.rint(weights / steps)
        stored[name] = (numbers + 128).astype(np.uint8) if kind == "U8" else numbers.astype(np.int16)
        stored[f"{name}.step"] = steps
    card = replace(card, game="sokoban", agent=AGENT, board=shapes.board_of(shape), shapes=shapes.name_of(shape))
    texts = {} if level is None else {"level": text_of(level)}
    write_whole(path, stored, {**card.metadata(), **texts})


def text_of(state: sokoban.State) -> str:
    """A position as text, with its rules."""
    return "\n".join([*levels.board(state), f"Variant: {state.warehouse.rules.name}"])


def state_of(text: str) -> sokoban.State:
    """What `text_of` wrote; raises LevelError."""
    return levels.parse(text, "level").levels[0].state


def _level(path: Path, text: str) -> sokoban.State | None:
    if not text:
        return None
    try:
        return state_of(text)
    except (LevelError, IndexError):
        raise ModelError(path, "the level in its header cannot be read") from None
