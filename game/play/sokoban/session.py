"""The levels of Sokoban as they are played: by a person, by an agent or by both, what was reached, what the agent said of it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from typing_extensions import override

from ai import catalogue
from ai.agent import Plan, Status
from ai.entries import Spec
from game.play.driver import Played, Thought
from game.play.sokoban import results
from game.play.sokoban.best import Best, pushes
from game.play.sokoban.board import LevelBoard
from game.play.sokoban.plans import Push
from game.play.sokoban.solver import Solver
from game.play.sokoban.verdict import Verdict
from game.play.sokoban.walk import Walk
from game.play.store import Store
from game.play.watcher import Watcher
from game.rules import sokoban
from game.rules.game import PERSON

MOVE_SECONDS = 0.1
RUSH = 8
"""Steps of a plan in one frame at most."""


class LevelSession(LevelBoard):
    """Levels, a person or an agent at each."""

    onward = "Next level"
    """What comes after a solved level, in words."""

    def __init__(self, store: Store, watcher: Watcher | None = None) -> None:
        """Takes up the saved game."""
        self.pasted = False
        """Whether what an agent plays now was pasted."""
        self.best = Best(store.progress)
        self.walk = Walk()
        """Moves that were asked for at once, on their way."""
        self.verdict = Verdict()
        self.solver = Solver(store)
        self.news = ""
        """What is new about the solution that was found last, for the person who found it."""
        self._walked_from: int | None = None
        """After how many steps the walk began whose step is being played."""
        self._helper = ""
        """The agent whose steps were played last, which may be another than sits at the board."""
        self._stand_in: Spec | None = None
        """Who sits at the board for want of somebody else: he leaves it with the level."""
        self._shape: tuple[object, ...] = ()
        """Rules, way round and agent that the watcher was told of."""
        super().__init__(store, watcher)

    # The level on the board

    @override
    def took_up(self) -> None:
        """Who sat there for want of somebody else leaves with the level."""
        if self.store.chosen(self.game, 0) is None:
            self._stand_in = self.driver.seats[0]
        super().took_up()

    @override
    def know_level(self) -> None:
        """What is known of it, and who can play it."""
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
    def forget(self) -> None:
        """Another level comes to the board."""
        self.walk.clear()
        self.verdict.forget()
        self.solver.forget()

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
        if self.by_agent and self._walked_from is None:
            self.gestures.agents_step(ply, action, sokoban.moves_box(self.state, action))
        else:
            self.gestures.step(ply, self._walked_from is not None and ply > self._walked_from)
        self.note_hands()
        if not super().play(action, *args, **more):
            return False
        self.verdict.play(ply)
        self.driver.hint = None
        return True

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
        self._set_out(actions, partial(self._walk_on, self.timeline.cursor, by_agent))

    def _set_out(self, actions: Sequence[int], play: Callable[[int, float], bool]) -> None:
        self.walk.start(actions, play)
        if not self.watcher.animated:
            self.walk.finish()

    def _walk_on(self, start: int, by_agent: bool, action: int, seconds: float) -> bool:
        self.by_agent, self._walked_from = by_agent, start
        played = self.play(action, seconds=seconds)
        self.by_agent, self._walked_from = False, None
        return played

    @override
    def go(self, ply: int) -> None:
        """Through the history; a walk under way ends."""
        self.walk.clear()
        self.gestures.interrupt()
        super().go(ply)

    @override
    def undo(self) -> None:
        """Take the last gesture back: a step, a walk, the drag of a box, what an agent did to a box."""
        self._back_to(self.gestures.before(self.timeline.cursor))

    def undo_step(self) -> None:
        """Take a single step back."""
        self._back_to(self.timeline.cursor - 1)

    def undo_to_hope(self) -> None:
        """Back to the last position that is not known to be lost."""
        ply = self.verdict.last_hope(self.timeline.states, self.timeline.cursor)
        if ply is None:
            self.watcher.say("Every position up to here is lost, the first one too.")
        else:
            self._back_to(ply)

    def _back_to(self, ply: int) -> None:
        if self.timeline.can_undo:
            self.go(ply)
            self.watcher.sound("undo")

    @override
    def redo(self) -> None:
        """Take an undone gesture again, with its motion and sound."""
        line = self.timeline
        self._redo_to(self.gestures.after(line.cursor, len(line.steps)))

    def redo_step(self) -> None:
        """Take a single undone step again."""
        self._redo_to(min(self.timeline.cursor + 1, len(self.timeline.steps)))

    def _redo_to(self, ply: int) -> None:
        self.walk.finish()
        self.gestures.interrupt()
        self.driver.stop()
        steps = self.timeline.steps[self.timeline.cursor : ply]
        if len(steps) == 1:
            self._redo_on(steps[0].action, MOVE_SECONDS)
        elif steps:
            self._set_out([step.action for step in steps], self._redo_on)

    def _redo_on(self, action: int, seconds: float) -> bool:
        line = self.timeline
        before, step = line.state, line.steps[line.cursor]
        after = line.go(line.cursor + 1)
        self.finished = self.over_in(after)
        self.watcher.stepped(before, step, after, seconds)
        self.changed()
        return True

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
        self._shape = (*self._shape[:2], spec)

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
    def tick(self, dt: float, may_play: bool = True, waits: bool = False) -> None:
        """As for every game; as many steps of a plan as its speed asks for."""
        super().tick(dt, may_play, waits)
        driver = self.driver
        for _ in range(RUSH):
            if not (driver.running and driver.carrying_out and may_play):
                break
            played = driver.tick(0.0, self.state, self.timeline.cursor, 0, self.over)
            if played is None:
                break
            self.agent_plays(played)
        self._listen()
        self.verdict.look(self.state)

    # Results

    @property
    def helpers(self) -> tuple[str, ...]:
        """Who played what the person did not, as a replay names them."""
        if self.line.pasted(self.timeline.cursor):
            return (results.PASTED,)
        return (self._helper,) if self._helper else self.seat_names()

    @property
    def helper_name(self) -> str:
        """What played that the person did not."""
        return "pasted moves" if self.line.pasted(self.timeline.cursor) else results.agent_title(self.helpers[0])

    @override
    def player_names(self) -> tuple[str, ...]:
        """The agent if it played any step, else the person."""
        return self.helpers if self.helped else (PERSON,)

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
