"""The tree of `mcts`: UCT with one value per seat (max^n), and a solver that proves results.

Every seat maximises its own value (Sturtevant, *An analysis of UCT in multi-player games*, 2008). A result is worth
`2 * share - 1` to a seat: 1 won, -1 lost, and a draw shared among n seats `2 / n - 1`, which is 0 for two.

The solver (Winands, Björnsson and Saito, *Monte-Carlo tree search solver*, 2008; for more players Nijssen and Winands
2011) keeps what is proved. What the masks of `ai.connect4.board.board` tell at once is proved when a node is made: a win of
the seat to move, and two threats of the next seat; moves that hand the next seat a win are never tried. Going back up,
a node is proved when a move wins for its seat, or when all moves are proved and the best of them all end the same way:
with more than two players a lost seat may choose who wins, and nothing is proved by guessing.

With a network (`ai.connect4.net.kernel`) its value of a new node takes the place of the playout, and moves are tried in
the order of P + c·p·√N / (1 + n) (PUCT; Silver and others, *Mastering the game of Go without human knowledge*, 2017),
p its probability of choosing the move and P the mean worth so far, before the first try what the network says of it.

A simulation is four steps: `descend` to a node that is new, `playout` or `judge`, `back_up`, and undoing the moves.
A node is one row of integers and one of floats; children are linked, and made one at a time.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ai.connect4.board.board import CELLS, COLUMNS, LEGAL, PLAYERS, STONES, TO_MOVE, Ints, make, undo
from ai.connect4.board.forced import safe_columns, winning_columns
from ai.connect4.board.xorshift import Luck, random_column
from ai.connect4.mcts.playout import DRAW, new_scratch, playout
from ai.connect4.net.kernel import Network, judge
from ai.jit import kernel

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]

# Tree.head
SIZE, SIMULATIONS, DEEPEST, LENGTH, MADE, DRAWN = range(6)
"""Nodes, simulations, plies of the deepest node, nodes on the path, moves made on the board along it, and how many of
its nodes have a proved draw that is better for their seat."""
# Tree.nodes: one row a node
VISITS, CHILD, SIBLING, UNTRIED, MOVE, RESULT, PLIES, PRUNED = range(8)
"""Simulations through it; its first child and the next child of its parent (0: none); moves without a node yet; the
move that leads to it; what is proved; plies to that end at most (a loss: at least so far as is known); whether moves
that lose at once were left out."""
OPEN = -1
"""RESULT of what is not proved; else the seat that wins, or `DRAW`."""


class Tree(NamedTuple):
    """One search."""

    head: Ints
    """(6,)"""
    nodes: Ints
    """(capacity, 8); row 0 is the root."""
    sums: Floats
    """(capacity, players) sums of what the simulations were worth to each seat."""
    priors: Floats32
    """(capacity, columns) the network's probability of choosing each move; a single row without a network."""
    guesses: Floats32
    """(capacity, columns) what the network says that each move is worth to the seat to move."""
    path: Ints
    """(plies,) the nodes of the simulation that runs."""
    scratch: Ints
    """For `playout`."""


def new_tree(tables: Ints, lines: int, capacity: int, guided: bool = False) -> Tree:
    """An empty tree for a shape that has so many lines; `guided`: for a network."""
    players, cells = int(tables[PLAYERS]), int(tables[CELLS])
    judged = (capacity if guided else 1, int(tables[COLUMNS]))
    return Tree(
        np.zeros(6, np.int64),
        np.zeros((capacity, 8), np.int64),
        np.zeros((capacity, players)),
        np.zeros(judged, np.float32),
        np.zeros(judged, np.float32),
        np.zeros(cells + 2, np.int64),
        new_scratch(lines),
    )


def grown(tree: Tree, capacity: int) -> Tree:
    """The same tree with room for more nodes."""
    grown = {name: _longer(getattr(tree, name), capacity) for name in ("nodes", "sums")}
    if len(tree.priors) > 1:
        grown |= {name: _longer(getattr(tree, name), capacity) for name in ("priors", "guesses")}
    return tree._replace(**grown)


def _longer(rows: npt.NDArray[Any], count: int) -> npt.NDArray[Any]:
    made = np.zeros((count, rows.shape[1]), rows.dtype)
    made[: len(rows)] = rows
    return made


@kernel
def worth(result: int, seat: int, players: int) -> float:
    """What a result is worth to a seat, -1 to 1."""
    if result == DRAW:
        return 2.0 / players - 1.0
    return 1.0 if result == seat else -1.0


@kernel
def add_node(tables: Ints, board: Ints, tree: Tree, move: int, solver: bool) -> int:
    """Make a node for the position on the board, reached by `move`; returns its number."""
    node = tree.head[SIZE]
    tree.head[SIZE] = node + 1
    nodes = tree.nodes
    nodes[node, VISITS] = 0
    nodes[node, CHILD] = 0
    nodes[node, SIBLING] = 0
    nodes[node, UNTRIED] = board[LEGAL]
    nodes[node, MOVE] = move
    nodes[node, RESULT] = OPEN
    nodes[node, PLIES] = 0
    nodes[node, PRUNED] = 0
    for seat in range(tables[PLAYERS]):
        tree.sums[node, seat] = 0.0
    if solver:
        player = board[TO_MOVE]
        following = player + 1 if player + 1 < tables[PLAYERS] else 0
        if winning_columns(board) != 0:
            nodes[node, RESULT] = player
            nodes[node, PLIES] = 1
            return int(node)
        candidates = safe_columns(tables, board)
        if candidates == 0:
            nodes[node, RESULT] = following
            nodes[node, PLIES] = 2
            return int(node)
        nodes[node, UNTRIED] = candidates
        nodes[node, PRUNED] = candidates != board[LEGAL]
    return int(node)


@kernel
def add_end(tree: Tree, move: int, result: int) -> int:
    """Make a node for the end of the game that `move` brings; returns its number."""
    node = tree.head[SIZE]
    tree.head[SIZE] = node + 1
    nodes = tree.nodes
    nodes[node] = 0
    nodes[node, MOVE] = move
    nodes[node, RESULT] = result
    tree.sums[node] = 0.0
    return int(node)


@kernel
def choose(tree: Tree, node: int, player: int, players: int, exploration: float, solver: bool) -> tuple[int, int]:
    """The children with the highest upper bound for the seat to move: (of all, of those not proved or 0).

    What is proved has no uncertainty: it counts as what it is worth.
    """
    nodes, sums = tree.nodes, tree.sums
    spread = exploration * np.sqrt(np.log(nodes[node, VISITS] + 1.0))
    best = best_open = -np.inf
    found = found_open = 0
    child = nodes[node, CHILD]
    while child != 0:
        if solver and nodes[child, RESULT] != OPEN:
            bound = worth(nodes[child, RESULT], player, players)
        else:
            visits = nodes[child, VISITS]
            bound = sums[child, player] / visits + spread / np.sqrt(visits)
            if bound > best_open:
                best_open = bound
                found_open = child
        if bound > best:
            best = bound
            found = child
        child = nodes[child, SIBLING]
    return found, found_open


@kernel
def prefer(
    tree: Tree, node: int, player: int, players: int, columns: int, exploration: float, solver: bool
) -> tuple[int, int, int]:
    """What the network and the tries so far speak for: (move, child, child that is not proved, or 0).

    Either the move has no node yet, or it is -1 and the child is meant. As for `choose` what is proved counts as
    what it is worth.
    """
    nodes, sums = tree.nodes, tree.sums
    spread = exploration * np.sqrt(nodes[node, VISITS] + 1.0)
    best = best_open = -np.inf
    move = -1
    found = found_open = 0
    for column in range(columns):
        if (nodes[node, UNTRIED] >> column) & 1:
            bound = tree.guesses[node, column] + spread * tree.priors[node, column]
            if bound > best:
                best = bound
                move = column
    child = nodes[node, CHILD]
    while child != 0:
        if solver and nodes[child, RESULT] != OPEN:
            bound = worth(nodes[child, RESULT], player, players)
        else:
            visits = nodes[child, VISITS]
            bound = sums[child, player] / visits + spread * tree.priors[node, nodes[child, MOVE]] / (1 + visits)
            if bound > best_open:
                best_open = bound
                found_open = child
        if bound > best:
            best = bound
            found = child
            move = -1
        child = nodes[child, SIBLING]
    return move, found, found_open


@kernel
def descend(tables: Ints, board: Ints, tree: Tree, luck: Luck, exploration: float, solver: bool, guided: bool) -> int:
    """Go down from the root to a new node, or to one that is proved or has no room for children.

    The board follows, except into the end of a game; `back_up` brings it back.

    Returns:
        The node, also the last one of the path.
    """
    head, nodes, path = tree.head, tree.nodes, tree.path
    players, cells, columns = tables[PLAYERS], tables[CELLS], tables[COLUMNS]
    node = 0
    length = 1
    made = 0
    drawn = 0
    path[0] = 0
    while nodes[node, RESULT] == OPEN:
        player = board[TO_MOVE]
        untried = nodes[node, UNTRIED]
        move = -1
        if guided:
            move, child, unproved = prefer(tree, node, player, players, columns, exploration, solver)
        elif untried == 0:
            child, unproved = choose(tree, node, player, players, exploration, solver)
        else:
            move = random_column(untried, columns, luck)
        fresh = move >= 0
        if fresh:
            if head[SIZE] == len(nodes):
                break
            nodes[node, UNTRIED] &= ~(np.int64(1) << move)
            if (winning_columns(board) >> move) & 1:
                child = add_end(tree, move, player)
            elif board[STONES] + 1 == cells:
                child = add_end(tree, move, DRAW)
            else:
                make(tables, board, move)
                made += 1
                child = add_node(tables, board, tree, move, solver)
            nodes[child, SIBLING] = nodes[node, CHILD]
            nodes[node, CHILD] = child
        else:
            if solver and nodes[child, RESULT] == DRAW and unproved != 0:
                # Going there again would teach nothing. What is not proved yet is looked into instead; up to here the
                # simulation is worth the draw nevertheless, which the seat would choose.
                child = unproved
                drawn = length
            # A node that was proved when it was made, or since, is never looked into.
            if nodes[child, RESULT] == OPEN:
                make(tables, board, nodes[child, MOVE])
                made += 1
        path[length] = child
        length += 1
        node = child
        if fresh:
            break
    head[LENGTH] = length
    head[MADE] = made
    head[DRAWN] = drawn
    head[DEEPEST] = max(head[DEEPEST], length - 1)
    return int(node)


@kernel
def prove(tree: Tree, node: int, player: int, players: int) -> bool:
    """Prove a node from its children if they allow it; `player` is to move there. Returns whether it is proved now."""
    nodes = tree.nodes
    best = -2.0
    result = OPEN
    plies = 0
    unique = True
    whole = nodes[node, UNTRIED] == 0
    child = nodes[node, CHILD]
    while child != 0:
        found = nodes[child, RESULT]
        if found == OPEN:
            whole = False
        else:
            value = worth(found, player, players)
            length = nodes[child, PLIES] + 1
            if value > best:
                best, result, plies, unique = value, found, length, True
            elif value == best:
                unique &= found == result
                # Wins as soon, everything else as late as possible.
                plies = min(plies, length) if found == player else max(plies, length)
        child = nodes[child, SIBLING]
    if result != player:
        following = player + 1 if player + 1 < players else 0
        lost = best == -1.0
        if not whole or not unique or (lost and nodes[node, PRUNED] != 0 and result != following):
            return False
    nodes[node, RESULT] = result
    nodes[node, PLIES] = plies
    return True


@kernel
def back_up(tables: Ints, board: Ints, tree: Tree, values: Floats, solver: bool) -> None:
    """Count a simulation worth `values` (players,) along the path, prove what its end proves, and undo its moves."""
    head, nodes, sums, path = tree.head, tree.nodes, tree.sums, tree.path
    players = tables[PLAYERS]
    for _ in range(head[MADE]):
        undo(tables, board)
    last = head[LENGTH] - 1
    proving = solver and nodes[path[last], RESULT] != OPEN
    for at in range(last, -1, -1):
        node = path[at]
        nodes[node, VISITS] += 1
        for seat in range(players):
            sums[node, seat] += values[seat] if at >= head[DRAWN] else worth(DRAW, seat, players)
        if proving and at < last:
            proving = prove(tree, node, (board[TO_MOVE] + at) % players, players)
    head[SIMULATIONS] += 1


@kernel
def begin(tables: Ints, board: Ints, tree: Tree, solver: bool, net: Network) -> None:
    """Empty the tree and make its root for the position on the board, a game that goes on."""
    tree.head[:] = 0
    add_node(tables, board, tree, -1, solver)
    if len(net.seen) and tree.nodes[0, RESULT] == OPEN:
        judge(tables, board, net, tree.nodes[0, UNTRIED], tree.priors[0], tree.guesses[0])


@kernel
def simulate(
    tables: Ints,
    board: Ints,
    tree: Tree,
    luck: Luck,
    count: int,
    exploration: float,
    solver: bool,
    forced: bool,
    net: Network,
) -> None:
    """Run up to `count` simulations; fewer when the root is proved. `forced` is for `playout`.

    With a network, which is for two players, it says what new nodes are worth.
    """
    players = tables[PLAYERS]
    values = np.zeros(players)
    guided = len(net.seen) > 0
    for _ in range(count):
        if tree.nodes[0, RESULT] != OPEN:
            break
        node = descend(tables, board, tree, luck, exploration, solver, guided)
        result = tree.nodes[node, RESULT]
        if result == OPEN and guided:
            player = board[TO_MOVE]
            candidates = safe_columns(tables, board) if solver else board[LEGAL]
            value = judge(tables, board, net, candidates, tree.priors[node], tree.guesses[node])
            values[player], values[1 - player] = value, -value
        else:
            if result == OPEN:
                result = playout(tables, board, tree.scratch, luck, forced)
            for seat in range(players):
                values[seat] = worth(result, seat, players)
        back_up(tables, board, tree, values, solver)
