"""What a person pushed, from saved games, in the form in which the policy network learns."""

import os
from pathlib import Path

import numpy as np

from ai.sokoban.policy.labels import Labelled
from game.rules import replay, sokoban

LARGEST = 64
"""Rows and columns at most."""


def examples(source: str) -> list[Labelled]:
    """Every push of the solved Sokoban games in a replay or a folder of replays, one group for each size of board.

    The person's push counts as the only good one, and as many pushes are to go as the person still made.

    Raises:
        ValueError: there is no such file or folder, or no game in it that can be learned from.
    """
    path = Path(source)
    if not os.path.exists(path):
        raise ValueError(f"{source}: there is no such replay or folder of replays")
    files = sorted(path.glob("*.json")) if os.path.isdir(path) else [path]
    groups: dict[tuple[int, int], list[tuple[np.ndarray, np.ndarray, int]]] = {}
    problems = []
    for file in files:
        try:
            found = _pushes(replay.read(file), file.name)
        except (OSError, replay.ReplayError) as error:
            problems.append(str(error))
            continue
        for board, pushes, left in found:
            groups.setdefault((board.shape[0], board.shape[1]), []).append((board, pushes, left))
    if not groups:
        reason = problems[0] if len(files) == 1 and problems else "no solved Sokoban game with pushes only is there"
        raise ValueError(f"{source}: {reason}")
    made = []
    for (rows, cols), pairs in sorted(groups.items()):
        boards = np.array([board.reshape(rows * cols) for board, _, _ in pairs], np.int8)
        pushes = np.array([each for _, each, _ in pairs], np.uint8)
        made.append(Labelled(boards, pushes, np.array([left for _, _, left in pairs], np.int16), cols))
    return made


def _pushes(game: replay.Replay, name: str) -> list[tuple[np.ndarray, np.ndarray, int]]:
    """(board, bits of directions by cell, pushes to go) before every push; nothing where the game is another or not solved."""
    if game.game != "sokoban":
        return []
    states = [state for state in replay.play(game, name) if isinstance(state, sokoban.State)]
    warehouse = states[0].warehouse
    if warehouse.rules != sokoban.PUSH_ONLY or warehouse.entry >= 0 or max(warehouse.rows, warehouse.cols) > LARGEST:
        return []
    solved = [index for index, state in enumerate(states) if sokoban.is_solved(state)]
    if not solved:
        return []
    found: list[tuple[np.ndarray, np.ndarray, int]] = []
    for index in range(solved[0] - 1, -1, -1):
        before, after = states[index], states[index + 1]
        if before.boxes == after.boxes:
            continue
        pushes = np.zeros(warehouse.rows * warehouse.cols, np.uint8)
        (box,) = before.boxes - after.boxes
        pushes[box] = 1 << game.steps[index].action
        found.append((np.asarray(sokoban.to_array(before), np.int8), pushes, len(found) + 1))
    return found
