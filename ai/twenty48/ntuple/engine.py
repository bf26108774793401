"""The search of a loaded n-tuple network behind one face, whether its boards are packed or arrays."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ai.twenty48.board.grid import Cells
from ai.twenty48.ntuple.downgrade import NO_STAGES, largest_seen
from ai.twenty48.ntuple.grid_network import make_grid_network
from ai.twenty48.ntuple.grid_search import begin_grid_search, look_grid_network, make_grid_search, play_grid_network
from ai.twenty48.ntuple.model import NTupleModel
from ai.twenty48.ntuple.network import Stages, make_network, make_rules
from ai.twenty48.ntuple.search import begin_search, look, make_search, play
from ai.twenty48.search.stack import Record, Stack

Luck = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Engine:
    """Arguments and returns are those of the functions of `ai.twenty48.ntuple.search`."""

    stack: Stack
    known: int
    """Exponent of the largest tile that is played as it is, and not as a smaller one."""
    later: Stages
    """Sums of all tiles at which later stages begin, for which that does not hold."""
    begin: Callable[[Cells, int], None]
    look: Callable[[int], bool]
    play: Callable[[Cells, Luck, int, Record, int, int], tuple[int, bool]]


def make_engine(model: NTupleModel, plies: int) -> Engine:
    """A search of `plies` own slides on the boards that the model was trained for."""
    if model.size == 4:
        network = make_network(model.tuples, model.weights, model.steps, model.stages)
        known, later = model.known, network.stages
        if not known:
            known, later = largest_seen(model.tuples, model.weights), NO_STAGES
        packed = make_search(plies, network, make_rules(), known, later)
        return Engine(
            packed.stack,
            packed.known,
            later,
            lambda cells, depth: begin_search(packed, cells, depth),
            lambda limit: look(packed, limit),
            lambda cells, luck, depth, record, played, limit: play(packed, cells, luck, depth, record, played, limit),
        )
    return on_arrays(model, plies)


def on_arrays(model: NTupleModel, plies: int) -> Engine:
    """The same on boards as arrays, which 4×4 boards could be as well, but slower."""
    network = make_grid_network(model.tuples, model.weights, model.size, model.steps, model.stages)
    grid = make_grid_search(plies, network)
    return Engine(
        grid.stack,
        network.contents - 1,
        NO_STAGES,
        lambda cells, depth: begin_grid_search(grid, cells, depth),
        lambda limit: look_grid_network(grid, limit),
        lambda cells, luck, depth, record, played, limit: play_grid_network(
            grid, cells, luck, depth, record, played, limit
        ),
    )
