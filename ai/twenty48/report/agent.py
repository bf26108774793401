"""The `ntuple-report` agent: the report's network as it plays, one move ahead: the slide of the highest r + V(s').

Tiles above 8192 are looked up as 8192, in all games: also on boards with tiles of 32768 and more, whose slides follow
the plain rules. What the report's rule learns as V are no points still to come (its target leaves rewards out) but how
far the end seems to be; so values of this agent are good for comparing slides, not for foretelling a score.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from ai.agent import Plan, Progress, Thinking
from ai.twenty48.board.packed import pack
from ai.twenty48.ntuple.network import make_rules
from ai.twenty48.ntuple.why import Weighing, Why, compare
from ai.twenty48.report import model as report_model
from ai.twenty48.report.network import evaluate_report, make_report_network, play_report
from ai.twenty48.report.shapes import INITIAL, PATTERNS, VALUES
from ai.twenty48.search.engine import Played, luck_of, step
from ai.twenty48.search.expectimax import kind_of
from game.rules import twenty48
from game.rules.twenty48 import State

_SLICE_MOVES = 2_000
_LARGEST = 15
"""Exponent that four bits hold; the network tells no tiles apart from 13 on."""


class NTupleReport:
    """The report's network. Plans depend on the position alone."""

    def __init__(self, model: Path) -> None:
        """Load the model, or share the one already loaded.

        Raises:
            ModelError: when the file is no such model.
        """
        self.model = report_model.load(model)
        self._network = make_report_network(self.model.weights, self.model.steps, self.model.symmetric)
        self._rules = make_rules()

    def new_game(self, seed: int) -> None:
        """Nothing is remembered from game to game, and nothing is left to chance."""

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """The best slide, with r + V(s') of all legal ones, whatever the budget."""
        self._check(state)
        values: dict[int, float] = {}
        weights, steps, layout, looks = self._network
        for action in twenty48.legal_actions(state):
            slide = twenty48.slide(state, action)
            assert slide is not None
            after = pack(np.minimum(np.array(slide.cells), _LARGEST).astype(np.uint8))
            value = evaluate_report(np.uint64(after), weights, steps, layout, looks)
            values[action] = float(np.float32(slide.reward) + value)  # as the kernels add
        if not values:
            return Plan((), seconds=thinking.elapsed, note="Nothing can move.")
        best = max(values, key=lambda action: (values[action], -action))
        return Plan((best,), values=values, pv=(best,), nodes=len(values), seconds=thinking.elapsed, depth=1)

    def explain(self, state: State, action: int, other: int | None) -> Why | None:
        """Why `action` rather than `other`, group of cells by group of cells; see `ai.twenty48.ntuple.why`."""
        self._check(state)
        model = self.model
        network = Weighing(PATTERNS, 4, model.weights, model.steps, 0, VALUES - 1, INITIAL, model.symmetric)
        return compare(network, state, action, other)

    def play_many(self, state: State, moves: int, thinking: Thinking) -> Played:
        """Up to `moves` moves from `state`, spawns from the state's own sequence; what `plan` would play one by one.

        Stops when the game or the thinking is over; a node limit is for all moves together.
        """
        self._check(state)
        done: list[tuple[int, int, int]] = []
        going = True
        while going and len(done) < moves and not thinking.over(4 * len(done)):
            if kind_of(state) == 0:
                state, played = self._play(state, min(_SLICE_MOVES, moves - len(done)))
            else:
                state, played = self._move(state)
            done += played
            going = bool(played)
            thinking.report(Progress(4 * len(done), depth=1))
        return tuple(done)

    def _play(self, state: State, moves: int) -> tuple[State, Played]:
        """Moves on packed boards, as many as asked for unless the game ends or a board no longer fits."""
        record = np.zeros((moves, 3), np.int64)
        luck = luck_of(state)
        board = np.uint64(pack(np.array(state.cells, np.uint8)))
        board, count = play_report(board, luck, self._network, self._rules, record)
        cells = tuple(int(board) >> (4 * cell) & 15 for cell in range(16))
        played = tuple((int(action), int(cell), int(exponent)) for action, cell, exponent in record[:count])
        return replace(state, cells=cells, spawns=state.spawns + int(count)), played

    def _move(self, state: State) -> tuple[State, Played]:
        """One move by the plain rules."""
        actions = self.plan(state, Thinking()).actions
        if not actions:
            return state, ()
        state, move = step(state, actions[0])
        return state, (move,)

    @staticmethod
    def _check(state: State) -> None:
        if state.size != 4:
            raise ValueError(f"The report's network plays 4×4 boards, not {state.size}×{state.size}.")
