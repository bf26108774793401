"""A game as it stands at one moment, for the writing thread."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from game.play.timeline import Moment
from game.rules import replay as replays
from game.rules.replay import Replay
from game.saves import resume
from game.saves.resume import Extra


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A game as it stands at one moment. It never changes, so that another thread can write it later."""

    game: str
    moment: Moment[Any]
    seats: tuple[str, ...]
    seed: int
    started: str
    seconds: float
    title: str
    headline: str
    extra: Mapping[str, Extra]

    def saved(self) -> resume.Session:
        """As it is written; its steps are gathered only here."""
        moment = self.moment
        record = Replay(
            self.game, replays.setup_of(moment.initial), moment.steps, self.seats, self.seed, self.started, self.seconds,
            self.title,
        )  # fmt: skip
        return resume.Session(record, moment.cursor, self.seats, self.headline, extra=dict(self.extra))
