"""The `dqn` agent: the action with the highest Q value, step by step, without any search. No torch.

A model that was trained on one board plays any board of its size, as far as what it learned helps there.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ai.agent import Plan, Progress, Status, Thinking
from ai.sokoban.board.layout import Bytes, Longs
from ai.sokoban.dqn import dense, shapes, world
from ai.sokoban.dqn import model as dqn_model
from ai.sokoban.dqn.dense import Floats
from ai.sokoban.dqn.model import DqnModel
from ai.sokoban.dqn.report import network
from ai.sokoban.dqn.settings import DqnSettings, board_name, with_pulls
from ai.threads import one_thread
from game.rules import sokoban


@dataclass(eq=False)
class Dqn(DqnSettings):
    """A network by itself. Plans depend on the position alone. Making one raises ModelError where its file is no such model."""

    def __post_init__(self) -> None:
        self._network = dqn_model.load(self.model)
        self._tried: set[tuple[sokoban.State, int]] = set()

    def new_game(self, seed: int) -> None:
        """Nothing is left to chance."""
        self._tried.clear()

    @one_thread()
    def plan(self, state: sokoban.State, thinking: Thinking) -> Plan:
        """The whole solution (SOLVED), or where it does not get there GAVE_UP; the next step (PLAN) where asked for one.

        The values are those of the position's legal actions.

        Raises:
            ValueError: when the state is on a board of another size, or under other rules.
        """
        if sokoban.is_solved(state):
            return Plan((), Status.SOLVED, seconds=thinking.elapsed, note="it is solved")
        judge = judge_of(self._network, state)
        alive = world.alive_of(state.warehouse) if self._network.shape.kind == "dense" else None
        values = _legal(state, judge(state), alive)
        if not values:
            return Plan((), Status.GAVE_UP, seconds=thinking.elapsed, note="nothing can be done here")
        note = self._note(state)
        if self.plan_ == "step":
            action = self._choose(state, values, self._tried)
            self._tried.add((state, action))
            return Plan((action,), values=values, pv=(action,), nodes=1, seconds=thinking.elapsed, depth=1, note=note)
        actions = list[int]()
        here, now, tried = state, values, set[tuple[sokoban.State, int]]()
        status, reason = Status.GAVE_UP, f"no solution after {self.steps:,} steps"
        while len(actions) < self.steps and not thinking.over(len(actions)):
            action = self._choose(here, now, tried)
            if (here, action) in tried:
                reason = f"it goes round in circles after {len(actions)} steps"
                break
            tried.add((here, action))
            actions.append(action)
            here = sokoban.apply(here, action)
            if sokoban.is_solved(here):
                status = Status.SOLVED
                break
            now = _legal(here, judge(here), alive)
            if not now:
                reason = "it shut itself in"
                break
            if len(actions) % 32 == 0:
                thinking.report(Progress(len(actions), values=values, best=actions[0]))
        if thinking.cancelled:
            status = Status.CANCELLED
        if status is not Status.SOLVED:
            note = reason + note
        return Plan(
            tuple(actions) if status is Status.SOLVED else (),
            status,
            values=values,
            pv=tuple(actions),
            nodes=len(actions),
            seconds=thinking.elapsed,
            depth=len(actions),
            note=note if status is not Status.SOLVED else f"{len(actions)} steps{note}",
        )

    def _choose(self, state: sokoban.State, values: dict[int, float], tried: set[tuple[sokoban.State, int]]) -> int:
        """The best action, not one that was tried where loops are refused and another is left."""
        left = [action for action in values if (state, action) not in tried] if self.loops else []
        return max(left or values, key=lambda action: values[action])

    def _note(self, state: sokoban.State) -> str:
        level = self._network.level
        if level is None or (level.warehouse.walls, level.warehouse.targets) == (
            state.warehouse.walls,
            state.warehouse.targets,
        ):
            return ""
        return " (trained on another board of this size)"


def judge_of(model: DqnModel, state: sokoban.State) -> Callable[[sokoban.State], Floats]:
    """What gives the Q values (actions,) of positions on the board of `state`; raises ValueError where there are none."""
    if board_name(with_pulls(state, model.shape.pull)) != shapes.board_of(model.shape):
        raise ValueError(
            f"the model {model.card.name!r} plays boards of {shapes.board_of(model.shape)}, "
            f"this one is {board_name(state)}"
        )
    if model.shape.kind != "dense":
        return lambda position: network.forward(model.arrays, network.see(position, model.shape.planes)[np.newaxis])[
            0
        ]
    warehouse, squares = state.warehouse, state.warehouse.rows * state.warehouse.cols
    walls, targets = np.zeros(squares, np.uint8), np.zeros(squares, np.uint8)
    walls[list(warehouse.walls)] = 1
    targets[list(warehouse.targets)] = 1
    size = np.array([warehouse.rows, warehouse.cols, model.shape.pull], np.int64)
    most = 1 + 2 * len(state.boxes) + (2 * squares if model.shape.static else 0)
    active = np.zeros(most, np.int32)
    seen: Longs = np.zeros((1, most), np.int64)
    nothing = shapes.inputs(model.shape) - 1

    def judge(position: sokoban.State) -> Floats:
        boxes = np.array(sorted(position.boxes), np.int64)
        count = dense.see(size, walls, targets, position.player, boxes, model.shape.static, active)
        seen[0], seen[0, :count] = nothing, active[:count]
        values: Floats = dense.forward(model.arrays, seen, nothing)[0]
        return values

    return judge


def _legal(state: sokoban.State, q: Floats, alive: Bytes | None) -> dict[int, float]:
    """The values of the actions that the board allows and the network knows, none onto squares that are not `alive`."""
    found = {action: float(q[action]) for action in sokoban.legal_actions(state) if action < len(q)}
    if alive is None:
        return found
    return {a: q for a, q in found.items() if all(alive[b] for b in sokoban.apply(state, a).boxes - state.boxes)}
