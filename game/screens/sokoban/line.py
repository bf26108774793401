"""The line of play on a level: how many pushes it has taken, and from where on an agent had a hand in it."""

from collections.abc import Sequence

from game.rules.sokoban import State


class Line:
    """Kept beside the timeline; tell it of every step and every new start."""

    def __init__(self) -> None:
        """A level of which nothing was played."""
        self.agent_ply: int | None = None
        """The first step (from 0) that an agent played."""
        self._pushes = [0]

    def start(self, agent_ply: object = None) -> None:
        """Another timeline; `agent_ply` as it was written down, if it is a number."""
        whole = isinstance(agent_ply, int) and not isinstance(agent_ply, bool)
        self.agent_ply = agent_ply if whole else None  # type: ignore[assignment]
        self._pushes = [0]

    def step(self, ply: int, by_agent: bool) -> None:
        """A step is played after `ply` steps, in place of what was undone there."""
        del self._pushes[ply + 1 :]
        if self.agent_ply is not None and self.agent_ply >= ply:
            self.agent_ply = None
        if by_agent and self.agent_ply is None:
            self.agent_ply = ply

    def helped(self, ply: int) -> bool:
        """Whether an agent played any of the first `ply` steps."""
        return self.agent_ply is not None and self.agent_ply < ply

    def pushes(self, states: Sequence[State], ply: int) -> int:
        """Pushes among the first `ply` steps; `states` are the positions of the whole timeline."""
        counts = self._pushes
        while len(counts) <= ply:
            at = len(counts)
            counts.append(counts[-1] + (states[at].boxes != states[at - 1].boxes))
        return counts[ply]
