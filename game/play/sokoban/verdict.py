"""Whether a position can still be won, as far as the rules or an agent have proved it."""

from collections.abc import Sequence

from game.rules import sokoban
from game.rules.sokoban import State


class Verdict:
    """Stuck boxes and lost positions of one level; looks again only when a box moved."""

    def __init__(self) -> None:
        """Nothing known."""
        self.stuck: frozenset[int] = frozenset()
        """Boxes that never reach a target again."""
        self.dead = False
        """Whether the rules alone prove that the position cannot be won."""
        self._proved: int | None = None
        self._looked: tuple[object, object] = (None, None)

    def look(self, state: State) -> None:
        """Judge a position by the rules."""
        if self._looked[0] is state.boxes and self._looked[1] is state.warehouse:
            return
        self._looked = (state.boxes, state.warehouse)
        self.stuck = sokoban.stuck_boxes(state)
        self.dead = bool(self.stuck) or sokoban.is_dead(state)

    def prove(self, ply: int) -> None:
        """An agent proved that the position after `ply` steps has no solution; so has none that follows it."""
        self._proved = ply if self._proved is None else min(self._proved, ply)

    def play(self, ply: int) -> None:
        """Another step was played after `ply` steps: what was proved about what followed them is void."""
        if self._proved is not None and self._proved > ply:
            self._proved = None

    def last_hope(self, states: Sequence[State], ply: int) -> int | None:
        """The last ply up to `ply` whose position is not known to be lost; None where every one is."""
        if self._proved is not None:
            ply = min(ply, self._proved - 1)
        looked: State | None = None
        while ply >= 0:
            state = states[ply]
            if looked is None or looked.boxes is not state.boxes:
                if not sokoban.is_dead(state):
                    return ply
                looked = state
            ply -= 1
        return None

    def forget(self) -> None:
        """Another level."""
        self._proved = None

    def proved(self, ply: int) -> bool:
        """Whether an agent proved that the position after `ply` steps has no solution."""
        return self._proved is not None and ply >= self._proved

    @property
    def proved_at_start(self) -> bool:
        """Whether the level itself has none."""
        return self._proved == 0
