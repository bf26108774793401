"""Many rooms of Sokoban at once as a Gymnasium vector environment: every step is one call of a kernel.

Made by `gymnasium.make_vec("Sokoban-v0", num_envs=…)`. The rules are those of `game.envs.sokoban`; rooms come from a pool.
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

from ai.sokoban.batch.cells import action_count
from ai.sokoban.batch.games import MAX_STEPS, NEVER, NEXT_STEP, NO_TILES, Batch, Boards
from game.envs.picture import check_mode, nothing_to_draw
from game.envs.sokoban import METADATA, Observation, check_kind, picture_space
from game.envs.sokoban_tiles import SIDE, Painter, tiny_tiles
from game.envs.vectors import reset_mask

Flags = npt.NDArray[np.bool_]
Answer = tuple[Observation, npt.NDArray[np.float64], Flags, Flags, dict[str, Any]]
Seeds = int | Sequence[int | None] | None
_MASK = 2**64 - 1


class SokobanVectorEnv(VectorEnv[Observation, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """`num_envs` rooms; actions and rewards are those of `SokobanEnv`, stacked; infos are empty until an episode ends.

    Observations are tiny pictures, uint8 (n, rows * scale, cols * scale, 3), or with `observation_mode=None` none at all:
    uint8 (n, 0), for measuring and for agents that read `batch.cells` themselves.

    A pool of `pool` rooms is made at the first reset; every episode begins with one of them by chance. After `uses` uses of
    each, rooms of the pool are replaced by new ones (0: never). `reset(seed=s)` decides the pool, and board i gets the seed
    s + i for its choices; a list gives each board its own.

    A room whose episode is over is followed by another in the step after, whose action is ignored (`NEXT_STEP`, the
    default), in the same step with its last picture in `info["final_obs"]` (`SAME_STEP`), or when
    `reset(options={"reset_mask": mask})` says so (`DISABLED`).
    """

    def __init__(
        self,
        num_envs: int = 1,
        dim_room: tuple[int, int] = (10, 10),
        num_boxes: int = 4,
        max_steps: int = MAX_STEPS,
        *,
        fixed: bool = False,
        pulls: bool = False,
        players: int = 1,
        rooms: str = "fast",
        pool: int = 1024,
        uses: int = 100,
        observation_mode: str | None = "tiny_rgb_array",
        render_mode: str | None = None,
        scale: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        """The very first batch on a machine compiles its kernels, for a minute or two.

        Raises:
            ValueError: there is no such room, mode or scale, or less than one board or room in the pool.
        """
        check_mode(render_mode, ["rgb_array", "tiny_rgb_array"])
        check_kind(dim_room, num_boxes, max_steps, players, rooms)
        if observation_mode not in (None, "tiny_rgb_array"):
            raise ValueError(
                f"There is no observation mode {observation_mode!r} here (there are: tiny_rgb_array, None)."
            )
        if min(num_envs, pool) < 1 or uses < 0:
            raise ValueError(
                f"There is at least one board and one room, not {num_envs} and {pool}; uses are not negative."
            )
        self.num_envs, self.dim_room, self.num_boxes, self.max_steps = num_envs, (*dim_room,), num_boxes, max_steps
        self.fixed, self.pulls, self.players, self.rooms, self.scale = fixed, pulls, players, rooms, scale
        self._pool, self._uses = pool, uses
        self.mode = AutoresetMode(autoreset_mode)
        self.render_mode = render_mode
        self.metadata = {**METADATA, "render_modes": ["rgb_array", "tiny_rgb_array"], "autoreset_mode": self.mode}
        self._pictures = observation_mode is not None
        self.single_observation_space = (
            picture_space(dim_room, scale) if self._pictures else spaces.Box(0, 0, (0,), np.uint8)
        )
        self.single_action_space = spaces.Discrete(action_count(pulls, players))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._shape = self.observation_space.shape
        self.batch: Batch | None = None
        """The games behind it, from the first reset on."""
        self._painter: Painter | None = None

    @override
    def reset(
        self, *, seed: Seeds = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """New rooms; `options["reset_mask"]`, bool (n,), says on which boards.

        Raises:
            ValueError: when there are not n seeds, or the mask is not bool (n,) or names no board.
        """
        which = reset_mask((options or {}).get("reset_mask"), self.num_envs)
        seeds = seed if isinstance(seed, Sequence) else None
        if seeds is not None and len(seeds) != self.num_envs:
            raise ValueError(f"A list of seeds has one for each of the {self.num_envs} boards, not {len(seeds)}.")
        only = None if isinstance(seed, Sequence) else seed
        first = only if seeds is None else next((each for each in seeds if each is not None), None)
        super().reset(seed=first)
        if self.batch is None or isinstance(first, int):
            begun = int(self.np_random.integers(2**63)) if first is None else first & _MASK
            self.batch = self._make(begun)
            numbers = [begun + i for i in range(self.num_envs)]
            for i, each in enumerate(seeds or ()):
                numbers[i] = numbers[i] if each is None else each
            self.batch.seed(np.array([each & _MASK for each in numbers], np.uint64))
            which = np.ones(self.num_envs, np.bool_)
        self.batch.start(which=which)
        return self._observe(), {}

    @override
    def step(self, actions: npt.NDArray[np.int64]) -> Answer:
        """One action on every board.

        Raises:
            ValueError: when there are not n actions that exist.
            ResetNeeded: when no rooms were made, or an episode is over and autoreset is disabled.
        """
        batch = self.batch
        if batch is None:
            raise gymnasium.error.ResetNeeded("call reset before step")
        if self.mode is AutoresetMode.DISABLED and batch.ended.any():
            raise gymnasium.error.ResetNeeded("an episode is over: reset its board with options={'reset_mask': …}")
        if self.mode is AutoresetMode.SAME_STEP:
            batch.ended[:] = 0
        chosen = np.asarray(actions)
        if chosen.dtype.kind not in "iu":
            raise ValueError(f"Actions are whole numbers, not {chosen.dtype}.")
        rewards = batch.step(chosen.astype(np.int64, copy=False)).copy()
        infos: dict[str, Any] = {}
        solved, cut = batch.ended == 1, batch.ended == 2
        if self.mode is AutoresetMode.SAME_STEP and batch.ended.any():
            infos = self._finals(solved | cut)
            batch.start(which=solved | cut)
        return self._observe(), rewards, solved, cut, infos

    @override
    def render(self) -> tuple[Observation, ...] | None:
        """A picture of each room.

        Raises:
            ResetNeeded: when there are no rooms yet.
        """
        if self.batch is None:
            raise gymnasium.error.ResetNeeded("call reset before render")
        if nothing_to_draw(self.render_mode):
            return None
        rows, cols = self.dim_room
        if self.render_mode == "tiny_rgb_array":
            tiles = tiny_tiles(self.scale, self.fixed)
            looks = self.batch.cells.reshape(-1, rows, cols)
            painted = tiles[looks].reshape(-1, rows, cols, self.scale, self.scale, 3).swapaxes(2, 3)
            return tuple(painted.reshape(-1, rows * self.scale, cols * self.scale, 3))
        self._painter = self._painter or Painter(rows, cols, self.fixed, SIDE)
        pictures = []
        for cells in self.batch.cells:
            self._painter.begin(cells)
            pictures.append(self._painter.pixels.copy())
        return tuple(pictures)

    def _make(self, seed: int) -> Batch:
        rows, cols = self.dim_room
        autoreset = NEXT_STEP if self.mode is AutoresetMode.NEXT_STEP else NEVER
        return Batch(
            self.num_envs, rows, cols, self.num_boxes, seed=seed, mode=self.rooms, pulls=self.pulls, fixed=self.fixed,
            players=self.players, max_steps=self.max_steps, autoreset=autoreset, pool=self._pool, uses=self._uses,
            tiles=tiny_tiles(self.scale, self.fixed) if self._pictures else NO_TILES, boards=self._boards(seed),
        )  # fmt: skip

    def _boards(self, seed: int) -> Boards | None:
        """Where rooms come from instead of being made; for subclasses."""
        return None

    def _observe(self) -> Observation:
        assert self.batch is not None
        return self.batch.pixels.reshape(self._shape).copy()

    def _finals(self, over: Flags) -> dict[str, Any]:
        """The last pictures of the episodes that are over."""
        last = np.full(self.num_envs, None, object)
        seen = self._observe()
        for i in np.flatnonzero(over):
            last[i] = seen[i]
        return {"final_obs": last, "_final_obs": over.copy(), "final_info": {}, "_final_info": over.copy()}
