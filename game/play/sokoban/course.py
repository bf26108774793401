"""Which level is on the board: its pack, its place there, its neighbours, and what it is called."""

from collections.abc import Mapping

from game.play.sokoban.packs import LevelPack, Packs
from game.rules import sokoban
from game.rules.levels import Level
from game.rules.sokoban import State
from game.saves.progress import Progress
from game.saves.resume import Extra

LAST_RESORT = Level(sokoban.from_array([[1, 1, 1, 1, 1, 1], [1, 4, 2, 0, 3, 1], [1, 1, 1, 1, 1, 1]]), "One box")
"""The level shown where no pack can be read."""
TITLE_LENGTH = 200


class Course:
    """The present level and the way to others."""

    def __init__(self, packs: Packs) -> None:
        """No level yet: call `begin` or `take_up`."""
        self.packs = packs
        self.pack: LevelPack | None = None
        """None for a level that is in no pack (any more)."""
        self.number = 0
        """Place of the level in its pack, from 0."""
        self.title = ""
        self.level_id = ""

    def begin(self, pack: LevelPack | None, number: int = 0) -> Level:
        """Go to a level of a pack, or with None to the only level that needs none."""
        self.pack, self.number = pack, number
        level = LAST_RESORT if pack is None else pack.levels[number]
        self.title = level.title
        self.level_id = "" if pack is None else pack.ids[number]
        return level

    def level(self, start: State) -> Level:
        """The present level with what its pack says of it; `start` is its first position, for one in no pack."""
        return self.pack.levels[self.number] if self.pack is not None else Level(start, self.title)

    def take_up(self, extra: Mapping[str, Extra]) -> None:
        """Go to the level of a saved game, as `extra` wrote it down; it may be gone from the packs."""
        self.level_id, self.title = str(extra.get("level") or ""), str(extra.get("title") or "")
        pack = self.packs.get(str(extra.get("pack") or ""))
        number = pack.number_of(self.level_id) if pack is not None else None
        self.pack, self.number = (pack, number) if number is not None else (None, 0)

    def find(self, level_id: str) -> tuple[LevelPack | None, int]:
        """The pack that has a level and its place there, among the packs that have been read."""
        for file in self.packs.files:
            pack = self.packs.peek(file.id)
            number = pack.number_of(level_id) if pack is not None else None
            if pack is not None and number is not None:
                return pack, number
        return None, 0

    def extra(self) -> dict[str, Extra]:
        """What `take_up` needs."""
        return {"pack": self.pack.id if self.pack else "", "level": self.level_id, "title": self.title[:TITLE_LENGTH]}

    def last(self, progress: Progress) -> tuple[LevelPack, int] | None:
        """The level that was open last; for a newcomer the first of all, which teaches; None where there is no level."""
        pack = self.packs.get(progress.last_pack) if progress.last_pack else None
        if pack is None:
            pack = self.packs.first_puzzles() if progress.any_level else self.packs.first()
        if pack is None:
            return None
        level_id = progress.last_level(pack.id)
        return pack, (pack.number_of(level_id) if level_id else None) or 0

    def neighbour(self, step: int) -> tuple[LevelPack, int] | None:
        """The next (1) or the previous (-1) level, on into the neighbouring pack at the ends; None at the very end."""
        pack, number = self.pack, self.number + step
        if pack is None:
            first = self.packs.first_puzzles()
            return (first, 0) if first is not None else None
        if 0 <= number < len(pack.levels):
            return pack, number
        other = self.packs.neighbour(pack.id, step)
        return (other, 0 if step > 0 else len(other.levels) - 1) if other is not None else None

    @property
    def parts(self) -> tuple[str, ...]:
        """'Depot', '12 of 60', '“Two aisles”': what there is of it."""
        title = f"“{self.title}”" if self.title else ""
        if self.pack is None:
            return (title,) if title else ()
        place = f"{self.number + 1} of {len(self.pack.levels)}"
        return tuple(part for part in (self.pack.title, place, title) if part)

    @property
    def short(self) -> str:
        """'Depot 12', or the title of a level that is in no pack."""
        if self.pack is None:
            return f"“{self.title}”" if self.title else "A level"
        return f"{self.pack.title} {self.number + 1}"

    @property
    def name(self) -> str:
        """For a replay: 'Depot 12 “Two aisles”'."""
        return f"{self.short} “{self.title}”" if self.pack is not None and self.title else self.short
