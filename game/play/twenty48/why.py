"""'Why?': what speaks for the agent's move, in words at once, and group of cells by group of cells in the background."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from ai.agent import Agent, Thinking
from ai.entries import Spec
from ai.making import Maker
from ai.twenty48.ntuple.why import Part, Why
from ai.worker import Worker
from game.play.twenty48.reasons import Reasons, reasons
from game.rules.twenty48 import State

SHOWN = 3
"""Groups on the board at most."""
EVERY_SECONDS = 0.3
"""At the soonest another move is explained while the agent plays on."""


class Explainer:
    """Asks an agent of its own, which shares the model with the one that plays."""

    def __init__(self) -> None:
        """Nothing is asked yet, and no thread is started."""
        self.reasons: Reasons | None = None
        """Of the move that was asked about last."""
        self.ply = -1
        """The position that they are about, by the number of steps played."""
        self.parts: Why | None = None
        """The parts of the value, once they are reckoned, where the agent's values have such."""
        self.unable = False
        """Whether the values of the agent that was asked last have no parts."""
        self.problem = ""
        """A sentence to show once."""
        self._worker: Worker[tuple[Why | None]] | None = None
        self._maker = Maker("twenty48")
        self._agent: tuple[str, Agent[Any]] | None = None
        self._asked: tuple[str, int, int, State] | None = None
        self._wait = 0.0

    def ask(self, spec: Spec, ply: int, state: State, action: int, values: Mapping[int, float]) -> None:
        """Explain an action of a position, unless that is known or another is being explained.

        `values` are what the agent thinks of every slide.
        """
        key = (str(spec), ply, action, state)
        if key == self._asked or self._wait > 0 or (self._worker is not None and self._worker.busy):
            return
        self._asked, self._wait = key, EVERY_SECONDS
        self.reasons, self.ply, self.parts = reasons(state, action, values), ply, None
        if self.reasons is None:
            return
        other = self.reasons.other
        if self._worker is None:
            self._worker = Worker("why-2048")

        def job(thinking: Thinking, _emit: Callable[[object], None]) -> tuple[Why | None]:
            if self._agent is None or self._agent[0] != str(spec):
                agent = self._maker.agent(spec, thinking)
                if agent is None:
                    return (None,)
                self._agent = str(spec), agent
            explain = getattr(self._agent[1], "explain", None)
            return (cast(Why | None, explain(state, action, other)) if explain is not None else None,)

        self._worker.start((0, ply), job)

    def update(self, dt: float) -> None:
        """Once a frame: take the answer."""
        self._wait = max(0.0, self._wait - dt)
        if self._worker is None:
            return
        for said in self._worker.poll():
            if said.error is not None:
                self.parts, self.problem = None, f"The move cannot be explained: {said.error}."
            elif said.result is not None:
                self.parts = said.result[0]
                self.unable = self.parts is None

    def close(self) -> None:
        """End the thread."""
        if self._worker is not None:
            self._worker.close()

    @property
    def groups(self) -> list[Part]:
        """The groups that speak for the move, the most first."""
        return [part for part in self.parts.parts[:SHOWN] if part.points >= 0.5] if self.parts is not None else []
