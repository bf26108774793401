"""What `analyze` says of a position of connect-4: exact values count stones.

n > 0: the side to move wins with its n-th stone from the end; n < 0: it loses likewise; 0 is a draw; None for an action that
is only known to be no better.
"""

import argparse
import math
from collections.abc import Mapping, Sequence
from typing import Any

from typing_extensions import override

from ai.agent import Agent, Plan, Thinking
from ai.connect4.board.scores import plies_to_end
from game.cli.analysis import Analysis
from game.cli.arguments import spec
from game.cli.connect4.kept import Kept, kept_moves
from game.cli.output import bar, print_json, say
from game.rules import connect4
from game.rules.connect4 import State


class Connect4Analysis(Analysis):
    """Stones where the result is exact, else the agent's own values."""

    @override
    def told(self, line: str, setup: Mapping[str, Any]) -> tuple[str, int | None]:
        """`4453 -2`; on a flat board the moves are one word then."""
        moves, _, last = line.strip().rpartition(" ")
        digits = last.removeprefix("-")
        number = digits.isascii() and digits.isdigit() and len(digits) <= 3
        flat = self.game.options_with(setup)["depth"] == 1
        if not moves or not number or (flat and len(moves.split()) > 1):
            return line, None
        return moves, int(last)

    @override
    def score(self, state: State, plan: Plan) -> float | None:
        """Of a game that is over the stones as well."""
        if connect4.outcome(state) is not None:
            return 0 if state.winner is None else -_stones_left(state, len(state.moves))
        return super().score(state, plan)

    @override
    def value(self, state: State, value: float, exact: bool) -> float | None:
        """Stones where it is exact."""
        if not exact or not math.isfinite(value):
            return super().value(state, value, exact)
        plies = plies_to_end(value)
        if plies is None:
            return 0 if value == 0 else None
        stones = _stones_left(state, len(state.moves) + plies)
        return stones if value > 0 else -stones

    @override
    def kept(
        self, arguments: argparse.Namespace, agent: Agent[Any], asked: Sequence[tuple[State, int | None]]
    ) -> None:
        """How often the agent's move keeps the win, draw or loss."""
        thinking = Thinking(arguments.time, arguments.nodes)
        counts = Kept()
        with bar(len(asked), "checking", "position") as shown:
            for counts in kept_moves(
                agent, [state for state, _ in asked], [score for _, score in asked], thinking, arguments.seed
            ):
                shown.update()
                shown.set_postfix_str(f"{counts.share:.1%}")
        chosen = spec(self.game.id, arguments.agent)
        if arguments.json:
            print_json({"agent": str(chosen), **counts.form()})
        else:
            say(f"{chosen} {counts}")


def _stones_left(state: State, stones: int) -> int:
    """How early a game ends that ends with so many stones on the board: 1 is the winner's last possible stone."""
    players = state.shape.players
    own = (stones - 1) // players + 1
    return -(-state.shape.cells // players) + 1 - own


ANALYSIS = Connect4Analysis
