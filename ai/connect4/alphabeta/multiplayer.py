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

from ai.connect4.alphabeta import search as frame
from ai.connect4.alphabeta.heuristics import evaluate, promise
from ai.connect4.alphabeta.search import Search, canonical, find, store
from ai.connect4.board import board as layout
from ai.connect4.board.board import Ints, make, undo
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
            frames[ply, frame.VALUES + seat] = frame.WON - stones if seat == winner else stones - frame.WON
    else:
        frames[ply, frame.VALUES] = frame.WON - stones if winner == root else stones - frame.WON


@kernel
def _is_better(frames: Ints, ply: int, players: int, seat: int) -> bool:
    """Whether the child's vector is the better of two that are equal for `seat`: worse for those who follow."""
    for after in range(1, players):
        other = frame.VALUES + (seat + after) % players
        if frames[ply + 1, other] != frames[ply, other]:
            return bool(frames[ply + 1, other] < frames[ply, other])
    return False


@kernel
def take_back(tables: Ints, board: Ints, search: Search) -> None:
    """Undo the moves of an unfinished search, so that the board shows the root again."""
    for ply in range(search.state[frame.PLY] - 1, -1, -1):
        _undo(tables, board, search.frames, ply)
    search.state[frame.PLY] = 0


@kernel
def _undo(tables: Ints, board: Ints, frames: Ints, ply: int) -> None:
    """Take back the move of the frame; under BRS the stone is not always that of the seat before."""
    mover = frames[ply, frame.SEAT]
    if mover == _ANYONE:
        mover = ((frames[ply, frame.MOVE] % _FREE) // _OF_SEAT) - 1
    board[layout.TO_MOVE] = mover + 1 if mover + 1 < tables[layout.PLAYERS] else 0
    undo(tables, board)


@kernel
def run(tables: Ints, board: Ints, search: Search, rule: int, slice_nodes: int) -> bool:
    """Search on for `slice_nodes` nodes, or to the end of the iteration; returns whether it has ended."""
    columns = tables[layout.COLUMNS]
    cells = tables[layout.CELLS]
    players = tables[layout.PLAYERS]
    state, frames, moves, order = search.state, search.frames, search.moves, search.order
    killers, history, table, keys = search.killers, search.history, search.table, search.keys
    root = state[frame.ROOT]
    generation = state[frame.GENERATION] & 255
    ply = state[frame.PLY]
    mode = state[frame.MODE]
    nodes = state[frame.NODES]
    last = nodes + slice_nodes
    tabled = rule in (BRS, BRS_PLUS)
    width = players if rule == MAXN else 1
    while mode != frame.DONE:
        seat = frames[ply, frame.SEAT]
        stones = board[layout.STONES]
        if mode == frame.ENTER:
            if nodes >= last:
                break
            nodes += 1
            mode = frame.RETURN
            depth = frames[ply, frame.DEPTH]
            row = layout.SEATS + stones * layout.SEATS_ROW
            legal = board[layout.LEGAL]
            winner = -1
            for other in range(players):
                if (seat == other or (seat == _ANYONE and other != root)) and board[row + layout.NOW + other] != 0:
                    winner = other
            plain_leaf = rule == MINIMAX and depth <= 0
            if winner >= 0 and not plain_leaf:
                _set_won(frames, ply, rule, players, root, winner, stones + 1)
                continue
            if stones >= cells or (stones + 1 == cells and not plain_leaf):
                frames[ply, frame.VALUES : frame.VALUES + width] = 0
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
                        threats |= board[row + layout.NOW + other]
                        above |= board[row + layout.ABOVE + other]
                        if (board[row + layout.NOW + other] | board[row + layout.ABOVE + other]) != 0:
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
                        frames[ply, frame.VALUES + other] = evaluate(tables, board, other)
                else:
                    frames[ply, frame.VALUES] = evaluate(tables, board, root)
                continue
            preferred = -1
            if tabled and not forced:
                key, symmetry = canonical(board)
                if frames[ply, frame.USED] != 0:
                    key ^= _FREE_KEY
                keys[ply] = key
                frames[ply, frame.SYMMETRY] = symmetry
                at = find(table, key)
                if at >= 0:
                    data = table[at]
                    preferred = tables[layout.SOURCES + symmetry * 64 + ((data >> 8) & 63)]
                    kind = (data >> 14) & 3
                    known = (data >> 26) - frame.OFFSET
                    if ((data >> 16) & 1023 >= depth or abs(known) >= frame.DECIDED) and (
                        kind == frame.EXACT
                        or (kind == frame.LOWER and known >= frames[ply, frame.BETA])
                        or (kind == frame.UPPER and known <= frames[ply, frame.ALPHA])
                    ):
                        frames[ply, frame.VALUES] = known
                        continue
            free = rule == BRS_PLUS and seat != root and frames[ply, frame.USED] == 0 and following != root
            chosen = -1
            if (rule == BRS_PLUS and seat != root and following != root) or frames[ply, frame.USED] != 0:
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
                    if frames[ply, frame.USED] != 0 and action != chosen:
                        continue
                    move = action
                    if seat == _ANYONE:
                        move += _OF_SEAT * (mover + 1)
                    cell = board[layout.HEIGHTS + action] * columns + action
                    worth = (history[mover * cells + cell] << 6) + tables[layout.CENTRALITY + cell]
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
            frames[ply, frame.FLOOR] = frames[ply, frame.ALPHA]
            frames[ply, frame.CEILING] = frames[ply, frame.BETA]
            frames[ply, frame.BEST] = -frame.INFINITE
            frames[ply, frame.BEST_MOVE] = moves[ply, 0]
            frames[ply, frame.COUNT] = count
            frames[ply, frame.INDEX] = 0
            frames[ply, frame.FORCED] = 1 if forced else 0
            mode = frame.NEXT
        elif mode == frame.NEXT:
            index = frames[ply, frame.INDEX]
            count = frames[ply, frame.COUNT]
            cut = tabled and frames[ply, frame.ALPHA] >= frames[ply, frame.BETA]
            if index == count or cut:
                if ply == 0:
                    mode = frame.DONE
                    continue
                mode = frame.RETURN
                if tabled and frames[ply, frame.FORCED] == 0:
                    value = frames[ply, frame.VALUES]
                    best_move = frames[ply, frame.BEST_MOVE]
                    column = best_move % _OF_SEAT
                    if cut:
                        mover = seat if seat != _ANYONE else (best_move % _FREE) // _OF_SEAT - 1
                        cell = board[layout.HEIGHTS + column] * columns + column
                        history[mover * cells + cell] += frames[ply, frame.DEPTH] * frames[ply, frame.DEPTH]
                        if killers[ply, 0] != best_move:
                            killers[ply, 1] = killers[ply, 0]
                            killers[ply, 0] = best_move
                    kind = frame.EXACT
                    if value >= frames[ply, frame.CEILING]:
                        kind = frame.LOWER
                    elif value <= frames[ply, frame.FLOOR]:
                        kind = frame.UPPER
                    image = tables[layout.IMAGES + frames[ply, frame.SYMMETRY] * 64 + column]
                    store(table, generation, keys[ply], value, frames[ply, frame.DEPTH], kind, image)
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
            frames[ply, frame.MOVE] = move
            frames[ply, frame.INDEX] = index + 1
            mover = seat if seat != _ANYONE else (move % _FREE) // _OF_SEAT - 1
            following = seat + 1 if seat + 1 < players else 0
            if rule == BRS:
                following = _ANYONE if seat == root else root
            board[layout.TO_MOVE] = mover
            make(tables, board, move % _OF_SEAT)
            frames[ply + 1, frame.SEAT] = following
            used = following != root and seat != root and (frames[ply, frame.USED] != 0 or move >= _FREE)
            frames[ply + 1, frame.USED] = 1 if used else 0
            frames[ply + 1, frame.ALPHA] = (
                -frame.INFINITE if ply == 0 and state[frame.WIDE] != 0 else frames[ply, frame.ALPHA]
            )
            frames[ply + 1, frame.BETA] = frames[ply, frame.BETA]
            frames[ply + 1, frame.DEPTH] = (
                frames[ply, frame.DEPTH] if frames[ply, frame.FORCED] else frames[ply, frame.DEPTH] - 1
            )
            ply += 1
            mode = frame.ENTER
        else:
            # The child has left its values in its frame; the board still shows it.
            ply -= 1
            _undo(tables, board, frames, ply)
            mode = frame.NEXT
            seat = frames[ply, frame.SEAT]
            own = frame.VALUES + seat if rule == MAXN else frame.VALUES
            result = frames[ply + 1, own]
            if ply == 0:
                root_move = frames[0, frame.MOVE]
                search.root_values[root_move] = result
            if rule != MAXN and seat != root:
                result = -result
            if result > frames[ply, frame.BEST] or (
                rule == MAXN and result == frames[ply, frame.BEST] and _is_better(frames, ply, players, seat)
            ):
                frames[ply, frame.BEST] = result
                frames[ply, frame.BEST_MOVE] = frames[ply, frame.MOVE]
                for other in range(width):
                    frames[ply, frame.VALUES + other] = frames[ply + 1, frame.VALUES + other]
                if rule == MAXN:
                    fastest = frame.WON - (board[layout.STONES] + 1 + players)
                    if (
                        ply > 0
                        and result >= frame.DECIDED
                        and (result >= fastest or frames[ply - 1, frame.BEST] > -result)
                    ):
                        frames[ply, frame.INDEX] = frames[ply, frame.COUNT]
                elif seat == root:
                    frames[ply, frame.ALPHA] = max(frames[ply, frame.ALPHA], result)
                else:
                    frames[ply, frame.BETA] = min(frames[ply, frame.BETA], -result)
    state[frame.PLY] = ply
    state[frame.MODE] = mode
    state[frame.NODES] = nodes
    return bool(mode == frame.DONE)
