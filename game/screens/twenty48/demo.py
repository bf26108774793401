"""2048's card in the menu."""

from typing_extensions import override

from game.rules import twenty48
from game.rules.game import PERSON
from game.rules.twenty48 import State
from game.screens.demo import Demo
from game.ui import text

LONG = 100_000
"""Points from which on a score is told in thousands."""


class Twenty48Demo(Demo):
    """Expectimax plays 4×4."""

    game = "twenty48"
    seats = ("expectimax",)
    speed = 4.0

    @override
    def first_state(self, number: int) -> State:
        """A fresh board."""
        return twenty48.start(4, 7 + number)

    @override
    def facts(self) -> str:
        """The best scores, the person's and the agents'."""
        own, theirs = (self.context.progress.best_2048(4, who).score for who in (PERSON, "agent"))
        said = [f"{name} best {_short(best)}" for name, best in (("your", own), ("agents'", theirs)) if best]
        return " · ".join(said) or "slide, merge, double"

    @override
    def doing(self) -> str:
        """Who plays."""
        return "Expectimax is playing"


def _short(score: int) -> str:
    """As the card has room for two of them."""
    return f"{score:,}" if score < LONG else text.short(score)


DEMO = Twenty48Demo
