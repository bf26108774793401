"""`train sokoban dqn-report`: the DQN of the report this project grew from, step by step as it was.

One game at a time, one batch after every step, mean squared error, Adam, a target network copied every few train steps, ε
multiplied after every train step. An episode that runs out of steps is no end for the estimates: only a game that is solved or
stuck is. The model that is saved is the best by the mean reward of the last ten episodes. The rewards and the test for failure
are in `game`.
"""

import math
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional
from typing_extensions import override

from ai.agent import Thinking
from ai.moments import MOMENTS, go_on, moments_of
from ai.sokoban.dqn import model, shapes
from ai.sokoban.dqn.dense import Floats
from ai.sokoban.dqn.report.game import Rewards, first_target, step
from ai.sokoban.dqn.report.network import see
from ai.sokoban.dqn.report.settings import ReportSettings
from ai.sokoban.dqn.settings import level_of, why_not
from ai.sokoban.dqn.shapes import PLANES, Shape
from ai.tensors import Array, ModelError, TensorFile
from ai.threads import one_thread
from ai.training import Figures, Training
from game.rules import sokoban
from game.rules.levels import LevelError

AGENT = "dqn-report"
TEN = 10


class ReportTraining(Training[ReportSettings]):
    """The report's training of one level. A checkpoint's settings stay, but for those of one run."""

    game, agent, kind = "sokoban", AGENT, ReportSettings
    fixed = tuple(each.name for each in fields(ReportSettings) if each.name not in ("seconds", "episodes", "every"))

    def __init__(self, settings: Mapping[str, Any], seed: int, checkpoint: Path | None = None) -> None:
        super().__init__(seed)
        self._episode = self._steps = self._updates = self._best_at = 0
        self._kept_at = 0
        if checkpoint is None:
            self.settings = ReportSettings(**settings)
            self._begin(level_of(self.settings.level, self.settings.number).state)
        else:
            self._resume(checkpoint, settings)
        self._losses = [0.0, 0]
        self._kept_at = self._episode

    @property
    @override
    def games(self) -> int:
        """Episodes ended, in all runs."""
        return self._episode

    @property
    @override
    def goal(self) -> int:
        """Episodes in all."""
        return self.settings.episodes

    @override
    @one_thread()
    def advance(self, seconds: float, thinking: Thinking) -> bool:
        """Learn for about that long or until the thinking is over; returns whether the goal is reached."""
        started = time.perf_counter()
        while self._episode < self.settings.episodes and not thinking.over():
            before = self._episode
            self._step()
            kept = self._episode != before and self.settings.every and self._episode % self.settings.every == 0
            if kept or time.perf_counter() - started >= seconds:
                break
        self.seconds += time.perf_counter() - started
        return self._episode >= self.settings.episodes

    def due(self) -> str | None:
        """The name of a checkpoint that is to be kept now, once for each."""
        every = self.settings.every
        if not every or self._episode % every or self._episode == self._kept_at:
            return None
        self._kept_at = self._episode
        return f"episode-{self._episode}"

    @override
    def figures(self) -> Figures:
        """Of the last episodes; the loss is that since the last call."""
        last = min(len(self._history), self._episode)
        ended = (
            self._history[:last]
            if self._episode <= len(self._history)
            else np.roll(self._history, -(self._episode % len(self._history)), 0)
        )
        ended = ended if len(ended) else np.zeros((1, 3))
        found = {
            "games": self._episode,
            "episodes": self._episode,
            "steps": self._steps,
            "reward": float(ended[-1, 0]),
            "reward_10": float(ended[-TEN:, 0].mean()),
            "length": float(ended[-1, 1]),
            "length_10": float(ended[-TEN:, 1].mean()),
            "loss": float(self._losses[0] / max(1, self._losses[1])),
            "epsilon": self.epsilon,
            "success": float(ended[:, 2].mean()),
            "greedy_moves": self.greedy_moves(),
            "best_reward_10": self._best_reward if self._best_at else 0.0,
            "best_episode": self._best_at,
        }
        self._losses = [0.0, 0]
        return found

    def watch(self) -> sokoban.State | None:
        """The position now."""
        return self._state

    @property
    def epsilon(self) -> float:
        """The share of random actions now."""
        return max(self.settings.epsilon, float(self.settings.decay**self._updates))

    def greedy_moves(self) -> int:
        """Moves of the greedy game from the start; 0 where it is not solved in the steps of an episode."""
        state = self._start
        for number in range(1, self.settings.steps + 1):
            q = self._judge(state)
            state, _, over = step(state, int(q.argmax()), self._target_square, self._rewards)
            if over:
                return number if sokoban.is_solved(state) else 0
        return 0

    @override
    def save_checkpoint(self, path: Path, command: str = "") -> None:
        arrays: dict[str, Array] = {}
        for name, parameter in self._parameters.items():
            arrays[name] = parameter.detach().numpy().copy()
            arrays[f"{name}.target"] = self._target[name].numpy().copy()
            arrays[f"{name}.best"] = self._best[name]
            kept = moments_of(self._optimiser, parameter)
            arrays |= {f"{name}.{moment}": each for moment, each in kept.items()}
        count = min(self._steps, self.settings.memory)
        arrays |= {
            "boards": self._boards[:count].copy(),
            "played": self._played[:count].copy(),
            "rewards": self._paid[:count].copy(),
            "history": self._history,
            "running": np.array([self._sum, self._length, self._best_reward], np.float64),
            "state": sokoban.to_array(self._state).astype(np.uint8),
        }
        self.write_checkpoint(
            path, command, arrays, model.text_of(self._start),
            episode=self._episode, steps=self._steps, updates=self._updates, best_at=self._best_at,
        )  # fmt: skip

    @override
    def save_model(self, path: Path, title: str, command: str) -> None:
        told = self.settings
        rule = (
            f"the report's DQN, {told.network}, {told.input}, level {told.number} of {told.level}; best mean reward of ten "
            f"episodes {self._best_reward:.1f} at episode {self._best_at}"
        )
        card = self.card(path, title, command, rule)
        model.write(path, self.shape, self._best, card, self._start)

    # Inside

    def _begin(self, start: sokoban.State) -> None:
        """A training that has learned nothing."""
        told, warehouse = self.settings, start.warehouse
        reason = why_not(start) or ("it knows no pulls" if warehouse.rules.pull else None)
        if reason is not None:
            raise ValueError(f"the report's DQN cannot learn this level: {reason}")
        self._start = self._state = start
        self._target_square = first_target(start)
        self._rewards = Rewards(told.step, told.nearer, told.farther, told.on, told.off, told.solved, told.stuck)
        planes = PLANES if told.input == "one-hot" else 1
        self.shape = Shape(told.network, warehouse.rows, warehouse.cols, planes=planes)
        self._parameters = {
            name: torch.nn.Parameter(torch.from_numpy(each))
            for name, each in first_weights(self.shape, self.seed).items()
        }
        self._target = {name: each.detach().clone() for name, each in self._parameters.items()}
        self._best: dict[str, Floats] = {name: each.numpy().copy() for name, each in self._target.items()}
        self._optimiser = torch.optim.Adam(self._parameters.values(), lr=told.rate, fused=True)
        squares = warehouse.rows * warehouse.cols
        self._boards = np.zeros((told.memory, 2, squares), np.uint8)
        self._played = np.zeros((told.memory, 2), np.uint8)
        self._paid = np.zeros(told.memory, np.float32)
        self._history = np.zeros((100, 3))
        self._recent: deque[float] = deque(maxlen=TEN)
        self._best_reward, self._sum, self._length = -1e9, 0.0, 0

    def _step(self) -> None:
        """One step of the game and, once there are enough transitions, one batch."""
        told = self.settings
        luck = np.random.default_rng((self.seed, 4, self._steps))
        explore, action = luck.random() < self.epsilon, int(luck.integers(4))
        if not explore:
            action = int(self._judge(self._state).argmax())
        after, reward, over = step(self._state, action, self._target_square, self._rewards)
        place = self._steps % told.memory
        self._boards[place, 0] = sokoban.to_array(self._state).ravel()
        self._boards[place, 1] = sokoban.to_array(after).ravel()
        self._played[place] = action, over
        self._paid[place] = reward
        self._state = after
        self._steps += 1
        self._sum += reward
        self._length += 1
        count = min(self._steps, told.memory)
        if count >= told.batch:
            self._learn(luck.choice(count, told.batch, replace=False))
        if over or self._length >= told.steps:
            self._end(sokoban.is_solved(after))

    def _end(self, solved: bool) -> None:
        """An episode is over."""
        self._history[self._episode % len(self._history)] = self._sum, self._length, solved
        self._episode += 1
        self._recent.append(self._sum)
        mean = sum(self._recent) / len(self._recent)
        if len(self._recent) == TEN and mean > self._best_reward:
            self._best_reward, self._best_at = mean, self._episode
            self._best = {name: each.detach().numpy().copy() for name, each in self._parameters.items()}
        self._state, self._sum, self._length = self._start, 0.0, 0

    def _learn(self, places: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> None:
        told = self.settings
        rows, cols = self.shape.rows, self.shape.cols
        boards = self._boards[places].reshape(len(places), 2, rows, cols)
        played = torch.from_numpy(self._played[places].astype(np.int64))
        with torch.no_grad():
            rest = forward(self._target, self._seen(boards[:, 1])).max(1).values
            wanted = torch.from_numpy(self._paid[places]) + told.discount * rest * (1 - played[:, 1])
        found = forward(self._parameters, self._seen(boards[:, 0])).gather(1, played[:, :1])[:, 0]
        loss = functional.mse_loss(found, wanted)
        self._optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self._optimiser.step()
        self._updates += 1
        self._losses[0] += float(loss.detach())
        self._losses[1] += 1
        if self._updates % told.target == 0:
            for name, each in self._target.items():
                each.copy_(self._parameters[name].detach())

    def _seen(self, boards: Array) -> torch.Tensor:
        """(n, rows, cols, planes) of boards (n, rows, cols)."""
        if self.shape.planes == 1:
            return torch.from_numpy((boards[..., np.newaxis] / np.float32(PLANES - 1)).astype(np.float32))
        return torch.from_numpy(np.eye(PLANES, dtype=np.float32)[boards])

    def _judge(self, state: sokoban.State) -> Floats:
        with torch.no_grad():
            seen = torch.from_numpy(see(state, self.shape.planes))[None]
            return np.asarray(forward(self._parameters, seen)[0].numpy(), np.float32)

    def _resume(self, path: Path, wanted: Mapping[str, Any]) -> None:
        with TensorFile(path) as file:
            _begun, numbers = self.read_header(
                file, wanted, "episode", "steps", "updates", "best_at",
                check=lambda told: told.network in shapes.CONVOLUTIONS,
            )  # fmt: skip
            try:
                self._begin(model.state_of(file.metadata.get("level", "")))
                board = file.array("state", "U8", (self.shape.rows, self.shape.cols))
                self._state = sokoban.from_array(board.astype(np.int64))
            except (LevelError, ValueError, IndexError) as error:
                raise ModelError(path, f"the board in it cannot be read ({error})") from None
            self._episode, self._steps = numbers["episode"], numbers["steps"]
            self._updates, self._best_at = numbers["updates"], numbers["best_at"]
            self._fill(file)

    def _fill(self, file: TensorFile) -> None:
        count = min(self._steps, self.settings.memory)
        self._boards[:count] = file.array("boards", "U8", (count, *self._boards.shape[1:]))
        self._played[:count] = file.array("played", "U8", (count, 2))
        self._paid[:count] = file.array("rewards", "F32", (count,))
        self._history = file.array("history", "F64", self._history.shape)
        self._sum, length, self._best_reward = file.array("running", "F64", (3,)).tolist()
        self._length = int(length)
        if (self._boards >= PLANES).any() or (self._played[:, 0] > 3).any() or (self._played[:, 1] > 1).any():
            raise ModelError(file.path, "it holds transitions that no game has")
        for number in range(max(0, self._episode - TEN), self._episode):
            self._recent.append(float(self._history[number % len(self._history), 0]))
        for name, parameter in self._parameters.items():
            size = tuple(parameter.shape)
            kept = {
                end: file.array(f"{name}{end}", "F32", size)
                for end in ("", ".target", ".best", *(f".{m}" for m in MOMENTS))
            }
            if not all(np.isfinite(each).all() for each in kept.values()):
                raise ModelError(file.path, "it holds numbers that no training makes")
            with torch.no_grad():
                parameter.copy_(torch.from_numpy(kept[""]))
            self._target[name].copy_(torch.from_numpy(kept[".target"]))
            self._best[name] = kept[".best"]
            go_on(self._optimiser, parameter, self._updates, {moment: kept[f".{moment}"] for moment in MOMENTS})


def forward(weights: Mapping[str, torch.Tensor], seen: torch.Tensor) -> torch.Tensor:
    """`network.forward` in torch."""
    here, number = seen.permute(0, 3, 1, 2), 1
    while f"conv{number}.weight" in weights:
        weight = weights[f"conv{number}.weight"]
        kernel = weight.view(3, 3, *weight.shape[1:]).permute(3, 2, 0, 1)
        here = functional.conv2d(here, kernel, weights[f"conv{number}.bias"], padding=1).relu()
        number += 1
    flat = here.permute(0, 2, 3, 1).flatten(1)
    number = 1
    while f"linear{number}.weight" in weights:
        flat = torch.addmm(weights[f"linear{number}.bias"], flat, weights[f"linear{number}.weight"])
        number += 1
        if f"linear{number}.weight" in weights:
            flat = flat.relu()
    return flat


def first_weights(shape: Shape, seed: int) -> dict[str, Floats]:
    """Evenly between ± 1 / sqrt(inputs), as torch does where nothing else is said; biases too."""
    luck = np.random.default_rng((seed, 5))
    found: dict[str, Floats] = {}
    reach = 1.0
    for name, size in shapes.sizes(shape).items():
        if name.endswith(".weight"):
            reach = 1 / math.sqrt(math.prod(size[:-1]))
        found[name] = luck.uniform(-reach, reach, size).astype(np.float32)
    return found
