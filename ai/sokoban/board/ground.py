"""What a search knows of a level before it begins: distances of single boxes, dead squares, Zobrist words.

With one player a box's situation is its key (`ai.sokoban.board.distance`): its square and the part of the floor that the
player is in. With two players either part may hold one of them, so all parts are the same one. Boxes of different
colours have tables of their own, one after the other: `offset` says where a box's keys begin.
"""

import time as clock
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ai.sokoban.board.distance import FAR, label_parts, mark_pushable, measure_moves
from ai.sokoban.board.layout import Bytes, Ints, Layout, Words
from ai.sokoban.board.moves import mark_alive

HEURISTICS = ("manhattan", "push-distance", "matching")
"""Lower bounds on pushes. The first two add up what each box needs to its nearest target, as the crow walks or as a
box alone is pushed; `matching` gives every box a target of its own, the cheapest way in all."""

SLICE_SECONDS = 0.008
_ZOBRIST_SEED = 20


class Ground(NamedTuple):
    """N squares, n boxes of C colours and as many targets, K = 4 N C keys. Kernels take it whole."""

    steps: Ints
    """Shape (N, 4): neighbour up, right, down, left; -1 for none."""
    is_target: Bytes
    """Shape (N,)."""
    home: Bytes
    """Shape (C, N): 1 on the targets of a colour."""
    alive: Bytes
    """Shape (N,): 1 where a box alone may still get to a target."""
    part: Bytes
    """Shape (N, N), see `label_parts`; all 0 with two players."""
    distance: Ints
    """Shape (K, n): pushes (and pulls) from a key to each target."""
    nearest: Ints
    """Shape (K,): the least of each row."""
    pushable: Bytes
    """Shape (C, N): the directions in which a box of a colour can be pushed without being lost for every target, a bit each."""
    estimate: Ints
    """Shape (K,): what the heuristic adds for a box, unless it is a matching."""
    offset: Ints
    """Shape (n,): where the keys of a box begin."""
    colour: Bytes
    """Shape (n,): from 0."""
    words: Words
    """Shape (C + 2, N): Zobrist words of a box of each colour and of the players."""


def survey(board: Layout, heuristic: str | None, pause: Callable[[str], None], part: Bytes | None = None) -> Ground:
    """Measure the level, calling `pause` with a word on what is going on every few milliseconds.

    `heuristic` is one of HEURISTICS; without one every estimate is 0. `part`, which is measured without one, is that of another
    position of the same warehouse with one player.
    """
    watch = Watch(pause)
    steps, squares, size, rules = board.steps, len(board.squares), len(board.boxes), board.rules
    alive: Bytes = np.zeros(squares, dtype=np.uint8)
    stack: Ints = np.zeros(squares, dtype=np.int32)
    known = part is not None
    if part is None:
        part = np.zeros((squares, squares), dtype=np.uint8)
    if rules.pull:
        alive[:] = 1
    else:
        mark_alive(steps, board.targets, alive, stack)
    if rules.players == 1 and not known:
        for square in range(squares):
            label_parts(steps, part, square, stack)
            watch.look("measuring the warehouse")
    colour = board.colours
    colours = 1 + max(colour.tolist(), default=0)
    keys = 4 * squares
    home: Bytes = np.zeros((colours, squares), dtype=np.uint8)
    home[colour, board.targets] = 1
    distance: Ints = np.full((colours * keys, size), FAR, dtype=np.int32)
    queue: Ints = np.zeros(keys, dtype=np.int32)
    for column, (target, kind) in enumerate(zip(board.targets.tolist(), colour.tolist(), strict=True)):
        table = distance[kind * keys : (kind + 1) * keys]
        measure_moves(steps, part, rules.push, rules.pull, target, column, table, queue)
        watch.look("measuring the distances to the targets")
    nearest: Ints = distance.min(axis=1) if size else np.zeros(len(distance), dtype=np.int32)
    estimate = np.zeros_like(nearest)
    if heuristic == "manhattan":
        estimate = _manhattan(board, colours)
    elif heuristic is not None:
        estimate = nearest
    words = np.random.default_rng(_ZOBRIST_SEED).integers(0, 2**64, (colours + 2, squares), dtype=np.uint64)
    offset = keys * colour.astype(np.int32)
    pushable: Bytes = np.zeros((colours, squares), dtype=np.uint8)
    mark_pushable(steps, part, nearest, pushable)
    return Ground(
        steps, board.is_target, home, alive, part, distance, nearest, pushable, estimate, offset, colour, words
    )


def _manhattan(board: Layout, colours: int) -> Ints:
    """Shape (K,): rows and columns from every key's square to the nearest target of its colour."""
    places = np.column_stack(np.divmod(board.squares, board.state.warehouse.cols))
    found: Ints = np.full((colours, len(places), 4), FAR, dtype=np.int32)
    for target, kind in zip(board.targets.tolist(), board.colours.tolist(), strict=True):
        apart = np.abs(places - places[target]).sum(axis=1)
        found[kind] = np.minimum(found[kind], apart[:, None])
    return found.reshape(-1)


GO_ON = 0
"""What the kernels of all searches answer when they have used their budget up and there is more to do."""


class Pace:
    """Slices of a search, each with as many elementary steps as the last ones had time for."""

    def __init__(self) -> None:
        """The first slice is a short one."""
        self._budget = 100_000

    def timed(self, work: Callable[[int], int]) -> int:
        """Call `work` with a budget of elementary steps that takes it about a slice of time; its answer.

        Only work that used the budget up, and says so by GO_ON, tells how many steps a slice has: many short searches,
        one after the other, would else let the next long one run for minutes.
        """
        budget = self._budget
        began = clock.perf_counter()
        answer = work(budget)
        took = clock.perf_counter() - began
        if answer == GO_ON or took > SLICE_SECONDS:
            wanted = budget * SLICE_SECONDS / max(took, 1e-6)
            self._budget = int(min(max(wanted, budget / 2, 1000), budget * 2, 1e9))
        return answer


class Watch:
    """Calls `pause` when a slice of time is over."""

    def __init__(self, pause: Callable[[str], None]) -> None:
        """The first slice begins."""
        self._pause = pause
        self._due = clock.perf_counter() + SLICE_SECONDS

    def look(self, what: str) -> None:
        """Say what is going on, if it is time."""
        if clock.perf_counter() > self._due:
            self._pause(what)
            self._due = clock.perf_counter() + SLICE_SECONDS
