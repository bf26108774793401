"""One level played by a policy network: it looks at a position once and makes the push it thinks the likeliest.

Of the pushes only those count that lead to a position where it has not been and freeze no box off its target.
With `caution` it also asks the network whether the level can still be solved after each of the likelier pushes.
"""

import math
import time as clock
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ai.agent import Plan, Progress
from ai.sokoban.board.ground import SLICE_SECONDS
from ai.sokoban.board.layout import Bytes, Ints, Layout
from ai.sokoban.board.moves import frozen, held, mark_alive
from ai.sokoban.board.successors import REGIONS
from ai.sokoban.policy.choice import situation, weigh
from ai.sokoban.policy.features import Floats, see
from ai.sokoban.policy.inference import Network
from ai.sokoban.search.run import Done, Run, Stop

LEAST_SHOWN = 0.005
"""Probabilities below are left out of what is shown."""
LEAST_FORESEEN = math.log(0.01)
"""Pushes that are less likely are not followed."""
_WORDS_SEED = 22


class Game:
    """One level played from one position."""

    def __init__(
        self,
        frame: Run,
        network: Network,
        temperature: float = 0.0,
        luck: np.random.Generator | None = None,
        caution: int = 0,
    ) -> None:
        """`luck` draws where there is a `temperature`; the network has room for `caution` positions."""
        self._run, self._network, self._temperature, self._caution = frame, network, temperature, caution
        self._luck = luck or np.random.default_rng(0)
        board = frame.board
        squares, size = len(board.squares), len(board.boxes)
        self._occupied, self._player = board.occupied, board.player
        self._alive: Bytes = np.zeros(squares, dtype=np.uint8)
        self._queue: Ints = np.zeros(squares, dtype=np.int32)
        self._far: Ints = np.zeros(squares, dtype=np.int32)
        self._marks: Ints = np.zeros(squares, dtype=np.int32)
        self._members: Ints = np.zeros(size + 1, dtype=np.int32)
        self._joined: Bytes = np.zeros(squares, dtype=np.uint8)
        self._found: Ints = np.zeros(4 * size, dtype=np.int32)
        self._logs: Floats = np.zeros(4 * size, dtype=np.float32)
        self._words = np.random.default_rng(_WORDS_SEED).integers(0, 2**64, (2, squares), dtype=np.uint64)
        self._stamp = 0
        self._due = 0.0
        self._known: set[int] = set()
        self._done: list[Done] = []
        self._choices: list[Mapping[tuple[int, int], float]] = []
        mark_alive(board.steps, board.targets, self._alive, self._queue)

    def plan(self) -> Plan:
        """Play to the end."""
        try:
            self._known.add(self._word())
            while self._missing:
                self._push()
            plan = self._run.solved(self._done, REGIONS, len(self._done))
        except Stop as stop:
            return replace(self._run.stopped(stop, len(self._done)), choices=self.choices[:1])
        return replace(plan, choices=self.choices)

    @property
    def _missing(self) -> int:
        """Boxes that are not on a target."""
        return int(np.count_nonzero(self._occupied > self._run.board.is_target))

    def retrace(self, pushes: Sequence[Done]) -> tuple[Mapping[tuple[int, int], float], ...]:
        """How likely the pushes are before each of `pushes`, made from the start."""
        for _, square, ahead in pushes:
            self._look()
            self._occupied[square], self._occupied[ahead], self._player = 0, 1, square
        return self.choices

    @property
    def choices(self) -> tuple[Mapping[tuple[int, int], float], ...]:
        """How likely every push was in each position that was looked at."""
        return tuple(self._choices)

    def _push(self) -> None:
        """Look, choose and push; raises Stop where the game is over."""
        self.check()
        self.push_once(self._look())

    def push_once(self, logs: Floats) -> None:
        """Make the first push in their order; raises Stop where the game is over."""
        if not self.take(self.order(logs)):
            raise self._stop(
                "every push repeats a position or fixes a box for good" if len(logs) else "no push is left"
            )

    def check(self) -> None:
        """Raise Stop after too many pushes."""
        if len(self._done) >= self._run.limit:
            raise self._stop(f"no solution within {self._run.limit:,} pushes")

    def take(self, order: Iterable[int]) -> bool:
        """Make the first of these pushes (numbers of `_found`) that repeats no position and fixes no box.

        Returns:
            Whether there is one.
        """
        for number in order:
            square, action = divmod(int(self._found[number]), 4)
            ahead = int(self._run.board.steps[square, action])
            before = self._player
            self._occupied[square], self._occupied[ahead], self._player = 0, 1, square
            word = self._word()
            if word not in self._known and not self._stuck(ahead):
                self._known.add(word)
                self._done.append(Done(action, square, ahead))
                return True
            self._occupied[square], self._occupied[ahead], self._player = 1, 0, before
        return False

    def _look(self) -> Floats:
        """Logarithms of the probabilities of all pushes, which are in `_found`."""
        board, network = self._run.board, self._network
        self._see(self._player, 0)
        logits, _ = network.evaluate(1, self._pause)
        count = weigh(board.steps, network.seen, logits[0], self._found, self._logs)
        logs = self._logs[:count]
        if self._caution and count > 1:
            self._foresee(logs)
        self._choices.append(choice(board, self._found[:count], logs))
        return logs

    def _see(self, player: int, place: int) -> None:
        """Lay the boxes as they are, and a player, before the network."""
        board, network = self._run.board, self._network
        seen = network.seen[place * network.squares : (place + 1) * network.squares]
        see(
            board.steps, network.squares, board.is_target, self._occupied, player, self._queue, self._far, seen
        )  # fmt: skip

    def _foresee(self, logs: Floats) -> None:
        """Multiply the likelier pushes' probabilities by how likely the network thinks a solution after them."""
        first = np.argsort(-logs, kind="stable")[: self._caution]
        first = first[logs[first] >= LEAST_FORESEEN]
        if len(first) < 2:
            return
        steps, over = self._run.board.steps, np.zeros(len(first), dtype=bool)
        for place, push in enumerate(self._found[first].tolist()):
            square, action = divmod(push, 4)
            ahead = int(steps[square, action])
            self._occupied[square], self._occupied[ahead] = 0, 1
            over[place] = not self._missing
            self._see(square, place)
            self._occupied[square], self._occupied[ahead] = 1, 0
        _, values = self._network.evaluate(len(first), self._pause)
        hopes = np.where(over, 0.0, -np.logaddexp(0.0, -values[:, 1].astype(np.float64)))
        changes = np.full(len(logs), hopes.min())
        changes[first] = hopes
        logs += changes
        logs -= np.log(np.exp(logs.astype(np.float64)).sum())

    def order(self, logs: Floats) -> list[int]:
        """The pushes in the order in which they are tried."""
        if self._temperature > 0:  # the largest of logits with Gumbel noise is a draw from their softmax
            logs = (logs / self._temperature + self._luck.gumbel(size=len(logs))).astype(np.float32)
        order: list[int] = np.argsort(-logs, kind="stable").tolist()
        return order

    def _word(self) -> int:
        self._stamp += 1
        steps = self._run.board.steps
        word = situation(steps, self._occupied, self._player, self._words, self._marks, self._stamp, self._queue)
        return int(word)

    def _stuck(self, box: int) -> bool:
        """Whether the box on a square is frozen together with one that is not on a target."""
        steps, occupied = self._run.board.steps, self._occupied
        if not held(steps, occupied, self._alive, box):
            return False
        count = frozen(steps, occupied, self._alive, box, self._members, self._joined)
        return not self._run.board.is_target[self._members[:count]].all()

    def _stop(self, why: str) -> Stop:
        boxes = len(self._run.board.boxes)
        pushes = len(self._done)
        missing = self._missing
        return Stop(f"{why} after {pushes} push{'es' * (pushes != 1)}, {missing} of {boxes} boxes not on a target")

    def _pause(self) -> None:
        """While the network looks."""
        if clock.perf_counter() < self._due and not self._run.thinking.cancelled:
            return
        self._due = clock.perf_counter() + SLICE_SECONDS
        board = self._run.board
        self._run.pause(
            Progress(
                len(self._done),
                depth=len(self._done),
                measure=float(self._missing),
                position=board.position(np.flatnonzero(self._occupied)),
            )
        )


def choice(board: Layout, pushes: Ints, logs: Floats) -> dict[tuple[int, int], float]:
    """The probabilities of the likelier pushes, by the board's square of the box and the direction."""
    probabilities = np.exp(logs)
    kept = np.flatnonzero(probabilities >= LEAST_SHOWN)
    squares, actions = board.squares[pushes[kept] // 4].tolist(), (pushes[kept] % 4).tolist()
    return dict(zip(zip(squares, actions, strict=True), probabilities[kept].tolist(), strict=True))
