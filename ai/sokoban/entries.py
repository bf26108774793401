"""The agents of Sokoban for the catalogue; the classes behind them are imported when they are made."""

from ai.entries import Entry, Parameter
from game.rules import sokoban


def push_only(state: sokoban.State) -> str | None:
    """Why an agent that knows only pushes cannot play a position; None where it can."""
    rules = state.warehouse.rules
    if rules == sokoban.PUSH_ONLY and state.warehouse.entry < 0:
        return None
    return f"it plays push only, not {rules.name}"


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
        plays=push_only,
    ),
)
