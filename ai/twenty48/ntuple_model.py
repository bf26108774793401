"""N-tuple networks as model files: 16-bit tables, `table.0` and so on, and the array `steps`.

A loaded model is shared by all agents that use it, and stays in memory as long as one does. Imports no numba: whether
a file is good can be found out without the kernels.
"""

import threading
import weakref
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ai import tables
from ai.models import ModelCard, read_card
from ai.tensors import Array, ModelError, TensorFile, write_whole
from ai.twenty48.ntuple_shapes import Tuples, format_tuples, parse_tuples, table_sizes

BOARD = "4x4"
_LARGEST_STEP = 1e6
"""Far beyond any score; sums of weights stay finite."""


@dataclass(frozen=True, eq=False)
class NTupleModel:
    """One loaded file."""

    card: ModelCard
    tuples: Tuples
    weights: npt.NDArray[np.int16]
    """(sum of the tables' sizes,): one table after the other."""
    steps: npt.NDArray[np.float32]
    """(tuples,): what a stored 1 is worth."""


_loaded: "weakref.WeakValueDictionary[tuple[Path, int, int], NTupleModel]" = weakref.WeakValueDictionary()
_lock = threading.Lock()


def load(path: Path) -> NTupleModel:
    """The model in a file, the one already in memory where the file has not changed.

    Raises:
        ModelError: with what is wrong.
    """
    try:
        known = path.stat()
    except (OSError, ValueError):
        return read(path)
    key = (path.absolute(), known.st_mtime_ns, known.st_size)
    with _lock:
        model = _loaded.get(key)
        if model is None:
            model = _loaded[key] = read(path)
        return model


def read(path: Path) -> NTupleModel:
    """Read and check a file. Takes memory only for the tables that its tuples declare and for one index.

    Raises:
        ModelError: with what is wrong.
    """
    with TensorFile(path) as file:
        card = read_card(file)
        if (card.game, card.agent, card.board) != ("twenty48", "ntuple", BOARD):
            raise ModelError(
                path, f"it is for {card.agent} in {card.game} on {card.board}, not for ntuple on {BOARD}"
            )
        try:
            tuples = parse_tuples(card.shapes)
        except ValueError as error:
            raise ModelError(path, str(error)) from None
        steps = file.array("steps", "F32", (len(tuples),))
        if not np.all((steps > 0) & (steps <= _LARGEST_STEP)):
            raise ModelError(path, f"a step of its weights is not between 0 and {_LARGEST_STEP:,.0f}")
        sizes = table_sizes(tuples)
        for number in range(len(tuples)):
            file.declared(f"table.{number}.weights", "I16", (None,))
        weights = np.empty(sum(sizes), np.int16)
        begin = 0
        for number, size in enumerate(sizes):
            tables.decode(file, f"table.{number}", weights[begin : begin + size])
            begin += size
    return NTupleModel(card, tuples, weights, steps)


def write(path: Path, tuples: Tuples, weights: npt.NDArray[np.float32], card: ModelCard) -> None:
    """Write float32 weights as a 16-bit model.

    Args:
        path: The file.
        tuples: Of the network.
        weights: float32 (sum of the tables' sizes,), finite.
        card: What the header says; game, agent, board and shapes are filled in.

    Raises:
        OSError: when it cannot be written.
        ValueError: when a weight is not finite.
    """
    if not np.all(np.isfinite(weights)):
        raise ValueError("the weights have run away: train anew with a lower alpha")
    card = replace(card, game="twenty48", agent="ntuple", board=BOARD, shapes=format_tuples(tuples))
    arrays: dict[str, Array] = {}
    steps = []
    begin = 0
    for number, size in enumerate(table_sizes(tuples)):
        step, found = tables.encode(f"table.{number}", weights[begin : begin + size])
        steps.append(step)
        arrays |= found
        begin += size
    write_whole(path, {**arrays, "steps": np.array(steps, np.float32)}, card.metadata())
