"""What an agent thinks of the position, as rows of the panel."""

from ai.connect4.board.scores import plies_to_end
from game.play.driver import Thought
from game.rules import connect4
from game.rules.connect4 import Shape
from game.screens.play.face import Row
from game.ui import text
from game.ui.theme import Colour
from game.views.connect4 import words

RATED = 1000
"""Positions from which on a search lasts long enough to tell its speed."""


def ahead(thought: Thought, shape: Shape) -> tuple[int, ...]:
    """The principal variation: the moves that the agent expects by both sides."""
    pv = thought.plan.pv if thought.plan else thought.progress.pv
    return tuple(action for action in pv if action < shape.columns)


def rows(thought: Thought, shape: Shape, colour: Colour) -> list[Row]:
    """Best column, principal variation, work done; `colour` is that of thinking."""
    plan = thought.plan
    found = []
    best = thought.best
    if best is not None and best < shape.columns:
        value = thought.values.get(best)
        place = connect4.label(shape, best)
        if value is not None:
            plies = plies_to_end(value)
            sign = words.said_of(best, thought.values, plan is not None and plan.exact).label
            place += f" {'wins' if value > 0 else 'loses'} in {plies}" if plies is not None else f" · {sign}"
        found.append(Row("Best column", place, colour))
    if ahead(thought, shape):
        line = " ".join(connect4.label(shape, action) for action in ahead(thought, shape))
        found.append(Row("Expects", line, wraps=True))
    if thought.nodes:
        work = f"{text.short(thought.nodes)} position{'' if thought.nodes == 1 else 's'}"
        if thought.nodes >= RATED:
            work += f" · {text.short(thought.nodes / max(thought.seconds, 1e-6))}/s"
        found.append(Row("Searched", work))
    return found
