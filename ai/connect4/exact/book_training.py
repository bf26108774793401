"""The making of an opening book: first every position of the first plies, then what perfect play needs beyond them.

Of the first plies only the positions of the last one are searched, on one large table, which all searches share; those
before them have the best of the positions that follow. Perfect play needs, from the empty board and in either seat, a
best move wherever it can come to, whatever the other side does. Positions are taken ply by ply. One that a small, empty
table solves within a limit of nodes needs no book, and what comes after it neither; any other is solved on the large
table, and kept with the position after its best move.

What was solved is all that a checkpoint holds: the walk is the same every time, and passes at once what is known.
"""

from collections.abc import Generator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from typing_extensions import override

from ai.agent import Thinking
from ai.connect4.board.names import board_name
from ai.connect4.exact.bitboard_shape import WIN, why_not
from ai.connect4.exact.book import MAX_POSITIONS, Book
from ai.connect4.exact.settings import Settings
from ai.connect4.exact.solver import Solver, clear, new_table
from ai.tensors import TensorFile
from ai.training import Figures, Training
from game.rules.connect4 import Shape

_SMALL_TABLE_BITS = 20
_EASY = 100
"""Instead of a score: solved live soon enough, so the book leaves it out."""
_BIAS = 64
_SLICE = 1_000_000


class BookTraining(Training[Settings]):
    """A book in the making; nothing in it is random. A checkpoint's board and limit of nodes stay."""

    game, agent, kind = "connect4", "book", Settings
    fixed = ("rows", "columns", "nodes")

    def __init__(self, settings: Mapping[str, Any], seed: int, checkpoint: Path | None = None) -> None:
        super().__init__(seed)
        self._known: dict[int, int] = {}
        if checkpoint is None:
            self.settings = Settings(**settings)
        else:
            self._resume(checkpoint, settings)
        self._shape = Shape(self.settings.rows, self.settings.columns, 1, WIN)
        reason = why_not(self._shape)
        if reason is not None:
            raise ValueError(reason)
        large, small = new_table(self.settings.table), new_table(_SMALL_TABLE_BITS)
        assert large is not None and small is not None
        self._solver, self._cold = Solver(self._shape, large), Solver(self._shape, small)
        self._ply = self._nodes = self._waiting = 0
        self._finished = False
        self._before = (self.seconds, len(self._known), 0)
        self._work = self._solved()

    @property
    @override
    def games(self) -> int:
        """Positions settled, those that need no book among them."""
        return len(self._known)

    @property
    @override
    def goal(self) -> int | None:
        """Nobody knows how many there will be."""
        return None

    @property
    @override
    def done(self) -> bool:
        return self._finished

    @override
    def learn(self, thinking: Thinking) -> None:
        self._finished = next(self._work, True)

    @override
    def figures(self) -> Figures:
        """Progress since the last call."""
        seconds, games, nodes = self._before
        spent = max(self.seconds - seconds, 1e-9)
        self._before = (self.seconds, self.games, self._nodes)
        return {
            "games": self.games,
            "in_book": sum(score != _EASY for score in self._known.values()),
            "stones": self._ply,
            "waiting": self._waiting,
            "positions_per_second": (self.games - games) / spent,
            "nodes_per_second": (self._nodes - nodes) / spent,
        }

    @override
    def save_checkpoint(self, path: Path, command: str = "") -> None:
        keys = np.array(list(self._known), np.uint64)
        scores = np.array([score + _BIAS for score in self._known.values()], np.uint8)
        self.write_checkpoint(path, command, {"keys": keys, "scores": scores})

    @override
    def save_model(self, path: Path, title: str, command: str) -> None:
        scores = {key: score for key, score in self._known.items() if score != _EASY}
        if not scores:
            raise ValueError("nothing that needs a book has been solved yet; go on with --resume")
        card = replace(
            self.card(path, title, command, "exact scores, folded by mirror"),
            game="connect4", agent="perfect", board=board_name(self._shape), games=len(scores),
        )  # fmt: skip
        Book(self._shape, scores).save(path, card)

    # --- the walk: it yields False after every slice ----------------------------------------------------------------

    def _solved(self) -> Generator[bool]:
        yield from self._all_positions()
        yield from self._needed()

    def _needed(self) -> Generator[bool]:
        """What perfect play needs in both seats: the side to move at even plies is one seat, at odd ones the other."""
        solver = self._solver
        now, following = {0}, {solver.folded(*child) for child in solver.moves(0, 0).values()}
        for ply in range(self._shape.cells):
            later: set[int] = set()
            self._ply = ply
            for number, key in enumerate(sorted(now)):
                self._waiting = len(now) - number
                position = solver.unfolded(key)
                yield from self._settle(key)
                if self._known[key] == _EASY:
                    continue
                best = yield from self._best(position, self._known[key])
                later |= self._after(solver.folded(*best))
            now, following = following, later

    def _settle(self, key: int) -> Generator[bool]:
        """Find out whether a position needs the book, and its score if it does."""
        if key in self._known:
            return
        position = self._solver.unfolded(key)
        clear(self._cold.table)
        easy = self._cold.begin(*position)
        while not easy and self._cold.nodes < self.settings.nodes:
            easy = self._cold.narrow(min(_SLICE, self.settings.nodes - self._cold.nodes))
            yield False
        self._nodes += self._cold.nodes
        if easy:
            self._known[key] = _EASY
        else:
            self._known[key] = yield from self._score(position)

    def _best(self, position: tuple[int, int], score: int) -> Generator[bool, None, tuple[int, int]]:
        """The position after a best move; its score is kept, too."""
        solver = self._solver
        children = [solver.moves(*position)[column] for column in solver.columns(position[1])]
        for child in children:
            if self._known.get(solver.folded(*child)) == -score:
                return child
        for child in children:
            # No reply is worth more to the other side than -score exactly where the move keeps the score.
            done = solver.begin(*child, low=-score)
            while not done and solver.low == -score:
                done = solver.test(-score, _SLICE) or solver.low == solver.high
                yield False
            self._nodes += solver.nodes
            if solver.high == -score:
                self._known[solver.folded(*child)] = -score
                return child
        raise AssertionError("no move keeps the score")

    def _score(self, position: tuple[int, int]) -> Generator[bool, None, int]:
        solver = self._solver
        done = solver.begin(*position)
        while not done:
            done = solver.narrow(_SLICE)
            yield False
        self._nodes += solver.nodes
        return solver.low

    def _all_positions(self) -> Generator[bool]:
        """Every position of the first plies that is not won at once: the last ply is searched, the others follow from it."""
        layers = [{0}]
        for _ in range(min(self.settings.plies, self._shape.cells - 1)):
            layers.append({key for now in layers[-1] for key in self._after(now)})
            yield False
        for ply in reversed(range(len(layers))):
            self._ply = ply
            for number, key in enumerate(sorted(layers[ply])):
                self._waiting = len(layers[ply]) - number
                position = self._solver.unfolded(key)
                if not self._solver.begin(*position) and self._known.get(key, _EASY) == _EASY:
                    if ply == len(layers) - 1:
                        self._known[key] = yield from self._score(position)
                    else:
                        self._known[key] = max(-self._value(after) for after in self._after(key))
                    if len(self._known) >= MAX_POSITIONS:
                        return
                if number % 100 == 0:
                    yield False

    def _after(self, key: int) -> set[int]:
        """The positions after each move from there that does not end the game."""
        solver = self._solver
        children = solver.moves(*solver.unfolded(key)).values()
        return {solver.folded(*child) for child in children if not self._over(*child)}

    def _value(self, key: int) -> int:
        """The score of a position that is known or won at once."""
        known = self._known.get(key, _EASY)
        if known == _EASY:
            self._solver.begin(*self._solver.unfolded(key))
            return self._solver.low
        return known

    def _over(self, pos: int, mask: int) -> bool:
        """Whether the side that has just moved has won."""
        return self._solver.won(pos ^ mask)

    def _resume(self, path: Path, settings: Mapping[str, Any]) -> None:
        with TensorFile(path) as file:
            self.read_header(file, settings)
            count = file.declared("keys", "U64", (None,)).shape[0]
            keys = file.array("keys", "U64", (count,)).tolist()
            scores = (file.array("scores", "U8", (count,)).astype(np.int16) - _BIAS).tolist()
        self._known = dict(zip(keys, scores, strict=True))
