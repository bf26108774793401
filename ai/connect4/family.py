"""The agents and trainers of connect-4; the classes behind them are imported when they are made."""

from ai.connect4.board.names import board_name
from ai.connect4.exact import book_settings
from ai.connect4.exact.bitboard_shape import why_not
from ai.connect4.net import settings as net_settings
from ai.connect4.ntuple import settings as ntuple_settings
from ai.connect4.report import settings as qlearning_settings
from ai.entries import TIME, Entry, Parameter, Spec, Trainer
from ai.family import Family, Unit
from ai.settings import parameters_of

_HEURISTIC = Parameter(
    "heuristic",
    "Heuristic",
    "choice",
    "lines",
    "What positions are judged by: lines (ours), or one of the report's.",
    choices=("lines", "complex", "ibef2", "only-best-opponent"),
)
_RANDOM_MOVES = Parameter(
    "random_moves", "Random moves", "float", 0.0, "Probability of a move at random.", 0.0, 1.0, advanced=True
)
_SEARCH = (TIME, Parameter("depth", "Depth", "int", 64, "Plies at most.", 1, 64), _HEURISTIC, _RANDOM_MOVES)

_AGENTS: tuple[Entry, ...] = (
    Entry(
        "perfect",
        "connect4",
        "Perfect",
        "Exact: knows or proves what every column is worth; four in a row on flat boards, for two.",
        "ai.connect4.exact.agent:Perfect",
        (TIME, Parameter("book", "Book", "bool", True, "Look openings up in the book.", advanced=True)),
        loader="ai.connect4.exact.book:load",
        finds_model=True,
        plays=lambda state: why_not(state.shape),
        board=lambda state: board_name(state.shape),
    ),
    Entry(
        "alphabeta",
        "connect4",
        "Alpha-beta",
        "Iterative deepening; against several players it takes all others for one opponent.",
        "ai.connect4.alphabeta.agent:AlphaBeta",
        _SEARCH,
    ),
    Entry(
        "minimax",
        "connect4",
        "Minimax",
        "Every position to the depth, nothing left out: the plain search that the others are measured by.",
        "ai.connect4.alphabeta.multiplayer_agents:Minimax",
        _SEARCH,
    ),
    Entry(
        "maxn",
        "connect4",
        "Max^n",
        "Iterative deepening where everybody plays for itself.",
        "ai.connect4.alphabeta.multiplayer_agents:MaxN",
        _SEARCH,
    ),
    Entry(
        "brs",
        "connect4",
        "Best-reply search",
        "Iterative deepening where only the strongest opponent answers each move.",
        "ai.connect4.alphabeta.multiplayer_agents:BestReply",
        _SEARCH,
    ),
    Entry(
        "brs+",
        "connect4",
        "Best-reply search in turn",
        "All opponents answer in turn, but only one of them chooses freely.",
        "ai.connect4.alphabeta.multiplayer_agents:BestReplyPlus",
        _SEARCH,
    ),
    Entry(
        "qlearning",
        "connect4",
        "Q-learning",
        "The report's table of values, learned from hundreds of thousands of games.",
        "ai.connect4.report.agent:QAgent",
        (
            Parameter(
                "fallback",
                "Where new",
                "choice",
                "alphabeta",
                "What is played in positions that the table does not know.",
                choices=("alphabeta", "random"),
            ),
        ),
        needs_model=True,
        loader="ai.connect4.report.model:load",
        board=lambda state: board_name(state.shape),
    ),
    Entry(
        "mcts",
        "connect4",
        "Monte-Carlo search",
        "Plays many games on from the position, or asks a network; every player for itself, what is decided is proved.",
        "ai.connect4.mcts.agent:Mcts",
        (
            TIME,
            Parameter("simulations", "Simulations", "int", 0, "Instead of the time; 0 for by time.", 0, 100_000_000),
            Parameter(
                "exploration",
                "Exploration",
                "float",
                1.0,
                "How much moves seldom tried count.",
                0.0,
                10.0,
                advanced=True,
            ),
            Parameter(
                "solver", "Solver", "bool", True, "Prove results; off with random playouts: plain UCT.", advanced=True
            ),
            Parameter(
                "playout",
                "Playouts",
                "choice",
                "forced",
                "Take wins and block threats, or play at random.",
                choices=("forced", "random"),
                advanced=True,
            ),
        ),
        borrows="net",
        board=lambda state: board_name(state.shape),
    ),
    Entry(
        "greedy",
        "connect4",
        "Greedy",
        "Wins if it can, or plays what looks best at once.",
        "ai.connect4.report.players:Greedy",
        (_HEURISTIC, _RANDOM_MOVES),
    ),
    Entry(
        "offensive",
        "connect4",
        "Offensive",
        "Extends its own runs; its best action nine times out of ten.",
        "ai.connect4.report.players:Offensive",
        (_RANDOM_MOVES,),
    ),
    Entry(
        "defensive",
        "connect4",
        "Defensive",
        "Blocks the others' runs; its best action nine times out of ten.",
        "ai.connect4.report.players:Defensive",
        (_RANDOM_MOVES,),
    ),
    Entry(
        "ntuple",
        "connect4",
        "N-tuple network",
        "Plays what leaves it in the best position by learned line patterns, without search.",
        "ai.connect4.ntuple.agent:NTuple",
        needs_model=True,
        loader="ai.connect4.ntuple.model:load",
        made_of="Tuples",
        board=lambda state: board_name(state.shape),
    ),
    Entry(
        "net",
        "connect4",
        "Policy and value network",
        "Plays the column that a small network chooses, without search.",
        "ai.connect4.net.agent:Net",
        needs_model=True,
        loader="ai.connect4.net.model:load",
        board=lambda state: board_name(state.shape),
    ),
    Entry("random", "connect4", "Random", "Any column that is not full.", "ai.connect4.board.baselines:RandomAgent"),
)

_TRAINERS: tuple[Trainer, ...] = (
    Trainer(
        "qlearning",
        "connect4",
        "Q-learning",
        "Learns by trial and error what every move is worth, as in the report this project grew from.",
        "ai.connect4.report.training:QLearning",
        parameters_of(qlearning_settings.Settings),
        figures=qlearning_settings.FIGURES,
        warm="ai.connect4.report.warm",
    ),
    Trainer(
        "book",
        "connect4",
        "Opening book",
        "Exact scores of the openings that the exact solver does not solve in a moment.",
        "ai.connect4.exact.book_training:BookTraining",
        parameters_of(book_settings.Settings),
        figures=book_settings.FIGURES,
    ),
    Trainer(
        "ntuple",
        "connect4",
        "N-tuple network",
        "Values of positions by line patterns, from its own games and, on flat boards for two, from exact labels.",
        "ai.connect4.ntuple.training:NTupleTraining",
        parameters_of(ntuple_settings.Settings),
        figures=ntuple_settings.FIGURES,
        warm="ai.connect4.ntuple.warm",
    ),
    Trainer(
        "net",
        "connect4",
        "Policy and value network",
        "A small network for flat boards and two players, from exactly solved positions.",
        "ai.connect4.net.training:NetTraining",
        parameters_of(net_settings.Settings),
        figures=net_settings.FIGURES,
        needs_torch=True,
    ),
)

FAMILY = Family(
    agents=_AGENTS,
    strongest=(Spec("perfect"), Spec("alphabeta")),
    warm=(
        Unit("ai.connect4.warm:alphabeta", ("alphabeta", "qlearning", "openings")),
        Unit("ai.connect4.warm:exact", ("perfect",)),
        Unit("ai.connect4.warm:monte_carlo", ("mcts",)),
        Unit("ai.connect4.warm:several_players", ("minimax", "maxn", "brs", "brs+")),
        Unit("ai.connect4.warm:networks", ("ntuple",)),
        Unit("ai.connect4.warm:of_the_report", ("greedy", "offensive", "defensive", "qlearning")),
    ),
    decided="ai.connect4.alphabeta.balance:decided",
    trainers=_TRAINERS,
)
