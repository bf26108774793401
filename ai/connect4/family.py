"""The agents and trainers of connect-4 for the catalogue; the classes behind them are imported when they are made."""

from ai.connect4.board.names import board_name
from ai.connect4.exact.bitboard_shape import why_not
from ai.entries import TIME, Entry, Parameter, Trainer

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

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "perfect",
        "connect4",
        "Perfect",
        "Exact: knows or proves what every column is worth; four in a row on flat boards, for two.",
        "ai.connect4.exact.agent:Perfect",
        (TIME, Parameter("book", "Book", "bool", True, "Look openings up in the book.", advanced=True)),
        plays=lambda state: why_not(state.shape),
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
        board=lambda state: board_name(state.shape),
    ),
    Entry(
        "net",
        "connect4",
        "Policy and value network",
        "Plays the column that a small network chooses, without search.",
        "ai.connect4.net.agent:Net",
        needs_model=True,
        board=lambda state: board_name(state.shape),
    ),
    Entry("random", "connect4", "Random", "Any column that is not full.", "ai.connect4.board.baselines:RandomAgent"),
)

_BOARD = Parameter("board", "Board", "text", "6x7x1x4", "Rows, columns, depth, stones in a row.")
_CORRECTED = Parameter(
    "corrected",
    "Corrected games",
    "int",
    0,
    "Games at the end, every move exactly judged; takes 512 MB.",
    0,
    1_000_000,
)
_SECONDS = Parameter("seconds", "Time", "float", 0.0, "Seconds to learn, 0 for no limit.", 0, 10_000_000, unit="s")

TRAINERS: tuple[Trainer, ...] = (
    Trainer(
        "qlearning",
        "connect4",
        "Q-learning",
        "Learns by trial and error what every move is worth, as in the report this project grew from.",
        "ai.connect4.report.training:QLearning",
        (
            Parameter("board", "Board", "text", "6x7x1x4", "Rows, columns, depth, stones in a row."),
            Parameter("players", "Players", "int", 2, "The learner and its opponents.", 2, 6),
            Parameter("seat", "Seat", "int", 1, "Where the learner sits.", 1, 6),
            Parameter("master", "Master", "bool", True, "Alpha-beta shows moves where else chance would choose."),
            Parameter("alpha", "Alpha", "float", 0.1, "Learning rate.", 0.001, 1.0),
            Parameter("gamma", "Gamma", "float", 0.95, "What a later reward is worth a move earlier.", 0.0, 1.0),
            Parameter("explore", "Exploration", "float", 1.0, "Share of explored moves at first.", 0.0, 1.0),
            Parameter(
                "fading", "Fading", "int", 0, "Games until exploring ends, 0 for the last one.", 0, 1_000_000_000
            ),
            Parameter("depth", "Depth", "int", 2, "Plies of the opponents and the master.", 1, 8),
            Parameter("weakness", "Weakness", "float", 0.8, "Share of random moves of the opponents.", 0.0, 1.0),
            Parameter("least", "Visits", "int", 1, "States visited less often are left out.", 1, 1_000_000),
            Parameter("games", "Games", "int", 0, "Games to play, 0 for no limit.", 0, 1_000_000_000),
            Parameter("seconds", "Time", "float", 0.0, "Seconds to learn, 0 for no limit.", 0, 10_000_000, unit="s"),
        ),
    ),
    Trainer(
        "book",
        "connect4",
        "Opening book",
        "Exact scores of the openings that the exact solver does not solve in a moment.",
        "ai.connect4.exact.book_training:BookTraining",
        (
            Parameter("rows", "Rows", "int", 6, "Height of the board.", 1, 8),
            Parameter("columns", "Columns", "int", 7, "Width of the board.", 1, 8),
            Parameter("nodes", "Nodes", "int", 2_500_000, "Solved with so few it needs no book.", 1_000, 10**9),
            Parameter("plies", "Plies", "int", 8, "In the end all positions with so many stones.", 0, 12),
            Parameter("table", "Table", "int", 24, "The table has 2 to the power of this words of 8 bytes.", 20, 30),
            Parameter("seconds", "Seconds", "float", 0.0, "Time to solve for, 0 for no limit.", 0.0, 10_000_000.0),
        ),
    ),
    Trainer(
        "ntuple",
        "connect4",
        "N-tuple network",
        "Values of positions by line patterns, from its own games and, on flat boards for two, from exact labels.",
        "ai.connect4.ntuple.training:NTupleTraining",
        (
            _BOARD,
            Parameter("players", "Players", "int", 2, "Seats at the board.", 2, 4),
            Parameter("walks", "Walks", "int", 60, "Tuples of connected cells, beside the winning lines.", 0, 120),
            Parameter("length", "Length", "int", 8, "Cells of a walk.", 2, 9),
            Parameter("games", "Games", "int", 100_000, "Games with itself.", 0, 1_000_000_000),
            Parameter(
                "roots", "Roots", "int", 0, "Openings whose exactly solved positions are learned.", 0, 1_000_000
            ),
            Parameter("passes", "Passes", "int", 2, "How often each of these is learned.", 1, 1000),
            Parameter("alpha", "Alpha", "float", 1.0, "Learning rate.", 0.0001, 4.0),
            Parameter("lam", "Lambda", "float", 0.6, "How much of a game's later course counts.", 0.0, 1.0),
            Parameter("explore", "Exploration", "float", 0.1, "Share of random moves in its games.", 0.0, 1.0),
            Parameter("opening", "Opening", "int", 4, "Its games begin with so many random moves at most.", 0, 64),
            Parameter("choice", "Choice", "float", 0.5, "Weight of the right choice beside the values.", 0.0, 10.0),
            _CORRECTED,
            _SECONDS,
        ),
    ),
    Trainer(
        "net",
        "connect4",
        "Policy and value network",
        "A small network for flat boards and two players, from exactly solved positions.",
        "ai.connect4.net.training:NetTraining",
        (
            _BOARD,
            Parameter("width", "Width", "int", 64, "Channels of a column.", 8, 512),
            Parameter("blocks", "Blocks", "int", 1, "Pairs of layers after the first.", 0, 16),
            Parameter(
                "roots", "Roots", "int", 240, "Openings whose exactly solved positions are learned.", 1, 1_000_000
            ),
            Parameter("passes", "Passes", "int", 5, "How often each of these is learned.", 1, 1000),
            Parameter("rate", "Rate", "float", 0.002, "Learning rate of Adam.", 0.000001, 1.0),
            _CORRECTED,
            Parameter("explore", "Exploration", "float", 0.15, "Share of random moves in these games.", 0.0, 1.0),
            Parameter("opening", "Opening", "int", 4, "They begin with so many random moves at most.", 0, 64),
            _SECONDS,
        ),
        needs_torch=True,
    ),
)
