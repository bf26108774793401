"""What is said about a model on its card and beside it, all of it from the file's header."""

from ai import catalogue
from ai.entries import CatalogueError
from ai.models import ModelCard, Strength
from game.play.words import span
from game.rules.games import GAMES
from game.views.view import View, view_of


def view(card: ModelCard) -> View:
    """What knows how to speak of it."""
    return view_of(card.game) if card.game in GAMES else View()


def board_words(card: ModelCard) -> str:
    """'4×4', '7×7 to 16×16', '8×8, 5 in a row, 3 players'."""
    return view(card).model_board(card.board)


def agent_words(card: ModelCard) -> str:
    """What people call the agent that plays with it."""
    try:
        return catalogue.entry(card.game, card.agent).title
    except CatalogueError:
        return card.agent


def game_words(card: ModelCard) -> str:
    """The title of its game."""
    return GAMES[card.game].title if card.game in GAMES else card.game


def what_for(card: ModelCard) -> str:
    """'2048 · 4×4 · N-tuple network'."""
    return f"{game_words(card)} · {board_words(card)} · {agent_words(card)}"


def strongest(card: ModelCard) -> tuple[int, Strength] | None:
    """The most plies that were measured, and what came out."""
    return max(card.strength.items(), default=None, key=lambda item: item[0])


def points(strength: Strength) -> str:
    """'41,203 ± 310'; '95.2 ± 0.7' where a decimal is not noise."""
    return f"{mean(strength)} ± {strength.stderr:,.{_decimals(strength)}f}"


def mean(strength: Strength) -> str:
    """'41,203', or '95.2'."""
    return f"{strength.mean:,.{_decimals(strength)}f}"


def _decimals(strength: Strength) -> int:
    return 1 if strength.stderr < 1 else 0


def size_words(size: int) -> str:
    """'0.37 MB', '41 MB', '912 bytes'."""
    if size < 10_000:
        return f"{size:,} bytes"
    return f"{size / 1e6:.2f} MB" if size < 9_950_000 else f"{size / 1e6:,.0f} MB"


def trained(card: ModelCard) -> str:
    """'4 min 31 s · 100,000 games'; empty where the header says neither."""
    learned = view(card).learned(card.agent, card.games) if card.games else ""
    parts = [span(card.seconds) if card.seconds else "", learned]
    return " · ".join(part for part in parts if part)


def made_of(card: ModelCard) -> str:
    """'5 × 4 cells' for the tuples of a network, the header's text where it lists none."""
    words = card.shapes.split()
    lengths = {len(word) for word in words}
    if words and len(lengths) == 1 and all(word.isalnum() for word in words):
        return f"{len(words)} × {lengths.pop()} cells"
    return card.shapes
