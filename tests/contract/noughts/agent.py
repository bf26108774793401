"""Takes the first empty cell."""

from game.rules.noughts import State, actions

from ai.agent import Plan, Thinking


class First:
    """No thought."""

    def new_game(self, seed: int) -> None:
        """Nothing is remembered."""

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """The first one."""
        cells = actions(state)
        return Plan((cells[0],), values={cell: float(-cell) for cell in cells})
