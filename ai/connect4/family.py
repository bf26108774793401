"""The agents and trainers of connect-4; the classes behind them are imported when they are made."""

from ai.connect4.board.names import board_name
from ai.connect4.exact import book_settings
from ai.connect4.exact.bitboard_shape import why_not
from ai.connect4.net import settings as net_settings
from ai.connect4.ntuple import settings as ntuple_settings
from ai.connect4.report import settings as qlearning_settings
from ai.entries import TIME, Entry, Parameter, Spec, Trainer
from ai.family import Family, Opponent
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
        "Never makes a mistake. Two players, flat boards, four in a row.",
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
        "Looks as many moves ahead as its time allows. Strong on every board.",
        "ai.connect4.alphabeta.agent:AlphaBeta",
        _SEARCH,
    ),
    Entry(
        "minimax",
        "connect4",
        "Minimax",
        "Looks at every move there is, to one depth: slower than alpha-beta, to compare with.",
        "ai.connect4.alphabeta.multiplayer_agents:Minimax",
        _SEARCH,
    ),
    Entry(
        "maxn",
        "connect4",
        "Max^n",
        "For three and more players: thinks that everybody plays for himself.",
        "ai.connect4.alphabeta.multiplayer_agents:MaxN",
        _SEARCH,
    ),
    Entry(
        "brs",
        "connect4",
        "Best-reply search",
        "For three and more: only the most dangerous opponent answers, so that it sees further.",
        "ai.connect4.alphabeta.multiplayer_agents:BestReply",
        _SEARCH,
    ),
    Entry(
        "brs+",
        "connect4",
        "Best-reply search in turn",
        "For three and more: all answer in turn, but only one of them is free to choose.",
        "ai.connect4.alphabeta.multiplayer_agents:BestReplyPlus",
        _SEARCH,
    ),
    Entry(
        "qlearning",
        "connect4",
        "Q-learning",
        "Has learned by trial and error from very many games; knows only what it has met.",
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
        "Tries the game out in its head many times, and does what went well. Every board.",
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
        "Looks at this move only: wins if it can, or takes what looks best.",
        "ai.connect4.report.players:Greedy",
        (_HEURISTIC, _RANDOM_MOVES),
    ),
    Entry(
        "offensive",
        "connect4",
        "Offensive",
        "Only cares for its own rows, and never stops yours.",
        "ai.connect4.report.players:Offensive",
        (_RANDOM_MOVES,),
    ),
    Entry(
        "defensive",
        "connect4",
        "Defensive",
        "Only stops the others' rows, and hardly builds its own.",
        "ai.connect4.report.players:Defensive",
        (_RANDOM_MOVES,),
    ),
    Entry(
        "ntuple",
        "connect4",
        "N-tuple network",
        "Has learned which patterns of stones are good, and plays at a glance.",
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
        "A small neural network that chooses a column at a glance.",
        "ai.connect4.net.agent:Net",
        needs_model=True,
        loader="ai.connect4.net.model:load",
        board=lambda state: board_name(state.shape),
    ),
    Entry("random", "connect4", "Random", "Drops its stone anywhere.", "ai.connect4.board.baselines:RandomAgent"),
)

_TRAINERS: tuple[Trainer, ...] = (
    Trainer(
        "qlearning",
        "connect4",
        "Q-learning",
        "Learns by trial and error what every move is worth.",
        "ai.connect4.report.training:QLearning",
        parameters_of(qlearning_settings.Settings),
        figures=qlearning_settings.FIGURES,
        warm="ai.connect4.report.warm",
    ),
    Trainer(
        "book",
        "connect4",
        "Opening book",
        "Works out openings exactly, so that perfect play answers them at once.",
        "ai.connect4.exact.book_training:BookTraining",
        parameters_of(book_settings.Settings),
        figures=book_settings.FIGURES,
    ),
    Trainer(
        "ntuple",
        "connect4",
        "N-tuple network",
        "Learns which patterns of stones are good, from its own games and from solved positions.",
        "ai.connect4.ntuple.training:NTupleTraining",
        parameters_of(ntuple_settings.Settings),
        figures=ntuple_settings.FIGURES,
        warm="ai.connect4.ntuple.warm",
    ),
    Trainer(
        "net",
        "connect4",
        "Policy and value network",
        "A small neural network learns from exactly solved positions which column is best.",
        "ai.connect4.net.training:NetTraining",
        parameters_of(net_settings.Settings),
        figures=net_settings.FIGURES,
        needs_torch=True,
    ),
)

_OPPONENTS: tuple[Opponent, ...] = (
    Opponent(
        "Newcomer",
        "greedy,random_moves=0.8",
        "Drops most stones anywhere, and sometimes sees that it can win.",
        0.0,
        0.0,
    ),
    Opponent(
        "Learner",
        "greedy,random_moves=0.4",
        "Likes its stones in a row, but does not look at what you are up to.",
        165,
        10,
    ),
    Opponent(
        "Casual",
        "alphabeta,depth=1,random_moves=0.45",
        "Wins and blocks when it looks, which is about every other stone.",
        289,
        11,
    ),
    Opponent(
        "Steady",
        "alphabeta,depth=1,random_moves=0.25",
        "Blocks most of your threats; one stone in four is a slip.",
        437,
        13,
    ),
    Opponent(
        "Skilled",
        "alphabeta,depth=1,random_moves=0.05",
        "Hardly ever misses a threat, but does not plan ahead.",
        642,
        15,
    ),
    Opponent(
        "Expert",
        "alphabeta,depth=2",
        "Misses no threat, and thinks of your answer to every stone.",
        858,
        17,
    ),
    Opponent(
        "Champion",
        "alphabeta,depth=6",
        "Thinks six stones ahead and sets two threats at once.",
        1039,
        19,
    ),
    Opponent(
        "Perfect",
        "perfect",
        "Works out the best stone every time: to beat it, begin and make no mistake at all.",
        1190,
        28,
    ),
)
"""Rated by `python scripts/measure_strengths.py connect4 --games 1000 --strongest 200 --seed 1`, 2026-11-24."""

FAMILY = Family(
    agents=_AGENTS,
    strongest=(Spec("perfect"), Spec("alphabeta")),
    warm=("ai.connect4.warm",),
    oracle="ai.connect4.oracle:Oracle",
    decided="ai.connect4.alphabeta.balance:decided",
    trainers=_TRAINERS,
    opponents=_OPPONENTS,
    rated_in="Elo",
)
