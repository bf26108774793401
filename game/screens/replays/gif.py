"""Animated GIFs written frame by frame, so that a video of any length needs the memory of two frames.

Pillow compresses each frame; what differs from the frame before is all that is stored, and a frame equal to the one
before only makes that one last longer. One palette serves the whole video. The form is CompuServe's GIF89a.
"""

import struct
from collections.abc import Sequence
from io import BytesIO
from math import ceil
from typing import BinaryIO

import numpy as np
from PIL import Image

COLOURS = 255
"""Colours of the palette; the last of the 256 is kept for 'as before'."""
CLEAR = 255
LONGEST = 65_535
"""The longest a frame can last, in hundredths of a second."""


def palette_of(samples: Sequence[np.ndarray]) -> Image.Image:
    """The palette that suits some frames (each height × width × 3, uint8), as an image."""
    sheet = np.concatenate([sample.reshape(-1, 3) for sample in samples])
    side = ceil(len(sheet) ** 0.5)
    square = np.resize(sheet, (side, side, 3))  # begins again at the start where it is not full: no pixel is left out
    return Image.fromarray(square).quantize(COLOURS, dither=Image.Dither.NONE)


class GifWriter:
    """Writes one video into an open file. Call `add` for each frame and `close` once."""

    def __init__(self, file: BinaryIO, size: tuple[int, int], palette: Image.Image) -> None:
        """`size` is width and height in pixels; the video is shown again and again."""
        self._file, self._palette = file, palette
        colours = bytes(palette.getpalette() or [])[: 3 * COLOURS].ljust(3 * 256, b"\0")
        self._colours = list(colours)
        self._shown: np.ndarray | None = None
        self._waiting: bytes | None = None
        self._lasts = 0
        file.write(b"GIF89a" + struct.pack("<HHBBB", *size, 0xF7, 0, 0) + colours)
        file.write(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")

    def add(self, frame: np.ndarray, hundredths: int) -> None:
        """A frame (height × width × 3, uint8) that lasts so many hundredths of a second."""
        image = Image.fromarray(frame).quantize(palette=self._palette, dither=Image.Dither.NONE)
        indices = np.asarray(image)
        if self._shown is None:
            box, part = (0, 0), indices
        else:
            changed = indices != self._shown
            if not changed.any() and self._lasts + hundredths <= LONGEST:
                self._lasts += hundredths
                return
            rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
            top, bottom = (int(rows[0]), int(rows[-1]) + 1) if len(rows) else (0, 1)
            left, right = (int(columns[0]), int(columns[-1]) + 1) if len(columns) else (0, 1)
            box = (left, top)
            part = np.where(changed[top:bottom, left:right], indices[top:bottom, left:right], CLEAR)
        self._flush()
        self._waiting, self._lasts = self._block(part.astype(np.uint8), box), hundredths
        self._shown = indices

    def close(self) -> None:
        """Write the last frame and the end."""
        self._flush()
        self._file.write(b"\x3b")

    def _flush(self) -> None:
        if self._waiting is not None:
            self._file.write(b"\x21\xf9\x04" + struct.pack("<BHBB", 0b0000_0101, self._lasts, CLEAR, 0))
            self._file.write(self._waiting)
        self._waiting = None

    def _block(self, part: np.ndarray, box: tuple[int, int]) -> bytes:
        """The image block of a part of a frame (height × width, palette indices) at `box` (left, top)."""
        image = Image.fromarray(part)
        image.putpalette(self._colours)
        stream = BytesIO()
        image.save(stream, "GIF", optimize=False, interlace=False)
        height, width = part.shape
        descriptor = b"\x2c" + struct.pack("<HHHHB", *box, width, height, 0)
        return descriptor + _compressed(stream.getvalue())


def _compressed(data: bytes) -> bytes:
    """The compressed pixels of the only picture in a GIF file, with their sub-blocks and the ending 0."""
    at = 13 + (3 * 2 ** ((data[10] & 7) + 1) if data[10] & 0x80 else 0)
    while data[at] == 0x21:
        at = _after_blocks(data, at + 2)
    flags = data[at + 9]
    start = at + 10 + (3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0)
    return data[start : _after_blocks(data, start + 1)]


def _after_blocks(data: bytes, at: int) -> int:
    """The place after the sub-blocks that start at `at`."""
    while data[at]:
        at += data[at] + 1
    return at + 1
