"""Plays a tournament behind all screens, as one of the app's jobs, and keeps what was played."""

from collections.abc import Callable
from datetime import datetime

from typing_extensions import override

from ai import catalogue
from game.play.words import counted
from game.rules import connect4
from game.saves import tournaments
from game.saves.tournaments import Tournament, Tournaments
from game.screens.connect4.tournament import Cup, Game, Progress
from game.screens.jobs.batch import BatchPlayer
from game.screens.jobs.process import Process
from game.ui.chrome import Chip
from game.ui.toast import Kind

GAME = "connect4"
SHORTEST = 0.5
"""Seconds of play from which a speed can be told."""
KEEP_SECONDS = 30.0
"""How often a tournament under way is kept, so that little is lost whatever happens."""


class Player(BatchPlayer[Progress]):
    """Plays one tournament at a time; the last one stays in memory."""

    what = "The tournament"
    place = "tournament"
    at_exit = "the tournament stops, its games are kept"
    stays = True

    def __init__(self, kept: Tournaments, show: Callable[[], object]) -> None:
        """`show` leads to the tournament's screen."""
        super().__init__()
        self.kept, self.show = kept, show
        self.seen = True
        """Whether somebody has seen how it ended."""
        self._kept_at, self._kept_games = 0.0, 0

    @property
    def games_per_minute(self) -> float | None:
        """None while that cannot be told."""
        if self.batch is None or not self.batch.games or self.seconds < SHORTEST:
            return None
        return len(self.batch.games) / self.seconds * 60

    def start(self, cup: Cup) -> None:
        """Begin; one under way is ended."""
        began = datetime.now().astimezone().isoformat()
        self.begin(Progress(cup, began), cup.command())
        self.seen, self._kept_at, self._kept_games = False, 0.0, 0

    @override
    def stop(self) -> None:
        """End it; the games that have ended count."""
        super().stop()
        self._keep()

    @override
    def close(self) -> None:
        """The app ends."""
        self.stop()

    @override
    def update(self) -> bool:
        """As every batch; kept from time to time."""
        ended = super().update()
        if self.busy and self.seconds - self._kept_at >= KEEP_SECONDS:
            self._kept_at = self.seconds
            self._keep()
        return ended

    @override
    def _gone(self, process: Process) -> None:
        super()._gone(process)
        self._keep()

    def _keep(self) -> None:
        """Save the games so far, where there are more than were saved."""
        batch = self.batch
        if batch is not None and len(batch.games) > self._kept_games:
            self._kept_games = len(batch.games)
            self.kept.put(record(batch))

    # What other screens say of it

    @property
    @override
    def chip(self) -> Chip | None:
        """How far it is; after its end, until somebody has seen it."""
        batch = self.batch
        if batch is None or (self.seen and not self.busy):
            return None
        if not self.busy:
            return Chip("Tournament finished" if batch.done else "Tournament failed", self.place, None, False)
        share = len(batch.games) / batch.wanted
        return Chip(f"Tournament {share:.0%}", self.place, share)

    @property
    @override
    def outcome(self) -> str:
        """Who has won it, in a sentence, or why it broke off."""
        batch = self.batch
        if batch is None or batch.problem:
            return batch.problem if batch is not None else ""
        return f"The tournament is over after {counted(len(batch.games), 'game')}: {leader(batch)}."

    @property
    @override
    def mood(self) -> Kind:
        """A tournament that broke off is bad news."""
        return "bad" if self.batch is not None and self.batch.problem else "good"


def leader(progress: Progress) -> str:
    """'Alpha-beta came first with 71 % of the points'."""
    first = progress.table.ranking()[0]
    total, spec = progress.table.totals[first], progress.cup.specs[first]
    return f"{catalogue.entry(GAME, spec.id).title} came first with {100 * total.share:.0f} % of the points"


def record(progress: Progress) -> Tournament:
    """As it is kept."""
    cup = progress.cup
    games = tuple(
        tournaments.Game(game.who, game.winner, game.moves, game.seconds, game.asked) for game in progress.games
    )
    agents = tuple(map(str, cup.specs))
    return Tournament(
        progress.began, agents, str(cup.shape), cup.shape.players, cup.games, cup.plies, cup.seconds, games
    )


def recalled(kept: Tournament) -> Progress:
    """As it was.

    Raises:
        ValueError: agents, board or a game are none that there are or can be.
    """
    shape = connect4.parse_shape(kept.board, kept.players)
    specs = tuple(catalogue.parse(GAME, agent) for agent in kept.agents)
    progress = Progress(Cup(specs, shape, kept.wanted, kept.plies, kept.seconds), kept.began)
    for number, game in enumerate(kept.games):
        if not (len(game.who) == len(game.seconds) == len(game.asked) == shape.players == len(set(game.who))):
            raise ValueError(f"game {number + 1} has not {shape.players} players")
        if max(game.who) >= len(specs):
            raise ValueError(f"game {number + 1} has a player who takes no part")
        state = connect4.start(shape)
        for action in game.moves:
            state = connect4.apply(state, action)
        if connect4.outcome(state) is None or state.winner != game.winner:
            raise ValueError(f"game {number + 1} did not end as it says")
        progress.add(Game(number, game.who, game.winner, game.moves, game.seconds, game.asked))
    return progress
