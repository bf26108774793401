"""The first position of a replay as plain JSON, and back, for `game.rules.replay`.

sokoban: board (XSB text), optional title, pack, number. twenty48: size, start ('0 2 4 0/…'), seed, optional score
and spawns. connect4: rows, cols, depth, win, players, optional position (the moves already played).
"""

from dataclasses import replace
from typing import Any

import numpy as np

from game.rules import connect4, sokoban, twenty48
from game.rules.replay_json import JSON, Reader, ReplayError

State = sokoban.State | twenty48.State | connect4.State

GAMES = ("sokoban", "twenty48", "connect4")

_XSB = " #$.@*+"
"""Characters of the board by its integers: empty, wall, box, target, player, box on target, player on target."""


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


def position(game: str, setup: dict[str, JSON], source: str) -> State:
    """The position that a set-up describes.

    Raises:
        ReplayError: and nothing else, whatever the set-up holds.
    """
    reader = Reader(source)
    try:
        return _STARTS[game](reader, setup)
    except ReplayError:
        raise
    except (ValueError, OverflowError) as error:
        reader.fail(f"the set-up is no position: {error}")


def _start_sokoban(reader: Reader, setup: dict[str, Any]) -> State:
    reader.fields(setup, ("board",), ("title", "pack", "number"))
    for key in ("title", "pack"):
        reader.text(setup.get(key, ""), key)
    reader.whole(setup.get("number", 0), "number", 0, 1_000_000)
    rows = reader.text(setup["board"], "board", (sokoban.MAX_SIDE + 1) * sokoban.MAX_SIDE).split("\n")
    cols = max(map(len, rows))
    if len(rows) > sokoban.MAX_SIDE or cols > sokoban.MAX_SIDE or not set("".join(rows)) <= set(_XSB):
        reader.fail(f"the board is not XSB text of at most {sokoban.MAX_SIDE}×{sokoban.MAX_SIDE} squares")
    return sokoban.from_array(np.array([[_XSB.index(c) for c in row.ljust(cols)] for row in rows], dtype=np.int8))


def _start_twenty48(reader: Reader, setup: dict[str, Any]) -> State:
    reader.fields(setup, ("size", "start", "seed"), ("score", "spawns"))
    seed = reader.whole(setup["seed"], "seed", -(2**63), 2**64 - 1)
    state = twenty48.parse_position(reader.text(setup["start"], "start", 2000), seed)
    if reader.whole(setup["size"], "size", 3, 8) != state.size:
        reader.fail(f"the start is of size {state.size}, the set-up says {setup['size']}")
    score = reader.whole(setup.get("score", 0), "score", 0, 2**62)
    return replace(state, score=score, spawns=reader.whole(setup.get("spawns", state.spawns), "spawns", 0, 2**62))


def _start_connect4(reader: Reader, setup: dict[str, Any]) -> State:
    names = ("rows", "cols", "depth", "win", "players")
    reader.fields(setup, names, ("position",))
    shape = connect4.Shape(*(reader.whole(setup[name], name, 1, 64) for name in names))
    return connect4.parse_position(reader.text(setup.get("position", ""), "position", 4000), shape)


_STARTS = {"sokoban": _start_sokoban, "twenty48": _start_twenty48, "connect4": _start_connect4}
