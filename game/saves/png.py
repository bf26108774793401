"""Pictures as PNG files with a text inside, so that a picture of a level can be opened as the level again.

Only what the app writes itself is read: the text, never the pixels. The form is that of the PNG specification
(W3C, third edition): a signature, then chunks of length, type, data and checksum.
"""

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_TEXT = 1_000_000
"""Bytes of one text at most."""

_TRUE_COLOUR = 2
_LINES_AS_THEY_ARE = b"\x00"


def encode(width: int, height: int, rgb: bytes, texts: dict[str, str]) -> bytes:
    """A PNG file of `width` × `height` pixels of three bytes each, row by row, with ASCII texts by keyword.

    Raises:
        ValueError: the pixels are not as many as the size says, or a text is not ASCII.
    """
    if len(rgb) != width * height * 3:
        raise ValueError(f"{width} × {height} pixels are needed, not {len(rgb) // 3}")
    line = width * 3
    rows = b"".join(_LINES_AS_THEY_ARE + rgb[start : start + line] for start in range(0, len(rgb), line))
    chunks = [_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, _TRUE_COLOUR, 0, 0, 0))]
    chunks += [_chunk(b"tEXt", key.encode("ascii") + b"\0" + text.encode("ascii")) for key, text in texts.items()]
    chunks += [_chunk(b"IDAT", zlib.compress(rows, 6)), _chunk(b"IEND", b"")]
    return SIGNATURE + b"".join(chunks)


def text_of(data: bytes, keyword: str) -> str | None:
    """The text under `keyword` in a PNG file; None where there is none or the file is damaged before it."""
    at = len(SIGNATURE)
    wanted = keyword.encode("ascii") + b"\0"
    while data.startswith(SIGNATURE) and at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        check = data[at + 8 + length : at + 12 + length]
        if len(check) < 4 or int.from_bytes(check, "big") != zlib.crc32(kind + body):
            return None
        if kind == b"tEXt" and body.startswith(wanted) and length <= MAX_TEXT:
            return body[len(wanted) :].decode("latin-1")
        at += 12 + length
    return None


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
