"""Which steps of a level belong together: a walk, the drag of a box, what an agent does to one box. One undo takes one back."""

from bisect import bisect_left, bisect_right


class Gestures:
    """Where each gesture of a line of play begins; tell it of every step and every new start."""

    def __init__(self) -> None:
        """A level of which nothing was played."""
        self._begun: list[int] = []
        self._agents: tuple[int, int | None] | None = None
        """After how many steps an agent played last, and with which action it moved a box; None where a person did."""

    def start(self, steps: int = 0) -> None:
        """Another line of play; of its first steps nothing is known, so that each stands for itself."""
        self._begun, self._agents = list(range(steps)), None

    def step(self, ply: int, joined: bool = False) -> None:
        """A person's step after `ply` steps; `joined`: it goes on with what the step before began."""
        self._agents = None
        self._add(ply, joined)

    def agents_step(self, ply: int, action: int, moves_box: bool) -> None:
        """An agent's step: the walk to a box and every push of it in one direction are one gesture."""
        before, self._agents = self._agents, (ply + 1, action if moves_box else None)
        joined = (
            before is not None and before[0] == ply and (before[1] is None or (moves_box and before[1] == action))
        )
        self._add(ply, joined)

    def interrupt(self) -> None:
        """Another place of the line is on the board: the next step begins a gesture."""
        self._agents = None

    def before(self, ply: int) -> int:
        """Where the gesture began that led to `ply`."""
        number = bisect_left(self._begun, ply)
        return self._begun[number - 1] if number else max(0, ply - 1)

    def after(self, ply: int, end: int) -> int:
        """Where the gesture ends that begins or goes on at `ply`, in a line of `end` steps."""
        number = bisect_right(self._begun, ply)
        return self._begun[number] if number < len(self._begun) else end

    def _add(self, ply: int, joined: bool) -> None:
        del self._begun[bisect_left(self._begun, ply) :]
        if not joined:
            self._begun.append(ply)
