"""Iterative deepening around a resumable search kernel: what alpha-beta and all its relatives share.

Each depth is searched to its end in slices of about 10 ms; the answer is the best move of the last depth, or of the
one under way once its first move (the best of the depth before) is done. It stops early when the result is proved
and nothing nearer can be found.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ai.agent import Action, Plan, Progress, Status, Thinking
from ai.connect4.alphabeta import search as kernels
from ai.connect4.alphabeta.heuristics import evaluate
from ai.connect4.alphabeta.search import Search
from ai.connect4.alphabeta.settings import SearchSettings
from ai.connect4.board import board as layout
from ai.connect4.board.baselines import RandomMoves
from ai.connect4.board.board import Ints, board_of, make, tables, undo
from ai.connect4.board.scores import PROVED, WIN, describe, expected, plies_to_end
from game.rules import connect4
from game.rules.connect4 import Shape, State

_SLICE = 20_000
"""Nodes between two looks at the clock: 4 to 10 ms."""
_WIDE_NODES = 20_000
"""While an iteration starts below so many nodes, every root move gets a value of its own, not a bound."""
_TABLE_BITS = 19
_LARGE_TABLE_BITS = 21
_SMALL_TABLE_BITS = 10
_CLEARED_AT_ONCE = 1 << 18
_LONG_SECONDS = 4.0
_LONG_NODES = 4_000_000


@dataclass(slots=True)
class Found:
    """What a search knows so far. Values are the root seat's."""

    values: dict[Action, float]
    """For every legal action; bounds where the best is not concerned."""
    best: Action
    depth: int = 0
    pv: tuple[Action, ...] = ()
    undecided: Action | None = None
    """Best action of the last depth that was not lost."""
    order: list[Action] = field(default_factory=list)
    """Root moves to search, best first: those that do not lose at once. Empty when there is nothing to search."""
    sure: tuple[Action, float] | None = None
    """A proved win, whatever the search has seen of it so far."""
    forced: bool = False
    """Whether the only thing to do is to answer a threat."""

    @property
    def value(self) -> float:
        """Of the best action."""
        return self.values[self.best]


@dataclass(eq=False)
class Deepening(SearchSettings, ABC):
    """An agent that searches depth after depth. What is searched, and how, is left to the kernel of the subclass."""

    _wide = False
    """Whether every root move gets a value of its own at every depth."""
    _bits: ClassVar[tuple[int, int]] = (_TABLE_BITS, _LARGE_TABLE_BITS)
    """Sizes of the table, as powers of two, for a short search and a long one."""

    _from_root_seat = False
    """Whether the table keeps values of the root's seat, not of the side to move."""

    def __post_init__(self) -> None:
        self._luck = RandomMoves(self.random_moves)
        self._shape: Shape | None = None
        self._search: Search | None = None
        self._generation = 0

    @abstractmethod
    def _run(self, made: Ints, board: Ints, search: Search, slice_nodes: int) -> bool:
        """One slice of the kernel; returns whether the iteration has ended."""

    @abstractmethod
    def _take_back(self, made: Ints, board: Ints, search: Search) -> None:
        """Put the board of an unfinished iteration back to the root."""

    def _foresee(self, made: Ints, board: Ints, found: Found, thinking: Thinking) -> int:
        """What can be known before the search proper; returns the nodes spent."""
        return 0

    def _proves(self, players: int) -> bool:
        """Whether a win or loss that the search finds is one against any play of the others."""
        return True

    def _exact(self, found: Found, players: int) -> bool:
        """Whether a win or loss that was found has the value it has in the whole game."""
        return True

    def _line(self, made: Ints, board: Ints, search: Search, first: Action, plies: int) -> tuple[Action, ...]:
        """The expected moves from `first` on, at most so many."""
        return (first,)

    def new_game(self, seed: int) -> None:
        """Forget everything; `seed` drives the random moves."""
        self._search = None
        self._luck.new_game(seed)

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """The best move; values of all legal actions on the scale of `ai.connect4.board.scores`."""
        if not connect4.legal_actions(state):
            return Plan((), note="the game is over")
        if (random_move := self._luck.plan(state)) is not None:
            return random_move
        found, nodes = self.examine(state, thinking)
        return self._decide(state, found, nodes, thinking)

    def _decide(self, state: State, found: Found, nodes: int, thinking: Thinking) -> Plan:
        """The plan, once the search is over."""
        return plan_of(state, found, nodes, thinking, self._exact(found, state.shape.players))

    def examine(self, state: State, thinking: Thinking, spent: int = 0, most: int | None = None) -> tuple[Found, int]:
        """What a search of a game that goes on finds, and the nodes spent before and now, at most `most` of these."""
        made, board = tables(state.shape, self.heuristic), board_of(state, self.heuristic)
        found = at_once(made, board)
        if found.order:
            spent += self._foresee(made, board, found, thinking)
            spent = self._deepen(state, made, board, found, thinking, spent, most)
        return found, spent

    def _deepen(
        self, state: State, made: Ints, board: Ints, found: Found, thinking: Thinking, nodes: int, most: int | None
    ) -> int:
        """Search depth after depth, improving `found`; returns the nodes spent."""
        search = self._prepared(state.shape, made, thinking)
        left = state.shape.cells - len(state.moves)
        proves = self._proves(state.shape.players)
        # Without limits of the request, the agent's own time; a request in nodes alone has no clock, so as to repeat.
        seconds = self.time if thinking.node_limit is None else None
        search.state[kernels.NODES] = nodes
        search.state[kernels.ROOT] = board[layout.TO_MOVE]
        before = nodes
        for depth in range(1, min(self.depth, left) + 1):
            _begin(search, found, depth, self._wide or nodes - before < _WIDE_NODES)
            done = False
            while not done:
                if nodes > before and (thinking.over(nodes, seconds) or (most and nodes - before >= most)):
                    break
                budget = _SLICE
                if thinking.node_limit is not None:
                    budget = max(1, min(budget, thinking.node_limit - nodes))
                done = self._run(made, board, search, budget)
                nodes = int(search.state[kernels.NODES])
                thinking.report(_progress(found, nodes, thinking, seconds))
            self._take_back(made, board, search)
            new = _learn(board, search, found, depth, proves)
            plies = plies_to_end(found.value)
            if new and (found.sure is None or found.value > found.sure[1]):
                found.pv = self._line(made, board, search, found.best, min(plies or depth, left))
            if not done:
                break
            if (plies is not None and plies <= depth + 2) or depth >= left:
                break
        return nodes

    def _prepared(self, shape: Shape, made: Ints, thinking: Thinking) -> Search:
        """The search with what it remembers of the game, or a new one."""
        seconds = self.time if thinking.seconds_limit is None else thinking.seconds_limit
        nodes = thinking.node_limit
        large = nodes > _LONG_NODES if nodes is not None else seconds > _LONG_SECONDS
        bits = self._bits[large]
        search = self._search
        if search is None or shape != self._shape or len(search.table) < 4 << bits:
            search = kernels.new_search(made, _cleared(bits, thinking))
            self._generation = 0
        self._shape, self._search = shape, search
        self._generation += 1
        search.state[kernels.GENERATION] = self._generation
        if shape.players > 2 or self._from_root_seat:
            # Losses to a coalition, proved for the moves before, would leave no depth undecided (see `plan_of`); and
            # with another seat at the root the same position is worth something else.
            search.table[:] = 0
        search.history[:] >>= 3
        search.killers[:] = -1
        return search


def _cleared(bits: int, thinking: Thinking) -> Ints:
    """A zeroed table of 2**bits buckets, touched piece by piece: a cancel meanwhile gets a small one at once.

    The first touch of fresh memory can take a quarter of a second for 64 MB on a virtual machine.
    """
    table = np.empty(4 << bits, np.int64)
    for start in range(0, len(table), _CLEARED_AT_ONCE):
        if thinking.cancelled:
            return np.zeros(4 << _SMALL_TABLE_BITS, np.int64)
        table[start : start + _CLEARED_AT_ONCE] = 0
    return table


def at_once(made: Ints, board: Ints) -> Found:
    """What needs no search: the evaluation after each move, wins, and moves that let the next seat win."""
    players = int(made[layout.PLAYERS])
    seat = int(board[layout.TO_MOVE])
    following = (seat + 1) % players
    legal = _columns(board[layout.LEGAL])
    values: dict[Action, float] = {}
    for action in legal:
        make(made, board, action)
        values[action] = float(evaluate(made, board, seat))
        undo(made, board)
    masks = layout.SEATS + int(board[layout.STONES]) * layout.SEATS_ROW
    winning = _columns(board[masks + layout.NOW + seat])
    threats = _columns(board[masks + layout.NOW + following])
    handing_over = set(_columns(board[masks + layout.ABOVE + following]))
    if len(threats) > 1:
        safe = []
    else:
        safe = [action for action in threats or legal if action not in handing_over]
    values.update({action: 2 - WIN for action in legal if action not in safe})
    values.update(dict.fromkeys(winning, WIN - 1))
    best = max((*winning, *safe) or threats or legal, key=lambda action: values[action])
    order = [] if winning else sorted(safe, key=lambda action: -values[action])
    return Found(values, best, pv=(best,), order=order, forced=bool(threats))


def _columns(mask: int) -> tuple[Action, ...]:
    """The columns of a mask, ascending."""
    return tuple(action for action in range(64) if (int(mask) >> action) & 1)


def _begin(search: Search, found: Found, depth: int, wide: bool) -> None:
    """Set the root's frame for one depth."""
    count = len(found.order)
    frame = search.frames[0]
    frame[:] = 0
    frame[kernels.ALPHA] = frame[kernels.FLOOR] = frame[kernels.BEST] = -kernels.INFINITE
    frame[kernels.BETA] = frame[kernels.CEILING] = kernels.INFINITE
    frame[kernels.BEST_MOVE] = found.order[0]
    frame[kernels.COUNT] = count
    frame[kernels.DEPTH] = depth
    frame[kernels.FORCED] = found.forced
    frame[kernels.SEAT] = search.state[kernels.ROOT]
    search.moves[0, :count] = found.order
    search.root_values[:] = -kernels.INFINITE
    search.state[kernels.PLY] = 0
    search.state[kernels.MODE] = kernels.NEXT
    search.state[kernels.WIDE] = wide


def _learn(board: Ints, search: Search, found: Found, depth: int, proves: bool) -> bool:
    """Take over what a depth, or the finished part of one, has found; returns whether there was anything."""
    stones = int(board[layout.STONES])
    finished = {
        move: _from_root(value, stones, proves)
        for move in found.order
        if (value := int(search.root_values[move])) > -kernels.INFINITE
    }
    if found.order[0] not in finished:
        return False
    best = int(search.frames[0, kernels.BEST_MOVE])
    wide = bool(search.state[kernels.WIDE])
    if search.state[kernels.MODE] == kernels.DONE:
        values = dict(found.values)
        for move, told in finished.items():
            # A bound says no more than that the move is not better; a value of its own from a wide depth says more.
            own = wide or move == best or told <= -PROVED
            values[move] = told if own else min(told, values[move])
        found.values, found.best, found.depth = values, best, depth
        # Sorting is stable: without values of their own the other moves keep their order.
        found.order.sort(key=lambda move: (move != best, -values[move] if wide else 0.0))
    elif not _learn_part(found, finished, best):
        return False
    if found.sure is not None and found.value < found.sure[1]:
        found.best = found.sure[0]
        found.values = {**found.values, found.best: found.sure[1]}
    if found.value > -PROVED:
        found.undecided = found.best
    return True


def _learn_part(found: Found, finished: dict[Action, float], best: Action) -> bool:
    """Take over an unfinished depth: what it proved, and a move that beat the best of the depth before.

    A value that only fell is left out, because the moves still to come might have fallen further. Returns whether
    anything was new.
    """
    proved = {move: value for move, value in finished.items() if abs(value) >= PROVED}
    better = best != found.order[0] and finished[best] > -PROVED
    if not proved and not better:
        return False
    values = {**found.values, **proved}
    if better:
        values = {move: min(value, finished[best]) for move, value in values.items()}
        values[best] = finished[best]
        found.best = best
    elif values[found.best] <= -PROVED:
        found.best = max(found.order, key=lambda move: values[move])
    found.values = values
    return True


def _from_root(value: int, stones: int, proves: bool) -> float:
    """A value of the search, which counts stones to the end, as one that counts plies from here."""
    if abs(value) < kernels.DECIDED:
        return float(value)
    value = value + stones if value > 0 else value - stones
    return float(value) if proves else expected(value)


def _progress(found: Found, nodes: int, thinking: Thinking, seconds: float | None) -> Progress:
    limit = thinking.seconds_limit if thinking.seconds_limit is not None else seconds
    if limit is not None:
        fraction = thinking.elapsed / limit if limit > 0 else 1.0
    else:
        fraction = nodes / max(1, thinking.node_limit or 1)
    return Progress(
        nodes=nodes,
        fraction=min(1.0, fraction),
        depth=found.depth,
        best=found.best,
        values=found.values,
        pv=found.pv,
        measure=found.value,
        note=describe(found.value),
    )


def plan_of(state: State, found: Found, nodes: int, thinking: Thinking, exact: bool) -> Plan:
    """What was found as a plan; `exact` says whether a win or loss is proved, and its distance with it."""
    value = found.value
    plies = plies_to_end(value)
    drawn = plies is None and found.depth >= state.shape.cells - len(state.moves)
    if plies is not None:
        note = f"{'wins' if value > 0 else 'loses'} in {plies} {'ply' if plies == 1 else 'plies'}"
    else:
        note = "draw" if drawn and not value else f"{describe(value)} at depth {found.depth}"
    return Plan(
        (found.best,),
        Status.LOST if plies is not None and value < 0 else Status.PLAN,
        found.values,
        exact=exact if plies is not None else drawn and not value,
        pv=found.pv,
        nodes=nodes,
        seconds=thinking.elapsed,
        depth=found.depth,
        note=note,
    )
