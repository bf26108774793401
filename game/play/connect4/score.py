"""Who has won how often on a board: the counters follow the players when they change seats between games."""

from dataclasses import dataclass

from game.play.words import counted
from game.saves.progress import Progress, Tally


@dataclass(frozen=True, slots=True)
class Score:
    """The counters of the players at one table as they sit now."""

    progress: Progress
    board: str
    """Its shape as text."""
    seats: tuple[str, ...]
    """Who sits where."""
    turned: int
    """How many seats everybody has moved on since the first game."""

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody in the order of the first game."""
        return (*self.seats[self.turned :], *self.seats[: self.turned])

    def _player(self, seat: int) -> int:
        return (seat - self.turned) % len(self.seats)

    @property
    def tally(self) -> Tally:
        """Wins by player (not by seat) and draws."""
        return self.progress.tally(self.board, self.players)

    def wins(self, seat: int) -> int:
        """Of whoever sits there now."""
        return self.tally.wins[self._player(seat)]

    def count(self, winner: int | None) -> None:
        """A game has ended; `winner` is a seat, None for a draw."""
        self.progress.played_connect4(self.board, self.players, None if winner is None else self._player(winner))

    def reset(self) -> None:
        """Begin anew."""
        self.progress.forget_tally(self.board, self.players)

    def words(self) -> str:
        """'5 games · 1 draw', empty before the first."""
        tally = self.tally
        games = sum(tally.wins) + tally.draws
        if not games:
            return ""
        said = counted(games, "game")
        return said + (f" · {counted(tally.draws, 'draw')}" if tally.draws else "")
