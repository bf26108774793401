"""A board of 2048 that somebody arranges tile by tile, with its history. Knows no window."""

from dataclasses import dataclass

from game.rules import twenty48
from game.rules.twenty48 import MAX_SIZE, MIN_SIZE, State

LARGEST = 17
"""Exponent of the largest tile that can be put on a board: 131072."""
MOST_UNDONE = 500


@dataclass(frozen=True, slots=True)
class Picture:
    """What the board is."""

    size: int
    cells: tuple[int, ...]


class Arrangement:
    """The board, a cursor, undo and redo."""

    def __init__(self, state: State) -> None:
        """Begins with a position; tiles beyond the largest are taken for it."""
        self.now = Picture(state.size, tuple(min(exponent, LARGEST) for exponent in state.cells))
        self.cursor = 0
        self._before: list[Picture] = []
        self._after: list[Picture] = []

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        """Whether there is a change that was taken back."""
        return bool(self._after)

    def _become(self, picture: Picture) -> bool:
        if picture == self.now:
            return False
        self._before = [*self._before, self.now][-MOST_UNDONE:]
        self._after.clear()
        self.now = picture
        return True

    def undo(self) -> bool:
        """Take the last change back."""
        return self._step(self._before, self._after)

    def redo(self) -> bool:
        """Make it again."""
        return self._step(self._after, self._before)

    def _step(self, source: list[Picture], to: list[Picture]) -> bool:
        if not source:
            return False
        to.append(self.now)
        self.now = source.pop()
        self._clamp()
        return True

    def put(self, cell: int, exponent: int) -> bool:
        """Put a tile on a cell, 0 for none; whether that changed anything."""
        cells = list(self.now.cells)
        cells[cell] = min(max(0, exponent), LARGEST)
        return self._become(Picture(self.now.size, tuple(cells)))

    def change(self, cell: int, by: int) -> bool:
        """The next larger (+1) or smaller (-1) tile on a cell; after the largest comes none, and before none the largest."""
        return self.put(cell, (self.now.cells[cell] + by) % (LARGEST + 1))

    def clear(self) -> bool:
        """Take all tiles away."""
        return self._become(Picture(self.now.size, (0,) * self.now.size**2))

    def resize(self, size: int) -> bool:
        """Another size; tiles stay in their rows and columns as far as these are there."""
        size, old = min(max(size, MIN_SIZE), MAX_SIZE), self.now
        cells = tuple(
            old.cells[row * old.size + col] if row < old.size and col < old.size else 0
            for row in range(size)
            for col in range(size)
        )
        row, col = divmod(self.cursor, old.size)
        changed = self._become(Picture(size, cells))
        self.cursor = min(row, size - 1) * size + min(col, size - 1)
        return changed

    def read(self, text: str) -> bool:
        """Take a written position, '0 2 4 0/…'.

        Raises:
            ValueError: with one clear sentence.
        """
        state = twenty48.parse_position(text)
        if max(state.cells) > LARGEST:
            raise ValueError(f"The largest tile is {1 << LARGEST}, not {1 << max(state.cells)}.")
        changed = self._become(Picture(state.size, state.cells))
        self._clamp()
        return changed

    def written(self) -> str:
        """The board as text."""
        return twenty48.format_position(self.state(0))

    def move(self, rows: int, cols: int) -> None:
        """Move the cursor, round the edges."""
        size = self.now.size
        row, col = divmod(self.cursor, size)
        self.cursor = (row + rows) % size * size + (col + cols) % size

    def state(self, seed: int) -> State:
        """The position that a game begins with."""
        return State(self.now.size, self.now.cells, 0, seed, 0)

    def problem(self) -> str:
        """Why no game can begin here, in one sentence; empty when one can."""
        if not any(self.now.cells):
            return "Put at least one tile on the board."
        if not twenty48.legal_actions(self.state(0)):
            return "No tile can move here: the game would be over at once."
        return ""

    def _clamp(self) -> None:
        self.cursor = min(self.cursor, self.now.size**2 - 1)


def typed(digits: str, digit: str) -> tuple[str, int | None]:
    """What typing one more digit makes: (what is typed so far, the exponent that stands for, or None while none does).

    '1', '2', '8' make 128; a digit that cannot go on a tile's number begins anew; 0 alone is no tile.
    """
    numbers = [str(1 << exponent) for exponent in range(1, LARGEST + 1)]
    longer = digits + digit
    if not any(number.startswith(longer) for number in numbers):
        longer = digit
    if longer == "0":
        return "", 0
    return longer, numbers.index(longer) + 1 if longer in numbers else None
