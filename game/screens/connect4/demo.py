"""Connect-4's card in the menu."""

from typing import Any

from game.rules import connect4
from game.rules.connect4 import Shape, State
from game.screens.connect4.board import BoardView
from game.screens.demo import Demo
from game.ui.theme import Theme

CUBE = Shape(4, 4, 4, 4, 2)


class Connect4Demo(Demo):
    """Alpha-beta plays both sides of the cube."""

    game = "connect4"
    seats = ("alphabeta,time=0.2", "alphabeta,time=0.1")
    speed = 1.2

    def make_view(self, theme: Theme, animated: bool) -> Any:
        """The orbit, without numbers."""
        view = BoardView(theme, animated)
        view.coordinates = False
        return view

    def first_state(self, number: int) -> State:
        """A first stone on another peg each time, so that games differ."""
        return connect4.apply(connect4.start(CUBE), number * 7 % CUBE.columns)

    def advance(self, state: State, action: int, seconds: float) -> State:
        """Drop."""
        after = connect4.apply(state, action)
        self.view.drop(state, action, after)
        return after

    def over(self, state: State) -> bool:
        """Won or full."""
        return connect4.outcome(state) is not None

    def seat_to_move(self, state: State) -> int:
        """In turn."""
        return state.to_move

    def facts(self) -> str:
        """What can be set."""
        return "flat or deep · 2 to 6 players"

    def doing(self) -> str:
        """Who plays."""
        return "Alpha-beta plays both sides"


DEMO = Connect4Demo
