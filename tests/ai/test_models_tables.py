"""Large tables in files: every table comes back, in little room, and what is spoilt is refused within bounds."""

import tracemalloc
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai import tables
from ai.tensors import Array, ModelError, TensorFile, write_whole

SIZE = 65_536


def decoded(folder: Path, arrays: dict[str, Array], size: int = SIZE) -> np.ndarray:
    path = folder / "table.safetensors"
    write_whole(path, arrays, {})
    with TensorFile(path) as file:
        return tables.decode(file, "t", size)


@pytest.mark.parametrize(("share", "bits"), [(0.0, 1e9), (0.0005, 60), (0.05, 19), (0.3, 14.5), (0.99, 12)])
def test_tables_of_any_share_come_back_in_little_more_room_than_their_entropy(
    tmp_path: Path, share: float, bits: float
) -> None:
    """Weights of a spread of 300 have 10.3 bits of entropy, and their places up to 1 / share more."""
    random = np.random.default_rng(1)
    table = np.where(random.random(SIZE) < share, random.normal(0, 300, SIZE), 0).astype(np.int16)
    arrays = tables.encode("t", table)
    spent = 8 * sum(array.nbytes for array in arrays.values())
    print({name: array.nbytes for name, array in arrays.items()}, spent / max(1, np.count_nonzero(table)))
    assert (decoded(tmp_path, arrays) == table).all()
    assert spent <= bits * max(1, np.count_nonzero(table)) and spent <= 12 * SIZE


def test_chunks_join_without_a_seam(tmp_path: Path) -> None:
    """More weights than are worked on at a time, and an end in the middle of a chunk."""
    size = 8 * tables._CHUNK * 2 + 808
    table = np.zeros(size, np.int16)
    table[[0, 1_048_575, 1_048_576, 2_097_151, 2_097_152, size - 1]] = 1, -2, 32767, -32768, 255, -256
    table[1_500_000:1_800_000] = np.random.default_rng(2).integers(-32768, 32768, 300_000)
    assert (decoded(tmp_path, tables.encode("t", table), size) == table).all()


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.integers(0, 508), st.integers(-32768, 32767), max_size=60))
def test_any_weights_at_any_places_come_back(
    tmp_path_factory: pytest.TempPathFactory, stored: dict[int, int]
) -> None:
    table = np.zeros(509, np.int16)
    table[list(stored)] = list(stored.values())
    assert (decoded(tmp_path_factory.mktemp("any"), tables.encode("t", table), 509) == table).all()


def deflated(*numbers: int) -> Array:
    return np.frombuffer(zlib.compress(bytes(numbers)), np.uint8)


GOOD = {"t.places": deflated(0b11000000, 1), "t.low": deflated(2, 4, 6), "t.high": deflated(0, 0, 0)}


def test_the_good_table_of_the_next_test_is_good(tmp_path: Path) -> None:
    assert decoded(tmp_path, GOOD, 16).tolist() == [1, 2] + 13 * [0] + [3]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"t.places": deflated(0b11000000)}, "'t.places' inflates to less"),
        ({"t.places": deflated(0b11000000, 1, 0)}, "'t.places' inflates to more"),
        ({"t.places": deflated(0b11000000, 3)}, "'t.high' inflates to less"),
        ({"t.places": deflated(0b10000000, 1)}, "'t.low' inflates to more"),
        ({"t.low": deflated(2, 4)}, "'t.low' inflates to less"),
        ({"t.high": deflated(0, 0, 0, 0)}, "'t.high' inflates to more"),
        ({"t.low": GOOD["t.low"][:-1]}, "'t.low' is cut"),
        ({"t.low": GOOD["t.low"][:5]}, "'t.low' inflates to less"),
        ({"t.low": GOOD["t.low"][:0]}, "'t.low' inflates to less"),
        ({"t.low": np.append(GOOD["t.low"], np.uint8(0))}, "'t.low' is longer than what is deflated"),
        ({"t.low": np.append(GOOD["t.low"][:-1], GOOD["t.low"][-1] ^ np.uint8(1))}, "'t.low' is damaged"),
        ({"t.low": np.zeros(9, np.uint8)}, "'t.low' is damaged"),
        ({"t.low": np.zeros(9, np.int16)}, "expected type and shape"),
        ({"t.low": None}, "no array 't.low'"),
    ],
)
def test_what_is_spoilt_is_refused(tmp_path: Path, change: dict[str, Array | None], reason: str) -> None:
    arrays = {name: array for name, array in {**GOOD, **change}.items() if array is not None}
    with pytest.raises(ModelError, match=reason) as caught:
        decoded(tmp_path, arrays, 16)
    print(caught.value)
    assert str(caught.value).startswith("table.safetensors: ")


@pytest.mark.parametrize("part", ["t.places", "t.low", "t.high"])
def test_a_few_bytes_that_inflate_to_a_gigabyte_never_do(tmp_path: Path, part: str) -> None:
    deflater = zlib.compressobj(9)
    bomb = b"".join(deflater.compress(bytes(2**20)) for _ in range(1024)) + deflater.flush()
    arrays = {**GOOD, part: np.frombuffer(bomb, np.uint8)}
    print(len(bomb))
    tracemalloc.start()
    with pytest.raises(ModelError, match="inflates to more"):
        decoded(tmp_path, arrays, 16)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10e6
