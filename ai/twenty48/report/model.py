"""The report's network as a model file: eight 16-bit tables of differences from the first value, and their steps.

`table.0.…` and so on hold the 14**k weights of a pattern as `ai.tables` keeps tables, `steps` what a stored 1 is worth, and
`looks` how many look-ups a pattern has: 8, or 1 where it was trained without symmetries. A weight that stayed near its
first value takes no room. A loaded model is shared by all agents that use it. Imports no numba.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ai import tables
from ai.loaded import Loaded
from ai.models import ModelCard, card_for
from ai.tensors import Array, ModelError, TensorFile, write_whole
from ai.twenty48.report import shapes
from ai.twenty48.report.shapes import PATTERNS, PLACES, SHAPES

AGENT = "ntuple-report"
BOARD = "4x4"
LEAST_STEP = 0.2
"""Weights are around 10 and a value is the sum of 64, which such steps leave right to half a point: finer ones cost room
and gain nothing."""
_LARGEST = 32767
_LARGEST_STEP = 1e6
"""Far beyond any score; sums of weights stay finite."""


@dataclass(frozen=True, eq=False)
class ReportModel:
    """One loaded file."""

    card: ModelCard
    weights: npt.NDArray[np.int16]
    """(sum of 16**cells,): as `shapes` places them in memory."""
    steps: npt.NDArray[np.float32]
    """(patterns,): what a stored 1 is worth."""
    symmetric: bool
    """Whether a pattern is looked up in all eight positions of the board."""


def read(path: Path) -> ReportModel:
    """Read and check a file.

    Raises:
        ModelError: with what is wrong.
    """
    with TensorFile(path) as file:
        card = card_for(file, "twenty48", AGENT)
        if card.board != BOARD:
            raise ModelError(path, f"it is for boards of {card.board}, not of {BOARD}")
        if card.shapes != SHAPES:
            raise ModelError(path, f"its patterns are not those of the report ({SHAPES})")
        steps = file.array("steps", "F32", (len(PATTERNS),))
        if not np.all((steps > 0) & (steps <= _LARGEST_STEP)):
            raise ModelError(path, f"a step of its weights is not between 0 and {_LARGEST_STEP:,.0f}")
        looks = int(file.array("looks", "U8", (1,))[0])
        if looks not in (1, 8):
            raise ModelError(path, f"it says {looks} look-ups for a pattern; there are 8, or 1 without symmetries")
        weights = np.zeros(sum(PLACES), np.int16)
        for number, table in enumerate(shapes.tables(weights)):
            table[...] = tables.decode(file, f"table.{number}", table.size).reshape(table.shape)
    return ReportModel(card, weights, steps, looks == 8)


load = Loaded(read).load
"""The model in a file, the one already in memory where the file has not changed; raises ModelError."""


def write(path: Path, weights: npt.NDArray[np.float32], symmetric: bool, card: ModelCard) -> None:
    """Write float32 weights as a 16-bit model.

    Args:
        path: The file.
        weights: float32 (sum of 16**cells,), differences from the first value.
        symmetric: Whether they were learned with symmetries.
        card: What the header says; game, agent, board and shapes are filled in.

    Raises:
        OSError: when it cannot be written.
        ValueError: when a weight is not finite.
    """
    if not np.all(np.isfinite(weights)):
        raise ValueError("the weights have run away: train anew with a lower alpha")
    card = replace(card, game="twenty48", agent=AGENT, board=BOARD, shapes=SHAPES)
    arrays: dict[str, Array] = {}
    steps = np.zeros(len(PATTERNS), np.float32)
    for number, table in enumerate(shapes.tables(weights)):
        steps[number] = max(LEAST_STEP, float(np.max(np.abs(table))) / _LARGEST)
        stored = np.clip(np.rint(table / steps[number]), -_LARGEST, _LARGEST).astype(np.int16)
        arrays |= tables.encode(f"table.{number}", stored.ravel())
    arrays["steps"] = steps
    arrays["looks"] = np.array([8 if symmetric else 1], np.uint8)
    write_whole(path, arrays, card.metadata())
