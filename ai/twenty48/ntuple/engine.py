"""The search of a loaded n-tuple network, whether its boards are packed or arrays."""

from ai.twenty48.ntuple.downgrade import NO_STAGES, largest_seen
from ai.twenty48.ntuple.grid_network import make_grid_network
from ai.twenty48.ntuple.grid_search import begin_grid_search, look_grid_network, make_grid_search, play_grid_network
from ai.twenty48.ntuple.model import NTupleModel
from ai.twenty48.ntuple.network import make_network, make_rules
from ai.twenty48.ntuple.search import begin_search, look, make_search, play
from ai.twenty48.search.engine import Engine


def make_engine(model: NTupleModel, plies: int) -> Engine:
    """A search of `plies` own slides on the boards that the model was trained for."""
    if model.size != 4:
        return on_arrays(model, plies)
    network = make_network(model.tuples, model.weights, model.steps, model.stages)
    known, later = model.known, network.stages
    if not known:
        known, later = largest_seen(model.tuples, model.weights), NO_STAGES
    return Engine(make_search(plies, network, make_rules(), known, later), begin_search, look, play)


def on_arrays(model: NTupleModel, plies: int) -> Engine:
    """The same on boards as arrays, which 4×4 boards could be as well, but slower."""
    network = make_grid_network(model.tuples, model.weights, model.size, model.steps, model.stages)
    return Engine(make_grid_search(plies, network), begin_grid_search, look_grid_network, play_grid_network)
