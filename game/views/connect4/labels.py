"""Where the agent's values stand above the columns, so that none covers another.

Front labels keep their place above their peg; the ones behind are pushed up until they are free, with a thin leader,
and left out where that would carry them too far. The label under the pointer and the best one are always there; where
the columns are too many for all of them, they are the only ones.
"""

from collections.abc import Mapping, Sequence

import pygame

from game.ui.theme import Theme, blend
from game.views.connect4 import pieces
from game.views.connect4.picture import Overlay
from game.views.connect4.words import Said
from game.views.value_bars import spread

FARTHEST = 2.4
"""How far a label may be pushed, in its own heights."""
BEST_SHOWN = 3
"""Columns of a deep board that show their numbers at once."""
CROWD = 36
"""With more labels than this above a plate, only the chosen and the best column show theirs."""


def place_labels(
    surface: pygame.Surface,
    theme: Theme,
    overlay: Overlay,
    tops: Sequence[tuple[float, float]],
    rank: Sequence[int],
    bounds: pygame.Rect,
    narrow: bool = False,
) -> None:
    """Draw the values.

    Args:
        surface: to draw on.
        theme: the look.
        overlay: what to label.
        tops: for each action, the point that its label belongs to.
        rank: for each action, 0 for the column nearest to the viewer, rising with distance.
        bounds: where labels may stand.
        narrow: columns side by side have little room: bare text, and nothing is pushed.
    """
    labels = overlay.labels()
    if not labels:
        return
    first = (overlay.best, overlay.chosen)
    if len(labels) > CROWD and not narrow:
        labels = {action: label for action, label in labels.items() if action in first}
    images = {
        action: pieces.pill(theme, label, action == overlay.best, narrow, overlay.proved.get(action))
        for action, label in labels.items()
    }
    homes = {}
    for action in sorted(labels, key=lambda action: (action not in first, rank[action])):
        lift = theme.px(20) if action == overlay.cursor else theme.px(6)
        at = round(tops[action][0]), round(tops[action][1]) - lift
        homes[action] = images[action].get_rect(midbottom=at).clamp(bounds)
    leader = blend(theme.ground, theme.thinking, 0.6)
    for action, spot in homes.items() if narrow else arrange(homes, bounds):
        if homes[action].top - spot.top > 4:
            pygame.draw.aaline(surface, leader, tops[action], (spot.centerx, spot.bottom))
        surface.blit(images[action], spot)


def arrange(homes: Mapping[int, pygame.Rect], bounds: pygame.Rect) -> list[tuple[int, pygame.Rect]]:
    """A free place for every label that has one near its home; the first ones in `homes` choose first."""
    placed: list[tuple[int, pygame.Rect]] = []
    taken: list[pygame.Rect] = []
    for action, home in homes.items():
        spot = home.copy()
        while (hit := spot.collidelist(taken)) >= 0:
            spot.bottom = taken[hit].top
        if home.top - spot.top <= FARTHEST * home.height and spot.top >= bounds.top:
            taken.append(spot.inflate(4, 2))
            placed.append((action, spot))
    return placed


def few(
    said: Mapping[int, Said], values: Mapping[int, float], *asked_for: int | None
) -> tuple[dict[int, Said], dict[int, float]]:
    """What a deep board shows of the values, whose numbers would hide it.

    Args:
        said: the values in words.
        values: the values themselves.
        asked_for: actions whose number is shown in any case, the one pointed at, say.

    Returns:
        The words of the best three and of what was asked for; a shade from 0 to 1 for the landing place of each.
    """
    best = sorted(said, key=lambda action: -values.get(action, 0.0))[:BEST_SHOWN]
    share = spread(values)
    worth = {action: share(value) for action, value in values.items() if action in said}
    return {action: each for action, each in said.items() if action in {*best, *asked_for}}, worth
