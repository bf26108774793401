"""The games of the library as they become known: read a few at a time, filtered, sorted, removed and brought back."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from game.rules.game import PERSON
from game.rules.games import GAMES
from game.rules.replay import Replay
from game.saves.replays import Entry, Library
from game.screens.replays.words import KINDS, agent_id, kind_of, moves_of, result_words, who_played

ANY = ""
SORTS = {"newest": "Newest first", "best": "Best first", "longest": "Longest first", "oldest": "Oldest first"}
LOOK_SECONDS = 1.0
"""New files are looked for this often."""


@dataclass(slots=True)
class Filter:
    """What is shown; an empty text lets everything through."""

    game: str = ANY
    agent: str = ANY
    kind: str = ANY
    sort: str = "newest"

    def lets(self, item: "Item") -> bool:
        """Whether a game is shown."""
        return (
            (not self.game or item.entry.head.game == self.game)
            and (not self.agent or self.agent in item.agents)
            and (not self.kind or item.kind == self.kind)
        )


@dataclass(slots=True)
class Item:
    """One game with what filters ask for."""

    entry: Entry
    example: bool
    agents: frozenset[str] = frozenset()
    """Ids, 'person' included."""
    kind: str = ""
    who: str = ""
    ended: str = ""
    """How it ended, in words."""
    started: float = 0.0
    merit: float = 0.0
    number: int = field(default=0)
    """In the order in which games became known: the same for ever."""

    @classmethod
    def of(cls, entry: Entry, example: bool, number: int) -> "Item":
        """Work out what is asked for often."""
        head = entry.head
        try:
            started = datetime.fromisoformat(head.started).timestamp()
        except (OverflowError, ValueError, OSError):
            started = 0.0
        agents = frozenset(agent_id(seat) for seat in head.seats)
        who, ended = who_played(head), result_words(head)
        return cls(
            entry, example, agents, kind_of(head), who, ended, started, GAMES[head.game].merit(head.result), number
        )


_KEYS: dict[str, Callable[[Item], tuple[float, ...]]] = {
    "newest": lambda item: (item.example, -item.started, item.number),
    "oldest": lambda item: (item.example, item.started, item.number),
    "best": lambda item: (-item.merit, -item.started, item.number),
    "longest": lambda item: (-moves_of(item.entry.head), -item.started, item.number),
}


def unlike(one: Replay, other: Replay) -> int:
    """0 where two games began alike, on the same level for example; 1 on the same board; else 2."""
    if one.game != other.game:
        return 2
    if one.setup == other.setup:
        return 0
    board = GAMES[one.game].board_words(one.setup)
    return 1 if board and board == GAMES[other.game].board_words(other.setup) else 2


class Shelf:
    """All games; `items` are those that the filter lets through, in order."""

    def __init__(self, library: Library) -> None:
        """Reads nothing yet: call `read` every frame."""
        self.library = library
        self.filter = Filter()
        self.like: Replay | None = None
        """The game whose likes come first: those with the same first position, then those on the same board."""
        self.all: dict[Path, Item] = {}
        self.items: list[Item] = []
        self.complete = False
        """Whether every file was read once."""
        self.removed: list[Item] = []
        """Deleted games that can be brought back, the last one last."""
        self._reading: Iterator[Entry | str] | None = library.scan()
        self._looked = 0.0
        self._stamp = library.stamp()
        self._number = 0
        self._stale = False

    def read(self, seconds: float, now: float) -> list[str]:
        """Go on reading for so long; returns sentences about damaged files."""
        notices: list[str] = []
        if self._reading is None and now - self._looked >= LOOK_SECONDS:
            self._looked, before, self._stamp = now, self._stamp, self.library.stamp()
            if self._stamp != before:
                gone = {item.entry.path for item in self.removed}
                self._reading = self.library.scan(self.all.keys() | gone)
        until = time.perf_counter() + seconds
        while self._reading is not None and time.perf_counter() < until:
            found = next(self._reading, None)
            if found is None:
                self._reading, self.complete, self._looked = None, True, now
            elif isinstance(found, str):
                notices.append(found)
            else:
                self._number += 1
                self.all[found.path] = Item.of(found, self.library.is_example(found.path), self._number)
                self._stale = True
        if self._stale:
            self.refresh()
        return notices

    def refresh(self) -> None:
        """Filter and sort again."""
        self._stale = False
        self.items = sorted(filter(self.filter.lets, self.all.values()), key=_KEYS[self.filter.sort])
        if self.like is not None:
            like = self.like
            self.items.sort(key=lambda item: unlike(item.entry.head, like))

    def games(self) -> list[str]:
        """The games there are replays of."""
        return sorted({item.entry.head.game for item in self.all.values()})

    def agents(self) -> list[str]:
        """The ids of everybody who played, within the chosen game."""
        items = [item for item in self.all.values() if self.filter.game in (ANY, item.entry.head.game)]
        return sorted({agent for item in items for agent in item.agents}, key=lambda agent: (agent != PERSON, agent))

    def kinds(self) -> list[str]:
        """The results there are, within the chosen game."""
        found = {item.kind for item in self.all.values() if self.filter.game in (ANY, item.entry.head.game)}
        return [kind for kind in KINDS if kind in found]

    def place(self, path: Path) -> int | None:
        """Where a game stands among those shown."""
        return next((at for at, item in enumerate(self.items) if item.entry.path == path), None)

    # Changes

    def rename(self, item: Item, title: str) -> None:
        """Another title; raises DamagedFile or FileNotFoundError."""
        item.entry = self.library.rename(item.entry, title)

    def remove(self, item: Item) -> None:
        """Delete a game so that `bring_back` undoes it; raises OSError."""
        self.library.discard(item.entry.path)
        self.all.pop(item.entry.path, None)
        self.removed.append(item)
        self.refresh()

    def bring_back(self) -> Item | None:
        """Undo the last deletion; raises OSError."""
        if not self.removed:
            return None
        item = self.removed[-1]
        self.library.take_back(item.entry.path)
        self.removed.pop()
        self.all[item.entry.path] = item
        self.refresh()
        return item

    def lose(self, item: Item) -> None:
        """A game's file is gone or damaged: show it no more."""
        self.all.pop(item.entry.path, None)
        self.refresh()
