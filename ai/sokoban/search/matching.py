"""Which box goes to which target for the least pushes in all: the Hungarian method, one box at a time.

Each box brings its row of distances (a key of `ai.sokoban.board.distance`). Adding one box to a perfect matching of the
others takes O(n²), so that after a push only the pushed box is matched anew.
"""

from ai.jit import lean
from ai.sokoban.board.distance import FAR
from ai.sokoban.board.layout import Bytes, Ints, Whole


@lean
def add_row(
    distance: Ints, keys: Ints, row: Whole, u: Ints, v: Ints, taken: Ints, least: Ints, way: Ints, used: Bytes
) -> None:
    """Match box `row` too, by a shortest augmenting path in reduced costs (Kuhn 1955, Jonker and Volgenant 1987).

    Args:
        distance: shape (keys, n), pushes from a key to each target.
        keys: shape (n,), the key of every box.
        row: the box to add, not matched so far.
        u: shape (n,), potentials of the boxes; `u[row]` need not be set.
        v: shape (n + 1,), potentials of the targets; any start will do, a good one saves work.
        taken: shape (n + 1,), box of each target or -1; the last place is scratch.
        least: scratch, shape (n + 1,).
        way: scratch, shape (n + 1,).
        used: scratch, shape (n + 1,).
    """
    size = len(keys)
    u[row] = 0
    taken[size] = row
    for column in range(size + 1):
        least[column] = 2 * FAR * 512
        used[column] = 0
    current = size
    while taken[current] >= 0:
        used[current] = 1
        box = taken[current]
        costs = distance[keys[box]]
        smallest = 2 * FAR * 512
        best = 0
        for column in range(size):
            if not used[column]:
                reduced = costs[column] - u[box] - v[column]
                if reduced < least[column]:
                    least[column] = reduced
                    way[column] = current
                if least[column] < smallest:
                    smallest = least[column]
                    best = column
        for column in range(size + 1):
            if used[column]:
                u[taken[column]] += smallest
                v[column] -= smallest
            else:
                least[column] -= smallest
        current = best
    while current != size:
        before = way[current]
        taken[current] = taken[before]
        current = before


@lean
def total(distance: Ints, keys: Ints, taken: Ints) -> int:
    """Pushes of the matching in all; FAR or more where some box cannot have a target."""
    pushes = 0
    for column in range(len(keys)):
        pushes += distance[keys[taken[column]], column]
    return min(pushes, FAR)


@lean
def rematch(
    distance: Ints,
    keys: Ints,
    slot: Whole,
    key: Whole,
    column: Whole,
    u: Ints,
    v: Ints,
    taken: Ints,
    u_after: Ints,
    v_after: Ints,
    taken_after: Ints,
    least: Ints,
    way: Ints,
    used: Bytes,
) -> int:
    """Pushes of the best matching once box `slot` has another key, FAR where there is none; O(n²).

    Args:
        distance: shape (keys, n).
        keys: shape (n,), the key of every box before.
        slot: the box that moves.
        key: its new key. Where its distance to `column` falls by as much as the move costs, the old matching is still
            the best and there is no need to ask.
        column: its target in the best matching before.
        u: shape (n + 1,), v and taken likewise: the best matching before, see `add_row`; not changed.
        v: see `u`.
        taken: see `u`.
        u_after: scratch like `u`, and so on.
        v_after: scratch.
        taken_after: scratch.
        least: scratch, see `add_row`.
        way: scratch.
        used: scratch.
    """
    for place in range(len(u)):
        u_after[place], v_after[place], taken_after[place] = u[place], v[place], taken[place]
    taken_after[column] = -1
    old, keys[slot] = keys[slot], key
    add_row(distance, keys, slot, u_after, v_after, taken_after, least, way, used)
    found: int = total(distance, keys, taken_after)
    keys[slot] = old
    return found
