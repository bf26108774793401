"""The agents and trainers of Sokoban; the classes behind them are imported when they are made."""

from dataclasses import replace

from ai.entries import Entry, Parameter, Spec, Trainer
from ai.family import Family, Unit
from ai.settings import parameters_of
from ai.sokoban.dqn import settings as dqn_settings
from ai.sokoban.dqn.report import settings as dqn_report_settings
from ai.sokoban.policy import settings as policy_settings
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


TIME = Parameter("time", "Time", "float", 60.0, "Seconds before it gives up.", 0.1, 3600.0, unit="s")
NODES = Parameter("nodes", "Nodes", "int", 50_000_000, "Positions before it gives up.", 1000, 50_000_000)
OPTIMAL = Parameter(
    "optimal", "Counts", "choice", "pushes", "What a solution should have few of.", choices=("pushes", "moves")
)
HEURISTIC = Parameter(
    "heuristic",
    "Heuristic",
    "choice",
    "matching",
    "What is left at least: for each box to its nearest target, as the crow walks or as it is pushed, or all boxes matched "
    "with targets.",
    choices=("manhattan", "push-distance", "matching"),
)
PRUNING = Parameter(
    "pruning",
    "Pruning",
    "choice",
    "corrals",
    "Positions left out: none, those with a dead square or frozen boxes, or also pushes away from a corral (fewest "
    "pushes and push only).",
    choices=("none", "deadlocks", "corrals"),
    advanced=True,
)
WEIGHT = Parameter(
    "weight", "Weight", "float", 2.0, "Of the heuristic; a solution costs at most so many times the least.", 1.0, 20.0
)


SUCCESSORS = Parameter(
    "successors",
    "Steps",
    "choice",
    "pushes",
    "What a step is: a push with its walk, or a single move.",
    choices=("pushes", "moves"),
)
PULLS = Parameter("pulls", "Pulls", "bool", True, "Whether boxes are pulled where the rules allow it.", advanced=True)
DEADLOCKS = replace(PRUNING, default="deadlocks")


def _best_first(agent_id: str, title: str, summary: str, *parameters: Parameter) -> Entry:
    return Entry(
        agent_id,
        "sokoban",
        title,
        summary,
        f"ai.sokoban.search.bestfirst:{agent_id.replace('-', '_')}",
        (TIME, NODES, *parameters, PRUNING),
        plays=every_variant,
    )


_SOLVERS: tuple[Entry, ...] = (
    Entry(
        "fess",
        "sokoban",
        "Strong solver",
        "Solves large levels by a packing plan and features; its solutions are not the shortest.",
        "ai.sokoban.fess.agent:Fess",
        (
            TIME,
            NODES,
            Parameter(
                "without",
                "Without",
                "choice",
                "nothing",
                "A part of the solver left out, to see what it is worth.",
                choices=(
                    "nothing",
                    "plan",
                    "early",
                    "advisors",
                    "follow-ups",
                    "corrals",
                    "patterns",
                    "stuck",
                    "backward",
                    "perimeter",
                    "portfolio",
                ),
                advanced=True,
            ),
            Parameter("cores", "Cores", "int", 1, "Searches that run at once.", 1, 5, advanced=True),
        ),
        plays=push_only,
    ),
    _best_first(
        "astar", "A* solver", "Finds a solution with the fewest pushes, or the fewest moves.", OPTIMAL, HEURISTIC
    ),
    _best_first(
        "weighted-astar",
        "Weighted A*",
        "Trusts its heuristic more than A* does: sooner done, and how much longer the solution can be is known.",
        WEIGHT,
        OPTIMAL,
        HEURISTIC,
    ),
    _best_first(
        "greedy",
        "Greedy search",
        "Goes on from the position that looks nearest to a solution, whatever it has cost so far.",
        OPTIMAL,
        HEURISTIC,
    ),
    _best_first(
        "ucs", "Uniform cost", "The cheapest position first, without any heuristic: fewest pushes or moves.", OPTIMAL
    ),
    _best_first(
        "bfs", "Breadth-first", "Looks at everything in the order of its distance: fewest pushes or moves.", OPTIMAL
    ),
    Entry(
        "ida",
        "sokoban",
        "IDA*",
        "Depth first under a limit that rises until there is a solution: fewest pushes or moves with little memory.",
        "ai.sokoban.search.ida:ida",
        (
            TIME,
            NODES,
            OPTIMAL,
            HEURISTIC,
            Parameter(
                "table",
                "Table",
                "int",
                1_000_000,
                "Positions remembered, which are not searched twice.",
                1000,
                16_000_000,
            ),
            PRUNING,
        ),
        plays=one_player,
    ),
    Entry(
        "beam",
        "sokoban",
        "Beam search",
        "Keeps k positions and draws the next k from all that they lead to, the better the likelier. Quick; may miss.",
        "ai.sokoban.search.beam:beam",
        (
            TIME,
            NODES,
            HEURISTIC,
            SUCCESSORS,
            Parameter("k", "Width", "int", 80, "Positions in the beam.", 1, 10_000),
            Parameter("iterations", "Iterations", "int", 1000, "Steps of the search before it gives up.", 1, 100_000),
            Parameter(
                "temperature",
                "Temperature",
                "float",
                1.0,
                "Of the softmax, in pushes: 0 takes the k best, more gives worse positions a chance.",
                0.0,
                100.0,
            ),
            Parameter(
                "remember", "Remember", "bool", True, "Whether a position that was in the beam never comes back."
            ),
            PULLS,
            DEADLOCKS,
        ),
        plays=every_variant,
    ),
    Entry(
        "lrta",
        "sokoban",
        "LRTA*",
        "Walks towards what looks nearest, learns on the way how far it is, and begins again knowing that.",
        "ai.sokoban.search.lrta:lrta",
        (
            TIME,
            NODES,
            HEURISTIC,
            SUCCESSORS,
            Parameter("steps", "Patience", "int", 50, "Steps without coming nearer before a restart.", 1, 10_000),
            Parameter("length", "Length", "int", 1000, "Steps from the start at most.", 1, 100_000),
            Parameter("restarts", "Restarts", "int", 500, "Before it gives up.", 0, 1_000_000),
            Parameter("extra", "Extra restarts", "int", 0, "After a solution, to shorten it.", 0, 1_000_000),
            PULLS,
            DEADLOCKS,
        ),
        plays=every_variant,
    ),
)
VIEWS = Parameter(
    "views",
    "Views",
    "int",
    1,
    "From how many sides it looks at the level, turned and mirrored: slower, and a little wiser.",
    1,
    8,
    advanced=True,
)

_POLICIES: tuple[Entry, ...] = (
    Entry(
        "policy",
        "sokoban",
        "Policy network",
        "Trained on solved rooms: chooses every push at a glance, without a search, and shows how likely each is to it.",
        "ai.sokoban.policy.agent:Policy",
        (
            replace(TIME, advanced=True),
            Parameter("pushes", "Pushes", "int", 500, "Before it gives up.", 1, 100_000),
            Parameter(
                "temperature",
                "Temperature",
                "float",
                0.0,
                "0 takes the likeliest push; above it pushes are drawn, unlikely ones the more often the higher it is.",
                0.0,
                10.0,
            ),
            Parameter(
                "levels",
                "Levels",
                "choice",
                "flat",
                "Push by push, or box by box: which one is brought to a target first, and then how.",
                choices=("flat", "macro"),
                advanced=True,
            ),
            replace(VIEWS, default=8),
            Parameter(
                "caution",
                "Caution",
                "int",
                4,
                "After so many of the likeliest pushes it looks whether the level can still be solved; 0: it does not.",
                0,
                16,
                advanced=True,
            ),
        ),
        needs_model=True,
        loader="ai.sokoban.policy.model:load",
        at_a_glance=True,
        plays=push_only,
    ),
    Entry(
        "policy-search",
        "sokoban",
        "Policy search",
        "Best-first search that follows what a trained network thinks likely; solves most rooms after looking at a few hundred "
        "positions.",
        "ai.sokoban.policy.search:policy_search",
        (
            TIME,
            Parameter(
                "expansions",
                "Expansions",
                "int",
                10_000,
                "Positions that the network looks at before it gives up.",
                1,
                10_000_000,
            ),
            Parameter(
                "batch",
                "Batch",
                "int",
                8,
                "Positions that it looks at together at most; one by one at first.",
                1,
                64,
                advanced=True,
            ),
            Parameter(
                "order",
                "Order",
                "choice",
                "log-odds",
                "Which position is next: the one with the least log-odds against its pushes, or as in LevinTS the one with the "
                "least depth by probability.",
                choices=("log-odds", "levin"),
            ),
            Parameter(
                "depth",
                "Depth",
                "float",
                0.0,
                "What a push costs by itself, with log-odds: above 0 short lines come before likely ones.",
                0.0,
                10.0,
                advanced=True,
            ),
            Parameter(
                "lost",
                "Lost",
                "float",
                0.0,
                "Positions are left out whose probability of being solvable is below; with 0 none is.",
                0.0,
                0.5,
                advanced=True,
            ),
            VIEWS,
        ),
        needs_model=True,
        borrows="policy",
        plays=push_only,
    ),
)

_DQN = Entry(
    "dqn",
    "sokoban",
    "Deep Q-network",
    "Trained by playing one board, or rooms: takes the step of the highest Q value, without any search.",
    "ai.sokoban.dqn.agent:Dqn",
    (
        Parameter("steps", "Steps", "int", 500, "Before it gives up.", 1, 100_000),
        Parameter(
            "plan",
            "Plan",
            "choice",
            "game",
            "Whether it plays the whole game in mind first, or shows the values of every step.",
            choices=("game", "step"),
        ),
        Parameter(
            "loops",
            "Refuse loops",
            "bool",
            False,
            "Never does the same again in a position where it has been.",
            advanced=True,
        ),
    ),
    needs_model=True,
    loader="ai.sokoban.dqn.model:load",
    plays=dqn_settings.why_not,
    board=dqn_settings.board_name,
)

_AGENTS: tuple[Entry, ...] = (
    *_SOLVERS,
    *_POLICIES,
    _DQN,
    Entry(
        "optimise",
        "sokoban",
        "Optimiser",
        "Takes another agent's solution and shortens it until time is over or it is proved the shortest.",
        "ai.sokoban.search.optimise:Optimise",
        (
            Parameter(
                "from",
                "Begins with",
                "choice",
                "fess",
                "The agent whose solution it shortens; that one gets half of the time and positions.",
                choices=tuple(entry.id for entry in _SOLVERS if not entry.needs_model),
            ),
            TIME,
            NODES,
            OPTIMAL,
        ),
        plays=push_only,
    ),
)

_TRAINERS: tuple[Trainer, ...] = (
    Trainer(
        "policy",
        "sokoban",
        "Policy network",
        "Imitates exact search on rooms without end, its own games included: which box to push, and where to.",
        "ai.sokoban.policy.training:PolicyTraining",
        parameters_of(policy_settings.Settings),
        figures=policy_settings.FIGURES,
        needs_torch=True,
    ),
    Trainer(
        "dqn",
        "sokoban",
        "Deep Q-network",
        "Learns one board, or rooms, by playing: double, dueling, n-step, many games at once.",
        "ai.sokoban.dqn.training:DqnTraining",
        parameters_of(dqn_settings.Settings),
        figures=dqn_settings.FIGURES,
        warm="ai.sokoban.dqn.warm",
    ),
    Trainer(
        "dqn-report",
        "sokoban",
        "Deep Q-network, the report's",
        "As it was published, quirks included: for comparing, not for solving.",
        "ai.sokoban.dqn.report.training:ReportTraining",
        parameters_of(dqn_report_settings.ReportSettings),
        figures=dqn_report_settings.FIGURES,
        needs_torch=True,
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
)
