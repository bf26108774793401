"""The `mcts` agent: Monte-Carlo tree search for any board and 2 to 6 players (`ai.connect4.mcts.tree`).

With `solver=false,playout=random` it is plain UCT, the opponent that others are measured against. With a model of `net`
the network takes the place of the playouts.
"""

import time
from dataclasses import dataclass

from ai.agent import Action, Plan, Progress, Status, Thinking
from ai.connect4.board import board as layout
from ai.connect4.board.board import Ints, board_of, tables
from ai.connect4.board.names import board_name
from ai.connect4.board.scores import WIN
from ai.connect4.board.xorshift import new_luck
from ai.connect4.mcts import tree as place
from ai.connect4.mcts.playout import DRAW
from ai.connect4.mcts.settings import MctsSettings
from ai.connect4.mcts.tree import Tree, begin, grown, new_tree, simulate, worth
from ai.connect4.net import model as net_model
from ai.connect4.net.kernel import network_of, no_network
from game.rules import connect4
from game.rules.connect4 import Shape, State

PERCENT = 100.0
"""Values of what is not proved: -100 (lost every playout) to 100."""
_SLICE_SECONDS = 0.008
_REPORT_SECONDS = 0.05
_FIRST_SLICE = 256
_LEAST_SLICE = 16
_LARGEST_SLICE = 65_536
_FIRST_CAPACITY = 1 << 15
_LARGEST_CAPACITY = 1 << 22
"""Nodes: up to 470 MB with six players. A tree without room goes on with playouts from its leaves."""


@dataclass(eq=False)
class Mcts(MctsSettings):
    """UCT with one value per seat, a solver, and playouts with forced moves.

    Plans depend on the seed, the position and the number of simulations. Making one raises ModelError when its file is no
    such model, and ValueError when one of the numbers is below 0 or there are no such playouts.
    """

    def __post_init__(self) -> None:
        if self.simulations < 0 or not self.exploration >= 0 or self.playout not in ("forced", "random"):
            told = f"simulations={self.simulations}, exploration={self.exploration}, playout={self.playout}"
            raise ValueError(f"There is no search with {told}.")
        self._model = net_model.load(self.model) if self.model is not None else None
        self._net = network_of(self._model) if self._model is not None else no_network()
        self._shape: Shape | None = None
        self._tree: Tree | None = None
        self._slice = 1 if self._model is not None else _FIRST_SLICE
        self._seed = 0

    def new_game(self, seed: int) -> None:
        """`seed` names the random numbers of the playouts."""
        self._seed = seed

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """The move tried most, or one that is proved better; values of all legal actions.

        Raises:
            ValueError: when the network is for another board.
        """
        if self._model is not None and state.shape != self._model.shape:
            raise ValueError(f"the model {self._model.card.name!r} plays {board_name(self._model.shape)} only")
        if not connect4.legal_actions(state):
            return Plan((), note="the game is over")
        made, board = tables(state.shape), board_of(state)
        luck = new_luck(self._seed * 1_021 + len(state.moves))
        tree = self._emptied(state.shape, made)
        board[layout.SYMMETRIES] = 0  # no keys are needed here
        begin(made, board, tree, self.solver, self._net)
        head = tree.head
        limit = thinking.node_limit if thinking.node_limit is not None else (self.simulations or None)
        seconds = self.time if limit is None else None
        told = 0.0
        enough = max(1, limit) if limit is not None else 2**62
        while tree.nodes[0, place.RESULT] == place.OPEN and head[place.SIMULATIONS] < enough:
            done = int(head[place.SIMULATIONS])
            if done and thinking.over(done, seconds):
                break
            while head[place.SIZE] + self._slice > len(tree.nodes) and len(tree.nodes) < _LARGEST_CAPACITY:
                tree = self._tree = grown(tree, 2 * len(tree.nodes))
            count = min(self._slice, enough - done)
            started = time.perf_counter()
            simulate(
                made, board, tree, luck, count, self.exploration, self.solver, self.playout == "forced", self._net
            )
            ended = time.perf_counter()
            self._adapt(count, ended - started)
            if ended - told < _REPORT_SECONDS:
                continue
            told = ended
            thinking.report(self._progress(made, board, tree, thinking, limit, seconds))
        return self._answer(state, made, board, tree, thinking)

    def _emptied(self, shape: Shape, made: Ints) -> Tree:
        if self._tree is None or self._shape != shape:
            self._tree = new_tree(made, len(connect4.lines(shape)), _FIRST_CAPACITY, self._model is not None)
            self._shape = shape
        return self._tree

    def _adapt(self, count: int, spent: float) -> None:
        """Make the slices as long as `_SLICE_SECONDS`; their length changes no result."""
        if count == self._slice:
            least = 1 if self._model is not None else _LEAST_SLICE
            wanted = count * _SLICE_SECONDS / max(spent, 1e-6)
            self._slice = int(min(_LARGEST_SLICE, 2 * count, max(wanted, count / 4, least)))

    def _progress(
        self, made: Ints, board: Ints, tree: Tree, thinking: Thinking, limit: int | None, seconds: float | None
    ) -> Progress:
        values = root_values(made, board, tree, self.solver)
        line = principal_variation(tree, int(board[layout.TO_MOVE]), int(made[layout.PLAYERS]), self.solver)
        best = line[0] if line else max(values, key=values.__getitem__)
        done = int(tree.head[place.SIMULATIONS])
        if limit is not None:
            fraction = done / max(1, limit)
        else:
            allowed = thinking.seconds_limit if thinking.seconds_limit is not None else seconds
            fraction = thinking.elapsed / allowed if allowed else 1.0
        return Progress(
            nodes=done,
            fraction=min(1.0, fraction),
            depth=int(tree.head[place.DEEPEST]),
            best=best,
            values=values,
            pv=line,
            measure=values[best],
        )

    def _answer(self, state: State, made: Ints, board: Ints, tree: Tree, thinking: Thinking) -> Plan:
        values = root_values(made, board, tree, self.solver)
        seat = int(board[layout.TO_MOVE])
        line = principal_variation(tree, seat, int(made[layout.PLAYERS]), self.solver)
        if not line:  # proved before a move was tried: a win at once, or nothing that helps
            seats = layout.SEATS + len(state.moves) * layout.SEATS_ROW
            threats = int(board[seats + layout.NOW + (seat + 1) % state.shape.players])
            best = max(values, key=lambda action: (values[action], (threats >> action) & 1))
            line = (best,)
        result, plies = int(tree.nodes[0, place.RESULT]), int(tree.nodes[0, place.PLIES])
        done = int(tree.head[place.SIMULATIONS])
        lost = result not in (place.OPEN, DRAW, seat)
        if result == place.OPEN:
            won = 50.0 + values[line[0]] / 2 if abs(values[line[0]]) <= PERCENT else 0.0
            counted = "playouts" if self._model is None else "positions judged"
            note = f"{won:.0f} % won in {done:,} {counted}"
        elif result == DRAW:
            note = "draw"
        else:
            count = f"{plies} {'ply' if plies == 1 else 'plies'}"
            note = f"loses in {count}" if lost else f"wins in {count} at most"
            if lost and state.shape.players > 2:
                note += " if all others play well"
        return Plan(
            (line[0],),
            Status.LOST if lost else Status.PLAN,
            values,
            exact=result != place.OPEN,
            pv=line,
            nodes=done,
            seconds=thinking.elapsed,
            depth=int(tree.head[place.DEEPEST]),
            note=note,
        )


def _children(tree: Tree, node: int) -> list[int]:
    found = []
    child = int(tree.nodes[node, place.CHILD])
    while child:
        found.append(child)
        child = int(tree.nodes[child, place.SIBLING])
    return found


def root_values(made: Ints, board: Ints, tree: Tree, solver: bool) -> dict[Action, float]:
    """The value of every legal action to the seat at the root.

    Proved ones stand on the scale of `ai.connect4.board.scores`, others are mean worth in percent, -100 to 100, and a draw
    is what it is worth in percent: 0 for two players.
    """
    seat, players = int(board[layout.TO_MOVE]), int(made[layout.PLAYERS])
    following = (seat + 1) % players
    masks = layout.SEATS + int(board[layout.STONES]) * layout.SEATS_ROW
    winning, handing = int(board[masks + layout.NOW + seat]), int(board[masks + layout.ABOVE + following])
    threats = int(board[masks + layout.NOW + following])
    legal = int(board[layout.LEGAL])
    values: dict[Action, float] = {}
    for action in range(64):
        bit = 1 << action
        if not legal & bit:
            continue
        safe = not (handing & bit or threats & ~bit)
        values[action] = 0.0 if safe or not solver else 2 - WIN
        if solver and winning & bit:
            values[action] = WIN - 1
    for child in _children(tree, 0):
        result, action = int(tree.nodes[child, place.RESULT]), int(tree.nodes[child, place.MOVE])
        plies, visits = int(tree.nodes[child, place.PLIES]) + 1, int(tree.nodes[child, place.VISITS])
        if result == DRAW:
            values[action] = worth(DRAW, seat, players) * PERCENT
        elif result != place.OPEN:
            values[action] = WIN - plies if result == seat else plies - WIN
        elif visits:
            values[action] = float(tree.sums[child, seat]) / visits * PERCENT
    return values


def principal_variation(tree: Tree, seat: int, players: int, solver: bool) -> tuple[Action, ...]:
    """The expected moves: at every node the best child; empty where the root has none."""
    line: list[Action] = []
    node = 0
    while (children := _children(tree, node)) and len(line) < 64:
        node = _best(tree, children, (seat + len(line)) % players, players, solver)
        line.append(int(tree.nodes[node, place.MOVE]))
    return tuple(line)


def _best(tree: Tree, children: list[int], player: int, players: int, solver: bool) -> int:
    """What `player` plays: the nearest proved win, else what was tried most, else the longest proved loss.

    A proved draw is taken where what was tried most promises less.
    """

    def merit(child: int) -> tuple[int, int]:
        result, plies = int(tree.nodes[child, place.RESULT]), int(tree.nodes[child, place.PLIES])
        if solver and result == player:
            return 2, -plies
        if solver and result not in (place.OPEN, DRAW):
            return 0, plies
        return 1, int(tree.nodes[child, place.VISITS])

    best = max(children, key=merit)
    if solver and tree.nodes[best, place.RESULT] == place.OPEN:
        draws = [child for child in children if tree.nodes[child, place.RESULT] == DRAW]
        if draws and tree.sums[best, player] / tree.nodes[best, place.VISITS] < worth(DRAW, player, players):
            best = draws[0]
    return best
