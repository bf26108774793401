"""The library of finished games: one file each under `replays/`, with a name that people can read.

Games that an agent plays in a row by itself go to `replays/auto/`, where the best and the last hundred of each
game are kept.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from game.rules.replay import JSON, Replay, ReplayError, dumps, read_head
from game.saves.files import DamagedFile, put_away
from game.saves.folder import Saves
from game.saves.writer import Writer

AUTO_KEPT = 100
"""Games of a batch kept besides the best."""

_NAMES = {"sokoban": "sokoban", "twenty48": "2048", "connect4": "connect-4"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One finished game in the library."""

    path: Path
    head: Replay
    """The replay without its steps; `result['moves']` says how many there are."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What the library holds, newest first, and sentences about files that could not be read."""

    entries: tuple[Entry, ...]
    notices: tuple[str, ...] = ()


class Library:
    """The finished games of one folder of saves. Use it on one thread."""

    def __init__(self, saves: Saves, writer: Writer) -> None:
        """Reads nothing yet."""
        self._saves = saves
        self._writer = writer
        self._given: set[Path] = set()
        self._auto: dict[str, list[tuple[Path, float]]] = {}

    def keep(self, replay: Replay) -> Path | None:
        """Write a finished game soon; returns its file, None when nothing is saved here."""
        if not self._writer.writable:
            return None
        path = self._free(self._saves.replays, stem(replay))
        self._put(path, replay)
        return path

    def keep_auto(self, replay: Replay) -> Path | None:
        """Like `keep` for one game of a batch: only the best and the last hundred of each game stay."""
        if not self._writer.writable:
            return None
        if replay.game not in self._auto:
            self._auto[replay.game] = self._found_auto(replay.game)
        games = self._auto[replay.game]
        path = self._free(self._saves.replays / "auto", stem(replay))
        self._put(path, replay)
        games.append((path, merit(replay.result)))
        best = max(games, key=lambda item: item[1])
        for old in games[:-AUTO_KEPT]:
            if old is not best:
                games.remove(old)
                self._given.discard(old[0])
                self._writer.put(old[0], None)
        return path

    def listing(self, limit: int = 1000) -> Listing:
        """The newest games, batches included; reads heads only and sets damaged files aside. Never raises."""
        paths = [*self._saves.replays.glob("*.json"), *(self._saves.replays / "auto").glob("*.json")]
        paths.sort(key=lambda path: path.name, reverse=True)
        entries, notices = [], []
        for path in paths[:limit]:
            try:
                entries.append(Entry(path, _head(path)))
            except FileNotFoundError:
                continue
            except DamagedFile as error:
                notices.append(put_away(self._saves, error))
        return Listing(tuple(entries), tuple(notices))

    def remove(self, path: Path) -> None:
        """Delete one game of the library."""
        self._given.discard(path)
        for games in self._auto.values():
            games[:] = [item for item in games if item[0] != path]
        self._writer.put(path, None)

    def _put(self, path: Path, replay: Replay) -> None:
        self._given.add(path)
        self._writer.put(path, lambda: dumps(replay).encode())

    def _free(self, folder: Path, name: str) -> Path:
        """A path that no file has, nor one that still waits to be written."""
        path, number = folder / f"{name}.json", 2
        while path in self._given or path.exists():
            path, number = folder / f"{name}-{number}.json", number + 1
        return path

    def _found_auto(self, game: str) -> list[tuple[Path, float]]:
        """The batch games on disk, oldest first."""
        found = []
        for path in sorted((self._saves.replays / "auto").glob("*.json")):
            try:
                head = _head(path)
            except (FileNotFoundError, DamagedFile):
                continue  # the listing sets it aside and says so
            if head.game == game:
                found.append((path, merit(head.result)))
        return found


def merit(result: dict[str, JSON]) -> float:
    """How good a result is, larger is better: the score of 2048, fewest pushes of a solved Sokoban level."""
    score, pushes = result.get("score"), result.get("pushes")
    if isinstance(score, int | float):
        return float(score)
    if isinstance(pushes, int | float) and result.get("outcome") == "won":
        return -float(pushes)
    return float("-inf")


def headline(head: Replay) -> str:
    """One line about a game for lists: 'Depot 12: solved in 97 moves, 31 pushes'."""
    result = head.result
    if head.game == "sokoban":
        solved = "solved in" if result.get("outcome") == "won" else "left after"
        text = f"{solved} {result.get('moves')} moves, {result.get('pushes')} pushes"
    elif head.game == "twenty48":
        text = f"{result.get('score')} points, largest tile {result.get('max_tile')}"
    else:
        winner = result.get("winner")
        won = f"player {winner + 1} won" if isinstance(winner, int) else "draw"
        text = f"{won if result.get('outcome') != 'open' else 'left'} after {result.get('moves')} moves"
    return f"{head.title}: {text}" if head.title else text[:1].upper() + text[1:]


def _head(path: Path) -> Replay:
    if not path.exists():
        raise FileNotFoundError(path)
    try:
        return read_head(path, path.name)
    except ReplayError as error:
        raise DamagedFile(path, error.reason) from None


def stem(replay: Replay) -> str:
    """A readable name for the file: '2026-11-20-131543-2048-1024-tile-12345-points'."""
    result = replay.result
    when = datetime.fromisoformat(replay.started).strftime("%Y-%m-%d-%H%M%S")
    if replay.game == "sokoban":
        end = f"{replay.title}-{result.get('moves')}-moves-{result.get('pushes')}-pushes"
    elif replay.game == "twenty48":
        end = f"{result.get('max_tile')}-tile-{result.get('score')}-points"
    else:
        winner = result.get("winner")
        end = f"player-{winner + 1}-won" if isinstance(winner, int) else str(result.get("outcome"))
    plain = re.sub(r"[^a-z0-9]+", "-", end.lower().encode("ascii", "replace").decode()).strip("-")
    return f"{when}-{_NAMES[replay.game]}-{plain[-60:].strip('-')}"
