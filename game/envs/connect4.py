"""Connect-4 as a PettingZoo environment (AEC: the seats move in turn), on the plain rules, for any board."""

from typing import Any, ClassVar

from gymnasium.utils import EzPickle
from typing_extensions import override

from game.envs.seats import Observation, SeatsEnv
from game.envs.zoo import OrderEnforcingWrapper
from game.rules.connect4 import GAME, Shape, State


def env(
    rows: int = 6, cols: int = 7, depth: int = 1, win: int = 4, players: int = 2, render_mode: str | None = None
) -> "OrderEnforcingWrapper[str, Observation, int]":
    """A `Connect4Env` that says clearly what is called too early.

    Raises:
        ValueError: when there is no such board, or no such mode.
    """
    return OrderEnforcingWrapper(Connect4Env(rows, cols, depth, win, players, render_mode))


class Connect4Env(SeatsEnv):
    """One game of connect-4 for 2 to 6 players; see `SeatsEnv` for rewards and ends.

    | | |
    |---|---|
    | agents | `player_0` to `player_5`, in the order of their turns |
    | action | `Discrete(cols * depth)`: the column, `depth * cols + col` |
    | observation | `Dict`: `observation`, `Box(0, 1, (players, rows, depth, cols), int8)`, the stones of each seat, \
the observing one first and the others in turn after it, row 0 at the bottom; `action_mask`, int8 (cols * depth,) |
    """

    metadata: ClassVar[dict[str, Any]] = {**SeatsEnv.metadata, "name": "connect4_v0"}

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
        self.shape = Shape(rows, cols, depth, win, players)
        setup = {"rows": rows, "cols": cols, "depth": depth, "win": win, "players": players}
        super().__init__(GAME.id, setup, render_mode)
        EzPickle.__init__(self, rows, cols, depth, win, players, render_mode)

    @override
    def text(self, position: State) -> str:
        """The layers of depth from the front on, the top row first, seats from 1."""
        shape = position.shape
        layers = []
        for depth in range(shape.depth):
            rows = []
            for row in reversed(range(shape.rows)):
                start = (row * shape.depth + depth) * shape.cols
                rows.append(" ".join(str(stone or ".") for stone in position.cells[start : start + shape.cols]))
            layers.append("\n".join(rows))
        return "\n\n".join(layers)

    @override
    def caption(self, position: State) -> str:
        """How many stones there are."""
        return f"{GAME.title}: {len(position.moves)} stones"
