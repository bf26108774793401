"""One Sokoban level after another: which is on the board, who played it, what was reached.

The base of the Sokoban screen. It knows packs, attempts and results, but no board, no mouse and no key. A level may be
played backwards as well: that is a game of its own, left and taken up like any other, and its end is a solution of the
level.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ai import catalogue
from ai.entries import Spec
from game.play.driver import Played
from game.play.sokoban import plans, results
from game.play.sokoban.attempts import Attempt, Attempts
from game.play.sokoban.best import Best, pushes
from game.play.sokoban.course import Course
from game.play.sokoban.line import Line
from game.play.sokoban.packs import LevelPack, packs_of
from game.rules import replay as replays
from game.rules import sokoban
from game.rules.levels import Level, level_id
from game.rules.replay import Replay, Step, initial
from game.rules.sokoban import State
from game.saves.resume import Extra
from game.screens.navigation import open_scene
from game.screens.play.screen import GameScene

WORTH_KEEPING = 10
"""Moves of an unfinished level that is left for a replay."""
PASTED = "pasted"
"""Who plays what comes from the clipboard, in results and replays."""


class LevelScene(GameScene):
    """Levels from the packs of `levels/` and of the saves folder."""

    game = "sokoban"
    title = "Sokoban"
    whole_plans = True
    onward = "Next level"
    """What comes after a solved level, in words."""

    timeline: Any

    def __init__(self, window: Any, context: Any) -> None:
        """Takes up the saved game."""
        self.course = Course(packs_of(context.saves.root))
        self.line = Line()
        self.by_agent = False
        """Whether what is played now is no person's."""
        self.pasted = False
        """Whether it was pasted; else it is the agent's."""
        self.best = Best(context.progress)
        self._attempts = Attempts()
        self._helper = ""
        """The agent whose steps were played last, which may be another than sits at the board."""
        self._stand_in: Spec | None = None
        """Who sits at the board for want of somebody else: he leaves it with the level."""
        self._shape: tuple[object, ...] = ()
        """What the panel was built for."""
        super().__init__(window, context)

    def level_begins(self) -> None:
        """Another level comes to the board: forget what belonged to the one before."""

    # Levels

    def first_game(self) -> None:
        """The level that was open last, else the first of all."""
        last = self.course.last(self.context.progress)
        if last is None:
            self.window.say("No pack of levels can be read, so here is a single level.", "bad")
        self._begin_level(*(last or (None, 0)))

    def took_up(self) -> None:
        """The saved game's level."""
        self.course.take_up(self.extra)
        self.line.start(self.extra.get("agent_ply"), self.extra.get("pasted_ply"))
        if self.context.chosen(self.game, 0) is None:
            self._stand_in = self.driver.seats[0]
        self._know_level()

    def _know_level(self) -> None:
        """What is known of the level on the board, and who can play it."""
        self._helper = ""
        self.best.open(self.course.level_id, self.course.level(self.start))
        seat = self.driver.seats[0]
        if seat is None or seat == self._stand_in or catalogue.why_not(self.game, seat, self.state) is not None:
            self._seat_somebody()
        shape = (self.state.warehouse.rules, self.backwards, self.driver.seats[0])
        if shape != self._shape and self in self.window.scenes:
            self.rebuild()
        self._shape = shape

    def _seat_somebody(self) -> None:
        """Who was chosen; while nobody was, or he does not know the rules of the level, the strongest that does."""
        chosen = self.context.chosen(self.game, 0)
        every = [Spec(entry.id) for entry in catalogue.entries(self.game) if not entry.needs_model]
        wanted = [*((chosen,) if chosen is not None else ()), self.strongest, *every]
        able = (spec for spec in wanted if catalogue.why_not(self.game, spec, self.state) is None)
        found = next(able, wanted[0])
        self._stand_in = found if found != chosen else None
        self.driver.seat(0, found)

    def hint_spec(self) -> Spec:
        """The strongest agent that knows the rules; as it is set where it sits at the board."""
        seat, strongest = self.driver.seats[0] or self.strongest, self.strongest
        if strongest.id == seat.id or catalogue.why_not(self.game, strongest, self.state) is not None:
            return seat
        return strongest

    def _begin_level(self, pack: LevelPack | None, number: int) -> None:
        level = self.course.begin(pack, number)
        self.line.start()
        self.level_begins()
        self.begin(level.state)
        self.extra = self.course.extra()
        self._know_level()
        if pack is not None and self.course.packs.file(pack.id) is not None:
            self.context.progress.open_level(pack.id, self.course.level_id)

    def open_level(self, pack: LevelPack, number: int) -> None:
        """Go to a level; the present one is kept as it is until the app is closed."""
        course = self.course
        if course.pack is not None and course.level_id == pack.ids[number]:
            course.begin(pack, number)
            if self.over(self.state):
                self.restart()
            return
        self.leave_game()
        self._begin_level(pack, number)
        self._take_attempt()

    def _take_attempt(self) -> None:
        """Go on where this level, played this way round, was left."""
        left = self._attempts.take(self._attempt_name)
        if left is not None:
            self.timeline, self.seed = left.timeline, left.seed
            self.started, self.seconds = left.started, left.seconds
            self.line.start(left.agent_ply, left.pasted_ply)
            self._note_hands()
            self.show(self.state)

    @property
    def _attempt_name(self) -> str:
        return f"{self.course.level_id}{' backwards' if self.backwards else ''}"

    # Backwards

    @property
    def backwards(self) -> bool:
        """Whether the level is played backwards."""
        return bool(self.timeline.initial.warehouse.entry >= 0)

    @property
    def start(self) -> State:
        """The first position of the level, whichever way round it is played."""
        first: State = self.timeline.initial
        return sokoban.level_of(first) if self.backwards else first

    def turn(self) -> None:
        """Play the level backwards, or forwards again; what was played this way round is kept until the app is closed."""
        start = self.start
        if not self.backwards and not sokoban.can_reverse(start):
            self.window.say("Only a level of one player with a free square can be played backwards.")
            return
        self.leave_game()
        self._restart_from(start if self.backwards else sokoban.backwards(start, self._first_place(start)))
        self._take_attempt()

    def place(self, square: int) -> bool:
        """Let the player of a level that is played backwards begin elsewhere; False where he cannot."""
        try:
            first = sokoban.backwards(self.start, square)
        except ValueError:
            return False
        self._restart_from(first)
        return True

    def next_place(self) -> None:
        """Let him begin in the next part of the floor that boxes cut off from the others."""
        if not self.backwards or self.timeline.cursor:
            self.window.say("The player is placed before the first step of a level that is played backwards.")
            return
        places = self._places(self.start)
        here = min(sokoban.reachable(self.state))
        self.place(places[(places.index(here) + 1) % len(places)])
        if len(places) == 1:
            self.window.say("All free floor hangs together: it does not matter where to begin.")

    def _places(self, start: State) -> Sequence[int]:
        """The first square of each part of the floor on which the player can stand in the end."""
        first = sokoban.backwards(start)
        free = start.warehouse.connected([start.player]) - first.boxes
        return sorted({min(sokoban.reachable(replace(first, player=square))) for square in free})

    def _first_place(self, start: State) -> int:
        """Where a player pulls something at once, if there is such a part; people may choose another."""
        places = self._places(start)
        pulls = (place for place in places if _can_pull(sokoban.backwards(start, place)))
        return next(pulls, places[0])

    def _restart_from(self, first: State) -> None:
        """The same level from another first position."""
        kept = self.course.extra()
        self.line.start()
        self.level_begins()
        self.begin(first)
        self.extra = kept
        self._know_level()
        self.changed()

    def solution(self) -> tuple[int, ...]:
        """What was played up to here; of a level that was solved backwards the solution forwards."""
        actions = tuple(step.action for step in self.timeline.played)
        turned = self.backwards and self.over(self.state)
        return sokoban.forwards(self.timeline.initial, actions) if turned else actions

    def keep_replay(self, batch: bool = False) -> None:
        """As everywhere; a level that was solved backwards is kept forwards."""
        if not (self.backwards and self.over(self.state)):
            super().keep_replay(batch)
            return
        steps = [Step(action) for action in self.solution()]
        self._kept = replays.record(
            self.start, steps, seats=self.player_names(), seed=self.seed, started=self.started, seconds=self.seconds,
            title=self.replay_title(),
        )  # fmt: skip
        (self.context.library.keep_auto if batch else self.context.library.keep)(self._kept)

    def watch(self) -> None:
        """As everywhere; a level that was solved backwards is shown forwards."""
        if self.backwards and self.over(self.state):
            if self._kept is None:
                self.keep_replay(batch=True)
            self.show_replay(self._kept)
        else:
            super().watch()

    def show_replay(self, record: Replay | None) -> None:
        """Show a replay in the theatre."""
        if record is None:
            self.window.say("The moves of this solution were not kept.")
        else:
            open_scene("theatre", self.window, self.context, record)

    def moved_to(self, pack: LevelPack, number: int) -> None:
        """The level on the board now stands in another pack; the game on it goes on."""
        self.course.begin(pack, number)
        self.extra = {**self.extra, **self.course.extra()}
        self.context.progress.open_level(pack.id, self.course.level_id)
        self.changed()

    def leave_game(self) -> None:
        """The level can be taken up again as it stands until the app is closed."""
        if self.course.level_id and not self.over(self.state):
            line = self.line
            attempt = Attempt(self.timeline, line.agent_ply, line.pasted_ply, self.seed, self.started, self.seconds)
            self._attempts.leave(self._attempt_name, attempt)

    def take_timeline(self, *args: Any) -> None:
        """As for every game; what was played on the level before goes to the library if it was of some length."""
        if not self.finished and self.timeline.cursor >= WORTH_KEEPING:
            self.keep_replay(batch=self.helped)
        self.level_begins()
        super().take_timeline(*args)

    def extra_of(self, record: Replay, state: State) -> dict[str, Extra]:
        """The level, with its pack where one of those read so far has it, and whether an agent played."""
        first = initial(record)
        assert isinstance(first, State)
        level = Level(sokoban.level_of(first) if first.warehouse.entry >= 0 else first)
        pack, number = self.course.find(level_id(level))
        title = pack.levels[number].title if pack is not None else record.title
        extra: dict[str, Extra] = {"pack": pack.id if pack else "", "level": level_id(level), "title": title}
        return {**extra, "agent_ply": None if record.seats == ("person",) else 0}

    def change_level(self, step: int) -> None:
        """The next (1) or the previous (-1) level."""
        found = self.course.neighbour(step)
        if found is None:
            self.window.say(f"This is the {'last' if step > 0 else 'first'} level of all.")
            return
        before = self.course.pack
        self.open_level(*found)
        if before is not None and found[0].id != before.id:
            self.window.say(f"{'Next' if step > 0 else 'Previous'} pack: {found[0].title}.")

    def new_game(self) -> None:
        """The same as restart."""
        self.restart()

    def restart(self) -> None:
        """Back to the start of the level; redo and undo still work from there."""
        if self.timeline.can_undo:
            self.go(0)
            self.window.play("undo")

    # Rules

    def over(self, state: State) -> bool:
        """Every box is where it belongs."""
        return sokoban.is_solved(state)

    def step(self, state: State, action: int, cell: int | None, exponent: int | None) -> tuple[Step, State]:
        """One move, push or pull."""
        return Step(action), sokoban.apply(state, action)

    def play(self, action: int, *args: Any, **more: Any) -> bool:
        """As for every game; notes which steps an agent played."""
        if action not in sokoban.legal_actions(self.state):
            return False
        self.line.step(self.timeline.cursor, self.by_agent, self.pasted)
        if self.by_agent and not self.pasted:
            self._helper = str(self.driver.thought.spec or self.driver.seats[0])
        self._note_hands()
        return super().play(action, *args, **more)

    def _note_hands(self) -> None:
        """Whose steps they are, for the saved game."""
        self.extra["agent_ply"], self.extra["pasted_ply"] = self.line.agent_ply, self.line.pasted_ply

    def _agent_plays(self, played: Played) -> None:
        self.by_agent, self.pasted = True, False
        super()._agent_plays(played)
        self.by_agent = False

    @property
    def helped(self) -> bool:
        """Whether an agent played any step up to here, or any was pasted."""
        return self.line.helped(self.timeline.cursor)

    @property
    def helpers(self) -> tuple[str, ...]:
        """Who played what the person did not, as a replay names them."""
        if self.line.pasted(self.timeline.cursor):
            return (PASTED,)
        return (self._helper,) if self._helper else self.seat_names()

    @property
    def pushes(self) -> int:
        """Pushes and pulls up to here."""
        return self.line.pushes(self.timeline.states, self.timeline.cursor)

    def player_names(self) -> tuple[str, ...]:
        """The agent if it played any step, else the person."""
        return self.helpers if self.helped else ("person",)

    def headline(self) -> str:
        """For the menu's continue card."""
        return f"{self.course.short} · {plans.counted(self.timeline.cursor, 'move')}"

    def replay_title(self) -> str:
        """The level's name."""
        return self.course.name

    def subtitle(self) -> str:
        """Pack, number, title, and the rules where they are not the usual ones."""
        return " · ".join(self._subtitle_parts())

    def shorter_subtitles(self) -> tuple[str, ...]:
        """Without the pack, and without the number."""
        parts = self._subtitle_parts()
        return tuple(" · ".join(parts[at:]) for at in range(1, len(parts)))

    def _subtitle_parts(self) -> tuple[str, ...]:
        rules = self.state.warehouse.rules
        if self.backwards:
            return (*self.course.parts, "backwards")
        return self.course.parts if rules == sokoban.PUSH_ONLY else (*self.course.parts, rules.name)

    def note_result(self) -> str:
        """The level is solved: note it and keep its replay; says what is new about it for the person."""
        actions = self.solution()
        by = self.helpers[0] if self.helped else "person"
        self.keep_replay(batch=self.helped)
        if not self.course.level_id:
            return ""
        lurd = sokoban.to_lurd(self.start, actions)
        return results.note(self.context.progress, self.course.level_id, len(actions), self.pushes, lurd, by)

    def note_plan(self, ply: int, actions: Sequence[int]) -> None:
        """An agent found a solution from the position after `ply` steps: it counts among the best known ones."""
        if self.backwards or not self.course.level_id or ply < 0:
            return
        whole = [*(step.action for step in self.timeline.steps[:ply]), *actions]
        lurd = sokoban.to_lurd(self.start, whole)
        by = str(self.driver.thought.spec or self.hint_spec())
        self.context.progress.found_solution(self.course.level_id, len(whole), pushes(lurd), lurd, by)


def _can_pull(state: State) -> bool:
    """Whether the player can walk to some box and pull it."""
    return any(sokoban.push_targets(state, box) for box in state.boxes)
