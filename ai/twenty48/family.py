"""The agents and trainers of 2048; the classes behind them are imported when they are made."""

from ai.entries import TIME, Entry, Parameter, Spec, Trainer
from ai.family import Family, Unit
from ai.settings import parameters_of
from ai.twenty48.ntuple import settings as ntuple_settings
from ai.twenty48.report import settings as ntuple_report_settings

_AGENTS: tuple[Entry, ...] = (
    Entry(
        "expectimax",
        "twenty48",
        "Expectimax",
        "Looks ahead over moves and spawns with a hand-made evaluation.",
        "ai.twenty48.search.expectimax:Expectimax",
        (Parameter("depth", "Depth", "int", 4, "Own moves looked ahead at most.", 1, 5),),
    ),
    Entry(
        "ntuple",
        "twenty48",
        "N-tuple network",
        "Plays by values learned from many games.",
        "ai.twenty48.ntuple.agent:NTuple",
        (
            Parameter("plies", "Plies", "int", 1, "Own moves looked ahead.", 1, 5),
            Parameter(
                "time",
                "Time",
                "float",
                0.0,
                "Instead of plies: as deep as so many seconds allow, 0 for no time.",
                0.0,
                600.0,
                unit="s",
                advanced=True,
            ),
            Parameter(
                "empties",
                "Crowded",
                "int",
                0,
                "One ply more with at most so many empty cells.",
                0,
                16,
                advanced=True,
            ),
        ),
        needs_model=True,
        loader="ai.twenty48.ntuple.model:load",
        made_of="Tuples",
        values="points",
        board=lambda state: f"{state.size}x{state.size}",
    ),
    Entry(
        "ntuple-report",
        "twenty48",
        "Report's n-tuple network",
        "The network of the report this project grew from, one move ahead.",
        "ai.twenty48.report.agent:NTupleReport",
        needs_model=True,
        loader="ai.twenty48.report.model:load",
        made_of="Tuples",
        values="reward and rating",
        board=lambda state: f"{state.size}x{state.size}",
    ),
    Entry(
        "mcts",
        "twenty48",
        "Monte-Carlo search",
        "Plays many games on from the position and looks deeper where they go well.",
        "ai.twenty48.mcts.agent:Mcts",
        (
            Parameter("simulations", "Simulations", "int", 2_000, "For one move at most.", 10, 10_000_000),
            TIME,
            Parameter(
                "rollout", "Rollout", "int", 5, "Moves played on from a leaf at most.", 0, 1_000, advanced=True
            ),
            Parameter(
                "policy",
                "Rollouts by",
                "choice",
                "evaluation",
                "How rollouts choose their moves.",
                choices=("evaluation", "greedy", "random"),
                advanced=True,
            ),
            Parameter(
                "value",
                "Worth",
                "choice",
                "evaluation",
                "What counts after a rollout: the board, or points made.",
                choices=("evaluation", "score"),
                advanced=True,
            ),
            Parameter(
                "exploration",
                "Exploration",
                "float",
                2.0,
                "How much moves seldom tried count.",
                0.0,
                100.0,
                advanced=True,
            ),
        ),
        points_with=("value", "score"),
    ),
    Entry("greedy", "twenty48", "Greedy", "The largest reward at once.", "ai.twenty48.search.baselines:GreedyAgent"),
    Entry("random", "twenty48", "Random", "Any legal move.", "ai.twenty48.search.baselines:RandomAgent"),
)

_TRAINERS: tuple[Trainer, ...] = (
    Trainer(
        "ntuple",
        "twenty48",
        "N-tuple network",
        "Temporal difference learning of afterstate values from its own games.",
        "ai.twenty48.ntuple.training:NTupleTraining",
        parameters_of(ntuple_settings.Settings),
        figures=ntuple_settings.FIGURES,
        from_models=True,
        warm="ai.twenty48.ntuple.warm",
    ),
    Trainer(
        "ntuple-report",
        "twenty48",
        "Report's n-tuple network",
        "The learning of the report this project grew from, or the correct rule beside it.",
        "ai.twenty48.report.training:ReportTraining",
        parameters_of(ntuple_report_settings.Settings),
        figures=ntuple_report_settings.FIGURES,
        warm="ai.twenty48.report.warm",
    ),
)

FAMILY = Family(
    agents=_AGENTS,
    strongest=(Spec("ntuple", {"plies": 3}), Spec("expectimax")),
    warm=(
        Unit("ai.twenty48.warm:expectimax", ("expectimax",)),
        Unit("ai.twenty48.warm:networks", ("ntuple",)),
        Unit("ai.twenty48.warm:monte_carlo", ("mcts",)),
        Unit("ai.twenty48.warm:of_the_report", ("ntuple-report",)),
        Unit("ai.twenty48.warm:baselines", ("greedy", "random")),
        Unit("ai.twenty48.warm:environments"),
    ),
    trainers=_TRAINERS,
)
