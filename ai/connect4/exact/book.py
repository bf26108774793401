"""The opening book of the exact solver: scores of positions whose search takes long, by their folded keys.

A file is a model of the agent `perfect` (`ai.models`): `keys`, shape (positions,), ascending, each the smaller of the
keys of a position and its mirror image (`bitboard`), and `scores`, shape (positions,), the score plus 64.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np

from ai import models
from ai.connect4.board.names import parse_board
from ai.connect4.exact.bitboard_shape import why_not
from ai.models import ModelCard
from ai.tensors import Array, ModelError, TensorFile, write_whole
from game.rules.connect4 import Shape

NAME = "connect4-book"
"""The shipped one."""
MAX_POSITIONS = 4_000_000
_BIAS = 64


class Book:
    """Scores by folded key, from the side to move."""

    def __init__(self, shape: Shape, scores: Mapping[int, int]) -> None:
        """`scores`: folded key -> score."""
        self.shape = shape
        self._keys = np.array(sorted(scores), np.uint64)
        self._scores = np.array([scores[key] for key in sorted(scores)], np.int8)

    def __len__(self) -> int:
        return len(self._keys)

    def score(self, key: int) -> int | None:
        """What the position of a folded key is worth, None where the book does not say."""
        at = int(np.searchsorted(self._keys, np.uint64(key)))
        return int(self._scores[at]) if at < len(self._keys) and int(self._keys[at]) == key else None

    def scores(self) -> dict[int, int]:
        """Everything it says."""
        return {int(key): int(score) for key, score in zip(self._keys, self._scores, strict=True)}

    def save(self, path: Path, card: ModelCard) -> None:
        """Write it with the texts of a card; raises OSError."""
        arrays: dict[str, Array] = {
            "keys": self._keys,
            "scores": (self._scores.astype(np.int16) + _BIAS).astype(np.uint8),
        }
        write_whole(path, arrays, card.metadata())


def load(path: Path) -> Book:
    """Read and check a book.

    Raises:
        ModelError: with why it cannot be used.
    """
    with TensorFile(path) as file:
        card = models.read_card(file)
        try:
            shape = parse_board(card.board)
        except ValueError:
            raise ModelError(path, f"its board is {card.board[:20]!r}, which is none") from None
        if why_not(shape) is not None:
            raise ModelError(path, f"its board is {card.board}, which the exact solver does not play")
        count = file.declared("keys", "U64", (None,)).shape[0]
        if count > MAX_POSITIONS:
            raise ModelError(path, f"it has {count:,} positions; {MAX_POSITIONS:,} are allowed")
        keys = file.array("keys", "U64", (count,))
        scores = file.array("scores", "U8", (count,)).astype(np.int16) - _BIAS
    if np.any(keys[1:] <= keys[:-1]):
        raise ModelError(path, "its positions are not in order")
    most = (shape.cells + 1) // 2
    if np.any(np.abs(scores) > most):
        raise ModelError(path, f"it has scores beyond {most}, which this board does not have")
    return Book(shape, dict(zip(keys.tolist(), scores.tolist(), strict=True)))


def shipped(shape: Shape) -> tuple[Book | None, str]:
    """The book for a board and what is wrong with it, in one sentence: (None, "") where there is none."""
    path = models.find(NAME)
    if path is None:
        return None, ""
    try:
        found = _loaded(path, path.stat().st_mtime_ns)
    except (OSError, ModelError) as error:
        return None, f"the opening book cannot be used: {error}"
    return (found, "") if found.shape == shape else (None, "")


@lru_cache(maxsize=2)
def _loaded(path: Path, _changed: int) -> Book:
    return load(path)
