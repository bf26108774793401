"""A game under review: the grade of every move, how well every seat played, and where the game turned. No window is needed.

The loss of a move is what it gave up of the chance to win, 0 to 1 (`ai.review.Judgement`: before - after); it means the same in
every game, and so do the grades:

- best: nothing was given up;
- good: at most 2 %; inaccuracy: at most 10 %, or more where the result is the same;
- mistake: at most 60 %; blunder: more.

The accuracy of a seat is the mean of 100 · exp(-4 · loss) over its moves.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import exp

from ai.agent import Action
from ai.review import Judgement
from game.rules.game import Game, State
from game.rules.reader import JSON

GRADES = ("best", "good", "inaccuracy", "mistake", "blunder")
GOOD, INACCURACY, MISTAKE = 0.02, 0.1, 0.6
TURNING_POINTS = 3
STEEPNESS = 4.0


def grade(judgement: Judgement, action: Action) -> str:
    """One of `GRADES`."""
    loss = judgement.before - judgement.after
    if action in judgement.best or loss <= 0:
        return GRADES[0]
    if loss <= GOOD:
        return GRADES[1]
    if loss <= INACCURACY or (judgement.exact and not judgement.turned):
        return GRADES[2]
    return GRADES[3] if loss <= MISTAKE else GRADES[4]


@dataclass(slots=True)
class Review:
    """What is known so far of the moves of one game."""

    game: Game[State]
    states: Sequence[State]
    """Every position, one more than the actions."""
    actions: Sequence[Action]
    oracle: str
    """Who judges, for people."""
    judged: dict[int, Judgement] = field(default_factory=dict)
    """By ply."""

    def take(self, judgement: Judgement) -> None:
        """Another move is judged."""
        self.judged[judgement.ply] = judgement

    @property
    def share(self) -> float:
        """How much of the game is judged, 0 to 1."""
        return len(self.judged) / max(1, len(self.actions))

    def seat(self, ply: int) -> int:
        """Whose move it was."""
        return self.game.to_move(self.states[ply])

    def grade(self, ply: int) -> str:
        """Of a judged move."""
        return grade(self.judged[ply], self.actions[ply])

    def loss(self, ply: int) -> float:
        """Of a judged move, 0 to 1."""
        judgement = self.judged[ply]
        return max(0.0, judgement.before - judgement.after)

    def accuracy(self, seat: int) -> float | None:
        """Per cent, None where no move of the seat is judged."""
        losses = [self.loss(ply) for ply in self.judged if self.seat(ply) == seat]
        return 100 * sum(exp(-STEEPNESS * loss) for loss in losses) / len(losses) if losses else None

    def counts(self, seat: int) -> dict[str, int]:
        """How many moves of each grade a seat made."""
        found = dict.fromkeys(GRADES, 0)
        for ply in self.judged:
            if self.seat(ply) == seat:
                found[self.grade(ply)] += 1
        return found

    def mistakes(self) -> list[int]:
        """The plies of mistakes and blunders, the largest first."""
        found = [ply for ply in self.judged if self.grade(ply) in GRADES[3:]]
        return sorted(found, key=lambda ply: (-self.loss(ply), ply))

    @property
    def turning_points(self) -> list[int]:
        """The plies of the moves that decided most, in the order of the game."""
        return sorted(self.mistakes()[:TURNING_POINTS])

    def document(self, why: Iterable[str]) -> dict[str, JSON]:
        """As `review --json` prints it; `why` has a sentence (or '') for each judged move in the order of the game."""
        players = self.game.players(self.states[0])
        moves: list[JSON] = [
            self._move(ply, sentence) for ply, sentence in zip(sorted(self.judged), why, strict=True)
        ]
        seats: list[JSON] = [
            {"seat": seat + 1, "accuracy": _rounded(self.accuracy(seat)), "counts": {**self.counts(seat)}}
            for seat in range(players)
        ]
        turned: list[JSON] = [ply + 1 for ply in self.turning_points]
        return {
            "game": self.game.name,
            "oracle": self.oracle,
            "seats": seats,
            "moves": moves,
            "turning_points": turned,
        }

    def _move(self, ply: int, why: str) -> JSON:
        judgement, state = self.judged[ply], self.states[ply]
        best = judgement.best[0] if judgement.best else None
        return {
            "ply": ply + 1,
            "seat": self.seat(ply) + 1,
            "action": self.game.label(state, self.actions[ply]),
            "grade": self.grade(ply),
            "cost": judgement.cost,
            "loss": round(self.loss(ply), 4),
            "best": None if best is None else self.game.label(state, best),
            "value": judgement.value,
            "exact": judgement.exact,
            "why": why,
        }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
