"""Runs the agents of one board: who sits where, running or paused, how fast, what is being thought.

The driver knows no window. Once a frame the screen calls `tick` with the present position and gets back what to
play; late answers never come through, because each request carries the game and ply it was asked for.
"""

import logging
import math
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ai import catalogue, kernels
from ai.agent import Agent, Plan, Progress, Status, Thinking
from ai.entries import Spec
from ai.making import Maker
from ai.worker import Worker
from game.play.solo import FastPlayer, step_of
from game.rules.replay import Step

log = logging.getLogger("trilogic.agent")

SLOWEST, FASTEST = 1.0, 60.0
"""Moves a second at the ends of the slider; its very end means as fast as the machine allows."""
FAST_SLICE_SECONDS = 0.012
FAST_MOVES = 160
"""Moves of one call; the window plays them again by the plain rules, as many in a frame as that has time for."""
SAMPLE_SECONDS, SAMPLE_SHARE = 0.25, 0.2
"""In a fast run a single move is thought about so often, for what the agent thinks to be seen; of a slow thinker, so that it
takes this share of the time."""
CURVE_LENGTH = 400
BEHIND_SECONDS = 0.1
"""So far the moves may fall behind their speed and still be caught up with, several in one frame."""
QUIET_SECONDS = 0.25
"""A shorter thinking is not announced, so that a fast run does not flicker."""


def speed_of(share: float) -> float:
    """Moves a second at a place of the slider (0 to 1); infinity at its end."""
    return math.inf if share >= 0.995 else SLOWEST * (FASTEST / SLOWEST) ** (share / 0.98)


def scaled(speed: float, factor: float) -> float:
    """So many times as fast, from the slowest to the fastest and beyond it as fast as the machine allows."""
    beyond = factor > 1 and speed * factor > FASTEST * 1.01
    return math.inf if beyond else max(SLOWEST, min(speed * factor, FASTEST))


def share_of(speed: float) -> float:
    """The slider's place for a speed."""
    if math.isinf(speed):
        return 1.0
    return 0.98 * math.log(max(speed, SLOWEST) / SLOWEST) / math.log(FASTEST / SLOWEST)


@dataclass(slots=True)
class Thought:
    """What the panel shows of the last or present thinking."""

    spec: Spec | None = None
    plan: Plan | None = None
    progress: Progress = field(default_factory=Progress)
    curve: list[float] = field(default_factory=list)
    thinking: bool = False
    seconds: float = 0.0
    ply: int = -1
    """The position (by number of steps played) that was thought about."""
    for_hint: bool = False
    aside: bool = False
    """Whether it was thought while a person plays, to be shown and no more."""
    shown_plan: bool = False
    """Whether the plan is a whole solution being carried out."""
    fast: bool = False
    """Whether many moves are played at once, so that only now and then a position is thought about."""

    @property
    def nodes(self) -> int:
        """Positions looked at."""
        return self.plan.nodes if self.plan else self.progress.nodes

    @property
    def values(self) -> dict[int, float]:
        """Value of each action, the newest known."""
        return dict(self.plan.values if self.plan else self.progress.values)

    @property
    def best(self) -> int | None:
        """The action the agent prefers so far."""
        if self.plan:
            return self.plan.actions[0] if self.plan.actions else None
        return self.progress.best


@dataclass(frozen=True, slots=True)
class Wanted:
    """A hint that was asked for before an agent was ready."""

    state: Any
    ply: int
    agents: tuple[Spec, ...]
    """Who may give it, the one that was asked first."""
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Played:
    """What to play now."""

    steps: Sequence[Step]
    """Where nothing is said of chance, the position's own luck answers."""
    values: Mapping[int, float] = field(default_factory=dict)
    """What the agent thought of every action, where one move was thought about."""


class Driver:
    """Seats, speed, requests and answers of one board."""

    def __init__(self, game: str, seats: list[Spec | None]) -> None:
        """`seats` has one entry per player: None for a person."""
        self.game = game
        self.seats = seats
        self.running = False
        self.speed = 6.0
        self.thought = Thought()
        self.hint: Plan | None = None
        self.problem: str | None = None
        """A sentence to show once: an agent failed or cannot play here."""
        self.notice: str | None = None
        """A sentence to show once: another agent than the one asked gives the hint."""
        self.loading = False
        """Whether an agent is being made, which takes a while where its model is large."""
        self._worker: Worker[Plan | Played] = Worker(f"agent-{game}")
        self._agents: dict[tuple[int, str], Agent[Any]] = {}
        self._ready: set[str] = set()
        self._wanted: Wanted | None = None
        self._maker = Maker(game)
        self._queue: deque[int] = deque()
        self._wait = 0.0
        self._asked: str = ""
        self._game_number = 0
        self._seed = 0
        self._single = False
        self._fast_result: Played | None = None
        self._coming: Thought | None = None
        self._sample_at = 0.0
        """When the next move of a fast run is thought about alone, on the clock."""
        self._left: dict[tuple[int, str], Agent[Any]] = {}
        """Agents of the game before: until one is made again, its large model stays in memory."""
        self.rate = 0.0
        """Moves a second of the running agent, over the last second or so."""
        self._rated = (0.0, 0)

    # Seats and games

    def new_game(self, seed: int) -> None:
        """Another game begins: forget plans, and let agents forget theirs."""
        self._game_number += 1
        self._seed = seed
        self.stop()
        self._left, self._agents = self._agents or self._left, {}
        self.thought = Thought()

    def seat(self, number: int, spec: Spec | None) -> None:
        """Put an agent or (None) a person on a seat."""
        self.seats[number] = spec
        self.stop_thinking()

    @property
    def ready(self) -> bool:
        """Whether the kernels of all agents at the board are compiled."""
        return all(spec is None or self.ready_for(spec) for spec in self.seats)

    def ready_for(self, spec: Spec) -> bool:
        """Whether an agent can play already: its kernels are compiled, or it has none. Once they are, nobody looks again."""
        name = str(spec)
        if name not in self._ready and kernels.ready(kernels.needed(self.game, spec)):
            self._ready.add(name)
        return name in self._ready

    def load_early(self, spec: Spec, seat: int, state: Any) -> None:
        """Begin to make an agent that is likely to be asked soon, where it can play and is not there yet."""
        known = (seat, str(spec)) in self._agents
        if not known and self.ready_for(spec) and catalogue.why_not(self.game, spec, state) is None:
            self._maker.begin(spec, seat)

    @property
    def loads_early(self) -> bool:
        """Whether an agent is being made that nobody has asked yet."""
        return not self.busy and self._maker.busy

    @property
    def busy(self) -> bool:
        """Whether an agent is thinking now."""
        return self._worker.busy

    @property
    def thinks_long(self) -> bool:
        """Whether an agent is thinking for so long that it is worth telling."""
        return self.busy and self._asked != "values" and self._worker.elapsed > QUIET_SECONDS

    @property
    def hint_waits(self) -> tuple[Spec, ...]:
        """Who may give the hint that was asked for, as soon as the kernels of one of them are compiled."""
        return self._wanted.agents if self._wanted is not None else ()

    @property
    def asked_hint(self) -> bool:
        """Whether a hint is being thought about."""
        return self.busy and self._asked == "hint"

    @property
    def asked_values(self) -> bool:
        """Whether somebody thinks along while a person chooses."""
        return self.busy and self._asked == "values"

    @property
    def carrying_out(self) -> bool:
        """Whether actions of a plan are still waiting."""
        return bool(self._queue)

    @property
    def plan_left(self) -> tuple[int, ...]:
        """The actions of the plan that are still waiting."""
        return tuple(self._queue)

    # What a person asks for

    def run(self) -> None:
        """Let the agents play whenever it is their turn."""
        self.running = True
        self.hint = None

    def stop(self) -> None:
        """Pause, forget what was planned and stop thinking."""
        self.running = False
        self._single = False
        self.hint = None
        self.stop_thinking()

    def stop_thinking(self) -> None:
        """Cancel the open request; the answer within 50 ms is dropped."""
        self._worker.cancel()
        self._queue.clear()
        self._coming = self._fast_result = self._wanted = None
        self.thought.thinking = False
        self._asked = ""

    def play_best_so_far(self) -> None:
        """End the thinking early and take its best."""
        self._worker.stop_early()

    def elsewhere(self) -> None:
        """Another place of the history is on the board: what was thought is about no position of it any more."""
        self.thought.ply = -1

    def step_once(self) -> None:
        """One action of the agent, then pause."""
        self.running = False
        self._single = True
        self._wait = 0.0

    @property
    def wants_plan(self) -> bool:
        """Whether the agent is to play and has no actions waiting."""
        return (self.running or self._single) and not self._queue

    def follow(self, plan: Plan) -> None:
        """Carry out a plan that is known already instead of thinking."""
        self.stop_thinking()
        self._queue.extend(plan.actions)

    def ask_hint(self, state: Any, ply: int, agents: Sequence[Spec], seconds: float | None) -> None:
        """Let the first of these agents whose kernels are compiled think about the present position without playing.

        Where there is none yet, the first one that is ready does it then. The answer appears as `hint`.
        """
        self.stop_thinking()
        self.hint = None
        self._wanted = Wanted(state, ply, tuple(agents), seconds)
        self._begin_hint()

    def _begin_hint(self) -> None:
        """Ask for the hint that was wanted, if an agent is ready that may give it."""
        wanted = self._wanted
        spec = next((each for each in wanted.agents if self.ready_for(each)), None) if wanted is not None else None
        if wanted is None or spec is None:
            return
        self._wanted = None
        if spec is not wanted.agents[0]:
            titles = [catalogue.entry(self.game, each.id).title for each in (spec, wanted.agents[0])]
            self.notice = f"{titles[0]} gives this hint: {titles[1]} is still being prepared."
        self._ask("hint", wanted.state, wanted.ply, spec, 0, wanted.seconds)

    def ask_values(self, state: Any, ply: int, spec: Spec) -> None:
        """Think along while a person chooses: what is thought is shown, nothing is played and no hint given."""
        self.stop_thinking()
        self._ask("values", state, ply, spec, 0, None)

    # Once a frame

    def tick(
        self, dt: float, state: Any, ply: int, seat: int, over: bool, may_play: bool = True, waits: bool = False
    ) -> Played | None:
        """What to play now, if anything.

        `may_play` is False while the last move is still being drawn, `waits` True while another board is to follow first.
        """
        self._poll()
        self._begin_hint()
        self._measure(dt)
        self._wait = max(-BEHIND_SECONDS if self._queue else 0.0, self._wait - dt)
        if over:
            if self._asked != "hint":
                self._queue.clear()
            return None
        if waits:
            return None
        played = self._take_fast() if self._fast_result else None
        if played is not None:
            return played
        wants = self.running or self._single
        spec = self.seats[seat]
        if not wants or spec is None:
            return None
        if self._queue:
            if self._wait <= 0 and may_play:
                return self._take()
            return None
        if not self._worker.busy and self.ready_for(spec):
            # while the last move is still drawn: what the agent thinks can be seen before it plays
            self._ask("play", state, ply, spec, seat, None)
        return None

    def put_back(self, steps: Sequence[Step]) -> None:
        """The last moves of a fast run, which this frame has no time for: the next tick gives them again."""
        self._fast_result = Played(steps)
        self._rated = (self._rated[0], self._rated[1] - len(steps))

    def close(self) -> None:
        """Think no more; the thread ends by itself."""
        self._worker.close()

    # Inside

    def _measure(self, dt: float) -> None:
        seconds, moves = self._rated
        self._rated = (seconds + dt, moves)
        if seconds + dt >= 0.5:
            self.rate = moves / (seconds + dt)
            self._rated = (0.0, 0)

    def _take(self) -> Played:
        plan = self.thought.plan
        # the values are about the position that was thought about, so only the first action of a plan has them
        told = plan.values if plan is not None and len(self._queue) == len(plan.actions) else {}
        action = self._queue.popleft()
        self._after_move()
        self._rated = (self._rated[0], self._rated[1] + 1)
        return Played((Step(action),), told)

    def _take_fast(self) -> Played | None:
        played, self._fast_result = self._fast_result, None
        if not self.running or played is None:
            return None
        self._rated = (self._rated[0], self._rated[1] + len(played.steps))
        return played

    def _after_move(self) -> None:
        self._wait = 0.0 if math.isinf(self.speed) else self._wait + 1.0 / self.speed
        if self._single:
            self._single = False
            self.running = False

    def _agent(self, seat: int, spec: Spec, thinking: Thinking) -> Agent[Any] | None:
        """The agent on a seat, None where the thinking was cancelled before it was made; for the worker's thread."""
        key = (seat, str(spec))
        agent = self._agents.get(key)
        if agent is None:
            self.loading = True
            try:
                agent = self._maker.agent(spec, thinking, seat)
            finally:
                self.loading = False
            if agent is not None:
                agent.new_game(self._seed + seat)
                self._agents[key] = agent
                self._left = {}
        return agent

    def _ask(self, purpose: str, state: Any, ply: int, spec: Spec, seat: int, seconds: float | None) -> None:
        reason = catalogue.why_not(self.game, spec, state)
        if reason is not None:
            self.problem = f"{catalogue.entry(self.game, spec.id).title}: {reason}."
            self.stop()
            return
        alone = all(other == spec for other in self.seats)
        fast = purpose == "play" and self.running and math.isinf(self.speed) and alone
        sampled = fast and time.perf_counter() >= self._sample_at

        def job(thinking: Thinking, emit: Callable[[object], None]) -> Plan | Played:
            agent = self._agent(seat, spec, thinking)
            if agent is None:
                return Plan((), Status.CANCELLED)
            thinking.started = time.perf_counter()  # making the agent and loading its module is not thinking
            if fast and not sampled and isinstance(agent, FastPlayer):
                moves = agent.play_many(state, FAST_MOVES, Thinking(seconds=FAST_SLICE_SECONDS))
                if moves:
                    return Played([step_of(move) for move in moves])
            return agent.plan(state, thinking)

        self._asked = purpose
        self._coming = Thought(
            spec=spec, thinking=True, ply=ply, for_hint=purpose == "hint", aside=purpose == "values",
            fast=fast and self.thought.fast,
        )  # fmt: skip
        self._worker.start((self._game_number, ply), job, seconds=seconds)

    def _show_coming(self) -> None:
        """Show the thinking under way; the thought before it stays in sight until there is something to say."""
        if self._coming is not None:
            self.thought, self._coming = self._coming, None

    def _poll(self) -> None:
        if self._worker.busy and self._worker.elapsed > QUIET_SECONDS:
            self._show_coming()
        for said in self._worker.poll():
            if said.progress is not None:
                if self._coming is not None:
                    continue
                self.thought.progress = said.progress
                self.thought.seconds = self._worker.elapsed
                if said.progress.measure is not None:
                    self.thought.curve.append(said.progress.measure)
                    if len(self.thought.curve) > CURVE_LENGTH:
                        self.thought.curve = self.thought.curve[::2]
            elif said.error is not None:
                self._failed(said.error)
            elif said.result is not None:
                self._answer(said.result)
        if self._worker.busy and self._coming is None:
            self.thought.seconds = self._worker.elapsed

    def _failed(self, error: BaseException) -> None:
        log.error("an agent failed", exc_info=error)
        self._show_coming()
        spec = self.thought.spec
        name = catalogue.entry(self.game, spec.id).title if spec else "The agent"
        self.problem = f"{name} failed: {error or type(error).__name__}. The board is yours; the log has the details."
        self.stop()

    def _answer(self, result: Plan | Played) -> None:
        self.thought.thinking = False
        asked, self._asked = self._asked, ""
        if isinstance(result, Played):
            self._fast_result = result
            spec = self.thought.spec if self._coming is None else self._coming.spec
            if self.thought.spec != spec or self.thought.plan is None:
                self.thought = Thought(spec=spec)
            self.thought.fast, self._coming = True, None
            return
        self._sample_at = time.perf_counter() + max(SAMPLE_SECONDS, result.seconds / SAMPLE_SHARE)
        self._show_coming()
        self.thought.thinking = False
        self.thought.plan = result
        self.thought.seconds = result.seconds
        self.thought.shown_plan = len(result.actions) > 1 and result.status is Status.SOLVED
        if asked == "hint":
            self.hint = result
        if asked in ("hint", "values"):
            return
        self._queue.extend(result.actions)
        if not result.actions:
            self.running = False
            self._single = False
