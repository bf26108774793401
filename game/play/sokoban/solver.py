"""What the agent said about a Sokoban level: its last answer, and the plan that is known with all its positions.

A plan that was found once is remembered: a hint or a solution asked for again on the way is there at once.
"""

from collections.abc import Sequence
from dataclasses import replace

from ai.agent import Plan, Status
from game.play.driver import Driver
from game.play.sokoban import plans
from game.play.sokoban.plans import Push
from game.play.sokoban.policy_preview import PolicyPreview
from game.play.store import Store
from game.play.timeline import Timeline
from game.rules.sokoban import State


class Solver:
    """Reads the driver of one board once a frame."""

    def __init__(self, store: Store) -> None:
        """Nothing was said yet."""
        self._store = store
        self.preview = PolicyPreview(store)
        self.cancelled = False
        """Whether the last thinking was stopped before an answer."""
        self.size = (0, 0)
        """Moves and pushes of the plan that was found last."""
        self._seen: Plan | None = None
        self._known: Plan | None = None
        self._at: dict[State, int] = {}
        self._shown: tuple[object, int] = (None, -1)
        self._push: Push | None = None
        self._was_thinking = False

    def news(self, driver: Driver, timeline: Timeline[State]) -> Plan | None:
        """Once a frame: an answer to what was asked, told once."""
        thought = driver.thought
        if thought.thinking:
            self.cancelled = False
        elif self._was_thinking and thought.plan is None:
            self.cancelled = True
        self._was_thinking = thought.thinking
        plan = thought.plan
        if plan is self._seen:
            return None
        self._seen = plan
        if plan is None:
            return None
        states = timeline.states
        start = states[thought.ply] if 0 <= thought.ply < len(states) else timeline.state
        self.preview.take(start, plan)
        if plan.status is Status.SOLVED and plan.actions:
            line = plans.line(start, plan.actions)
            self.size = (len(plan.actions), plans.pushes(line))
            self._known = plan
            self._at = {state: number for number, state in enumerate(line[:-1])}
            thought.curve = plans.homes(line)
        return plan

    def forget(self) -> None:
        """Another level or another agent."""
        self._known, self._at = None, {}
        self.preview.forget()
        self.cancelled = False

    def knows(self, state: State) -> bool:
        """Whether the plan that was found last leads through this position."""
        return state in self._at

    def rest(self, state: State) -> Plan | None:
        """What is left of that plan from this position on; None where it does not lead through it."""
        at = self._at.get(state)
        if self._known is None or at is None:
            return None
        return replace(self._known, actions=self._known.actions[at:])

    def next_push(self, driver: Driver, state: State) -> Push | None:
        """What the hint or the plan under way does next; None when nothing is to be shown."""
        actions: Sequence[int]
        if driver.hint is not None:
            actions = driver.hint.actions
        elif driver.carrying_out and self._store.settings.show_values:
            actions = driver.plan_left
        else:
            return None
        if self._shown[0] is not state or self._shown[1] != len(actions):
            self._shown, self._push = (state, len(actions)), plans.next_push(state, actions)
        return self._push

    def ghosts(self, driver: Driver, state: State) -> tuple[int, ...]:
        """Where the best position of the search under way has its boxes; empty where that is not to be shown."""
        thought = driver.thought
        shown = thought.thinking and thought.plan is None and self._store.settings.show_values
        squares = state.warehouse.rows * state.warehouse.cols
        return tuple(square for square in thought.progress.position if 0 <= square < squares) if shown else ()
