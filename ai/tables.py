"""Large tables of 16-bit weights in little room: weights that are 0 left out, the rest deflated.

A table of n weights becomes three arrays of bytes, each a zlib stream of a length known before it is inflated:

- `NAME.places`: n bits, highest first, of which bit i says whether weight i is stored (n / 8 bytes);
- `NAME.low` and `NAME.high`: a byte each for every stored weight, in order. The weight w is written as 2w, or
  -2w - 1 when it is negative, so that small weights of both signs have a high byte of 0.

What is learned is noise in its last bits, so that modelling one weight by its neighbours gains nothing measurable:
bytes by frequency (Huffman) come within 2 % of the entropy of the weights. In memory a table is dense and 16-bit.
"""

import zlib

import numpy as np
import numpy.typing as npt

from ai.tensors import Array, ModelError, TensorFile

_CHUNK = 1 << 17
"""Bytes of places worked on at a time: a million weights, 5 MB in all."""
_PIECE = 1 << 18
"""Bytes read from the file at a time."""


def encode(name: str, table: npt.NDArray[np.int16]) -> dict[str, Array]:
    """The arrays that go into the file.

    Args:
        name: Prefix of the arrays' names.
        table: int16 (n,); what it lacks to a multiple of 8 is filled with 0.
    """
    table = np.concatenate([table, np.zeros(-len(table) % 8, np.int16)]) if len(table) % 8 else table
    deflaters = {
        "places": zlib.compressobj(6, zlib.DEFLATED, 15, 9),
        "low": zlib.compressobj(6, zlib.DEFLATED, 15, 9, zlib.Z_RLE),
        "high": zlib.compressobj(6, zlib.DEFLATED, 15, 9, zlib.Z_RLE),
    }
    written = {part: bytearray() for part in deflaters}
    for begin in range(0, len(table), 8 * _CHUNK):
        chunk = table[begin : begin + 8 * _CHUNK]
        stored = chunk[chunk != 0]
        folded = ((stored << 1) ^ (stored >> 15)).view(np.uint16)
        plain = {
            "places": np.packbits(chunk != 0),
            "low": (folded & 255).astype(np.uint8),
            "high": (folded >> 8).astype(np.uint8),
        }
        for part, deflater in deflaters.items():
            written[part] += deflater.compress(plain[part].tobytes())
    for part, deflater in deflaters.items():
        written[part] += deflater.flush()
    return {f"{name}.{part}": np.frombuffer(data, np.uint8) for part, data in written.items()}


def decode(file: TensorFile, name: str, count: int) -> npt.NDArray[np.int16]:
    """A table of `count` weights, int16; takes a few megabytes beside it.

    Raises:
        ModelError: when what the file holds is no table of so many weights; before memory is taken, where it has none.
    """
    places, low, high = (_Inflated(file, f"{name}.{part}") for part in ("places", "low", "high"))
    octets = np.full((-(-count // 8), 8), 0, np.int16)
    for begin in range(0, len(octets), _CHUNK):
        bits = places.take(min(_CHUNK, len(octets) - begin))
        used = np.flatnonzero(bits)
        stored = np.unpackbits(bits[used]).view(np.bool_)
        kept = int(np.count_nonzero(stored))
        folded = high.take(kept).astype(np.uint16) << 8
        folded |= low.take(kept)
        found = np.zeros(8 * len(used), np.int16)
        found[stored] = (folded >> 1).view(np.int16) ^ -(folded & 1).view(np.int16)
        octets[begin + used] = found.reshape(-1, 8)
    for stream in (places, low, high):
        stream.finish()
    return octets.reshape(-1)[:count]


class _Inflated:
    """One deflated array of a file, inflated as far as it is asked for and never further."""

    def __init__(self, file: TensorFile, name: str) -> None:
        declared = file.declared(name, "U8", (None,))
        self._file = file
        self._name = name
        self._at = declared.begin
        self._end = declared.begin + declared.shape[0]
        self._pending = b""
        self._inflater = zlib.decompressobj()

    def take(self, count: int) -> npt.NDArray[np.uint8]:
        """The next `count` bytes, exactly; raises ModelError."""
        found = bytearray()
        while len(found) < count:
            data = self._inflate(count - len(found))
            if not data and not self._pending and (self._at == self._end or self._inflater.eof):
                raise ModelError(self._file.path, f"its array {self._name!r} inflates to less than its table needs")
            found += data
        return np.frombuffer(found, np.uint8)

    def finish(self) -> None:
        """Make sure that nothing is left over; raises ModelError."""
        while not self._inflater.eof:
            spent = self._at == self._end and not self._pending
            if self._inflate(1):
                raise ModelError(self._file.path, f"its array {self._name!r} inflates to more than its table needs")
            if spent:
                raise ModelError(self._file.path, f"its array {self._name!r} is cut")
        if self._inflater.unused_data or self._at != self._end:
            raise ModelError(self._file.path, f"its array {self._name!r} is longer than what is deflated in it")

    def _inflate(self, most: int) -> bytes:
        """Up to `most` (at least 1) further bytes."""
        if not self._pending:
            count = min(_PIECE, self._end - self._at)
            self._pending = self._file.part(self._at, count)
            self._at += count
        try:
            data = self._inflater.decompress(self._pending, most)
        except zlib.error:
            raise ModelError(self._file.path, f"its array {self._name!r} is damaged") from None
        self._pending = self._inflater.unconsumed_tail
        return data
