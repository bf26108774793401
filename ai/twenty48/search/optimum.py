"""The exact optimum of 2048 on small boards: every position that can be reached, valued once.

A slide leaves the sum of all tiles as it is and a new tile makes it 2 or 4 larger, so positions fall into *layers* by
their sums, and no game ever comes back to a layer. One pass forwards lists the positions of every layer; one pass
backwards gives each its value from the two layers after it: value iteration that is done after one sweep. A last pass
forwards follows optimal play and gives the largest tiles. Of positions that are the same but for a rotation or a
reflection of the board only one is kept.

A study, not an agent: it says how far from the optimum a learned player of 3×3 is. That board has 48,713,519 distinct
positions, which take two minutes and a gigabyte. 4×4 has far too many. (Kaneko, Yamashita: Strongly Solving 2048 4×3,
2025, order positions in the same way.)
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.grid import Cells, slide

SIZES = (2, 3)
TWO, FOUR = 0.9, 0.1
"""Probabilities of a new tile."""
MEAN, SQUARE, RANDOM = 0, 1, 2
"""Columns of values: points to come with optimal play; their mean square; points to come with random play."""

_LAST_START = 8
"""The largest sum of a start position."""
_FORWARDS, _BACKWARDS = 0.35, 0.8
"""Shares of the work that are done after the first pass and after the second."""
_NOWHERE = np.uint64(2**64 - 1)
"""Instead of a code: there is no such position."""
_U4 = np.uint64(4)
_U15 = np.uint64(15)

Codes = npt.NDArray[np.uint64]
"""Positions: four bits a cell, the first cell highest; of symmetric ones that with the smallest code."""
Values = npt.NDArray[np.float64]
Images = npt.NDArray[np.int64]
"""(8, cells): where the cells come from in each position of the square."""


@dataclass(frozen=True, slots=True)
class Optimum:
    """What is known of a board when every position has its value."""

    size: int
    positions: int
    """With the player to move, that any play can reach from a start; lost ones included."""
    distinct: int
    """The same, rotations and reflections counted once."""
    mean: float
    """Expected score of optimal play, start positions as they are drawn: no player can have more."""
    deviation: float
    """Standard deviation of the score of one such game."""
    random_mean: float
    """Expected score of play that takes each legal action with the same probability."""
    tiles: dict[int, float]
    """Largest tile at the end of an optimal game, with its probability."""
    seconds: float
    """Computing time."""


def solve(size: int, report: Callable[[float], None] | None = None) -> Optimum:
    """Value every position of a board of size × size.

    Args:
        size: 2 or 3.
        report: Told after every layer which share of the work is done, 0 to 1; what it raises ends the work.

    Raises:
        ValueError: when the size is not one of `SIZES`.
    """
    if size not in SIZES:
        raise ValueError(f"The optimum can be computed for boards of 2×2 and 3×3, not of {size}×{size}.")
    began = time.perf_counter()
    images = _images(size)
    starts = _starts(size, images)
    told = report if report is not None else _nobody
    layers = _layers(starts, size, images, told)
    distinct = sum(len(states) for states in layers.values())
    values: dict[int, Values] = {}
    chosen: dict[int, Codes] = {}
    done = 0
    for total in sorted(layers, reverse=True):
        values[total], chosen[total] = _valued(total, layers, values, size, images)
        if total + 4 > _LAST_START:
            values.pop(total + 4, None)  # no earlier layer leads there
        done += len(layers[total])
        told(_FORWARDS + (_BACKWARDS - _FORWARDS) * done / distinct)
    first = np.zeros(3)
    for (total, code), share in starts.items():
        first += share * values[total][np.searchsorted(layers[total], np.uint64(code))]
    return Optimum(
        size,
        positions=sum(int(count_images(states, images)) for states in layers.values()),
        distinct=distinct,
        mean=float(first[MEAN]),
        deviation=float(np.sqrt(first[SQUARE] - first[MEAN] ** 2)),
        random_mean=float(first[RANDOM]),
        tiles=_tiles(starts, layers, chosen, size, images, told),
        seconds=time.perf_counter() - began,
    )


def _images(size: int) -> Images:
    square = np.arange(size * size).reshape(size, size)
    return np.array([np.rot90(side, turns).ravel() for side in (square, square.T) for turns in range(4)])


def _starts(size: int, images: Images) -> dict[tuple[int, int], float]:
    """Sum of the tiles and code of every start position, with its probability."""
    found: dict[tuple[int, int], float] = {}
    tiles = ((1, TWO), (2, FOUR))
    for (a, b), (first, p), (second, q) in product(permutations(range(size * size), 2), tiles, tiles):
        cells = np.zeros(size * size, np.uint8)
        cells[[a, b]] = first, second
        key = (2**first + 2**second, int(canonical(cells, images)))
        found[key] = found.get(key, 0.0) + p * q / (size * size * (size * size - 1))
    return found


def _nobody(_share: float) -> None:
    """Hears of progress where nobody else does."""


def _layers(
    starts: Iterable[tuple[int, int]], size: int, images: Images, told: Callable[[float], None]
) -> dict[int, Codes]:
    """The positions of every sum that can be reached, ascending."""
    ahead: dict[int, list[Codes]] = {}
    for total, code in starts:
        ahead.setdefault(total, []).append(np.array([code], np.uint64))
    layers = {}
    while ahead:
        total = min(ahead)
        layers[total] = states = np.unique(np.concatenate(ahead.pop(total)))
        told(_FORWARDS * total / 2 ** (size * size + 2))  # no sum is as large
        afters = _present(slides(states, size, images)[0])
        for exponent in (1, 2):
            found = _present(spawns(afters, exponent, images))
            if len(found):
                ahead.setdefault(total + 2**exponent, []).append(found)
    return layers


def _valued(
    total: int, layers: Mapping[int, Codes], values: Mapping[int, Values], size: int, images: Images
) -> tuple[Values, Codes]:
    """The values of one layer, and the best afterstate of each of its positions."""
    afters, rewards = slides(layers[total], size, images)
    unique = _present(afters)
    expected = np.zeros((len(unique), 3))
    for exponent, share in ((1, TWO), (2, FOUR)):
        after = total + 2**exponent
        if after in layers:
            expect(unique, exponent, share, layers[after], values[after], images, expected)
    return decide(afters, rewards, unique, expected)


def _tiles(
    starts: Mapping[tuple[int, int], float],
    layers: Mapping[int, Codes],
    chosen: Mapping[int, Codes],
    size: int,
    images: Images,
    told: Callable[[float], None],
) -> dict[int, float]:
    """Largest tile at the end of an optimal game: probability."""
    shares: dict[int, npt.NDArray[np.float64]] = {}
    for (total, code), share in starts.items():
        drawn = shares.setdefault(total, np.zeros(len(layers[total])))
        drawn[np.searchsorted(layers[total], np.uint64(code))] += share
    found = np.zeros(16)
    done, distinct = 0, sum(len(states) for states in layers.values())
    for total, states in layers.items():
        done += len(states)
        told(_BACKWARDS + (1 - _BACKWARDS) * done / distinct)
        here = shares.pop(total, None)
        if here is None:
            continue
        over = chosen[total] == _NOWHERE
        largest = np.zeros(int(over.sum()), np.int64)
        for cell in range(size * size):
            exponents = (states[over] >> np.uint64(4 * cell)) & _U15
            largest = np.maximum(largest, exponents.astype(np.int64))
        found += np.bincount(largest, here[over], 16)
        afters, which = np.unique(chosen[total][~over], return_inverse=True)
        there = np.asarray(np.bincount(which, here[~over], len(afters)), np.float64)
        for exponent, share in ((1, TWO), (2, FOUR)):
            after = total + 2**exponent
            if len(afters) and after in layers:
                later = shares.setdefault(after, np.zeros(len(layers[after])))
                spread(afters, there, exponent, share, layers[after], images, later)
    return {2**exponent: float(share) for exponent, share in enumerate(found) if share > 0}


def _present(codes: Codes) -> Codes:
    """The codes that are positions, ascending, each once."""
    found = np.unique(codes)
    return found[:-1] if len(found) and found[-1] == _NOWHERE else found


@kernel
def unpack(code: np.uint64, cells: Cells) -> None:
    """Write the exponents of a code into `cells`."""
    for cell in range(len(cells) - 1, -1, -1):
        cells[cell] = code & _U15
        code >>= _U4


@kernel
def canonical(cells: Cells, images: Images) -> np.uint64:
    """The smallest code of the board in all positions of the square."""
    best = _NOWHERE
    for image in range(8):
        code = np.uint64(0)
        for cell in images[image]:
            code = (code << _U4) | np.uint64(cells[cell])
        best = min(best, code)
    return best


@kernel
def count_images(states: Codes, images: Images) -> int:
    """How many positions these are with all their rotations and reflections."""
    cells = np.zeros(images.shape[1], np.uint8)
    codes = np.zeros(8, np.uint64)
    count = 0
    for state in states:
        unpack(state, cells)
        for image in range(8):
            code = np.uint64(0)
            for cell in images[image]:
                code = (code << _U4) | np.uint64(cells[cell])
            codes[image] = code
            count += 1
            for earlier in range(image):
                if codes[earlier] == code:
                    count -= 1
                    break
    return count


@kernel
def slides(states: Codes, size: int, images: Images) -> tuple[Codes, npt.NDArray[np.int64]]:
    """The afterstates of all four actions, (positions, 4), `_NOWHERE` where nothing moves; and their rewards."""
    afters = np.full((len(states), 4), _NOWHERE)
    rewards = np.zeros((len(states), 4), np.int64)
    cells, after = np.zeros(size * size, np.uint8), np.zeros(size * size, np.uint8)
    for state in range(len(states)):
        unpack(states[state], cells)
        for action in range(4):
            reward = slide(cells, size, action, after)
            if reward >= 0:
                afters[state, action] = canonical(after, images)
                rewards[state, action] = reward
    return afters, rewards


@kernel
def spawns(afters: Codes, exponent: int, images: Images) -> Codes:
    """The positions after one new tile, (afterstates, cells), `_NOWHERE` where a cell is taken."""
    cells = np.zeros(images.shape[1], np.uint8)
    found = np.full((len(afters), len(cells)), _NOWHERE)
    for after in range(len(afters)):
        unpack(afters[after], cells)
        for cell in range(len(cells)):
            if cells[cell] == 0:
                cells[cell] = exponent
                found[after, cell] = canonical(cells, images)
                cells[cell] = 0
    return found


@kernel
def expect(
    afters: Codes, exponent: int, share: float, states: Codes, values: Values, images: Images, expected: Values
) -> None:
    """Add to the values of afterstates what a new tile, its cell uniform, is worth times its probability `share`."""
    found = spawns(afters, exponent, images)
    for after in range(len(afters)):
        count = 0
        for code in found[after]:
            count += code != _NOWHERE
        for code in found[after]:
            if code != _NOWHERE:
                place = np.searchsorted(states, code)
                for column in range(3):
                    expected[after, column] += share / count * values[place, column]


@kernel
def decide(afters: Codes, rewards: npt.NDArray[np.int64], known: Codes, expected: Values) -> tuple[Values, Codes]:
    """The values of positions from those of the afterstates `known`, and the best afterstate, `_NOWHERE` for none."""
    values = np.zeros((len(afters), 3))
    best = np.full(len(afters), _NOWHERE)
    for state in range(len(afters)):
        legal = 0
        for action in range(4):
            after = afters[state, action]
            if after == _NOWHERE:
                continue
            place = np.searchsorted(known, after)
            reward = np.float64(rewards[state, action])
            mean = reward + expected[place, MEAN]
            if best[state] == _NOWHERE or mean > values[state, MEAN]:
                best[state] = after
                values[state, MEAN] = mean
                values[state, SQUARE] = reward * (reward + 2 * expected[place, MEAN]) + expected[place, SQUARE]
            values[state, RANDOM] += reward + expected[place, RANDOM]
            legal += 1
        if legal:
            values[state, RANDOM] /= legal
    return values, best


@kernel
def spread(
    afters: Codes,
    there: npt.NDArray[np.float64],
    exponent: int,
    share: float,
    states: Codes,
    images: Images,
    shares: npt.NDArray[np.float64],
) -> None:
    """Add to the probabilities of positions those of the afterstates before them, times that of the new tile."""
    found = spawns(afters, exponent, images)
    for after in range(len(afters)):
        count = 0
        for code in found[after]:
            count += code != _NOWHERE
        for code in found[after]:
            if code != _NOWHERE:
                shares[np.searchsorted(states, code)] += share / count * there[after]
