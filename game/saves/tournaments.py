"""The last tournaments of agents, whole: who took part, and every game of theirs.

Only the form of the file is checked here. What the agents, the board and the moves mean is for whoever shows them.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from game.saves.files import MAX_BYTES, MAX_TEXT, DamagedFile, put_away, read
from game.saves.folder import Saves
from game.saves.writer import Writer

VERSION = 1
FILE = "tournaments.json"
LAST = 8
"""Tournaments that are kept."""
MOST_GAMES = 20_000
"""Games that are kept, but for the last tournament, which is kept whatever its length."""
_SEATS, _AGENTS, _MOVES = 6, 6, 512

_Text = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_TEXT)]
_Small = Annotated[int, msgspec.Meta(ge=0, le=_MOVES)]
_Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e9)]
_Seats = msgspec.Meta(min_length=2, max_length=_SEATS)


class Game(msgspec.Struct, frozen=True, array_like=True):
    """One game that ended, as `[who, winner, moves, seconds, asked]`."""

    who: Annotated[tuple[_Small, ...], _Seats]
    """The entrant on each seat."""
    winner: _Small | None
    """The seat that won; None for a draw."""
    moves: Annotated[tuple[_Small, ...], msgspec.Meta(max_length=_MOVES)]
    seconds: Annotated[tuple[_Seconds, ...], _Seats]
    """Thought on each seat."""
    asked: Annotated[tuple[_Small, ...], _Seats]
    """Moves thought about on each seat."""


class Tournament(msgspec.Struct, frozen=True):
    """One tournament, whole or as far as it was played."""

    began: Annotated[str, msgspec.Meta(max_length=64)]
    """When, as an ISO time; what tells it from the others."""
    agents: Annotated[tuple[_Text, ...], msgspec.Meta(min_length=2, max_length=_AGENTS)]
    board: _Text
    players: Annotated[int, msgspec.Meta(ge=2, le=_SEATS)]
    wanted: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    """Games of each pair or group, at least."""
    plies: _Small
    """Length of the random openings."""
    seconds: Annotated[float, msgspec.Meta(gt=0, le=86_400)] | None
    """For a move; None: the agents' own limits."""
    games: Annotated[tuple[Game, ...], msgspec.Meta(min_length=1, max_length=1_000_000)]


class _File(msgspec.Struct, frozen=True):
    version: int
    tournaments: Annotated[tuple[Tournament, ...], msgspec.Meta(max_length=LAST)]


class Tournaments:
    """The file in memory, read when somebody asks first."""

    def __init__(self, saves: Saves, writer: Writer) -> None:
        """Reads the file; `notice` has a sentence when it was damaged."""
        self._path: Path = saves.root / FILE
        self._writer = writer
        self.notice = ""
        self._kept: tuple[Tournament, ...] = ()
        try:
            self._kept = read(self._path, _File, VERSION, MAX_BYTES).tournaments
        except FileNotFoundError:
            pass
        except DamagedFile as error:
            self.notice = put_away(saves, error)

    @property
    def all(self) -> tuple[Tournament, ...]:
        """The newest first."""
        return self._kept[::-1]

    def put(self, new: Tournament) -> None:
        """Keep it, in the place of what was kept of the same one before."""
        self._kept = _latest([*(each for each in self._kept if each.began != new.began), new])
        self._writer.put(self._path, _encoder(self._kept))


def _latest(found: Sequence[Tournament]) -> tuple[Tournament, ...]:
    """As many of the last ones as are kept."""
    kept, games = [found[-1]], len(found[-1].games)
    for each in found[-2::-1]:
        games += len(each.games)
        if len(kept) == LAST or games > MOST_GAMES:
            break
        kept.append(each)
    return tuple(kept[::-1])


def _encoder(kept: tuple[Tournament, ...]) -> Callable[[], bytes]:
    """Called on the thread that writes."""
    return lambda: msgspec.json.encode(_File(VERSION, kept)) + b"\n"
