"""What one thread of a training keeps: the game being played, what is remembered of it, and figures.

The kernels here serve packed 4×4 boards (`learning`) and boards as arrays (`grid_learning`) alike: an
afterstate is an element of `Episode.history`, a whole number or a row of exponents.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.spawns import pick, random_number
from ai.twenty48.ntuple.network import SYMMETRIES, Stages, Weights
from ai.twenty48.ntuple.rules import Rule, Sums, update, value_at

RECENT = 1000
"""Games over which averages are taken."""
HISTORY = 1 << 16
"""Moves of a game that are remembered; nobody plays that many on 4×4."""
REMEMBERED = 1 << 16
"""Boards with which games of a stage may begin, the latest ones."""
ENOUGH = 1024
"""Of those, so many are needed before the first stage is left out."""
_SHORT = 32
"""Moves of a game after which none is begun from its middle."""

(GAMES, SCORE, MOVES, TOTAL, FRESH, COUNTED, LENGTH, OLDEST, WAITING, TURN) = range(10)
"""Indices into `Episode.head`: games finished; score of the game being played; moves in all; sum of the tiles of the
position, 0 between games; whether the game began from an empty board; such games finished; moves of the game that are
remembered; the ring of those that wait (`hear`); the stage whose turn it is to be begun."""
SEED, SPAWNS = range(2)
"""Indices into `Episode.luck`."""
ERROR, COUNT = range(2)
"""Indices into `Episode.errors`: sum of |TD error| and how many, since they were last set to 0."""

Boards = npt.NDArray[Any]
"""Boards along the first axis: uint64 (n,) packed, or uint8 (n, size²) exponents."""


class Episode(NamedTuple):
    """What one thread keeps between slices."""

    position: Boards
    """One board: to move in."""
    luck: npt.NDArray[np.uint64]
    head: npt.NDArray[np.int64]
    errors: npt.NDArray[np.float64]
    scores: npt.NDArray[np.int64]
    """(RECENT,): of the last games begun from an empty board; the n-th is at n % RECENT."""
    tiles: npt.NDArray[np.int64]
    """(RECENT,): the exponents of their largest tiles."""
    where: npt.NDArray[np.uint64]
    """(horizon, look-ups): the weights of the afterstates that wait."""
    owed: npt.NDArray[np.float32]
    """(horizon,): the errors noted for them."""
    history: Boards
    """HISTORY boards: the afterstates of the game being played."""
    earned: npt.NDArray[np.float32]
    """(HISTORY,): the reward of the slide that led to each."""
    totals: npt.NDArray[np.int64]
    """(HISTORY,): the sum of their tiles."""
    begun: Boards
    """(stages - 1) × REMEMBERED boards: the first afterstates in each later stage."""
    begun_totals: npt.NDArray[np.int64]
    """(stages - 1, REMEMBERED): the sums of their tiles."""
    known: npt.NDArray[np.int64]
    """(stages - 1,): how many first afterstates there were."""


def make_episode(tuples: int, horizon: int = 1, stages: int = 1, size: int = 4) -> Episode:
    """An episode before its first game; 4×4 boards are packed."""
    board, kind = ((), np.uint64) if size == 4 else ((size * size,), np.uint8)
    return Episode(
        np.zeros((1, *board), kind),
        np.zeros(2, np.uint64),
        np.zeros(10, np.int64),
        np.zeros(2, np.float64),
        np.zeros(RECENT, np.int64),
        np.zeros(RECENT, np.int64),
        np.zeros((horizon, tuples * SYMMETRIES), np.uint64),
        np.zeros(horizon, np.float32),
        np.zeros((HISTORY, *board), kind),
        np.zeros(HISTORY, np.float32),
        np.zeros(HISTORY, np.int64),
        np.zeros((stages - 1, REMEMBERED, *board), kind),
        np.zeros((stages - 1, REMEMBERED), np.int64),
        np.zeros(stages - 1, np.int64),
    )


@kernel
def begin(episode: Episode, rule: Rule, seed: np.uint64, number: np.uint64) -> None:
    """Begin game `number`: `position` is the afterstate it goes on from, empty where `head[FRESH]`."""
    luck, head = episode.luck, episode.head
    luck[SEED] = random_number(seed, number)
    luck[SPAWNS] = np.uint64(0)
    head[SCORE] = 0
    moves = head[LENGTH]
    head[LENGTH] = head[WAITING] = head[TOTAL] = 0
    head[FRESH] = 1
    episode.position[:] = 0
    if rule.restart and moves >= _SHORT:
        episode.position[0] = episode.history[moves // 2]
        head[TOTAL], head[FRESH] = episode.totals[moves // 2], 0
    elif rule.carousel and len(episode.known):
        head[TURN] = (head[TURN] + 1) % (len(episode.known) + 1)
        if rule.late and episode.known[0] >= ENOUGH and (head[TURN] == 0 or episode.known[head[TURN] - 1] == 0):
            head[TURN] = 1
        stage = head[TURN] - 1
        if stage >= 0 and episode.known[stage]:
            which = pick(random_number(~luck[SEED], luck[SPAWNS]), min(episode.known[stage], np.int64(REMEMBERED)))
            episode.position[0] = episode.begun[stage, which]
            head[TOTAL], head[FRESH] = episode.begun_totals[stage, which], 0


@kernel
def remember(episode: Episode, after: Any, reward: np.float32, stages: Stages) -> None:
    """Note an afterstate of the game being played; `head[TOTAL]` is the sum of its tiles."""
    head = episode.head
    length, total = head[LENGTH], head[TOTAL]
    if length:
        for stage in range(len(stages)):
            if episode.totals[length - 1] < stages[stage] <= total:
                at = episode.known[stage] % REMEMBERED
                episode.begun[stage, at] = after
                episode.begun_totals[stage, at] = total
                episode.known[stage] += 1
    episode.history[length] = after
    episode.earned[length], episode.totals[length] = reward, total
    head[LENGTH] += 1


@kernel
def hear(
    head: npt.NDArray[np.int64],
    errors: npt.NDArray[np.float64],
    where: npt.NDArray[np.uint64],
    owed: npt.NDArray[np.float32],
    worth: np.float32,
    rule: Rule,
    alpha: np.float32,
    coherent: bool,
    weights: Weights,
    sums: Sums,
    size: np.uint64,
    ended: bool,
) -> None:
    """The worth of the newest afterstate is known: note its error for all that wait; who has waited long enough learns.

    Args:
        head: Of an `Episode`, like the three that follow.
        errors: See there.
        where: See there.
        owed: See there.
        worth: 0 where the game is over.
        rule: λ and horizon.
        alpha: Rate of a whole value.
        coherent: TC rather than TD.
        weights: Changed.
        sums: Changed.
        size: Weights of a stage.
        ended: The game is over: all learn.
    """
    horizon, oldest, waiting = len(owed), head[OLDEST], head[WAITING]
    error = worth - value_at(where[(oldest + waiting - 1) % horizon], weights, size)
    errors[ERROR] += abs(error)
    errors[COUNT] += 1
    part = error
    for age in range(waiting):
        owed[(oldest + waiting - 1 - age) % horizon] += part
        part *= np.float32(rule.decay)
    while waiting == horizon or (ended and waiting > 0):
        update(where[oldest], owed[oldest], alpha, coherent, weights, sums, size)
        owed[oldest] = np.float32(0.0)
        oldest = (oldest + 1) % horizon
        waiting -= 1
    head[OLDEST], head[WAITING] = oldest, waiting


@kernel
def finish(episode: Episode, tile: np.int64, late: bool) -> None:
    """The game is over; `tile` is the exponent of its largest tile. The next one begins.

    Games from an empty board are counted, or all where they begin in later stages (`late`).
    """
    head = episode.head
    if head[FRESH] or late:
        episode.scores[head[COUNTED] % RECENT] = head[SCORE]
        episode.tiles[head[COUNTED] % RECENT] = tile
        head[COUNTED] += 1
    head[GAMES] += 1
    head[TOTAL] = 0
    episode.position[:] = 0
