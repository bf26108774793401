"""Networks for flat boards as model files: 16-bit weights, one step for each array. Needs neither torch nor numba.

A loaded model is shared by all agents that use it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ai.connect4.board.names import board_name, parse_board
from ai.connect4.net.features import REACH, Floats, inputs
from ai.loaded import Loaded
from ai.models import ModelCard, card_for
from ai.tensors import Array, ModelError, TensorFile, write_whole
from game.rules.connect4 import Shape

AGENT = "net"
MAX_WIDTH, MAX_BLOCKS = 512, 16
_LARGEST = 32767


@dataclass(frozen=True, eq=False)
class NetModel:
    """One loaded file."""

    card: ModelCard
    shape: Shape
    arrays: dict[str, Floats]
    """As `features.forward` takes them."""


def sizes(shape: Shape, width: int, blocks: int) -> dict[str, tuple[int, ...]]:
    """The arrays of a network and their shapes."""
    seen = 2 * REACH + 1
    found: dict[str, tuple[int, ...]] = {"first.weight": (seen, inputs(shape), width), "first.bias": (width,)}
    for block in range(blocks):
        for part in ("in", "out"):
            found[f"{block}.{part}.weight"] = (seen, width, width)
            found[f"{block}.{part}.bias"] = (width,)
    return {
        **found,
        "column.weight": (width, 4),
        "column.bias": (4,),
        "value.weight": (width, 3),
        "value.bias": (3,),
    }


def read(path: Path) -> NetModel:
    """Read and check a file.

    Raises:
        ModelError: with what is wrong.
    """
    with TensorFile(path) as file:
        card = card_for(file, "connect4", AGENT)
        try:
            shape = parse_board(card.board)
            width, blocks = (int(part) for part in card.shapes.split(" x ", 1))
        except ValueError:
            raise ModelError(
                path, f"its board {card.board[:40]!r} or its size {card.shapes[:40]!r} is none"
            ) from None
        if shape.depth != 1 or shape.players != 2 or not (1 <= width <= MAX_WIDTH and 0 <= blocks <= MAX_BLOCKS):
            raise ModelError(path, "it is for no flat board and two players, or of no size that there is")
        arrays: dict[str, Floats] = {}
        for name, size in sizes(shape, width, blocks).items():
            step = float(file.array(f"{name}.step", "F32", (1,))[0])
            if not 0 < step <= 1:
                raise ModelError(path, f"the step of its array {name!r} is not between 0 and 1")
            arrays[name] = file.array(name, "I16", size).astype(np.float32) * np.float32(step)
    return NetModel(card, shape, arrays)


load = Loaded(read).load
"""The model in a file, the one already in memory where the file has not changed; raises ModelError."""


def write(path: Path, shape: Shape, arrays: Mapping[str, Floats], card: ModelCard) -> None:
    """Write float32 weights as a 16-bit model; what of the card the arguments say is filled in.

    Raises:
        OSError: when it cannot be written.
        ValueError: when a weight is not finite.
    """
    stored: dict[str, Array] = {}
    for name, weights in arrays.items():
        largest = float(np.abs(weights).max())
        if not largest < _LARGEST:
            raise ValueError("the weights have run away: train anew with a lower rate")
        step = np.float32(max(largest / _LARGEST, 1e-9))
        stored[name] = np.rint(weights / step).astype(np.int16)
        stored[f"{name}.step"] = np.array([step], np.float32)
    width = arrays["first.bias"].shape[0]
    blocks = sum(name.endswith(".in.bias") for name in arrays)
    card = replace(card, game="connect4", agent=AGENT, board=board_name(shape), shapes=f"{width} x {blocks}")
    write_whole(path, stored, card.metadata())
