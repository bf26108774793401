"""Which size of board a model of 2048 is for. Knows no window."""

from ai import catalogue
from ai.models import ModelCard
from game.rules import twenty48


def size_for(card: ModelCard) -> int | None:
    """The edge of the boards that a model plays, 3 to 8; None where this app has no such board."""
    entry = catalogue.entry("twenty48", card.agent)
    sizes = range(twenty48.MIN_SIZE, twenty48.MAX_SIZE + 1)
    return next((size for size in sizes if entry.board(twenty48.start(size)) == card.board), None)
