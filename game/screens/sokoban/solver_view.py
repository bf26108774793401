"""What the agent said about a Sokoban level: its plan on the board, the hint, and the rows of the panel.

A plan that was found once is remembered with all its positions: a hint or a solution asked for again on the way is
there at once.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ai.agent import Plan, Status
from game.play.sokoban import plans, results
from game.play.sokoban.plans import Push
from game.rules.sokoban import State
from game.screens.play.panel import Row
from game.screens.sokoban.glance import Glance, likeliest
from game.ui.shortcuts import keys_shown

if TYPE_CHECKING:
    from game.screens.sokoban.screen import SokobanScene


class SolverView:
    """Reads the driver of one Sokoban screen once a frame."""

    def __init__(self, scene: "SokobanScene") -> None:
        """Nothing was said yet."""
        self.scene = scene
        self.cancelled = False
        """Whether the last thinking was stopped before an answer."""
        self._seen: Plan | None = None
        self._moves_pushes = (0, 0)
        self._known: Plan | None = None
        self._at: dict[State, int] = {}
        self._shown: tuple[object, int] = (None, -1)
        self._push: Push | None = None
        self._was_thinking = False
        self.glance = Glance(scene)

    @property
    def agent_name(self) -> str:
        """Who thinks, or thought last; else who sits at the board; in short."""
        driver = self.scene.driver
        spec = driver.thought.spec or driver.seats[0] or self.scene.hint_spec()
        return results.agent_title(str(spec))

    @property
    def ghosts(self) -> tuple[int, ...]:
        """Where the best position of the search under way has its boxes; empty where that is not to be shown."""
        thought = self.scene.driver.thought
        shown = thought.thinking and thought.plan is None and self.scene.context.settings.show_values
        squares = self.scene.state.warehouse.rows * self.scene.state.warehouse.cols
        return tuple(square for square in thought.progress.position if 0 <= square < squares) if shown else ()

    @property
    def next_push(self) -> Push | None:
        """What the hint or the plan under way does next; None when nothing is to be shown."""
        scene, driver = self.scene, self.scene.driver
        hint = driver.hint
        actions: Sequence[int]
        if hint is not None:
            actions = hint.actions
        elif driver.carrying_out and scene.context.settings.show_values:
            actions = driver.plan_left
        else:
            return None
        key = (scene.state, len(actions))
        if self._shown[0] is not key[0] or self._shown[1] != key[1]:
            self._shown, self._push = key, plans.next_push(scene.state, actions)
        return self._push

    # Once a frame

    def update(self) -> None:
        """Look at a new answer, once."""
        self.glance.ask()
        thought = self.scene.driver.thought
        if thought.thinking:
            self.cancelled = False
        elif self._was_thinking and thought.plan is None:
            self.cancelled = True
        self._was_thinking = thought.thinking
        plan = thought.plan
        if plan is self._seen:
            return
        self._seen = plan
        if plan is None:
            return
        states = self.scene.timeline.states
        start = states[thought.ply] if 0 <= thought.ply < len(states) else self.scene.state
        self.glance.take(start, plan)
        if thought.aside:
            thought.curve.clear()
            return
        if plan.status is Status.SOLVED and plan.actions:
            line = plans.line(start, plan.actions)
            self._moves_pushes = (len(plan.actions), plans.pushes(line))
            self._known = plan
            self._at = {state: number for number, state in enumerate(line[:-1])}
            self.scene.note_plan(thought.ply, plan.actions)
            thought.curve = plans.homes(line)
        elif plan.status is Status.UNSOLVABLE:
            self.scene.verdict.prove(max(0, thought.ply))
            self.scene.driver.hint = None
        elif plan.status is Status.GAVE_UP:
            reason = plan.note or "its time was up"
            self.scene.window.say(f"{self.agent_name} gave up: {reason}. There may still be a solution.")
            self.scene.driver.hint = None

    def forget(self) -> None:
        """Another level or another agent."""
        self._known, self._at = None, {}
        self.glance.forget()
        self.cancelled = False

    # Hints

    def hint_again(self) -> bool:
        """A hint that is there is carried out, one that is known is shown; False when the agent has to think."""
        if self.carry_out_hint():
            return True
        rest = self._rest()
        if rest is None:
            return False
        self.scene.driver.stop()
        self.scene.driver.hint = rest
        return True

    def carry_out_hint(self) -> bool:
        """Play the next push of the hint on the board, with the walk to it; False when there is none."""
        hint = self.scene.driver.hint
        push = self.next_push if hint is not None else None
        if push is None:
            return False
        self.scene.follow(push.actions, by_agent=True)
        return True

    def resume(self) -> None:
        """The agent was asked to play: where its plan for this position is known it need not think again."""
        driver = self.scene.driver
        rest = self._rest()
        if rest is not None and driver.wants_plan:
            driver.follow(rest)

    def _rest(self) -> Plan | None:
        at = self._at.get(self.scene.state)
        if self._known is None or at is None:
            return None
        return replace(self._known, actions=self._known.actions[at:])

    # Panel

    def note(self) -> str:
        """What stands beside 'What it thinks' where it is not what stands there in every game."""
        if self.cancelled:
            return "cancelled"
        thought, scene = self.scene.driver.thought, self.scene
        plan = thought.plan
        if thought.aside or plan is None or plan.status is not Status.SOLVED:
            return ""
        if scene.over(scene.state) or scene.state in self._at:
            return ""
        return "of another position"

    @property
    def curve_label(self) -> str:
        """What the curve shows."""
        if self.scene.driver.thought.plan is not None:
            return "boxes home, along the plan"
        return "best position so far"

    def rows(self) -> list[Row]:
        """Plan or progress in words."""
        thought, theme = self.scene.driver.thought, self.scene.theme
        plan = thought.plan
        if plan is None:
            if thought.thinking:
                return self._progress_rows()
            if self.cancelled:
                searched = Row("Searched", plans.counted(thought.progress.nodes, "position"))
                return [Row("Answer", "none: it was stopped"), searched]
            return [
                Row(f"Ask for {what}", keys_shown(command))
                for what, command in (("a hint", "hint"), ("the solution", "run"))
            ]
        if thought.aside:
            return self.glance.rows(plan)
        rows = []
        if plan.status is Status.SOLVED:
            moves, pushes = self._moves_pushes
            rows.append(Row("Solution", f"{plans.counted(moves, 'move')} · {plans.counted(pushes, 'push')}"))
        else:
            answer = {
                Status.UNSOLVABLE: "proved: there is no solution",
                Status.GAVE_UP: "none found in its limits",
                Status.CANCELLED: "none: it was stopped",
            }.get(plan.status, plan.note or "decided")
            rows.append(Row("Answer", answer, theme.thinking))
        rows.append(Row("Searched", _searched(plan.nodes, plan.seconds)))
        push = self.next_push
        rows += likeliest(self.glance.choices, theme.thinking)
        if push is not None:
            rows.append(Row("Next", push.words, theme.thinking))
        elif plan.status is Status.SOLVED:
            rows.append(Row("Next", "nothing is left" if self.scene.over(self.scene.state) else "–"))
        return rows

    def _progress_rows(self) -> list[Row]:
        thought = self.scene.driver.thought
        progress = thought.progress
        rows = [Row("Searched", _searched(progress.nodes, thought.seconds))]
        if progress.open is not None and progress.closed is not None:
            rows.append(Row("Open · closed", f"{progress.open:,} · {progress.closed:,}"))
        if progress.depth is not None:
            rows.append(Row("Depth", f"{progress.depth:,}"))
        if progress.measure is not None:
            rows.append(Row("Best position", f"{progress.measure:,.4g}", self.scene.theme.thinking))
        return rows


def _searched(nodes: int, seconds: float) -> str:
    """'2,953 positions · 1.2 M/s'; the rate only where the time is long enough to tell."""
    words = plans.counted(nodes, "position")
    if seconds < 0.02 or nodes < 100:
        return words
    rate = nodes / seconds
    short = f"{rate / 1e6:.1f} M" if rate >= 1e6 else f"{rate / 1e3:.0f} k" if rate >= 1e3 else f"{rate:.0f}"
    return f"{words} · {short}/s"
