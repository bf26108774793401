"""Hostile files by seed, for `hostile.py` and the tests: what a person may be sent, and what may lie in a folder of saves.

`make(number, seed, path)` writes the file of that number: the same for the same seed. Most are made to ask for far more time
or memory than their size accounts for; the others are good files that were spoilt.
"""

import io
import json
import os
import random
import socket
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
MOST = 8_000_000
"""Bytes of a level file that the app reads at most."""
LEVEL = "#######\n#@ $ .#\n#######\n"
DEVICES = ("/dev/zero", "/dev/urandom", "/dev/full", "/dev/null")

Maker = Callable[[random.Random], bytes]


def size(chance: random.Random, most: int = MOST) -> int:
    """A size from 10 to `most`; every order of magnitude is as likely, the largest size more so."""
    return most if chance.random() < 0.2 else round(10 ** chance.uniform(1, np.log10(most)))


def fill(piece: str, chance: random.Random, most: int = MOST, around: int = 0) -> str:
    """A piece so often as there is room for."""
    return piece * max(1, (size(chance, most) - around) // max(1, len(piece)))


# Levels


def long_line(chance: random.Random) -> bytes:
    """One line of a few signs that mean something on a board, with or without a board around it."""
    head = chance.choice(
        ("", "#", "Title: ", "Comment: ", "Solution: ", "Author:", "; ", "Variant: ", "::", LEVEL + "Solution: ")
    )
    signs = "".join(
        chance.choice("#@$.*+ -_()|0123456789aAlurdLURD:[]{},\t\xa0") for _ in range(chance.randint(1, 4))
    )
    return (head + fill(signs, chance) + chance.choice(("", "#", "\n" + LEVEL))).encode("utf-8", "replace")[:MOST]


def brackets(chance: random.Random) -> bytes:
    """Brackets within brackets, on a board or in a solution."""
    deep = size(chance, MOST // 2)
    inside = chance.choice(("", "#", "l", "2l", "9#"))
    count = chance.choice(("", "1", "2", "9", "999999"))
    text = f"{count}(" * (deep // max(1, len(count) + 1)) + inside + ")" * chance.choice((deep, 0, deep // 2))
    return (chance.choice(("#", LEVEL + "Solution: ", "4#|#", "")) + text).encode()[:MOST]


def runs(chance: random.Random) -> bytes:
    """Many boards, or many solutions, that a few letters stand for."""
    boards = (
        "64#|#@$.60#|62(64#|)",
        "64#|#@$.60-#|62(#62-#|)64#",
        "64(64#|)",
        "3#|#@#|3#",
        "1#1#1#|",
        "999999#|",
        "9(9(9(9#)))|",
    )
    moves = ("l", "2l", "(l)", "100000l", "9(9(9(9(9l))))", "1l1r", "((((l))))")
    if chance.random() < 0.5:
        return fill(chance.choice(boards) + "\n\n", chance).encode()
    return fill(LEVEL + "Solution: " + fill(chance.choice(moves), chance, 300_000) + "\n\n", chance).encode()[:MOST]


def many_lines(chance: random.Random) -> bytes:
    """Millions of short lines."""
    line = chance.choice(
        (
            "",
            "#",
            "###",
            "a",
            "Title: x",
            "Comment:",
            "Comment-End:",
            "Solution",
            "solution:",
            "; x",
            "::",
            "l",
            "@",
            " ",
        )
    )
    end = chance.choice(("\n", "\r\n", "\r"))
    return (fill(line + end, chance) + chance.choice(("", LEVEL))).encode()


def many_levels(chance: random.Random) -> bytes:
    """As many good or nearly good levels as fit."""
    side = chance.choice((3, 5, 8, 20, 64))
    kind = chance.random()
    middle = "#" + "".join(chance.choice(" #" if kind < 0.5 else " ") for _ in range(side)) + "#"
    rows = ["#" * (side + 2), "#@$." + "#" * (side - 2), *[middle] * max(0, side - 2), "#" * (side + 2)]
    said = chance.choice(("", "Title: a\n", "Comment:\nx\nComment-End:\n", "Solution: r\n", "Variant: fixed\n"))
    return fill("\n".join(rows) + "\n" + said + "\n", chance).encode()


def slc(chance: random.Random) -> bytes:
    """XML with many, deep or long elements."""
    one = '<Level Id="a"><L>#####</L><L>#@$.#</L><L>#####</L></Level>'
    inside = chance.choice(
        (
            lambda: "<Level>" + fill("<L/>", chance, around=200) + "</Level>",
            lambda: (
                "<Level><L>#"
                + fill(chance.choice(("(", "#", "&amp;", "\n", "9(")), chance, around=200)
                + "</L></Level>"
            ),
            lambda: fill("<Level/>", chance, around=200),
            lambda: fill(one, chance, around=200),
            lambda: fill("<a>", chance, around=200),
            lambda: f'<Level Id="{fill("x", chance, around=200)}"><L>###</L></Level>',
            lambda: "<Level " + " ".join(f'a{number}="1"' for number in range(size(chance, 200_000))) + "/>",
            lambda: fill("<!-- x -->", chance, around=200) + one,
            lambda: "<Title>" + fill("x\n", chance, around=200) + "</Title>" + one,
        )
    )()
    head = chance.choice(
        ("", "<!DOCTYPE a SYSTEM 'b'>", '<!DOCTYPE a [<!ENTITY x "' + "y" * 999 + '"><!ENTITY z "&x;&x;&x;">]>')
    )
    encoding = chance.choice(("", ' encoding="ISO-8859-1"', ' encoding="x"', ' encoding="utf-16"'))
    body = f"<SokobanLevels><LevelCollection>{inside}</LevelCollection></SokobanLevels>"
    return f'<?xml version="1.0"{encoding}?>{head}{body}'.encode()


def table(chance: random.Random) -> bytes:
    """Tables of numbers that never end, or are too deep, too wide, too many."""
    piece = chance.choice(
        (
            "[",
            "[[",
            "[[1,1],",
            "[[1,1],[1,1]]\n",
            "[[ ",
            "1,",
            "[[9999999999,",
            "[ \n",
            "# comment: x\n",
            "[[1,\n1],[1,\n1]]",
        )
    )
    return (chance.choice(("[[", "", "np.array([[1,")) + fill(piece, chance)).encode()[:MOST]


def npy(chance: random.Random) -> bytes:
    """A NumPy file that says more than it holds."""
    file = io.BytesIO()
    np.save(file, np.zeros((3, 3), dtype=np.int8))
    shape = chance.choice(
        (
            "(999999, 64, 64)",
            "(9999999999, 1)",
            "(0, 0)",
            "(64, 64)",
            "(10000, 64, 64)",
            "()",
            "(-1, 3)",
            "(3, 3, 3, 3)",
        )
    )
    kind = chance.choice(("'|i1'", "'<i8'", "'|O'", "'<U999999999'", "[('a', '<i8')]"))
    head = f"{{'descr': {kind}, 'fortran_order': False, 'shape': {shape}, }}" + " " * chance.choice((1, 10, 60_000))
    length = chance.choice((len(head), 0, 65_535))
    made = b"\x93NUMPY\x01\x00" + struct.pack("<H", min(length, 65_535)) + head.encode() + bytes(size(chance))
    return chance.choice((made, file.getvalue()[: chance.randint(0, 200)], made[:MOST]))


def chunk(kind: bytes, data: bytes, length: int | None = None, good: bool = True) -> bytes:
    """One chunk of a PNG file."""
    check = zlib.crc32(kind + data) if good else 0
    return struct.pack(">I", len(data) if length is None else length) + kind + data + struct.pack(">I", check)


def png(chance: random.Random) -> bytes:
    """A picture with hosts of chunks, huge lengths, or a level that is none."""
    head = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2**31 - 1, 2**31 - 1, 16, 6, 0, 0, 0))
    inside = json_bomb(chance)[: chance.choice((900_000, 2_000_000))]
    rest = chance.choice(
        (
            lambda: chunk(b"tEXt", b"", good=chance.random() < 0.9) * (size(chance) // 12),
            lambda: chunk(b"tEXt", b"trilogic-level\0" + inside),
            lambda: chunk(b"tEXt", b"x", 2**31 - 1),
            lambda: chunk(b"zTXt", b"trilogic-level\0\0" + zlib.compress(bytes(MOST))),
            lambda: chunk(b"IDAT", zlib.compress(bytes(MOST))),
        )
    )()
    return (head + rest)[:MOST]


# JSON


def json_bomb(chance: random.Random, most: int = MOST) -> bytes:
    """JSON that is deep, wide, long or cut off."""
    inside = chance.choice(
        (
            lambda: fill(chance.choice(("[", '{"a":', "[[],", '{"a":[')), chance, most),
            lambda: "[" + fill("0,", chance, most) + "0]",
            lambda: "[" + fill("{},", chance, most) + "{}]",
            lambda: "[" + fill('"",', chance, most) + '""]',
            lambda: '"' + fill(chance.choice(("x", "\\u0000", "é", "\\\\")), chance, most) + '"',
            lambda: fill("9", chance, most),
            lambda: "1e" + fill("9", chance, 100_000),
            lambda: "{" + ",".join(f'"{number}":0' for number in range(size(chance, 300_000))) + "}",
            lambda: "[" + fill("[0,0],", chance, most) + "[0,0]]",
            lambda: chance.choice(
                ("NaN", "null", "-0", "true", "", "Infinity", '"\ud800"'.encode("utf-8", "replace").decode())
            ),
        )
    )()
    return inside.encode()


def in_json(chance: random.Random, good: bytes, most: int) -> bytes:
    """A good document one part of which is a bomb, or which is cut off."""
    bomb = json_bomb(chance, most).decode("utf-8", "replace")
    try:
        document = json.loads(good)
        part = document
        while isinstance(part, dict | list) and part:
            keys = list(part) if isinstance(part, dict) else range(len(part))
            key = chance.choice(list(keys))
            if chance.random() < 0.5 or not isinstance(part[key], dict | list):
                part[key] = "HERE"
                break
            part = part[key]
        made = json.dumps(document).replace('"HERE"', bomb)
    except ValueError:
        made = bomb
    cut = len(made) if chance.random() < 0.7 else chance.randint(0, len(made))
    return made[:cut].encode("utf-8", "replace")


# Other files


def replay(chance: random.Random) -> bytes:
    """A replay with a host of steps, a set-up that is too large, or one that is spoilt."""
    games = sorted((ROOT / "saves" / "replays" / "examples").glob("*.json"))
    good = chance.choice(games).read_bytes() if games else b"{}"
    kind = chance.random()
    if kind < 0.35:
        head, mark, _steps = good.partition(b'"steps":')
        piece = chance.choice(
            ("[],", "[0],", "{},", "0,", "[[[", "[0,0,0,0],", '"",', "null,", "[1e999],", "[0,[0,0,0]],")
        )
        return head + mark + b"[" + fill(piece, chance, 60_000_000).encode() + chance.choice((b"[0]]}", b""))
    return spoilt(chance, good) if kind < 0.6 else in_json(chance, good, 20_000_000)


def tensors(chance: random.Random) -> bytes:
    """A model whose header promises what is not there."""
    shape = chance.choice(([2**62, 2], [-1], [0] * 9999, [2**31, 2**31], [1] * 5, ["x"], [1e9], [10**30], []))
    end = chance.choice((0, 8, 2**63, -1, 10**40))
    names = {f"a{number}": {"dtype": chance.choice(("F32", "I8", "O", "")), "shape": shape, "data_offsets": [0, end]}
             for number in range(chance.choice((1, 1, 300, 3000)))}  # fmt: skip
    metadata = {"game": chance.choice(("twenty48", "sokoban", "connect4")), "agent": "ntuple", "format": "trilogic"}
    head = chance.choice(
        (
            lambda: json.dumps({"__metadata__": metadata, **names}).encode(),
            lambda: json_bomb(chance, 256_000),
            lambda: in_json(chance, json.dumps({"__metadata__": metadata, **names}).encode(), 200_000),
        )
    )()
    length = chance.choice((len(head), len(head), 2**63, 0, 256_000))
    return struct.pack("<Q", length) + head + bytes(size(chance, 100_000))


def spoilt(chance: random.Random, good: bytes) -> bytes:
    """A good file with pieces changed, cut out, doubled or swapped for noise."""
    data = bytearray(good)
    for _ in range(chance.randint(1, 5)):
        at, span = chance.randrange(len(data) + 1), chance.randint(1, max(1, len(data) // 4))
        kind = chance.randrange(5)
        if kind == 0:
            del data[at : at + span]
        elif kind == 1:
            data[at:at] = data[at : at + span] * chance.choice((1, 1, 50))
        elif kind == 2:
            data[at : at + 3] = chance.choice(
                (b"-1", b"9" * 99, b"1e999", b"NaN", b"null", b"\x00\xff", b'"', b"[[", b"{")
            )
        elif kind == 3:
            data[at : at + 8] = chance.randbytes(8)
        else:
            del data[at:]
    return bytes(data[:MOST])


def spoilt_levels(chance: random.Random) -> bytes:
    """A shipped pack, spoilt; now and then in another encoding."""
    text = chance.choice(sorted((ROOT / "levels").glob("*.xsb"))).read_text("utf-8")
    return spoilt(chance, text.encode(chance.choice(("utf-8", "utf-8", "utf-16", "latin-1")), "replace"))


def level_json(chance: random.Random) -> bytes:
    """The app's own form of a level, spoilt."""
    good = {
        "format": "trilogic level",
        "version": 1,
        "title": "a",
        "board": [[1, 1, 1, 1, 1], [1, 4, 2, 3, 1], [1, 1, 1, 1, 1]],
    }
    return in_json(chance, json.dumps(good).encode(), MOST)


LEVELS: tuple[Maker, ...] = (
    long_line, brackets, runs, many_lines, many_levels, slc, table, npy, png, spoilt_levels, level_json,
    lambda chance: chance.randbytes(size(chance)), json_bomb,
)  # fmt: skip
"""Makers of level files."""

STEP = {"what": "new map", "rows": 3, "cells": "111141111"}
SAVES: dict[str, object] = {
    "settings.json": {
        "version": 1,
        "theme": "dark",
        "ui_scale": 1.0,
        "seats": {"sokoban": ["person"]},
        "remembered": {"a": 1},
    },
    "progress.json": {"version": 1, "levels": {"a" * 16: {}}, "last": {"a": "b"}, "scores": {}, "tallies": {}},
    "resume/sokoban.json": {"version": 1, "format": "trilogic session", "cursor": 0, "replay": {"game": "sokoban"}},
    "resume/2048.json": {"version": 1, "cursor": 0, "replay": {"game": "twenty48", "steps": [[0, 1, 1]]}},
    "resume/connect4.json": {"version": 1, "cursor": 0},
    "resume/editor.json": {"version": 1, "cursor": 0, "steps": [STEP, {"what": "paint", "changes": [[4, 2]]}]},
    "levels/order.json": {"version": 1, "packs": [{"stem": "mine"}, {"stem": "b", "empty": "B"}]},
    "levels/unfinished.json": {"version": 1, "drawings": [{"id": "a", "rows": 3, "cells": "111141111"}]},
    "examples.json": {"version": 1, "names": ["a.json"]},
    "replays/one.json": {},
    "replays/auto/one.json": {},
    "levels/mine.xsb": {},
    "models/one.safetensors": {},
    "models/one.checkpoint.safetensors": {},
    "log/trilogic.log": {},
}
"""Files of a folder of saves, each with a document like those it holds."""


def special(chance: random.Random, path: Path) -> str:
    """Something at `path` that is no plain file; says what."""
    kind = chance.choice(("pipe", "device", "folder", "loop", "socket", "dangling", "sparse"))
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to(chance.choice(DEVICES))
    elif kind == "folder":
        path.mkdir()
    elif kind == "loop":
        path.symlink_to(path.name)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(str(path))
    elif kind == "dangling":
        path.symlink_to("/nowhere/at/all")
    else:
        with path.open("wb") as file:
            file.truncate(10**11)
    return kind


def make(number: int, seed: int, folder: Path) -> tuple[str, str, Path]:
    """Write the file of that number into an empty folder.

    Returns:
        (kind, what it is, its path); the kind is 'level', 'replay', 'model' or 'saves', and in a folder of saves the file
        lies at its place.
    """
    chance = random.Random(f"{seed} {number}")
    kind = chance.choices(("level", "replay", "model", "saves"), (50, 15, 10, 25))[0]
    place = {"level": f"file{chance.choice(('.xsb', '.sok', '.txt', '.slc', '.npy', '.json', '.png', '.py'))}",
             "replay": "file.json", "model": "file.safetensors", "saves": chance.choice(list(SAVES))}[kind]  # fmt: skip
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    if chance.random() < (0.3 if kind == "saves" else 0.08):
        return kind, special(chance, path), path
    if kind == "level" or path.suffix == ".xsb":
        maker: Maker = chance.choice(LEVELS)
    elif kind == "replay" or place.startswith("replays"):
        maker = replay
    elif kind == "model" or path.suffix == ".safetensors":
        maker = tensors
    else:
        good = json.dumps(SAVES[place]).encode()

        def maker(chance: random.Random) -> bytes:
            return in_json(chance, good, 20_000_000) if chance.random() < 0.7 else json_bomb(chance, 60_000_000)

    path.write_bytes(maker(chance))
    return kind, getattr(maker, "__name__", "?"), path
