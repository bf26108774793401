"""2048's card in the menu."""

from typing_extensions import override

from game.rules import twenty48
from game.rules.game import PERSON
from game.rules.twenty48 import State
from game.screens.demo import Demo


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
        said = [f"your best {own:,}"] * bool(own) + [f"agents' best {theirs:,}"] * bool(theirs)
        return " · ".join(said) or "slide, merge, double"

    @override
    def doing(self) -> str:
        """Who plays."""
        return "Expectimax is playing"


DEMO = Twenty48Demo
