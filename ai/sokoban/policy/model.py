"""Policy networks of Sokoban as model files: weights of 16 bits. Needs neither torch nor numba.

The network is convolutional, so it plays levels of any size; the header says on which sizes it was trained. What the
arrays mean stands in `ai.sokoban.policy.inference`. A loaded model is shared by all agents that use it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ai.loaded import Loaded
from ai.models import ModelCard, card_for
from ai.tensors import Array, ModelError, TensorFile, write_whole

AGENT = "policy"
PLANES = 7
"""Numbers that the network sees of a square, see `ai.sokoban.policy.features`."""
MAX_CHANNELS, MAX_BLOCKS, MAX_HIDDEN = 128, 16, 256
_LARGEST = float(np.finfo(np.float16).max)
_BOARD = re.compile(r"(?:\d{1,3}x\d{1,3}-)?(\d{1,3})x(\d{1,3})")

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class PolicyModel:
    """One loaded file."""

    card: ModelCard
    channels: int
    blocks: int
    hidden: int
    arrays: dict[str, Floats]
    """As `sizes` names them."""

    @property
    def largest(self) -> tuple[int, int]:
        """(rows, columns) of the largest levels it was trained on."""
        return trained_to(self.card.board)


def trained_to(board: str) -> tuple[int, int]:
    """(rows, columns) of the largest boards that a text like '10x10' or '7x7-16x16' means; raises ValueError."""
    found = _BOARD.fullmatch(board)
    if found is None:
        raise ValueError(f"{board[:40]!r} names no sizes of boards: write 10x10 or 7x7-16x16")
    return int(found[1]), int(found[2])


def sizes(channels: int, blocks: int, hidden: int) -> dict[str, tuple[int, ...]]:
    """The arrays of a network and their shapes; 3x3 weights are (neighbour row by row, in, out)."""
    found: dict[str, tuple[int, ...]] = {"stem.weight": (9, PLANES, channels), "stem.bias": (channels,)}
    for block in range(blocks):
        for part in ("in", "out"):
            found[f"{block}.{part}.weight"] = (9, channels, channels)
            found[f"{block}.{part}.bias"] = (channels,)
        if block % 2:
            found[f"{block}.pool.weight"] = (2 * channels, channels)
    return {
        **found,
        "policy.weight": (channels, 4),
        "policy.bias": (4,),
        "value.hidden.weight": (2 * channels, hidden),
        "value.hidden.bias": (hidden,),
        "value.weight": (hidden, 2),
        "value.bias": (2,),
    }


def read(path: Path) -> PolicyModel:
    """Read and check a file.

    Raises:
        ModelError: with what is wrong.
    """
    with TensorFile(path) as file:
        card = card_for(file, "sokoban", AGENT)
        try:
            trained_to(card.board)
            channels, blocks, hidden = (int(part) for part in card.shapes.split(" x "))
        except ValueError:
            raise ModelError(
                path, f"its boards {card.board[:40]!r} or its size {card.shapes[:40]!r} are none"
            ) from None
        if not (1 <= channels <= MAX_CHANNELS and 0 <= blocks <= MAX_BLOCKS and 1 <= hidden <= MAX_HIDDEN):
            raise ModelError(path, f"its size {card.shapes[:40]!r} is none that there is")
        arrays: dict[str, Floats] = {}
        for name, size in sizes(channels, blocks, hidden).items():
            arrays[name] = file.array(name, "F16", size).astype(np.float32)
            if not np.isfinite(arrays[name]).all():
                raise ModelError(path, f"its array {name!r} has values that are no numbers")
    return PolicyModel(card, channels, blocks, hidden, arrays)


load = Loaded(read).load
"""The model in a file, the one already in memory where the file has not changed; raises ModelError."""


def write(path: Path, arrays: Mapping[str, Floats], card: ModelCard) -> None:
    """Write float32 weights as a model; game, agent and size of the card are filled in, its `board` must be there.

    Raises:
        OSError: when it cannot be written.
        ValueError: when the arrays are not those of a network, a weight is too large, or `card.board` is no size.
    """
    trained_to(card.board)
    blocks = sum(name.endswith(".in.bias") for name in arrays)
    channels, hidden = (arrays[name].shape[0] if name in arrays else 0 for name in ("stem.bias", "value.hidden.bias"))
    if {name: each.shape for name, each in arrays.items()} != sizes(channels, blocks, hidden):
        raise ValueError("these are not the arrays of a policy network")
    stored: dict[str, Array] = {}
    for name, weights in arrays.items():
        if not float(np.abs(weights).max()) <= _LARGEST:
            raise ValueError("the weights have run away: train anew with a lower rate")
        stored[name] = np.ascontiguousarray(weights, dtype=np.float16)
    card = replace(card, game="sokoban", agent=AGENT, shapes=f"{channels} x {blocks} x {hidden}")
    write_whole(path, stored, card.metadata())
