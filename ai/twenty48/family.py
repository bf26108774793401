"""The agents and trainers of 2048 for the catalogue; the classes behind them are imported when they are made."""

from ai.entries import TIME, Entry, Parameter, Trainer

ENTRIES: tuple[Entry, ...] = (
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

RULES = ("tc", "td", "td-backward", "otd")

TRAINERS: tuple[Trainer, ...] = (
    Trainer(
        "ntuple",
        "twenty48",
        "N-tuple network",
        "Temporal difference learning of afterstate values from its own games.",
        "ai.twenty48.ntuple.training:NTupleTraining",
        (
            Parameter("size", "Size", "int", 4, "Rows of the board.", 3, 5),
            Parameter(
                "tuples",
                "Tuples",
                "text",
                "5x4",
                "5x4, 4x5, 4x6, 5x6, 8x6, or cells: '0123 4567 0145'; 4x6, 8x6 on 3×3; 6x4, 6x5 on 5×5.",
            ),
            Parameter("rule", "Rule", "choice", "tc", "What is learned from an error.", choices=RULES),
            Parameter("lam", "Lambda", "float", 0.0, "How much a later error counts for earlier moves.", 0.0, 0.85),
            Parameter("alpha", "Alpha", "float", 1.0, "Learning rate of TC.", 0.0001, 1.0),
            Parameter("td_alpha", "TD alpha", "float", 0.1, "Learning rate of TD.", 0.0001, 1.0),
            Parameter(
                "final", "Fade to", "float", 1.0, "What part of the rates is left after `fading` games.", 0.0, 1.0
            ),
            Parameter("fading", "Fading", "int", 0, "Games over which the rates fade, 0 for never.", 0, 10**9),
            Parameter(
                "optimistic", "First value", "float", 0.0, "What every board is worth at first.", 0.0, 10_000_000.0
            ),
            Parameter("td_share", "TD share", "float", 0.9, "Part of the games that otd learns by TD.", 0.0, 1.0),
            Parameter(
                "stages", "Stages", "text", "", "Sums of all tiles at which later stages begin: '16384 24576'."
            ),
            Parameter(
                "promote", "Promote", "bool", True, "Later stages begin with what the stage before knows, not with 0."
            ),
            Parameter("restart", "Restart", "bool", False, "Play on from the middle of games until they are short."),
            Parameter("carousel", "Carousel", "bool", False, "Begin every stage as often as the first."),
            Parameter(
                "replays", "Replays", "text", "", "Games in which later stages may begin: a replay or a folder."
            ),
            Parameter("late", "Late", "bool", False, "The first stage is played, not learned: it is known already."),
            Parameter(
                "known",
                "Known",
                "int",
                15,
                "Tiles above 2**known are looked at as halved in the first stage.",
                11,
                15,
            ),
            Parameter(
                "least", "Least", "float", 0.0, "Weights with a smaller sum of errors are left out.", 0.0, 1_000_000.0
            ),
            Parameter("games", "Games", "int", 0, "Games to play, 0 for no limit.", 0, 1_000_000_000),
            Parameter("seconds", "Time", "float", 0.0, "Seconds to learn, 0 for no limit.", 0, 10_000_000, unit="s"),
            Parameter("threads", "Threads", "int", 1, "More than one: faster, but never twice the same.", 1, 64),
        ),
        from_models=True,
    ),
    Trainer(
        "ntuple-report",
        "twenty48",
        "Report's n-tuple network",
        "The learning of the report this project grew from, or the correct rule beside it.",
        "ai.twenty48.report.training:ReportTraining",
        (
            Parameter("games", "Games", "int", 0, "Games to play, 0 for no limit.", 0, 1_000_000_000),
            Parameter("seconds", "Time", "float", 0.0, "Seconds to learn, 0 for no limit.", 0, 10_000_000, unit="s"),
            Parameter(
                "alpha", "Alpha", "float", 0.01, "Learning rate; the report tried 0.0025 to 0.05.", 0.0001, 1.0
            ),
            Parameter(
                "rule",
                "Rule",
                "choice",
                "report",
                "The report's target leaves rewards out; correct is TD(0).",
                choices=("report", "correct"),
            ),
            Parameter("symmetries", "Symmetries", "bool", True, "Look patterns up in all eight positions."),
        ),
    ),
)
