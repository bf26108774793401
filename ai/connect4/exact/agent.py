"""The exact agent for flat boards: the opening book, and the exact search where the book ends.

First the columns are asked together, win, draw or loss before the distance, until the score of the position is proved
and a best column with it; then every other column until its value is proved too. All bounds proved so far are kept per
column, so that an answer cut short is the best that is known.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ai.agent import Action, Plan, Progress, Status, Thinking
from ai.connect4.board.scores import WIN
from ai.connect4.exact import book as books
from ai.connect4.exact.bitboard_shape import words
from ai.connect4.exact.settings import PerfectSettings
from ai.connect4.exact.solver import TABLE_BITS, Solver, clear, new_table
from game.rules import connect4
from game.rules.connect4 import Shape, State

_LARGE_TABLE_BITS = 24
_LARGE_NODES = 6_000_000
"""Positions that take more get the large table."""
_PATIENCE = 5
"""How many times its own time it looks for a move that keeps a proved win or draw, rather than guess."""


@dataclass(slots=True)
class Column:
    """What is proved of a move: its score, from the side to move, lies from `low` to `high`."""

    action: Action
    pos: int
    """After the move, from the other side."""
    mask: int
    low: int = -64
    high: int = 64

    @property
    def proved(self) -> bool:
        """Whether the score is known."""
        return self.low == self.high

    def learn(self, solver: Solver) -> None:
        """Take over what the solver has proved of the position after the move."""
        self.low, self.high = max(self.low, -solver.high), min(self.high, -solver.low)


@dataclass(eq=False)
class Perfect(PerfectSettings):
    """Perfect play for two, four in a row, on boards of at most 64 bits.

    A move that gives away a proved win or draw is worse than a late one: on a slow machine it takes up to five
    times as long to find one that keeps it.
    """

    def __post_init__(self) -> None:
        self._solver: Solver | None = None
        self._book: books.Book | None = None
        self._problem = ""
        self._new = True
        self._promised: tuple[tuple[Action, ...], int] = ((), -64)

    def new_game(self, seed: int) -> None:
        """Nothing here is random, and what is proved of a position is so in every game."""
        self._new = True
        self._promised = ((), -64)

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """A best move, and the value of every column that is proved, on the scale of `ai.connect4.board.scores`."""
        if not connect4.legal_actions(state):
            return Plan((), note="the game is over")
        solver = self._prepared(state.shape, thinking)
        if solver is None:
            return Plan((), Status.CANCELLED, seconds=thinking.elapsed, note="cancelled")
        return _Question(self, solver, state, thinking, self.time if thinking.node_limit is None else None).plan()

    def score(self, state: State, thinking: Thinking) -> Plan:
        """The score alone, sooner: the value of one best move, and no limits but those of the request."""
        if not connect4.legal_actions(state):
            return Plan((), note="the game is over")
        solver = self._prepared(state.shape, thinking)
        if solver is None:
            return Plan((), Status.CANCELLED, seconds=thinking.elapsed, note="cancelled")
        return _Question(self, solver, state, thinking, None).score()

    def known(self, solver: Solver, pos: int, mask: int) -> int | None:
        """What the book says of a position."""
        return self._book.score(solver.folded(pos, mask)) if self._book is not None else None

    def promised(self, solver: Solver, state: State) -> int:
        """A lower bound of the score: what the move before last was proved to get, or the position after it."""
        if not state.moves:
            return -64
        moves, score = self._promised
        found = score if moves == state.moves[:-1] else -64
        pos, mask = words(state)
        height = state.shape.rows + 1
        last = 1 << (state.moves[-1] * height + state.heights[state.moves[-1]] - 1)
        known = self.known(solver, pos ^ mask ^ last, mask ^ last)
        return found if known is None else max(found, -known)

    def promise(self, moves: tuple[Action, ...], score: int) -> None:
        """Remember what the game will be worth at least after these moves and any reply."""
        self._promised = (moves, score)

    @property
    def problem(self) -> str:
        """What is wrong with the book, for the note of a plan."""
        return f"; {self._problem}" if self._problem else ""

    def enlarge(self, over: Callable[[], bool]) -> None:
        """Give a long search the large table, which takes a while to make, unless it is over before."""
        solver = self._solver
        if solver is not None and len(solver.table) < 1 << _LARGE_TABLE_BITS:
            table = new_table(_LARGE_TABLE_BITS, over)
            if table is not None:
                solver.use(table)

    def _prepared(self, shape: Shape, thinking: Thinking) -> Solver | None:
        """The solver for a board, or None when cancelled meanwhile."""
        if self._solver is None or self._solver.shape != shape:
            table = new_table(TABLE_BITS, lambda: thinking.cancelled)
            if table is None:
                return None
            self._solver = Solver(shape, table)
            self._book, self._problem = books.shipped(shape) if self.book else (None, "")
        elif self._new and thinking.node_limit is not None and not self._forget(self._solver, thinking):
            return None
        self._new = False
        return self._solver

    def _forget(self, solver: Solver, thinking: Thinking) -> bool:
        """A request in nodes repeats in a new game: it starts from an empty table."""
        return clear(solver.table[: 1 << TABLE_BITS], lambda: thinking.cancelled) and solver.use(
            solver.table[: 1 << TABLE_BITS]
        )


class _Question:
    """One request."""

    def __init__(
        self, agent: Perfect, solver: Solver, state: State, thinking: Thinking, seconds: float | None
    ) -> None:
        self._agent = agent
        self._solver = solver
        self._state = state
        self._thinking = thinking
        self._seconds = seconds
        self._patient = False
        self._nodes = 0
        self._position = words(state)
        self._columns: list[Column] = []

    # --- the two answers ----------------------------------------------------------------------------------------------

    def plan(self) -> Plan:
        self._columns = self._ordered()
        self._look_up()
        stopped = not self._prove_best()
        if not stopped:
            for column in sorted(self._columns, key=lambda each: -each.high):
                column.high = min(column.high, self._low)
                if not self._narrow(column):
                    break
        return self._answer()

    def score(self) -> Plan:
        pos, mask = self._position
        known = self._agent.known(self._solver, pos, mask)
        bounds = (known, known) if known is not None else (-64, 64)
        done = self._solver.begin(pos, mask, *bounds)
        if not self._drive(done, self._solver.narrow, self._say_score):
            return Plan(
                (),
                Status.CANCELLED if self._thinking.cancelled else Status.GAVE_UP,
                nodes=self._nodes,
                seconds=self._thinking.elapsed,
                note=self._bounds_note(self._solver.low, self._solver.high) + self._agent.problem,
            )
        score = self._solver.low
        self._columns = self._ordered()
        for column in self._columns:
            column.high = min(column.high, score)
        for column in self._columns:
            if column.high >= score and self._ask(column, score - 1) and column.low == score:
                break
        return self._answer()

    # --- the search ---------------------------------------------------------------------------------------------------

    def _ordered(self) -> list[Column]:
        """The legal columns, those that threaten most first; finished games are proved at once."""
        solver = self._solver
        left = self._state.shape.cells - len(self._state.moves)
        moves = solver.moves(*self._position)
        found = []
        for action in solver.columns(self._position[1]):
            column = Column(action, *moves[action])
            if solver.won(column.pos ^ column.mask):
                column.low = column.high = (left + 1) // 2
            found.append(column)
        return sorted(
            found, key=lambda each: (-each.high if each.proved else 0, -solver.threats(each.pos, each.mask))
        )

    def _look_up(self) -> None:
        """Take over what the book says."""
        best = self._agent.known(self._solver, *self._position)
        for column in self._columns:
            known = self._agent.known(self._solver, column.pos, column.mask)
            if known is not None and not column.proved:
                column.low = column.high = -known
            elif best is not None:
                column.high = min(column.high, best)
            if not column.proved:
                # What the stones that are left allow.
                self._solver.begin(column.pos, column.mask, -column.high, -column.low)
                column.learn(self._solver)

    @property
    def _low(self) -> int:
        return max(column.low for column in self._columns)

    @property
    def _high(self) -> int:
        return max(column.high for column in self._columns)

    def _prove_best(self) -> bool:
        """Ask all columns together until the score is proved; False when there was no time for that."""
        promised = min(self._agent.promised(self._solver, self._state), self._high)
        while self._low < self._high:
            # What is promised tells more than any other question, and finds a move that keeps the promise.
            self._patient = 0 <= promised > self._low
            alpha = promised - 1 if self._low < promised else _next_question(self._low, self._high)
            for column in sorted(self._columns, key=lambda each: -each.low):
                if column.high > alpha and not self._ask(column, alpha):
                    return False
                if column.low > alpha:
                    break
        self._patient = False
        return True

    def _ask(self, column: Column, alpha: int) -> bool:
        """Prove whether a column is worth more than `alpha`; False when there was no time for that."""
        done = self._solver.begin(column.pos, column.mask, -column.high, -column.low)
        answered = self._drive(
            done, lambda: self._solver.test(-alpha - 1), lambda: self._say(f"column {column.action + 1}"), column
        )
        column.learn(self._solver)
        return answered

    def _narrow(self, column: Column) -> bool:
        """Prove the value of a column; False when there was no time for that."""
        done = self._solver.begin(column.pos, column.mask, -column.high, -column.low)
        answered = self._drive(done, self._solver.narrow, lambda: self._say(f"column {column.action + 1}"), column)
        column.learn(self._solver)
        return answered

    def _drive(
        self, done: bool, go_on: Callable[[], bool], say: Callable[[], None], column: Column | None = None
    ) -> bool:
        """Run slices until done or over; returns whether it is done."""
        before, enlarged = self._nodes, False
        while not done:
            if self._over():
                return False
            done = go_on()
            self._nodes = before + self._solver.nodes
            if column is not None:
                column.learn(self._solver)
            say()
            if self._nodes > _LARGE_NODES and not enlarged:
                self._agent.enlarge(self._over)
                enlarged = True
        return True

    # --- what is told -------------------------------------------------------------------------------------------------

    def _value(self, score: int) -> float:
        """A score on the scale of plies to the end."""
        if not score:
            return 0.0
        stones = len(self._state.moves)
        last = self._state.shape.cells + 1 - 2 * abs(score)
        if (last - stones) % 2 != (0 if score > 0 else 1):
            last -= 1
        plies = last - stones + 1
        return WIN - plies if score > 0 else plies - WIN

    def _values(self) -> dict[Action, float]:
        return {
            column.action: self._value(column.low) for column in sorted(self._columns, key=_action) if column.proved
        }

    def _best(self) -> Column:
        """The best column that is known: what is proved, but no loss where there is hope elsewhere."""
        sure = max(self._columns, key=lambda each: (each.low, each.high))
        if sure.low >= 0:
            return sure
        open_ones = [column for column in self._columns if column.high >= 0]
        return open_ones[0] if open_ones else max(self._columns, key=lambda each: (each.high, each.low))

    def _over(self) -> bool:
        return self._thinking.over(self._nodes, self._limit)

    @property
    def _limit(self) -> float | None:
        """Seconds of the agent's own."""
        return self._seconds * _PATIENCE if self._patient and self._seconds is not None else self._seconds

    def _fraction(self) -> float | None:
        limit = self._thinking.seconds_limit if self._thinking.seconds_limit is not None else self._limit
        if self._thinking.node_limit is not None:
            return min(1.0, self._nodes / self._thinking.node_limit)
        return min(1.0, self._thinking.elapsed / limit) if limit else None

    def _say(self, what: str) -> None:
        best = self._best()
        self._thinking.report(
            Progress(
                nodes=self._nodes,
                fraction=self._fraction(),
                best=best.action,
                values=self._values(),
                pv=(best.action,),
                measure=self._value(best.low) if best.proved else None,
                note=f"{self._bounds_note(self._low, self._high)}; looking at {what}",
            )
        )

    def _say_score(self) -> None:
        note = self._bounds_note(self._solver.low, self._solver.high)
        self._thinking.report(Progress(nodes=self._nodes, fraction=self._fraction(), note=note))

    def _bounds_note(self, low: int, high: int) -> str:
        """What is proved of a score, in words."""
        if low == high:
            value = self._value(low)
            plies = round(WIN - abs(value))
            return (
                "draw"
                if not low
                else f"{'wins' if low > 0 else 'loses'} in {plies} {'ply' if plies == 1 else 'plies'}"
            )
        if low > 0:
            return f"wins, in {round(WIN - self._value(high))} to {round(WIN - self._value(low))} plies"
        if high < 0:
            return f"loses, in {round(WIN + self._value(low))} to {round(WIN + self._value(high))} plies"
        if low == 0:
            return "at least a draw"
        return "at most a draw" if high == 0 else "not decided yet"

    def _answer(self) -> Plan:
        best = self._best()
        low, high = max(self._low, best.low), self._high
        proved = best.proved and best.low == high
        self._agent.promise((*self._state.moves, best.action), best.low)
        return Plan(
            (best.action,),
            Status.LOST if high < 0 else Status.PLAN,
            self._values(),
            exact=proved,
            pv=(best.action,),
            nodes=self._nodes,
            seconds=self._thinking.elapsed,
            note=self._bounds_note(low, high) + self._agent.problem,
        )


def _action(column: Column) -> Action:
    return column.action


def _next_question(low: int, high: int) -> int:
    """Is the score above this? Win, draw or loss first, then the distance in halves."""
    if low <= 0 < high:
        return 0
    if low < 0 <= high:
        return -1
    return (low + high) // 2
