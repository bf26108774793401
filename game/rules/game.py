"""A game as one value: everything that a part which belongs to no single game asks of one.

`game.rules.games.GAMES` has the value of each game, which stands at the end of the game's own rules. Whoever has only a
position asks `games.of(state)`. A position is immutable and hashable, and carries its own luck: the seed and how much of
it is used up. Callables that a game leaves out do what suits a game for one player without chance and without a score.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, Generic, SupportsIndex, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from game.rules.outcome import Outcome
from game.rules.reader import JSON, Reader

PERSON = "person"
"""Who sits at a board where no agent does, in replays, saved games and settings."""

State: TypeAlias = Any
"""A position of some game. Who knows which one names its own class."""
S = TypeVar("S")

Array = npt.NDArray[np.integer[Any]]
Chance = tuple[int, int]
"""What chance answers to an action, as two whole numbers that the game understands (2048: the new tile's cell and exponent)."""
Setup = dict[str, JSON]
"""The first position of a replay as plain JSON."""
Result = Mapping[str, JSON]
"""How a game ended, as `Game.result` says it."""


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a game's set-up."""

    name: str
    title: str
    default: int | str
    help: str
    min: int = 0
    max: int = 0
    """Bounds of a number; a text has none."""

    def check(self, value: object) -> int | str:
        """The value, if it is allowed; raises ValueError."""
        if isinstance(self.default, str):
            if isinstance(value, str):
                return value
            raise ValueError(f"{self.name} is a text.")
        if (
            isinstance(value, bool)
            or not isinstance(value, SupportsIndex)
            or not self.min <= index(value) <= self.max
        ):
            raise ValueError(f"{self.name} is a whole number from {self.min} to {self.max}, not {value}.")
        return index(value)


@dataclass(frozen=True, slots=True)
class BoardText:
    """Several options of a set-up in one text, as people write a board."""

    parse: Callable[[str], Mapping[str, int]]
    """The options; raises ValueError with one clear sentence."""
    write: Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True, slots=True)
class Space:
    """What arrays can be observed: whole numbers from 0 to `high`."""

    shape: tuple[int, ...]
    high: int
    dtype: npt.DTypeLike


@dataclass(frozen=True, slots=True)
class Tally:
    """A count that a replay's result keeps besides the moves, such as Sokoban's pushes."""

    name: str
    of: Callable[[Any, int], int]
    """What a legal action in a position adds to it."""


@dataclass(frozen=True, slots=True)
class Milestone:
    """How far a game for points came, such as the largest tile of 2048: a whole number that results keep."""

    name: str
    """In results."""
    word: str
    """For people."""
    of: Callable[[Any], int]
    """What a position has reached."""
    goal: int
    """From here on a game counts as won."""
    marks: tuple[int, ...]
    """The numbers of which tables say how many games reached them."""


def _ending(result: Result) -> str:
    """'player-1-won', or 'draw'."""
    winner = result.get("winner")
    return f"player-{winner + 1}-won" if isinstance(winner, int) else str(result.get("outcome"))


def _merit(result: Result) -> float:
    """The more points, the better."""
    score = result.get("score")
    return float(score) if isinstance(score, int | float) else float("-inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S]):
    """One game. Actions are whole numbers from 0; seats count from 0."""

    # Names

    id: str
    """In files, settings and the catalogue."""
    name: str
    """On the command line."""
    title: str
    """For people."""

    # Beginning

    state: type[S]
    """The class of its positions, and of no other game's."""
    options: tuple[Option, ...]
    """What can be chosen before a game."""
    board_text: BoardText | None = None
    """How the options of the board are written together, where they are."""
    new: Callable[[Mapping[str, Any], int], S]
    """See `start`, which fills in the options and checks them."""
    levelled: bool = False
    """Whether it is played level by level, out of files of levels, so that a level is something to go on with."""

    # Rules

    actions: Callable[[S], tuple[int, ...]]
    """The legal actions, ascending; none once the game is over by them."""
    apply: Callable[[S, int, Chance | None], S]
    """The position after an action and what chance answered to it; raises ValueError when the rules do not allow the one or
    the other."""
    chance: Callable[[S, int], Chance] | None = None
    """What the position's own luck answers to an action; raises ValueError when it is illegal. None for a game in which
    nothing is left to chance."""
    outcome: Callable[[S], Outcome | None]
    """How the game has ended; None while it goes on."""
    score: Callable[[S], int] | None = None
    """Points so far, in games that are played for points."""
    milestone: Milestone | None = None
    """How far a game came, in games that end only by being lost."""

    # Seats

    seats: tuple[int, int] = (1, 1)
    """How many there are at least and at most."""
    players: Callable[[S], int] = lambda state: 1
    """How many there are at this board."""
    to_move: Callable[[S], int] = lambda state: 0
    """Whose turn it is, or would be."""

    # Arrays

    action_count: Callable[[S], int]
    """Actions go from 0 to one less than this, on this board and in every position of it."""
    observe: Callable[[S, int], Array]
    """The position as an array, in the eyes of a seat."""
    space: Callable[[S], Space]
    """What arrays the positions on this board make."""

    # Text

    parse: Callable[[str, Mapping[str, Any], int], S]
    """See `position`."""
    write: Callable[[S], str]
    """The position as `position` reads it."""
    draw: Callable[[S], str]
    """The board as lines of text."""
    label: Callable[[S, int], str]
    """A legal action as people write it."""
    line: Callable[[S, Sequence[int]], str] | None = None
    """Actions one after the other as people write them, where that is not the labels with blanks between them."""

    # Replays and saved games

    write_setup: Callable[[S], Setup]
    """The set-up that makes this position the first one of a replay."""
    read_setup: Callable[[Reader, dict[str, Any]], S]
    """The position of a set-up out of a file; raises ValueError whatever is wrong with it."""
    longest: Callable[[S], int | None] = lambda state: None
    """Actions from this position on at most; None where there is no limit."""
    tally: Tally | None = None
    """What is counted through a game."""
    board_words: Callable[[Setup], str] = lambda setup: ""
    """The board of a set-up in a few words; empty where it says nothing."""
    ending: Callable[[Result], str] = _ending
    """A result in a few plain words, for the name of a file."""
    merit: Callable[[Result], float] = _merit
    """How good a result is, larger is better."""

    def start(self, setup: Mapping[str, Any], seed: int = 0) -> S:
        """A new game; what `setup` leaves out is as the options say.

        Raises:
            ValueError: one clear sentence, when there is no such option or no such board.
        """
        return self.new(self.options_with(setup), seed)

    @property
    def option_names(self) -> tuple[str, ...]:
        """Of its set-up."""
        return tuple(option.name for option in self.options)

    def options_with(self, setup: Mapping[str, Any]) -> dict[str, int | str]:
        """The value of every option; raises ValueError for one that does not exist or is out of bounds."""
        unknown = setup.keys() - set(self.option_names)
        if unknown:
            raise ValueError(f"{self.title} has no option {min(unknown)!r}.")
        return {option.name: option.check(setup.get(option.name, option.default)) for option in self.options}

    def play(self, state: S, action: int) -> S:
        """The position after an action and what the position's own luck answers; raises ValueError."""
        return self.apply(state, action, self.chance(state, action) if self.chance else None)

    def position(self, text: str, setup: Mapping[str, Any], seed: int = 0) -> S:
        """The position written as `text`, on the board of `setup` where the text does not say it.

        Raises:
            ValueError: one clear sentence.
        """
        return self.parse(text, self.options_with(setup), seed)

    def words(self, state: S, actions: Sequence[int]) -> str:
        """Actions from this position on, one after the other, as people write them."""
        if self.line is not None:
            return self.line(state, actions)
        return " ".join(self.label(state, action) for action in actions)

    def result(self, state: S, moves: int, counted: int = 0) -> dict[str, JSON]:
        """How a game stands in its last position, after so many moves and with that tally, as plain JSON.

        Always `outcome` ('won', 'over', 'draw' or 'open') and `moves`; then, in games that have them, the tally and the
        milestone by their names, `score`, and `winner` (a seat, or None).
        """
        reached = self.outcome(state)
        found: dict[str, JSON] = {"outcome": "open" if reached is None else reached.kind, "moves": moves}
        if self.tally is not None:
            found[self.tally.name] = counted
        if self.score is not None:
            found["score"] = self.score(state)
        if self.milestone is not None:
            found[self.milestone.name] = self.milestone.of(state)
        if self.seats[1] > 1:
            found["winner"] = None if reached is None else reached.winner
        return found

    def points(self, state: S) -> tuple[float, ...]:
        """Of each seat at the end of a game: 1 for a win, 0 for a loss, anything else shared among all.

        Raises:
            ValueError: the game goes on.
        """
        outcome, players = self.outcome(state), self.players(state)
        if outcome is None:
            raise ValueError("the game goes on")
        if outcome.winner is None:
            return (1.0 if outcome.kind == "won" else 1 / players,) * players
        return tuple(float(seat == outcome.winner) for seat in range(players))
