"""What rooms can be asked for: sizes, boxes, modes, difficulty. Imports no numba: forms and the command line ask it."""

MIN_SIDE, MAX_SIDE = 5, 20
MAX_BOXES = 10
HARDEST = 100
"""The scale of difficulty is 0 to 100, see `ai.sokoban.rooms.graded`."""

ESTABLISHED, GYM, FAST = range(3)
MODES = {"established": ESTABLISHED, "gym": GYM, "fast": FAST}
"""How a room is played backwards. `established`: depth-first search, a box swap where another box is pulled than before.
`gym`: the same search, each pull counted as a swap, position by position what gym-sokoban's program finds. `fast`: random
walks of pulls."""


class RoomError(ValueError):
    """Rooms that cannot be made; the text is one sentence without its full stop."""


def check_size(rows: int, cols: int, boxes: int) -> None:
    """Raise RoomError where no room can have this size."""
    if not (MIN_SIDE <= rows <= MAX_SIDE and MIN_SIDE <= cols <= MAX_SIDE):
        raise RoomError(f"a room has {MIN_SIDE} to {MAX_SIDE} rows and columns, not {rows} and {cols}")
    if not 1 <= boxes <= MAX_BOXES:
        raise RoomError(f"a room has 1 to {MAX_BOXES} boxes, not {boxes}")
    if boxes > most_boxes(rows, cols):
        raise RoomError(f"{boxes} boxes off their targets have no room on {rows}x{cols} squares")


def most_boxes(rows: int, cols: int) -> int:
    """The boxes that fit with as many free targets and a player."""
    return min(MAX_BOXES, ((rows - 2) * (cols - 2) - 1) // 2)
