"""Networks on boards as arrays: values by plain sums on 3×3 to 5×5, equal to packed ones on 4×4, and the agent there."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai import catalogue, models
from ai.agent import Status, Thinking
from ai.models import ModelCard
from ai.twenty48.ntuple import grid_network
from ai.twenty48.ntuple import model as ntuple_model
from ai.twenty48.ntuple import network as ntuple
from ai.twenty48.ntuple.agent import NTuple
from ai.twenty48.ntuple.shapes import CONTENTS, SHAPES_OF, SIZES, parse_tuples, table_sizes
from ai.twenty48.ntuple.training import NTupleTraining
from ai.twenty48.search.stack import CUTOFF
from game.rules import twenty48
from game.rules.twenty48 import State
from tests.ai.twenty48.ntuple.test_network import RULES, packed, plain_places, unpacked

TUPLES = {size: parse_tuples("0 018 0136 24578", size) for size in SIZES}
BASE = np.uint64(0)
CROWDED = {
    3: "2 4 8/4 8 16/2 0 2",
    5: "2 4 8 16 2/4 8 16 32 4/8 16 32 64 8/2 262144 131072 8 4/2 4 8 0 2",
}


def weights_of(size: int) -> np.ndarray:
    count = sum(table_sizes(TUPLES[size], size))
    return np.random.default_rng(size).normal(0, 100, count).astype(np.float32)


NETWORKS = {size: grid_network.make_grid_network(TUPLES[size], weights_of(size), size) for size in SIZES}


def look_up(cells: list[int], size: int) -> tuple[float, list[int]]:
    """(value, places) as the kernels say."""
    weights, steps, spots, tables, _, _, contents = NETWORKS[size]
    board, seen = np.array(cells, np.uint8), np.zeros(size * size, np.uint64)
    where = np.zeros(len(spots), np.uint64)
    grid_network.find(board, BASE, spots, tables, contents, where, seen)
    value = grid_network.evaluate(board, BASE, weights, steps, spots, tables, contents, seen)
    return float(value), [int(place) for place in where]


def choose(cells: list[int], size: int) -> tuple[int, tuple[int, ...], int, float]:
    """(action, afterstate, reward, worth) as the kernel says."""
    weights, steps, spots, tables, _, _, contents = NETWORKS[size]
    after, trial = np.zeros((2, size * size), np.uint8)
    seen, where = np.zeros(size * size, np.uint64), np.zeros(len(spots), np.uint64)
    action, reward, worth = grid_network.best_slide(
        np.array(cells, np.uint8), BASE, weights, steps, spots, tables, size, contents, after, trial, seen, where
    )
    return action, tuple(after.tolist()), int(reward), float(worth)


boards = st.sampled_from(SIZES).flatmap(
    lambda size: st.lists(st.integers(0, CONTENTS[size] + 2), min_size=size * size, max_size=size * size)
)


@settings(max_examples=150, deadline=None)
@given(boards)
def test_a_value_is_the_plain_sum_whatever_the_size(cells: list[int]) -> None:
    size = int(len(cells) ** 0.5)
    value, places = look_up(cells, size)
    expected = plain_places(cells, TUPLES[size])
    assert sorted(places) == sorted(expected), cells
    assert value == pytest.approx(float(NETWORKS[size].weights[expected].sum()), rel=1e-4, abs=0.01), cells


@settings(max_examples=100, deadline=None)
@given(boards)
def test_the_best_slide_is_that_of_the_plain_rules(cells: list[int]) -> None:
    size = int(len(cells) ** 0.5)
    state = State(size, tuple(cells), 0, 0, 0)
    values = {}
    for each in twenty48.legal_actions(state):
        slide = twenty48.slide(state, each)
        assert slide is not None
        values[each] = slide.reward + look_up(list(slide.cells), size)[0]
    action, after, reward, worth = choose(cells, size)
    print(twenty48.format_position(state), values, action)
    assert (action >= 0) == bool(values)
    if values:
        assert values[action] == pytest.approx(max(values.values()), rel=1e-6, abs=0.02)
        slide = twenty48.slide(state, action)
        assert slide is not None
        assert (after, reward) == (slide.cells, slide.reward)
        assert worth == pytest.approx(values[action], rel=1e-6, abs=0.02)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(0, 14), min_size=16, max_size=16))
def test_on_4x4_it_is_the_packed_network(cells: list[int]) -> None:
    network = ntuple.make_network(TUPLES[4], NETWORKS[4].weights)
    value = ntuple.evaluate(packed(cells), BASE, *network[:3])
    assert look_up(cells, 4)[0] == pytest.approx(float(value), rel=1e-5, abs=0.01)
    action, after, reward, worth = ntuple.best_slide(packed(cells), BASE, *network[:3], *RULES)
    found = choose(cells, 4)
    print(cells, found)
    if action < 0:
        assert found[0] == -1
    elif found[0] == action:
        assert found == (action, unpacked(after), reward, pytest.approx(float(worth), abs=0.05))
    else:
        assert found[3] == pytest.approx(float(worth), abs=0.05), "two slides as good as each other"


def test_all_named_sets_of_other_sizes_have_the_size_their_names_say() -> None:
    for size, named in SHAPES_OF.items():
        for name, text in named.items():
            tuples = parse_tuples(text, size)
            number, cells = name.split("x")
            assert (len(tuples), {len(shape) for shape in tuples}) == (int(number), {int(cells)}), (size, text)


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """A network of random weights in two stages for each size, in the range of learned ones."""
    made = {}
    for size in (3, 5):
        made[size] = tmp_path_factory.mktemp("models") / f"random-{size}.safetensors"
        weights = np.concatenate([weights_of(size), 2 * weights_of(size)])
        ntuple_model.write(made[size], TUPLES[size], weights, ModelCard(made[size]), size=size, stages=(70,))
    return made


def naive(state: State, plies: int, model: ntuple_model.NTupleModel, stage: int, likely: float = 1.0):
    """The value of every legal action, on the plain rules."""
    values = {}
    tables = table_sizes(model.tuples, model.size)
    steps = np.repeat(model.steps, [8] * len(tables))
    for action in twenty48.legal_actions(state):
        slide = twenty48.slide(state, action)
        assert slide is not None
        if plies == 1 or likely < CUTOFF:
            places = stage * sum(tables) + np.array(plain_places(slide.cells, model.tuples))
            values[action] = slide.reward + float((model.weights[places] * steps).sum())
            continue
        empty = [cell for cell, exponent in enumerate(slide.cells) if not exponent]
        total = 0.0
        for cell in empty:
            for exponent, chance in ((1, 0.9), (2, 0.1)):
                after = twenty48.place(state, slide, cell, exponent)
                below = naive(after, plies - 1, model, stage, likely * chance / len(empty))
                total += chance * max(below.values(), default=0.0)
        values[action] = slide.reward + total / len(empty)
    return values


@pytest.mark.parametrize("size", [3, 5])
@pytest.mark.parametrize("plies", [1, 2, 3])
@pytest.mark.parametrize("crowded", [False, True])
def test_values_are_those_of_a_plain_recursive_search(
    paths: dict[int, Path], size: int, plies: int, crowded: bool
) -> None:
    state = twenty48.parse_position(CROWDED[size]) if crowded else twenty48.start(size, 3)
    if plies == 3 and not crowded:
        state = twenty48.parse_position({3: "2 4 2/4 2 4/0 2 4", 5: CROWDED[5].replace("16 2/", "16 16/")}[size])
    agent = NTuple(paths[size], plies)
    total = sum(1 << cell for cell in state.cells if cell)
    expected = naive(state, plies, agent.learned, int(total >= 70))
    plan = agent.plan(state, Thinking())
    print(twenty48.format_position(state), expected, plan)
    assert dict(plan.values) == pytest.approx(expected, rel=1e-5, abs=0.02)
    assert plan.values[plan.actions[0]] == max(plan.values.values())
    assert (plan.depth, plan.status) == (plies, Status.PLAN)


@pytest.mark.parametrize(
    ("size", "plies", "moves"), [(3, 1, 500), (3, 2, 40), (3, 3, 20), (5, 1, 400), (5, 2, 20), (5, 3, 3)]
)
def test_play_many_plays_what_plan_plays(paths: dict[int, Path], size: int, plies: int, moves: int) -> None:
    agent, state = NTuple(paths[size], plies), twenty48.start(size, 20)
    many = NTuple(paths[size], plies).play_many(state, moves, Thinking())
    for action, cell, exponent in many:
        plan = agent.plan(state, Thinking())
        print(twenty48.format_position(state), plan.values, (action, cell, exponent))
        assert plan.actions == (action,)
        slide = twenty48.slide(state, action)
        assert slide is not None and twenty48.spawn(slide.cells, state.seed, state.spawns) == (cell, exponent)
        state = twenty48.place(state, slide, cell, exponent)
    assert len(many) == moves or twenty48.outcome(state) is not None


def test_a_search_stops_at_its_node_limit_and_when_it_is_cancelled(paths: dict[int, Path]) -> None:
    agent, state = NTuple(paths[5], 3), twenty48.start(5, 1)
    cut = agent.plan(state, Thinking(nodes=300))
    print(cut)
    assert cut.depth == 2 and cut.actions and 300 <= cut.nodes < 400
    cancelled = Thinking()
    cancelled.cancel()
    assert agent.plan(state, cancelled).status is Status.CANCELLED


def test_a_network_refuses_boards_of_another_size(paths: dict[int, Path]) -> None:
    with pytest.raises(ValueError, match="plays 3×3 boards, not 4×4"):
        NTuple(paths[3], 1).plan(twenty48.start(4), Thinking())


@pytest.mark.parametrize(("size", "tuples", "random"), [(3, "012 034 0134", 178.74), (5, "0156 0123 5678", 3_300.0)])
def test_a_training_on_another_size_learns_goes_on_exactly_and_plays(
    tmp_path: Path, size: int, tuples: str, random: float
) -> None:
    games = {3: 1_000, 5: 60}[size]
    whole = NTupleTraining({"size": size, "tuples": tuples, "games": games}, 7)
    assert whole.advance(600.0, Thinking())
    figures = whole.figures()
    print(figures)
    assert figures["mean_score"] > 3 * random
    half = NTupleTraining({"size": size, "tuples": tuples, "games": games // 2}, 7)
    assert half.advance(600.0, Thinking())
    half.save_checkpoint(tmp_path / "half.checkpoint.safetensors")
    other = NTupleTraining({"games": games // 2}, 0, tmp_path / "half.checkpoint.safetensors")
    assert other.settings.size == size and other.advance(600.0, Thinking())
    whole.save_model(tmp_path / "whole.safetensors", "whole", "train")
    other.save_model(tmp_path / "other.safetensors", "other", "train")
    first, second = (
        ntuple_model.load(tmp_path / "whole.safetensors"),
        ntuple_model.load(tmp_path / "other.safetensors"),
    )
    np.testing.assert_array_equal(first.weights, second.weights)
    assert (first.card.board, first.size, first.tuples) == (f"{size}x{size}", size, parse_tuples(tuples, size))
    agent = NTuple(tmp_path / "whole.safetensors", 1)
    scores = []
    for seed in range(20):
        state = twenty48.start(size, seed)
        for action, cell, exponent in agent.play_many(state, 10**6, Thinking()):
            slide = twenty48.slide(state, action)
            assert slide is not None
            state = twenty48.place(state, slide, cell, exponent)
        scores.append(state.score)
    print(scores)
    assert np.mean(scores) > 3 * random
    more = NTupleTraining({"games": 5}, 1, tmp_path / "whole.safetensors")
    assert (more.settings.size, more.games) == (size, games)
    with pytest.raises(ValueError, match=f"for boards of size {size} and keeps it"):
        NTupleTraining({"size": 4, "games": 5}, 1, tmp_path / "whole.safetensors")
    with pytest.raises(ValueError, match=f"was begun with size={size} and keeps it"):
        NTupleTraining({"size": 4, "games": 5}, 1, tmp_path / "half.checkpoint.safetensors")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"size": 3}, "'5x4' is no name of tuples on 3x3: expected 3x5, 4x6 or 8x6, or cells"),
        ({"size": 3, "tuples": "0123 089a"}, "expected 1 to 6 cells written 0 to 8"),
        ({"size": 6}, "boards of size 3, 4 or 5, not 6"),
        ({"size": 4, "tuples": "6x5"}, "no name of tuples on 4x4: expected 5x4, 4x5, 4x6, 5x6 or 8x6, or cells"),
    ],
)
def test_settings_that_do_not_fit_the_board_are_one_clear_line(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        NTupleTraining(settings, 1)
    assert "\n" not in str(caught.value)


def test_the_catalogue_offers_models_by_the_size_of_the_board(
    paths: dict[int, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "FOLDERS", [paths[3].parent, paths[5].parent])
    entry = catalogue.entry("twenty48", "ntuple")
    for size, expected in ((3, ["random-3"]), (4, []), (5, ["random-5"]), (6, [])):
        state = twenty48.start(size)
        assert [card.name for card in catalogue.model_cards(entry, state)] == expected
        spec = catalogue.default_spec("twenty48", "ntuple", state)
        reason = catalogue.why_not("twenty48", spec, state)
        print(size, spec, reason)
        assert reason is None if expected else reason == f"there is no model for {size}x{size}"
    chosen = catalogue.parse("twenty48", "ntuple:random-3")
    assert "trained for boards of 3x3, this one is 5x5" in str(
        catalogue.why_not("twenty48", chosen, twenty48.start(5))
    )
