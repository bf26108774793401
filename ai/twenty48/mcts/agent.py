"""The `mcts` agent: Monte-Carlo tree search over afterstates, with rollouts (`ai.twenty48.mcts.tree`).

One kernel call lasts about 5 ms; between calls the budget is looked at. Each legal slide is always tried once.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ai.agent import Plan, Progress, Status, Thinking
from ai.twenty48.board.spawns import random_number
from ai.twenty48.mcts.grid import make_grid, simulate_grid
from ai.twenty48.mcts.packed import make_packed, simulate_packed
from ai.twenty48.mcts.rollouts import MAX_LENGTH, POLICIES, Rollout
from ai.twenty48.mcts.tree import DEEPEST, NODES, SIMULATIONS, Tree, begin, root_values
from ai.twenty48.search.evaluation import Weights
from ai.twenty48.search.expectimax import Cells, Luck, Played, kind_of
from ai.twenty48.search.slices import Slices
from game.rules.twenty48 import State, legal_actions, place, slide, spawn

_MASK = 2**64 - 1


@dataclass(frozen=True, slots=True)
class _Engine:
    """One of the two kinds of boards behind one face."""

    kind: int
    """Size of the board, 0 for packed boards."""
    tree: Tree
    luck: Luck
    simulate: Callable[[Cells, Rollout, float, int, int], None]


def _make(kind: int, simulations: int) -> _Engine:
    weights = Weights()
    if kind == 0:
        packed = make_packed(simulations, weights)
        return _Engine(kind, packed.tree, packed.luck, lambda *given: simulate_packed(packed, *given))
    grid = make_grid(kind, simulations, weights)
    return _Engine(kind, grid.tree, grid.luck, lambda *given: simulate_grid(grid, *given))


class Mcts:
    """Monte-Carlo tree search on boards of every size.

    Plans depend on the seed, the position and how far the game is. Values are points still to come where rollouts
    count points, else in the units of `ai.twenty48.search.evaluation`: only their order and differences mean anything.
    """

    def __init__(
        self, simulations: int, time: float, rollout: int, policy: str, value: str, exploration: float
    ) -> None:
        """How long and how to search.

        Args:
            simulations: For one move at most, 1 or more.
            time: Seconds for one move at most.
            rollout: Slides that are played out at most, 0 to 1,000.
            policy: How they are chosen, one of `ai.twenty48.mcts.rollouts.POLICIES`.
            value: What counts in the end: 'evaluation' or 'score'.
            exploration: How much slides seldom tried are preferred, 0 or more.

        Raises:
            ValueError: when one of them is something else.
        """
        if simulations < 1 or not 0 <= rollout <= MAX_LENGTH or not exploration >= 0:
            raise ValueError(f"There is no search with {simulations=}, {rollout=}, {exploration=}.")
        if policy not in POLICIES or value not in ("evaluation", "score"):
            raise ValueError(f"There are no rollouts with {policy=}, {value=}.")
        self.simulations, self.time, self.exploration = simulations, time, exploration
        self.rollout = Rollout(rollout, POLICIES[policy], value == "score")
        self._engine = _make(0, simulations)
        self._slices = Slices()
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        """`seed` names the random numbers of rollouts; they are not those of spawns, even for equal seeds."""
        self._seed = np.uint64(~seed & _MASK)

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """The slide of the highest value, with the values of all legal ones."""
        legal = legal_actions(state)
        if not legal:
            return Plan((), seconds=thinking.elapsed, note="Nothing can move.")
        engine, cells = self._engine_for(state), np.array(state.cells, np.uint8)
        tree, head = engine.tree, engine.tree.head
        begin(tree)
        engine.luck[0] = random_number(self._seed, np.uint64(state.spawns & _MASK))
        engine.luck[1] = 0
        began = time.perf_counter()
        engine.simulate(cells, self.rollout, self.exploration, len(legal), 2**62)
        while head[SIMULATIONS] < self.simulations and not self._over(thinking, int(head[NODES]), began):
            limit = self._slices.limit(int(head[NODES]), thinking.node_limit)
            started = time.perf_counter()
            engine.simulate(cells, self.rollout, self.exploration, self.simulations, limit)
            if head[NODES] >= limit:
                self._slices.adapt(time.perf_counter() - started)
            values = root_values(tree)
            share = min(1.0, int(head[SIMULATIONS]) / self.simulations)
            thinking.report(
                Progress(int(head[NODES]), share, int(head[DEEPEST]), max(values, key=values.__getitem__), values)
            )
        values = root_values(tree)
        best = max(values, key=values.__getitem__)
        done, deepest = int(head[SIMULATIONS]), int(head[DEEPEST])
        return Plan(
            (best,),
            Status.CANCELLED if thinking.cancelled and done < self.simulations else Status.PLAN,
            values,
            pv=(best,),
            nodes=int(head[NODES]),
            seconds=thinking.elapsed,
            depth=deepest,
            note=f"{done:,} simulations, up to {deepest} {'move' if deepest == 1 else 'moves'} ahead in the tree.",
        )

    def play_many(self, state: State, moves: int, thinking: Thinking) -> Played:
        """Up to `moves` moves from `state`, spawns from the state's own sequence; what `plan` would play one by one.

        Stops when the game or the thinking is over; a node limit is for each move.
        """
        done: list[tuple[int, int, int]] = []
        while len(done) < moves and not thinking.over():
            plan = self.plan(state, thinking)
            if not plan.actions or plan.status is Status.CANCELLED:
                break
            slid = slide(state, plan.actions[0])
            assert slid is not None
            cell, exponent = spawn(slid.cells, state.seed, state.spawns)
            state = place(state, slid, cell, exponent)
            done.append((plan.actions[0], cell, exponent))
        return tuple(done)

    def _over(self, thinking: Thinking, nodes: int, began: float) -> bool:
        """Whether this move was thought about for long enough: a request's time counts for all moves it asks for."""
        own = thinking.seconds_limit is None and time.perf_counter() - began >= self.time
        return own or thinking.over(nodes)

    def _engine_for(self, state: State) -> _Engine:
        kind = kind_of(state)
        if self._engine.kind != kind:
            self._engine = _make(kind, self.simulations)
        return self._engine
