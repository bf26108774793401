"""The record of one game: its set-up, then every action and every random outcome, as versioned JSON.

A replay never depends on a generator: a spawned 2048 tile is part of its step. The file is one JSON document whose
head (everything but the steps) stands on the first line, so that a library of replays can be listed without
rebuilding a game. What is read is checked by hand, field by field: the only error is `ReplayError`.
"""

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from game.rules import connect4, sokoban, twenty48

JSON = dict[str, "JSON"] | list["JSON"] | str | int | float | bool | None
State = sokoban.State | twenty48.State | connect4.State

FORMAT = "trilogic replay"
VERSION = 1
GAMES = ("sokoban", "twenty48", "connect4")
MAX_STEPS = 1_000_000
MAX_BYTES = 64_000_000
MAX_HEAD_BYTES = 65_536
MAX_TEXT = 500
"""Characters in a title, a seat or one text of the result."""
MAX_SEATS = 6

_XSB = " #$.@*+"
"""Characters of the board by its integers: empty, wall, box, target, player, box on target, player on target."""
_MAX_SIDE = 64
_STEPS_MARK = ',\n"steps":'
_HEAD_KEYS = frozenset(
    ("format", "version", "game", "title", "started", "seconds", "seed", "seats", "setup", "result")
)


class ReplayError(ValueError):
    """A replay that cannot be read or played; the text is 'source: reason'."""

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"{source}: {reason}")
        self.source = source
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Step:
    """One action and what chance answered."""

    action: int
    cell: int | None = None
    """Cell of the tile spawned after the action, in 2048 only."""
    exponent: int | None = None
    """Its exponent: 1 (a two) or 2 (a four)."""
    value: float | None = None
    """The agent's own value of what it played, where it had one."""


@dataclass(frozen=True, slots=True)
class Replay:
    """One game. `setup` and `result` hold plain JSON and are never changed after the replay is made."""

    game: str
    setup: dict[str, JSON]
    """sokoban: board (XSB text), optional title, pack, number. twenty48: size, start, seed, optional score, spawns.
    connect4: rows, cols, depth, win, players, optional position (the moves already played)."""
    steps: tuple[Step, ...]
    seats: tuple[str, ...]
    """Who sat where: 'person' or the text of an agent's spec. One seat for Sokoban and 2048."""
    seed: int
    started: str
    """ISO 8601 time."""
    seconds: float
    title: str = ""
    result: dict[str, JSON] = field(default_factory=dict)
    """What `result_of` says; it may be empty for a game that is not over."""
    version: int = VERSION


# --- states ---------------------------------------------------------------------------------------------------


def game_of(state: State) -> str:
    """The id of the game a state belongs to."""
    if isinstance(state, sokoban.State):
        return "sokoban"
    return "twenty48" if isinstance(state, twenty48.State) else "connect4"


def setup_of(state: State) -> dict[str, JSON]:
    """The set-up that makes `state` the first position of a replay."""
    if isinstance(state, sokoban.State):
        return {"board": "\n".join("".join(_XSB[value] for value in row) for row in sokoban.to_array(state))}
    if isinstance(state, twenty48.State):
        start = twenty48.format_position(state)
        return {
            "size": state.size,
            "start": start,
            "seed": state.seed,
            "score": state.score,
            "spawns": state.spawns,
        }
    shape = state.shape
    setup: dict[str, JSON] = {
        "rows": shape.rows,
        "cols": shape.cols,
        "depth": shape.depth,
        "win": shape.win,
        "players": shape.players,
    }
    if state.moves:
        setup["position"] = connect4.format_moves(state)
    return setup


def initial(replay: Replay, source: str = "replay") -> State:
    """The first position; raises ReplayError when the set-up makes none."""
    reader = _Reader(source)
    try:
        return _STARTS[replay.game](reader, replay.setup)
    except ReplayError:
        raise
    except (ValueError, OverflowError) as error:
        reader.fail(f"the set-up is no position: {error}")


def play(replay: Replay, source: str = "replay") -> Iterator[State]:
    """Every position from the first to the last, each step checked against the rules.

    Raises:
        ReplayError: naming the step (from 1) that cannot be played.
    """
    state = initial(replay, source)
    yield state
    for number, step in enumerate(replay.steps, 1):
        try:
            state = after(state, step)
        except ValueError as error:
            raise ReplayError(source, f"step {number}: {error}") from None
        yield state


def states(replay: Replay, source: str = "replay") -> list[State]:
    """The positions of `play`, one more than there are steps."""
    return list(play(replay, source))


def after(state: State, step: Step) -> State:
    """The position after one step; raises ValueError when the rules do not allow it."""
    if isinstance(state, twenty48.State):
        slide = twenty48.slide(state, step.action) if 0 <= step.action < 4 else None
        if slide is None:
            raise ValueError(f"action {step.action} moves nothing")
        if step.cell is None or step.exponent is None:
            raise ValueError("the tile that was spawned is missing")
        if not 0 <= step.cell < len(slide.cells) or slide.cells[step.cell]:
            raise ValueError(f"a tile cannot be spawned in cell {step.cell}")
        if step.exponent not in (1, 2):
            raise ValueError(f"a tile of exponent {step.exponent} is never spawned")
        return twenty48.place(state, slide, step.cell, step.exponent)
    if step.cell is not None or step.exponent is not None:
        raise ValueError("a spawned tile belongs to 2048 only")
    if isinstance(state, sokoban.State):
        if not 0 <= step.action < 4:
            raise ValueError(f"there is no direction {step.action}")
        return sokoban.apply(state, step.action)
    return connect4.apply(state, step.action)


def spawned(before: twenty48.State, action: int, reached: twenty48.State, value: float | None = None) -> Step:
    """The step that led from one 2048 position to the next, with the tile that was spawned.

    Raises:
        ValueError: when `reached` is not `before` slid by `action` with one tile more.
    """
    slide = twenty48.slide(before, action)
    if slide is not None and len(slide.cells) == len(reached.cells):
        new = [cell for cell, exponent in enumerate(reached.cells) if slide.cells[cell] != exponent]
        if len(new) == 1 and slide.cells[new[0]] == 0:
            return Step(action, new[0], reached.cells[new[0]], value)
    raise ValueError(f"action {action} does not lead from one position to the other")


# --- making ---------------------------------------------------------------------------------------------------


def result_of(replay: Replay, source: str = "replay") -> dict[str, JSON]:
    """How the game stands at the end of the replay, from the steps alone.

    Always `outcome` ('won', 'over', 'draw' or 'open') and `moves`; Sokoban adds `pushes`, 2048 `score` and
    `max_tile` (the number on the tile), connect-4 `winner` (seat from 0, or None).
    """
    pushes = 0
    last: State | None = None
    for step, state in zip((None, *replay.steps), play(replay, source), strict=True):
        if step is not None and isinstance(last, sokoban.State) and sokoban.is_push(last, step.action):
            pushes += 1
        last = state
    assert last is not None
    result: dict[str, JSON] = {"outcome": "open", "moves": len(replay.steps)}
    if isinstance(last, sokoban.State):
        reached = sokoban.outcome(last)
        result["pushes"] = pushes
    elif isinstance(last, twenty48.State):
        reached = twenty48.outcome(last)
        result["score"] = last.score
        result["max_tile"] = 1 << max(last.cells) if any(last.cells) else 0
    else:
        reached = connect4.outcome(last)
        result["winner"] = last.winner
    if reached is not None:
        result["outcome"] = reached.kind
    return result


def record(
    first: State,
    steps: Iterable[Step],
    *,
    seats: Iterable[str] = ("person",),
    seed: int = 0,
    started: str = "",
    seconds: float = 0.0,
    title: str = "",
    setup: dict[str, JSON] | None = None,
) -> Replay:
    """A replay of `steps` from `first`, with its result worked out.

    Args:
        first: the position before the first step.
        steps: what was played; undone moves are already cut.
        seats: who sat where.
        seed: the seed of the game.
        started: ISO time; now, when empty.
        seconds: time played.
        title: the name people see.
        setup: what the set-up keeps besides the position (Sokoban: title, pack, number).

    Raises:
        ReplayError: when a step cannot be played.
    """
    made = Replay(
        game_of(first),
        {**(setup or {}), **setup_of(first)},
        tuple(steps),
        tuple(seats),
        seed,
        started or datetime.now().astimezone().isoformat(timespec="seconds"),
        seconds,
        title,
    )
    return replace(made, result=result_of(made))


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
    steps = json.dumps([_packed(step) for step in replay.steps], allow_nan=False, separators=(",", ":"))
    return f"{text[:-1]}{_STEPS_MARK}{steps}}}\n"


def _packed(step: Step) -> JSON:
    action = int(step.action)  # kernels answer with numpy's integers
    if step.value is not None and math.isfinite(step.value):
        return [action, step.cell, step.exponent, float(step.value)]
    if step.cell is not None or step.exponent is not None:
        return [action, step.cell, step.exponent]
    return action


def _clean(text: JSON) -> str:
    return str(text).encode("utf-8", "replace").decode("utf-8")[:MAX_TEXT]


# --- reading --------------------------------------------------------------------------------------------------


def loads(text: str | bytes, source: str) -> Replay:
    """The replay written in `text`, its first position built, its steps checked in form only (see `states`).

    Raises:
        ReplayError: and nothing else, whatever the text is.
    """
    reader = _Reader(source)
    document = reader.document(text)
    steps = document.pop("steps", None)
    replay = reader.head(document)
    return replace(replay, steps=reader.steps(steps))


def loads_head(text: str | bytes, source: str) -> Replay:
    """The replay without its steps, from (at least) the first line of its text. Cheap; for listings.

    Raises:
        ReplayError: and nothing else.
    """
    reader = _Reader(source)
    if isinstance(text, bytes):
        text = text[:MAX_HEAD_BYTES].decode("utf-8", "replace")
    line, mark, _steps = text[:MAX_HEAD_BYTES].partition(_STEPS_MARK)
    if not mark:
        reader.fail("it is not a replay of this app")
    return reader.head(reader.document(line + "}"))


def read(path: Path, source: str = "") -> Replay:
    """The replay in a file; raises only ReplayError, also when the file cannot be opened."""
    source = source or str(path)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ReplayError(source, error.strerror or "it cannot be read") from None
    return loads(data, source)


class _Reader:
    """Checks one document; every complaint names its source."""

    def __init__(self, source: str) -> None:
        self.source = source

    def fail(self, reason: str) -> NoReturn:
        raise ReplayError(self.source, reason)

    def document(self, text: str | bytes) -> dict[str, Any]:
        """The JSON object in `text`; plain dictionaries and lists without NaN or infinities."""
        if len(text) > MAX_BYTES:
            self.fail(f"it is larger than {MAX_BYTES // 1_000_000} MB")
        try:
            if isinstance(text, bytes):
                text = text.decode("utf-8")
            document = json.loads(text, parse_constant=self._no_constant, object_pairs_hook=self._object)
        except UnicodeDecodeError:
            self.fail("it is not a text file")
        except json.JSONDecodeError as error:
            self.fail(f"it is not JSON (line {error.lineno}: {error.msg})")
        except RecursionError:
            self.fail("it is nested too deeply")
        except ReplayError:
            raise
        except ValueError:  # an integer of thousands of digits
            self.fail("it holds a number that is too long")
        if not isinstance(document, dict):
            self.fail("it is not a replay of this app")
        return document

    def _no_constant(self, name: str) -> NoReturn:
        self.fail(f"{name} is not a number")

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            self.fail("a name stands twice in one object")
        return made

    def head(self, document: dict[str, Any]) -> Replay:
        """Everything but the steps."""
        if document.get("format") != FORMAT:
            self.fail("it is not a replay of this app")
        version = document.get("version")
        if version != VERSION or type(version) is not int:
            self.fail(f"it is of version {str(version)[:20]}, this app reads version {VERSION}")
        self._exactly(document, _HEAD_KEYS, "the replay")
        game = document["game"]
        if game not in GAMES:
            self.fail("it is of a game this app does not know")
        started = self.text(document["started"], "started")
        try:
            datetime.fromisoformat(started)
        except ValueError:
            self.fail("started is not an ISO time")
        seats = document["seats"]
        if not isinstance(seats, list) or not 1 <= len(seats) <= MAX_SEATS:
            self.fail(f"seats is not a list of 1 to {MAX_SEATS} names")
        for key in ("setup", "result"):
            if not isinstance(document[key], dict):
                self.fail(f"{key} is not an object")
        self._plain(document["result"], "result")
        replay = Replay(
            game,
            document["setup"],
            (),
            tuple(self.text(seat, "a seat") for seat in seats),
            self.whole(document["seed"], "seed", -(2**63), 2**64 - 1),
            started,
            self.number(document["seconds"], "seconds"),
            self.text(document["title"], "title"),
            document["result"],
        )
        if replay.seconds < 0:
            self.fail("seconds is negative")
        first = initial(replay, self.source)
        if isinstance(first, connect4.State) and len(seats) != first.shape.players:
            self.fail(f"it has {len(seats)} seats for {first.shape.players} players")
        return replay

    def steps(self, packed: Any) -> tuple[Step, ...]:
        """The steps from their packed form: an action, or [action, cell, exponent, value]."""
        if not isinstance(packed, list):
            self.fail("steps is not a list")
        if len(packed) > MAX_STEPS:
            self.fail(f"it has more than {MAX_STEPS} steps")
        return tuple(self._step(item, number) for number, item in enumerate(packed, 1))

    def _step(self, item: Any, number: int) -> Step:
        if type(item) is int:
            return Step(self.whole(item, f"step {number}", 0, 4096))
        if not isinstance(item, list) or len(item) not in (3, 4):
            self.fail(f"step {number} is neither an action nor a list of three or four")
        action, cell, exponent = item[:3]
        value = item[3] if len(item) == 4 else None
        name = f"step {number}"
        return Step(
            self.whole(action, name, 0, 4096),
            None if cell is None else self.whole(cell, name, 0, 4096),
            None if exponent is None else self.whole(exponent, name, 0, 64),
            None if value is None else self.number(value, name),
        )

    def whole(self, value: Any, name: str, low: int, high: int) -> int:
        """A whole number from `low` to `high`, not a bool."""
        if type(value) is not int or not low <= value <= high:
            self.fail(f"{name}: expected a whole number from {low} to {high}")
        return value

    def number(self, value: Any, name: str) -> float:
        """A finite number."""
        if type(value) not in (int, float) or not abs(value) < 1e300:
            self.fail(f"{name}: expected a number")
        return float(value)

    def text(self, value: Any, name: str, limit: int = MAX_TEXT) -> str:
        """A text of at most `limit` characters that can be written again."""
        if not isinstance(value, str) or len(value) > limit:
            self.fail(f"{name}: expected a text of at most {limit} characters")
        if any("\ud800" <= character <= "\udfff" for character in value):
            self.fail(f"{name}: half a character")
        return value

    def _exactly(self, found: dict[str, Any], wanted: frozenset[str], name: str) -> None:
        for key in wanted - found.keys():
            self.fail(f"{name} has no {key}")
        for key in found.keys() - wanted:
            self.fail(f"{name} has a field {key[:40]!a} that this app does not know")

    def _plain(self, value: Any, name: str, depth: int = 0) -> None:
        """Refuse what could not be written again, and anything large."""
        if isinstance(value, str):
            self.text(value, name)
        elif isinstance(value, int | float):
            self.number(value, name)
        elif isinstance(value, dict | list):
            if depth == 3 or len(value) > 100:
                self.fail(f"{name} is too large")
            for key in value if isinstance(value, dict) else ():
                self.text(key, name)
            for item in value.values() if isinstance(value, dict) else value:
                self._plain(item, name, depth + 1)

    def fields(self, setup: dict[str, Any], needed: tuple[str, ...], optional: tuple[str, ...]) -> None:
        """Check which fields a set-up has."""
        self._exactly({**dict.fromkeys(optional), **setup}, frozenset(needed + optional), "the set-up")


def _start_sokoban(reader: _Reader, setup: dict[str, Any]) -> State:
    reader.fields(setup, ("board",), ("title", "pack", "number"))
    for key in ("title", "pack"):
        reader.text(setup.get(key, ""), key)
    reader.whole(setup.get("number", 0), "number", 0, 1_000_000)
    rows = reader.text(setup["board"], "board", (_MAX_SIDE + 1) * _MAX_SIDE).split("\n")
    cols = max(map(len, rows))
    if len(rows) > _MAX_SIDE or cols > _MAX_SIDE or not set("".join(rows)) <= set(_XSB):
        reader.fail(f"the board is not XSB text of at most {_MAX_SIDE}×{_MAX_SIDE} squares")
    return sokoban.from_array(np.array([[_XSB.index(c) for c in row.ljust(cols)] for row in rows], dtype=np.int8))


def _start_twenty48(reader: _Reader, setup: dict[str, Any]) -> State:
    reader.fields(setup, ("size", "start", "seed"), ("score", "spawns"))
    seed = reader.whole(setup["seed"], "seed", -(2**63), 2**64 - 1)
    state = twenty48.parse_position(reader.text(setup["start"], "start", 2000), seed)
    if reader.whole(setup["size"], "size", 3, 8) != state.size:
        reader.fail(f"the start is of size {state.size}, the set-up says {setup['size']}")
    score = reader.whole(setup.get("score", 0), "score", 0, 2**62)
    return replace(state, score=score, spawns=reader.whole(setup.get("spawns", state.spawns), "spawns", 0, 2**62))


def _start_connect4(reader: _Reader, setup: dict[str, Any]) -> State:
    names = ("rows", "cols", "depth", "win", "players")
    reader.fields(setup, names, ("position",))
    shape = connect4.Shape(*(reader.whole(setup[name], name, 1, 64) for name in names))
    return connect4.parse_position(reader.text(setup.get("position", ""), "position", 4000), shape)


_STARTS = {"sokoban": _start_sokoban, "twenty48": _start_twenty48, "connect4": _start_connect4}
