"""Who has won how often on this board: the counters follow the players when they change seats between games."""

from typing import TYPE_CHECKING

from game.play.words import counted
from game.saves.progress import Tally

if TYPE_CHECKING:
    from game.screens.connect4.table import Connect4Table

ROTATE = "connect4/rotate"
"""Name in the settings: whether everybody moves on by one seat from game to game."""


class Score:
    """Counts games by player. `extra['turned']` says how many seats everybody has moved on since the first game."""

    def __init__(self, scene: "Connect4Table") -> None:
        """Of a table whose seats are set."""
        self._scene = scene

    @property
    def rotates(self) -> bool:
        """Whether everybody moves on by one seat from game to game."""
        return self._scene.context.settings.remembered.get(ROTATE) is True

    def set_rotates(self, on: bool) -> None:
        """Remember it for all games."""
        self._scene.context.remember(ROTATE, on)

    @property
    def turned(self) -> int:
        """How many seats everybody has moved on."""
        found = self._scene.extra.get("turned", 0)
        seats = len(self._scene.driver.seats)
        return found % seats if isinstance(found, int) and not isinstance(found, bool) else 0

    def turn(self) -> None:
        """Everybody moves on by one seat; the last one sits down on the first."""
        seats = self._scene.driver.seats
        turned = self.turned
        self._scene.driver.seats = [seats[-1], *seats[:-1]]
        self._scene.extra["turned"] = (turned + 1) % len(seats)

    def fresh(self) -> None:
        """Other players: they sit as they were put."""
        self._scene.extra["turned"] = 0

    def _players(self) -> tuple[str, ...]:
        """Everybody in the order of the first game."""
        names, turned = self._scene.seat_names(), self.turned
        return (*names[turned:], *names[:turned])

    def _player(self, seat: int) -> int:
        return (seat - self.turned) % len(self._scene.driver.seats)

    @property
    def _board(self) -> str:
        return str(self._scene.state.shape)

    @property
    def tally(self) -> Tally:
        """Wins by player (not by seat) and draws."""
        return self._scene.context.progress.tally(self._board, self._players())

    def wins(self, seat: int) -> int:
        """Of whoever sits there now."""
        return self.tally.wins[self._player(seat)]

    def count(self, winner: int | None) -> None:
        """A game has ended; `winner` is a seat."""
        player = None if winner is None else self._player(winner)
        self._scene.context.progress.played_connect4(self._board, self._players(), player)

    def reset(self) -> None:
        """Begin anew."""
        self._scene.context.progress.forget_tally(self._board, self._players())

    def words(self) -> str:
        """'5 games · 1 draw', empty before the first."""
        tally = self.tally
        games = sum(tally.wins) + tally.draws
        if not games:
            return ""
        said = counted(games, "game")
        return said + (f" · {counted(tally.draws, 'draw')}" if tally.draws else "")
