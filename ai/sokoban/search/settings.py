"""What the searches of Sokoban can be told. Needs no kernels."""

from dataclasses import dataclass

from ai.settings import setting


def most_seconds() -> float:
    """The field `time`; it holds where a request sets no limit of its own."""
    return setting(60.0, "Time", "Seconds before it gives up.", 0.1, 3600.0, unit="s")


def most_nodes() -> int:
    """The field `nodes`, likewise."""
    return setting(50_000_000, "Nodes", "Positions before it gives up.", 1000, 50_000_000)


def optimal() -> str:
    """The field `optimal`."""
    return setting("pushes", "Counts", "What a solution should have few of.", choices=("pushes", "moves"))


def heuristic() -> str:
    """The field `heuristic`."""
    text = (
        "What is left at least: for each box to its nearest target, as the crow walks or as it is pushed, or all boxes matched "
        "with targets."
    )
    return setting("matching", "Heuristic", text, choices=("manhattan", "push-distance", "matching"))


def pruning(default: str = "corrals") -> str:
    """The field `pruning`."""
    text = (
        "Positions left out: none, those with a dead square or frozen boxes, or also pushes away from a corral (fewest "
        "pushes and push only)."
    )
    choices = ("none", "deadlocks", "corrals")
    return setting(default, "Pruning", text, choices=choices, advanced=True)


def successors() -> str:
    """The field `successors`."""
    return setting(
        "pushes", "Steps", "What a step is: a push with its walk, or a single move.", choices=("pushes", "moves")
    )


def pulls() -> bool:
    """The field `pulls`."""
    return setting(True, "Pulls", "Whether boxes are pulled where the rules allow it.", advanced=True)


@dataclass(eq=False)
class Budget:
    """All of them have these limits."""

    time: float = most_seconds()
    nodes: int = most_nodes()


@dataclass(eq=False)
class FessSettings(Budget):
    """Of `fess`."""

    without: str = setting(
        "nothing",
        "Without",
        "A part of the solver left out, to see what it is worth.",
        choices=(
            "nothing", "plan", "early", "advisors", "follow-ups", "corrals", "patterns", "stuck", "backward", "perimeter",
            "portfolio",
        ),
        advanced=True,
    )  # fmt: skip
    cores: int = setting(1, "Cores", "Searches that run at once.", 1, 5, advanced=True)


@dataclass(eq=False)
class BlindSettings(Budget):
    """Of `ucs` and `bfs`."""

    optimal: str = optimal()
    pruning: str = pruning()


@dataclass(eq=False)
class BestFirstSettings(Budget):
    """Of `astar` and `greedy`."""

    optimal: str = optimal()
    heuristic: str = heuristic()
    pruning: str = pruning()


@dataclass(eq=False)
class WeightedSettings(Budget):
    """Of `weighted-astar`."""

    weight: float = setting(
        2.0, "Weight", "Of the heuristic; a solution costs at most so many times the least.", 1.0, 20.0
    )
    optimal: str = optimal()
    heuristic: str = heuristic()
    pruning: str = pruning()


@dataclass(eq=False)
class IdaSettings(Budget):
    """Of `ida`."""

    optimal: str = optimal()
    heuristic: str = heuristic()
    table: int = setting(1_000_000, "Table", "Positions remembered, which are not searched twice.", 1000, 16_000_000)
    pruning: str = pruning()


@dataclass(eq=False)
class BeamSettings(Budget):
    """Of `beam`."""

    heuristic: str = heuristic()
    successors: str = successors()
    k: int = setting(80, "Width", "Positions in the beam.", 1, 10_000)
    iterations: int = setting(1000, "Iterations", "Steps of the search before it gives up.", 1, 100_000)
    temperature: float = setting(
        1.0, "Temperature", "Of the softmax, in pushes: 0 takes the k best, more gives worse positions a chance.", 0.0, 100.0
    )  # fmt: skip
    remember: bool = setting(True, "Remember", "Whether a position that was in the beam never comes back.")
    pulls: bool = pulls()
    pruning: str = pruning("deadlocks")


@dataclass(eq=False)
class LrtaSettings(Budget):
    """Of `lrta`."""

    heuristic: str = heuristic()
    successors: str = successors()
    steps: int = setting(50, "Patience", "Steps without coming nearer before a restart.", 1, 10_000)
    length: int = setting(1000, "Length", "Steps from the start at most.", 1, 100_000)
    restarts: int = setting(500, "Restarts", "Before it gives up.", 0, 1_000_000)
    extra: int = setting(0, "Extra restarts", "After a solution, to shorten it.", 0, 1_000_000)
    pulls: bool = pulls()
    pruning: str = pruning("deadlocks")


@dataclass(eq=False)
class OptimiseSettings:
    """Of `optimise`."""

    from_: str = setting(
        "fess",
        "Begins with",
        "The agent whose solution it shortens; that one gets half of the time and positions.",
        choices=("fess", "astar", "weighted-astar", "greedy", "ucs", "bfs", "ida", "beam", "lrta"),
    )
    time: float = most_seconds()
    nodes: int = most_nodes()
    optimal: str = optimal()
