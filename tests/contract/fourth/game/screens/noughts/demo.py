"""The card of noughts and crosses in the menu."""

from game.rules.noughts import State

from game.screens.demo import Demo


class NoughtsDemo(Demo):
    """Two agents."""

    game = "noughts"
    seats = ("careful", "random")

    def first_state(self, number: int) -> State:
        """Nine free squares."""
        return State()

    def facts(self) -> str:
        """What it is."""
        return "three in a row"

    def doing(self) -> str:
        """Who plays."""
        return "Two agents are playing"


DEMO = NoughtsDemo
