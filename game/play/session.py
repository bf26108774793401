"""One game being played, without a window: its course, who sits where, the agents, the clock, and what is saved of it.

Commands come in (`play`, `undo`, `go`, `choose_agent`, `toggle_run`, `ask_hint`, …). What happens is told to a `Watcher` at once;
everything else that a screen shows it reads from the session when it draws a frame.
"""

import random
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from ai import catalogue
from ai.entries import CatalogueError, Spec
from ai.models import ModelCard
from game.play import seating
from game.play.driver import Driver, Played, scaled
from game.play.lesson import Idea, given
from game.play.snapshot import Snapshot
from game.play.store import Store
from game.play.timeline import Timeline
from game.play.watcher import Watcher
from game.rules import replay as replays
from game.rules.game import PERSON, Chance
from game.rules.games import GAMES
from game.rules.replay import Replay, Step
from game.saves import resume
from game.saves.resume import Extra

SPEED_STEP = 1.5
PLAY_SECONDS = 0.0003
"""How much of a frame the moves of a fast run may take; those that are left come with the next frame."""
STEP_SECONDS = 0.12
"""How long the motion of a person's step may take."""
OVER = "The game is over: undo, or start a new one."


class Session:
    """Base of the games' sessions; a game adds its rules about levels, seats and boards. All changes go through its methods."""

    game = ""
    title = ""
    many_seats = False
    """Whether a person sits on a seat like any other; else the person plays whenever the agent is paused."""
    first_speed = 6.0
    """Moves a second until somebody chooses another speed."""
    hint_seconds: float | None = 10.0
    """How long an agent may think about a hint; None: as long as it thinks about a move."""

    timeline: Timeline[Any]

    def __init__(self, store: Store, watcher: Watcher | None = None) -> None:
        """Takes up the saved game of this kind, or starts a new one."""
        self.store = store
        self.watcher = watcher or Watcher()
        self.seed = 0
        self.started = ""
        """ISO time."""
        self.seconds = 0.0
        """How long it was played, without its end."""
        self.finished = False
        """Whether the end of this game was told and kept."""
        self.extra: dict[str, Extra] = {}
        """What else is saved with it."""
        self.autosave = True
        self.by_agent = False
        """Whether what is played now is an agent's."""
        self.driver = Driver(self.game, [store.chosen(self.game, 0)])
        self.driver.speed = store.speed(self.game, self.first_speed)
        self._kept: Replay | None = None
        """The replay of this game, once it was kept."""
        self._names: dict[str, str] = {}
        """What agents are called on this board, by the text of their spec."""
        self._dirty = False
        loaded = self.saved_game()
        if loaded.notice:
            self.watcher.say(loaded.notice, "bad")
        self.lesson = given(store, self.game, self.ideas(), loaded.session is None and not self.played_before)
        """What a newcomer is being shown."""
        if loaded.session is not None:
            self._take_up(loaded.session, list(loaded.states))
        else:
            self.first_game()
        self._dirty = False

    # What a game answers

    def first_game(self) -> None:
        """Start a game when none was saved; calls `begin`."""
        raise NotImplementedError

    def new_game(self) -> None:
        """The command 'new'; calls `begin`."""
        raise NotImplementedError

    def over_in(self, state: Any) -> bool:
        """Whether the game has ended in this position."""
        return GAMES[self.game].outcome(state) is not None

    def seat_to_move(self, state: Any) -> int:
        """The seat whose turn it is."""
        return GAMES[self.game].to_move(state)

    def saved_game(self) -> resume.Loaded:
        """The game that goes on where it was."""
        return resume.load(self.store.saves, self.game)

    def took_up(self) -> None:
        """A saved game was loaded; `timeline` and `extra` are set."""

    def leave_game(self) -> None:
        """Another game takes the place of this one: keep it if it was worth it."""

    def extra_of(self, record: Replay, state: Any) -> dict[str, Extra]:
        """What `extra` has to say about a game that comes from elsewhere and goes on from `state`."""
        return {}

    def ended(self) -> None:
        """The game has just ended: note its result, keep its replay, tell the watcher."""

    def headline(self) -> str:
        """One line for the menu's continue card."""
        return self.title

    def replay_title(self) -> str:
        """A name for the game's replay."""
        return ""

    def ideas(self) -> tuple[Idea, ...]:
        """What a first game shows a newcomer, in order."""
        return ()

    @property
    def played_before(self) -> bool:
        """Whether there is any record of this game being played."""
        return False

    # The game

    @property
    def state(self) -> Any:
        """The present position."""
        return self.timeline.state

    @property
    def over(self) -> bool:
        """Whether the game has ended in the present position."""
        return self.over_in(self.timeline.state)

    @property
    def strongest(self) -> Spec:
        """Who plays the present board best."""
        return catalogue.strongest(self.game, self.state)

    def begin(self, initial: Any, seed: int | None = None) -> None:
        """Start a game from a position."""
        self.seed = random.SystemRandom().randrange(2**31) if seed is None else seed
        self.timeline = Timeline.start(initial)
        self.started = datetime.now().astimezone().isoformat(timespec="seconds")
        self.seconds = 0.0
        self.finished = False
        self._kept = None
        self._names.clear()
        self.extra = {}
        self.driver.new_game(self.seed)
        self.watcher.began()
        self.changed()

    def _take_up(self, saved: resume.Session, states: list[Any]) -> None:
        self.seed = saved.replay.seed
        self.started, self.seconds = saved.replay.started, saved.replay.seconds
        self.timeline = Timeline(states, list(saved.replay.steps), saved.cursor)
        self.extra = dict(saved.extra)
        self.finished = self.over
        self._names.clear()
        self.driver.new_game(self.seed)
        specs: list[Spec | None] = []
        for text in saved.seats:
            try:
                specs.append(None if text == PERSON else catalogue.parse(self.game, text))
            except CatalogueError:
                specs.append(None)
        if not self.many_seats:
            specs = [specs[0] or self.driver.seats[0] or self.strongest]
        self.driver.seats = specs
        self.took_up()

    def take_over(self, record: Replay, states: list[Any], seats: tuple[str, ...]) -> None:
        """Go on with a game that was played elsewhere, after `len(states) - 1` of its steps; `leave_game` comes first.

        Args:
            record: where the game comes from: its steps, seed and times.
            states: every position of it, the one to go on from last.
            seats: who sits where from now on, 'person' or the text of a spec.
        """
        self.leave_game()
        ply = len(states) - 1
        extra = self.extra_of(record, states[-1])
        self._take_up(resume.Session(replace(record, steps=record.steps[:ply]), ply, seats, extra=extra), states)
        self._kept = None
        self.changed()
        self.watcher.reseated()

    # Saving

    def snapshot(self) -> Snapshot:
        """The game as it stands now."""
        return Snapshot(
            self.game, self.timeline.moment(), self.seat_names(), self.seed, self.started, self.seconds,
            self.replay_title(), self.headline(), dict(self.extra),
        )  # fmt: skip

    def seat_names(self) -> tuple[str, ...]:
        """Who sits where, as text."""
        return tuple(str(spec) if spec else PERSON for spec in self.driver.seats)

    def player_names(self) -> tuple[str, ...]:
        """Who played this game, for its replay."""
        return self.seat_names()

    def changed(self) -> None:
        """Something worth saving changed."""
        self._dirty = True

    def save(self) -> None:
        """Hand the game to the writer if it has changed."""
        if self._dirty and self.autosave:
            self._dirty = False
            resume.save(self.store.saves, self.store.writer, self.game, self.snapshot().saved)

    def keep_replay(self, batch: bool = False) -> None:
        """Keep the game up to here in the library; `batch`: among the games that agents played."""
        steps = self.timeline.played
        if steps:
            self._keep(replays.record(
                self.timeline.initial, steps, seats=self.player_names(), seed=self.seed, started=self.started,
                seconds=self.seconds, title=self.replay_title(), positions=self.timeline.states[: len(steps) + 1],
            ), batch)  # fmt: skip

    def _keep(self, record: Replay, batch: bool) -> None:
        self._kept = record
        (self.store.library.keep_auto if batch else self.store.library.keep)(record)

    def record(self) -> Replay | None:
        """The game up to here, to be watched; None before the first move."""
        steps = self.timeline.played
        if not steps:
            return None
        if self._kept is not None and len(self._kept.steps) == len(steps):
            return self._kept
        return Replay(
            self.game, replays.setup_of(self.timeline.initial), steps, self.player_names(), self.seed, self.started,
            self.seconds, self.replay_title(),
        )  # fmt: skip

    # Playing

    def play(
        self, action: int, chance: Chance | None = None, values: Mapping[int, float] | None = None,
        seconds: float = STEP_SECONDS, quiet: bool = False,
    ) -> bool:  # fmt: skip
        """Play an action for whoever's turn it is; False when it is illegal here.

        Args:
            action: what is played.
            chance: what chance answered in an agent's run; None: what the position's own luck answers.
            values: what an agent thought of every action before it.
            seconds: how long the motion may take.
            quiet: whether the watcher is told nothing of the step.
        """
        before = self.state
        try:
            if chance is None:
                step, after = replays.chosen(before, action)
            else:
                step = Step(action, chance)
                after = replays.after(before, step)
        except ValueError:
            return False
        if values:
            step = replays.thought(step, values)
        self.timeline.play(step, after)
        self._kept = None
        self.changed()
        if not quiet:
            self.watcher.stepped(before, step, after, seconds)
        if not self.by_agent:
            self.lesson.played(before, action, after)
        if self.over_in(after) and not self.finished:
            self.finished = True
            self.ended()
        return True

    def person_plays(self, action: int) -> bool:
        """A person's action: the agent is paused and what it thought is dropped."""
        if self.over:
            return False
        self.driver.stop()
        return self.play(action)

    def go(self, ply: int) -> None:
        """Move through the game's history."""
        if ply == self.timeline.cursor:
            return
        self.timeline.go(ply)
        self.driver.stop()
        self.driver.elsewhere()
        self.finished = self.over
        self.watcher.jumped()
        self.changed()

    def undo(self) -> None:
        """Take one step back; a running agent is paused."""
        if self.timeline.can_undo:
            self.go(self.timeline.cursor - 1)
            self.watcher.sound("undo")

    def redo(self) -> None:
        """Take an undone step again."""
        if self.timeline.can_redo:
            self.go(self.timeline.cursor + 1)

    # Lessons

    @property
    def lesson_at(self) -> tuple[int, int] | None:
        """How many parts of the lesson are done, and how many there are; None while no lesson is given."""
        return None if self.lesson.over else (self.lesson.at, len(self.lesson.ideas))

    def learn(self) -> None:
        """The lesson from its start, because somebody asks for it."""
        self.lesson.begin()

    def skip_lesson(self) -> None:
        """Show nothing more of the lesson, now or later."""
        self.lesson.skip()

    # Agents

    def name_of(self, spec: Spec) -> str:
        """What people call an agent on this board: 'Newcomer', 'N-tuple network · 2048-small'."""
        text = str(spec)
        if text not in self._names:
            self._names[text] = seating.name(self.game, spec, self.state)
        return self._names[text]

    def choose_agent(self, seat: int, spec: Spec | None) -> None:
        """Put an agent or (None) a person on a seat; the one that leaves it is remembered as it was set."""
        before = self.driver.seats[seat]
        if before is not None and seating.candidate(self.game, before, self.state) is None:
            seating.keep(self.store, self.game, before)
        self.change_parameter(seat, spec)
        self.watcher.reseated()

    def change_parameter(self, seat: int, spec: Spec | None) -> None:
        """The agent of a seat is set otherwise."""
        self.driver.seat(seat, spec)
        self.store.remember_seat(self.game, seat, spec)
        self.changed()

    def play_with(self, spec: Spec, card: ModelCard) -> None:
        """Put an agent with the model of `card` on the first seat, on a board that the model plays."""
        self.choose_agent(0, spec)

    def set_speed(self, speed: float) -> None:
        """Moves a second; infinity for as fast as the machine allows."""
        self.driver.speed = speed
        self.store.remember_speed(self.game, speed)

    def scale_speed(self, factor: float) -> None:
        """So many times as fast, from the slowest to the fastest and beyond it as fast as the machine allows."""
        self.set_speed(scaled(self.driver.speed, factor))

    def hint_spec(self) -> Spec:
        """The agent that gives hints: the one on the seat to move, or the game's best."""
        return self.driver.seats[self.seat_to_move(self.state)] or self.strongest

    def hint_specs(self) -> list[Spec]:
        """Who may give a hint: the agent that does, and where that is not compiled yet whoever is sooner."""
        first = self.hint_spec()
        return [first, *(spec for spec in catalogue.strongest_first(self.game, self.state) if spec.id != first.id)]

    def ask_hint(self) -> None:
        """Let the agent suggest the next action, as soon as one is compiled that can."""
        if self.over:
            self.watcher.say(OVER)
        else:
            if not self.many_seats:
                self.driver.running = False
            self.driver.ask_hint(self.state, self.timeline.cursor, self.hint_specs(), self.hint_seconds)
            if self.driver.hint_waits:
                self.watcher.waits(self.driver.hint_waits)

    def toggle_run(self) -> None:
        """Hand the board to the agent, or take it back."""
        if self.driver.running:
            self.driver.stop()
        elif self.over:
            self.watcher.say(OVER)
        else:
            self.driver.run()
            self._wait_for_agents()

    def step_once(self) -> None:
        """One action of the agent, then pause."""
        if self.over:
            self.watcher.say(OVER)
        else:
            self.driver.step_once()
            self._wait_for_agents()

    def _wait_for_agents(self) -> None:
        """Those at the board begin as soon as they are compiled."""
        missing = [spec for spec in self.driver.seats if spec is not None and not self.driver.ready_for(spec)]
        if missing:
            self.watcher.waits(missing)

    # Once a frame

    def pass_time(self, dt: float) -> None:
        """The clock goes on by `dt` seconds; call it before `tick`."""
        if not self.over:
            self.seconds += dt

    def tick(self, dt: float, may_play: bool = True, waits: bool = False) -> None:
        """Let the agents think and play, and save.

        Args:
            dt: seconds since the last frame.
            may_play: False while the last step is still being drawn: the agent may think meanwhile.
            waits: whether the agent is held back, because another board is to follow first.
        """
        state, ply = self.state, self.timeline.cursor
        played = self.driver.tick(dt, state, ply, self.seat_to_move(state), self.over, may_play, waits)
        if played is not None:
            self.agent_plays(played)
        if self.driver.problem:
            self.watcher.say(self.driver.problem, "bad")
            self.driver.problem = None
        if self.driver.notice:
            self.watcher.say(self.driver.notice)
            self.driver.notice = None
        self.save()

    def agent_plays(self, played: Played) -> None:
        """Carry out what the driver says; many moves at once are shown as their end, as many as a frame has time for."""
        many = len(played.steps) > 1 or self.driver.thought.fast
        seconds = min(0.18, 0.8 / self.driver.speed)
        end = time.perf_counter() + PLAY_SECONDS
        self.by_agent = True
        for number, step in enumerate(played.steps, 1):
            if not self.play(step.action, step.chance, played.values, seconds, quiet=many):
                self.driver.problem = "The agent chose an action that is not legal here; the board is yours."
                self.driver.stop()
                break
            if self.finished:
                break
            if number < len(played.steps) and time.perf_counter() > end:
                self.driver.put_back(played.steps[number:])
                break
        self.by_agent = False
        if many:
            self.watcher.jumped()

    # Leaving

    def pause(self) -> None:
        """Nobody looks on any more: the agent is paused and the game saved."""
        self.driver.stop()
        self.save()

    def rest(self) -> None:
        """Think no more for a while; what there is to save is saved."""
        self.driver.stop_thinking()
        self.save()

    def close(self) -> None:
        """End the agent's thread; the game is saved."""
        self.driver.close()
        self._dirty = True
        self.save()

    # What was thought

    @property
    def thought_counts(self) -> bool:
        """Whether what was thought last is about this position or the move that led to it, in a fast run a moment ago."""
        ply, behind = self.driver.thought.ply, self.timeline.cursor - self.driver.thought.ply
        return ply >= 0 and (0 <= behind <= 1 or (behind > 1 and self.driver.running and self.driver.thought.fast))
