"""'Is it solvable?': a solver looks at the drawing in a background thread, and its answer in words."""

from collections.abc import Callable

from typing_extensions import override

from ai import catalogue, kernels
from ai.agent import Plan, Status, Thinking
from ai.entries import Spec
from game.rules import sokoban
from game.rules.sokoban import State
from game.rules.sokoban.game import GAME
from game.screens.jobs.thought import Thought

SOLVER = Spec("astar")


class Solving(Thought[Plan]):
    """One question at a time; `forget` it when the drawing changes."""

    def __init__(self) -> None:
        """Nothing was asked yet."""
        super().__init__(kernels.needed(GAME.id, SOLVER), "editor-solver")
        self.state: State | None = None
        """The position in question."""

    @property
    @override
    def seconds(self) -> float:
        """How long the solver has been at it, or took."""
        return self.answer.seconds if self.answer is not None else super().seconds

    def ask(self, state: State) -> None:
        """Ask about a position."""

        def job(thinking: Thinking, _emit: Callable[[object], None]) -> Plan:
            agent = catalogue.create(GAME.id, SOLVER)
            agent.new_game(0)
            return agent.plan(state, thinking)

        self.forget()
        if sokoban.is_solved(state):
            self.answer = Plan((), Status.SOLVED, exact=True)
        else:
            self.begin(job)
        self.state = state

    @override
    def forget(self) -> None:
        """Stop thinking and drop the question and its answer."""
        super().forget()
        self.state = None

    # In words

    @property
    def verdict(self) -> str:
        """'yes', 'no', 'undecided', or nothing while that is not known."""
        if self.answer is None:
            return ""
        return {Status.SOLVED: "yes", Status.UNSOLVABLE: "no"}.get(self.answer.status, "undecided")

    @property
    def solution(self) -> str:
        """The solution as LURD; empty where there is none."""
        if self.answer is None or self.state is None or self.answer.status is not Status.SOLVED:
            return ""
        return sokoban.to_lurd(self.state, self.answer.actions)
