"""The agents and trainers of 2048; the classes behind them are imported when they are made."""

from ai.entries import Entry, Spec, Trainer
from ai.family import Family, Opponent, Unit
from ai.settings import parameters_of
from ai.twenty48.ntuple import settings as ntuple
from ai.twenty48.report import settings as report
from ai.twenty48.search import settings as search
from game.rules.twenty48 import State


def _board(state: State) -> str:
    return f"{state.size}x{state.size}"


_AGENTS: tuple[Entry, ...] = (
    Entry(
        "expectimax",
        "Expectimax",
        "Looks a few slides ahead, whatever tile may come. Plays every size of board, and well.",
        "ai.twenty48.search.expectimax:Expectimax",
        parameters_of(search.ExpectimaxSettings),
    ),
    Entry(
        "ntuple",
        "N-tuple network",
        "The strongest: has learned from its own games what a board is worth, part by part.",
        "ai.twenty48.ntuple.agent:NTuple",
        parameters_of(ntuple.NTupleSettings),
        needs_model=True,
        loader="ai.twenty48.ntuple.model:load",
        made_of="Tuples",
        values="points",
        board=_board,
    ),
    Entry(
        "ntuple-report",
        "Report's n-tuple network",
        "An early way of learning, kept to compare with: looks at one slide only.",
        "ai.twenty48.report.agent:NTupleReport",
        needs_model=True,
        loader="ai.twenty48.report.model:load",
        made_of="Tuples",
        values="reward and rating",
        board=_board,
    ),
    Entry(
        "mcts",
        "Monte-Carlo search",
        "Tries the game out in its head many times, and does what went well.",
        "ai.twenty48.mcts.agent:Mcts",
        parameters_of(search.MctsSettings),
        points_with=("value", "score"),
    ),
    Entry(
        "greedy",
        "Greedy",
        "Takes the most points at once, whatever comes after.",
        "ai.twenty48.search.baselines:GreedyAgent",
    ),
    Entry("random", "Random", "Slides any way, without looking.", "ai.twenty48.search.baselines:RandomAgent"),
)

_TRAINERS: tuple[Trainer, ...] = (
    Trainer(
        "ntuple",
        "N-tuple network",
        "Plays by itself and learns what a board is worth, part by part. The strongest way.",
        "ai.twenty48.ntuple.training:NTupleTraining",
        parameters_of(ntuple.Settings),
        figures=ntuple.FIGURES,
        from_models=True,
        warm="ai.twenty48.ntuple.warm",
    ),
    Trainer(
        "ntuple-report",
        "Report's n-tuple network",
        "An early way of learning, or the right rule beside it: to compare with.",
        "ai.twenty48.report.training:ReportTraining",
        parameters_of(report.Settings),
        figures=report.FIGURES,
        warm="ai.twenty48.report.warm",
    ),
)

_OPPONENTS: tuple[Opponent, ...] = (
    Opponent(
        "Newcomer",
        "random",
        "Slides any way at all, without looking.",
        1078,
        39,
    ),
    Opponent(
        "Learner",
        "greedy",
        "Takes the most points it can get at once, whatever comes after.",
        1997,
        60,
    ),
    Opponent(
        "Casual",
        "mcts,simulations=10,rollout=1000,policy=random,value=score",
        "Plays ten quick games in its head before every slide.",
        8891,
        316,
    ),
    Opponent(
        "Steady",
        "expectimax,depth=1",
        "Keeps the board tidy and looks one slide ahead.",
        11453,
        349,
    ),
    Opponent(
        "Skilled",
        "expectimax,depth=2",
        "Keeps the board tidy and looks two slides ahead.",
        48867,
        1601,
    ),
    Opponent(
        "Expert",
        "ntuple:2048-small,plies=2",
        "Has learned from 200,000 games and looks two slides ahead.",
        89125,
        2318,
        elsewhere="expectimax,depth=3",
    ),
    Opponent(
        "Champion",
        "ntuple:2048-strong",
        "Has learned from millions of games and plays at a glance.",
        272604,
        9822,
        elsewhere="expectimax,depth=4",
    ),
    Opponent(
        "Legend",
        "ntuple:2048-strong,plies=3",
        "Has learned from millions of games and looks three slides ahead.",
        466764,
        16902,
    ),
)
"""Mean scores by `python scripts/measure_strengths.py 2048 --games 200 --strongest 100`, 2026-11-24."""

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
    opponents=_OPPONENTS,
    rated_in="points a game",
)
