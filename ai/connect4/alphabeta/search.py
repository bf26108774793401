"""Paranoid alpha-beta as one resumable kernel: an explicit stack, a table, and nothing that has to be unwound.

The root seat maximises and all others together minimise (Sturtevant and Korf, *On pruning techniques for multi-player
games*, AAAI 2000); with two players that is plain negamax. Inside the tree a value belongs to the *side* to move
(the root seat, or the others), so it changes sign only where the side does. Proved values count the stones on the
board when the game is won, `WIN - stones`, so that they mean the same at every node of a game.

What the masks of `ai.connect4.board.board` tell at once is never searched: a winning move, two threats of an opponent who
moves next, a move that hands over the cell above it. Each of these is exact. A single threat is answered without
costing depth.
"""

from typing import NamedTuple

import numpy as np

from ai.connect4.alphabeta.heuristics import evaluate
from ai.connect4.board import board as layout
from ai.connect4.board.board import Ints, make, undo
from ai.jit import kernel

WON = 1_000_000
INFINITE = 1_000_001
DECIDED = 999_000

# Search.state: where the search stands
PLY, MODE, RETURNED, NODES, ROOT, GENERATION, WIDE = range(7)
# modes
ENTER, NEXT, RETURN, DONE = range(4)
# Search.frames: one row a ply
ALPHA, BETA, FLOOR, BEST, BEST_MOVE, COUNT, INDEX, DEPTH, NULL, SYMMETRY, FORCED, MOVE = range(12)
# ... and what only `ai.connect4.alphabeta.multiplayer` needs
SEAT, USED, CEILING = range(12, 15)
VALUES = 16
"""[seat] the values that max^n backs up; the others keep one."""
_FRAME = 24
# kinds of bound in the table
EXACT, LOWER, UPPER = 1, 2, 3

OFFSET = 1 << 21
_FIRST = 1 << 60
_KILLER = 1 << 50


class Search(NamedTuple):
    """Everything a search remembers, between slices and between moves."""

    state: Ints
    """(7,) ply, mode, value returned, nodes, root seat, generation, whether every root move gets a full window."""
    frames: Ints
    """(plies, 24)"""
    moves: Ints
    """(plies, columns times opponents)"""
    order: Ints
    """(plies, columns times opponents) what the moves are sorted by."""
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


def new_search(tables: Ints, table: Ints) -> Search:
    """An empty search for a shape; `table` is zeroed, a power of two of buckets of four numbers (32 bytes)."""
    columns, cells, players = (int(tables[at]) for at in (layout.COLUMNS, layout.CELLS, layout.PLAYERS))
    plies = cells + 2
    return Search(
        state=np.zeros(7, np.int64),
        frames=np.zeros((plies, _FRAME), np.int64),
        moves=np.zeros((plies, columns * (players - 1)), np.int64),
        order=np.zeros((plies, columns * (players - 1)), np.int64),
        keys=np.zeros(plies, np.int64),
        killers=np.full((plies, 2), -1, np.int64),
        history=np.zeros(players * cells, np.int64),
        root_values=np.zeros(columns, np.int64),
        table=table,
    )


@kernel
def canonical(board: Ints) -> tuple[int, int]:
    """(key, symmetry): the smallest key over the images of the position, and the symmetry that gives it."""
    key = board[layout.KEYS]
    symmetry = 0
    for other in range(1, board[layout.SYMMETRIES]):
        if board[layout.KEYS + other] < key:
            key = board[layout.KEYS + other]
            symmetry = other
    return key, symmetry


@kernel
def find(table: Ints, key: int) -> int:
    """Where the data of `key` stands in the table, -1 when it is not there."""
    slot = (key & ((len(table) >> 2) - 1)) << 2
    if table[slot] == key and table[slot + 1] != 0:
        return slot + 1
    if table[slot + 2] == key and table[slot + 3] != 0:
        return slot + 3
    return -1


@kernel
def store(table: Ints, generation: int, key: int, value: int, depth: int, kind: int, move: int) -> None:
    """Remember a result: the first entry of a bucket keeps the deeper one of this generation, the second the last."""
    data = (((((((value + OFFSET) << 10) | depth) << 2) | kind) << 6) | move) << 8 | generation
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
def run(tables: Ints, board: Ints, search: Search, slice_nodes: int) -> bool:
    """Search on for `slice_nodes` nodes, or to the end of the iteration; returns whether it has ended."""
    columns = tables[layout.COLUMNS]
    cells = tables[layout.CELLS]
    players = tables[layout.PLAYERS]
    state, frames, moves, order = search.state, search.frames, search.moves, search.order
    killers, history, table = search.killers, search.history, search.table
    keys, root_values = search.keys, search.root_values
    root = state[ROOT]
    generation = state[GENERATION] & 255
    ply = state[PLY]
    mode = state[MODE]
    value = state[RETURNED]
    nodes = state[NODES]
    last = nodes + slice_nodes
    while mode != DONE:
        player = board[layout.TO_MOVE]
        following = player + 1 if player + 1 < players else 0
        opposed = (player == root) != (following == root)
        stones = board[layout.STONES]
        seats = layout.SEATS + stones * layout.SEATS_ROW
        if mode == ENTER:
            if nodes >= last:
                break
            nodes += 1
            mode = RETURN
            legal = board[layout.LEGAL]
            if board[seats + layout.NOW + player] != 0:
                value = WON - (stones + 1)
                continue
            if stones + 1 >= cells:
                value = 0
                continue
            threats = board[seats + layout.NOW + following]
            candidates = legal
            if opposed:
                candidates &= ~board[seats + layout.ABOVE + following]
                if threats != 0:
                    candidates = 0 if threats & (threats - 1) != 0 else candidates & threats
                if candidates == 0:
                    value = (stones + 2) - WON
                    continue
            else:
                # The next seat is on the same side: it wins if a move leaves or uncovers a winning cell for it.
                if (threats != 0 and (threats & (threats - 1) != 0 or legal != threats)) or (
                    legal & board[seats + layout.ABOVE + following] != 0
                ):
                    value = WON - (stones + 2)
                    continue
            forced = opposed and threats != 0
            depth = frames[ply, DEPTH]
            if depth <= 0 and not forced:
                value = evaluate(tables, board, root)
                if player != root:
                    value = -value
                continue
            alpha = frames[ply, ALPHA]
            beta = min(frames[ply, BETA], WON - (stones + 3))
            if alpha >= beta:
                value = beta
                continue
            preferred = -1
            if not forced:
                key, symmetry = canonical(board)
                at = find(table, key)
                if at >= 0:
                    data = table[at]
                    preferred = tables[layout.SOURCES + symmetry * 64 + ((data >> 8) & 63)]
                    kind = (data >> 14) & 3
                    known = (data >> 26) - OFFSET
                    deep_enough = (data >> 16) & 1023 >= depth
                    if (
                        (kind != UPPER and known >= beta and (deep_enough or known >= DECIDED))
                        or (kind != LOWER and known <= alpha and (deep_enough or known <= -DECIDED))
                        or (kind == EXACT and deep_enough)
                    ):
                        value = known
                        continue
                keys[ply] = key
                frames[ply, SYMMETRY] = symmetry
            count = 0
            for action in range(columns):
                if (candidates >> action) & 1:
                    cell = board[layout.HEIGHTS + action] * columns + action
                    worth = (history[player * cells + cell] << 6) + tables[layout.CENTRALITY + cell]
                    if action == preferred:
                        worth = _FIRST
                    elif action == killers[ply, 0]:
                        worth += 2 * _KILLER
                    elif action == killers[ply, 1]:
                        worth += _KILLER
                    moves[ply, count] = action
                    order[ply, count] = worth
                    count += 1
            frames[ply, BETA] = beta
            frames[ply, FLOOR] = alpha
            frames[ply, BEST] = -INFINITE
            frames[ply, BEST_MOVE] = moves[ply, 0]
            frames[ply, COUNT] = count
            frames[ply, INDEX] = 0
            frames[ply, FORCED] = 1 if forced else 0
            mode = NEXT
        elif mode == NEXT:
            index = frames[ply, INDEX]
            count = frames[ply, COUNT]
            if index == count or frames[ply, ALPHA] >= frames[ply, BETA]:
                value = frames[ply, BEST]
                if ply == 0:
                    mode = DONE
                    continue
                if frames[ply, FORCED] == 0:
                    kind = EXACT
                    best_move = frames[ply, BEST_MOVE]
                    if value >= frames[ply, BETA]:
                        kind = LOWER
                        cell = board[layout.HEIGHTS + best_move] * columns + best_move
                        history[player * cells + cell] += frames[ply, DEPTH] * frames[ply, DEPTH]
                        if killers[ply, 0] != best_move:
                            killers[ply, 1] = killers[ply, 0]
                            killers[ply, 0] = best_move
                    elif value <= frames[ply, FLOOR]:
                        kind = UPPER
                    image = tables[layout.IMAGES + frames[ply, SYMMETRY] * 64 + best_move]
                    store(table, generation, keys[ply], value, frames[ply, DEPTH], kind, image)
                mode = RETURN
                continue
            if ply > 0:
                chosen = index
                for other in range(index + 1, count):
                    if order[ply, other] > order[ply, chosen]:
                        chosen = other
                move = moves[ply, chosen]
                moves[ply, chosen] = moves[ply, index]
                order[ply, chosen] = order[ply, index]
            else:
                move = moves[ply, index]
            frames[ply, MOVE] = move
            frames[ply, INDEX] = index + 1
            alpha, beta = frames[ply, ALPHA], frames[ply, BETA]
            frames[ply, NULL] = 0
            if ply == 0 and state[WIDE] != 0:
                alpha = -INFINITE
            elif index > 0:
                beta = alpha + 1
                frames[ply, NULL] = 1
            make(tables, board, move)
            frames[ply + 1, ALPHA] = -beta if opposed else alpha
            frames[ply + 1, BETA] = -alpha if opposed else beta
            frames[ply + 1, DEPTH] = frames[ply, DEPTH] if frames[ply, FORCED] else frames[ply, DEPTH] - 1
            ply += 1
            mode = ENTER
        else:
            # A child has returned `value` to the frame below; the board still shows the child.
            previous = player - 1 if player > 0 else players - 1
            turned = (previous == root) != (player == root)
            result = -value if turned else value
            if frames[ply - 1, NULL] != 0 and frames[ply - 1, ALPHA] < result < frames[ply - 1, BETA]:
                frames[ply - 1, NULL] = 0
                frames[ply, ALPHA] = -frames[ply - 1, BETA] if turned else frames[ply - 1, ALPHA]
                frames[ply, BETA] = -frames[ply - 1, ALPHA] if turned else frames[ply - 1, BETA]
                mode = ENTER
                continue
            undo(tables, board)
            ply -= 1
            if ply == 0:
                root_values[frames[ply, MOVE]] = result
            if result > frames[ply, BEST]:
                frames[ply, BEST] = result
                frames[ply, BEST_MOVE] = frames[ply, MOVE]
                if result > frames[ply, ALPHA]:
                    frames[ply, ALPHA] = result
            mode = NEXT
    state[PLY] = ply
    state[MODE] = mode
    state[RETURNED] = value
    state[NODES] = nodes
    return bool(mode == DONE)


@kernel
def principal_variation(tables: Ints, board: Ints, search: Search, first: int, line: Ints) -> int:
    """Write the expected moves that start with `first` into `line`; returns how many. The board stays as it is."""
    columns = tables[layout.COLUMNS]
    players = tables[layout.PLAYERS]
    length = 0
    placed = 0
    move = first
    while move >= 0 and length < len(line):
        line[length] = move
        length += 1
        player = board[layout.TO_MOVE]
        if (board[layout.SEATS + board[layout.STONES] * layout.SEATS_ROW + layout.NOW + player] >> move) & 1:
            break
        make(tables, board, move)
        placed += 1
        seats = layout.SEATS + board[layout.STONES] * layout.SEATS_ROW
        player = board[layout.TO_MOVE]
        following = player + 1 if player + 1 < players else 0
        opposed = (player == search.state[ROOT]) != (following == search.state[ROOT])
        urgent = board[seats + layout.NOW + player]
        if urgent == 0 and opposed:
            urgent = board[seats + layout.NOW + following]
        urgent &= board[layout.LEGAL]
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
                found = tables[layout.SOURCES + symmetry * 64 + ((search.table[at] >> 8) & 63)]
                if (board[layout.LEGAL] >> found) & 1:
                    move = found
    for _ in range(placed):
        undo(tables, board)
    return length
