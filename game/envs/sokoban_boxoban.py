"""Sokoban environments with Boxoban levels (https://github.com/google-deepmind/boxoban-levels) from the user's folder.

Nothing is ever downloaded. `levels` (or the environment variable BOXOBAN_LEVELS) names the folder that has `unfiltered` and
`medium` in it, or any folder deeper in that has the `.txt` files wanted.
"""

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from typing_extensions import override

from ai.sokoban.batch.games import MAX_STEPS, Boards, boards_of_states
from game.envs.sokoban import SokobanEnv
from game.envs.sokoban_vector import SokobanVectorEnv
from game.rules import levels, sokoban
from game.rules.files import read_regular
from game.rules.levels import LevelError

SIZE, BOXES = (10, 10), 4
FOLDER_VARIABLE = "BOXOBAN_LEVELS"


def level_files(folder: str | Path | None, difficulty: str, split: str) -> list[Path]:
    """The files of levels of one kind, in order; raises ValueError where there are none."""
    named = folder or os.environ.get(FOLDER_VARIABLE)
    if not named:
        raise ValueError(
            f"Name the folder of Boxoban levels: gymnasium.make(…, levels='boxoban-levels'), or set {FOLDER_VARIABLE}."
        )
    root = Path(named)
    if not root.is_dir():
        raise ValueError(f"{root}: there is no such folder of Boxoban levels.")
    for place in (root / difficulty / split, root / split, root):
        found = sorted(place.glob("*.txt"))
        if found:
            return found
    raise ValueError(f"{root}: there are no .txt files here, nor in {difficulty}/{split}.")


@lru_cache(maxsize=32)
def levels_of(path: Path) -> tuple[sokoban.State, ...]:
    """The levels of one file; raises ValueError where it has none of 10x10 squares with four boxes."""
    try:
        pack, _ = levels.parse_lenient(read_regular(path, levels.MAX_BYTES), path.name)
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror or 'it cannot be read'}.") from None
    except LevelError as error:
        raise ValueError(f"{error}.") from None
    states = tuple(level.state for level in pack.levels)
    fitting = tuple(state for state in states if _fits(state))
    if not fitting:
        raise ValueError(f"{path.name}: none of its levels has 10x10 squares and four boxes that are only pushed.")
    return fitting


def _fits(state: sokoban.State) -> bool:
    warehouse = state.warehouse
    size = (warehouse.rows, warehouse.cols)
    return size == SIZE and len(state.boxes) == BOXES and warehouse.rules == sokoban.PUSH_ONLY


class BoxobanEnv(SokobanEnv):
    """`SokobanEnv` whose every reset takes a random level of a random file."""

    def __init__(
        self,
        levels: str | Path | None = None,
        max_steps: int = MAX_STEPS,
        *,
        difficulty: str = "unfiltered",
        split: str = "train",
        observation_mode: str | None = None,
        render_mode: str | None = None,
        scale: int = 1,
    ) -> None:
        """Levels of one kind.

        Args:
            levels: the folder, see the module.
            max_steps: steps after which an episode is truncated.
            difficulty: the folder in it.
            split: the folder in that.
            observation_mode: as for `SokobanEnv`.
            render_mode: as there.
            scale: as there.

        Raises:
            ValueError: there are no such levels, or no such mode.
        """
        super().__init__(
            SIZE, BOXES, max_steps, observation_mode=observation_mode, render_mode=render_mode, scale=scale
        )  # fmt: skip
        self.files = level_files(levels, difficulty, split)

    @override
    def _room(self, seed: int | None) -> Boards:
        states = levels_of(self.files[self.np_random.integers(len(self.files))])
        return boards_of_states([states[self.np_random.integers(len(states))]])


class BoxobanVectorEnv(SokobanVectorEnv):
    """`SokobanVectorEnv` whose pool is the levels of some random files."""

    def __init__(
        self,
        num_envs: int = 1,
        levels: str | Path | None = None,
        *,
        difficulty: str = "unfiltered",
        split: str = "train",
        files: int = 4,
        **options: Any,
    ) -> None:
        """`files`: how many files the pool is made of (1,000 levels each); `options` are those of `SokobanVectorEnv`.

        Raises:
            ValueError: there are no such levels, or no such mode.
        """
        super().__init__(num_envs, SIZE, BOXES, **options)
        self.files = level_files(levels, difficulty, split)
        self._most = files

    @override
    def _boards(self, seed: int) -> Boards:
        chosen = np.random.default_rng(seed).permutation(len(self.files))[: self._most]
        states: Sequence[sokoban.State] = [
            state for index in sorted(chosen) for state in levels_of(self.files[index])
        ]
        return boards_of_states(list(states))
