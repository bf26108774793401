"""Solutions as LURD text: what counts as one, and what it does on a level when it is replayed.

Capitals mean pushes (and pulls, which have a `-` before them; `&` means the second player), but people and programs
paste solutions in any case: what is a push is found by replaying.
"""

from game.rules import sokoban
from game.rules.levels import rle
from game.rules.levels.data import LevelError
from game.rules.sokoban.lurd import MARKS

MAX_MOVES = 100_000

_MOVES = "lurdLURD"
_MEANT = _MOVES + MARKS + "0123456789() \t\r\n\f\v\xa0"
_WAYS = {"l": "left", "u": "up", "r": "right", "d": "down"}


def is_lurd(text: str) -> bool:
    """Whether a text is moves and nothing else: letters in any case, runs, groups and white space."""
    return not text.strip(_MEANT) and bool(set(text) & set(_MOVES))


def moves_of(text: str) -> str:
    """The moves with runs written out and without white space, each in the case in which it was written.

    Raises:
        ValueError: something in it is no move, or there are more than 100,000.
    """
    if not is_lurd(text):
        strange = text.strip(_MEANT)[:1]
        raise ValueError(f"{strange!r} is none of the moves l, u, r, d" if strange else "there is no move in it")
    return rle.expand("".join(text.split()), MAX_MOVES)


def replayed(state: sokoban.State, text: str, source: str) -> tuple[int, ...]:
    """The actions of a solution, up to the move that brings the last box home.

    Args:
        state: where it starts.
        text: LURD in any case, with or without runs.
        source: what the text is called in messages.

    Raises:
        LevelError: it is no LURD text, or a move is illegal; says which, counted from 1.
    """
    try:
        actions = sokoban.from_lurd(moves_of(text))
    except ValueError as error:
        raise LevelError(source, None, str(error)) from None
    for number, action in enumerate(actions, 1):
        if sokoban.is_solved(state):
            return actions[: number - 1]
        try:
            state = sokoban.apply(state, action)
        except ValueError:
            raise LevelError(source, None, _blocked(state, action, number)) from None
    return actions


def _blocked(state: sokoban.State, action: int, number: int) -> str:
    """What stands in the way of a move."""
    steps, rules = state.warehouse.steps, state.warehouse.rules
    second, pulls = action & sokoban.SECOND > 0, action & sokoban.PULL > 0
    which = f"move {number:,} ({'second player ' * second}{'pulling ' * pulls}{_WAYS['urdl'[action & 3]]})"
    if action not in rules.actions:
        return f"{which} is against the rules of the level: {rules.name}"
    who, other = (state.second, state.player) if second else (state.player, state.second)
    square = steps[who][action & 3]
    if square < 0:
        return f"{which} runs into a wall"
    if square == other:
        return f"{which} runs into the other player"
    if pulls or not rules.push:
        return f"{which} {'runs into a box' if square in state.boxes else 'has no box behind it'}"
    beyond = steps[square][action & 3]
    what = "a wall" if beyond < 0 else "the other player" if beyond == other else "another box"
    return f"{which} pushes a box into {what}"
