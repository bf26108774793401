"""Why a move of connect-4 gave something up, in a sentence made of an oracle's facts (`ai.connect4.oracle`)."""

from collections.abc import Sequence

from ai.agent import Action
from ai.connect4.board.scores import describe, plies_to_end
from ai.review import Judgement, Outlook
from game.rules import connect4
from game.rules.connect4 import State
from game.views.connect4.stones import STONES

EVEN = 5.0
"""Points up to which nobody is ahead."""
SHOWN = 8
"""Moves of a line that are written out."""


def why(state: State, action: Action, judgement: Judgement) -> str:
    """The sentence for a move made in `state`; empty where there is nothing to say."""
    facts, shape = judgement.facts, state.shape
    kind = facts.get("kind")
    mover, other = STONES[state.to_move].name, STONES[(state.to_move + 1) % shape.players].name.capitalize()
    line = _whole(facts.get("line"))
    if kind == "missed_win":
        return f"Column {connect4.label(shape, _number(facts.get('column')))} wins at once."
    if kind == "allowed_win":
        return f"{other} now wins at once in column {connect4.label(shape, _number(facts.get('column')))}."
    if kind == "double":
        first, second, *_ = (connect4.label(shape, each) for each in _whole(facts.get("columns")))
        after = f"After {_moves(state, action, line[: len(line) - 2])} {other.lower()}" if len(line) > 2 else other
        return f"{after} threatens columns {first} and {second} at once, and only one of them can be met."
    if kind == "below":
        row, cell = _number(facts.get("row")) + 1, _number(facts.get("cell"))
        column = connect4.label(shape, cell % shape.columns)
        return (
            f"{other} wins on row {row} of column {column} in the end: the place below it has to be filled, "
            f"and it is {mover} who has to do it."
        )
    if kind in ("later", "sooner"):
        verb = "wins" if kind == "later" else "loses"
        better = "sooner" if kind == "later" else "later"
        column = connect4.label(shape, judgement.best[0])
        return (
            f"It still {verb}, in {facts.get('plies')}; column {column} {verb} {better}, in {facts.get('instead')}."
        )
    if kind == "given_up":
        now = "a draw" if judgement.after >= 0.4 else "a loss"
        before = "a win" if judgement.before > 0.6 else "a draw"
        return f"It gives {before} away: with best play the game is {now} now."
    if kind == "estimate":
        best, values = judgement.best[0], judgement.values
        words = f"Column {connect4.label(shape, best)} looks better: {describe(values[best])} instead of"
        return f"{words} {describe(values[action])}, an estimate."
    return ""


def outlook(found: Outlook) -> str:
    """'Won in 9', 'Drawn', or an estimate in points."""
    plies = plies_to_end(found.value)
    if plies is not None and found.exact:
        return f"{'Won' if found.value > 0 else 'Lost'} in {plies}"
    if found.exact:
        return "Drawn"
    return f"About even, {describe(found.value)}" if abs(found.value) < EVEN else f"Estimate {describe(found.value)}"


def _moves(state: State, action: Action, line: Sequence[Action]) -> str:
    return " ".join(connect4.label(state.shape, each) for each in (action, *line)[:SHOWN])


def _whole(value: object) -> list[int]:
    return [each for each in value if isinstance(each, int)] if isinstance(value, list) else []


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
