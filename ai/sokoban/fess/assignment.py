"""Whether every box can have a target of its own: augmenting paths (Kuhn 1955), by breadth-first search."""

from ai.jit import lean
from ai.sokoban.board.distance import FAR
from ai.sokoban.board.layout import Bytes, Ints, Shorts, Whole


@lean
def assignable(distance: Ints, keys: Ints, taken: Ints, came: Ints, queue: Ints) -> bool:
    """Whether there is a perfect matching of boxes to targets that they can reach.

    Args:
        distance: pushes from a key to each target, shape (4 N, n).
        keys: shape (n,), the key of every box.
        taken: shape (n,): box of each target from an earlier call, or -1; good ones are kept, and the answer left here.
        came: scratch, shape (n,).
        queue: scratch, shape (n,).
    """
    size = len(keys)
    came[:] = 0
    for column in range(size):
        box = taken[column]
        if box >= 0:
            if distance[keys[box], column] < FAR:
                came[box] = 1
            else:
                taken[column] = -1
    free = 0
    for box in range(size):
        if not came[box]:
            queue[free] = box
            free += 1
    # the boxes without a target are moved to the end of `queue`, which the searches fill from its start
    for index in range(free - 1, -1, -1):
        queue[size - free + index] = queue[index]
    served = 0
    while served < free and _augment(distance, keys, taken, came, queue, size - free + served):
        served += 1
    return served == free


@lean
def _augment(distance: Ints, keys: Ints, taken: Ints, came: Ints, queue: Ints, index: Whole) -> bool:
    """Give the box `queue[index]` a target, moving others where that is needed."""
    size = len(keys)
    root = queue[index]
    came[:] = -1
    first, last, box = 0, 0, root
    while True:
        for column in range(size):
            if came[column] < 0 and distance[keys[box], column] < FAR:
                came[column] = box
                if taken[column] < 0:
                    while True:
                        box = came[column]
                        before = -1
                        if box != root:
                            for other in range(size):
                                if taken[other] == box:
                                    before = other
                                    break
                        taken[column] = box
                        if before < 0:
                            return True
                        column = before
                if last < index:
                    queue[last] = taken[column]
                    last += 1
        if first == last:
            return False
        box = queue[first]
        first += 1


@lean
def unserved(
    serving: Bytes,
    origin: Ints,
    packed: Bytes,
    stage: Whole,
    boxes: Shorts,
    keys: Ints,
    taken: Ints,
    came: Ints,
    queue: Ints,
) -> int:
    """Boxes that are not packed and find no step of the packing plan to make, each step being made by one box.

    Args:
        serving: from the plan, shape (4 N, m + 1).
        origin: from the plan, shape (m + 1,).
        packed: squares filled by the stage, shape (N,).
        stage: the stage that is done.
        boxes: shape (n,).
        keys: shape (n,), the key of every box.
        taken: scratch, shape (m + 1,).
        came: scratch, shape (m + 1,).
        queue: scratch, shape (m + 1,).
    """
    last = len(origin) - 1
    for step in range(stage, last):
        taken[step] = -1
    lost = 0
    for box in range(len(boxes)):
        if packed[boxes[box]]:
            continue
        free: Whole = last
        for step in range(stage, last):
            if serving[keys[box], step] and taken[step] < 0 and origin[step] < 0:
                free = step
                break
        if free < last:
            taken[free] = box
            continue
        for step in range(stage, last):
            came[step] = -1
        first, end, current = 0, 0, box
        served = False
        while not served:
            for step in range(stage, last):
                if came[step] >= 0 or origin[step] >= 0 or not serving[keys[current], step]:
                    continue
                came[step] = current
                if taken[step] < 0:
                    while True:
                        mover = came[step]
                        before = -1
                        if mover != box:
                            for other in range(stage, last):
                                if taken[other] == mover:
                                    before = other
                                    break
                        taken[step] = mover
                        if before < 0:
                            break
                        step = before
                    served = True
                    break
                queue[end] = taken[step]
                end += 1
            if not served:
                if first == end:
                    break
                current = queue[first]
                first += 1
        lost += not served
    return lost


@lean
def fitting(
    serving: Bytes, origin: Ints, packed: Bytes, stage: Whole, boxes: Shorts, keys: Ints, taken: Ints, queue: Ints,
    fits: Bytes,
) -> None:  # fmt: skip
    """Set `fits`, shape (n,), for the boxes that can make the next step without leaving more boxes without one.

    `taken` is what `unserved` left, the other arguments are the same; `queue` has room for every box.
    """
    last = len(origin) - 1
    # whose step may be given up: the box that has the next one needs another, and so does every box without any
    fits[:] = 1
    for step in range(stage + 1, last):
        if origin[step] < 0 and taken[step] >= 0:
            fits[taken[step]] = 0
    end = 0
    for box in range(len(boxes)):
        if packed[boxes[box]]:
            fits[box] = 0
        elif fits[box]:
            queue[end] = box
            end += 1
    first, spare = 0, taken[stage] < 0
    while first < end:
        box = queue[first]
        first += 1
        for step in range(stage + 1, last):
            if origin[step] >= 0 or not serving[keys[box], step]:
                continue
            if taken[step] < 0:
                spare = True
            elif not fits[taken[step]]:
                fits[taken[step]] = 1
                queue[end] = taken[step]
                end += 1
    for box in range(len(boxes)):
        fits[box] = (spare or fits[box]) and not packed[boxes[box]] and serving[keys[box], stage] != 0
