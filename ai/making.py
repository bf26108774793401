"""Agents made in threads of their own, so that whoever waits for one can stop waiting at once.

Making an agent imports its module and reads its model, which takes seconds where that is large, and neither can be
broken off. Its thread goes on when nobody waits any more, and who asks again joins it: requests that follow each other
faster than a model is read still come to have it.
"""

from concurrent.futures import Future, wait
from threading import Thread
from typing import Any

from ai import catalogue
from ai.agent import Agent, Thinking
from ai.entries import Spec

LOOK_SECONDS = 0.005
"""Between two looks at the cancel flag."""

Made = Future[Agent[Any]]


class Maker:
    """Makes agents of one game for one asker, from one thread at a time."""

    def __init__(self, game: str) -> None:
        """Nothing is being made."""
        self._game = game
        self._pending: dict[tuple[str, int], Made] = {}

    def begin(self, spec: Spec, seat: int = 0) -> None:
        """Begin to make an agent for a seat that nobody waits for yet; who asks for it finds it, or joins."""
        key = (str(spec), seat)
        if key not in self._pending:
            self._pending[key] = self._begin(spec)

    @property
    def busy(self) -> bool:
        """Whether an agent is being made."""
        return any(not made.done() for made in list(self._pending.values()))

    def agent(self, spec: Spec, thinking: Thinking, seat: int = 0) -> Agent[Any] | None:
        """A new agent for a seat, None as soon as the thinking is cancelled; raises what `catalogue.create` raises."""
        key = (str(spec), seat)
        made = self._pending.get(key)
        if made is None:
            made = self._pending[key] = self._begin(spec)
        while not thinking.cancelled:
            wait([made], LOOK_SECONDS)
            if made.done():
                del self._pending[key]
                return made.result()
        return None

    def _begin(self, spec: Spec) -> Made:
        made: Made = Future()

        def run() -> None:
            try:
                made.set_result(catalogue.create(self._game, spec))
            except BaseException as error:  # whoever waits shows it
                made.set_exception(error)

        Thread(target=run, name=f"making-{spec.id}", daemon=True).start()
        return made
