"""Links between rooms: the narrow places of a level."""

import numpy as np

from ai.sokoban.board.layout import Ints


def links(steps: Ints) -> Ints:
    """Shape (N,): the number of the link between rooms that a square belongs to, -1 for none.

    Squares with walls on both sides are narrow; narrow squares joined with each other are a link when they join wider
    ones at two places at least.
    """
    narrow = ((steps[:, 0] < 0) & (steps[:, 2] < 0)) | ((steps[:, 1] < 0) & (steps[:, 3] < 0))
    link: Ints = np.full(len(steps), -1, dtype=np.int32)
    seen: set[int] = set()
    count = 0
    for start in np.flatnonzero(narrow).tolist():
        if start in seen:
            continue
        group, doors, stack = {start}, 0, [start]
        while stack:
            for other in steps[stack.pop()].tolist():
                if other < 0 or other in group:
                    continue
                if narrow[other]:
                    group.add(other)
                    stack.append(other)
                else:
                    doors += 1
        seen |= group
        if doors >= 2:
            link[list(group)] = count
            count += 1
    return link
