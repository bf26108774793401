"""Ratings of players from the games that they have played against each other.

The model of Bradley and Terry, in the units of Elo: who is rated 400 points higher has ten times the other's chance. A
draw is half a win of each. The ratings are the likeliest ones, the errors those of the curvature there.
"""

from collections.abc import Mapping

import numpy as np

_SCALE = 400.0 / np.log(10.0)
"""Elo points of a factor of e."""
_ROUNDS = 100
_SMALL = 1e-9
_FARTHEST = 1.0
"""Change of a rating in one round at most, so that one-sided results do not overshoot."""


def ratings(players: int, results: Mapping[tuple[int, int], tuple[float, int]]) -> list[tuple[float, float]]:
    """The rating of each player and its standard error, both in Elo points above player 0, who is at 0 ± 0.

    Args:
        players: How many there are.
        results: (one, other) -> points of the first of the two against the other, and how many games they played.

    Raises:
        ValueError: the results leave ratings open: some players have won, or lost, every game against all others.
    """
    points, games = np.zeros((players, players)), np.zeros((players, players))
    for (one, other), (won, played) in results.items():
        points[one, other] += won
        points[other, one] += played - won
        games[one, other] += played
        games[other, one] += played
    if not _connected(points):
        raise ValueError(
            "some players have all the points, or none, against all the others: too few games to rate them"
        )
    rates = np.zeros(players)
    information = np.zeros((players, players))
    for _ in range(_ROUNDS):
        expected = 1.0 / (1.0 + np.exp(rates[None, :] - rates[:, None]))
        weights = games * expected * (1.0 - expected)
        information = np.diag(weights.sum(axis=1)) - weights
        gradient = (points - games * expected).sum(axis=1)
        step = np.linalg.solve(information[1:, 1:], gradient[1:])
        rates[1:] += np.clip(step, -_FARTHEST, _FARTHEST)
        if np.abs(step).max(initial=0.0) < _SMALL:
            break
    errors = np.sqrt(np.diag(np.linalg.inv(information[1:, 1:])))
    return [(float(rate) * _SCALE, float(error) * _SCALE) for rate, error in zip(rates, (0.0, *errors), strict=True)]


def _connected(points: np.ndarray) -> bool:
    """Whether from every player to every other a chain of points leads; without that the likeliest ratings are infinite."""
    reached = (points > 0) | np.eye(len(points), dtype=bool)
    for _ in range(len(points)):
        reached = (reached.astype(np.int64) @ reached.astype(np.int64)) > 0
    return bool(reached.all())
