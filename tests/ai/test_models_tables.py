"""Large tables in files: every form round trips, the smallest is taken, and a wrong index is refused."""

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
    table = np.full(size, 99, np.int16)
    with TensorFile(path) as file:
        tables.decode(file, "t", table)
    return table


@pytest.mark.parametrize(
    ("share", "form"), [(0.0, "t.gaps"), (0.0005, "t.gaps"), (0.05, "t.gaps"), (0.3, "t.bitmap"), (0.99, None)]
)
def test_every_share_of_weights_takes_its_smallest_form_and_comes_back(
    tmp_path: Path, share: float, form: str | None
) -> None:
    random = np.random.default_rng(1)
    weights = np.where(random.random(SIZE) < share, random.normal(0, 3000, SIZE), 0).astype(np.float32)
    step, arrays = tables.encode("t", weights)
    print(step, {name: (array.dtype, array.shape) for name, array in arrays.items()})
    assert set(arrays) == {"t.weights"} | ({form} if form else set())
    table = decoded(tmp_path, arrays)
    assert np.abs(table * step - weights).max() <= step / 2 + 1e-3
    assert sum(array.nbytes for array in arrays.values()) <= 2 * SIZE


def test_a_step_is_no_finer_than_a_point_and_spans_the_largest_weight() -> None:
    assert tables.encode("t", np.full(16, 0.4, np.float32))[0] == 1.0
    step, arrays = tables.encode("t", np.linspace(-1e6, 5e5, 16).astype(np.float32))
    print(step, arrays)
    assert step * 32767 == pytest.approx(1e6)
    assert arrays["t.weights"].min() == -32767


places = st.lists(st.integers(0, SIZE - 1), unique=True, max_size=60).map(sorted)


@settings(max_examples=150, deadline=None)
@given(places)
def test_any_places_come_back_by_gaps(tmp_path_factory: pytest.TempPathFactory, stored: list[int]) -> None:
    weights = np.zeros(SIZE, np.float32)
    weights[stored] = np.arange(len(stored)) + 1
    _, arrays = tables.encode("t", weights)
    assert "t.gaps" in arrays
    assert 0 not in arrays["t.gaps"]
    table = decoded(tmp_path_factory.mktemp("gaps"), arrays)
    assert np.flatnonzero(table).tolist() == stored


def test_gaps_around_the_skipping_byte(tmp_path: Path) -> None:
    """Distances of 253 to 256 and 507 to 510 are where one byte becomes two, and two become three."""
    stored = np.cumsum([253, 254, 255, 256, 507, 508, 509, 510, 1])
    weights = np.zeros(SIZE, np.float32)
    weights[stored] = 7
    _, arrays = tables.encode("t", weights)
    print(arrays["t.gaps"])
    assert np.flatnonzero(decoded(tmp_path, arrays)).tolist() == stored.tolist()


def u8(*numbers: int) -> Array:
    return np.array(numbers, np.uint8)


def i16(*numbers: int) -> Array:
    return np.array(numbers, np.int16)


@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        ({"t.weights": i16(1, 2), "t.gaps": u8(1, 0)}, "not ascending"),
        ({"t.weights": i16(1, 2), "t.gaps": u8(1, 16)}, "leaves the table"),
        ({"t.weights": i16(1), "t.gaps": u8(1, 1)}, "not ascending"),
        ({"t.weights": i16(1, 2, 3), "t.gaps": u8(1, 1)}, "fewer places"),
        ({"t.weights": i16(1), "t.gaps": u8(*[1] * 17)}, "longer than the table"),
        ({"t.weights": i16(*range(17)), "t.gaps": u8(1)}, "more weights than places"),
        ({"t.weights": i16(1), "t.bitmap": u8(0b11000000, 0)}, "as many places as"),
        ({"t.weights": i16(1, 2, 3), "t.bitmap": u8(0b11000000, 0)}, "as many places as"),
        ({"t.weights": i16(1), "t.bitmap": u8(1)}, "expected type and shape"),
        ({"t.weights": i16(1), "t.bitmap": u8(0, 1), "t.gaps": u8(16)}, "two indices"),
        ({"t.weights": i16(1)}, "expected type and shape"),
        ({"t.weights": np.zeros(16, np.float32)}, "expected type and shape"),
        ({"t.gaps": u8(1)}, "no array 't.weights'"),
    ],
)
def test_a_wrong_index_is_refused(tmp_path: Path, arrays: dict[str, Array], reason: str) -> None:
    with pytest.raises(ModelError, match=reason) as caught:
        decoded(tmp_path, arrays, 16)
    assert str(caught.value).startswith("table.safetensors: ")
