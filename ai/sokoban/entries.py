"""The agents of Sokoban for the catalogue; the classes behind them are imported when they are made."""

from ai.entries import Entry, Parameter

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "astar",
        "sokoban",
        "A* solver",
        "Finds a solution with the fewest pushes.",
        "ai.sokoban.astar:AStar",
        (
            Parameter("time", "Time", "float", 60.0, "Seconds before it gives up.", 0.1, 3600.0, unit="s"),
            Parameter("nodes", "Nodes", "int", 50_000_000, "Positions before it gives up.", 1000, 50_000_000),
        ),
    ),
)
