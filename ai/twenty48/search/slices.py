"""How much an agent asks of a kernel at once: so many nodes that a call lasts about 5 ms."""

_SECONDS = 0.005
_FIRST = 2_000
_SMALLEST, _LARGEST = 250, 1_000_000


class Slices:
    """The size of the next slice. It follows the speed of the machine and changes no result."""

    def __init__(self) -> None:
        self.nodes = _FIRST

    def limit(self, done: int, node_limit: int | None) -> int:
        """The number of nodes at which the next kernel call stops, when `done` are counted already."""
        limit = done + self.nodes
        return limit if node_limit is None else min(limit, node_limit)

    def adapt(self, seconds: float) -> None:
        """Learn from a kernel call that used its whole slice."""
        if seconds < _SECONDS / 2:
            self.nodes = min(2 * self.nodes, _LARGEST)
        elif seconds > _SECONDS * 2:
            self.nodes = max(self.nodes // 2, _SMALLEST)
