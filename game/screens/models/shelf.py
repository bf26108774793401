"""The user's folder of models: importing, renaming, deleting with undo. Knows no window.

Models that ship with the app are listed beside the user's own and never changed. What belongs to a model (its
training's checkpoint and logs) goes where the model goes. A deleted model lies in `models/trash/` until `empty_trash`.
"""

import contextlib
import errno
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from ai import models
from ai.models import CHECKPOINT, SUFFIX, ModelCard
from ai.temporary import beside, sweep
from ai.tensors import MAX_HEADER, ModelError
from game.rules.files import open_regular
from game.rules.games import GAMES
from game.saves.files import free_name
from game.saves.folder import PROGRAM_SAVES, Saves

SHIPPED = PROGRAM_SAVES / "models"
"""The folder of the models that ship with the app."""
SHIPPED_NAMES = frozenset(
    {
        "2048-small",
        "2048-strong",
        "2048-3x3",
        "2048-5x5",
        "ntuple-report",
        "qlearning-100k",
        "qlearning-400k",
        "connect4-book",
        "connect4-ntuple",
        "connect4-ntuple-444",
        "connect4-net",
        "sokoban-dqn-one-box",
        "sokoban-dqn-two-boxes",
        "sokoban-dqn-report",
        "sokoban-policy-2min",
        "sokoban-policy-hour",
        "sokoban-policy",
    }
)
"""Those that ship, for where the user's folder is the same one."""
MAX_BYTES = 1_000_000_000
"""Largest file that is copied here."""
MAX_NAME = 60
TRASH = "trash"
COMPANIONS = (CHECKPOINT, ".csv", ".tensorboard")
"""Endings of what a training leaves beside its model."""
_FORBIDDEN = frozenset('/\\:*?"<>|,')
"""Signs that no name has: file systems forbid most of them, and a comma ends the name where agents are written."""


class ShelfError(ValueError):
    """What was asked for is not possible; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """A model in the trash."""

    name: str
    moved: tuple[tuple[Path, Path], ...]
    """(where it was, where it is) of each file."""


def folders(saves: Saves) -> tuple[Path, ...]:
    """Where models are looked for, the user's folder first."""
    return tuple(dict.fromkeys((saves.models, SHIPPED)))


def name_problem(name: str) -> str | None:
    """Why a model cannot be called that, in one sentence, or None."""
    if not name:
        return "A model needs a name."
    if len(name) > MAX_NAME:
        return f"A name has at most {MAX_NAME} characters."
    if not name.isprintable() or _FORBIDDEN & set(name):
        return f"A name cannot contain {' '.join(sorted(_FORBIDDEN))} in it."
    if name[0] == "." or name[-1] in ". " or name[0] == " ":
        return "A name cannot begin or end with a dot or a space."
    if (name + SUFFIX).endswith(CHECKPOINT) or name.endswith(SUFFIX):
        return f"A name cannot end like the file of a {'model' if name.endswith(SUFFIX) else 'checkpoint'}."
    return None


def clean_name(name: str) -> str:
    """A name made of whatever a file is called."""
    plain = "".join("-" if sign in _FORBIDDEN or not sign.isprintable() else sign for sign in name)
    plain = plain.removesuffix(CHECKPOINT.removesuffix(SUFFIX)).strip(" .")[:MAX_NAME].rstrip(" .")
    return plain if name_problem(plain) is None else "model"


def looks_like_model(name: str, head: bytes) -> bool:
    """Whether a file of this name, of which `head` are the first bytes, is to be taken for a model."""
    length = int.from_bytes(head[:8], "little")
    return name.lower().endswith(SUFFIX) or (2 <= length <= MAX_HEADER and head[8:9] == b"{")


class Shelf:
    """The models that can be seen, and what can be done with the user's own."""

    def __init__(self, saves: Saves) -> None:
        """Removes what an import that was killed has left."""
        self._saves = saves
        if saves.writable:
            sweep(self.folder)

    @property
    def folder(self) -> Path:
        """Of the user's own models."""
        return self._saves.models

    def cards(self) -> list[ModelCard]:
        """Every model: the games in the order of the menu, by name; last what cannot be used."""
        places = {game: place for place, game in enumerate(GAMES)}

        def place(card: ModelCard) -> tuple[bool, int]:
            return card.problem is not None, places.get(card.game, len(places))

        return sorted(models.listing(folders(self._saves)), key=place)

    def ships(self, card: ModelCard) -> bool:
        """Whether a model comes with the app."""
        return card.path.parent != self.folder or (self.folder == SHIPPED and card.name in SHIPPED_NAMES)

    def keeper(self, card: ModelCard) -> str | None:
        """Why a model's file cannot be changed, in one sentence, or None when it can."""
        if self.ships(card):
            return "It comes with the app and cannot be changed."
        if not self._saves.writable:
            return "The saves folder is read-only, so models cannot be changed."
        return None

    # Changes

    def rename(self, card: ModelCard, name: str) -> ModelCard:
        """Give the model's file, and so the model, another name.

        Raises:
            ShelfError: with why not.
        """
        self._may_change(card)
        name = " ".join(name.split())
        problem = name_problem(name)
        if problem is not None:
            raise ShelfError(problem)
        if name == card.name:
            return card
        new = self.folder / (name + SUFFIX)
        if name.casefold() != card.name.casefold() and self._taken(name):
            raise ShelfError(f"There is already a model called {name!r}.")
        self._move([(card.path, new), *((old, self.folder / (name + end)) for end, old in self._companions(card))])
        return models.card(new)

    def delete(self, card: ModelCard) -> Deleted:
        """Move a model into the trash.

        Raises:
            ShelfError: with why not; everything stands where it was.
        """
        self._may_change(card)
        trash = self.folder / TRASH
        try:
            trash.mkdir(exist_ok=True)
        except OSError as error:
            raise ShelfError(_sentence(card.name, "cannot be deleted", error)) from None
        moves = [(card.path, free_name(trash, card.name, SUFFIX))]
        moves += [(old, free_name(trash, card.name, end)) for end, old in self._companions(card)]
        self._move(moves)
        return Deleted(card.name, tuple(moves))

    def take_back(self, deleted: Deleted) -> ModelCard:
        """Bring a deleted model back to where it was.

        Raises:
            ShelfError: when that is no longer possible.
        """
        if self._taken(deleted.name):
            raise ShelfError(f"There is another model {deleted.name!r} now: rename it first.")
        self._move([(there, was) for was, there in deleted.moved])
        return models.card(deleted.moved[0][0])

    def empty_trash(self) -> None:
        """Remove what was deleted for good, also what an earlier window left."""
        if self._saves.writable:
            shutil.rmtree(self.folder / TRASH, ignore_errors=True)

    def bring_in(self, source: Path) -> ModelCard:
        """Copy a model file here, whole and fully checked; takes a second or two for a large one.

        A file that is here already is not copied again.

        Raises:
            ShelfError: with the file's name and the reason; nothing is left behind.
        """
        if not self._saves.writable:
            raise ShelfError("The saves folder is read-only, so nothing can be imported.")
        header = models.card(source)
        if header.problem is not None:
            raise ShelfError(f"{source.name} is not imported: {header.problem}.")
        if header.size > MAX_BYTES:
            raise ShelfError(f"{source.name} is not imported: it is larger than {MAX_BYTES // 1_000_000} MB.")
        temporary = beside(self.folder / "import")
        try:
            if source.resolve().parent == self.folder.resolve():
                return models.check(source)
            self.folder.mkdir(parents=True, exist_ok=True)
            with open_regular(source) as old, temporary.open("xb") as new:
                shutil.copyfileobj(old, new, 1 << 20)
                new.flush()
                os.fsync(new.fileno())
            models.check(temporary)
            same = self._same(temporary)
            if same is not None:
                return same
            path = self.folder / (self._free(clean_name(header.name)) + SUFFIX)
            os.rename(temporary, path)
        except ModelError as error:
            raise ShelfError(f"{source.name} is not imported: {error.reason}.") from None
        except OSError as error:
            raise ShelfError(_sentence(source.name, "is not imported", error)) from None
        finally:
            with contextlib.suppress(OSError):
                temporary.unlink()
        return models.card(path)

    # Inside

    def _may_change(self, card: ModelCard) -> None:
        reason = self.keeper(card)
        if reason is not None:
            raise ShelfError(reason)

    def _taken(self, name: str) -> bool:
        """Whether a model, here or shipped, has that name, or one that differs only in capitals."""
        if os.path.lexists(self.folder / (name + SUFFIX)):
            return True
        return any(card.name.casefold() == name.casefold() for card in self.cards())

    def _free(self, name: str) -> str:
        candidate, number = name, 2
        while self._taken(candidate):
            candidate, number = f"{name}-{number}", number + 1
        return candidate

    def _same(self, file: Path) -> ModelCard | None:
        """The model that is here already with exactly this content."""
        size = file.stat().st_size
        for card in self.cards():
            if card.problem is None and card.size == size and _content_equal(card.path, file):
                return card
        return None

    def _companions(self, card: ModelCard) -> list[tuple[str, Path]]:
        """(ending, path) of what a training left beside the model."""
        beside = [(end, card.path.with_name(card.name + end)) for end in COMPANIONS]
        return [(end, path) for end, path in beside if path.exists()]

    def _move(self, moves: list[tuple[Path, Path]]) -> None:
        """Rename files one after the other; on a failure those moved go back and ShelfError is raised."""
        done: list[tuple[Path, Path]] = []
        try:
            for old, new in moves:
                if os.path.lexists(new) and not os.path.samefile(old, new):
                    raise FileExistsError(errno.EEXIST, f"there is a {new.name} already")
                os.rename(old, new)
                done.append((old, new))
        except OSError as error:
            for old, new in reversed(done):
                with contextlib.suppress(OSError):
                    os.rename(new, old)
            raise ShelfError(_sentence(moves[0][0].name, "cannot be moved", error)) from None


def _content_equal(one: Path, other: Path) -> bool:
    with open_regular(one) as first, open_regular(other) as second:
        while True:
            piece = first.read(1 << 20)
            if piece != second.read(1 << 20):
                return False
            if not piece:
                return True


def _sentence(name: str, what: str, error: OSError) -> str:
    return f"{name} {what}: {(error.strerror or type(error).__name__).rstrip('.')}."
