"""A budget for one answer that is cancelled with the whole study."""

from collections.abc import Callable

from typing_extensions import override

from ai.agent import Progress, Thinking


class Linked(Thinking):
    """So many positions, and the study's cancel flag."""

    def __init__(
        self,
        study: Thinking,
        nodes: int,
        seconds: float | None = None,
        listener: Callable[[Progress], None] | None = None,
    ) -> None:
        """`study` is the thinking of the whole study."""
        super().__init__(seconds, nodes, listener)
        self._study = study

    @property
    @override
    def cancelled(self) -> bool:
        """Whether the study was stopped."""
        return self._study.cancelled
