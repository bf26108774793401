"""Values of connect-4 positions: one scale for evaluations and proved results, and how people read them.

A proved win in n plies is worth `WIN - n`, a proved loss `-(WIN - n)`, a draw 0; everything between is an
evaluation in line points (`ai.connect4.board`). Always from the side to move.
"""

WIN = 1_000_000.0
PROVED = 999_000.0
"""Values at least this far from 0 are proved: no game is longer than 512 plies and evaluations stay below."""


def plies_to_end(value: float) -> int | None:
    """Plies until the proved win or loss, None for any other value."""
    return round(WIN - abs(value)) if abs(value) >= PROVED else None


def describe(value: float) -> str:
    """A short label: `W7` and `L4` (plies to a proved win or loss), `0`, or an evaluation such as `+12`."""
    plies = plies_to_end(value)
    if plies is not None:
        return f"{'W' if value > 0 else 'L'}{plies}"
    return f"{round(value):+d}" if round(value) else "0"
