"""The agents and trainers of connect-4; the classes behind them are imported when they are made."""

from ai.connect4.alphabeta import settings as alphabeta
from ai.connect4.board.names import board_name
from ai.connect4.exact import settings as exact
from ai.connect4.exact.bitboard_shape import why_not
from ai.connect4.mcts import settings as mcts
from ai.connect4.net import settings as net
from ai.connect4.ntuple import settings as ntuple
from ai.connect4.report import settings as report
from ai.entries import Entry, Spec, Trainer
from ai.family import Family, Opponent, Unit
from ai.settings import parameters_of
from game.rules.connect4 import State


def _board(state: State) -> str:
    return board_name(state.shape)


_AGENTS: tuple[Entry, ...] = (
    Entry(
        "perfect",
        "Perfect",
        "Exact: knows or proves what every column is worth; four in a row on flat boards, for two.",
        "ai.connect4.exact.agent:Perfect",
        parameters_of(exact.PerfectSettings),
        loader="ai.connect4.exact.book:load",
        finds_model=True,
        plays=lambda state: why_not(state.shape),
        board=_board,
    ),
    Entry(
        "alphabeta",
        "Alpha-beta",
        "Iterative deepening; against several players it takes all others for one opponent.",
        "ai.connect4.alphabeta.agent:AlphaBeta",
        parameters_of(alphabeta.SearchSettings),
    ),
    Entry(
        "minimax",
        "Minimax",
        "Every position to the depth, nothing left out: the plain search that the others are measured by.",
        "ai.connect4.alphabeta.multiplayer_agents:Minimax",
        parameters_of(alphabeta.SearchSettings),
    ),
    Entry(
        "maxn",
        "Max^n",
        "Iterative deepening where everybody plays for itself.",
        "ai.connect4.alphabeta.multiplayer_agents:MaxN",
        parameters_of(alphabeta.SearchSettings),
    ),
    Entry(
        "brs",
        "Best-reply search",
        "Iterative deepening where only the strongest opponent answers each move.",
        "ai.connect4.alphabeta.multiplayer_agents:BestReply",
        parameters_of(alphabeta.SearchSettings),
    ),
    Entry(
        "brs+",
        "Best-reply search in turn",
        "All opponents answer in turn, but only one of them chooses freely.",
        "ai.connect4.alphabeta.multiplayer_agents:BestReplyPlus",
        parameters_of(alphabeta.SearchSettings),
    ),
    Entry(
        "qlearning",
        "Q-learning",
        "The report's table of values, learned from hundreds of thousands of games.",
        "ai.connect4.report.agent:QAgent",
        parameters_of(report.QSettings),
        needs_model=True,
        loader="ai.connect4.report.model:load",
        board=_board,
        measured_with={"fallback": "random"},
    ),
    Entry(
        "mcts",
        "Monte-Carlo search",
        "Plays many games on from the position, or asks a network; every player for itself, what is decided is proved.",
        "ai.connect4.mcts.agent:Mcts",
        parameters_of(mcts.MctsSettings),
        borrows="net",
        board=_board,
    ),
    Entry(
        "greedy",
        "Greedy",
        "Wins if it can, or plays what looks best at once.",
        "ai.connect4.report.players:Greedy",
        parameters_of(alphabeta.GreedySettings),
    ),
    Entry(
        "offensive",
        "Offensive",
        "Extends its own runs; its best action nine times out of ten.",
        "ai.connect4.report.players:Offensive",
        parameters_of(alphabeta.StoneSettings),
    ),
    Entry(
        "defensive",
        "Defensive",
        "Blocks the others' runs; its best action nine times out of ten.",
        "ai.connect4.report.players:Defensive",
        parameters_of(alphabeta.StoneSettings),
    ),
    Entry(
        "ntuple",
        "N-tuple network",
        "Plays what leaves it in the best position by learned line patterns, without search.",
        "ai.connect4.ntuple.agent:NTuple",
        needs_model=True,
        loader="ai.connect4.ntuple.model:load",
        made_of="Tuples",
        board=_board,
    ),
    Entry(
        "net",
        "Policy and value network",
        "Plays the column that a small network chooses, without search.",
        "ai.connect4.net.agent:Net",
        needs_model=True,
        loader="ai.connect4.net.model:load",
        board=_board,
    ),
    Entry(
        "random",
        "Random",
        "Any column that is not full.",
        "ai.connect4.board.baselines:RandomAgent",
    ),
)

_TRAINERS: tuple[Trainer, ...] = (
    Trainer(
        "qlearning",
        "Q-learning",
        "Learns by trial and error what every move is worth, as in the report this project grew from.",
        "ai.connect4.report.training:QLearning",
        parameters_of(report.Settings),
        figures=report.FIGURES,
        warm="ai.connect4.report.warm",
    ),
    Trainer(
        "book",
        "Opening book",
        "Exact scores of the openings that the exact solver does not solve in a moment.",
        "ai.connect4.exact.book_training:BookTraining",
        parameters_of(exact.Settings),
        figures=exact.FIGURES,
    ),
    Trainer(
        "ntuple",
        "N-tuple network",
        "Values of positions by line patterns, from its own games and, on flat boards for two, from exact labels.",
        "ai.connect4.ntuple.training:NTupleTraining",
        parameters_of(ntuple.Settings),
        figures=ntuple.FIGURES,
        warm="ai.connect4.ntuple.warm",
    ),
    Trainer(
        "net",
        "Policy and value network",
        "A small network for flat boards and two players, from exactly solved positions.",
        "ai.connect4.net.training:NetTraining",
        parameters_of(net.Settings),
        figures=net.FIGURES,
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
    warm=(
        Unit("ai.connect4.warm:alphabeta", ("alphabeta", "qlearning", "openings", "oracle")),
        Unit("ai.connect4.warm:exact", ("perfect", "oracle")),
        Unit("ai.connect4.warm:monte_carlo", ("mcts",)),
        Unit("ai.connect4.warm:several_players", ("minimax", "maxn", "brs", "brs+")),
        Unit("ai.connect4.warm:networks", ("ntuple",)),
        Unit("ai.connect4.warm:of_the_report", ("greedy", "offensive", "defensive", "qlearning")),
    ),
    oracle="ai.connect4.oracle:Oracle",
    decided="ai.connect4.alphabeta.balance:decided",
    trainers=_TRAINERS,
    opponents=_OPPONENTS,
    rated_in="Elo",
)
