"""Values of connect-4 positions: one scale for evaluations and proved results, and how people read them.

A proved win in n plies is worth `WIN - n`, a proved loss `-(WIN - n)`, a draw 0; everything between is an
evaluation (`ai.connect4.alphabeta.heuristics`). Searches that leave out replies *expect* wins and losses: these are worth
`EXPECTED - n` and its negative, above every evaluation and below everything proved. Always from the side to move.
"""

WIN = 1_000_000.0
PROVED = 999_000.0
"""Values at least this far from 0 are proved: no game is longer than 512 plies and evaluations stay below."""

EXPECTED = 950_000.0
"""Values at least 512 below this, and below `PROVED`, are expected wins and losses."""


def expected(proved: float) -> float:
    """The value of a win or loss that is only expected, from that of a proved one."""
    return proved - (WIN - EXPECTED) if proved > 0 else proved + (WIN - EXPECTED)


def plies_to_end(value: float) -> int | None:
    """Plies until the proved win or loss, None for any other value."""
    return round(WIN - abs(value)) if abs(value) >= PROVED else None


def describe(value: float) -> str:
    """A short label: `W7` and `L4` (plies to a proved win or loss), `W7?` (expected), `0`, or a rating such as `+12`."""
    plies = plies_to_end(value)
    if plies is not None:
        return f"{'W' if value > 0 else 'L'}{plies}"
    if abs(value) > EXPECTED - 600:
        return f"{'W' if value > 0 else 'L'}{round(EXPECTED - abs(value))}?"
    return f"{round(value):+d}" if round(value) else "0"
