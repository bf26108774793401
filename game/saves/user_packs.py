"""The user's own packs of levels: `levels/*.xsb` in the saves folder, with an undo history over all of them.

A shelf is the packs as they stand, in their order; every change makes a new shelf and writes only the files that
differ, so undo is nothing but an older shelf. A pack keeps its file name for life: results and the level that was
open last are found by it. `levels/order.json` keeps the order, and the packs that have no level yet. Drawings that are
no levels yet stand on the same shelf, in a file of their own (`unfinished`).
"""

import re
import secrets
import threading
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec

from game.rules import levels
from game.rules.editing.history import Document
from game.rules.files import read_regular
from game.rules.levels import Level, LevelError, Pack
from game.saves import unfinished
from game.saves.files import MAX_RECORDS, DamagedFile, clean, free_name, load, put_away, read_bytes
from game.saves.folder import Saves
from game.saves.writer import Writer

VERSION = 1
MAX_PACKS = 1000
FIRST_TITLE = "My levels"
ORDER_FILE = "order.json"

_Text = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class PackError(ValueError):
    """A change that cannot be made; the text is one sentence."""


class _Place(msgspec.Struct, frozen=True, omit_defaults=True):
    stem: _Text
    empty: str = ""
    """The title of a pack without levels, which has no file."""


class _Order(msgspec.Struct, frozen=True):
    version: int
    packs: Annotated[list[_Place], msgspec.Meta(max_length=MAX_PACKS)]


@dataclass(frozen=True, slots=True)
class OwnPack:
    """One pack: the name of its file without the ending, and what is in it."""

    stem: str
    pack: Pack

    @property
    def title(self) -> str:
        """What people call it."""
        return self.pack.title or self.stem

    def number_of(self, level_id: str) -> int | None:
        """Place of the first level with that id, from 0; None where there is none."""
        return next((at for at, level in enumerate(self.pack.levels) if levels.level_id(level) == level_id), None)


@dataclass(frozen=True, slots=True)
class _Shelf:
    packs: tuple[OwnPack, ...] = ()
    drawings: tuple[Document, ...] = ()

    def with_pack(self, changed: OwnPack) -> "_Shelf":
        return replace(self, packs=tuple(changed if own.stem == changed.stem else own for own in self.packs))

    def without(self, draft: str) -> "_Shelf":
        return replace(self, drawings=tuple(each for each in self.drawings if each.draft != draft))


@dataclass(frozen=True, slots=True)
class Look:
    """What `UserPacks.look` found."""

    shelf: _Shelf
    """The packs and drawings in the files."""
    before: _Shelf
    """Those that were there when it began."""
    partly: dict[str, bytes]
    notices: list[str]


class UserPacks:
    """All own packs of one folder of saves. Use it on one thread, but for `look`."""

    def __init__(self, saves: Saves, writer: Writer, read: bool = True) -> None:
        """Reads them all; what cannot be read is set aside, and `notices` says so.

        With `read` False nothing is read, and nothing may be changed, before what a `look` found is taken.
        """
        self._saves, self._writer = saves, writer
        self._folder = folder(saves.root)
        self._read: dict[str, tuple[bytes, Pack]] = {}
        self._partly: dict[str, bytes] = {}
        """Files of which some levels were refused: kept aside before they are written again."""
        self._before: list[tuple[str, _Shelf]] = []
        self._after: list[tuple[str, _Shelf]] = []
        self.notices: list[str] = []
        self._shelf = _Shelf()
        self._looking = threading.Lock()
        self.known = False
        """Whether the files have been read."""
        if read:
            self.take(self.look())

    # Looking

    @property
    def packs(self) -> tuple[OwnPack, ...]:
        """The packs in their order."""
        return self._shelf.packs

    def get(self, stem: str) -> OwnPack | None:
        """One pack; None when there is none of that name."""
        return next((own for own in self.packs if own.stem == stem), None)

    @property
    def drawings(self) -> tuple[Document, ...]:
        """The unfinished drawings in their order."""
        return self._shelf.drawings

    def drawing(self, draft: str) -> Document | None:
        """One of them; None when there is none of that name."""
        return next((each for each in self.drawings if each.draft == draft), None)

    def refresh(self) -> None:
        """Look again at the files: they may have been changed from outside, which ends the undo history."""
        self.take(self.look())

    def look(self) -> Look:
        """What is in the files now, for `take`. It may be called on another thread."""
        with self._looking:
            before = self._shelf
            self._writer.flush()
            found = Look(_Shelf(), before, {}, [])
            return replace(found, shelf=self._found(found))

    def take(self, found: Look) -> None:
        """Go on with what a look found; with what there is, where that was changed meanwhile."""
        self.notices += found.notices
        self.known = True
        if found.before is not self._shelf:
            return
        self._partly = found.partly
        if found.shelf != self._shelf:
            self._shelf = found.shelf
            self._before.clear()
            self._after.clear()

    # Changing

    def called(self, title: str) -> str:
        """The stem of the first pack of that title, which is made where there is none."""
        title = _title(title) or FIRST_TITLE
        return next((own.stem for own in self.packs if own.title == title), None) or self.make(title)

    def make(self, title: str) -> str:
        """A new pack without levels, at the end; returns its stem."""
        title = _title(title) or FIRST_TITLE
        if len(self.packs) >= MAX_PACKS:
            raise PackError(f"There are {MAX_PACKS:,} packs already, and no more are kept.")
        taken = {own.stem for own in self.packs}
        stem = base = _stem(title)
        number = 2
        while stem in taken or (self._folder / f"{stem}.xsb").exists():
            stem, number = f"{base}-{number}", number + 1
        made = OwnPack(stem, Pack((), title))
        self._change(f"new pack “{title}”", replace(self._shelf, packs=(*self.packs, made)))
        return stem

    def rename(self, stem: str, title: str) -> None:
        """Give a pack another title; its file keeps its name."""
        own, title = self._own(stem), _title(title)
        if not title:
            raise PackError("A pack needs a name.")
        changed = OwnPack(stem, replace(own.pack, title=title))
        self._change(f"rename “{own.title}”", self._shelf.with_pack(changed))

    def move(self, stem: str, by: int) -> None:
        """Move a pack up (negative) or down the list, as far as it goes."""
        own = self._own(stem)
        rest = [other for other in self.packs if other.stem != stem]
        rest.insert(max(0, self.packs.index(own) + by), own)
        self._change(f"move “{own.title}”", replace(self._shelf, packs=tuple(rest)))

    def remove(self, stem: str) -> None:
        """Delete a pack with all its levels; `undo` brings it back."""
        own = self._own(stem)
        rest = tuple(other for other in self.packs if other.stem != stem)
        self._change(f"delete “{own.title}”", replace(self._shelf, packs=rest))

    def add(self, stem: str, new: Iterable[Level], draft: str = "") -> int:
        """Put levels at the end of a pack; returns the place of the first of them, from 0.

        `draft` is the unfinished drawing that has become a level, and is no longer kept as one.
        """
        own, added = self._own(stem), tuple(new)
        if len(own.pack.levels) + len(added) > levels.MAX_LEVELS:
            raise PackError(f"A pack holds {levels.MAX_LEVELS:,} levels at most.")
        self._put(f"add to “{own.title}”", own, (*own.pack.levels, *added), draft)
        return len(own.pack.levels)

    def replace_level(self, stem: str, number: int, level: Level, draft: str = "") -> None:
        """Put a level in the place of the one with this number (from 0); `draft` as for `add`."""
        own = self._own(stem)
        old = self._level(own, number)
        self._put(
            f"change “{_named(old, number)}”",
            own,
            (*own.pack.levels[:number], level, *own.pack.levels[number + 1 :]),
            draft,
        )

    def remove_level(self, stem: str, number: int) -> None:
        """Delete one level; `undo` brings it back."""
        own = self._own(stem)
        old = self._level(own, number)
        self._put(f"delete “{_named(old, number)}”", own, own.pack.levels[:number] + own.pack.levels[number + 1 :])

    def move_level(self, stem: str, number: int, to: int) -> int:
        """Move a level to another place of its pack; returns the place it has then."""
        own = self._own(stem)
        level = self._level(own, number)
        to = min(max(0, to), len(own.pack.levels) - 1)
        rest = own.pack.levels[:number] + own.pack.levels[number + 1 :]
        self._put(f"move “{_named(level, number)}”", own, (*rest[:to], level, *rest[to:]))
        return to

    def keep_all(self, documents: Sequence[Document]) -> None:
        """Keep several unfinished drawings, as new ones at the end."""
        after = (*self.drawings, *(replace(each, draft=secrets.token_hex(6)) for each in documents))
        if len(after) > unfinished.MAX_DRAWINGS:
            raise PackError(
                f"There would be more than {unfinished.MAX_DRAWINGS:,} unfinished drawings; none was kept."
            )
        self._change(f"keep {len(documents):,} drawings", replace(self._shelf, drawings=after))

    def keep(self, document: Document) -> Document:
        """Keep an unfinished drawing: a new one at the end, one that is kept in its place; answers it with its name."""
        shelf = self._shelf
        if self.drawing(document.draft) is not None:
            after = tuple(document if each.draft == document.draft else each for each in shelf.drawings)
        elif len(shelf.drawings) >= unfinished.MAX_DRAWINGS:
            raise PackError(
                f"There are {unfinished.MAX_DRAWINGS:,} unfinished drawings already, and no more are kept."
            )
        else:
            document = replace(document, draft=secrets.token_hex(6))
            after = (*shelf.drawings, document)
        self._change(f"keep “{document.title or 'Untitled'}”", replace(shelf, drawings=after))
        return document

    def drop(self, number: int) -> None:
        """Delete an unfinished drawing; `undo` brings it back."""
        found = self._drawing(number)
        self._change(f"delete “{found.title or 'Untitled'}”", self._shelf.without(found.draft))

    def move_drawing(self, number: int, to: int) -> int:
        """Move an unfinished drawing to another place; returns the place it has then."""
        found = self._drawing(number)
        to = min(max(0, to), len(self.drawings) - 1)
        rest = self._shelf.without(found.draft).drawings
        changed = replace(self._shelf, drawings=(*rest[:to], found, *rest[to:]))
        self._change(f"move “{found.title or 'Untitled'}”", changed)
        return to

    @property
    def can_undo(self) -> bool:
        """Whether a change can be taken back."""
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        """Whether a change that was taken back can be made again."""
        return bool(self._after)

    def undo(self) -> str:
        """Take the last change back; says which, nothing where there is none."""
        return self._step(self._before, self._after)

    def redo(self) -> str:
        """Make a change again that was taken back; says which, nothing where there is none."""
        return self._step(self._after, self._before)

    # Inside

    def _own(self, stem: str) -> OwnPack:
        own = self.get(stem)
        if own is None:
            raise PackError("This pack is no longer there.")
        return own

    def _level(self, own: OwnPack, number: int) -> Level:
        if not 0 <= number < len(own.pack.levels):
            raise PackError("This level is no longer there.")
        return own.pack.levels[number]

    def _drawing(self, number: int) -> Document:
        if not 0 <= number < len(self.drawings):
            raise PackError("This drawing is no longer there.")
        return self.drawings[number]

    def _put(self, what: str, own: OwnPack, changed: tuple[Level, ...], draft: str = "") -> None:
        pack = OwnPack(own.stem, replace(own.pack, levels=changed, title=own.title))
        self._change(what, self._shelf.with_pack(pack).without(draft))

    def _change(self, what: str, shelf: _Shelf) -> None:
        if not self._writer.writable:
            raise PackError("The saves folder is read-only, so packs cannot be changed.")
        if shelf != self._shelf:
            self._before.append((what, self._shelf))
            self._after.clear()
            self._write(shelf)

    def _step(self, here: list[tuple[str, _Shelf]], there: list[tuple[str, _Shelf]]) -> str:
        if not here:
            return ""
        what, shelf = here.pop()
        there.append((what, self._shelf))
        self._write(shelf)
        return what

    def _write(self, shelf: _Shelf) -> None:
        """Take the shelf and write what differs: removals after the order, so that a killed app leaves no stump."""
        before = {own.stem: own.pack for own in self.packs if own.pack.levels}
        after = {own.stem: own.pack for own in shelf.packs if own.pack.levels}
        redrawn = shelf.drawings != self._shelf.drawings
        self._shelf = shelf
        for stem, pack in after.items():
            if before.get(stem) is not pack:
                self._keep_aside(stem)
                self._writer.put(self._path(stem), partial(_text, pack))
        places = [_Place(clean(own.stem), "" if own.pack.levels else own.title) for own in shelf.packs]
        self._writer.put(self._folder / ORDER_FILE, msgspec.json.format(msgspec.json.encode(_Order(VERSION, places))))
        for stem in before.keys() - after.keys():
            self._keep_aside(stem)
            self._writer.put(self._path(stem), None)
        if redrawn:
            drawings = self._folder / unfinished.FILE
            self._writer.put(drawings, partial(unfinished.encode, shelf.drawings) if shelf.drawings else None)

    def _keep_aside(self, stem: str) -> None:
        """A file of which not every level could be read keeps its old content under `damaged/`."""
        data = self._partly.pop(stem, None)
        if data is not None:
            self._writer.put(free_name(self._saves.damaged, stem, ".xsb"), data)

    def _path(self, stem: str) -> Path:
        return self._folder / f"{stem}.xsb"

    def _found(self, look: Look) -> _Shelf:
        """The shelf in the files; what is to be said and kept of them goes into `look`."""
        order = load(self._saves, self._folder / ORDER_FILE, _Order, VERSION)
        if order.notice is not None:
            look.notices.append(order.notice)
        places = order.value.packs if order.value is not None else []
        found: dict[str, OwnPack] = {}
        for path in sorted_paths(self._folder, [place.stem for place in places])[:MAX_PACKS]:
            try:
                found[path.stem] = OwnPack(path.stem, self._pack(path, look))
            except FileNotFoundError:
                continue
            except DamagedFile as error:
                look.notices.append(put_away(self._saves, error))
        for place in places:
            if place.empty and place.stem not in found and Path(place.stem).name == place.stem:
                found[place.stem] = OwnPack(place.stem, Pack((), place.empty))
        rank = {place.stem: at for at, place in enumerate(places)}
        drawings = unfinished.load(self._saves, self._folder)
        if drawings.notice is not None:
            look.notices.append(drawings.notice)
        packs = sorted(found.values(), key=lambda own: rank.get(own.stem, len(rank)))
        return _Shelf(tuple(packs), drawings.value or ())

    def _pack(self, path: Path, look: Look) -> Pack:
        data = read_bytes(path, levels.MAX_BYTES)
        known = self._read.get(path.stem)
        if known is not None and known[0] == data:
            if path.stem in self._partly:
                look.partly[path.stem] = data
            return known[1]
        own = next((own for own in look.before.packs if own.stem == path.stem), None)
        if own is not None and _text(own.pack) == data:  # what was written here
            self._read[path.stem] = (data, own.pack)
            return own.pack
        try:
            pack, errors = levels.parse_lenient(data, path.name)
        except LevelError as error:
            raise DamagedFile(path, error.reason) from None
        if not pack.levels:
            raise DamagedFile(path, errors[0].reason)
        if errors:
            look.partly[path.stem] = data
        for level in pack.levels:
            levels.level_id(level)  # worked out here, where nobody waits for it
        self._read[path.stem] = (data, pack)
        return pack


def folder(root: Path) -> Path:
    """Where the own packs of a folder of saves are."""
    return root / "levels"


def sorted_paths(own: Path, order: list[str] | None = None) -> list[Path]:
    """The files of own packs in the user's order, new ones at the end; never raises."""
    if order is None:
        try:
            saved = msgspec.json.decode(read_regular(own / ORDER_FILE, MAX_RECORDS), type=_Order)
            order = [place.stem for place in saved.packs]
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            order = []
    rank = {stem: at for at, stem in enumerate(order)}
    try:
        paths = list(own.glob("*.xsb"))
    except OSError:
        return []
    return sorted(paths, key=lambda path: (rank.get(path.stem, len(rank)), path.name.lower()))


def _text(pack: Pack) -> bytes:
    return levels.dump(pack).encode()


def _title(text: str) -> str:
    return clean(" ".join(text.split()), 200)


def _named(level: Level, number: int) -> str:
    return level.title or f"Level {number + 1}"


def _stem(title: str) -> str:
    """A file name made of a title: plain letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].strip("-") or "levels"
