"""What direction keys mean on a Sokoban board: who moves, and whether a box comes along."""

from game.rules import sokoban
from game.rules.direction import Direction
from game.rules.sokoban import PULL, SECOND, State

DIRECTIONS = {"up": Direction.UP, "right": Direction.RIGHT, "down": Direction.DOWN, "left": Direction.LEFT}


class Hands:
    """Turns commands into actions. `grab` and `swapped` stay as they are set until another level comes."""

    def __init__(self) -> None:
        """Plain steps, each player with his own keys."""
        self.grab = False
        """Whether a box is pulled along wherever one can be."""
        self.swapped = False
        """Whether the first player's keys move the second player and the other way round."""

    def forget(self) -> None:
        """Another level."""
        self.grab = self.swapped = False

    def action(self, command: str, state: State) -> int | None:
        """The action that a command asks for in a position, legal or not; None where it is no direction.

        A pull with no box to come along is a step, if that pushes nothing.
        """
        head, _, way = command.rpartition("_")
        if way not in DIRECTIONS or head not in ("", "pull", "second", "second_pull"):
            return None
        direction = int(DIRECTIONS[way])
        second = head.startswith("second") != self.swapped and state.second >= 0
        step = direction + SECOND * second
        legal = sokoban.legal_actions(state)
        if step + PULL in legal and (self.grab or head.endswith("pull")):
            return step + PULL
        if head.endswith("pull") and state.warehouse.rules.pull and step in legal and sokoban.is_push(state, step):
            return step + PULL
        return step


def in_the_way(action: int, state: State) -> int:
    """What stands where a step was to go; the keeper who was to take it where that is no box."""
    keeper = state.second if action & SECOND and state.second >= 0 else state.player
    beside = state.warehouse.steps[keeper][action & 3]
    return beside if beside in state.boxes else keeper
