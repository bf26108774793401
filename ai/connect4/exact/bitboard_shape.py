"""Which boards the exact solver plays on, and a position in its two words. Imports nothing heavy: the catalogue asks it."""

from game.rules.connect4 import Shape, State

WIN = 4
MAX_BITS = 64


def why_not(shape: Shape) -> str | None:
    """Why the exact solver cannot play on this board, in one sentence, or None when it can."""
    if shape.players != 2:
        return f"the exact solver plays for two players, not for {shape.players}"
    if shape.depth != 1:
        return "the exact solver plays on flat boards, of depth 1"
    if shape.win != WIN:
        return f"the exact solver plays for {WIN} in a row, not for {shape.win}"
    if (shape.rows + 1) * shape.cols > MAX_BITS:
        return f"the board is too large for the exact solver: (rows + 1) * columns is at most {MAX_BITS}"
    return None


def words(state: State) -> tuple[int, int]:
    """(pos, mask) of a state."""
    height = state.shape.rows + 1
    pos = mask = 0
    for cell, stone in enumerate(state.cells):
        if stone:
            row, col = divmod(cell, state.shape.cols)
            bit = 1 << (col * height + row)
            mask |= bit
            if stone == state.to_move + 1:
                pos |= bit
    return pos, mask
