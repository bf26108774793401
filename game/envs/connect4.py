"""Connect-4 as a PettingZoo environment (AEC: the seats move in turn), on the plain rules, for any board."""

from typing import Any, ClassVar, SupportsInt, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import EzPickle

from game.envs.picture import Picture, check_mode, nothing_to_draw
from game.envs.zoo import AECEnv, OrderEnforcingWrapper
from game.rules import connect4
from game.rules.connect4 import Shape, State

Observation = dict[str, npt.NDArray[np.int8]]


def env(
    rows: int = 6, cols: int = 7, depth: int = 1, win: int = 4, players: int = 2, render_mode: str | None = None
) -> "OrderEnforcingWrapper[str, Observation, int]":
    """A `Connect4Env` that says clearly what is called too early.

    Raises:
        ValueError: when there is no such board, or no such mode.
    """
    return OrderEnforcingWrapper(Connect4Env(rows, cols, depth, win, players, render_mode))


class Connect4Env(AECEnv[str, Observation, int], EzPickle):
    """One game of connect-4 for 2 to 6 players.

    | | |
    |---|---|
    | agents | `player_0` to `player_5`, in the order of their turns |
    | action | `Discrete(cols * depth)`: the column, `depth * cols + col` |
    | observation | `Dict`: `observation`, `Box(0, 1, (players, rows, depth, cols), int8)`, the stones of each seat, \
the observing one first and the others in turn after it, row 0 at the bottom; `action_mask`, int8 (cols * depth,) |
    | reward | when the game ends: 1 for the winner and -1 for every other seat, 0 for all of a draw; else 0 |
    | terminated | all seats at once, when somebody has won or the board is full |
    | truncated | never |
    | info | empty |

    The mask of a seat that is not to move, and every mask of a finished game, is all 0. With more than two players a
    win is -1 for each loser, so that rewards do not add up to 0.

    Nothing is left to chance: the seed of `reset` changes nothing. An illegal action is a ValueError and leaves the
    game as it was.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["rgb_array", "human", "ansi"],
        "name": "connect4_v0",
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        rows: int = 6,
        cols: int = 7,
        depth: int = 1,
        win: int = 4,
        players: int = 2,
        render_mode: str | None = None,
    ) -> None:
        """A board of `rows` × `cols` × `depth` on which `win` in a row win.

        Raises:
            ValueError: when there is no such board, or no such mode.
        """
        EzPickle.__init__(self, rows, cols, depth, win, players, render_mode)
        super().__init__()
        check_mode(render_mode, self.metadata["render_modes"])
        self.shape = Shape(rows, cols, depth, win, players)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.shape.columns) for agent in self.possible_agents}
        self.position: State | None = None
        self._picture: Picture | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for all seats."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The columns, also those that are full."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """The empty board. `options["moves"]`: the columns played before the first turn; see the class for `seed`.

        Raises:
            ValueError: when those moves cannot be played or end the game.
        """
        position = connect4.start(self.shape)
        for action in (options or {}).get("moves", ()):
            position = connect4.apply(position, int(action))
        if connect4.outcome(position) is not None:
            raise ValueError("the game is over after these moves")
        self.position = position
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[position.to_move]
        self._show()

    def observe(self, agent: str) -> Observation:
        """The board in the eyes of one seat."""
        position = self._reached()
        shape, seat = self.shape, self.possible_agents.index(agent)
        cells = np.array(position.cells, np.int8).reshape(shape.rows, shape.depth, shape.cols)
        seats = [(seat + turn) % shape.players for turn in range(shape.players)]
        mask = np.zeros(shape.columns, np.int8)
        if position.to_move == seat and connect4.outcome(position) is None:
            mask[list(connect4.legal_actions(position))] = 1
        return {"observation": np.stack([cells == each + 1 for each in seats]).astype(np.int8), "action_mask": mask}

    def step(self, action: SupportsInt | None) -> None:
        """Drop a stone for the seat to move; None once the game is over, to take the seat off the list.

        Raises:
            ValueError: when the column is full or does not exist, or the game is over.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(cast(int, action))
            return
        if action is None:
            raise ValueError("there is no passing: give a column")
        self.position = position = connect4.apply(self._reached(), int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        outcome = connect4.outcome(position)
        if outcome is not None:
            if outcome.winner is not None:
                self.rewards = dict.fromkeys(self.agents, -1.0)
                self.rewards[self.possible_agents[outcome.winner]] = 1.0
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[position.to_move]
        self._accumulate_rewards()
        self._show()

    def render(self) -> npt.NDArray[np.uint8] | str | None:
        """The board as uint8 (480, 480, 3), as text, or None where a window shows it."""
        position = self._reached()
        if nothing_to_draw(self.render_mode):
            return None
        if self.render_mode == "ansi":
            return _draw(position)
        if self.render_mode == "rgb_array":
            return self._drawn().pixels(position)
        self._show()
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._picture is not None:
            self._picture.close()
            self._picture = None

    def _observation_space(self) -> spaces.Space[Any]:
        shape = self.shape
        planes = (shape.players, shape.rows, shape.depth, shape.cols)
        return spaces.Dict(
            {
                "observation": spaces.Box(0, 1, planes, np.int8),
                "action_mask": spaces.Box(0, 1, (shape.columns,), np.int8),
            }
        )

    def _reached(self) -> State:
        if self.position is None:
            raise gymnasium.error.ResetNeeded("call reset first")
        return self.position

    def _drawn(self) -> Picture:
        if self._picture is None:
            self._picture = Picture(connect4.GAME.id)
        return self._picture

    def _show(self) -> None:
        if self.render_mode == "human":
            position = self._reached()
            caption = f"Connect-4: {len(position.moves)} stones"
            self._drawn().show(position, caption, self.metadata["render_fps"])


def _draw(state: State) -> str:
    """The position as text: the layers of depth from the front on, the top row first, seats from 1."""
    shape = state.shape
    layers = []
    for depth in range(shape.depth):
        rows = []
        for row in reversed(range(shape.rows)):
            start = (row * shape.depth + depth) * shape.cols
            rows.append(" ".join(str(stone or ".") for stone in state.cells[start : start + shape.cols]))
        layers.append("\n".join(rows))
    return "\n\n".join(layers)
