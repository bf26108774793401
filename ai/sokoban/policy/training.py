"""Training of the policy network by imitating exact search: rooms without end, exact labels, positions of its own games.

A round makes rooms, lets the network play them (half of them with some chance), and labels exactly: each room with other
positions on its shortest solutions, more of them where the network failed; and positions that its own games came to,
dead ones too (DAgger: Ross, Gordon and Bagnell 2011). These are learned once, each turned one of eight ways by chance.
The same settings and seed give the same weights, in one run or in several.
"""

import copy
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from typing_extensions import override

from ai.agent import Thinking
from ai.moments import MOMENTS, go_on, moments_of, steps_of
from ai.sokoban.board.layout import Bytes
from ai.sokoban.policy import model
from ai.sokoban.policy.batch import SOLVED, SYMMETRIES, drawn, side_of
from ai.sokoban.policy.features import Codes, Floats
from ai.sokoban.policy.games import Games, play_games
from ai.sokoban.policy.labels import Labelled, Labeller
from ai.sokoban.policy.network import HIDDEN, Network, losses
from ai.sokoban.policy.replays import examples
from ai.sokoban.policy.rooms import rooms_of_round, validation
from ai.sokoban.policy.settings import Settings
from ai.tensors import Array, ModelError, TensorFile
from ai.training import Figures, Training
from game.rules import sokoban

BOARD = "7x7-16x16"
_DECAY = 1e-4
_EASY, _FAILED = 3, 20
"""Positions labelled of a room that the network solved, and of one that it did not."""
_VISITED_EASY, _VISITED_FAILED = 1, 5
"""And how many of those that its game came to."""
_BEYOND_EASY, _BEYOND_FAILED = 2, 3
"""Each of these with others on shortest solutions from there, so many in all."""
_PUSHES = 60
"""Of a game."""
_MEASURED = 200
"""Rooms by which it measures itself."""
_MEASURE_SHARE = 0.02
"""Part of all rooms, after which it measures itself again."""
_HOPELESS = -3.0
"""Games go on while the logit of being solvable is above."""
_WARM = 100
"""Batches until the learning rate is at its highest."""


class _BrokenOff(Exception):
    """The thinking was cancelled in the middle of a round."""


def _go_on(thinking: Thinking) -> None:
    if thinking.cancelled:
        raise _BrokenOff


class PolicyTraining(Training[Settings]):
    """Imitation of exact search. A checkpoint's network, rate and batch stay."""

    game, agent, kind = "sokoban", model.AGENT, Settings
    fixed = ("channels", "blocks", "rate", "batch")

    def __init__(self, settings: Mapping[str, Any], seed: int, checkpoint: Path | None = None) -> None:
        super().__init__(seed)
        self._rooms = self._rounds = self._positions = 0
        kept = self._read(checkpoint, settings) if checkpoint is not None else {}
        if checkpoint is None:
            self.settings = Settings(**settings)
        told = self.settings
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._network = Network(told.channels, told.blocks, seed)
        if kept:
            self._network.load(kept)
        self._network.to(self._device)
        self._optimizer = torch.optim.AdamW(self._network.parameters(), told.rate, weight_decay=_DECAY)
        for number, parameter in enumerate(self._network.parameters()) if kept else ():
            go_on(self._optimizer, parameter, self._steps, {each: kept[f"{each}.{number}"] for each in MOMENTS})
        self._labeller = Labeller()
        self._examples = examples(told.replays) if told.replays else []
        self._sums = np.zeros(8)
        self._validation = validation(_MEASURED)
        self._solved = 0.0
        self._measured_at = -1
        self._shown: Codes | None = None

    @property
    @override
    def games(self) -> int:
        """Rooms learned from, in all runs."""
        return self._rooms

    @property
    @override
    def goal(self) -> int:
        """Rooms to learn from in all."""
        return self.settings.rooms

    @override
    def learn(self, thinking: Thinking) -> None:
        """A round, which takes seconds: one in which the thinking is cancelled is broken off and leaves nothing behind."""
        before = copy.deepcopy((self._network.state_dict(), self._optimizer.state_dict()))
        sums, positions = self._sums.copy(), self._positions
        try:
            self._round(thinking)
        except _BrokenOff:
            self._network.load_state_dict(before[0])
            self._optimizer.load_state_dict(before[1])
            self._sums, self._positions = sums, positions

    @override
    def figures(self) -> Figures:
        """Losses and successes since the last call, and the share of unseen rooms solved when last measured."""
        every = max(1, math.ceil(self.settings.rooms * _MEASURE_SHARE))
        if self._rooms // every != self._measured_at:
            self._measured_at = self._rooms // every
            self._solved = self.measure(self._validation)
        positions, alive, games = (max(1.0, self._sums[index]) for index in (0, 1, 6))
        found = {
            "games": self._rooms,
            "positions": self._positions,
            "loss": self._sums[2] / positions,
            "best_pushes": self._sums[3] / alive,
            "pushes_error": self._sums[4] / alive,
            "solvable": self._sums[5] / positions,
            "played": self._sums[7] / games,
            "solve_rate": self._solved,
            "rate": self._rate(),
        }
        self._sums[:] = 0
        return found

    def measure(self, rooms: Codes) -> float:
        """The share of rooms (n, rows, cols) that the network solves without search."""
        games = play_games(rooms, self._judge, _PUSHES, np.zeros(len(rooms), np.float32), 0)
        return float((games.status == SOLVED).mean())

    def watch(self) -> sokoban.State | None:
        """A position that it came to a moment ago."""
        return None if self._shown is None else sokoban.from_array(self._shown)

    @override
    def save_checkpoint(self, path: Path, command: str = "") -> None:
        arrays: dict[str, Array] = dict(self._network.arrays())
        for number, parameter in enumerate(self._network.parameters()):
            kept = moments_of(self._optimizer, parameter)
            arrays |= {f"{moment}.{number}": each for moment, each in kept.items()}
        self.write_checkpoint(
            path, command, arrays,
            rooms=self._rooms, rounds=self._rounds, positions=self._positions, steps=steps_of(self._optimizer),
        )  # fmt: skip

    @override
    def save_model(self, path: Path, title: str, command: str) -> None:
        rule = f"imitation of exact search, {self._rooms:,} rooms, {self._positions:,} positions"
        card = replace(self.card(path, title, command, rule), board=BOARD)
        model.write(path, self._network.arrays(), card)

    # Inside

    def _round(self, thinking: Thinking) -> None:
        """Make rooms, play them, label them, learn. Raises _BrokenOff once the thinking is cancelled."""

        def judge(planes: Floats) -> tuple[Floats, Floats]:
            _go_on(thinking)
            return self._judge(planes)

        number = self._rounds
        rooms = rooms_of_round(self.seed, number)
        if len(rooms):
            luck = np.random.default_rng((self.seed, 4, number))
            noise = np.where(luck.random(len(rooms)) < 0.5, 0.0, luck.uniform(0.2, 1.0, len(rooms))).astype(
                np.float32
            )
            games = play_games(rooms, judge, _PUSHES, noise, number + 1, _HOPELESS)
            greedy = noise == 0
            self._sums[6:] += (greedy.sum(), (games.status[greedy] == SOLVED).sum())
            self._learn(self._labelled(rooms, games, luck, thinking), luck, thinking)
            if self._examples:
                self._learn(self._shown_by_a_person(luck), luck, thinking)
            self._shown = games.history[games.lengths[0] // 2, 0].reshape(rooms.shape[1:])
        self._rounds += 1
        self._rooms += len(rooms)

    def _labelled(self, rooms: Codes, games: Games, luck: np.random.Generator, thinking: Thinking) -> Labelled:
        """The labels of a round. Raises _BrokenOff once the thinking is cancelled."""
        solved = games.status == SOLVED
        roots, most = [rooms.reshape(len(rooms), -1)], [np.where(solved, _EASY, _FAILED)]
        for game, length in enumerate(games.lengths.tolist()):
            if length:
                # Early positions decide more than late ones, which are often lost already.
                share = luck.random(_VISITED_EASY if solved[game] else _VISITED_FAILED) ** 1.5
                chosen = np.unique(1 + (share * length).astype(np.int64))
                roots.append(games.history[chosen, game])
                most.append(np.full(len(chosen), _BEYOND_EASY if solved[game] else _BEYOND_FAILED))
        return self._labeller.label(
            np.concatenate(roots), np.concatenate(most).astype(np.int32), rooms.shape[2], int(luck.integers(2**62)),
            lambda: _go_on(thinking),
        )  # fmt: skip

    def _shown_by_a_person(self, luck: np.random.Generator) -> Labelled:
        """A batch of positions of boards of one size."""
        counts = np.array([len(each.to_go) for each in self._examples])
        group = self._examples[int(luck.choice(len(counts), p=counts / counts.sum()))]
        chosen = luck.permutation(len(group.to_go))[: self.settings.batch]
        return Labelled(group.boards[chosen], group.pushes[chosen], group.to_go[chosen], group.cols)

    def _learn(self, labelled: Labelled, luck: np.random.Generator, thinking: Thinking) -> None:
        """Learn every position once. Raises _BrokenOff once the thinking is cancelled."""
        count, cols = len(labelled.to_go), labelled.cols
        side = side_of(labelled.boards.shape[1] // cols, cols)
        order = luck.permutation(count)
        turns: Bytes = luck.integers(0, SYMMETRIES, count).astype(np.uint8)
        batches = max(1, round(count / self.settings.batch))
        for chosen in np.array_split(order, batches):
            _go_on(thinking)
            planes, legal, best = drawn(labelled.boards, cols, side, chosen, labelled.pushes, turns[chosen])
            for group in self._optimizer.param_groups:
                group["lr"] = self._rate()
            self._step(planes, legal, best, labelled.to_go[chosen])
            self._positions += len(chosen)

    def _step(self, planes: Floats, legal: Bytes, best: Bytes, to_go: Any) -> None:
        device = self._device
        wanted = torch.from_numpy(best).to(device).float()
        allowed = torch.from_numpy(legal).to(device).bool()
        left = torch.from_numpy(to_go.astype(np.int64)).to(device)
        with torch.autocast(device.type, torch.bfloat16, enabled=self.settings.bf16):
            choice, value = self._network(torch.from_numpy(planes).to(device))
        pushes, far, solvable = losses(choice, value, allowed, wanted, left)
        loss = pushes + far + 0.5 * solvable
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._network.parameters(), 1.0)
        self._optimizer.step()
        with torch.no_grad():
            first = torch.where(allowed, choice, torch.tensor(-1e9, device=device)).argmax(1)
            hits = wanted.gather(1, first[:, None]).sum()
            alive = left >= 0
            right = ((value[:, 1] > 0) == alive).sum()
        count, living = len(to_go), int(alive.sum())
        self._sums[:6] += (
            count, living, count * float(loss.detach()), float(hits), living * float(far.detach()), float(right),
        )  # fmt: skip

    def _judge(self, planes: Floats) -> tuple[Floats, Floats]:
        enabled = self.settings.bf16
        with torch.no_grad(), torch.autocast(self._device.type, torch.bfloat16, enabled=enabled):
            choice, value = self._network(torch.from_numpy(planes).to(self._device))
        return choice.cpu().numpy(), value.cpu().numpy()

    def _rate(self) -> float:
        """The learning rate: warmed up, then along a cosine to 0."""
        share = min(1.0, self._rooms / self.settings.rooms)
        warm = min(1.0, self._positions / self.settings.batch / _WARM + 0.01)
        return self.settings.rate * warm * (0.5 + 0.5 * math.cos(math.pi * share))

    def _read(self, path: Path, wanted: Mapping[str, Any]) -> dict[str, Array]:
        with TensorFile(path) as file:
            _begun, numbers = self.read_header(file, wanted, "rooms", "rounds", "positions", "steps", check=_possible)
            self._rooms, self._rounds = numbers["rooms"], numbers["rounds"]
            self._positions, self._steps = numbers["positions"], numbers["steps"]
            told = self.settings
            sizes = model.sizes(told.channels, told.blocks, HIDDEN)
            found: dict[str, Array] = {name: file.array(name, "F32", size) for name, size in sizes.items()}
            shapes = [tuple(each.shape) for each in Network(told.channels, told.blocks, 0).parameters()]
            for number, shape in enumerate(shapes):
                for moment in MOMENTS:
                    found[f"{moment}.{number}"] = file.array(f"{moment}.{number}", "F32", shape)
        if not all(np.isfinite(each).all() for each in found.values()):
            raise ModelError(path, "it holds numbers that no training makes")
        return found


def _possible(settings: Settings) -> bool:
    """Whether a checkpoint may have such settings."""
    network = 1 <= settings.channels <= model.MAX_CHANNELS and 0 <= settings.blocks <= model.MAX_BLOCKS
    return network and settings.rooms > 0 and settings.batch > 0
