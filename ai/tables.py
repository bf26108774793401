"""Large tables of weights in little room: 16 bits a weight, weights that are 0 left out.

A table of n weights becomes a step and the arrays `NAME.weights` (int16; a stored 1 is worth the step) and one index,
whichever is smallest:

- none: all n weights follow each other;
- `NAME.bitmap` (uint8, n / 8): bit i, highest first, says whether weight i is stored;
- `NAME.gaps` (uint8): a byte g of 1 to 254 says that the next stored weight is g places after the last (the first:
  after place -1), 255 that there is none in the next 254 places.

In memory a table is dense and stays 16-bit.
"""

import numpy as np
import numpy.typing as npt

from ai.tensors import Array, ModelError, TensorFile

LEAST_STEP = 1.0
"""Weights are in points of score: finer steps cost room and gain nothing."""
_LARGEST = 32767
_SKIP = 255
_SKIPPED = 254
_CHUNK = 1 << 20


def encode(name: str, weights: npt.NDArray[np.float32]) -> tuple[float, dict[str, Array]]:
    """The step of a table, and the arrays that go into the file.

    Args:
        name: Prefix of the arrays' names.
        weights: float32 (n,), finite, n a multiple of 8.
    """
    largest = float(np.max(np.abs(weights)))
    step = float(np.float32(max(LEAST_STEP, largest / _LARGEST)))
    dense = np.clip(np.rint(weights / np.float32(step)), -_LARGEST, _LARGEST).astype(np.int16)
    stored = np.flatnonzero(dense)
    gaps = _gaps(stored)
    sizes = {
        "dense": 2 * len(dense),
        "bitmap": 2 * len(stored) + len(dense) // 8,
        "gaps": 2 * len(stored) + len(gaps),
    }
    smallest = min(sizes, key=lambda form: sizes[form])
    if smallest == "dense":
        return step, {f"{name}.weights": dense}
    index = np.packbits(dense != 0) if smallest == "bitmap" else gaps
    return step, {f"{name}.weights": np.ascontiguousarray(dense[stored]), f"{name}.{smallest}": index}


def decode(file: TensorFile, name: str, table: npt.NDArray[np.int16]) -> None:
    """Fill `table`, int16 (n,), from the file.

    Raises:
        ModelError: when what the file holds is no table of n weights.
    """
    size = len(table)
    forms = [form for form in ("bitmap", "gaps") if f"{name}.{form}" in file.arrays]
    if not forms:
        table[:] = file.array(f"{name}.weights", "I16", (size,))
        return
    if len(forms) == 2:
        raise ModelError(file.path, f"its table {name!r} has two indices")
    if file.declared(f"{name}.weights", "I16", (None,)).shape[0] > size:
        raise ModelError(file.path, f"its table {name!r} has more weights than places")
    weights = file.array(f"{name}.weights", "I16", (None,))
    table[:] = 0
    if forms == ["bitmap"]:
        _fill_by_bitmap(file, name, weights, table)
    else:
        _fill_by_gaps(file, name, weights, table)


def _fill_by_bitmap(file: TensorFile, name: str, weights: Array, table: npt.NDArray[np.int16]) -> None:
    bitmap = file.array(f"{name}.bitmap", "U8", (len(table) // 8,))
    taken = 0
    for begin in range(0, len(bitmap), _CHUNK):
        mask = np.unpackbits(bitmap[begin : begin + _CHUNK]).view(np.bool_)
        count = int(np.count_nonzero(mask))
        if taken + count > len(weights):
            break
        table[8 * begin : 8 * begin + len(mask)][mask] = weights[taken : taken + count]
        taken += count
    else:
        if taken == len(weights):
            return
    raise ModelError(file.path, f"the index of its table {name!r} does not have as many places as there are weights")


def _fill_by_gaps(file: TensorFile, name: str, weights: Array, table: npt.NDArray[np.int16]) -> None:
    if file.declared(f"{name}.gaps", "U8", (None,)).shape[0] > len(table):
        raise ModelError(file.path, f"the index of its table {name!r} is longer than the table")
    gaps = file.array(f"{name}.gaps", "U8", (None,))
    at, taken = -1, 0
    for begin in range(0, len(gaps), _CHUNK):
        chunk = gaps[begin : begin + _CHUNK]
        reached = np.cumsum(np.minimum(chunk, _SKIPPED), dtype=np.int64) + at
        at = int(reached[-1])
        places = reached[chunk != _SKIP]
        count = len(places)
        if not chunk.all() or at >= len(table) or taken + count > len(weights):
            raise ModelError(file.path, f"the index of its table {name!r} is not ascending or leaves the table")
        table[places] = weights[taken : taken + count]
        taken += count
    if taken != len(weights):
        raise ModelError(file.path, f"the index of its table {name!r} has fewer places than there are weights")


def _gaps(stored: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
    """The index of ascending places, as written."""
    skips, rest = np.divmod(np.diff(stored, prepend=-1) - 1, _SKIPPED)
    ends = np.cumsum(skips + 1)
    index = np.full(int(ends[-1]) if len(ends) else 0, _SKIP, np.uint8)
    index[ends - 1] = rest + 1
    return index
