"""An agent being made in a thread of its own, so that whoever waits for it can stop waiting at once.

Making an agent imports its module and reads its model, which takes seconds where that is large, and neither can be
broken off. The thread goes on when nobody waits any more, and who asks again later joins it: requests that follow each
other faster than a model is read still come to have it.
"""

from concurrent.futures import Future, TimeoutError
from threading import Thread
from typing import Any

from ai import catalogue
from ai.agent import Agent, Thinking
from ai.entries import Spec

LOOK_SECONDS = 0.005
"""Between two looks at the cancel flag."""


class Making:
    """One agent."""

    def __init__(self, game: str, spec: Spec) -> None:
        """Begin."""
        self._made: Future[Agent[Any]] = Future()
        Thread(target=self._run, args=(game, spec), name=f"making-{spec.id}", daemon=True).start()

    def agent(self, thinking: Thinking) -> Agent[Any] | None:
        """The agent when it is made, None as soon as the thinking is cancelled; raises what `catalogue.create` raises."""
        while not thinking.cancelled:
            try:
                return self._made.result(LOOK_SECONDS)
            except TimeoutError:
                if self._made.done():  # what making it raised
                    raise
        return None

    def _run(self, game: str, spec: Spec) -> None:
        try:
            self._made.set_result(catalogue.create(game, spec))
        except BaseException as error:  # whoever waits shows it
            self._made.set_exception(error)
