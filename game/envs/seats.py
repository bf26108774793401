"""Games for several as PettingZoo environments (AEC: the seats move in turn), on the plain rules."""

from collections.abc import Mapping
from typing import Any, ClassVar, SupportsInt, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import EzPickle

from game.envs.picture import Picture
from game.envs.zoo import AECEnv, OrderEnforcingWrapper
from game.rules.game import State
from game.rules.games import GAMES

Observation = dict[str, npt.NDArray[np.integer[Any]]]


def env(
    game: str, setup: Mapping[str, int] | None = None, render_mode: str | None = None
) -> "OrderEnforcingWrapper[str, Observation, int]":
    """A `SeatsEnv` that says clearly what is called too early.

    Raises:
        KeyError: when there is no game of that id.
        ValueError: when there is no such board, or no such mode.
    """
    return OrderEnforcingWrapper(SeatsEnv(game, setup, render_mode))


class SeatsEnv(AECEnv[str, Observation, int], EzPickle):  # type: ignore[misc]  # PettingZoo tells no types
    """One game of several seats that moves in turn and in which nothing is left to chance.

    | | |
    |---|---|
    | agents | `player_0`, `player_1` and so on, in the order of their turns |
    | action | `Discrete(n)`: the actions of the rules |
    | observation | `Dict`: `observation`, the array of the rules in the eyes of the observing seat; `action_mask`, int8 (n,) |
    | reward | when the game ends: 1 for the winner and -1 for every other seat, 0 for all of a draw; else 0 |
    | terminated | all seats at once, when the game is over |
    | truncated | never |
    | info | empty |

    The mask of a seat that is not to move, and every mask of a finished game, is all 0. With more than two players a
    win is -1 for each loser, so that rewards do not add up to 0.

    The seed of `reset` changes nothing. An illegal action is a ValueError and leaves the game as it was.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["rgb_array", "human", "ansi"],
        "name": "seats_v0",
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(self, game: str, setup: Mapping[str, int] | None = None, render_mode: str | None = None) -> None:
        """The game of an id on the board of a set-up.

        Raises:
            KeyError: when there is no such game.
            ValueError: when there is no such board, or no such mode.
        """
        EzPickle.__init__(self, game, setup, render_mode)
        super().__init__()
        self._picture = Picture(game, render_mode, self.metadata["render_modes"], self.metadata["render_fps"])
        self.game = GAMES[game]
        self.start: State = self.game.start(setup or {})
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players(self.start))]
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(self.game.action_count(self.start)) for agent in self.possible_agents
        }
        self.position: State = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for all seats."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Every action of the board, also those that are not legal now."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. `options["moves"]`: the actions played before the first turn; see the class for `seed`.

        Raises:
            ValueError: when those moves cannot be played or end the game.
        """
        position = self.start
        for action in (options or {}).get("moves", ()):
            position = self.game.play(position, int(action))
        if self.game.outcome(position) is not None:
            raise ValueError("the game is over after these moves")
        self.position = position
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.game.to_move(position)]
        self._picture.follow(position, self.caption(position))

    def observe(self, agent: str) -> Observation:
        """The board in the eyes of one seat."""
        position, seat = self._reached(), self.possible_agents.index(agent)
        mask = np.zeros(self.game.action_count(position), np.int8)
        if self.game.to_move(position) == seat and self.game.outcome(position) is None:
            mask[list(self.game.actions(position))] = 1
        return {"observation": self.game.observe(position, seat), "action_mask": mask}

    def step(self, action: SupportsInt | None) -> None:
        """Play for the seat to move; None once the game is over, to take the seat off the list.

        Raises:
            ValueError: when the action is not legal, or the game is over.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(cast(int, action))
            return
        if action is None:
            raise ValueError("there is no passing: give an action")
        self.position = position = self.game.play(self._reached(), int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        outcome = self.game.outcome(position)
        if outcome is not None:
            if outcome.winner is not None:
                self.rewards = dict.fromkeys(self.agents, -1.0)
                self.rewards[self.possible_agents[outcome.winner]] = 1.0
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[self.game.to_move(position)]
        self._accumulate_rewards()
        self._picture.follow(position, self.caption(position))

    def render(self) -> npt.NDArray[np.uint8] | str | None:
        """The board as uint8 (480, 480, 3), as text, or None where a window shows it."""
        position = self._reached()
        return self._picture.render(position, lambda: self.text(position), self.caption(position))

    def close(self) -> None:
        """Close the window, if there is one."""
        self._picture.close()

    def text(self, position: State) -> str:
        """A position as text."""
        return self.game.draw(position)

    def caption(self, position: State) -> str:
        """What the window says above a position."""
        return self.game.title

    def _observation_space(self) -> spaces.Space[Any]:
        seen, count = self.game.space(self.start), self.game.action_count(self.start)
        return spaces.Dict(
            {
                "observation": spaces.Box(0, seen.high, seen.shape, np.dtype(seen.dtype).type),
                "action_mask": spaces.Box(0, 1, (count,), np.int8),
            }
        )

    def _reached(self) -> State:
        if self.position is None:
            raise gymnasium.error.ResetNeeded("call reset first")
        return self.position
