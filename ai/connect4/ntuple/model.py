"""N-tuple networks for connect-4 as model files: one deflated table of 16-bit weights and the worth of a stored 1.

The header's `shapes` says how the tuples were made: `60 walks of 8`. The weights stand seat after seat, in each the
tables of `shapes.shared_tuples` one after the other. A weight that stayed small takes no room. A loaded model is
shared by all agents that use it. Imports no numba.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ai import tables
from ai.connect4.board.names import board_name, parse_board
from ai.connect4.ntuple.shapes import shared_tuples
from ai.loaded import Loaded
from ai.models import ModelCard, card_for
from ai.tensors import ModelError, TensorFile, write_whole
from game.rules.connect4 import Shape

AGENT = "ntuple"
MAX_WALKS, MAX_LENGTH, MAX_PLAYERS = 120, 9, 4
LEAST_STEP = 0.002
"""Two hundred weights are added up, many of them small: coarser steps would lose these."""
_LARGEST = 32767


@dataclass(frozen=True, eq=False)
class NTupleModel:
    """One loaded file."""

    card: ModelCard
    shape: Shape
    walks: int
    length: int
    weights: npt.NDArray[np.int16]
    """(seats * weights of a seat,)."""
    step: float
    """What a stored 1 is worth."""


def weights_of(shape: Shape, walks: int, length: int) -> int:
    """How many weights a network has."""
    lengths = [len(images[0]) for images in shared_tuples(shape, walks, length)]
    base = shape.players + 2
    return shape.players * sum(int(base**each) for each in lengths)


def read(path: Path) -> NTupleModel:
    """Read and check a file.

    Raises:
        ModelError: with what is wrong.
    """
    with TensorFile(path) as file:
        card = card_for(file, "connect4", AGENT)
        try:
            shape = parse_board(card.board)
        except ValueError:
            raise ModelError(path, f"its board {card.board[:40]!r} is none") from None
        found = re.fullmatch(r"([0-9]{1,3}) walks of ([0-9])", card.shapes)
        walks, length = (int(found[1]), int(found[2])) if found else (-1, 0)
        if not (0 <= walks <= MAX_WALKS and 1 <= length <= MAX_LENGTH and shape.players <= MAX_PLAYERS):
            raise ModelError(path, f"its tuples are {card.shapes[:40]!r}, which is not understood")
        step = float(file.array("step", "F32", (1,))[0])
        if not 0 < step <= 1.0:
            raise ModelError(path, "the step of its weights is not between 0 and 1")
        weights = tables.decode(file, "weights", weights_of(shape, walks, length))
    return NTupleModel(card, shape, walks, length, weights, step)


load = Loaded(read).load
"""The model in a file, the one already in memory where the file has not changed; raises ModelError."""


def write(
    path: Path, shape: Shape, walks: int, length: int, weights: npt.NDArray[np.float32], card: ModelCard
) -> None:
    """Write float32 weights as a 16-bit model; what of the card the arguments say is filled in.

    Raises:
        OSError: when it cannot be written.
        ValueError: when a weight is not finite.
    """
    largest = float(np.abs(weights).max())
    if not np.isfinite(largest):
        raise ValueError("the weights have run away: train anew with a lower alpha")
    step = np.float32(max(LEAST_STEP, largest / _LARGEST))
    stored = np.rint(weights / step).astype(np.int16)
    card = replace(card, game="connect4", agent=AGENT, board=board_name(shape), shapes=f"{walks} walks of {length}")
    arrays = {**tables.encode("weights", stored), "step": np.array([step], np.float32)}
    write_whole(path, arrays, card.metadata())
