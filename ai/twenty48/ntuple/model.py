"""N-tuple networks as model files: one deflated 16-bit table of all weights, and the array `steps`.

The weights stand in one table: stage after stage, in each the tables of the tuples one after the other. A stored 1 is
worth the step of its tuple, in all stages the same. Where later stages began with what the stage before knew, what is
stored of them is the difference to it, so that a weight that was never learned there takes no room and is that of the
stage before (weight promotion); a loaded model has all stages filled in. Where they began with nothing (`promoted` is
0) each stage stands for itself, and weights of tiles that add up to more than its boards have are left out.

The step decides about the room. Four 6-tuples after 411,000 games, 19.4 million weights that are not 0, take 28.6 MB with
a step of 1 (2.7 where 16 bits need it), 22.1 MB with 8, 19.4 MB with 16, 16.6 MB with 32; 1-ply over 2,000 games they
play as well with 16 (169,040 ± 1,668) as with 1 (170,437 ± 1,657). They are read in 0.4 s.

A loaded model is shared by all agents that use it, and stays in memory as long as one does. Imports no numba: whether
a file is good can be found out without the kernels.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ai import tables
from ai.loaded import Loaded
from ai.models import ModelCard, card_for
from ai.tensors import ModelError, TensorFile, write_whole
from ai.twenty48.ntuple.shapes import (
    CONTENTS,
    SIZES,
    Tuples,
    format_stages,
    format_tuples,
    parse_stages,
    parse_tuples,
    table_sizes,
)

FINE_STEP = 1.0
"""Weights are in points of score: finer steps cost room and gain nothing."""
COARSE_STEP = 16.0
"""The least step of large networks."""
LARGE = 1 << 23
"""Weights from which a network is large."""
MAX_WEIGHTS = 1 << 29
"""In all stages together: a gigabyte in memory."""
_LARGEST = 32767
_LARGEST_KNOWN = 15
_LARGEST_STEP = 1e6
"""Far beyond any score; sums of weights stay finite."""


@dataclass(frozen=True, eq=False)
class NTupleModel:
    """One loaded file."""

    card: ModelCard
    tuples: Tuples
    weights: npt.NDArray[np.int16]
    """(stages × sum of the tables' sizes,): stage after stage, one table after the other. Where a later stage is equal
    to the stage before, nothing was learned there."""
    steps: npt.NDArray[np.float32]
    """(tuples,): what a stored 1 is worth."""
    size: int = 4
    """Of the board's side."""
    stages: tuple[int, ...] = ()
    """Sums of all tiles, ascending, from which the next stage counts; one stage less than there are."""
    promoted: bool = True
    """Whether later stages began with what the stage before knew."""
    known: int = 0
    """Exponent of the largest tile that its first stage looked at as it is when it learned; 0 where that was not said."""


def read(path: Path) -> NTupleModel:
    """Read and check a file. Takes memory only for the tables that its tuples and stages declare.

    Raises:
        ModelError: with what is wrong.
    """
    with TensorFile(path) as file:
        card = card_for(file, "twenty48", "ntuple")
        size = next((size for size in SIZES if card.board == f"{size}x{size}"), None)
        if size is None:
            boards = ", ".join(f"{size}x{size}" for size in SIZES)
            raise ModelError(path, f"it is for boards of {card.board}, not of one of {boards}")
        try:
            tuples = parse_tuples(card.shapes, size)
            stages = parse_stages(card.stages)
            _check_count(tuples, stages, size)
        except ValueError as error:
            raise ModelError(path, str(error)) from None
        steps = file.array("steps", "F32", (len(tuples),))
        if not np.all((steps > 0) & (steps <= _LARGEST_STEP)):
            raise ModelError(path, f"a step of its weights is not between 0 and {_LARGEST_STEP:,.0f}")
        promoted = "promoted" not in file.arrays or bool(file.array("promoted", "U8", (1,))[0])
        known = int(file.array("known", "U8", (1,))[0]) if "known" in file.arrays else 0
        if known > _LARGEST_KNOWN:
            raise ModelError(path, f"the largest tile it knows is 2**{known}; expected 2**{_LARGEST_KNOWN} at most")
        weights = tables.decode(file, "weights", (len(stages) + 1) * sum(table_sizes(tuples, size)))
        weights = weights.reshape(len(stages) + 1, -1)
        for stage in range(1, len(weights) if promoted else 0):
            weights[stage] += weights[stage - 1]
    return NTupleModel(card, tuples, weights.reshape(-1), steps, size, stages, promoted, known)


load = Loaded(read).load
"""The model in a file, the one already in memory where the file has not changed; raises ModelError."""


def write(
    path: Path,
    tuples: Tuples,
    weights: npt.NDArray[np.float32],
    card: ModelCard,
    *,
    stages: Sequence[int] = (),
    size: int = 4,
    step: float | None = None,
    promoted: bool = True,
    known: int = 0,
) -> None:
    """Write float32 weights as a 16-bit model.

    Args:
        path: The file.
        tuples: Of the network.
        weights: float32 (stages × sum of the tables' sizes,), or the same with the stages as rows. Finite; NaN in a
            later stage stands for the weight of the stage before.
        card: What the header says; game, agent, board, shapes and stages are filled in.
        stages: Sums of all tiles from which the next stage counts, ascending.
        size: Of the board's side.
        step: What a stored 1 is worth at least; large networks take the coarse step where none is given.
        promoted: Whether later stages began with what the stage before knew.
        known: Exponent of the largest tile that the first stage looked at as it is, 0 to leave that to be found out.

    Raises:
        OSError: when it cannot be written.
        ValueError: when a weight is not finite, or there are more weights than a model may have.
    """
    _check_count(tuples, stages, size)
    card = replace(
        card,
        game="twenty48",
        agent="ntuple",
        board=f"{size}x{size}",
        shapes=format_tuples(tuples),
        stages=format_stages(stages),
    )
    sizes = table_sizes(tuples, size)
    weights = weights.reshape(len(stages) + 1, sum(sizes))
    if step is None:
        step = COARSE_STEP if weights.size >= LARGE else FINE_STEP
    stored = np.empty(weights.shape, np.int16)
    steps = []
    begin = 0
    for count in sizes:
        part = slice(begin, begin + count)
        steps.append(_round(weights[:, part], step, stored[:, part]))
        begin += count
    if promoted:
        for stage in range(len(stages), 0, -1):
            stored[stage] -= stored[stage - 1]
    else:
        _leave_out(stored, tuples, stages, size)
    arrays = tables.encode("weights", stored.reshape(-1))
    arrays["steps"] = np.array(steps, np.float32)
    if stages:
        arrays["promoted"] = np.array([promoted], np.uint8)
    if known:
        arrays["known"] = np.array([known], np.uint8)
    write_whole(path, arrays, card.metadata())


def _leave_out(stored: npt.NDArray[np.int16], tuples: Tuples, stages: Sequence[int], size: int) -> None:
    """Zero the weights of each stage whose tiles alone add up to the next one: no board of the stage has them."""
    tiles = np.concatenate(([0], 2 ** np.arange(1, CONTENTS[size]))).astype(np.int32)
    begin = 0
    for cells, count in zip(tuples, table_sizes(tuples, size), strict=True):
        sums = np.zeros(1, np.int32)
        for _ in cells:
            sums = (sums[:, None] + tiles).reshape(-1)
        for stage, end in enumerate(stages):
            stored[stage, begin : begin + len(sums)][sums >= end] = 0
        begin += count


def _round(weights: npt.NDArray[np.float32], least: float, stored: npt.NDArray[np.int16]) -> float:
    """Fill `stored` with the weights of one tuple in steps, both (stages, n); returns the step."""
    tops = [(np.fmax if stage else np.maximum).reduce(np.abs(row)) for stage, row in enumerate(weights)]
    largest = float(np.fmax.reduce(tops))
    if not (np.isfinite(tops[0]) and np.isfinite(largest)):
        raise ValueError("the weights have run away: train anew with a lower alpha")
    step = np.float32(max(least, largest / _LARGEST))
    for stage, row in enumerate(weights):
        rounded = np.clip(np.rint(row / step), -_LARGEST, _LARGEST)
        if stage:
            absent = np.isnan(rounded)
            rounded[absent] = stored[stage - 1][absent]
        stored[stage] = rounded
    return float(step)


def _check_count(tuples: Tuples, stages: Sequence[int], size: int) -> None:
    count = sum(table_sizes(tuples, size)) * (len(stages) + 1)
    if count > MAX_WEIGHTS:
        raise ValueError(f"its tuples and stages have {count:,} weights; {MAX_WEIGHTS:,} are allowed")
