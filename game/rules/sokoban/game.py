"""Sokoban as one value: `GAME`, made of the rules and of the texts of levels."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from game.rules import levels, sokoban
from game.rules.game import Array, Game, Option, Setup, Space, Tally
from game.rules.levels import Level, Pack, letters
from game.rules.reader import JSON, Reader
from game.rules.sokoban import State
from game.rules.sokoban.array import MOST_LETTERS, cell

SMALLEST = "####\n#.@###\n#  $ #\n#    #\n######"
"""A level for those who say none."""

_CODES = letters.CODES | letters.LETTERED
_MAX_COVERED = 3 * 64


def _new(options: Mapping[str, Any], seed: int) -> State:
    return _parse(options["level"], options, seed)


def _parse(text: str, options: Mapping[str, Any], seed: int) -> State:
    """The first level of XSB text, its rows on lines of their own or with `|` between them."""
    return levels.parse(text.replace("|", "\n"), "position").levels[0].state


def _write(state: State) -> str:
    return levels.dump(Pack((Level(state),))).rstrip("\n")


def _space(state: State) -> Space:
    warehouse = state.warehouse
    shape = (warehouse.rows, warehouse.cols)
    if warehouse.homes:
        return Space(shape, cell(sokoban.PLAYER_ON_TARGET, MOST_LETTERS, MOST_LETTERS, second=True), np.int16)
    return Space(shape, cell(sokoban.PLAYER_ON_TARGET, second=True), np.int8)


def _observe(state: State, seat: int) -> Array:
    return sokoban.to_array(state)


def _write_setup(state: State) -> Setup:
    array, warehouse = sokoban.to_array(state), state.warehouse
    rows = ("".join(map(letters.letter_of, row)) for row in array.tolist())
    setup: Setup = {"board": "\n".join(rows)}
    if warehouse.rules != sokoban.PUSH_ONLY:
        setup["variant"] = warehouse.rules.name
    covered = letters.covered_of(array)
    if covered:
        setup["covered"] = covered
    if warehouse.entry >= 0:
        setup["entry"] = warehouse.entry
    return setup


def _read_setup(reader: Reader, setup: dict[str, Any]) -> State:
    """Board (XSB text), variant and covered (as in a level's file), entry; title, pack and number are only checked."""
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


def _ending(result: Mapping[str, JSON]) -> str:
    return f"{result.get('moves')}-moves-{result.get('pushes')}-pushes"


def _merit(result: Mapping[str, JSON]) -> float:
    """The fewer pushes, the better."""
    pushes = result.get("pushes")
    solved = isinstance(pushes, int | float) and result.get("outcome") == "won"
    return -float(pushes) if solved and isinstance(pushes, int | float) else float("-inf")


GAME = Game(
    id="sokoban",
    name="sokoban",
    title="Sokoban",
    state=State,
    options=(Option("level", "Level", SMALLEST, "The level as XSB text, with `|` or a new line between rows."),),
    new=_new,
    levelled=True,
    actions=sokoban.legal_actions,
    apply=lambda state, action, chance: sokoban.apply(state, action),
    outcome=sokoban.outcome,
    action_count=lambda state: 1 + max(state.warehouse.rules.actions),
    observe=_observe,
    space=_space,
    parse=_parse,
    write=_write,
    draw=lambda state: "\n".join(levels.board(state)),
    label=lambda state, action: sokoban.to_lurd(state, (action,)),
    line=sokoban.to_lurd,
    write_setup=_write_setup,
    read_setup=_read_setup,
    tally=Tally("pushes", sokoban.moves_box),
    ending=_ending,
    merit=_merit,
)
