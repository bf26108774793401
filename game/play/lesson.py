"""What a newcomer is shown in a first game: ideas one after the other, each until the person has done what it is about.

A lesson judges positions and steps by the plain rules alone, so that it is there before any kernel is compiled. How an idea
looks is the business of the game's view, which asks for its name.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from game.play.store import Store


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
    """A row of ideas, and how far a person has come in it. One without ideas is over."""

    def __init__(
        self, ideas: tuple[Idea, ...] = (), at: int = 0, remember: Callable[[int], object] = lambda _at: None
    ) -> None:
        """`at` ideas are understood already; `remember` is told whenever that changes."""
        self.ideas = ideas
        self.at = at
        self.learned = False
        """Whether it was gone through to its end just now."""
        self._remember = remember
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
        return self.due if self._looked[1] else ""

    def played(self, before: Any, action: int, after: Any) -> bool:
        """A person has played; answers whether an idea was understood by that."""
        if not self.idea_in(before) or not self.ideas[self.at].understood(before, action, after):
            return False
        self._go(self.at + 1)
        self.learned = self.over
        return True

    def begin(self) -> None:
        """From the start, because somebody asks for it."""
        self.learned = False
        self._go(0)

    def end(self) -> None:
        """There is nothing left to be learned."""
        self.learned = self.learned or not self.over
        self._go(len(self.ideas))

    def skip(self) -> None:
        """Show nothing more, now or later."""
        self._go(len(self.ideas))
        self.learned = False

    def _go(self, at: int) -> None:
        if at != self.at:
            self._remember(at)
        self.at = at
        self._looked = (None, False)


def given(store: Store, game: str, ideas: tuple[Idea, ...], newcomer: bool) -> Lesson:
    """The lesson of a game as it was left, which `store` remembers; from its start for a newcomer, else over."""
    name = f"{game}/lesson"
    remember = partial(store.remember, name)
    left = store.settings.remembered.get(name)
    if left is None and newcomer and ideas:
        remember(0)
        left = 0
    told = isinstance(left, int) and not isinstance(left, bool) and 0 <= left <= len(ideas)
    return Lesson(ideas, int(left or 0) if told else len(ideas), remember)
