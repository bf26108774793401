"""The `mcts` agent: Monte-Carlo tree search over afterstates, with rollouts (`ai.twenty48.mcts.tree`).

One kernel call lasts about 5 ms; between calls the budget is looked at. Each legal slide is always tried once.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ai.agent import Plan, Progress, Status, Thinking
from ai.twenty48.board.spawns import random_number
from ai.twenty48.mcts.grid import GridMcts, make_grid, simulate_grid
from ai.twenty48.mcts.packed import PackedMcts, make_packed, simulate_packed
from ai.twenty48.mcts.rollouts import MAX_LENGTH, POLICIES, Rollout
from ai.twenty48.mcts.tree import DEEPEST, NODES, SIMULATIONS, begin, root_values
from ai.twenty48.search.engine import Played, Slices, step
from ai.twenty48.search.evaluation import Weights
from ai.twenty48.search.expectimax import kind_of
from ai.twenty48.search.settings import MctsSettings
from game.rules.twenty48 import State, legal_actions

_MASK = 2**64 - 1


@dataclass(eq=False)
class Mcts(MctsSettings):
    """Monte-Carlo tree search on boards of every size.

    Plans depend on the seed, the position and how far the game is. Values are points still to come where rollouts
    count points, else in the units of `ai.twenty48.search.evaluation`: only their order and differences mean anything.
    Making one raises ValueError where its settings are not what they may be.
    """

    def __post_init__(self) -> None:
        if self.simulations < 1 or not 0 <= self.rollout <= MAX_LENGTH or not self.exploration >= 0:
            told = f"simulations={self.simulations}, rollout={self.rollout}, exploration={self.exploration}"
            raise ValueError(f"There is no search with {told}.")
        if self.policy not in POLICIES or self.value not in ("evaluation", "score"):
            raise ValueError(f"There are no rollouts with policy={self.policy}, value={self.value}.")
        self._rollout = Rollout(self.rollout, POLICIES[self.policy], self.value == "score")
        self._kind = -1
        self._prepared(0)
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
        search, simulate = self._prepared(kind_of(state))
        cells, tree, head = np.array(state.cells, np.uint8), search.tree, search.tree.head
        begin(tree)
        search.luck[0] = random_number(self._seed, np.uint64(state.spawns & _MASK))
        search.luck[1] = 0
        began = time.perf_counter()
        simulate(search, cells, self._rollout, self.exploration, len(legal), 2**62)
        while head[SIMULATIONS] < self.simulations and not self._over(thinking, int(head[NODES]), began):
            limit = self._slices.limit(int(head[NODES]), thinking.node_limit)
            started = time.perf_counter()
            simulate(search, cells, self._rollout, self.exploration, self.simulations, limit)
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
            state, move = step(state, plan.actions[0])
            done.append(move)
        return tuple(done)

    def _over(self, thinking: Thinking, nodes: int, began: float) -> bool:
        """Whether this move was thought about for long enough: a request's time counts for all moves it asks for."""
        own = thinking.seconds_limit is None and time.perf_counter() - began >= self.time
        return own or thinking.over(nodes)

    def _prepared(self, kind: int) -> tuple[PackedMcts | GridMcts, Callable[..., None]]:
        """The search for boards of that size, or of packed boards for 0, and its kernel."""
        if self._kind != kind:
            self._kind, weights = kind, Weights()
            self._search = (
                make_grid(kind, self.simulations, weights) if kind else make_packed(self.simulations, weights)
            )
        return self._search, simulate_grid if kind else simulate_packed
