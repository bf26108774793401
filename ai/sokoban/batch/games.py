"""Many games of Sokoban side by side, one step of all of them in one kernel call: for learning from large batches.

    batch = Batch(256, rows=10, cols=10, boxes=4, seed=1)
    rewards = batch.step(actions)        # games that ended begin anew, from a pool of rooms
    batch.ended                          # uint8 (256,): 1 all boxes at home, 2 out of steps, 0 neither

The rules are those of `ai.sokoban.batch.cells`. With `tiles` the batch keeps a picture of every game, of which a step
repaints what changed. `game.envs` gives the same to users of Gymnasium. Imports numba; needs nothing else.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.random import Stream, below, mixed
from ai.sokoban.batch import cells as code
from ai.sokoban.batch.cells import Doubles, act, action_count, paint_all, paint_changes
from ai.sokoban.board.layout import Bytes, Ints
from ai.sokoban.rooms.maker import RoomMaker, Rooms
from game.rules import sokoban

NEVER, NEXT_STEP, SAME_STEP = range(3)
"""When a game that ended begins anew: when told to, in the next step (whose action is ignored), or in the same one."""
NO_TILES: Bytes = np.zeros((0, 1, 1), np.uint8)
MAX_STEPS = 120
_RENEW_AT_ONCE = 16


class Boards(NamedTuple):
    """Games, as `cells` describes them."""

    cells: Bytes
    """(n, rows * cols)."""
    meta: Ints
    """(n, META)."""


def boards_of(rooms: Rooms, fixed: bool = False) -> Boards:
    """Rooms as games at their start, each box with a target of its own where `fixed`."""
    count, cells = len(rooms.boards), rooms.boards[0].size if len(rooms.boards) else 0
    flat = rooms.boards.reshape(count, cells)
    found: Bytes = np.where(flat == sokoban.WALL, code.WALL_GROUND << 4, 0).astype(np.uint8)
    meta: Ints = np.zeros((count, code.META), np.int32)
    each, boxes = np.arange(count)[:, np.newaxis], rooms.homes.shape[1]
    number = np.arange(boxes, dtype=np.uint8) if fixed else np.zeros(boxes, np.uint8)
    found[each, rooms.homes] = (code.TARGET_GROUND + number) << 4
    found[each, rooms.places] += code.BOX_THING + number
    _put_players(found, meta, rooms.players)
    meta[:, code.ASTRAY], meta[:, code.CHANGED :] = boxes, -1
    return Boards(found, meta)


def boards_of_states(states: list[sokoban.State]) -> Boards:
    """Positions of one size as games, whatever their rules; boxes that are home already count as home."""
    rows = []
    meta: Ints = np.zeros((len(states), code.META), np.int32)
    for index, state in enumerate(states):
        warehouse = state.warehouse
        cells = np.zeros(warehouse.rows * warehouse.cols, np.uint8)
        cells[list(warehouse.walls)] = code.WALL_GROUND << 4
        homes = warehouse.homes or tuple(warehouse.targets)
        placed = state.placed or tuple(state.boxes)
        number = np.arange(len(homes), dtype=np.uint8) if warehouse.homes else np.zeros(len(homes), np.uint8)
        cells[list(homes)] = (code.TARGET_GROUND + number) << 4
        cells[list(placed)] += code.BOX_THING + number
        players = [state.player] if state.second < 0 else [state.player, state.second]
        _put_players(cells[np.newaxis], meta[index : index + 1], np.array([players], np.int16))
        meta[index, code.CHANGED :] = -1
        meta[index, code.ASTRAY] = int(((cells & 15 >= code.BOX_THING) & ((cells >> 4) + 1 != cells & 15)).sum())
        rows.append(cells)
    return Boards(np.array(rows), meta)


def _put_players(cells: Bytes, meta: Ints, players: npt.NDArray[np.int16]) -> None:
    each = np.arange(len(cells))
    cells[each, players[:, 0]] += code.PLAYER_THING
    meta[:, code.PLAYER], meta[:, code.SECOND] = players[:, 0], -1
    if players.shape[1] == 2:
        cells[each, players[:, 1]] += code.SECOND_THING
        meta[:, code.SECOND] = players[:, 1]


class Batch:
    """`count` games of rooms of one kind. The arrays are the batch's own and change with every step."""

    def __init__(
        self,
        count: int,
        rows: int = 10,
        cols: int = 10,
        boxes: int = 4,
        *,
        seed: int = 0,
        mode: str = "fast",
        pulls: bool = False,
        fixed: bool = False,
        players: int = 1,
        max_steps: int = MAX_STEPS,
        autoreset: int = SAME_STEP,
        pool: int = 1024,
        uses: int = 0,
        tiles: Bytes = NO_TILES,
        boards: Boards | None = None,
    ) -> None:
        """Makes the pool and begins all games.

        Args:
            count: games side by side.
            rows: rows of a room, 5 to 20.
            cols: columns, 5 to 20.
            boxes: boxes, 1 to 10.
            seed: decides the rooms and which game gets which.
            mode: how rooms are made, see `ai.sokoban.rooms.maker`.
            pulls: whether players may pull.
            fixed: whether every box has a target of its own.
            players: 1 or 2.
            max_steps: steps after which a game ends.
            autoreset: when games that ended begin anew.
            pool: different rooms to begin from.
            uses: after so many uses of each, rooms are replaced by new ones; 0: never.
            tiles: a picture of every byte of a square, uint8 (256, side, side * channels); empty: no pictures.
            boards: begin from these games instead of rooms (of `rows` and `cols`).

        Raises:
            RoomError: there are no such rooms.
        """
        self.count, self.rows, self.cols, self.pulls, self.fixed = count, rows, cols, pulls, fixed
        self.max_steps, self.autoreset, self.uses, self.tiles = max_steps, autoreset, uses, tiles
        self.actions = action_count(pulls, players)
        self._maker = None
        if boards is None:
            self._maker = RoomMaker(seed, rows, cols, boxes, mode, players, record=False, distinct=False)
            boards = boards_of(self._maker.make(pool), fixed)
        self.pool = boards
        size = tiles.shape[1] * tiles.shape[2] * rows * cols if len(tiles) else 0
        self._pool_pixels: Bytes = np.zeros((len(boards.cells), size), np.uint8)
        self.cells: Bytes = np.zeros((count, rows * cols), np.uint8)
        self.meta: Ints = np.zeros((count, code.META), np.int32)
        self.ended: Bytes = np.zeros(count, np.uint8)
        """How each game stands after the last step: 1 all boxes at home, 2 out of steps, 0 neither."""
        self.rewards: Doubles = np.zeros(count)
        self.pixels: Bytes = np.zeros((count, size), np.uint8)
        """A picture of each game, row by row; empty without tiles."""
        self._streams: Stream = np.zeros(count, np.uint64)
        self._all = np.ones(count, np.bool_)
        self._begun = self._renewed = 0
        self._paint_pool(0, len(boards.cells))
        self.start(seed)

    def start(self, seed: int | None = None, which: npt.NDArray[np.bool_] | None = None) -> None:
        """Begin new games on all boards or those of `which`, bool (n,); a seed decides all games from now on."""
        if seed is not None:
            self.seed(np.arange(self.count, dtype=np.uint64) + np.uint64(seed * self.count % 2**64))
        which = self._all if which is None else which
        begin_games(
            self.cells, self.meta, self.pixels, self.ended, which, self._streams, *self.pool, self._pool_pixels
        )
        self._note(int(which.sum()))

    def seed(self, seeds: npt.NDArray[np.uint64]) -> None:
        """Give every board a seed of its own, uint64 (n,): it decides which rooms the board gets from now on."""
        for board in range(self.count):
            self._streams[board] = mixed(seeds[board])

    def step(self, actions: npt.NDArray[np.int64]) -> Doubles:
        """One action on every board.

        Args:
            actions: int64 (n,), each below `self.actions`.

        Returns:
            float64 (n,): the rewards, also `self.rewards`.

        Raises:
            ValueError: when there are not n such actions.
        """
        begun = step_games(
            self.cells, self.meta, self.pixels, self.ended, self.rewards, actions, self.actions, self.cols, self.pulls,
            self.max_steps, self.autoreset, self._streams, *self.pool, self._pool_pixels, self.tiles,
        )  # fmt: skip
        if begun < 0:
            raise ValueError(f"A step takes {self.count} actions, each from 0 to {self.actions - 1}.")
        if begun:
            self._note(begun)
        return self.rewards

    def _note(self, begun: int) -> None:
        """So many games were begun: replace rooms that were used often enough."""
        self._begun += begun
        if self._maker is None or not self.uses:
            return
        due = self._begun // self.uses - self._renewed
        if due >= min(_RENEW_AT_ONCE, len(self.pool.cells)):
            new = boards_of(self._maker.make(min(due, len(self.pool.cells))), self.fixed)
            for index in range(len(new.cells)):
                place = (self._renewed + index) % len(self.pool.cells)
                self.pool.cells[place], self.pool.meta[place] = new.cells[index], new.meta[index]
                self._paint_pool(place, place + 1)
            self._renewed += due

    def _paint_pool(self, first: int, last: int) -> None:
        if len(self.tiles):
            pixels = self._pool_pixels[first:last].reshape(-1)
            paint_all(self.pool.cells[first:last].reshape(-1), self.cols, pixels, self.tiles)


@kernel
def _begin(
    cells: Bytes,
    meta: Ints,
    pixels: Bytes,
    game: int,
    streams: Stream,
    pool_cells: Bytes,
    pool_meta: Ints,
    pool_pixels: Bytes,
) -> None:
    """A random room of the pool on one board."""
    room = below(streams[game : game + 1], len(pool_cells))
    for square in range(cells.shape[1]):
        cells[game, square] = pool_cells[room, square]
    for column in range(code.META):
        meta[game, column] = pool_meta[room, column]
    for index in range(pixels.shape[1]):
        pixels[game, index] = pool_pixels[room, index]


@kernel
def begin_games(
    cells: Bytes,
    meta: Ints,
    pixels: Bytes,
    ended: Bytes,
    which: npt.NDArray[np.bool_],
    streams: Stream,
    pool_cells: Bytes,
    pool_meta: Ints,
    pool_pixels: Bytes,
) -> None:
    """Begin games on the boards of `which`; see `Batch`."""
    for game in range(len(which)):
        if which[game]:
            ended[game] = 0
            _begin(cells, meta, pixels, game, streams, pool_cells, pool_meta, pool_pixels)


@kernel
def step_games(
    cells: Bytes,
    meta: Ints,
    pixels: Bytes,
    ended: Bytes,
    rewards: Doubles,
    actions: npt.NDArray[np.int64],
    choices: int,
    cols: int,
    pulls: bool,
    most: int,
    autoreset: int,
    streams: Stream,
    pool_cells: Bytes,
    pool_meta: Ints,
    pool_pixels: Bytes,
    tiles: Bytes,
) -> int:
    """One action on every board; see `Batch`. Returns how many games were begun, -1 where the actions are no good."""
    count, size = cells.shape
    if len(actions) != count:
        return -1
    for game in range(count):
        if not 0 <= actions[game] < choices:
            return -1
    squares = cells.reshape(count * size)
    begun = 0
    if autoreset == NEXT_STEP:
        for game in range(count):
            if ended[game]:
                _begin(cells, meta, pixels, game, streams, pool_cells, pool_meta, pool_pixels)
                ended[game] = code.SKIPPED
                begun += 1
    act(squares, meta, actions, rewards, ended, cols, pulls, most)
    if autoreset == SAME_STEP:
        for game in range(count):
            if ended[game]:
                _begin(cells, meta, pixels, game, streams, pool_cells, pool_meta, pool_pixels)
                begun += 1
    if pixels.shape[1]:
        paint_changes(squares, meta, cols, pixels.reshape(count * pixels.shape[1]), tiles)
    return begun
