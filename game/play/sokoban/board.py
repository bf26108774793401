"""The levels of Sokoban that are played one after another: which is on the board, how far it was played, which way round.

A level may be played backwards as well: that is a game of its own, left and taken up like any other, and its end is a
solution of the level.
"""

from typing import Any

from typing_extensions import override

from game.play.session import Session
from game.play.sokoban import places
from game.play.sokoban.attempts import Attempt, Attempts
from game.play.sokoban.course import Course
from game.play.sokoban.gestures import Gestures
from game.play.sokoban.ghost import Beat, beats_of
from game.play.sokoban.line import Line
from game.play.sokoban.packs import LevelPack, packs_of
from game.play.store import Store
from game.play.timeline import Timeline
from game.play.watcher import Watcher
from game.play.words import counted
from game.rules import replay as replays
from game.rules import sokoban
from game.rules.game import PERSON
from game.rules.levels import Level, level_id
from game.rules.replay import Replay, Step, initial
from game.rules.sokoban import State
from game.saves.resume import Extra

WORTH_KEEPING = 10
"""Moves of an unfinished level that is left for a replay."""


class LevelBoard(Session):
    """Levels from the packs of `levels/` and of the saves folder; who plays them is left to `LevelSession`."""

    game = "sokoban"
    title = "Sokoban"

    timeline: Timeline[State]

    def __init__(self, store: Store, watcher: Watcher | None = None) -> None:
        """Takes up the saved game."""
        self.course = Course(packs_of(store.saves.root))
        self.line = Line()
        self.gestures = Gestures()
        self._attempts = Attempts()
        self._forwards: tuple[State | None, int] = (None, 0)
        """Steps of the solution forwards, and the last position of the one backwards that it was found from."""
        super().__init__(store, watcher)

    # What is known of a level

    def know_level(self) -> None:
        """Another level, or the same one the other way round, is on the board."""

    def forget(self) -> None:
        """Another level comes to the board."""

    # Levels

    @override
    def first_game(self) -> None:
        """The level that was open last, else the first of all."""
        last = self.course.last(self.store.progress)
        if last is None:
            self.watcher.say("No pack of levels can be read, so here is a single level.", "bad")
        self._begin_level(*(last or (None, 0)))

    @override
    def took_up(self) -> None:
        """The saved game's level."""
        self.course.take_up(self.extra)
        self.line.start(self.extra.get("agent_ply"), self.extra.get("pasted_ply"))
        self.gestures.start(len(self.timeline.steps))
        self.know_level()

    @override
    def begin(self, initial: Any, seed: int | None = None) -> None:
        """As for every game; nothing of the level before is left."""
        self.forget()
        self.gestures.start()
        super().begin(initial, seed)

    def _begin_level(self, pack: LevelPack | None, number: int) -> None:
        level = self.course.begin(pack, number)
        self.begin_from(level.state)
        if pack is not None and self.course.packs.file(pack.id) is not None:
            self.store.progress.open_level(pack.id, self.course.level_id)

    def begin_from(self, first: State) -> None:
        """The present level, from this position."""
        self.line.start()
        self.begin(first)
        self.extra = self.course.extra()
        self.know_level()

    def open_level(self, pack: LevelPack, number: int) -> None:
        """Go to a level; the present one is kept as it is until the app is closed."""
        course = self.course
        if course.pack is not None and course.level_id == pack.ids[number]:
            course.begin(pack, number)
            if self.over:
                self.restart()
            return
        self.leave_game()
        self._begin_level(pack, number)
        self._take_attempt()

    def _take_attempt(self) -> None:
        """Go on where this level, played this way round, was left."""
        left = self._attempts.take(self._attempt_name)
        if left is not None:
            self.timeline, self.seed, self.gestures = left.timeline, left.seed, left.gestures
            self.started, self.seconds = left.started, left.seconds
            self.line.start(left.agent_ply, left.pasted_ply)
            self.note_hands()
            self.watcher.jumped()

    @property
    def _attempt_name(self) -> str:
        return f"{self.course.level_id}{' backwards' if self.backwards else ''}"

    @property
    def level(self) -> Level:
        """The level on the board, with what its file says of it."""
        return self.course.level(self.start)

    def moved_to(self, pack: LevelPack, number: int) -> None:
        """The level on the board now stands in another pack; the game on it goes on."""
        self.course.begin(pack, number)
        self.extra = {**self.extra, **self.course.extra()}
        self.store.progress.open_level(pack.id, self.course.level_id)
        self.changed()

    @override
    def leave_game(self) -> None:
        """The level can be taken up again as it stands until the app is closed."""
        if self.course.level_id and not self.over:
            line = self.line
            attempt = Attempt(
                self.timeline, self.gestures, line.agent_ply, line.pasted_ply, self.seed, self.started, self.seconds
            )
            self._attempts.leave(self._attempt_name, attempt)
            self.gestures = Gestures()

    @override
    def take_over(self, record: Replay, states: list[Any], seats: tuple[str, ...]) -> None:
        """As for every game; what was played on the level before goes to the library if it was of some length."""
        self.keep_attempt()
        self.forget()
        super().take_over(record, states, seats)
        self.watcher.began()

    def keep_attempt(self) -> None:
        """Another game takes the place of an unfinished one: it goes to the library if it is of some length."""
        if not self.finished and self.timeline.cursor >= WORTH_KEEPING:
            self.keep_replay(batch=self.helped)

    @override
    def extra_of(self, record: Replay, state: State) -> dict[str, Extra]:
        """The level, with its pack where one of those read so far has it, and whether an agent played."""
        first = initial(record)
        assert isinstance(first, State)
        level = Level(sokoban.level_of(first) if first.warehouse.entry >= 0 else first)
        pack, number = self.course.find(level_id(level))
        title = pack.levels[number].title if pack is not None else record.title
        extra: dict[str, Extra] = {"pack": pack.id if pack else "", "level": level_id(level), "title": title}
        return {**extra, "agent_ply": None if record.seats == (PERSON,) else 0}

    def change_level(self, step: int) -> None:
        """The next (1) or the previous (-1) level."""
        found = self.course.neighbour(step)
        if found is None:
            self.watcher.say(f"This is the {'last' if step > 0 else 'first'} level of all.")
            return
        before = self.course.pack
        self.open_level(*found)
        if before is not None and found[0].id != before.id:
            self.watcher.say(f"{'Next' if step > 0 else 'Previous'} pack: {found[0].title}.")

    @override
    def new_game(self) -> None:
        """The same as restart."""
        self.restart()

    def restart(self) -> None:
        """Back to the start of the level; redo and undo still work from there."""
        if self.timeline.can_undo:
            self.go(0)
            self.watcher.sound("undo")

    # Lessons

    @property
    @override
    def lesson_at(self) -> tuple[int, int] | None:
        """How many rooms of its pack are done up to this one, where that teaches and the room is not played backwards."""
        pack = self.course.pack
        if pack is None or not pack.teaches or self.backwards:
            return None
        return self.course.number + self.over, len(pack.levels)

    def ghost(self) -> tuple[Beat, ...]:
        """What shows the idea of the level on the board; nothing where it teaches none."""
        return beats_of(self.level) if self.lesson_at is not None else ()

    @override
    def learn(self) -> None:
        """The first room of the pack that teaches, from its start."""
        pack = self.course.packs.lessons()
        if pack is None:
            self.watcher.say("There are no rooms that teach.", "bad")
            return
        self.open_level(pack, 0)
        self.restart()

    @override
    def skip_lesson(self) -> None:
        """On to the first pack of puzzles, to the level that was open there last."""
        pack = self.course.packs.first_puzzles()
        if self.lesson_at is not None and pack is not None and pack is not self.course.pack:
            self.open_level(pack, pack.number_of(self.store.progress.last_level(pack.id) or "") or 0)

    # Backwards

    @property
    def backwards(self) -> bool:
        """Whether the level is played backwards."""
        return self.timeline.initial.warehouse.entry >= 0

    @property
    def start(self) -> State:
        """The first position of the level, whichever way round it is played."""
        first = self.timeline.initial
        return sokoban.level_of(first) if self.backwards else first

    def turn(self) -> None:
        """Play the level backwards, or forwards again; what was played this way round is kept until the app is closed."""
        start = self.start
        if not self.backwards and not sokoban.can_reverse(start):
            self.watcher.say("Only one-player levels with a free square can be played backwards.")
            return
        self.leave_game()
        first = start if self.backwards else sokoban.backwards(start, places.first_place(start))
        self.begin_from(first)
        self._take_attempt()

    def place(self, square: int) -> bool:
        """Let the player of a level that is played backwards begin elsewhere; False where he cannot."""
        try:
            first = sokoban.backwards(self.start, square)
        except ValueError:
            return False
        self.begin_from(first)
        return True

    def next_place(self) -> None:
        """Let him begin in the next part of the floor that boxes cut off from the others."""
        if not self.backwards or self.timeline.cursor:
            self.watcher.say("Where to begin can only be chosen backwards, before the first step.")
            return
        square, only = places.next_place(self.start, self.state)
        self.place(square)
        if only:
            self.watcher.say("Everything is connected: it does not matter where you begin.")

    @property
    def _turned(self) -> bool:
        """Whether the level was solved backwards, so that its solution forwards is known."""
        return self.backwards and self.over

    def solution(self) -> tuple[int, ...]:
        """What was played up to here; of a level that was solved backwards the solution forwards."""
        actions = tuple(step.action for step in self.timeline.played)
        return sokoban.forwards(self.timeline.initial, actions) if self._turned else actions

    def solution_text(self) -> str:
        """The same as LURD."""
        return sokoban.to_lurd(self.start if self._turned else self.timeline.initial, self.solution())

    @override
    def keep_replay(self, batch: bool = False) -> None:
        """As everywhere; a level that was solved backwards is kept forwards."""
        if not self._turned:
            super().keep_replay(batch)
            return
        self._keep(replays.record(
            self.start, [Step(action) for action in self.solution()], seats=self.player_names(), seed=self.seed,
            started=self.started, seconds=self.seconds, title=self.replay_title(),
        ), batch)  # fmt: skip

    @override
    def record(self) -> Replay | None:
        """As everywhere; a level that was solved backwards is shown forwards."""
        if not self._turned:
            return super().record()
        if self._kept is None:
            self.keep_replay(batch=True)
        return self._kept

    # Whose steps they are

    @property
    def helped(self) -> bool:
        """Whether an agent played any step up to here, or any was pasted."""
        return self.line.helped(self.timeline.cursor)

    def note_hands(self) -> None:
        """Whose steps they are, for the saved game."""
        self.extra["agent_ply"], self.extra["pasted_ply"] = self.line.agent_ply, self.line.pasted_ply

    @property
    def moves(self) -> int:
        """Steps up to here; of a level that was solved backwards those of the solution forwards, as it is kept."""
        if not self._turned:
            return self.timeline.cursor
        if self._forwards[0] is not self.state:
            self._forwards = (self.state, len(self.solution()))
        return self._forwards[1]

    @property
    def pushes(self) -> int:
        """Pushes and pulls up to here."""
        return self.line.pushes(self.timeline.states, self.timeline.cursor)

    @override
    def headline(self) -> str:
        """For the menu's continue card."""
        return f"{self.course.short} · {counted(self.timeline.cursor, 'move')}"

    @override
    def replay_title(self) -> str:
        """The level's name."""
        return self.course.name
