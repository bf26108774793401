"""The library of finished games: one file each under `replays/`, with a name that people can read.

Games that an agent plays in a row by itself go to `replays/auto/`, where the best and the last hundred of each
game are kept. A deleted game goes to `replays/trash/` first, from where it can be taken back. Examples that ship
with the app are listed too; they are never changed, only hidden.
"""

import contextlib
import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import msgspec

from game.rules.games import GAMES
from game.rules.replay import Replay, ReplayError, dumps, read_head, retitled
from game.saves import files
from game.saves.files import DamagedFile, free_name, put_away, read_bytes
from game.saves.folder import PROGRAM_SAVES, Saves
from game.saves.writer import Writer

EXAMPLES = PROGRAM_SAVES / "replays" / "examples"
"""Games that ship with the app."""

AUTO_KEPT = 100
"""Games of a batch kept besides the best."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One finished game in the library."""

    path: Path
    head: Replay
    """The replay without its steps; `result['moves']` says how many there are."""


class Hidden(msgspec.Struct):
    """Examples that were deleted, by the names of their files."""

    version: int = 1
    names: list[str] = []


class Library:
    """The finished games of one folder of saves. Use it on one thread."""

    def __init__(self, saves: Saves, writer: Writer, examples: Path = EXAMPLES) -> None:
        """Reads nothing yet."""
        self._saves = saves
        self._writer = writer
        self._examples = examples
        self._hidden: Hidden | None = None
        self._trash: dict[Path, Path] = {}
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
        games.append((path, GAMES[replay.game].merit(replay.result)))
        best = max(games, key=lambda item: item[1])
        for old in games[:-AUTO_KEPT]:
            if old is not best:
                games.remove(old)
                self._given.discard(old[0])
                self._writer.put(old[0], None)
        return path

    @property
    def writable(self) -> bool:
        """Whether games can be renamed and deleted here."""
        return self._saves.writable

    def paths(self) -> list[Path]:
        """Every game, the newest first by name, then the examples that are not hidden. Never raises."""
        own = [*self._saves.replays.glob("*.json"), *(self._saves.replays / "auto").glob("*.json")]
        own.sort(key=lambda path: path.name, reverse=True)
        hidden = set(self._hide().names)
        return own + sorted(path for path in self._examples.glob("*.json") if path.name not in hidden)

    def stamp(self) -> tuple[int, ...]:
        """Changes whenever a file comes or goes; cheap to ask for."""
        stamps = []
        for folder in (self._saves.replays, self._saves.replays / "auto"):
            try:
                stamps.append(folder.stat().st_mtime_ns)
            except OSError:
                stamps.append(0)
        return tuple(stamps)

    def is_example(self, path: Path) -> bool:
        """Whether a game ships with the app."""
        return path.parent == self._examples

    def scan(self, known: Collection[Path] = ()) -> Iterator[Entry | str]:
        """The games that are not `known`, one file at a time and heads only; damage is set aside with a sentence."""
        for path in self.paths():
            if path in known:
                continue
            try:
                yield Entry(path, _head(path))
            except FileNotFoundError:
                continue
            except DamagedFile as error:
                example = f"The example {path.name} cannot be read ({error.reason})."
                yield example if self.is_example(path) else put_away(self._saves, error)

    def rename(self, entry: Entry, title: str) -> Entry:
        """Give a game another title; its file is written soon.

        Raises:
            DamagedFile: its file can no longer be read.
            FileNotFoundError: it is gone.
        """
        self._writer.flush()
        title = files.clean(title)
        data = read_bytes(entry.path)
        try:
            text = retitled(data, title, entry.path.name)
        except ReplayError as error:
            raise DamagedFile(entry.path, error.reason) from None
        self._writer.put(entry.path, text.encode())
        return Entry(entry.path, replace(entry.head, title=title))

    def discard(self, path: Path) -> None:
        """Delete a game so that `take_back` can bring it back; an example is only hidden.

        Raises:
            OSError: when it cannot be moved; it then still stands where it was.
        """
        if self.is_example(path):
            self._hide().names.append(path.name)
            self._keep_hidden()
            return
        self._writer.flush()
        trash = self._saves.replays / "trash"
        trash.mkdir(parents=True, exist_ok=True)
        place = free_name(trash, path.stem, path.suffix)
        os.rename(path, place)
        self._trash[path] = place
        self._given.discard(path)
        self._forget_auto(path)

    def take_back(self, path: Path) -> None:
        """Bring a deleted game back to where it was.

        Raises:
            OSError: when that is no longer possible.
        """
        if self.is_example(path):
            hidden = self._hide()
            hidden.names = [name for name in hidden.names if name != path.name]
            self._keep_hidden()
            return
        os.rename(self._trash[path], path)
        del self._trash[path]
        self._auto.clear()  # counted again when it is next needed

    def empty_trash(self) -> None:
        """Remove what was deleted for good, also what an earlier window left."""
        if not self._saves.writable:
            return
        self._trash.clear()
        for path in (self._saves.replays / "trash").glob("*.json"):
            with contextlib.suppress(OSError):
                path.unlink()

    def _hide(self) -> Hidden:
        if self._hidden is None:
            self._hidden = files.load(self._saves, self._hidden_path, Hidden).value or Hidden()
        return self._hidden

    def _keep_hidden(self) -> None:
        self._writer.put(self._hidden_path, msgspec.json.encode(self._hide()))

    @property
    def _hidden_path(self) -> Path:
        return self._saves.root / "examples.json"

    def _forget_auto(self, path: Path) -> None:
        for games in self._auto.values():
            games[:] = [item for item in games if item[0] != path]

    def _put(self, path: Path, replay: Replay) -> None:
        self._given.add(path)
        self._writer.put(path, lambda: dumps(replay).encode())

    def _free(self, folder: Path, name: str) -> Path:
        """A path that no file has, nor one that still waits to be written."""
        path, number = folder / f"{name}.json", 2
        while path in self._given or os.path.lexists(path):
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
                found.append((path, GAMES[game].merit(head.result)))
        return found


def _head(path: Path) -> Replay:
    if not os.path.lexists(path):
        raise FileNotFoundError(path)
    try:
        return read_head(path, path.name)
    except ReplayError as error:
        raise DamagedFile(path, error.reason) from None


def stem(replay: Replay) -> str:
    """A readable name for the file: '2026-11-20-131543-2048-1024-tile-12345-points'."""
    game, result = GAMES[replay.game], replay.result
    when = datetime.fromisoformat(replay.started).strftime("%Y-%m-%d-%H%M%S")
    count = len(replay.steps)
    end = game.ending(result) if result else f"after-{count}-move{'s' * (count != 1)}"  # without a result it goes on
    if game.levelled:
        end = f"{replay.title}-{end}"
    plain = re.sub(r"[^a-z0-9]+", "-", end.lower().encode("ascii", "replace").decode()).strip("-")
    return f"{when}-{game.title.lower()}-{plain[-60:].strip('-')}"
