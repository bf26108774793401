"""Many boards of 2048 at once as a Gymnasium vector environment: every step is one call of a kernel.

Made by `gymnasium.make_vec("2048-v0", num_envs=…)`. Board i answers what `game.envs.twenty48` would answer alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from typing_extensions import override

from ai.twenty48.board.batch import Batch
from game.envs.picture import Picture, nothing_to_draw
from game.envs.twenty48 import observation_space
from game.envs.vectors import reset_mask
from game.rules.twenty48 import GAME, State

Observations = npt.NDArray[np.uint8]
"""uint8 (n, size, size): the base-2 logarithm of each tile, 0 for an empty cell."""
Flags = npt.NDArray[np.bool_]
Answer = tuple[Observations, npt.NDArray[np.float64], Flags, Flags, dict[str, Any]]
Seeds = int | Sequence[int | None] | None
_MASK = 2**64 - 1


class Twenty48VectorEnv(VectorEnv[Observations, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """`num_envs` games; spaces, rewards and infos are those of `Twenty48Env`, stacked.

    What has to be known beyond that: `reset(seed=s)` with a whole number gives board i the seed s + i, a list gives
    each its own. A board whose game is over starts the game that follows

    - in the step after, whose action it ignores and for which it gets reward 0 (`AutoresetMode.NEXT_STEP`, the default);
    - in the same step (`SAME_STEP`): the last board is in `info["final_obs"]` and its info in `info["final_info"]`;
    - when `reset(options={"reset_mask": mask})` says so (`DISABLED`).
    """

    def __init__(
        self,
        num_envs: int = 1,
        size: int = 4,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        """The very first batch on a machine compiles its kernels, for some seconds.

        Raises:
            ValueError: when the size is not 3 to 8, or there is no such mode.
        """
        self._picture = Picture(GAME.id, render_mode, ["rgb_array"], 8)
        mode = AutoresetMode(autoreset_mode)
        self.single_observation_space = observation_space(size)
        self._batch = Batch(num_envs, size)
        self._waiting = np.zeros(num_envs, np.bool_)
        """Boards whose game is over and that were not started anew yet."""
        self._started = False
        self.num_envs, self.size, self.render_mode, self.mode = num_envs, size, render_mode, mode
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": 8, "autoreset_mode": mode}
        self.single_action_space = spaces.Discrete(4)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    @override
    def reset(
        self, *, seed: Seeds = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """New games; `options["reset_mask"]`, bool (n,), says on which boards.

        Raises:
            ValueError: when there are not n seeds, or the mask is not bool (n,) or names no board.
        """
        which = reset_mask((options or {}).get("reset_mask"), self.num_envs)
        seeds = (
            [seed + i for i in range(self.num_envs)]
            if isinstance(seed, int)
            else list(seed or [None] * self.num_envs)
        )
        if len(seeds) != self.num_envs:
            raise ValueError(f"A list of seeds has one for each of the {self.num_envs} boards, not {len(seeds)}.")
        super().reset(seed=seed if isinstance(seed, int) else None)
        named = np.array([each is not None for each in seeds])
        numbers = np.array([0 if each is None else each & _MASK for each in seeds], np.uint64)
        if not self._started:
            numbers[~named] = self.np_random.integers(2**63, size=int((~named).sum()), dtype=np.uint64)
            named[:] = True
        self._batch.start(numbers, which & named)
        self._batch.follow(which & ~named)
        self._started = True
        self._waiting[which] = False
        return self._observe(), self._infos(which)

    @override
    def step(self, actions: npt.NDArray[np.int64]) -> Answer:
        """One action on every board.

        Args:
            actions: whole numbers (n,), 0 up, 1 right, 2 down, 3 left.

        Raises:
            ValueError: when there are not n actions from 0 to 3.
            ResetNeeded: when no games were started, or one is over and autoreset is disabled.
        """
        if not self._started:
            raise gymnasium.error.ResetNeeded("call reset before step")
        disabled = self.mode is AutoresetMode.DISABLED
        if disabled and self._waiting.any():
            raise gymnasium.error.ResetNeeded("a game is over: reset its board with options={'reset_mask': …}")
        chosen = np.asarray(actions)
        if not np.issubdtype(chosen.dtype, np.integer):
            raise ValueError(f"Actions are whole numbers, not {chosen.dtype}.")
        rewards = self._batch.step(chosen.astype(np.int64, copy=False))
        last: dict[str, Any] = {}
        if self.mode is AutoresetMode.NEXT_STEP:
            self._batch.follow(self._waiting)
            over = self._batch.games.over.copy()
        else:
            over = self._batch.games.over.copy()
            if not disabled and over.any():
                last = self._finals(over)
                self._batch.follow(over)
        self._waiting = over
        return self._observe(), rewards, over.copy(), np.zeros(self.num_envs, np.bool_), {**last, **self._infos()}

    def action_masks(self) -> Flags:
        """Which actions move something, bool (n, 4)."""
        return self._batch.games.legal.copy()

    @override
    def render(self) -> tuple[npt.NDArray[np.uint8], ...] | None:
        """A picture of each board, uint8 (480, 480, 3)."""
        if nothing_to_draw(self.render_mode):
            return None
        return tuple(
            self._picture.pixels(State(self.size, tuple(cells.tolist()), 0, 0, 0))
            for cells in self._batch.games.cells
        )

    def _observe(self) -> Observations:
        return self._batch.games.cells.reshape(self.num_envs, self.size, self.size).copy()

    def _infos(self, which: Flags | None = None) -> dict[str, Any]:
        """`action_mask` and `score` as Gymnasium stacks them, each with the boards it holds for."""
        games = self._batch.games
        known = np.ones(self.num_envs, np.bool_) if which is None else which
        legal = np.where(known[:, np.newaxis], games.legal, False).astype(np.int8)
        scores = np.where(known, games.scores, 0)
        return {"action_mask": legal, "_action_mask": known.copy(), "score": scores, "_score": known.copy()}

    def _finals(self, over: Flags) -> dict[str, Any]:
        """The last boards of the games that are over, and what was known of them."""
        boards = np.full(self.num_envs, None, object)
        seen = self._observe()
        for i in np.flatnonzero(over):
            boards[i] = seen[i]
        known = {"final_info": self._infos(over), "_final_info": over.copy()}
        return {"final_obs": boards, "_final_obs": over.copy(), **known}
