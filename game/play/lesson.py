"""What a newcomer is shown in a first game: ideas one after the other, each until the person has done what it is about.

A lesson judges positions and steps by the plain rules alone, so that it is there before any kernel is compiled. How an idea
looks is the business of the game's view, which asks for its name.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


def anywhere(_state: Any) -> bool:
    """An idea that every position can show."""
    return True


def any_step(_before: Any, _action: int, _after: Any) -> bool:
    """An idea that any step of the person's shows to be understood."""
    return True


@dataclass(frozen=True, slots=True)
class Idea:
    """One thing to be shown."""

    name: str
    """What the game's view knows it by."""
    understood: Callable[[Any, int, Any], bool] = any_step
    """Whether a person who played an action, in the first position and with the second after it, needs it no more."""
    fits: Callable[[Any], bool] = anywhere
    """Whether a position can show it; in others nothing is shown, and no step counts."""


class Lesson:
    """A row of ideas, and how far a person has come in it."""

    def __init__(self, ideas: tuple[Idea, ...], at: int = 0) -> None:
        """`at` ideas are understood already."""
        self.ideas = ideas
        self.at = at
        self._looked: tuple[object, bool] = (None, False)

    @property
    def over(self) -> bool:
        """Whether nothing is left to be shown."""
        return self.at >= len(self.ideas)

    @property
    def due(self) -> str:
        """The name of the idea under way, whether or not the position on the board can show it; '' at the end."""
        return "" if self.over else self.ideas[self.at].name

    def idea_in(self, state: Any) -> str:
        """The name of the idea to be shown in a position; '' where it has none to show."""
        if self.over:
            return ""
        if self._looked[0] is not state:
            self._looked = (state, self.ideas[self.at].fits(state))
        return self.ideas[self.at].name if self._looked[1] else ""

    def played(self, before: Any, action: int, after: Any) -> bool:
        """A person has played; answers whether an idea was understood by that."""
        if not self.idea_in(before) or not self.ideas[self.at].understood(before, action, after):
            return False
        self.at += 1
        self._looked = (None, False)
        return True

    def end(self) -> None:
        """Show nothing more."""
        self.at = len(self.ideas)
