"""The packs of levels there are: those that ship with the app and the user's own, read when first needed.

A pack is named by its file: `depot` for `levels/depot.xsb`, `my/depot` for `levels/depot.xsb` in the saves folder.
Reading happens in one thread of its own, so that a file of several hundred levels stops no frame.
"""

import re
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ai.program import ROOT
from game.play.sokoban.ghost import beats_of
from game.rules import levels
from game.rules.files import open_regular, read_regular
from game.rules.levels import Level, LevelError, Pack
from game.saves import user_packs

SHIPPED = ROOT / "levels"
OWN = "my/"
_HEAD_BYTES = 4096
_TITLE = re.compile(r"^(?:title|collection)\s*:\s*(\S.*?)\s*$", re.IGNORECASE)
_NUMBER = re.compile(r"^\d+[-_. ]*")


@dataclass(frozen=True, slots=True)
class PackFile:
    """One file of levels, not read yet."""

    id: str
    path: Path
    title: str


@dataclass(frozen=True, slots=True)
class LevelPack:
    """One file of levels as read."""

    id: str
    title: str
    author: str
    levels: tuple[Level, ...]
    ids: tuple[str, ...]
    """`levels.level_id` of each level."""
    notice: str = ""
    """One sentence about levels that were left out."""
    teaches: bool = False
    """Whether its levels are lessons: each has a ghost that shows an idea."""

    @property
    def own_stem(self) -> str:
        """The name of the user's own file without its ending; empty for a pack that ships."""
        return self.id.removeprefix(OWN) if self.id.startswith(OWN) else ""

    def number_of(self, level_id: str) -> int | None:
        """Place of a level in the pack, from 0; None when it is not there."""
        return self.ids.index(level_id) if level_id in self.ids else None


class Packs:
    """All packs, those that ship first. Use it on one thread."""

    def __init__(self, shipped: Path, own: Path) -> None:
        """`own` need not exist."""
        self._folders = (("", shipped), (OWN, own))
        self._reading: dict[str, Future[LevelPack]] = {}
        self._dates: dict[str, int] = {}
        self._said: set[str] = set()
        self._thread: ThreadPoolExecutor | None = None
        self.files: tuple[PackFile, ...] = ()
        self.refresh()

    def refresh(self) -> None:
        """Look again which files there are; one that changed is read again."""
        files = []
        dates: dict[str, int] = {}
        for prefix, folder in self._folders:
            for path in user_packs.sorted_paths(folder, None if prefix else []):
                pack_id = prefix + path.stem
                try:
                    dates[pack_id] = path.stat().st_mtime_ns
                except OSError:
                    continue
                files.append(PackFile(pack_id, path, _head_title(path)))
        for pack_id in [known for known in self._reading if dates.get(known) != self._dates.get(known)]:
            del self._reading[pack_id]
            self._said.discard(pack_id)
        self.files, self._dates = tuple(files), dates

    def file(self, pack_id: str) -> PackFile | None:
        """The file of a pack, None when there is none."""
        return next((file for file in self.files if file.id == pack_id), None)

    def peek(self, pack_id: str) -> LevelPack | None:
        """The pack if it has been read by now; reading starts with the first call. None too if it is damaged."""
        reading = self._future(pack_id)
        if reading is None or not reading.done() or reading.exception() is not None:
            return None
        return reading.result()

    def get(self, pack_id: str) -> LevelPack | None:
        """The pack, waited for; None when there is no such pack or it is damaged."""
        reading = self._future(pack_id)
        if reading is None or reading.exception() is not None:
            return None
        return reading.result()

    def reading(self, pack_id: str) -> "Future[LevelPack] | None":
        """The reading of a pack, begun where it was not, for who waits on another thread; None where there is none."""
        return self._future(pack_id)

    def trouble(self, pack_id: str) -> str:
        """Why a pack could not be read; empty while that is not known."""
        reading = self._reading.get(pack_id)
        if reading is None or not reading.done():
            return ""
        error = reading.exception()
        return "" if error is None else str(error)

    def news(self) -> list[str]:
        """Sentences about damaged packs and levels that were left out, each told once."""
        told = []
        for pack_id, reading in self._reading.items():
            if not reading.done() or pack_id in self._said:
                continue
            self._said.add(pack_id)
            error = reading.exception()
            if error is not None:
                told.append(f"A pack of levels cannot be read: {error}.")
            elif reading.result().notice:
                told.append(reading.result().notice)
        return told

    def first(self) -> LevelPack | None:
        """The first pack that can be read."""
        return next((pack for file in self.files if (pack := self.get(file.id)) is not None), None)

    def lessons(self) -> LevelPack | None:
        """The first pack that teaches; None where none does."""
        return next((pack for file in self.files if (pack := self.get(file.id)) is not None and pack.teaches), None)

    def first_puzzles(self) -> LevelPack | None:
        """The first pack that teaches nothing, or where there is no other the first one that can be read."""
        readable = (pack for file in self.files if (pack := self.get(file.id)) is not None)
        return next((pack for pack in readable if not pack.teaches), None) or self.first()

    def neighbour(self, pack_id: str, step: int) -> LevelPack | None:
        """The next (1) or previous (-1) pack that can be read, None at the ends."""
        at = next((number for number, file in enumerate(self.files) if file.id == pack_id), None)
        if at is None:
            return None
        rest = self.files[at + 1 :] if step > 0 else tuple(reversed(self.files[:at]))
        return next((pack for file in rest if (pack := self.get(file.id)) is not None), None)

    def _future(self, pack_id: str) -> "Future[LevelPack] | None":
        if pack_id not in self._reading:
            file = self.file(pack_id)
            if file is None:
                return None
            if self._thread is None:
                self._thread = ThreadPoolExecutor(1, "levels")
            self._reading[pack_id] = self._thread.submit(_read, file)
        return self._reading[pack_id]


@lru_cache(maxsize=8)
def packs_of(saves: Path) -> Packs:
    """The packs seen from one folder of saves; menu and screen share them."""
    return Packs(SHIPPED, saves / "levels")


def _read(file: PackFile) -> LevelPack:
    """Raises LevelError when no level of the file can be read."""
    name = file.path.name
    try:
        data = read_regular(file.path, levels.MAX_BYTES)
    except OSError as error:
        raise LevelError(name, None, error.strerror or "the file cannot be opened") from None
    pack, errors = levels.parse_lenient(data, name)
    if not pack.levels:
        raise errors[0]
    return made(file.id, file.title, pack, errors)


def made(pack_id: str, title: str, pack: Pack, errors: Sequence[LevelError] = ()) -> LevelPack:
    """A pack as read, called `title` unless it says its name; the notice tells of what was refused."""
    notice = ""
    if errors:
        count = "One level is" if len(errors) == 1 else f"{len(errors)} levels are"
        notice = f"{count} left out, the first because of {errors[0]}."
    ids = tuple(levels.level_id(level) for level in pack.levels)
    teaches = bool(pack.levels) and all(beats_of(level) for level in pack.levels)
    return LevelPack(pack_id, pack.title or title, pack.author, pack.levels, ids, notice, teaches)


def _head_title(path: Path) -> str:
    """The title in the first lines of a file, read without its levels; else made from its name."""
    try:
        with open_regular(path) as file:
            head = file.read(_HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        head = ""
    for line in head.lstrip("\ufeff").splitlines():
        if not line.strip():
            break
        found = _TITLE.match(line)
        if found is not None:
            return found[1]
    return title_of(path.stem)


def title_of(stem: str) -> str:
    """What a pack is called that says no name: the name of its file in words."""
    words = _NUMBER.sub("", stem).replace("-", " ").replace("_", " ").strip() or stem
    return words[:1].upper() + words[1:]
