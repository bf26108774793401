"""A q-table as a model file: the keys of the states in order, and 16-bit values for each column.

`keys` are as `ai.connect4.report.state` makes them; `values.…` hold (states * columns) numbers as `ai.tables` keeps
them, each worth `STEP`; `seat` is the learner's, from 0. An action that was never tried is worth exactly 0. A loaded
model is shared by all agents that use it. Imports no numba.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ai import tables
from ai.connect4.board.names import board_name, parse_board
from ai.loaded import Loaded
from ai.models import ModelCard, card_for
from ai.tensors import Array, ModelError, TensorFile, write_whole
from game.rules.connect4 import Shape

AGENT = "qlearning"
STEP = 0.25
"""What a stored 1 is worth; values are from -500 to 500."""
_MOST_STATES = 50_000_000


@dataclass(frozen=True, eq=False)
class QModel:
    """One loaded file."""

    card: ModelCard
    shape: Shape
    seat: int
    """Where the learner sat, from 0."""
    keys: npt.NDArray[np.uint64]
    """(states,) ascending."""
    values: npt.NDArray[np.int16]
    """(states, columns) in units of `STEP`."""


def read(path: Path) -> QModel:
    """Read and check a file.

    Raises:
        ModelError: with what is wrong.
    """
    with TensorFile(path) as file:
        card = card_for(file, "connect4", AGENT)
        try:
            shape = parse_board(card.board)
        except ValueError as error:
            raise ModelError(path, f"its board is none: {error}") from None
        seat = int(file.array("seat", "U8", (1,))[0])
        if seat >= shape.players:
            raise ModelError(path, f"it is for seat {seat + 1} of {shape.players}")
        states = file.declared("keys", "U64", (None,)).shape[0]
        if states > _MOST_STATES:
            raise ModelError(path, f"it has {states:,} states, more than {_MOST_STATES:,}")
        keys = file.array("keys", "U64", (states,))
        if not np.all(keys[1:] > keys[:-1]):
            raise ModelError(path, "its states are not in order")
        values = tables.decode(file, "values", states * shape.columns).reshape(states, shape.columns)
    return QModel(card, shape, seat, keys, values)


load = Loaded(read).load
"""The model in a file, the one already in memory where the file has not changed; raises ModelError."""


def write(
    path: Path,
    shape: Shape,
    seat: int,
    keys: npt.NDArray[np.uint64],
    values: npt.NDArray[np.float32],
    card: ModelCard,
) -> None:
    """Write a q-table.

    Args:
        path: The file.
        shape: The board and its players.
        seat: The learner's, from 0.
        keys: (states,) in any order, each once.
        values: float32 (states, columns).
        card: What the header says; game, agent, board and shapes are filled in.

    Raises:
        OSError: when it cannot be written.
    """
    card = replace(
        card, game="connect4", agent=AGENT, board=board_name(shape), shapes=f"{len(keys):,} states, seat {seat + 1}"
    )
    order = np.argsort(keys)
    stored = np.clip(np.rint(values[order] / STEP), -32767, 32767).astype(np.int16).ravel()
    arrays: dict[str, Array] = {"keys": keys[order], "seat": np.array([seat], np.uint8)}
    write_whole(path, arrays | tables.encode("values", stored), card.metadata())
