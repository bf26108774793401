"""Sokoban as Gymnasium environments: generated rooms and the rules of gym-sokoban. Many at once: `sokoban_vector`."""

from collections.abc import Mapping
from typing import Any, SupportsInt, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from typing_extensions import override

from ai.sokoban.batch.cells import CHANGED, CLOCK, META, action_count, paint_all, step_one
from ai.sokoban.batch.games import MAX_STEPS, Boards, boards_of, boards_of_states
from ai.sokoban.rooms.kinds import MODES, check_size
from ai.sokoban.rooms.maker import RoomMaker
from game.envs.picture import check_mode, nothing_to_draw
from game.envs.sokoban_tiles import SIDE, Painter, tiny_tiles
from game.rules import levels, sokoban
from game.rules.levels import LevelError

Observation = npt.NDArray[np.uint8]
"""uint8 (height, width, 3): a picture."""
OBSERVATION_MODES = ("rgb_array", "tiny_rgb_array")
METADATA: dict[str, Any] = {"render_modes": ["rgb_array", "human", "tiny_rgb_array", "tiny_human"], "render_fps": 8}
_WINDOW = 480
"""Pixels that a window's board has at least, one way or the other, where whole steps come that close."""
_MASK = 2**64 - 1


def action_names(pulls: bool, players: int) -> tuple[str, ...]:
    """What each action is called."""
    each = [
        f"{kind} {way}" for kind in ("push", "move", "pull")[: 2 + pulls] for way in ("up", "down", "left", "right")
    ]
    if players == 1:
        return ("no operation", *each)
    return ("no operation", *(f"P{player + 1}: {name}" for player in range(players) for name in each))


def check_kind(dim_room: tuple[int, int], num_boxes: int, max_steps: int, players: int, rooms: str) -> None:
    """Raise ValueError where there are no such rooms."""
    check_size(*dim_room, num_boxes)
    if rooms not in MODES:
        raise ValueError(f"There is no way {rooms!r} to make rooms (there are: {', '.join(MODES)}).")
    if players not in (1, 2):
        raise ValueError(f"A room has 1 or 2 players, not {players}.")
    if max_steps < 1:
        raise ValueError(f"An episode has at least one step, not {max_steps}.")


def observation_mode_of(mode: str | None, render_mode: str | None) -> str:
    """How observations look: as asked, else like what is rendered; raises ValueError."""
    if mode is None:
        mode = "tiny_rgb_array" if (render_mode or "").startswith("tiny") else "rgb_array"
    if mode not in OBSERVATION_MODES:
        raise ValueError(f"There is no observation mode {mode!r} here (there are: {', '.join(OBSERVATION_MODES)}).")
    return mode


def picture_space(dim_room: tuple[int, int], side: int) -> "spaces.Space[Observation]":
    """Pictures with squares of `side` pixels."""
    rows, cols = dim_room
    return cast("spaces.Space[Observation]", spaces.Box(0, 255, (rows * side, cols * side, 3), np.uint8))


class SokobanEnv(gymnasium.Env[Observation, np.int64]):
    """One room after the other.

    | | |
    |---|---|
    | action | `Discrete(9)`: 0 nothing; 1 to 4 push, 5 to 8 move up, down, left, right (13 and 17, see below) |
    | observation | `Box(0, 255, (16 * rows, 16 * cols, 3), uint8)`, or one square `scale` pixels wide as `tiny_rgb_array` |
    | reward | −0.1 for every step, +1 for a box that comes onto a target, −1 for one that leaves it, +10 for all on targets |
    | terminated | when all boxes are on targets (with fixed targets: each on its own) |
    | truncated | after `max_steps` steps |
    | info | `action.name`, `action.moved_player`, `action.moved_box`; at the end `maxsteps_used`, `all_boxes_on_target` |

    With pulls 9 to 12 pull up, down, left, right. A second player's actions follow the first's (9 to 16); either may act
    at every step. A push without a box in the way is a move; a move never pushes; a pull without a box behind the player
    is a move; nobody pushes two boxes. What is not possible changes nothing and costs its step.

    Every reset makes a new room. `reset(seed=s)` decides it and all that follow. `reset(options={"level": …})` begins
    from a level instead: a `State` of the plain rules or XSB text, of the environment's size.
    """

    metadata = METADATA

    def __init__(
        self,
        dim_room: tuple[int, int] = (10, 10),
        num_boxes: int = 4,
        max_steps: int = MAX_STEPS,
        *,
        fixed: bool = False,
        pulls: bool = False,
        players: int = 1,
        rooms: str = "established",
        observation_mode: str | None = None,
        render_mode: str | None = None,
        scale: int = 1,
    ) -> None:
        """Rooms of one kind.

        Args:
            dim_room: rows and columns, 5 to 20 each.
            num_boxes: 1 to 10.
            max_steps: steps after which an episode is truncated.
            fixed: every box has a colour and a target of its own.
            pulls: boxes may be pulled, too.
            players: 1 or 2.
            rooms: how they are made: 'established', 'gym' or 'fast' (docs/sokoban-rooms.md).
            observation_mode: 'rgb_array' or 'tiny_rgb_array'; as the render mode where it is not said.
            render_mode: 'rgb_array', 'human', 'tiny_rgb_array', 'tiny_human' or None.
            scale: pixels of a square in tiny pictures, 1 to 64; it changes nothing in the others.

        Raises:
            ValueError: there is no such room, mode or scale.
        """
        check_mode(render_mode, METADATA["render_modes"])
        check_kind(dim_room, num_boxes, max_steps, players, rooms)
        self.dim_room, self.num_boxes, self.max_steps, self.scale = (*dim_room,), num_boxes, max_steps, scale
        self.fixed, self.pulls, self.players, self.rooms = fixed, pulls, players, rooms
        self.render_mode = render_mode
        self.observation_mode = observation_mode_of(observation_mode, render_mode)
        self._tiny = self.observation_mode == "tiny_rgb_array"
        self.observation_space = picture_space(dim_room, scale if self._tiny else SIDE)
        self.action_space = spaces.Discrete(action_count(pulls, players))
        self._tiles = tiny_tiles(scale, fixed)
        self._names = action_names(pulls, players)
        self._cols, self._count = dim_room[1], len(self._names)
        self._maker: RoomMaker | None = None
        self._over = False
        self._cells: Observation | None = None
        self._meta: npt.NDArray[np.int32] = np.zeros((1, META), np.int32)
        self._action, self._reward, self._ended = np.zeros(1, np.int64), np.zeros(1), np.zeros(1, np.uint8)
        size = self.observation_space.shape or () if self._tiny else (0,)
        self._pixels: Observation = np.zeros(int(np.prod(size)), np.uint8)
        self._image = self._pixels.reshape(size)
        self._painters: dict[int, Painter] = {}
        self._window: Any = None

    @override
    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new room, or the level that `options` names; see the class.

        Raises:
            ValueError: the level cannot be read, or does not fit.
        """
        super().reset(seed=seed)
        level = (options or {}).get("level")
        boards = self._room(seed) if level is None else self._level(level)
        self._cells, self._meta[:], self._over = boards.cells[0], boards.meta[0], False
        if self._tiny:
            paint_all(self._cells, self._cols, self._pixels, self._tiles)
        else:
            self._painter(SIDE).begin(self._cells)
        self._show()
        return self._observe(), {}

    @override
    def step(self, action: SupportsInt) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One action.

        Raises:
            ValueError: when there is no such action.
            ResetNeeded: when there is no room yet, or its episode is over.
        """
        number = int(action)
        if not 0 <= number < self._count:
            raise ValueError(f"There is no action {number} here (there are 0 to {self._count - 1}).")
        if self._cells is None or self._over:
            raise gymnasium.error.ResetNeeded("call reset before step")
        self._action[0] = number
        reward, moved, ended = step_one(
            self._cells, self._meta, self._action, self._reward, self._ended, self._cols, self.pulls, self.max_steps,
            self._pixels, self._tiles,
        )  # fmt: skip
        info = {"action.name": self._names[number], "action.moved_player": moved > 0, "action.moved_box": moved > 1}
        if ended:
            self._over = True
            info["maxsteps_used"], info["all_boxes_on_target"] = ended == 2, ended == 1
        if self.render_mode is not None or not self._tiny:
            self._redraw()
        return self._observe(), reward, ended == 1, ended == 2, info

    @override
    def render(self) -> Observation | None:
        """The picture of the render mode, uint8 (height, width, 3); None where a window shows it.

        Raises:
            ResetNeeded: when there is no room yet.
        """
        if self._cells is None:
            raise gymnasium.error.ResetNeeded("call reset before render")
        if nothing_to_draw(self.render_mode):
            return None
        if self.render_mode == "tiny_rgb_array":
            return self._tiny_picture()
        if self.render_mode == "rgb_array":
            painter = self._painter(SIDE)
            if self._tiny:
                painter.begin(self._cells)
            return painter.pixels.copy()
        self._show()
        return None

    @override
    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def get_action_meanings(self) -> dict[int, str]:
        """The name of every action."""
        return dict(enumerate(self._names))

    def set_maxsteps(self, num_steps: int) -> None:
        """Another length of episodes, from the next step on."""
        self.max_steps = num_steps

    # Rooms

    def _room(self, seed: int | None) -> Boards:
        """The next room; a seed begins another row of rooms."""
        if seed is None and self._maker is None:
            seed = int(self.np_random.integers(2**63))
        if seed is not None:
            rows, cols = self.dim_room
            self._maker = RoomMaker(
                seed & _MASK, rows, cols, self.num_boxes, self.rooms, self.players, record=False, distinct=False
            )
        assert self._maker is not None
        return boards_of(self._maker.make(1), self.fixed)

    def _level(self, level: object) -> Boards:
        """A level that the user names."""
        rules = sokoban.Rules(pull=self.pulls, fixed=self.fixed, players=self.players)
        if isinstance(level, str):
            try:
                found = levels.parse(level, "level").levels[0].state
                level = sokoban.from_array(sokoban.to_array(found), rules)
            except LevelError as error:
                raise ValueError(str(error)) from None
        if not isinstance(level, sokoban.State):
            raise ValueError("A level is a State of game.rules.sokoban, or XSB text.")
        size, boxes = (level.warehouse.rows, level.warehouse.cols), len(level.boxes)
        played = level.warehouse.rules
        if (size, played.fixed, played.players) != (tuple(self.dim_room), self.fixed, self.players):
            wanted = f"{self.dim_room[0]}x{self.dim_room[1]} squares and {rules.name}"
            raise ValueError(f"This environment plays {wanted}, not {size[0]}x{size[1]} and {played.name}.")
        levels.check(level)
        if boxes > 10 and self.fixed:
            raise ValueError(f"There are at most 10 boxes with targets of their own, not {boxes}.")
        return boards_of_states([level])

    # Pictures

    def _painter(self, side: int) -> Painter:
        if side not in self._painters:
            self._painters[side] = Painter(*self.dim_room, self.fixed, side)
        return self._painters[side]

    def _redraw(self) -> None:
        """After a step: what changed in the large picture, and the window."""
        assert self._cells is not None
        if not self._tiny:
            self._painter(SIDE).change(self._cells, self._meta[0, CHANGED : CHANGED + 3])
        self._show()

    def _observe(self) -> Observation:
        return self._image.copy() if self._tiny else self._painter(SIDE).pixels.copy()

    def _tiny_picture(self) -> Observation:
        assert self._cells is not None
        rows, cols = self.dim_room
        picture: Observation = np.zeros((rows * self.scale, cols * self.scale, 3), np.uint8)
        paint_all(self._cells, cols, picture.reshape(-1), self._tiles)
        return picture

    def _show(self) -> None:
        """The room in a window, where a person watches: tiny pictures enlarged by whole steps."""
        if self.render_mode not in ("human", "tiny_human") or self._cells is None:
            return
        import pygame

        from game.envs.window import Window

        side = max(1, _WINDOW // max(self.dim_room))
        if self.render_mode == "human":
            painter = self._painter(side)
            painter.begin(self._cells)
            picture = painter.pixels
        else:
            times = max(1, side // self.scale)
            picture = self._tiny_picture().repeat(times, axis=0).repeat(times, axis=1)
        if self._window is None:
            self._window = Window()
        height, width, _ = picture.shape
        surface = pygame.image.frombuffer(picture.tobytes(), (width, height), "RGB")
        self._window.show(surface, f"Sokoban: {int(self._meta[0, CLOCK])} steps", METADATA["render_fps"])
