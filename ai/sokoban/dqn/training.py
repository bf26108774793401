"""`train sokoban dqn`: a DQN done right, on one board or on rooms.

Games are played side by side in kernels (`play`); after each step of all of them some batches of the memory are
learned (`learning`). Now and then the greedy player tries the board; the best player so far is what is saved: the one
that solves most, among those the one with the fewest moves, of equals the last.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from typing_extensions import override

from ai.agent import Thinking
from ai.random import Stream, mixed
from ai.sokoban.dqn import demonstrations, model
from ai.sokoban.dqn.learning import Learner
from ai.sokoban.dqn.play import RECENT, Pay, Recent, begin_all, begin_each, follow, play, recent_of
from ai.sokoban.dqn.replay import Pending, draw, pending_of, replay_of, reprioritise, set_priority
from ai.sokoban.dqn.settings import Settings, check, level_of, with_pulls
from ai.sokoban.dqn.shapes import Shape
from ai.sokoban.dqn.starts import BEYOND, FIRST_REACH, LAYERS, grow, pool_of
from ai.sokoban.dqn.world import SOLVED, Games, games_of, world_of
from ai.sokoban.rooms.kinds import RoomError
from ai.sokoban.rooms.maker import make_rooms
from ai.tensors import Array, ModelError, TensorFile
from ai.training import Figures, Training
from game.rules import sokoban
from game.rules.levels import LevelError

AGENT = "dqn"
FIRST = 1_000
"""Transitions in the memory before anything is learned."""
TRY_EVERY = 250
"""Updates between greedy games."""
UNSEEN = 100
"""Rooms on which a player of rooms is tried; it never learns from them."""
MOST_SHOWN = 10_000_000
"""Steps of shown games that a checkpoint may hold."""
CORRECTION, PRIORITY = 0.5, 0.6
"""Exponents of prioritised replay."""
EACH_RUN = ("seconds", "games", "patience")


class DqnTraining(Training[Settings]):
    """The training of one board or of rooms. A checkpoint's settings stay, but for those of one run."""

    game, agent, kind = "sokoban", AGENT, Settings
    each_run = EACH_RUN
    fixed = tuple(each.name for each in fields(Settings) if each.name not in EACH_RUN)

    def __init__(self, settings: Mapping[str, Any], seed: int, checkpoint: Path | None = None) -> None:
        super().__init__(seed)
        if checkpoint is None:
            self.settings = Settings(**settings)
            check(self.settings)
            self._begin(_level(self.settings), None)
        else:
            self._resume(checkpoint, settings)
        self._sums = np.zeros(2)
        self._first_games = self.games

    @property
    @override
    def games(self) -> int:
        """Games ended, in all runs."""
        return int(self._recent.state[0])

    @property
    @override
    def goal(self) -> int | None:
        """Games at which this run ends, if a number was asked for."""
        return self._first_games + self.settings.games if self.settings.games else None

    @property
    @override
    def done(self) -> bool:
        patience = self.settings.patience
        return super().done or bool(patience and self._best_found[0] and self._updates - self._best_at >= patience)

    @override
    def figures(self) -> Figures:
        """Of the last games from the start of a board.

        The loss is that since the last call; `greedy_moves` is 0 until the greedy player solves; `backwards` is how many pushes
        before a solution games begin at most.
        """
        count = max(1, min(RECENT, int(self._recent.state[2])))
        found = {
            "games": self.games,
            "episodes": self.games,
            "steps": self.steps,
            "updates": self._updates,
            "reward": float(self._recent.rewards[:count].mean()),
            "length": float(self._recent.lengths[:count].mean()),
            "success": float(self._recent.solved[:count].mean()),
            "loss": float(self._sums[0] / max(1.0, self._sums[1])),
            "epsilon": self.epsilon,
            "backwards": float(self._pool.reach[0]),
            "greedy_success": float(self._tried[0]),
            "greedy_moves": float(self._tried[1]),
            "best_success": float(self._best_found[0]),
            "best_moves": float(self._best_found[1]),
            "best_updates": self._best_at,
        }
        self._sums[:] = 0
        return found

    def watch(self) -> sokoban.State | None:
        """The position of the first game now."""
        warehouse = self._states[int(self._games.board[0])].warehouse
        return sokoban.State(warehouse, frozenset(self._games.boxes[0].tolist()), int(self._games.player[0]))

    @property
    def steps(self) -> int:
        """Steps of all games, in all runs."""
        return int(self._recent.state[1])

    @property
    def epsilon(self) -> float:
        """The share of random actions now."""
        told = self.settings
        return max(told.epsilon, 1 - (1 - told.epsilon) * self.steps / told.exploration)

    @override
    def save_checkpoint(self, path: Path, command: str = "") -> None:
        arrays = {f"learner.{name}": each for name, each in self._learner.arrays().items()}
        arrays |= {f"best.{name}": each for name, each in self._best.items()}
        arrays |= {name: np.ascontiguousarray(each) for name, each in self._kept().items()}
        count = int(self._replay.state[1])
        for name in ("positions", "actions", "returns", "discounts"):
            arrays[f"replay.{name}"] = getattr(self._replay, name)[:count]
        if self.settings.prioritised:
            leaves = len(self._replay.tree) // 2
            arrays["replay.priorities"] = self._replay.tree[leaves : leaves + count].copy()
        level = "" if self.settings.rooms else model.text_of(self._states[0])
        self.write_checkpoint(
            path, command, arrays, level,
            updates=self._updates, best_at=self._best_at, shown=int(self._replay.shown[0]),
        )  # fmt: skip

    @override
    def save_model(self, path: Path, title: str, command: str) -> None:
        told, (success, moves) = self.settings, self._best_found
        board = f"{told.rooms} rooms, {told.boxes} boxes" if told.rooms else f"level {told.number} of {told.level}"
        kinds = ["double"] * told.double + ["dueling"] * told.dueling + ["prioritised"] * told.prioritised
        result = f"solves {success:.0%} greedily" + (f", {moves:.1f} moves" if success else "")
        rule = f"DQN ({', '.join([*kinds, f'{told.ahead}-step'])}), {board}; {result}"
        card = self.card(path, title, command, rule)
        model.write(path, self._learner.shape, self._best, card, None if told.rooms else self._states[0])

    # Inside

    def _begin(self, states: list[sokoban.State], shown: int | None) -> None:
        """A training that has learned nothing, on these boards; room for so many steps of shown games, or show them now."""
        told, boxes = self.settings, len(states[0].boxes)
        self._states = states
        self._world = world_of(states)
        warehouse = states[0].warehouse
        shape = Shape(
            "dense", warehouse.rows, warehouse.cols, warehouse.rules.pull, (told.hidden1, told.hidden2),
            told.dueling, told.rooms > 0,
        )  # fmt: skip
        self._learner = Learner(shape, self._world, told.batch, told.rate, told.double, self.seed)
        self._games = games_of(self._world, told.environments)
        self._pending = pending_of(told.environments, told.ahead, boxes)
        self._recent = recent_of(told.environments)
        self._stream: Stream = np.array([mixed(np.uint64(self.seed))], np.uint64)
        self._pay = Pay(told.step, told.solved, told.dead, told.shaping, told.walking, told.discount)
        games = [] if shown is not None else demonstrations.shown(states, self._world, told)
        self._replay = replay_of(told.memory + (shown or demonstrations.steps_of(games)), boxes, told.prioritised)
        if games:
            demonstrations.put(games, self._world, self._replay, self._pay, told.ahead)
        self._q = np.zeros((told.environments, shape.actions), np.float32)
        self._places = np.zeros(told.batch, np.int64)
        self._weights = np.ones(told.batch, np.float32)
        self._updates = self._best_at = 0
        self._tried, self._best_found = np.zeros(2), np.zeros(2)
        self._best = {name: each.copy() for name, each in self._learner.weights.items()}
        self._trial = self._world if not told.rooms else world_of(_rooms(told, UNSEEN, self.seed + 1_000_003))
        self._judged = Learner(shape, self._trial, 1, told.rate, False, 0) if told.rooms else self._learner
        if told.rooms:
            self._judged.weights = self._learner.weights
        self._pool = pool_of(self._world)
        self._grow()
        begin_all(self._world, self._games, self._pool, told.backwards, self._stream)

    @override
    def learn(self, thinking: Thinking) -> None:
        """One step of all games, and what is learned after it."""
        told = self.settings
        self._grow()
        self._learner.judge(self._games, self._q)
        play(
            self._world, self._games, self._pending, self._replay, self._recent, self._pool, self._pay, self._q,
            self.epsilon, bool(self._best_found[0] == 1.0), told.backwards, told.limit, told.ahead, self._stream,
        )  # fmt: skip
        if self._replay.state[1] < FIRST + self._replay.shown[0]:
            return
        trust = max(0.0, 1 - self.steps / told.exploration)
        for _ in range(told.updates):
            draw(self._replay, self._stream, CORRECTION, self._places, self._weights)
            loss, errors = self._learner.learn(self._replay, self._places, self._weights, trust)
            if told.prioritised:
                reprioritise(self._replay, self._places, errors, PRIORITY)
            self._sums += (loss, 1)
            self._updates += 1
            if self._updates % told.target == 0:
                self._learner.copy_to_target()
            if self._updates % TRY_EVERY == 0:
                self._try()

    def _grow(self) -> None:
        """A layer more of positions before a solution when games begin in the last."""
        if self.settings.backwards and self._pool.reach[0] + 1 >= self._pool.state[0] and not self._pool.state[1]:
            grow(self._world, self._pool, int(self._pool.state[0]) + 1)

    def _try(self) -> None:
        """Play greedily from the start of the board, or of rooms that it never learns from; keep the best player."""
        count = len(self._trial.players)
        games = games_of(self._trial, count)
        ends, lengths = np.zeros(count, np.int64), np.zeros(count, np.int64)
        q = np.zeros((count, self._learner.shape.actions), np.float32)
        begin_each(self._trial, games)
        for _ in range(self.settings.limit):
            self._judged.judge(games, q)
            if not follow(self._trial, games, q, ends, lengths):
                break
        solved = ends == SOLVED
        self._tried[:] = solved.mean(), lengths[solved].mean() if solved.any() else 0.0
        found, best = self._tried, self._best_found
        better = found[0] > best[0] or (found[0] == best[0] > 0 and found[1] < best[1])
        if better or (found == best).all() or not best[0]:  # of equals the one that has learned longer
            self._best = {name: each.copy() for name, each in self._learner.weights.items()}
        if better:
            best[:] = found
            self._best_at = self._updates

    def _kept(self) -> dict[str, Array]:
        """The state of the games, by name; written back in place when a training goes on."""
        found: dict[str, Array] = {"stream": self._stream, "tried": self._tried, "best_found": self._best_found}
        found |= {"pool.reach": self._pool.reach, "pool.state": self._pool.state}
        groups: tuple[tuple[str, Games | Pending | Recent], ...] = (
            ("games", self._games), ("pending", self._pending), ("recent", self._recent)
        )  # fmt: skip
        for prefix, group in groups:
            for name in group._fields:
                if name not in ("scratch", "marks"):
                    found[f"{prefix}.{name}"] = getattr(group, name)
        for name in ("state", "largest", "shown"):
            found[f"replay.{name}"] = getattr(self._replay, name)
        return found

    def _resume(self, path: Path, wanted: Mapping[str, Any]) -> None:
        with TensorFile(path) as file:
            _begun, numbers = self.read_header(file, wanted, "updates", "best_at", "shown", check=_possible)
            try:
                text = file.metadata.get("level", "")
                states = _level(self.settings) if self.settings.rooms else [model.state_of(text)]
                self._begin(states, min(numbers["shown"], MOST_SHOWN))
            except (LevelError, ValueError, IndexError) as error:
                raise ModelError(path, f"the board in its header cannot be read ({error})") from None
            self._updates, self._best_at = numbers["updates"], numbers["best_at"]
            self._fill(file)

    def _fill(self, file: TensorFile) -> None:
        """Write what the checkpoint holds into the arrays of a training that has just begun."""
        layers = int(file.array("pool.state", "I64", (2,))[0])
        grow(self._world, self._pool, min(layers, LAYERS))
        if self._pool.state[0] != layers:
            raise ModelError(file.path, "its starts are not those of its board")
        for name, each in self._kept().items():
            each[...] = file.like(name, each)
        count = int(self._replay.state[1])
        room, squares = len(self._replay.actions), self._world.targets.shape[1]
        kept = int(self._replay.shown[0])
        told = 0 <= kept <= count <= room and kept <= self._replay.state[0] < room
        if not told or not FIRST_REACH <= self._pool.reach[0] <= BEYOND * LAYERS:
            raise ModelError(file.path, "its memory is larger than it was told to be")
        for name in ("positions", "actions", "returns", "discounts"):
            array = getattr(self._replay, name)
            array[:count] = file.like(f"replay.{name}", array[:count])
        boards, boxes, most = len(self._states), self._world.boxes.shape[1], self.settings.ahead
        limits = (
            (self._replay.positions[:, 0], boards), (self._replay.positions[:, 1:], squares),
            (self._replay.actions, self._learner.shape.actions), (self._games.board, boards),
            (self._games.player, squares), (self._games.boxes, squares), (self._games.matched, boxes),
            (self._pending.positions, squares), (self._pending.waiting, most), (self._recent.state, 2**62),
            (self._games.depth, LAYERS), (self._pending.actions, self._learner.shape.actions),
        )  # fmt: skip
        if any(((array < 0) | (array >= limit)).any() for array, limit in limits):
            raise ModelError(file.path, "it holds positions that this board does not have")
        if self.settings.prioritised:
            for place, priority in enumerate(file.array("replay.priorities", "F64", (count,)).tolist()):
                set_priority(self._replay.tree, place, priority)
        weights = {
            name: file.array(f"learner.{name}", "F32", each.shape) for name, each in self._learner.arrays().items()
        }
        self._best = {name: file.array(f"best.{name}", "F32", each.shape) for name, each in self._best.items()}
        if not all(np.isfinite(each).all() for each in (*weights.values(), *self._best.values())):
            raise ModelError(file.path, "it holds numbers that no training makes")
        self._learner.restore(weights, self._updates)


def _possible(settings: Settings) -> bool:
    check(settings)
    return True


def _level(settings: Settings) -> list[sokoban.State]:
    """The boards to learn from; raises ValueError."""
    if settings.rooms:
        return _rooms(settings, settings.rooms, settings_seed(settings))
    return [with_pulls(level_of(settings.level, settings.number).state, settings.pull)]


def settings_seed(settings: Settings) -> int:
    """Rooms depend on what was asked for alone."""
    return settings.rows * 1_000_000 + settings.cols * 10_000 + settings.boxes * 100


def _rooms(settings: Settings, count: int, seed: int) -> list[sokoban.State]:
    try:
        rooms = make_rooms(seed, settings.rows, settings.cols, settings.boxes, count)
    except RoomError as error:
        raise ValueError(str(error)) from None
    rules = replace(sokoban.PUSH_ONLY, pull=settings.pull)
    return [rooms.state(number, rules) for number in range(count)]
