"""What a session keeps things in: the saves folder, results, replays and the choices that are remembered."""

from typing import Protocol

from ai.entries import Spec
from game.saves.folder import Saves
from game.saves.progress import Progress
from game.saves.replays import Library
from game.saves.settings import Settings, Value
from game.saves.writer import Writer


class Store(Protocol):
    """The part of the app's context that outlives a game."""

    saves: Saves
    writer: Writer
    settings: Settings
    progress: Progress
    library: Library

    def chosen(self, game: str, seat: int) -> Spec | None:
        """Who was put there last; None for a person, for nobody, and for an agent that no longer exists."""
        ...

    def remember_seat(self, game: str, seat: int, spec: Spec | None) -> None:
        """Save who sits there; None for a person."""
        ...

    def speed(self, game: str, default: float) -> float:
        """Moves a second as they were last set for a game; infinity for as fast as the machine allows."""
        ...

    def remember_speed(self, game: str, speed: float) -> None:
        """Save a game's moves a second."""
        ...

    def remember(self, name: str, value: Value) -> None:
        """Save how somebody left something; the name is 'where/what'."""
        ...
