"""Safetensors files, read with every claim checked before memory is taken, and written whole or not at all.

A file is 8 bytes (length of the header), the header (JSON: for each array its type, shape and place; texts about
them), and the arrays one after the other. It holds numbers and texts only, so nothing in it can run. `ai.models` says
what the texts of a model mean.
"""

import math
import os
import shutil
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec
import numpy as np
import numpy.typing as npt

from ai.temporary import beside
from game.rules.files import open_regular

MAX_HEADER = 256_000
MAX_ARRAYS = 256
MAX_DIMENSIONS = 4
TYPES: dict[str, npt.DTypeLike] = {
    "U8": "<u1", "I16": "<i2", "F16": "<f2", "F32": "<f4", "F64": "<f8", "I64": "<i8", "U64": "<u8",
}  # fmt: skip
"""Types of arrays that are read."""

Array = npt.NDArray[Any]


class ModelError(ValueError):
    """A model file that cannot be used; the text is 'name: reason'."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path.name}: {reason}")
        self.path = path
        self.reason = reason


class _Place(msgspec.Struct, forbid_unknown_fields=True):
    dtype: str
    shape: list[int]
    data_offsets: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Declared:
    """One array as the header declares it."""

    kind: str
    """One of `TYPES`."""
    shape: tuple[int, ...]
    begin: int
    """Where it begins, bytes from the start of the file."""


class TensorFile:
    """An opened file whose header has been checked. Close it, or use it in a `with` block."""

    def __init__(self, path: Path) -> None:
        """Open and check.

        Raises:
            ModelError: with what is wrong; nothing is left open.
        """
        self.path = path
        self.metadata: Mapping[str, str] = {}
        self.arrays: Mapping[str, Declared] = {}
        try:
            self._file = open_regular(path)
        except FileNotFoundError:
            raise ModelError(path, "there is no such file") from None
        except OSError as error:
            raise ModelError(path, _reason(error)) from None
        try:
            self._read_header()
        except OSError as error:
            self.close()
            raise ModelError(path, _reason(error)) from None
        except BaseException:
            self.close()
            raise

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return os.fstat(self._file.fileno()).st_size

    def array(self, name: str, kind: str, shape: tuple[int | None, ...]) -> Array:
        """Read one array; its type must be `kind` and its shape `shape`, None standing for any number.

        Raises:
            ModelError: when it is missing, or not of that type and shape, or cannot be read.
        """
        declared = self.declared(name, kind, shape)
        count = math.prod(declared.shape)
        try:
            self._file.seek(declared.begin)
            found = np.fromfile(self._file, TYPES[kind], count)
        except OSError as error:
            raise ModelError(self.path, _reason(error)) from None
        if len(found) != count:
            raise ModelError(self.path, "it ended while it was being read")
        return found.reshape(declared.shape)

    def like(self, name: str, array: Array, *more: int) -> Array:
        """Read an array of the type and shape of another one, `more` in front of the shape; raises as `array` does."""
        kind = next((kind for kind, each in TYPES.items() if array.dtype == each), "")
        return self.array(name, kind, (*more, *array.shape))

    def part(self, begin: int, count: int) -> bytes:
        """`count` bytes from place `begin` of the file; raises ModelError when they cannot be read."""
        try:
            self._file.seek(begin)
            found = self._file.read(count)
        except OSError as error:
            raise ModelError(self.path, _reason(error)) from None
        if len(found) != count:
            raise ModelError(self.path, "it ended while it was being read")
        return found

    def declared(self, name: str, kind: str, shape: tuple[int | None, ...]) -> Declared:
        """What the header says of an array, held against what is expected; raises ModelError."""
        found = self.arrays.get(name)
        if found is None:
            raise ModelError(self.path, f"it has no array {name!r}")
        fits = len(found.shape) == len(shape) and all(
            there == wanted or wanted is None for there, wanted in zip(found.shape, shape, strict=True)
        )
        if found.kind != kind or not fits:
            raise ModelError(self.path, f"its array {name!r} is not of the expected type and shape")
        return found

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read_header(self) -> None:
        size = self.size
        length = int.from_bytes(self._file.read(8), "little")
        if size < 10 or length < 2 or length > size - 8:
            raise ModelError(self.path, "it is no safetensors file, or only a part of one")
        if length > MAX_HEADER:
            raise ModelError(self.path, f"its header has {length:,} bytes; {MAX_HEADER:,} are allowed")
        try:
            raw = msgspec.json.decode(self._file.read(length), type=dict[str, msgspec.Raw])
            texts = raw.pop("__metadata__", None)
            self.metadata = msgspec.json.decode(texts, type=dict[str, str]) if texts is not None else {}
            places = {name: msgspec.json.decode(place, type=_Place) for name, place in raw.items()}
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise ModelError(self.path, "its header cannot be read") from None
        if len(places) > MAX_ARRAYS:
            raise ModelError(self.path, f"it has {len(places):,} arrays; {MAX_ARRAYS} are allowed")
        self.arrays = self._checked(places, 8 + length, size)

    def _checked(self, places: Mapping[str, _Place], start: int, size: int) -> dict[str, Declared]:
        """The arrays, which must fill the file from `start` to `size` without gaps."""
        found = {}
        at = 0
        for name, place in sorted(places.items(), key=lambda item: item[1].data_offsets):
            if place.dtype not in TYPES:
                raise ModelError(self.path, f"its array {name[:40]!r} is of a type that models do not use")
            begin, end = place.data_offsets
            if len(place.shape) > MAX_DIMENSIONS or any(length < 0 for length in place.shape) or begin != at:
                raise ModelError(self.path, f"its array {name[:40]!r} is not where or what it should be")
            if end - begin != math.prod(place.shape) * np.dtype(TYPES[place.dtype]).itemsize or start + end > size:
                raise ModelError(
                    self.path, f"its array {name[:40]!r} is not as long as declared; the file may be cut"
                )
            found[name] = Declared(place.dtype, tuple(place.shape), start + begin)
            at = end
        if start + at != size:
            raise ModelError(self.path, "it is longer than its header says")
        return found


def write_whole(path: Path, arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> None:
    """Write a safetensors file so that at every moment the file is the old one or the new one.

    Args:
        path: Where; its folder is made when missing.
        arrays: Contiguous arrays of the types in `TYPES`.
        metadata: Texts for the header.

    Raises:
        OSError: when it cannot be written; an old file is then untouched.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import save_file

    path.parent.mkdir(parents=True, exist_ok=True)
    folder = beside(path)
    try:
        folder.mkdir()  # the library writes beside the file it is told, under a name of its own
        temporary = folder / "whole"
        temporary.open("xb").close()
        mode = stat.S_IMODE(temporary.stat().st_mode)
        try:
            save_file(dict(arrays), temporary, dict(metadata))
        except SafetensorError as error:
            raise OSError(str(error)) from None
        temporary.chmod(mode)  # as any new file of the user's: the library's is for its owner alone
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _reason(error: OSError) -> str:
    return error.strerror or "it cannot be read"
