"""The first position of a replay as plain JSON, and back, for `game.rules.replay`.

sokoban: board (XSB text), optional title, pack, number, variant and covered (as in a level's file), entry (the square
where the player must be able to walk in the end). twenty48: size, start ('0 2 4 0/…'), seed, optional score
and spawns. connect4: rows, cols, depth, win, players, optional position (the moves already played).
"""

from dataclasses import replace
from typing import Any

import numpy as np

from game.rules import connect4, sokoban, twenty48
from game.rules.levels import letters
from game.rules.reader import JSON, Reader, ReplayError

State = sokoban.State | twenty48.State | connect4.State

GAMES = ("sokoban", "twenty48", "connect4")

_CODES = letters.CODES | letters.LETTERED
_MAX_COVERED = 3 * 64


def game_of(state: State) -> str:
    """The id of the game a state belongs to."""
    if isinstance(state, sokoban.State):
        return "sokoban"
    return "twenty48" if isinstance(state, twenty48.State) else "connect4"


def setup_of(state: State) -> dict[str, JSON]:
    """The set-up that makes `state` the first position of a replay."""
    if isinstance(state, sokoban.State):
        return _setup_of_sokoban(state)
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


def _setup_of_sokoban(state: sokoban.State) -> dict[str, JSON]:
    array, warehouse = sokoban.to_array(state), state.warehouse
    rows = ("".join(map(letters.letter_of, row)) for row in array.tolist())
    setup: dict[str, JSON] = {"board": "\n".join(rows)}
    if warehouse.rules != sokoban.PUSH_ONLY:
        setup["variant"] = warehouse.rules.name
    covered = letters.covered_of(array)
    if covered:
        setup["covered"] = covered
    if warehouse.entry >= 0:
        setup["entry"] = warehouse.entry
    return setup


def _start_sokoban(reader: Reader, setup: dict[str, Any]) -> State:
    reader.fields(setup, ("board",), ("title", "pack", "number", "variant", "covered", "entry"))
    for key in ("title", "pack"):
        reader.text(setup.get(key, ""), key)
    reader.whole(setup.get("number", 0), "number", 0, 1_000_000)
    rows = reader.text(setup["board"], "board", (sokoban.MAX_SIDE + 1) * sokoban.MAX_SIDE).split("\n")
    cols = max(map(len, rows))
    if len(rows) > sokoban.MAX_SIDE or cols > sokoban.MAX_SIDE or not set("".join(rows)) <= _CODES.keys():
        reader.fail(f"the board is not XSB text of at most {sokoban.MAX_SIDE}×{sokoban.MAX_SIDE} squares")
    array: sokoban.Board = np.array([[_CODES[letter] for letter in row.ljust(cols)] for row in rows], dtype=np.int16)
    covered = reader.text(setup.get("covered", ""), "covered", _MAX_COVERED)
    if covered:
        array = letters.uncovered(array, covered)
    rules = sokoban.rules_of(reader.text(setup.get("variant", ""), "variant"))
    state = sokoban.from_array(array, rules)
    if "entry" not in setup:
        return state
    entry = reader.whole(setup["entry"], "entry", 0, array.size - 1)
    if entry in state.warehouse.walls:
        reader.fail("the entry is a wall")
    return replace(state, warehouse=replace(state.warehouse, entry=entry))


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
