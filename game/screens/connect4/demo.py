"""Connect-4's card in the menu."""

from typing_extensions import override

from game.rules import connect4
from game.rules.connect4 import Shape, State
from game.screens.demo import Demo

CUBE = Shape(4, 4, 4, 4, 2)


class Connect4Demo(Demo):
    """Alpha-beta plays both sides of the cube."""

    game = "connect4"
    seats = ("alphabeta,time=0.2", "alphabeta,time=0.1")
    speed = 1.2

    @override
    def first_state(self, number: int) -> State:
        """A first stone on another peg each time, so that games differ."""
        return connect4.apply(connect4.start(CUBE), number * 7 % CUBE.columns)

    @override
    def facts(self) -> str:
        """What can be set."""
        return "flat or deep · 2 to 6 players"

    @override
    def doing(self) -> str:
        """Who plays."""
        return "Alpha-beta plays both sides"


DEMO = Connect4Demo
