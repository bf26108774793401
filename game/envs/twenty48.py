"""2048 as a Gymnasium environment, on the plain rules. Many boards at once: `game.envs.twenty48_vector`."""

from collections.abc import Mapping
from typing import Any, SupportsInt, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from typing_extensions import override

from game.envs.picture import Picture
from game.rules import twenty48
from game.rules.twenty48 import State

Observation = npt.NDArray[np.uint8]
"""uint8 (size, size): the base-2 logarithm of each tile, 0 for an empty cell."""
METADATA: dict[str, Any] = {"render_modes": ["rgb_array", "human", "ansi"], "render_fps": 8}


def observation_space(size: int) -> "spaces.Space[Observation]":
    """Boards of one size. A tile comes from a 4 and doubles at most once for every other cell: size² + 1 at most.

    Raises:
        ValueError: when the size is not 3 to 8.
    """
    seen = twenty48.GAME.space(twenty48.start(size))
    return cast("spaces.Space[Observation]", spaces.Box(0, seen.high, seen.shape, np.uint8))


class Twenty48Env(gymnasium.Env[Observation, np.int64]):
    """One game of 2048.

    | | |
    |---|---|
    | action | `Discrete(4)`: 0 up, 1 right, 2 down, 3 left |
    | observation | `Box(0, size² + 1, (size, size), uint8)`: log2 of each tile, 0 for an empty cell |
    | reward | float: the sum of the tiles made by merging; their sum over an episode is the game's score |
    | terminated | when no action moves anything; reaching 2048 ends nothing |
    | truncated | never |
    | info | `action_mask`: int8 (4,), 1 for each action that moves something; `score`: int |

    An action that moves nothing is allowed and does nothing: the same board, no new tile, reward 0.

    `reset(seed=s)` starts the game that the app, the agents and the command line play with the seed s. Every `reset()`
    without a seed starts the one that follows, so that the first seed decides all of them.
    """

    metadata = METADATA

    def __init__(self, size: int = 4, render_mode: str | None = None) -> None:
        """A board of `size` rows, drawn as `render_mode` says: 'rgb_array', 'human', 'ansi' or not at all.

        Raises:
            ValueError: when the size is not 3 to 8, or there is no such mode.
        """
        self._picture = Picture(twenty48.GAME.id, render_mode, METADATA["render_modes"], METADATA["render_fps"])
        self.observation_space = observation_space(size)
        self.action_space = spaces.Discrete(4)
        self.render_mode = render_mode
        self.size = size
        self.state: State | None = None

    @override
    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new game with two tiles; no options are known. See the class for `seed`."""
        super().reset(seed=seed)
        if seed is None:
            known = self.state
            seed = int(self.np_random.integers(2**63)) if known is None else twenty48.next_seed(known.seed)
        self.state = twenty48.start(self.size, seed)
        self._picture.follow(self.state, _caption(self.state))
        return self._observe(), self._info()

    @override
    def step(self, action: SupportsInt) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Slide, then a new tile where something moved.

        Raises:
            ValueError: when the action is not 0 to 3.
            ResetNeeded: when no game was started.
        """
        if self.state is None:
            raise gymnasium.error.ResetNeeded("call reset before step")
        before = self.state
        slide = twenty48.slide(before, int(action))
        if slide is not None:
            tile = twenty48.spawn(slide.cells, before.seed, before.spawns)
            self.state = twenty48.place(before, slide, *tile)
        self._picture.follow(self.state, _caption(self.state))
        reward = float(self.state.score - before.score)
        info = self._info()
        return self._observe(), reward, not info["action_mask"].any(), False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions move something, bool (4,). Agents that can be masked look for it under this name."""
        mask = np.zeros(4, np.bool_)
        if self.state is not None:
            mask[list(twenty48.legal_actions(self.state))] = True
        return mask

    @override
    def render(self) -> npt.NDArray[np.uint8] | str | None:
        """The board as uint8 (480, 480, 3), as text with the score, or None where a window shows it.

        Raises:
            ResetNeeded: when no game was started.
        """
        if self.state is None:
            raise gymnasium.error.ResetNeeded("call reset before render")
        state = self.state
        return self._picture.render(state, lambda: f"Score {state.score:,}\n{twenty48.draw(state)}", _caption(state))

    @override
    def close(self) -> None:
        """Close the window, if there is one."""
        self._picture.close()

    def _observe(self) -> Observation:
        assert self.state is not None
        return cast(Observation, twenty48.GAME.observe(self.state, 0))

    def _info(self) -> dict[str, Any]:
        assert self.state is not None
        return {"action_mask": self.action_masks().astype(np.int8), "score": self.state.score}


def _caption(state: State) -> str:
    return f"2048: {state.score:,} points"
