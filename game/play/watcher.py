"""Who looks on while a game is played: a screen that draws it, or nobody."""

from collections.abc import Sequence
from typing import Literal

from ai.entries import Spec
from game.rules.game import State
from game.rules.replay import Step

Tone = Literal["info", "good", "bad"]


class Watcher:
    """A session tells its watcher at once what happened; the watcher changes nothing of the game meanwhile.

    Of its own it does nothing: who looks on overrides what is to be seen or heard.
    """

    @property
    def animated(self) -> bool:
        """Whether steps are shown in motion, one after the other."""
        return False

    def began(self) -> None:
        """Another game is on the board."""

    def stepped(self, before: State, step: Step, after: State, seconds: float) -> None:
        """A step was played; `seconds` is the time that its motion may take."""

    def jumped(self) -> None:
        """Another position of the same game is on the board."""

    def reached(self) -> None:
        """A person reached what the game is played for, and may go on: the tile 2048."""

    def ended(self) -> None:
        """The game has ended; its result is noted and its replay kept."""

    def reseated(self) -> None:
        """Who sits at the board, or what can be chosen there, has changed."""

    def say(self, words: str, tone: Tone = "info") -> None:
        """One sentence for the person."""

    def waits(self, agents: Sequence[Spec]) -> None:
        """These agents were asked for, and their kernels are not compiled yet: they should come next."""

    def sound(self, name: str) -> None:
        """A sound that belongs to no step."""
