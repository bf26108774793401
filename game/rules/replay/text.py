"""Replays in and out of files: one JSON document, whose head (everything but the steps) stands on the first line."""

import json
import math
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from game.rules.files import open_regular, read_regular
from game.rules.games import GAMES
from game.rules.reader import JSON, MAX_BYTES, MAX_TEXT, Reader, ReplayError
from game.rules.replay.recording import MAX_SEATS, VERSION, Replay, initial
from game.rules.replay.steps import MAX_STEPS, packed, unpacked

FORMAT = "trilogic replay"
_READABLE = (1, VERSION)
MAX_HEAD_BYTES = 65_536
MAX_FOREIGN_BYTES = 8_000_000
"""Of a file that was laid out by another hand: it has no first line that could be read alone."""
_STEPS_MARK = ',\n"steps":'
_PIECE = 1000
_HEAD_KEYS = frozenset(
    ("format", "version", "game", "title", "started", "seconds", "seed", "seats", "setup", "result")
)


def dumps(replay: Replay) -> str:
    """The file's text. Over-long texts are shortened and values that are no finite number left out."""
    head = {
        "format": FORMAT,
        "version": replay.version,
        "game": replay.game,
        "title": _clean(replay.title),
        "started": replay.started,
        "seconds": replay.seconds if math.isfinite(replay.seconds) else 0.0,
        "seed": replay.seed,
        "seats": [_clean(seat) for seat in replay.seats],
        "setup": {key: _clean(item) if key in ("title", "pack") else item for key, item in replay.setup.items()},
        "result": replay.result,
    }
    text = json.dumps(head, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # In pieces: one call of the encoder holds the interpreter lock, and the window draws meanwhile.
    pieces = (map(packed, replay.steps[at : at + _PIECE]) for at in range(0, len(replay.steps), _PIECE))
    steps = ",".join(json.dumps(list(piece), allow_nan=False, separators=(",", ":"))[1:-1] for piece in pieces)
    return f"{text[:-1]}{_STEPS_MARK}[{steps}]}}\n"


def _clean(text: JSON) -> str:
    return str(text).encode("utf-8", "replace").decode("utf-8")[:MAX_TEXT]


def loads(text: str | bytes, source: str) -> Replay:
    """The replay written in `text`, its first position built, its steps checked in form only (see `states`).

    Raises:
        ReplayError: and nothing else, whatever the text is.
    """
    reader = Reader(source)
    data = reader.data(text)
    mark = _STEPS_MARK.encode()
    place, end = data.find(mark, 0, MAX_HEAD_BYTES), data.rfind(b"}")
    if place >= 0:
        document = reader.document(data[:place] + b"}")
        if end < place or data[end + 1 :].strip():
            reader.fail("its end is missing")
        steps = data[place + len(mark) : end]
    elif len(data) > MAX_FOREIGN_BYTES:
        reader.fail("it is not a replay as this app writes them, and too large to be read otherwise")
    else:
        document = reader.document(data)
        steps = json.dumps(document.pop("steps", None)).encode()
    replay = _head(reader, document)
    return replace(replay, steps=tuple(unpacked(reader, steps, *_most(replay))))


def loads_head(text: str | bytes, source: str) -> Replay:
    """The replay without its steps, from (at least) the first line of its text. Cheap; for listings.

    Raises:
        ReplayError: and nothing else.
    """
    reader = Reader(source)
    if isinstance(text, bytes):
        text = text[:MAX_HEAD_BYTES].decode("utf-8", "replace")
    line, mark, _steps = text[:MAX_HEAD_BYTES].partition(_STEPS_MARK)
    if not mark:
        reader.fail("it is not a replay of this app")
    return _head(reader, reader.document(line + "}"))


def retitled(text: bytes, title: str, source: str) -> str:
    """A replay's text with another title; its steps are left as they are.

    Raises:
        ReplayError: when it is none.
    """
    head = replace(loads_head(text, source), title=title) if _STEPS_MARK.encode() in text[:MAX_HEAD_BYTES] else None
    if head is None:  # laid out by another hand
        return dumps(replace(loads(text, source), title=title))
    line = dumps(head).partition(_STEPS_MARK)[0]
    return line + _STEPS_MARK + text.decode("utf-8", "replace").partition(_STEPS_MARK)[2]


def read(path: Path, source: str = "") -> Replay:
    """The replay in a file; raises only ReplayError, also when the file cannot be opened."""
    source = source or str(path)
    try:
        data = read_regular(path, MAX_BYTES)
    except OSError as error:
        raise ReplayError(source, error.strerror or "it cannot be read") from None
    return loads(data, source)


def read_head(path: Path, source: str = "") -> Replay:
    """The replay in a file without its steps; raises only ReplayError."""
    source = source or str(path)
    try:
        with open_regular(path) as file:
            data = file.read(MAX_HEAD_BYTES)
    except OSError as error:
        raise ReplayError(source, error.strerror or "it cannot be read") from None
    if _STEPS_MARK.encode() in data:
        return loads_head(data, source)
    return replace(read(path, source), steps=())  # laid out by another hand


def _head(reader: Reader, document: dict[str, Any]) -> Replay:
    """Everything but the steps."""
    if document.get("format") != FORMAT:
        reader.fail("it is not a replay of this app")
    version = document.get("version")
    if version not in _READABLE or type(version) is not int:
        reader.fail(f"it is of version {str(version)[:20]}, this app reads versions {_READABLE[0]} to {VERSION}")
    reader.exactly(document, _HEAD_KEYS, "the replay")
    game = document["game"]
    if not isinstance(game, str) or game not in GAMES:
        reader.fail("it is of a game this app does not know")
    started = reader.text(document["started"], "started")
    try:
        datetime.fromisoformat(started)
    except ValueError:
        reader.fail("started is not an ISO time")
    seats = document["seats"]
    if not isinstance(seats, list) or not 1 <= len(seats) <= MAX_SEATS:
        reader.fail(f"seats is not a list of 1 to {MAX_SEATS} names")
    for key in ("setup", "result"):
        if not isinstance(document[key], dict):
            reader.fail(f"{key} is not an object")
    reader.plain(document["result"], "result")
    replay = Replay(
        game,
        document["setup"],
        (),
        tuple(reader.text(seat, "a seat") for seat in seats),
        reader.whole(document["seed"], "seed", -(2**63), 2**64 - 1),
        started,
        reader.number(document["seconds"], "seconds"),
        reader.text(document["title"], "title"),
        document["result"],
    )
    if replay.seconds < 0:
        reader.fail("seconds is negative")
    game = GAMES[replay.game]
    players = game.players(initial(replay, reader.source))
    if players > 1 and len(seats) != players:
        reader.fail(f"it has {len(seats)} seats for {players} players")
    return replay


def _most(replay: Replay) -> tuple[int, int]:
    """Steps that a game can have, and actions that can be weighed in one of them."""
    game, first = GAMES[replay.game], initial(replay)
    return game.longest(first) or MAX_STEPS, game.action_count(first)
