"""What an oracle says of the moves of a game, as values: every game's oracle speaks this way.

An oracle of a game is named by its family (`Family.oracle`). It gets a game as positions and actions and tells of every move,
in whatever order it comes to know them, what the position was worth before and after, and facts that explain the difference.
Facts are plain JSON; the sentences made of them stand where the words of a game are.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ai.agent import Action, Thinking
from game.rules.reader import JSON

Facts = Mapping[str, JSON]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an oracle says of one move."""

    ply: int
    """Moves played before it."""
    best: tuple[Action, ...]
    """What keeps the most, the one to recommend first; empty where the oracle cannot say."""
    before: float
    """The chance to win of who moves, 0 to 1, with the best move."""
    after: float
    """The same with the move that was played; never above `before`."""
    turned: bool
    """Whether the proved result changed: a win given up, a draw lost, a level made unsolvable."""
    cost: float
    """What the move gave up in the units of the game's own values, 0 or more."""
    value: float
    """What the position was worth in these units with the best move, to who moved."""
    exact: bool
    """Whether all of this is proved."""
    values: Mapping[Action, float] = field(default_factory=dict)
    """What every action is worth, as far as it is known."""
    luck: float = 0.0
    """What chance added to (or, below 0, took from) the position after the move, in the same units."""
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What an oracle says of one position, before anybody moves in it."""

    chance: float
    """The chance to win of who moves, 0 to 1, with the best move."""
    value: float
    """What the position is worth with the best move, in the units of the game's own values."""
    exact: bool
    """Whether this is proved."""
    best: tuple[Action, ...] = ()
    """What keeps the most, the one to recommend first; empty where the oracle cannot say."""
    values: Mapping[Action, float] = field(default_factory=dict)
    """What every action is worth, as far as it is known."""
    line: tuple[Action, ...] = ()
    """Best play from here, as far as it is known."""
    facts: Facts = field(default_factory=dict)
    """What there is to look at, such as the region where something happens."""


class Oracle(Protocol):
    """Judges games of one kind, and positions by themselves."""

    name: str
    """For people and files, such as the id of the agent that judges."""

    def why_not(self, state: Any) -> str | None:
        """Why it cannot judge games that begin like this, in a sentence without its full stop; None where it can."""
        ...

    def look(self, state: Any, thinking: Thinking) -> Outlook | None:
        """What is known of one position within the limits of `thinking`; None where nothing is, or it was cancelled.

        Without a limit it takes as long as a person is ready to wait for, some seconds at most.
        """
        ...

    def judge(
        self, states: Sequence[Any], actions: Sequence[Action], thinking: Thinking, tell: Callable[[Judgement], None]
    ) -> None:
        """Tell of every move once, in any order, until all are told or `thinking` is over.

        Args:
            states: every position of the game, one more than the actions.
            actions: what was played in each of them but the last.
            thinking: the budget for the whole game; a cancel is obeyed within 50 ms.
            tell: takes one judgement.
        """
        ...
