"""One Sokoban level after another: which is on the board, who played it, what was reached, what the agent said of it.

A level may be played backwards as well: that is a game of its own, left and taken up like any other, and its end is a
solution of the level.
"""

import math
from collections.abc import Sequence
from typing import Any

from typing_extensions import override

from ai import catalogue
from ai.agent import Plan, Status
from ai.entries import Spec
from game.play.driver import Played, Thought
from game.play.session import Session
from game.play.sokoban import places, results
from game.play.sokoban.attempts import Attempt, Attempts
from game.play.sokoban.best import Best, pushes
from game.play.sokoban.course import Course
from game.play.sokoban.line import Line
from game.play.sokoban.packs import LevelPack, packs_of
from game.play.sokoban.plans import Push
from game.play.sokoban.solver import Solver
from game.play.sokoban.verdict import Verdict
from game.play.sokoban.walk import Walk
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
PASTED = "pasted"
"""Who plays what comes from the clipboard, in results and replays."""
MOVE_SECONDS = 0.1
RUSH = 8
"""Steps of a plan in one frame at the highest speed."""


class LevelSession(Session):
    """Levels from the packs of `levels/` and of the saves folder."""

    game = "sokoban"
    title = "Sokoban"
    onward = "Next level"
    """What comes after a solved level, in words."""

    timeline: Timeline[State]

    def __init__(self, store: Store, watcher: Watcher | None = None) -> None:
        """Takes up the saved game."""
        self.course = Course(packs_of(store.saves.root))
        self.line = Line()
        self.pasted = False
        """Whether what an agent plays now was pasted."""
        self.best = Best(store.progress)
        self.walk = Walk(self._walk_on)
        """Moves that were asked for at once, on their way."""
        self.verdict = Verdict()
        self.solver = Solver(store)
        self.news = ""
        """What is new about the solution that was found last, for the person who found it."""
        self.in_front = True
        """Whether a screen shows it: an agent is asked at a glance only then."""
        self._attempts = Attempts()
        self._helper = ""
        """The agent whose steps were played last, which may be another than sits at the board."""
        self._stand_in: Spec | None = None
        """Who sits at the board for want of somebody else: he leaves it with the level."""
        self._shape: tuple[object, ...] = ()
        """Rules, way round and agent that the watcher was told of."""
        super().__init__(store, watcher)

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
        if self.store.chosen(self.game, 0) is None:
            self._stand_in = self.driver.seats[0]
        self._know_level()

    def _know_level(self) -> None:
        """What is known of the level on the board, and who can play it."""
        self._helper = ""
        self.best.open(self.course.level_id, self.level)
        seat = self.driver.seats[0]
        if seat is None or seat == self._stand_in or catalogue.why_not(self.game, seat, self.state) is not None:
            self._seat_somebody()
        shape = (self.state.warehouse.rules, self.backwards, self.driver.seats[0])
        before, self._shape = self._shape, shape
        if shape != before:
            self.watcher.reseated()

    def _seat_somebody(self) -> None:
        """Who was chosen; while nobody was, or he does not know the rules of the level, the strongest that does."""
        chosen = self.store.chosen(self.game, 0)
        every = [Spec(entry.id) for entry in catalogue.entries(self.game) if not entry.needs_model]
        wanted = [*((chosen,) if chosen is not None else ()), self.strongest, *every]
        able = (spec for spec in wanted if catalogue.why_not(self.game, spec, self.state) is None)
        found = next(able, wanted[0])
        self._stand_in = found if found != chosen else None
        self.driver.seat(0, found)

    @override
    def begin(self, initial: Any, seed: int | None = None) -> None:
        """As for every game; nothing of the level before is left."""
        self.forget()
        super().begin(initial, seed)

    def forget(self) -> None:
        """Another level comes to the board."""
        self.walk.clear()
        self.verdict.forget()
        self.solver.forget()

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
        self._know_level()

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
            self.timeline, self.seed = left.timeline, left.seed
            self.started, self.seconds = left.started, left.seconds
            self.line.start(left.agent_ply, left.pasted_ply)
            self._note_hands()
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
            attempt = Attempt(self.timeline, line.agent_ply, line.pasted_ply, self.seed, self.started, self.seconds)
            self._attempts.leave(self._attempt_name, attempt)

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
            self.watcher.say("Only a level of one player with a free square can be played backwards.")
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
            self.watcher.say("The player is placed before the first step of a level that is played backwards.")
            return
        square, only = places.next_place(self.start, self.state)
        self.place(square)
        if only:
            self.watcher.say("All free floor hangs together: it does not matter where to begin.")

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

    # Playing

    @override
    def play(self, action: int, *args: Any, **more: Any) -> bool:
        """As for every game; notes which steps an agent played, and forgets what was said about the position before."""
        if action not in sokoban.legal_actions(self.state):
            return False
        ply = self.timeline.cursor
        self.line.step(ply, self.by_agent, self.pasted)
        if self.by_agent and not self.pasted:
            self._helper = str(self.driver.thought.spec or self.driver.seats[0])
        self._note_hands()
        if not super().play(action, *args, **more):
            return False
        self.verdict.play(ply)
        self.driver.hint = None
        return True

    def _note_hands(self) -> None:
        """Whose steps they are, for the saved game."""
        self.extra["agent_ply"], self.extra["pasted_ply"] = self.line.agent_ply, self.line.pasted_ply

    @override
    def agent_plays(self, played: Played) -> None:
        """As for every game; nothing of it is pasted."""
        self.pasted = False
        super().agent_plays(played)

    @override
    def person_plays(self, action: int) -> bool:
        """A single move; a walk that is still on its way is finished first."""
        self.walk.finish()
        if self.over:
            return False
        self.driver.stop()
        return self.play(action, seconds=MOVE_SECONDS)

    def follow(self, actions: Sequence[int], by_agent: bool = False, pasted: bool = False) -> None:
        """Play moves one after the other, as they are drawn; pasted ones count as an agent's."""
        self.walk.finish()
        self.driver.stop()
        self.pasted = pasted
        self.walk.start(actions, by_agent)
        if not self.watcher.animated:
            self.walk.finish()

    def _walk_on(self, action: int, seconds: float, by_agent: bool) -> bool:
        self.by_agent = by_agent
        played = self.play(action, seconds=seconds)
        self.by_agent = False
        return played

    @override
    def go(self, ply: int) -> None:
        """Through the history; a walk under way ends."""
        self.walk.clear()
        super().go(ply)

    @override
    def redo(self) -> None:
        """Take an undone step again, with its motion and sound."""
        self.walk.clear()
        line = self.timeline
        if not line.can_redo:
            return
        before, step = line.state, line.steps[line.cursor]
        self.driver.stop()
        after = line.go(line.cursor + 1)
        self.finished = self.over_in(after)
        self.watcher.stepped(before, step, after, MOVE_SECONDS)
        self.changed()

    # The agent

    @override
    def hint_spec(self) -> Spec:
        """The strongest agent that knows the rules; as it is set where it sits at the board."""
        seat, strongest = self.driver.seats[0] or self.strongest, self.strongest
        if strongest.id == seat.id or catalogue.why_not(self.game, strongest, self.state) is not None:
            return seat
        return strongest

    @property
    def agent_name(self) -> str:
        """Who thinks, or thought last; else who sits at the board; in short."""
        spec = self.driver.thought.spec or self.driver.seats[0] or self.hint_spec()
        return results.agent_title(str(spec))

    @override
    def change_parameter(self, seat: int, spec: Spec | None) -> None:
        """As for every game; another solver, or one that is set otherwise, thinks for itself."""
        self.solver.forget()
        super().change_parameter(seat, spec)

    @property
    def next_push(self) -> Push | None:
        """What the hint or the plan under way does next; None when nothing is to be shown."""
        return self.solver.next_push(self.driver, self.state)

    @override
    def ask_hint(self) -> None:
        """The next push; asked again it is carried out, and one that is known is there at once."""
        self.walk.finish()
        waiting = self.driver.hint_waits or (self.driver.busy and self.driver.thought.for_hint)
        if waiting or self.carry_out_hint():
            return
        rest = self.solver.rest(self.state)
        if rest is None:
            super().ask_hint()
        else:
            self.driver.stop()
            self.driver.hint = rest

    def carry_out_hint(self) -> bool:
        """Play the next push of the hint on the board, with the walk to it; False when there is none."""
        push = self.next_push if self.driver.hint is not None else None
        if push is None:
            return False
        self.follow(push.actions, by_agent=True)
        return True

    @override
    def toggle_run(self) -> None:
        """Let the agent finish the level, or pause it with its plan."""
        self.walk.finish()
        if self.driver.running and self.driver.carrying_out:
            self.driver.running = False
        else:
            super().toggle_run()
            self._resume()

    @override
    def step_once(self) -> None:
        """One step of the plan."""
        self.walk.finish()
        super().step_once()
        self._resume()

    def _resume(self) -> None:
        """The agent was asked to play: where its plan for this position is known it need not think again."""
        rest = self.solver.rest(self.state)
        if rest is not None and self.driver.wants_plan:
            self.driver.follow(rest)

    def show_plan(self, spec: Spec, plan: Plan) -> None:
        """Carry out a whole solution that an agent found elsewhere, from the start of the level."""
        self.driver.thought = Thought(spec=spec, plan=plan, ply=0)
        self._listen()
        self.toggle_run()

    def _listen(self) -> None:
        """Take a new answer, once."""
        if self.in_front:
            self.solver.preview.ask(self.driver, self.state, self.timeline.cursor)
        plan = self.solver.news(self.driver, self.timeline)
        if plan is None:
            return
        ply = self.driver.thought.ply
        if plan.status is Status.SOLVED and plan.actions:
            self._note_plan(ply, plan.actions)
        elif plan.status is Status.UNSOLVABLE:
            self.verdict.prove(max(0, ply))
            self.driver.hint = None
        elif plan.status is Status.GAVE_UP:
            reason = plan.note or "its time was up"
            self.watcher.say(f"{self.agent_name} gave up: {reason}. There may still be a solution.")
            self.driver.hint = None

    # Once a frame

    @override
    def pass_time(self, dt: float) -> None:
        """As for every game; a walk goes on."""
        super().pass_time(dt)
        self.walk.update(dt)

    @override
    def tick(self, dt: float, may_play: bool = True) -> None:
        """As for every game; at the highest speed several steps of a plan."""
        super().tick(dt, may_play)
        driver = self.driver
        if math.isinf(driver.speed):
            for _ in range(RUSH):
                if not (driver.running and driver.carrying_out):
                    break
                played = driver.tick(0.0, self.state, self.timeline.cursor, 0, self.over)
                if played is None:
                    break
                self.agent_plays(played)
        self._listen()
        self.verdict.look(self.state)

    # Results

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
    def helper_name(self) -> str:
        """What played that the person did not."""
        return "pasted moves" if self.line.pasted(self.timeline.cursor) else results.agent_title(self.helpers[0])

    @property
    def pushes(self) -> int:
        """Pushes and pulls up to here."""
        return self.line.pushes(self.timeline.states, self.timeline.cursor)

    @override
    def player_names(self) -> tuple[str, ...]:
        """The agent if it played any step, else the person."""
        return self.helpers if self.helped else (PERSON,)

    @override
    def headline(self) -> str:
        """For the menu's continue card."""
        return f"{self.course.short} · {counted(self.timeline.cursor, 'move')}"

    @override
    def replay_title(self) -> str:
        """The level's name."""
        return self.course.name

    @override
    def ended(self) -> None:
        """The level is solved: note it and keep its replay."""
        self.walk.clear()
        self.driver.running = False
        self.news = self._note_result()
        self.watcher.ended()

    def _note_result(self) -> str:
        actions = self.solution()
        by = self.helpers[0] if self.helped else PERSON
        self.keep_replay(batch=self.helped)
        if not self.course.level_id:
            return ""
        lurd = sokoban.to_lurd(self.start, actions)
        return results.note(self.store.progress, self.course.level_id, len(actions), self.pushes, lurd, by)

    def _note_plan(self, ply: int, actions: Sequence[int]) -> None:
        """An agent found a solution from the position after `ply` steps: it counts among the best known ones."""
        if self.backwards or not self.course.level_id or ply < 0:
            return
        whole = [*(step.action for step in self.timeline.steps[:ply]), *actions]
        lurd = sokoban.to_lurd(self.start, whole)
        by = str(self.driver.thought.spec or self.hint_spec())
        self.store.progress.found_solution(self.course.level_id, len(whole), pushes(lurd), lurd, by)
