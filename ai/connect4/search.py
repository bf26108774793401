"""Paranoid alpha-beta as one resumable kernel: an explicit stack, a table, and nothing that has to be unwound.

The root seat maximises and all others together minimise (Sturtevant and Korf, *On pruning techniques for multi-player
games*, AAAI 2000); with two players that is plain negamax. Inside the tree a value belongs to the *side* to move
(the root seat, or the others), so it changes sign only where the side does. Proved values count the stones on the
board when the game is won, `WIN - stones`, so that they mean the same at every node of a game.

What the masks of `ai.connect4.board` tell at once is never searched: a winning move, two threats of an opponent who
moves next, a move that hands over the cell above it. Each of these is exact. A single threat is answered without
costing depth.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.connect4.board import (
    CELLS,
    COLUMNS,
    LEGAL,
    PLAYERS,
    STONES,
    SYMMETRIES,
    TO_MOVE,
    Board,
    Ints,
    Tables,
    make,
    undo,
)
from ai.jit import kernel

WON = 1_000_000
INFINITE = 1_000_001
DECIDED = 999_000
_EVALUATION_LIMIT = 900_000

# Search.state: where the search stands
PLY, MODE, RETURNED, NODES, ROOT, GENERATION, WIDE = range(7)
# modes
ENTER, NEXT, RETURN, DONE = range(4)
# Search.frames: one row a ply
ALPHA, BETA, FLOOR, BEST, BEST_MOVE, COUNT, INDEX, DEPTH, NULL, SYMMETRY, FORCED, MOVE = range(12)
# kinds of bound in the table
EXACT, LOWER, UPPER = 1, 2, 3

_OFFSET = 1 << 21
_FIRST = 1 << 60
_KILLER = 1 << 50


class Search(NamedTuple):
    """Everything a search remembers, between slices and between moves."""

    state: Ints
    """(7,) ply, mode, value returned, nodes, root seat, generation, whether every root move gets a full window."""
    frames: Ints
    """(plies, 12)"""
    moves: Ints
    """(plies, columns)"""
    order: Ints
    """(plies, columns) what the moves are sorted by."""
    keys: Ints
    """(plies,) key of the position in the table, the smallest over its symmetric images."""
    killers: Ints
    """(plies, 2)"""
    history: Ints
    """(players * cells,)"""
    root_values: Ints
    """(columns,) value of each root move in the iteration that runs, from the root seat."""
    table: Ints
    """(4 * buckets,) two entries of (key, data) a bucket; the number of buckets is a power of two."""


def new_search(tables: Tables, table_bits: int) -> Search:
    """An empty search for a shape; the table has 2**table_bits buckets of 32 bytes."""
    columns, cells, players = (int(tables.sizes[at]) for at in (COLUMNS, CELLS, PLAYERS))
    plies = cells + 2
    return Search(
        state=np.zeros(7, np.int64),
        frames=np.zeros((plies, 12), np.int64),
        moves=np.zeros((plies, columns), np.int64),
        order=np.zeros((plies, columns), np.int64),
        keys=np.zeros(plies, np.int64),
        killers=np.full((plies, 2), -1, np.int64),
        history=np.zeros(players * cells, np.int64),
        root_values=np.zeros(columns, np.int64),
        table=np.full(4 << table_bits, 0, np.int64),
    )


@kernel
def canonical(board: Board) -> tuple[int, int]:
    """(key, symmetry): the smallest key over the images of the position, and the symmetry that gives it."""
    key = board.keys[0]
    symmetry = 0
    for other in range(1, board.state[SYMMETRIES]):
        if board.keys[other] < key:
            key = board.keys[other]
            symmetry = other
    return key, symmetry


@kernel
def find(table: npt.NDArray[np.int64], key: int) -> int:
    """Where the data of `key` stands in the table, -1 when it is not there."""
    slot = (key & ((len(table) >> 2) - 1)) << 2
    if table[slot] == key and table[slot + 1] != 0:
        return slot + 1
    if table[slot + 2] == key and table[slot + 3] != 0:
        return slot + 3
    return -1


@kernel
def store(search: Search, key: int, value: int, depth: int, kind: int, move: int) -> None:
    """Remember a result: the first entry of a bucket keeps the deeper one of this generation, the second the last."""
    table = search.table
    generation = search.state[GENERATION] & 255
    data = (((((((value + _OFFSET) << 10) | depth) << 2) | kind) << 6) | move) << 8 | generation
    slot = (key & ((len(table) >> 2) - 1)) << 2
    old = table[slot + 1]
    if table[slot] == key or old & 255 != generation or (old >> 16) & 1023 <= depth:
        if table[slot] != key:
            table[slot + 2] = table[slot]
            table[slot + 3] = old
        table[slot] = key
        table[slot + 1] = data
    else:
        table[slot + 2] = key
        table[slot + 3] = data


@kernel
def evaluate(tables: Tables, board: Board, root: int) -> int:
    """Points of the root seat minus those of all others, far from any proved value."""
    value: int = 2 * board.scores[root]
    for seat in range(tables.sizes[PLAYERS]):
        value -= board.scores[seat]
    return max(-_EVALUATION_LIMIT, min(_EVALUATION_LIMIT, value))


@kernel
def run(tables: Tables, board: Board, search: Search, slice_nodes: int) -> bool:
    """Search on for `slice_nodes` nodes, or to the end of the iteration; returns whether it has ended."""
    columns = tables.sizes[COLUMNS]
    cells = tables.sizes[CELLS]
    players = tables.sizes[PLAYERS]
    state, frames, history, table = search.state, search.frames, search.history, search.table
    position = board.state
    root = state[ROOT]
    ply = state[PLY]
    mode = state[MODE]
    value = state[RETURNED]
    nodes = state[NODES]
    last = nodes + slice_nodes
    while mode != DONE:
        player = position[TO_MOVE]
        following = player + 1 if player + 1 < players else 0
        opposed = (player == root) != (following == root)
        stones = position[STONES]
        if mode == ENTER:
            if nodes >= last:
                break
            nodes += 1
            frame = frames[ply]
            mode = RETURN
            legal = position[LEGAL]
            if board.masks[player] != 0:
                value = WON - (stones + 1)
                continue
            if stones + 1 >= cells:
                value = 0
                continue
            threats = board.masks[following]
            candidates = legal
            if opposed:
                candidates &= ~board.masks[players + following]
                if threats != 0:
                    candidates = 0 if threats & (threats - 1) != 0 else candidates & threats
                if candidates == 0:
                    value = (stones + 2) - WON
                    continue
            else:
                # The next seat is on the same side: it wins if a move leaves or uncovers a winning cell for it.
                if (threats != 0 and (threats & (threats - 1) != 0 or legal != threats)) or (
                    legal & board.masks[players + following] != 0
                ):
                    value = WON - (stones + 2)
                    continue
            forced = opposed and threats != 0
            depth = frame[DEPTH]
            if depth <= 0 and not forced:
                value = evaluate(tables, board, root)
                if player != root:
                    value = -value
                continue
            alpha = frame[ALPHA]
            beta = min(frame[BETA], WON - (stones + 3))
            if alpha >= beta:
                value = beta
                continue
            preferred = -1
            if not forced:
                key, symmetry = canonical(board)
                at = find(table, key)
                if at >= 0:
                    data = table[at]
                    preferred = tables.sources[symmetry, (data >> 8) & 63]
                    kind = (data >> 14) & 3
                    known = (data >> 26) - _OFFSET
                    deep_enough = (data >> 16) & 1023 >= depth
                    if (
                        (kind != UPPER and known >= beta and (deep_enough or known >= DECIDED))
                        or (kind != LOWER and known <= alpha and (deep_enough or known <= -DECIDED))
                        or (kind == EXACT and deep_enough)
                    ):
                        value = known
                        continue
                search.keys[ply] = key
                frame[SYMMETRY] = symmetry
            count = 0
            for action in range(columns):
                if (candidates >> action) & 1:
                    cell = board.heights[action] * columns + action
                    worth = (history[player * cells + cell] << 6) + tables.centrality[cell]
                    if action == preferred:
                        worth = _FIRST
                    elif action == search.killers[ply, 0]:
                        worth += 2 * _KILLER
                    elif action == search.killers[ply, 1]:
                        worth += _KILLER
                    search.moves[ply, count] = action
                    search.order[ply, count] = worth
                    count += 1
            frame[BETA] = beta
            frame[FLOOR] = alpha
            frame[BEST] = -INFINITE
            frame[BEST_MOVE] = search.moves[ply, 0]
            frame[COUNT] = count
            frame[INDEX] = 0
            frame[FORCED] = 1 if forced else 0
            mode = NEXT
        elif mode == NEXT:
            frame = frames[ply]
            index = frame[INDEX]
            count = frame[COUNT]
            if index == count or frame[ALPHA] >= frame[BETA]:
                value = frame[BEST]
                if ply == 0:
                    mode = DONE
                    continue
                if frame[FORCED] == 0:
                    kind = EXACT
                    best_move = frame[BEST_MOVE]
                    if value >= frame[BETA]:
                        kind = LOWER
                        cell = board.heights[best_move] * columns + best_move
                        history[player * cells + cell] += frame[DEPTH] * frame[DEPTH]
                        if search.killers[ply, 0] != best_move:
                            search.killers[ply, 1] = search.killers[ply, 0]
                            search.killers[ply, 0] = best_move
                    elif value <= frame[FLOOR]:
                        kind = UPPER
                    image = tables.images[frame[SYMMETRY], best_move]
                    store(search, search.keys[ply], value, frame[DEPTH], kind, image)
                mode = RETURN
                continue
            if ply > 0:
                chosen = index
                for other in range(index + 1, count):
                    if search.order[ply, other] > search.order[ply, chosen]:
                        chosen = other
                move = search.moves[ply, chosen]
                search.moves[ply, chosen] = search.moves[ply, index]
                search.order[ply, chosen] = search.order[ply, index]
            else:
                move = search.moves[ply, index]
            frame[MOVE] = move
            frame[INDEX] = index + 1
            alpha, beta = frame[ALPHA], frame[BETA]
            frame[NULL] = 0
            if ply == 0 and state[WIDE] != 0:
                alpha = -INFINITE
            elif index > 0:
                beta = alpha + 1
                frame[NULL] = 1
            make(tables, board, move)
            child = frames[ply + 1]
            child[ALPHA] = -beta if opposed else alpha
            child[BETA] = -alpha if opposed else beta
            child[DEPTH] = frame[DEPTH] if frame[FORCED] else frame[DEPTH] - 1
            ply += 1
            mode = ENTER
        else:
            # A child has returned `value` to the frame below; the board still shows the child.
            frame = frames[ply - 1]
            previous = player - 1 if player > 0 else players - 1
            turned = (previous == root) != (player == root)
            result = -value if turned else value
            if frame[NULL] != 0 and frame[ALPHA] < result < frame[BETA]:
                frame[NULL] = 0
                child = frames[ply]
                child[ALPHA] = -frame[BETA] if turned else frame[ALPHA]
                child[BETA] = -frame[ALPHA] if turned else frame[BETA]
                mode = ENTER
                continue
            undo(tables, board)
            ply -= 1
            if ply == 0:
                search.root_values[frame[MOVE]] = result
            if result > frame[BEST]:
                frame[BEST] = result
                frame[BEST_MOVE] = frame[MOVE]
                if result > frame[ALPHA]:
                    frame[ALPHA] = result
            mode = NEXT
    state[PLY] = ply
    state[MODE] = mode
    state[RETURNED] = value
    state[NODES] = nodes
    return bool(mode == DONE)


@kernel
def principal_variation(tables: Tables, board: Board, search: Search, first: int, line: Ints) -> int:
    """Write the expected moves that start with `first` into `line`; returns how many. The board stays as it is."""
    columns = tables.sizes[COLUMNS]
    players = tables.sizes[PLAYERS]
    length = 0
    placed = 0
    move = first
    while move >= 0 and length < len(line):
        line[length] = move
        length += 1
        player = board.state[TO_MOVE]
        if (board.masks[player] >> move) & 1:
            break
        make(tables, board, move)
        placed += 1
        player = board.state[TO_MOVE]
        following = player + 1 if player + 1 < players else 0
        opposed = (player == search.state[ROOT]) != (following == search.state[ROOT])
        urgent = board.masks[player]
        if urgent == 0 and opposed:
            urgent = board.masks[following]
        urgent &= board.state[LEGAL]
        move = -1
        if urgent != 0:
            for action in range(columns):
                if (urgent >> action) & 1:
                    move = action
                    break
        else:
            key, symmetry = canonical(board)
            at = find(search.table, key)
            if at >= 0:
                found = tables.sources[symmetry, (search.table[at] >> 8) & 63]
                if (board.state[LEGAL] >> found) & 1:
                    move = found
    for _ in range(placed):
        undo(tables, board)
    return length
