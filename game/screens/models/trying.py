"""A short test of a model: the game's own process plays, mean and error are reckoned here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from typing_extensions import override

from ai import catalogue, kernels
from ai.models import ModelCard, Strength
from game.rules.games import GAMES
from game.screens.games import short_test
from game.screens.jobs.batch import BatchPlayer

MOST_PLIES = 3


@dataclass(slots=True)
class Trial:
    """One test, under way or done."""

    card: ModelCard
    plies: int
    wanted: int
    games: list[Mapping[str, Any]] = field(default_factory=list)
    """What the process said of each game that has ended; all games have a score."""
    done: bool = False
    problem: str = ""
    """One sentence when it failed."""

    def take(self, said: dict[str, Any]) -> None:
        """As `Batch.take`."""
        if "now" not in said:
            self.games.append(said)

    def rest(self) -> None:
        """As `Batch.rest`."""
        self.done = True

    @property
    def share(self) -> float:
        """How much is done, 0 to 1."""
        return len(self.games) / self.wanted

    @property
    def strength(self) -> Strength | None:
        """Mean and standard error of the games so far; None before the second."""
        return Strength.of([game["score"] for game in self.games]) if len(self.games) > 1 else None


class Tester(BatchPlayer[Trial]):
    """One test at a time."""

    what = "The test"

    @staticmethod
    def refusal(card: ModelCard) -> str | None:
        """Why a model cannot be tested, in one sentence, or None when it can."""
        if card.problem is not None:
            return "It cannot be used."
        test = short_test(card.game)
        if test is None:
            titles = " and ".join(game.title for game in GAMES.values() if short_test(game.id) is not None)
            return f"Only models of {titles} have a short test."
        if not test.refusal(card) and not kernels.ready(kernels.needed_by(card.game, card.agent)):
            return "Agents are still being prepared for this machine."
        return test.refusal(card)

    def start(self, card: ModelCard, plies: int) -> None:
        """Begin, with as many plies as the agent has at most; a test under way is cancelled."""
        test, entry = short_test(card.game), catalogue.entry(card.game, card.agent)
        assert test is not None
        plies = min(plies, entry.most_plies)
        trial = Trial(card, plies, test.GAMES[plies])
        self.begin(trial, test.command(card, entry.looking(plies, str(card.path.absolute())), trial.wanted))

    @override
    def cancel(self) -> None:
        """End a test that is under way; what it has found so far is dropped."""
        if self.busy:
            self.batch = None
        super().cancel()
