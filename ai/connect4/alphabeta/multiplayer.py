"""Searches that see the other players differently, as one resumable kernel: minimax, max^n, BRS and BRS+.

- `MINIMAX`: the seat at the root maximises, all others minimise; no pruning, no table, no forced moves. The baseline.
- `MAXN`: each seat maximises its own component of a vector of values (Luckhardt and Irani, *An algorithmic solution of
  n-person games*, AAAI 1986). Of two vectors that are equal for the chooser it takes the one that is worse for the
  seats after it, the next seat first; so every position has one vector.
- `BRS`: best-reply search (Schadd and Winands, *Best reply search for multiplayer games*, 2011): after each move of the
  root seat only one opponent moves, the one whose move hurts most; the others pass.
- `BRS_PLUS`: all opponents move in turn, but only one of them chooses; the others play the move that looks best at
  once (Esser, Gras, Winands, Schadd and Lanctot, *Improving best-reply search*, 2013).

Pruning is used only where it changes nothing: alpha-beta for BRS and BRS+, whose values are the root seat's alone; for
max^n a node is left when its seat has the fastest win that is possible, or when its proved win already makes the move
before it worse for whoever played it than another move it has. What the masks tell at once (`ai.connect4.alphabeta.search`) is
used except by minimax, and an answer to a single threat costs no depth.

The frames are those of `ai.connect4.alphabeta.search`, so that the same Python drives both; all values are the root seat's,
or, for max^n, every seat's own.
"""

from ai.connect4.alphabeta.heuristics import evaluate, promise
from ai.connect4.alphabeta.search import (
    ALPHA,
    BEST,
    BEST_MOVE,
    BETA,
    CEILING,
    COUNT,
    DECIDED,
    DEPTH,
    DONE,
    ENTER,
    EXACT,
    FLOOR,
    FORCED,
    GENERATION,
    INDEX,
    INFINITE,
    LOWER,
    MODE,
    MOVE,
    NEXT,
    NODES,
    OFFSET,
    PLY,
    RETURN,
    ROOT,
    SEAT,
    SYMMETRY,
    UPPER,
    USED,
    VALUES,
    WIDE,
    WON,
    Search,
    canonical,
    find,
    store,
)
from ai.connect4.board.board import (
    ABOVE,
    CELLS,
    CENTRALITY,
    COLUMNS,
    HEIGHTS,
    IMAGES,
    LEGAL,
    NOW,
    PLAYERS,
    SEATS,
    SEATS_ROW,
    SOURCES,
    STONES,
    TO_MOVE,
    Ints,
    make,
    undo,
)
from ai.jit import kernel

MINIMAX, MAXN, BRS, BRS_PLUS = range(4)

_ANYONE = -1
"""The seat of a node at which any opponent may move."""
_OF_SEAT = 64
"""A move is the column, plus this times the seat that moves plus 1 at nodes of `_ANYONE`."""
_FREE = 1 << 10
"""... plus this where the opponent chooses freely under BRS+."""
_FREE_KEY = 0x3C6EF372FE94F82A
_FIRST = 1 << 60


@kernel
def _set_won(frames: Ints, ply: int, rule: int, players: int, root: int, winner: int, stones: int) -> None:
    """Write the values of a game that `winner` wins with so many stones on the board."""
    if rule == MAXN:
        for seat in range(players):
            frames[ply, VALUES + seat] = WON - stones if seat == winner else stones - WON
    else:
        frames[ply, VALUES] = WON - stones if winner == root else stones - WON


@kernel
def _is_better(frames: Ints, ply: int, players: int, seat: int) -> bool:
    """Whether the child's vector is the better of two that are equal for `seat`: worse for those who follow."""
    for after in range(1, players):
        other = VALUES + (seat + after) % players
        if frames[ply + 1, other] != frames[ply, other]:
            return bool(frames[ply + 1, other] < frames[ply, other])
    return False


@kernel
def take_back(tables: Ints, board: Ints, search: Search) -> None:
    """Undo the moves of an unfinished search, so that the board shows the root again."""
    for ply in range(search.state[PLY] - 1, -1, -1):
        _undo(tables, board, search.frames, ply)
    search.state[PLY] = 0


@kernel
def _undo(tables: Ints, board: Ints, frames: Ints, ply: int) -> None:
    """Take back the move of the frame; under BRS the stone is not always that of the seat before."""
    mover = frames[ply, SEAT]
    if mover == _ANYONE:
        mover = ((frames[ply, MOVE] % _FREE) // _OF_SEAT) - 1
    board[TO_MOVE] = mover + 1 if mover + 1 < tables[PLAYERS] else 0
    undo(tables, board)


@kernel
def run(tables: Ints, board: Ints, search: Search, rule: int, slice_nodes: int) -> bool:
    """Search on for `slice_nodes` nodes, or to the end of the iteration; returns whether it has ended."""
    columns = tables[COLUMNS]
    cells = tables[CELLS]
    players = tables[PLAYERS]
    state, frames, moves, order = search.state, search.frames, search.moves, search.order
    killers, history, table, keys = search.killers, search.history, search.table, search.keys
    root = state[ROOT]
    generation = state[GENERATION] & 255
    ply = state[PLY]
    mode = state[MODE]
    nodes = state[NODES]
    last = nodes + slice_nodes
    tabled = rule in (BRS, BRS_PLUS)
    width = players if rule == MAXN else 1
    while mode != DONE:
        seat = frames[ply, SEAT]
        stones = board[STONES]
        if mode == ENTER:
            if nodes >= last:
                break
            nodes += 1
            mode = RETURN
            depth = frames[ply, DEPTH]
            row = SEATS + stones * SEATS_ROW
            legal = board[LEGAL]
            winner = -1
            for other in range(players):
                if (seat == other or (seat == _ANYONE and other != root)) and board[row + NOW + other] != 0:
                    winner = other
            plain_leaf = rule == MINIMAX and depth <= 0
            if winner >= 0 and not plain_leaf:
                _set_won(frames, ply, rule, players, root, winner, stones + 1)
                continue
            if stones >= cells or (stones + 1 == cells and not plain_leaf):
                frames[ply, VALUES : VALUES + width] = 0
                continue
            # Those who can win right after this move: their threats are to be answered.
            threats: int = 0
            above: int = 0
            threatening = -1
            following = seat + 1 if seat + 1 < players else 0
            if rule != MINIMAX:
                for other in range(players):
                    if rule == BRS:
                        asked = other == root if seat == _ANYONE else other != root
                    else:
                        asked = other == following and (rule == MAXN or seat == root or other == root)
                    if asked:
                        threats |= board[row + NOW + other]
                        above |= board[row + ABOVE + other]
                        if (board[row + NOW + other] | board[row + ABOVE + other]) != 0:
                            threatening = other
            candidates = legal & ~above
            if threats != 0:
                candidates = 0 if threats & (threats - 1) != 0 else candidates & threats
            if candidates == 0:
                _set_won(frames, ply, rule, players, root, threatening, stones + 2)
                continue
            forced = threats != 0
            if depth <= 0 and not forced:
                if rule == MAXN:
                    for other in range(players):
                        frames[ply, VALUES + other] = evaluate(tables, board, other)
                else:
                    frames[ply, VALUES] = evaluate(tables, board, root)
                continue
            preferred = -1
            if tabled and not forced:
                key, symmetry = canonical(board)
                if frames[ply, USED] != 0:
                    key ^= _FREE_KEY
                keys[ply] = key
                frames[ply, SYMMETRY] = symmetry
                at = find(table, key)
                if at >= 0:
                    data = table[at]
                    preferred = tables[SOURCES + symmetry * 64 + ((data >> 8) & 63)]
                    kind = (data >> 14) & 3
                    known = (data >> 26) - OFFSET
                    if ((data >> 16) & 1023 >= depth or abs(known) >= DECIDED) and (
                        kind == EXACT
                        or (kind == LOWER and known >= frames[ply, BETA])
                        or (kind == UPPER and known <= frames[ply, ALPHA])
                    ):
                        frames[ply, VALUES] = known
                        continue
            free = rule == BRS_PLUS and seat != root and frames[ply, USED] == 0 and following != root
            chosen = -1
            if (rule == BRS_PLUS and seat != root and following != root) or frames[ply, USED] != 0:
                highest: int = -1
                for action in range(columns):
                    if (candidates >> action) & 1:
                        worth = promise(tables, board, seat, action)
                        if worth > highest:
                            highest = worth
                            chosen = action
            count = 0
            for mover in range(players):
                if mover != seat and (seat != _ANYONE or mover == root):
                    continue
                for action in range(columns):
                    if (candidates >> action) & 1 == 0:
                        continue
                    if frames[ply, USED] != 0 and action != chosen:
                        continue
                    move = action
                    if seat == _ANYONE:
                        move += _OF_SEAT * (mover + 1)
                    cell = board[HEIGHTS + action] * columns + action
                    worth = (history[mover * cells + cell] << 6) + tables[CENTRALITY + cell]
                    if action == preferred:
                        worth = _FIRST
                    elif move == killers[ply, 0] or move == killers[ply, 1]:
                        worth += _FIRST >> 10
                    if free and not forced:
                        moves[ply, count] = move + _FREE
                        order[ply, count] = worth
                        count += 1
                        if action != chosen:
                            continue
                    moves[ply, count] = move
                    order[ply, count] = worth
                    count += 1
            frames[ply, FLOOR] = frames[ply, ALPHA]
            frames[ply, CEILING] = frames[ply, BETA]
            frames[ply, BEST] = -INFINITE
            frames[ply, BEST_MOVE] = moves[ply, 0]
            frames[ply, COUNT] = count
            frames[ply, INDEX] = 0
            frames[ply, FORCED] = 1 if forced else 0
            mode = NEXT
        elif mode == NEXT:
            index = frames[ply, INDEX]
            count = frames[ply, COUNT]
            cut = tabled and frames[ply, ALPHA] >= frames[ply, BETA]
            if index == count or cut:
                if ply == 0:
                    mode = DONE
                    continue
                mode = RETURN
                if tabled and frames[ply, FORCED] == 0:
                    value = frames[ply, VALUES]
                    best_move = frames[ply, BEST_MOVE]
                    column = best_move % _OF_SEAT
                    if cut:
                        mover = seat if seat != _ANYONE else (best_move % _FREE) // _OF_SEAT - 1
                        cell = board[HEIGHTS + column] * columns + column
                        history[mover * cells + cell] += frames[ply, DEPTH] * frames[ply, DEPTH]
                        if killers[ply, 0] != best_move:
                            killers[ply, 1] = killers[ply, 0]
                            killers[ply, 0] = best_move
                    kind = EXACT
                    if value >= frames[ply, CEILING]:
                        kind = LOWER
                    elif value <= frames[ply, FLOOR]:
                        kind = UPPER
                    image = tables[IMAGES + frames[ply, SYMMETRY] * 64 + column]
                    store(table, generation, keys[ply], value, frames[ply, DEPTH], kind, image)
                continue
            if ply > 0:
                first = index
                for other in range(index + 1, count):
                    if order[ply, other] > order[ply, first]:
                        first = other
                move = moves[ply, first]
                moves[ply, first] = moves[ply, index]
                order[ply, first] = order[ply, index]
            else:
                move = moves[ply, index]
            frames[ply, MOVE] = move
            frames[ply, INDEX] = index + 1
            mover = seat if seat != _ANYONE else (move % _FREE) // _OF_SEAT - 1
            following = seat + 1 if seat + 1 < players else 0
            if rule == BRS:
                following = _ANYONE if seat == root else root
            board[TO_MOVE] = mover
            make(tables, board, move % _OF_SEAT)
            frames[ply + 1, SEAT] = following
            used = following != root and seat != root and (frames[ply, USED] != 0 or move >= _FREE)
            frames[ply + 1, USED] = 1 if used else 0
            frames[ply + 1, ALPHA] = -INFINITE if ply == 0 and state[WIDE] != 0 else frames[ply, ALPHA]
            frames[ply + 1, BETA] = frames[ply, BETA]
            frames[ply + 1, DEPTH] = frames[ply, DEPTH] if frames[ply, FORCED] else frames[ply, DEPTH] - 1
            ply += 1
            mode = ENTER
        else:
            # The child has left its values in its frame; the board still shows it.
            ply -= 1
            _undo(tables, board, frames, ply)
            mode = NEXT
            seat = frames[ply, SEAT]
            own = VALUES + seat if rule == MAXN else VALUES
            result = frames[ply + 1, own]
            if ply == 0:
                root_move = frames[0, MOVE]
                search.root_values[root_move] = result
            if rule != MAXN and seat != root:
                result = -result
            if result > frames[ply, BEST] or (
                rule == MAXN and result == frames[ply, BEST] and _is_better(frames, ply, players, seat)
            ):
                frames[ply, BEST] = result
                frames[ply, BEST_MOVE] = frames[ply, MOVE]
                for other in range(width):
                    frames[ply, VALUES + other] = frames[ply + 1, VALUES + other]
                if rule == MAXN:
                    fastest = WON - (board[STONES] + 1 + players)
                    if ply > 0 and result >= DECIDED and (result >= fastest or frames[ply - 1, BEST] > -result):
                        frames[ply, INDEX] = frames[ply, COUNT]
                elif seat == root:
                    frames[ply, ALPHA] = max(frames[ply, ALPHA], result)
                else:
                    frames[ply, BETA] = min(frames[ply, BETA], -result)
    state[PLY] = ply
    state[MODE] = mode
    state[NODES] = nodes
    return bool(mode == DONE)
