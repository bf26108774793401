"""How often an agent's move keeps the win, draw or loss that a position is worth: `analyze connect4 … --kept`.

The exact search answers for one column at a time, by one null window: was a won position's move a win, a drawn one's not
a loss. In lost positions every move keeps what they are worth.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from typing_extensions import override

from ai.agent import Agent, Thinking
from game.cli.errors import CliError
from game.rules import connect4
from game.rules.connect4 import State

WORTHS = {1: "won", 0: "drawn", -1: "lost"}


@dataclass
class Kept:
    """Counts of positions and of moves that kept their worth, by worth."""

    positions: dict[int, int] = field(default_factory=lambda: dict.fromkeys(WORTHS, 0))
    moves: dict[int, int] = field(default_factory=lambda: dict.fromkeys(WORTHS, 0))

    @property
    def share(self) -> float:
        """Of all positions."""
        return sum(self.moves.values()) / max(1, sum(self.positions.values()))

    def form(self) -> dict[str, Any]:
        """For JSON."""
        parts = {
            name: {"positions": self.positions[worth], "kept": self.moves[worth]} for worth, name in WORTHS.items()
        }
        return {
            "positions": sum(self.positions.values()),
            "kept": sum(self.moves.values()),
            "share": self.share,
            **parts,
        }

    @override
    def __str__(self) -> str:
        parts = (
            f"{self.moves[worth]} of {self.positions[worth]} {name}"
            for worth, name in WORTHS.items()
            if self.positions[worth]
        )
        return f"kept what {sum(self.positions.values())} positions are worth: {self.share:.1%} ({', '.join(parts)})"


def kept_moves(
    agent: Agent[State], states: list[State], known: list[int | None], thinking: Thinking, seed: int
) -> Iterator[Kept]:
    """Play one move in every position that is not over, and check it; yields the same counts after each.

    Args:
        agent: Who plays.
        states: All on one board that the exact solver knows.
        known: Their exact scores, None where they are to be found here.
        thinking: The budget of one move.
        seed: Of the agent.

    Raises:
        CliError: when there is no exact solver for the board.
    """
    from ai.connect4.exact.bitboard_shape import why_not, words
    from ai.connect4.exact.solver import TABLE_BITS, Solver, new_table

    reason = why_not(states[0].shape)
    if reason is not None:
        raise CliError(f"--kept: {reason}")
    table = new_table(TABLE_BITS)
    assert table is not None
    solver = Solver(states[0].shape, table)

    def above(state: State, alpha: int) -> bool:
        solver.begin(*words(state))
        while not solver.test(alpha):
            continue
        return solver.low > alpha

    counts = Kept()
    for state, score in zip(states, known, strict=True):
        if connect4.outcome(state) is None:
            if score is None:
                score = 1 if above(state, 0) else 0 if above(state, -1) else -1
            worth = (score > 0) - (score < 0)
            agent.new_game(seed)
            after = connect4.apply(
                state, agent.plan(state, Thinking(thinking.seconds_limit, thinking.node_limit)).actions[0]
            )
            counts.positions[worth] += 1
            if worth < 0 or after.winner is not None:
                counts.moves[worth] += 1
            elif connect4.outcome(after) is not None:
                counts.moves[worth] += worth == 0
            else:
                counts.moves[worth] += not above(after, -1 if worth > 0 else 0)
        yield counts
