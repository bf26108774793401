"""Boards with which a training begins games of its later stages, from games that somebody else has played."""

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.packed import U15, Board, Rows, pack, slide
from ai.twenty48.ntuple.downgrade import in_later_stage
from ai.twenty48.ntuple.network import Stages, make_rules, tile_sum
from game.rules import replay, twenty48

_PACKED = 15
"""Exponent of the largest tile of a packed board."""
Steps = npt.NDArray[np.int64]


@kernel
def collect(
    board: Board,
    steps: Steps,
    stages: Stages,
    rows: Rows,
    boards: npt.NDArray[np.uint64],
    totals: npt.NDArray[np.int64],
) -> int:
    """Write down the afterstates of a game until it leaves the later stages, and their sums.

    Returns how many there are, -1 when a move is against the rules.

    Args:
        board: The first one.
        steps: int64 (n, 3): action, cell and exponent of each move.
        stages: Sums of all tiles at which the later stages begin.
        rows: Row tables.
        boards: uint64 (n,), filled.
        totals: int64 (n,), filled.
    """
    found = 0
    for move in range(len(steps)):
        action, cell, exponent = steps[move]
        if not (0 <= action < 4 and 0 <= cell < 16 and 1 <= exponent <= 2):
            return -1
        place = np.uint64(4 * cell)
        after = slide(board, action, rows)
        if after == board or (after >> place) & U15:
            return -1
        if in_later_stage(after, stages):
            boards[found] = after
            totals[found] = tile_sum(after)
            found += 1
        elif found:
            break
        board = after | (np.uint64(exponent) << place)
    return found


def boards_of(source: str, stages: Stages) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """(afterstates, sums) in later stages, from a replay or a folder of replays of 4×4 games.

    Raises:
        ValueError: there is no such file or folder, or no such board in it.
    """
    path = Path(source)
    if not os.path.exists(path):
        raise ValueError(f"{source}: there is no such replay or folder of replays")
    files = sorted(path.glob("*.json")) if os.path.isdir(path) else [path]
    rows = make_rules().rows
    parts, problems = [], []
    for file in files:
        try:
            game = replay.read(file)
            first = replay.initial(game)
        except (OSError, replay.ReplayError) as error:
            problems.append(str(error))
            continue
        if not isinstance(first, twenty48.State) or first.size != 4 or max(first.cells) > _PACKED:
            continue
        moves = [(step.action, *(step.chance or (-1, 0))) for step in game.steps]
        steps = np.array(moves, np.int64).reshape(-1, 3)
        boards, totals = np.zeros(len(steps), np.uint64), np.zeros(len(steps), np.int64)
        count = collect(np.uint64(pack(np.array(first.cells, np.uint8))), steps, stages, rows, boards, totals)
        if count < 0:
            problems.append(f"{file.name}: a move of this game is against the rules")
        else:
            parts.append((boards[:count], totals[:count]))
    if not any(len(totals) for _, totals in parts):
        reason = problems[0] if len(files) == 1 and problems else "no 4x4 game there comes to the later stages"
        raise ValueError(f"{source}: {reason}")
    return np.concatenate([boards for boards, _ in parts]), np.concatenate([totals for _, totals in parts])
