"""The line of play on a level: how many pushes it has taken, and from where on an agent had a hand in it."""

from collections.abc import Sequence

from game.rules.sokoban import State


class Line:
    """Kept beside the timeline; tell it of every step and every new start."""

    def __init__(self) -> None:
        """A level of which nothing was played."""
        self.agent_ply: int | None = None
        """The first step (from 0) that an agent played or that was pasted."""
        self.pasted_ply: int | None = None
        """The first step that was pasted."""
        self._pushes = [0]

    def start(self, agent_ply: object = None, pasted_ply: object = None) -> None:
        """Another timeline; `agent_ply` and `pasted_ply` as they were written down, if they are numbers."""
        self.agent_ply, self.pasted_ply = _number(agent_ply), _number(pasted_ply)
        self._pushes = [0]

    def step(self, ply: int, by_agent: bool, pasted: bool = False) -> None:
        """A step is played after `ply` steps, in place of what was undone there; a pasted one counts as an agent's."""
        del self._pushes[ply + 1 :]
        if self.agent_ply is not None and self.agent_ply >= ply:
            self.agent_ply = None
        if self.pasted_ply is not None and self.pasted_ply >= ply:
            self.pasted_ply = None
        if by_agent and self.agent_ply is None:
            self.agent_ply = ply
        if by_agent and pasted and self.pasted_ply is None:
            self.pasted_ply = ply

    def helped(self, ply: int) -> bool:
        """Whether an agent played any of the first `ply` steps."""
        return self.agent_ply is not None and self.agent_ply < ply

    def pasted(self, ply: int) -> bool:
        """Whether any of the first `ply` steps was pasted."""
        return self.pasted_ply is not None and self.pasted_ply < ply

    def pushes(self, states: Sequence[State], ply: int) -> int:
        """Pushes among the first `ply` steps; `states` are the positions of the whole timeline."""
        counts = self._pushes
        while len(counts) <= ply:
            at = len(counts)
            counts.append(counts[-1] + (states[at].boxes != states[at - 1].boxes))
        return counts[ply]


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
