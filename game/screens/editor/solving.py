"""'Is it solvable?': a solver looks at the drawing in a background thread, and its answer in words."""

import logging
from collections.abc import Callable

from ai import catalogue, kernels
from ai.agent import Plan, Progress, Status, Thinking
from ai.entries import Spec
from ai.worker import Worker
from game.rules import sokoban
from game.rules.sokoban import State
from game.rules.sokoban.game import GAME

SOLVER = Spec("astar")
log = logging.getLogger("trilogic.agent")


class Solving:
    """One question at a time; `forget` it when the drawing changes."""

    def __init__(self) -> None:
        """Nothing was asked yet; the thread starts with the first question."""
        self.state: State | None = None
        """The position in question."""
        self.answer: Plan | None = None
        self.progress = Progress()
        self.problem = ""
        """A sentence to show once: the solver failed."""
        self._worker: Worker[Plan] | None = None
        self._asked = 0

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited."""
        return self.state is not None and self.answer is None

    @property
    def waiting(self) -> bool:
        """Whether the solver is still being prepared for this machine."""
        return self.busy and (self._worker is None or not self._worker.busy)

    @property
    def seconds(self) -> float:
        """How long the solver has been at it, or took."""
        if self.answer is not None:
            return self.answer.seconds
        return self._worker.elapsed if self._worker is not None else 0.0

    def ask(self, state: State) -> None:
        """Ask about a position."""
        self.forget()
        self.state = state
        if sokoban.is_solved(state):
            self.answer = Plan((), Status.SOLVED, exact=True)

    def forget(self) -> None:
        """Stop thinking and drop the question and its answer."""
        if self._worker is not None:
            self._worker.cancel()
        self.state, self.answer, self.progress = None, None, Progress()

    def update(self) -> None:
        """Once a frame: start when the solver is ready, and listen."""
        if (
            self.busy
            and (self._worker is None or not self._worker.busy)
            and kernels.ready(kernels.needed(GAME.id, SOLVER))
        ):
            self._start()
        for said in self._worker.poll() if self._worker is not None else ():
            if said.progress is not None:
                self.progress = said.progress
            elif said.result is not None:
                self.answer = said.result
            elif said.error is not None:
                log.error("the solver failed", exc_info=said.error)
                self.problem = (
                    f"The solver failed: {said.error or type(said.error).__name__}. The log has the details."
                )
                self.forget()

    def _start(self) -> None:
        state = self.state
        assert state is not None
        self._worker = self._worker or Worker("editor-solver")
        self._asked += 1

        def job(thinking: Thinking, emit: Callable[[object], None]) -> Plan:
            agent = catalogue.create(GAME.id, SOLVER)
            agent.new_game(0)
            return agent.plan(state, thinking)

        self._worker.start((self._asked, 0), job)

    def close(self) -> None:
        """End the thread."""
        self.forget()
        if self._worker is not None:
            self._worker.close()

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
