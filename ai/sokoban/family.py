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
        "The strongest: plans where every box goes first. Large levels, but not the shortest way.",
        "fess.agent:Fess",
        search.FessSettings,
        push_only,
    ),
    _solver(
        "astar",
        "A* solver",
        "The shortest solution there is, in pushes or in moves. For small and middling levels.",
        "search.bestfirst:AStar",
        search.BestFirstSettings,
    ),
    _solver(
        "weighted-astar",
        "Weighted A*",
        "Faster than A*; its solution is a little longer, and it knows by how much at most.",
        "search.bestfirst:WeightedAStar",
        search.WeightedSettings,
    ),
    _solver(
        "greedy",
        "Greedy search",
        "Always goes on from what looks nearest to the end: fast, with long solutions.",
        "search.bestfirst:Greedy",
        search.BestFirstSettings,
    ),
    _solver(
        "ucs",
        "Uniform cost",
        "The shortest solution, without any idea where it is going: for tiny levels.",
        "search.bestfirst:UniformCost",
        search.BlindSettings,
    ),
    _solver(
        "bfs",
        "Breadth-first",
        "Looks at everything that is near, then further on: the shortest way in tiny levels.",
        "search.bestfirst:BreadthFirst",
        search.BlindSettings,
    ),
    _solver(
        "ida",
        "IDA*",
        "The shortest solution with very little memory: tries again and again, deeper each time.",
        "search.ida:Ida",
        search.IdaSettings,
        one_player,
    ),
    _solver(
        "beam",
        "Beam search",
        "Follows only the best few positions at a time: quick, but it may miss the way.",
        "search.beam:Beam",
        search.BeamSettings,
    ),
    _solver(
        "lrta",
        "LRTA*",
        "Walks, gets stuck, remembers why and starts again: watch it learn on small levels.",
        "search.lrta:Lrta",
        search.LrtaSettings,
    ),
    Entry(
        "policy",
        "Policy network",
        "A neural network that has seen many rooms solved and pushes at a glance, without searching.",
        "ai.sokoban.policy.agent:Policy",
        parameters_of(policy.PolicySettings),
        needs_model=True,
        loader="ai.sokoban.policy.model:load",
        plays=push_only,
    ),
    Entry(
        "policy-search",
        "Policy search",
        "Searches where a neural network thinks it worthwhile: solves most rooms after a short look.",
        "ai.sokoban.policy.search:PolicySearch",
        parameters_of(policy.PolicySearchSettings),
        needs_model=True,
        borrows="policy",
        plays=push_only,
    ),
    Entry(
        "dqn",
        "Deep Q-network",
        "Has learned by trial and error on one board, or on small rooms, and plays without searching.",
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
        "Takes another agent's solution and makes it shorter for as long as it has time.",
        "search.optimise:Optimise",
        search.OptimiseSettings,
        push_only,
    ),
)

_TRAINERS: tuple[Trainer, ...] = (
    Trainer(
        "policy",
        "Policy network",
        "A neural network learns from solved rooms, and from its own games, which box to push where.",
        "ai.sokoban.policy.training:PolicyTraining",
        parameters_of(policy.Settings),
        figures=policy.FIGURES,
        needs_torch=True,
    ),
    Trainer(
        "dqn",
        "Deep Q-network",
        "Learns one level, or small rooms, by trial and error, many games at once.",
        "ai.sokoban.dqn.training:DqnTraining",
        parameters_of(dqn.Settings),
        figures=dqn.FIGURES,
        warm="ai.sokoban.dqn.warm",
    ),
    Trainer(
        "dqn-report",
        "Deep Q-network, the report's",
        "The same as it was first published, mistakes included: to compare with, not to solve with.",
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
