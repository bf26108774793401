"""The agents of connect-4 for the catalogue; the classes behind them are imported when they are made."""

from ai.entries import TIME, Entry, Parameter

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "alphabeta",
        "connect4",
        "Alpha-beta",
        "Iterative deepening; against several players it takes all others for one opponent.",
        "ai.connect4.alphabeta:AlphaBeta",
        (
            TIME,
            Parameter("depth", "Depth", "int", 64, "Plies at most.", 1, 64),
        ),
    ),
    Entry("random", "connect4", "Random", "Any column that is not full.", "ai.connect4.baselines:RandomAgent"),
)
