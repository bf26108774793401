"""Training of the network for flat boards, from exact labels (`ai.connect4.exact.labels`): the only module that needs torch.

Every root's positions are learned in random order, in batches, half of them mirrored. Three losses are added: for every
known column the cross-entropy of its loss, draw or win; the same of the position; and of the choice,
-log of the part that the softmax over the known columns gives to those that keep what the position is worth.

After the roots come games of the network with itself that are corrected (`ai.connect4.exact.corrections`), a few at a time: their
positions are learned with others of those before and those of a root.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional
from typing_extensions import override

from ai.agent import Thinking
from ai.connect4.board.names import parse_board
from ai.connect4.exact.bitboard import Words
from ai.connect4.exact.bitboard_shape import why_not, words
from ai.connect4.exact.corrections import Corrections
from ai.connect4.exact.labels import Labelled, Labeller, Signs
from ai.connect4.net import model
from ai.connect4.net.features import REACH, features
from ai.connect4.net.features import forward as play_forward
from ai.connect4.net.settings import Settings
from ai.moments import MOMENTS, go_on, moments_of, steps_of
from ai.tensors import Array, ModelError, TensorFile
from ai.training import Figures, Training
from game.rules import connect4
from game.rules.connect4 import State

_GROUP = 8
"""Roots whose positions are mixed."""
_BATCH = 512
_AGAIN = 500
"""Positions that are learned beside those of a corrected game: so many of those before, and of a root."""
_CORRECTED_RATE = 0.3
"""Part of the learning rate with which the corrected games begin."""
_DECAY = 1e-4


class NetTraining(Training[Settings]):
    """Supervised training, of a board that has exact labels. A checkpoint's settings stay, but for the time."""

    game, agent, kind = "connect4", model.AGENT, Settings
    fixed = ("board", "width", "blocks", "roots", "passes", "rate")

    def __init__(self, settings: Mapping[str, Any], seed: int, checkpoint: Path | None = None) -> None:
        super().__init__(seed)
        self._done = 0
        kept = self._read(checkpoint, settings) if checkpoint is not None else {}
        if checkpoint is None:
            self.settings = Settings(**settings)
        self.shape = parse_board(f"{self.settings.board} for 2")
        reason = why_not(self.shape)
        if reason is not None:
            raise ValueError(reason)
        self._labeller = Labeller(self.shape, self.seed)
        sizes = model.sizes(self.shape, self.settings.width, self.settings.blocks)
        self._parameters = {
            name: torch.nn.Parameter(_tensor(kept[name] if kept else first))
            for name, first in _first_weights(sizes, seed).items()
        }
        self._optimizer = torch.optim.AdamW(self._parameters.values(), self.settings.rate, weight_decay=_DECAY)
        if checkpoint is None:
            self._corrections = Corrections(self.shape, self.seed)
        for name, parameter in self._parameters.items() if kept else ():
            go_on(self._optimizer, parameter, self._steps, {each: kept[f"{name}.{each}"] for each in MOMENTS})
        self._sums = np.zeros(5)
        self._figured = self._done

    @property
    @override
    def games(self) -> int:
        """Roots learned, in all runs, each as often as it was, and games corrected."""
        return self._done + self._corrections.games

    @property
    @override
    def goal(self) -> int:
        """Roots to learn and games to correct in all."""
        return self._roots_due + self.settings.corrected

    @override
    def learn(self, thinking: Thinking) -> None:
        if self._done < self._roots_due:
            self._group(thinking)
        else:
            self._correct(thinking)

    @override
    def figures(self) -> Figures:
        """How far it is; errors since the last call: the share of positions whose first choice keeps their worth."""
        positions = max(1.0, self._sums[0])
        found = {
            "games": self.games,
            "positions": self._sums[0],
            "loss": self._sums[1] / positions,
            "kept": self._sums[2] / max(1.0, self._sums[3]),
            "own_kept": self._corrections.figure(),
            "rate": self._rate(),
        }
        self._sums[:] = 0
        return found

    @override
    def save_checkpoint(self, path: Path, command: str = "") -> None:
        arrays: dict[str, Array] = {}
        for name, parameter in self._parameters.items():
            arrays[name] = parameter.detach().numpy().copy()
            moments = moments_of(self._optimizer, parameter)
            arrays |= {f"{name}.{moment}": each for moment, each in moments.items()}
        arrays |= self._corrections.arrays()
        self.write_checkpoint(
            path, command, arrays,
            done=self._done, steps=steps_of(self._optimizer), corrected=self._corrections.games,
        )  # fmt: skip

    @override
    def save_model(self, path: Path, title: str, command: str) -> None:
        rule = f"exact labels of {self.settings.roots:,} roots, {self.settings.passes} passes"
        if self._corrections.games:
            rule += f", {self._corrections.games:,} games corrected"
        model.write(path, self.shape, self.arrays(), self.card(path, title, command, rule))

    def arrays(self) -> dict[str, npt.NDArray[np.float32]]:
        """The weights as `features.forward` takes them."""
        return {name: parameter.detach().numpy().copy() for name, parameter in self._parameters.items()}

    # Inside

    @property
    def _roots_due(self) -> int:
        return self.settings.roots * self.settings.passes

    def _correct(self, thinking: Thinking) -> None:
        """Correct the next game and learn from it, or nothing where the thinking is over."""
        told, number = self.settings, self._corrections.games
        root = self._labeller.root(number % told.roots, thinking)
        if root is None:
            return
        found = self._corrections.lesson(self._best, told.explore, told.opening, root, _AGAIN, thinking)
        if found is not None:
            self._learn_all(*found, np.random.default_rng((self.seed, 2, number)))

    def _best(self, state: State) -> int:
        """The column that the network likes best."""
        arrays = {name: parameter.detach().numpy() for name, parameter in self._parameters.items()}
        choice = play_forward(arrays, features(self.shape, np.array([words(state)], np.uint64))).choice[0]
        return max(connect4.legal_actions(state), key=choice.__getitem__)

    def _group(self, thinking: Thinking) -> None:
        """Learn the next few roots, all of them or, where the thinking is over, none."""
        roots = self.settings.roots
        within = self._done % roots
        order = np.random.default_rng((self.seed, self._done // roots)).permutation(roots)
        numbers = order[within : within + _GROUP]
        found: list[Labelled] = []
        for number in numbers:
            labelled = self._labeller.root(int(number), thinking)
            if labelled is None:
                return
            found.append(labelled)
        positions = np.concatenate([each.positions for each in found])
        signs = np.concatenate([each.signs for each in found])
        self._learn_all(positions, signs, np.random.default_rng((self.seed, 1, self._done)))
        self._done += len(numbers)

    def _learn_all(self, positions: Words, signs: Signs, luck: np.random.Generator) -> None:
        """Learn positions in random order, in batches."""
        shuffled = luck.permutation(len(positions))
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate()
        for begin in range(0, len(shuffled), _BATCH):
            taken = shuffled[begin : begin + _BATCH]
            self._learn(positions[taken], signs[taken], luck.random(len(taken)) < 0.5)

    def _learn(self, positions: Words, signs: Signs, mirror: npt.NDArray[np.bool_]) -> None:
        seen = features(self.shape, positions)
        seen[mirror] = seen[mirror, ::-1]
        signs = np.where(mirror[:, None], signs[:, ::-1], signs).astype(np.int64)
        known = np.abs(signs) <= 1
        full = signs == 2
        best = np.where(known, signs, -2).max(1)
        settled = (known | full).all(1) | (best == 1)
        good = torch.from_numpy(known & (signs == best[:, None]))
        columns, choice, value = forward(self._parameters, _tensor(seen))
        column_loss = functional.cross_entropy(columns[known], torch.from_numpy(signs[known] + 1))
        value_loss = functional.cross_entropy(value[settled], torch.from_numpy(best[settled] + 1))
        below = torch.tensor(-1e9)
        kept = torch.where(good, choice, below).logsumexp(1)
        everything = torch.where(torch.from_numpy(known), choice, below)
        choice_loss = (everything.logsumexp(1) - kept)[torch.from_numpy(known.any(1))].mean()
        loss = column_loss + 0.5 * value_loss + choice_loss
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._parameters.values(), 1.0)
        self._optimizer.step()
        top = everything.detach().argmax(1).numpy()
        whole = (known | full).all(1)
        hits = (np.take_along_axis(signs, top[:, None], 1)[:, 0] == best) & whole
        self._sums += (len(signs), len(signs) * float(loss.detach()), hits.sum(), whole.sum(), 0)

    def _rate(self) -> float:
        """The learning rate: warmed up, then along a cosine to 0; once more where games are corrected."""
        told, share = self.settings, self._done / self._roots_due
        begun = told.rate * min(1.0, (share + 0.002) / 0.02)
        if self._corrections.games:
            begun, share = told.rate * _CORRECTED_RATE, self._corrections.games / max(1, told.corrected)
        return begun * (0.5 + 0.5 * math.cos(math.pi * min(share, 1.0)))

    def _read(self, path: Path, wanted: Mapping[str, Any]) -> dict[str, Array]:
        with TensorFile(path) as file:
            _begun, numbers = self.read_header(file, wanted, "done", "steps", "corrected", check=_possible)
            self._done, self._steps = numbers["done"], numbers["steps"]
            if self._done > self._roots_due or numbers["corrected"] > self.settings.corrected:
                raise ModelError(path, "it has learned more than it was told to")
            told = self.settings
            sizes = model.sizes(parse_board(f"{told.board} for 2"), told.width, told.blocks)
            self._corrections = Corrections(parse_board(f"{told.board} for 2"), self.seed)
            self._corrections.restore(file, numbers["corrected"])
            found: dict[str, Array] = {}
            for name, size in sizes.items():
                for ending in ("", *(f".{moment}" for moment in MOMENTS)):
                    found[name + ending] = file.array(name + ending, "F32", size)
        if not all(np.isfinite(each).all() for each in found.values()):
            raise ModelError(path, "it holds numbers that no training makes")
        return found


def _possible(settings: Settings) -> bool:
    """Whether a checkpoint may have such settings; raises ValueError for some that it may not."""
    parse_board(f"{settings.board} for 2")
    return 0 < settings.width <= model.MAX_WIDTH and 0 <= settings.blocks <= model.MAX_BLOCKS


def _tensor(array: Array) -> torch.Tensor:
    """A copy in memory that torch aligns, which decides how it rounds."""
    return torch.from_numpy(array).clone()


def forward(
    parameters: Mapping[str, torch.Tensor], seen: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """`features.forward` in torch: (columns, choice, value)."""

    def layer(name: str, at: torch.Tensor) -> torch.Tensor:
        weight = parameters[f"{name}.weight"]
        windows = functional.pad(at, (0, 0, REACH, REACH)).unfold(1, 2 * REACH + 1, 1)
        return windows.permute(0, 1, 3, 2).flatten(2) @ weight.flatten(0, 1) + parameters[f"{name}.bias"]

    here = layer("first", seen).relu()
    block = 0
    while f"{block}.in.weight" in parameters:
        here = here + layer(f"{block}.out", layer(f"{block}.in", here).relu()).relu()
        block += 1
    heads = here @ parameters["column.weight"] + parameters["column.bias"]
    value = here.mean(1) @ parameters["value.weight"] + parameters["value.bias"]
    return heads[:, :, :3], heads[:, :, 3], value


def _first_weights(sizes: Mapping[str, tuple[int, ...]], seed: int) -> dict[str, npt.NDArray[np.float32]]:
    """Biases 0, weights normal with variance 2 / inputs; those that end blocks and heads a tenth as wide."""
    luck = np.random.default_rng((seed, 2))
    found = {}
    for name, size in sizes.items():
        if name.endswith(".bias"):
            found[name] = np.zeros(size, np.float32)
            continue
        wide = 1.0 if name in ("first.weight",) or name.endswith(".in.weight") else 0.3
        spread = wide * math.sqrt(2 / math.prod(size[:-1]))
        found[name] = (luck.standard_normal(size) * spread).astype(np.float32)
    return found
