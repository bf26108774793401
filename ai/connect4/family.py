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
        "Never makes a mistake. Two players, flat boards, four in a row.",
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
        "Looks as many moves ahead as its time allows. Strong on every board.",
        "ai.connect4.alphabeta.agent:AlphaBeta",
        parameters_of(alphabeta.SearchSettings),
    ),
    Entry(
        "minimax",
        "Minimax",
        "Looks at every move there is, to one depth: slower than alpha-beta, to compare with.",
        "ai.connect4.alphabeta.multiplayer_agents:Minimax",
        parameters_of(alphabeta.SearchSettings),
    ),
    Entry(
        "maxn",
        "Max^n",
        "For three and more players: thinks that everybody plays for himself.",
        "ai.connect4.alphabeta.multiplayer_agents:MaxN",
        parameters_of(alphabeta.SearchSettings),
    ),
    Entry(
        "brs",
        "Best-reply search",
        "For three and more: only the most dangerous opponent answers, so that it sees further.",
        "ai.connect4.alphabeta.multiplayer_agents:BestReply",
        parameters_of(alphabeta.SearchSettings),
    ),
    Entry(
        "brs+",
        "Best-reply search in turn",
        "For three and more: all answer in turn, but only one of them is free to choose.",
        "ai.connect4.alphabeta.multiplayer_agents:BestReplyPlus",
        parameters_of(alphabeta.SearchSettings),
    ),
    Entry(
        "qlearning",
        "Q-learning",
        "Has learned by trial and error from very many games; knows only what it has met.",
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
        "Tries the game out in its head many times, and does what went well. Every board.",
        "ai.connect4.mcts.agent:Mcts",
        parameters_of(mcts.MctsSettings),
        borrows="net",
        board=_board,
    ),
    Entry(
        "greedy",
        "Greedy",
        "Looks at this move only: wins if it can, or takes what looks best.",
        "ai.connect4.report.players:Greedy",
        parameters_of(alphabeta.GreedySettings),
    ),
    Entry(
        "offensive",
        "Offensive",
        "Only cares for its own rows, and never stops yours.",
        "ai.connect4.report.players:Offensive",
        parameters_of(alphabeta.StoneSettings),
    ),
    Entry(
        "defensive",
        "Defensive",
        "Only stops the others' rows, and hardly builds its own.",
        "ai.connect4.report.players:Defensive",
        parameters_of(alphabeta.StoneSettings),
    ),
    Entry(
        "ntuple",
        "N-tuple network",
        "Has learned which patterns of stones are good, and plays at a glance.",
        "ai.connect4.ntuple.agent:NTuple",
        needs_model=True,
        loader="ai.connect4.ntuple.model:load",
        made_of="Tuples",
        board=_board,
    ),
    Entry(
        "net",
        "Policy and value network",
        "A small neural network that chooses a column at a glance.",
        "ai.connect4.net.agent:Net",
        needs_model=True,
        loader="ai.connect4.net.model:load",
        board=_board,
    ),
    Entry("random", "Random", "Drops its stone anywhere.", "ai.connect4.board.baselines:RandomAgent"),
)

_TRAINERS: tuple[Trainer, ...] = (
    Trainer(
        "qlearning",
        "Q-learning",
        "Learns by trial and error what every move is worth.",
        "ai.connect4.report.training:QLearning",
        parameters_of(report.Settings),
        figures=report.FIGURES,
        warm="ai.connect4.report.warm",
    ),
    Trainer(
        "book",
        "Opening book",
        "Works out openings exactly, so that perfect play answers them at once.",
        "ai.connect4.exact.book_training:BookTraining",
        parameters_of(exact.Settings),
        figures=exact.FIGURES,
    ),
    Trainer(
        "ntuple",
        "N-tuple network",
        "Learns which patterns of stones are good, from its own games and from solved positions.",
        "ai.connect4.ntuple.training:NTupleTraining",
        parameters_of(ntuple.Settings),
        figures=ntuple.FIGURES,
        warm="ai.connect4.ntuple.warm",
    ),
    Trainer(
        "net",
        "Policy and value network",
        "A small neural network learns from exactly solved positions which column is best.",
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
