"""The agents and trainers of Sokoban; the classes behind them are imported when they are made."""

from collections.abc import Callable

from ai.entries import Entry, Spec, Trainer
from ai.family import Family, Opponent, Unit
from ai.settings import parameters_of
from ai.sokoban.dqn import settings as dqn
from ai.sokoban.dqn.report import settings as dqn_report
from ai.sokoban.policy import settings as policy
from ai.sokoban.search import settings as search
from game.rules import sokoban


def push_only(state: sokoban.State) -> str | None:
    """Why an agent that knows only pushes cannot play a position; None where it can."""
    rules = state.warehouse.rules
    if rules == sokoban.PUSH_ONLY and state.warehouse.entry < 0:
        return None
    return f"it plays push only, not {rules.name}"


def every_variant(state: sokoban.State) -> str | None:
    """Why an agent that knows all rules cannot play a position; None where it can."""
    return "it does not play levels backwards" if state.warehouse.entry >= 0 else None


def one_player(state: sokoban.State) -> str | None:
    """Why an agent that moves one player cannot play a position; None where it can."""
    return "it plays with one player only" if state.warehouse.rules.players == 2 else every_variant(state)


def _solver(
    agent_id: str, title: str, summary: str, factory: str, told: type,
    plays: Callable[[sokoban.State], str | None] = every_variant,
) -> Entry:  # fmt: skip
    return Entry(agent_id, title, summary, f"ai.sokoban.{factory}", parameters_of(told), plays=plays)


_AGENTS: tuple[Entry, ...] = (
    _solver(
        "fess",
        "Strong solver",
        "Solves large levels by a packing plan and features; its solutions are not the shortest.",
        "fess.agent:Fess",
        search.FessSettings,
        push_only,
    ),
    _solver(
        "astar",
        "A* solver",
        "Finds a solution with the fewest pushes, or the fewest moves.",
        "search.bestfirst:AStar",
        search.BestFirstSettings,
    ),
    _solver(
        "weighted-astar",
        "Weighted A*",
        "Trusts its heuristic more than A* does: sooner done, and how much longer the solution can be is known.",
        "search.bestfirst:WeightedAStar",
        search.WeightedSettings,
    ),
    _solver(
        "greedy",
        "Greedy search",
        "Goes on from the position that looks nearest to a solution, whatever it has cost so far.",
        "search.bestfirst:Greedy",
        search.BestFirstSettings,
    ),
    _solver(
        "ucs",
        "Uniform cost",
        "The cheapest position first, without any heuristic: fewest pushes or moves.",
        "search.bestfirst:UniformCost",
        search.BlindSettings,
    ),
    _solver(
        "bfs",
        "Breadth-first",
        "Looks at everything in the order of its distance: fewest pushes or moves.",
        "search.bestfirst:BreadthFirst",
        search.BlindSettings,
    ),
    _solver(
        "ida",
        "IDA*",
        "Depth first under a limit that rises until there is a solution: fewest pushes or moves with little memory.",
        "search.ida:Ida",
        search.IdaSettings,
        one_player,
    ),
    _solver(
        "beam",
        "Beam search",
        "Keeps k positions and draws the next k from all that they lead to, the better the likelier. Quick; may miss.",
        "search.beam:Beam",
        search.BeamSettings,
    ),
    _solver(
        "lrta",
        "LRTA*",
        "Walks towards what looks nearest, learns on the way how far it is, and begins again knowing that.",
        "search.lrta:Lrta",
        search.LrtaSettings,
    ),
    Entry(
        "policy",
        "Policy network",
        "Trained on solved rooms: chooses every push at a glance, without a search, and shows how likely each is to it.",
        "ai.sokoban.policy.agent:Policy",
        parameters_of(policy.PolicySettings),
        needs_model=True,
        loader="ai.sokoban.policy.model:load",
        at_a_glance=True,
        plays=push_only,
    ),
    Entry(
        "policy-search",
        "Policy search",
        "Best-first search that follows what a trained network thinks likely; solves most rooms after looking at a few hundred "
        "positions.",
        "ai.sokoban.policy.search:PolicySearch",
        parameters_of(policy.PolicySearchSettings),
        needs_model=True,
        borrows="policy",
        plays=push_only,
    ),
    Entry(
        "dqn",
        "Deep Q-network",
        "Trained by playing one board, or rooms: takes the step of the highest Q value, without any search.",
        "ai.sokoban.dqn.agent:Dqn",
        parameters_of(dqn.DqnSettings),
        needs_model=True,
        loader="ai.sokoban.dqn.model:load",
        plays=dqn.why_not,
        board=dqn.board_name,
    ),
    _solver(
        "optimise",
        "Optimiser",
        "Takes another agent's solution and shortens it until time is over or it is proved the shortest.",
        "search.optimise:Optimise",
        search.OptimiseSettings,
        push_only,
    ),
)

_TRAINERS: tuple[Trainer, ...] = (
    Trainer(
        "policy",
        "Policy network",
        "Imitates exact search on rooms without end, its own games included: which box to push, and where to.",
        "ai.sokoban.policy.training:PolicyTraining",
        parameters_of(policy.Settings),
        figures=policy.FIGURES,
        needs_torch=True,
    ),
    Trainer(
        "dqn",
        "Deep Q-network",
        "Learns one board, or rooms, by playing: double, dueling, n-step, many games at once.",
        "ai.sokoban.dqn.training:DqnTraining",
        parameters_of(dqn.Settings),
        figures=dqn.FIGURES,
        warm="ai.sokoban.dqn.warm",
    ),
    Trainer(
        "dqn-report",
        "Deep Q-network, the report's",
        "As it was published, quirks included: for comparing, not for solving.",
        "ai.sokoban.dqn.report.training:ReportTraining",
        parameters_of(dqn_report.ReportSettings),
        figures=dqn_report.FIGURES,
        needs_torch=True,
    ),
)

_OPPONENTS: tuple[Opponent, ...] = (
    Opponent("Quick", "fess", "Solves most levels in a moment, but seldom by the shortest way."),
    Opponent(
        "Shortest",
        "optimise,optimal=moves",
        "Shortens its way until no way can be shorter, or a minute is over.",
        elsewhere="astar,optimal=moves",
    ),
    Opponent(
        "Watch it learn", "lrta", "Heads for what looks near, gets stuck, remembers it and begins again, wiser."
    ),
)

FAMILY = Family(
    agents=_AGENTS,
    strongest=(Spec("fess"), Spec("astar")),
    warm=(
        Unit(
            "ai.sokoban.warm:best_first",
            ("astar", "weighted-astar", "greedy", "ucs", "bfs", "fess", "optimise", "rooms"),
        ),
        Unit("ai.sokoban.warm:strong", ("fess",)),
        Unit("ai.sokoban.warm:policies", ("policy", "policy-search")),
        Unit("ai.sokoban.warm:q_network", ("dqn",)),
        Unit("ai.sokoban.warm:optimiser", ("optimise",)),
        Unit("ai.sokoban.warm:deepening", ("ida",)),
        Unit("ai.sokoban.warm:beams", ("beam",)),
        Unit("ai.sokoban.warm:learning", ("lrta",)),
        Unit("ai.sokoban.warm:rooms", ("rooms",)),
        Unit("ai.sokoban.warm:environments"),
    ),
    trainers=_TRAINERS,
    opponents=_OPPONENTS,
)
