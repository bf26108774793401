"""2048's card in the menu."""

from typing import Any

from game.rules import replay, twenty48
from game.rules.twenty48 import State
from game.screens.demo import Demo
from game.screens.twenty48.board import BoardView
from game.ui.theme import Theme


class Twenty48Demo(Demo):
    """Expectimax plays 4×4."""

    game = "twenty48"
    seats = ("expectimax",)
    speed = 4.0

    def make_view(self, theme: Theme, animated: bool) -> Any:
        """The board."""
        return BoardView(theme, animated)

    def first_state(self, number: int) -> State:
        """A fresh board."""
        return twenty48.start(4, 7 + number)

    def advance(self, state: State, action: int, seconds: float) -> State:
        """Slide and spawn."""
        after = twenty48.apply(state, action)
        self.view.play(state, replay.spawned(state, action, after), after, seconds)
        return after

    def over(self, state: State) -> bool:
        """No move left."""
        return twenty48.outcome(state) is not None

    def facts(self) -> str:
        """The best score."""
        best = self.context.progress.best_2048(4)
        return f"best {best.score:,}" if best.score else "slide, merge, double"

    def doing(self) -> str:
        """Who plays."""
        return "Expectimax is playing"


DEMO = Twenty48Demo
