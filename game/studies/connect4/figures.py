"""The figures of the report this project grew from, beside which `connect4-report` puts its own.

For most of its charts the report gives no numbers, only what they show.
"""

SECONDS: dict[str, tuple[float, ...]] = {
    "minimax": (0.00115, 0.00801, 0.0521, 0.339, 2.30),
    "alphabeta": (0.00115, 0.00469, 0.0177, 0.0595, 0.247),
}
"""Agent -> seconds for a move on 7×6 at depth 1 to 5, means over 100 games."""
LOOK_UP_SECONDS = 0.00012
"""For a move out of the learned table."""
UNWEAKENED = 100.0
"""Per cent of its games that complex wins on (6,7,5,4) without random moves, against offensive and against defensive."""
LEARNED = 90.0
"""Per cent of all games that the learner has won when its training ends, after 400,000 games."""
DIP = 30_000
"""Games over which the learner's share of wins falls at first."""
