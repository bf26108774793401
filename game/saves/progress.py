"""What was reached so far: best Sokoban solutions, best 2048 games, who won at connect-4.

`Progress` holds it in memory and hands every change to the writer. The file is bounded: the oldest records make
room for new ones, and solutions' moves are let go before their numbers.
"""

from collections.abc import Sequence
from typing import Annotated

import msgspec

from game.rules.game import PERSON
from game.saves.files import clean, load, newest
from game.saves.folder import Saves
from game.saves.writer import Writer

MAX_LEVELS = 10_000
MAX_FOUND = 1000
MAX_PACKS = 500
MAX_MATCHES = 500
MAX_LURD = 4_000_000
"""Characters of solutions kept in all."""
MAX_ONE_LURD = 1_000_000

Count = Annotated[int, msgspec.Meta(ge=0, le=2**62)]
Text = Annotated[str, msgspec.Meta(max_length=500)]
Lurd = Annotated[str, msgspec.Meta(max_length=MAX_ONE_LURD, pattern="^[udlrUDLR&-]*$")]


class Solution(msgspec.Struct, frozen=True):
    """One solution of a Sokoban level. `lurd` is empty when its moves were let go to save room."""

    moves: Count
    pushes: Count
    lurd: Lurd
    by: Text
    """'person' or the text of an agent's spec."""


class Own(msgspec.Struct, frozen=True):
    """A person's own best numbers on one level, kept where an agent has better ones."""

    by_moves: tuple[Count, Count]
    """(moves, pushes) of the solution with the fewest moves."""
    by_pushes: tuple[Count, Count]
    """(moves, pushes) of the solution with the fewest pushes."""


class LevelRecord(msgspec.Struct, frozen=True):
    """The best solutions of one level, and whether a person ever solved it."""

    by_moves: Solution
    """Fewest moves, and of those the fewest pushes."""
    by_pushes: Solution
    """Fewest pushes, and of those the fewest moves."""
    person: bool = False
    own: Own | None = None
    """None until a person solves it."""


class Score(msgspec.Struct, frozen=True):
    """The best of one board size in 2048, of persons or of agents; the two may come from different games."""

    score: Count = 0
    tile: Count = 0
    """Number on the largest tile."""


class Tally(msgspec.Struct, frozen=True):
    """Games of one set-up of connect-4: wins by seat, and draws."""

    wins: Annotated[tuple[Count, ...], msgspec.Meta(max_length=6)]
    draws: Count = 0

    @property
    def games(self) -> int:
        """Games in all."""
        return sum(self.wins) + self.draws


class Connect4Setup(msgspec.Struct, frozen=True):
    """The last board and who sat where."""

    rows: Annotated[int, msgspec.Meta(ge=1, le=64)]
    cols: Annotated[int, msgspec.Meta(ge=1, le=64)]
    depth: Annotated[int, msgspec.Meta(ge=1, le=64)]
    win: Annotated[int, msgspec.Meta(ge=1, le=64)]
    seats: Annotated[tuple[Text, ...], msgspec.Meta(min_length=1, max_length=6)]


class Record(msgspec.Struct):
    """The file's form."""

    version: int = 1
    levels: dict[Text, LevelRecord] = {}
    found: dict[Text, LevelRecord] = {}
    """Solutions that an agent found and nobody has played: they solve no level."""
    last_level: dict[Text, Text] = {}
    last_pack: Text = ""
    scores: dict[Text, Score] = {}
    tallies: dict[Text, Tally] = {}
    connect4: Connect4Setup | None = None


class Progress:
    """The record in memory. Every method that changes it puts it to the writer; call them on one thread."""

    def __init__(self, saves: Saves, writer: Writer) -> None:
        """Reads the file; `notice` has a sentence when it was damaged."""
        self._path = saves.progress
        self._writer = writer
        loaded = load(saves, saves.progress, Record)
        self.notice = loaded.notice
        self._record = loaded.value or Record()
        self._lurd = sum(_lurd_size(level) for level in self._record.levels.values())

    # --- Sokoban ---

    def level(self, level_id: str) -> LevelRecord | None:
        """The best solutions of a level, None when it was never solved."""
        return self._record.levels.get(level_id)

    def solved(self, level_id: str) -> bool:
        """Whether a person solved it, with no help."""
        record = self._record.levels.get(level_id)
        return record is not None and record.person

    def solved_level(self, level_id: str, moves: int, pushes: int, lurd: str, by: str = PERSON) -> tuple[bool, bool]:
        """Note a solution; returns whether it is the best by moves, and by pushes.

        A solution equal in both to the one kept takes its place only when a person's replaces an agent's.
        """
        new = Solution(int(moves), int(pushes), lurd if len(lurd) <= MAX_ONE_LURD else "", clean(by))
        old = self._record.levels.pop(level_id, None)
        person = by == PERSON
        if old is None:
            made, best = LevelRecord(new, new, person, _own(None, new)), (True, True)
        else:
            best = (
                _better((moves, pushes), by, (old.by_moves.moves, old.by_moves.pushes), old.by_moves.by),
                _better((pushes, moves), by, (old.by_pushes.pushes, old.by_pushes.moves), old.by_pushes.by),
            )
            made = LevelRecord(
                new if best[0] else old.by_moves,
                new if best[1] else old.by_pushes,
                old.person or person,
                _own(old.own, new),
            )
            self._lurd -= _lurd_size(old)
        self._record.levels[level_id] = made
        self._lurd += _lurd_size(made)
        self._make_room()
        self._save()
        return best

    def found_solution(self, level_id: str, moves: int, pushes: int, lurd: str, by: str) -> None:
        """Note a solution that an agent found but did not play; the level stays unsolved."""
        new = Solution(int(moves), int(pushes), lurd if len(lurd) <= MAX_ONE_LURD else "", clean(by))
        old = self._record.found.get(level_id)
        by_moves = by_pushes = new
        if old is not None:
            by_moves = min(new, old.by_moves, key=lambda each: (each.moves, each.pushes))
            by_pushes = min(new, old.by_pushes, key=lambda each: (each.pushes, each.moves))
        made = LevelRecord(by_moves, by_pushes)
        if made != old:
            self._record.found = newest(self._record.found, level_id, made, MAX_FOUND)
            self._save()

    def solutions(self, level_id: str) -> tuple[Solution, ...]:
        """The best solutions that are known of a level, played or only found."""
        records = (self._record.levels.get(level_id), self._record.found.get(level_id))
        return tuple(each for record in records if record is not None for each in (record.by_moves, record.by_pushes))

    @property
    def any_level(self) -> bool:
        """Whether any level was opened or solved."""
        return bool(self._record.levels or self._record.last_pack)

    def open_level(self, pack: str, level_id: str) -> None:
        """Note which level of which pack is on the board."""
        pack = clean(pack)
        self._record.last_level = newest(self._record.last_level, pack, level_id, MAX_PACKS)
        self._record.last_pack = pack
        self._save()

    def last_level(self, pack: str) -> str | None:
        """The level of the pack that was on the board last."""
        return self._record.last_level.get(clean(pack))

    @property
    def last_pack(self) -> str | None:
        """The pack that was open last."""
        return self._record.last_pack or None

    def _make_room(self) -> None:
        levels = self._record.levels
        while len(levels) > MAX_LEVELS:
            self._lurd -= _lurd_size(levels.pop(next(iter(levels))))
        if self._lurd > MAX_LURD:
            for level_id, level in levels.items():
                self._lurd -= _lurd_size(level)
                levels[level_id] = msgspec.structs.replace(
                    level,
                    by_moves=msgspec.structs.replace(level.by_moves, lurd=""),
                    by_pushes=msgspec.structs.replace(level.by_pushes, lurd=""),
                )
                if self._lurd <= MAX_LURD:
                    break

    # --- 2048 ---

    def played_2048(self, size: int, score: int, tile: int, by: str = PERSON) -> bool:
        """Note how far a game got, at any time in it; returns whether its score is a new best."""
        key = _size_key(size, by)
        old = self._record.scores.get(key, Score())
        new = Score(max(old.score, int(score)), max(old.tile, int(tile)))
        if new != old:
            self._record.scores[key] = new
            self._save()
        return score > old.score

    def best_2048(self, size: int, by: str = PERSON) -> Score:
        """The best of a size: of persons, or of agents (any other text)."""
        return self._record.scores.get(_size_key(size, by), Score())

    @property
    def any_2048(self) -> bool:
        """Whether any game of any size made points."""
        return any(score.score for score in self._record.scores.values())

    # --- connect-4 ---

    @property
    def any_connect4(self) -> bool:
        """Whether any game was set up or came to its end."""
        return bool(self._record.tallies) or self._record.connect4 is not None

    def played_connect4(self, shape: str, seats: Sequence[str], winner: int | None) -> Tally:
        """Note the end of a game: the seat that won, None for a draw; returns the new counts.

        Args:
            shape: 'rows,cols,depth,win'.
            seats: who sat where, 'person' or the text of a spec.
            winner: seat from 0.
        """
        old = self.tally(shape, seats)
        wins = tuple(count + (seat == winner) for seat, count in enumerate(old.wins))
        new = Tally(wins, old.draws + (winner is None))
        self._record.tallies = newest(self._record.tallies, _match_key(shape, seats), new, MAX_MATCHES)
        self._save()
        return new

    def tally(self, shape: str, seats: Sequence[str]) -> Tally:
        """How often each seat won with this board and these players."""
        found = self._record.tallies.get(_match_key(shape, seats))
        return found if found is not None and len(found.wins) == len(seats) else Tally((0,) * len(seats))

    def forget_tally(self, shape: str, seats: Sequence[str]) -> None:
        """Begin to count these players' games on this board anew."""
        if self._record.tallies.pop(_match_key(shape, seats), None) is not None:
            self._save()

    def set_up_connect4(self, rows: int, cols: int, depth: int, win: int, seats: Sequence[str]) -> None:
        """Note the board and the players of the game that starts."""
        self._record.connect4 = Connect4Setup(rows, cols, depth, win, tuple(clean(seat) for seat in seats))
        self._save()

    @property
    def connect4_setup(self) -> Connect4Setup | None:
        """The last board and players; the rules and the catalogue must still check them."""
        return self._record.connect4

    def _save(self) -> None:
        if self._writer.writable:
            # Everything inside is frozen, so copies of the dictionaries are a snapshot the other thread may encode.
            record = self._record
            snapshot = msgspec.structs.replace(
                record,
                levels=dict(record.levels),
                found=dict(record.found),
                last_level=dict(record.last_level),
                scores=dict(record.scores),
                tallies=dict(record.tallies),
            )
            self._writer.put(self._path, lambda: msgspec.json.encode(snapshot))


def _better(new: tuple[int, int], by: str, old: tuple[int, int], old_by: str) -> bool:
    return new < old or (new == old and by == PERSON and old_by != PERSON)


def _own(old: Own | None, new: Solution) -> Own | None:
    """A person's best numbers after one more solution, which may be an agent's."""
    if new.by != PERSON:
        return old
    numbers = (new.moves, new.pushes)
    if old is None:
        return Own(numbers, numbers)
    return Own(min(old.by_moves, numbers), min(old.by_pushes, numbers, key=lambda pair: (pair[1], pair[0])))


def _lurd_size(level: LevelRecord) -> int:
    return len(level.by_moves.lurd) + len(level.by_pushes.lurd)


def _size_key(size: int, by: str) -> str:
    return f"{size}/{'person' if by == 'person' else 'agent'}"


def _match_key(shape: str, seats: Sequence[str]) -> str:
    return clean(f"{shape} {' | '.join(seats)}")
