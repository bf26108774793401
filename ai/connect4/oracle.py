"""Judges games of connect-4: exact where the solver plays the board, else by alpha-beta's proofs and estimates.

A win in n plies is worth a chance of 1 - n / (10 · cells), a draw 1/2, a loss in n plies n / (10 · cells), so that a win that
comes later costs a little and a result that changes costs at least two fifths. An estimate of v points is worth
1 / (1 + exp(-v / POINTS)).

Facts of a move that gave something up: `kind` and what belongs to it (columns are actions, cells are indices):

| kind | and | says |
|---|---|---|
| `missed_win` | `column` | that column wins at once |
| `allowed_win` | `column` | the opponent now wins at once there |
| `double` | `line`, `columns` | after the line the opponent threatens two columns at once |
| `below` | `line`, `cell`, `row` | the opponent wins on that cell because the cell below it has to be filled |
| `later`, `sooner` | `plies`, `instead` | the result is the same, in so many plies instead of so many |
| `given_up` | `line` | a win or a draw is gone, best play is shown |
| `estimate` | | nothing is proved |
"""

from collections.abc import Callable, Sequence
from math import exp

from ai.agent import Action, Plan, Thinking
from ai.connect4.alphabeta.agent import AlphaBeta
from ai.connect4.board.scores import PROVED, plies_to_end
from ai.connect4.exact.agent import Perfect
from ai.connect4.exact.bitboard_shape import why_not
from ai.review import Facts, Judgement, Outlook
from game.rules import connect4
from game.rules.connect4 import State
from game.rules.reader import JSON

POINTS = 20.0
"""Line points that make an even position one of nearly three chances in four."""
MOVE_SECONDS = 600.0
"""The exact solver's own limit for one position; the whole game has the limit of the request."""
ESTIMATE_SECONDS = 0.5
"""For one position where nobody plays exactly."""
LINE_SECONDS = 0.25
"""For one move of such a line: the best one is proved long before all columns are."""
LONGEST_LINE = 42
"""Moves of a refutation that are followed at most."""


class Oracle:
    """Exact on flat boards for two with four in a row; else the strongest estimate, and what is proved on the way."""

    name = "perfect"

    def __init__(self, time: float = ESTIMATE_SECONDS) -> None:
        """`time`: seconds for a position that is estimated."""
        self._perfect, self._estimator = Perfect(MOVE_SECONDS), AlphaBeta(time)

    def why_not(self, state: State) -> str | None:
        """Every board can be judged."""
        return None

    def look(self, state: State, thinking: Thinking) -> Outlook | None:
        """Every column's value, and best play as far as it is proved."""
        plan = self._plan(state, thinking)
        if thinking.over() or not plan.values:
            return None
        top = max(plan.values.values())
        best = tuple(each for each in plan.values if plan.values[each] == top)
        proved = plan.exact or abs(top) >= PROVED
        line = self._line(state, thinking) if proved else best[:1]
        return Outlook(chance(top, state, plan.exact), top, proved, best, plan.values, line)

    def judge(
        self,
        states: Sequence[State],
        actions: Sequence[Action],
        thinking: Thinking,
        tell: Callable[[Judgement], None],
    ) -> None:
        """From the last move to the first: what is learned of a position helps with the one before."""
        self._perfect.new_game(0)
        self._estimator.new_game(0)
        for ply in reversed(range(len(actions))):
            state, action = states[ply], actions[ply]
            plan = self._plan(state, thinking)
            if thinking.over():
                return
            if plan.values.get(action) is not None:
                tell(self._judged(ply, state, action, plan, thinking))

    def _plan(self, state: State, thinking: Thinking) -> Plan:
        """What is known of every column."""
        if why_not(state.shape) is None:
            return self._perfect.plan(state, thinking.part(_left(thinking)))
        return self._estimator.plan(state, thinking.part())

    def _judged(self, ply: int, state: State, action: Action, plan: Plan, thinking: Thinking) -> Judgement:
        values = plan.values
        top = max(values.values())
        best = tuple(sorted((each for each in values if values[each] == top), key=lambda each: each != action))
        chances = [chance(values[each], state, plan.exact) for each in (best[0], action)]
        proved = plan.exact or all(abs(values[each]) >= PROVED for each in (best[0], action))
        turned = proved and _sign(values[action]) != _sign(top)
        lost = chances[0] - chances[1]
        facts = self._facts(state, action, plan, turned, thinking) if lost > 0 else {}
        return Judgement(
            ply, best, chances[0], chances[1], turned, top - values[action], top, proved, values, 0.0, facts
        )

    def _facts(self, state: State, action: Action, plan: Plan, turned: bool, thinking: Thinking) -> Facts:
        """Why the move is worse than the best one."""
        values, after = plan.values, connect4.apply(state, action)
        winning = _winning(state)
        if winning and action not in winning:
            return {"kind": "missed_win", "column": winning[0]}
        allowed = _winning(after)
        if allowed:
            return {"kind": "allowed_win", "column": allowed[0]}
        if not plan.exact and abs(values[action]) < PROVED:
            return {"kind": "estimate"}
        if not turned:
            plies, instead = plies_to_end(values[action]), plies_to_end(max(values.values()))
            if plies is None or instead is None:
                return {"kind": "estimate"}
            return {"kind": "later" if values[action] > 0 else "sooner", "plies": plies, "instead": instead}
        line = self._line(after, thinking)
        if values[action] < -PROVED:
            return {**_refutation(after, line), "line": list(line)}
        return {"kind": "given_up", "line": list(line)}

    def _line(self, state: State, thinking: Thinking) -> tuple[Action, ...]:
        """Best play on both sides to the end, as far as it is proved."""
        line: list[Action] = []
        while connect4.outcome(state) is None and len(line) < LONGEST_LINE:
            exact = why_not(state.shape) is None
            agent = self._perfect if exact else self._estimator
            plan = agent.plan(state, thinking.part(LINE_SECONDS))
            proved = plan.values.get(plan.actions[0]) if plan.actions else None
            if thinking.over() or proved is None or not (exact or abs(proved) >= PROVED):
                break
            line.append(plan.actions[0])
            state = connect4.apply(state, plan.actions[0])
        return tuple(line)


def chance(value: float, state: State, exact: bool) -> float:
    """The chance to win of who has a value: 1/2 for a draw, estimates between."""
    plies = plies_to_end(value)
    if plies is not None:
        late = min(0.1, plies / (10 * state.shape.cells))
        return 1 - late if value > 0 else late
    if exact and value == 0:
        return 0.5
    return 1 / (1 + exp(-max(-400.0, min(400.0, value)) / POINTS))


def _left(thinking: Thinking) -> float | None:
    return None if thinking.seconds_limit is None else max(0.0, thinking.seconds_limit - thinking.elapsed)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _winning(state: State) -> list[Action]:
    """Columns that win at once for who moves."""
    return [each for each in connect4.legal_actions(state) if connect4.apply(state, each).winner is not None]


def _refutation(state: State, line: Sequence[Action]) -> Facts:
    """How a line of best play that begins in `state` is won by who moves first in it: at its last move."""
    states = [state]
    for action in line:
        states.append(connect4.apply(states[-1], action))
    if states[-1].winner != state.to_move or len(line) < 3:
        return {"kind": "given_up"}
    # before the loser's last move the winner threatens: two columns at once, or a cell that this very move opens
    threatened = states[-3]
    threats = _threats(threatened, states[-1].winner)
    open_now = [each for each in threats if connect4.landing(threatened, each % state.shape.columns) == each]
    if len(open_now) >= 2:
        columns: list[JSON] = [*sorted(each % state.shape.columns for each in open_now)]
        return {"kind": "double", "columns": columns, "stones": len(line) - 2}
    final = connect4.landing(states[-2], line[-1])
    assert final is not None
    if line[-1] == line[-2]:
        return {"kind": "below", "cell": final, "row": final // state.shape.columns}
    return {"kind": "given_up"}


def _threats(state: State, seat: int) -> list[int]:
    """Empty cells that would complete a line of a seat."""
    found = set()
    for line in connect4.lines(state.shape):
        empty = [cell for cell in line if not state.cells[cell]]
        if len(empty) == 1 and all(state.cells[cell] == seat + 1 for cell in line if cell != empty[0]):
            found.add(empty[0])
    return sorted(found)
