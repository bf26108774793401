"""How the `ntuple` agent plays: the leaves of its search, its time, crowded boards, tiles beyond training."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai import catalogue
from ai.agent import Status, Thinking
from ai.models import ModelCard
from ai.twenty48.board.packed import cells_of, pack
from ai.twenty48.ntuple import model as ntuple_model
from ai.twenty48.ntuple.agent import NTuple
from ai.twenty48.ntuple.downgrade import NO_STAGES, fits, is_known, largest_seen, seen_as, stand_in
from ai.twenty48.ntuple.leaf import evaluate_all, make_leaf
from ai.twenty48.ntuple.network import evaluate, make_network
from ai.twenty48.ntuple.shapes import parse_tuples, table_sizes
from game.rules import twenty48
from game.rules.twenty48 import State

TUPLES = parse_tuples("0145 012 5")
BEYOND = "65536 32768 32768 2/16 8 131072 2/2 4 2 16/4 2 4 0"
TWIN = "32768 32768 8192 0/2 4 0 0/0 0 0 0/0 0 0 0"
EVERY = "32768 32768 2 4/128 64 16 8/256 512 1024 32/16384 8192 4096 2048"
SPARSE_BEYOND = "65536 32768 32768 2/16 8 2 0/0 0 0 0/0 0 0 0"
CROWDED = "2 4 8 16/4 8 16 32/8 16 32 64/2 0 64 128"
EXPONENTS = st.lists(st.integers(0, 20), min_size=16, max_size=16).filter(any)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network of random weights, in the range of learned ones."""
    made = tmp_path_factory.mktemp("models") / "random.safetensors"
    weights = np.random.default_rng(7).normal(0, 300, sum(table_sizes(TUPLES))).astype(np.float32)
    ntuple_model.write(made, TUPLES, weights, ModelCard(made))
    return made


@pytest.fixture(scope="module")
def counting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network that knows nothing: only rewards count."""
    made = tmp_path_factory.mktemp("models") / "zero.safetensors"
    ntuple_model.write(made, ((0,),), np.zeros(16, np.float32), ModelCard(made))
    return made


def halved(cells: tuple[int, ...], known: int) -> tuple[int, ...]:
    """Tile-downgrading in plain words; for boards on which a tile is missing."""
    while max(cells) > known or cells.count(known) > 1:
        gap = max(exponent for exponent in range(1, max(cells)) if exponent not in cells)
        cells = tuple(exponent - (exponent > gap) for exponent in cells)
    return cells


def played_for(state: State, known: int = 15) -> State:
    """The position that is played in its place."""
    return State(4, stand_in(state.cells, known), state.score, state.seed, state.spawns)


def test_many_boards_at_once_have_the_values_of_each_alone(path: Path) -> None:
    model = ntuple_model.load(path)
    network = make_network(model.tuples, model.weights, model.steps)
    weights, steps, layout, _ = network
    leaf = make_leaf()
    for count in (1, 2, 7, 8, 9, 128):
        boards = np.random.default_rng(count).integers(0, 2**63, count).astype(np.uint64)
        leaf.boards[:count] = boards
        evaluate_all(leaf, count, np.uint64(0), weights, steps, layout)
        alone = [evaluate(board, np.uint64(0), weights, steps, layout) for board in boards]
        print(count, alone[:3])
        assert leaf.values[:count].tolist() == alone


@settings(deadline=None)
@given(EXPONENTS, st.integers(1, 15))
def test_the_downgraded_board_has_the_same_slides_and_the_same_merges(cells: list[int], known: int) -> None:
    state = State(4, tuple(cells), 0, 0, 0)
    other_state = played_for(state, known)
    print(known, twenty48.format_position(state), "->", twenty48.format_position(other_state))
    assert max(other_state.cells) <= 15 and other_state.cells.count(15) < 2
    for action in range(4):
        real, other = twenty48.slide(state, action), twenty48.slide(other_state, action)
        assert (real is None) == (other is None)
        if real is not None and other is not None:
            assert [(move.source, move.target, move.merged) for move in real.moves] == [
                (move.source, move.target, move.merged) for move in other.moves
            ]


@settings(deadline=None)
@given(EXPONENTS.filter(lambda cells: len(set(cells) - {0}) < 12), st.integers(12, 15))
def test_tiles_above_the_largest_gap_are_halved_until_the_board_is_known(cells: list[int], known: int) -> None:
    state = State(4, tuple(cells), 0, 0, 0)
    other = played_for(state, known)
    print(known, twenty48.format_position(state), "->", twenty48.format_position(other))
    assert other.cells == halved(state.cells, known)
    if max(cells) < known:
        assert other.cells == state.cells, "what is known is played as it is"


@settings(deadline=None)
@given(EXPONENTS.filter(lambda cells: max(cells) < 16), st.integers(1, 15))
def test_a_packed_board_is_known_by_the_same_rule(cells: list[int], known: int) -> None:
    board = np.array(cells, np.uint8)
    packed = np.uint64(pack(board))
    print(board, known)
    assert fits(packed, known) == is_known(board, known)
    if fits(packed, 15):
        assert tuple(
            int(packed_seen) for packed_seen in cells_of(int(seen_as(packed, known, NO_STAGES)))
        ) == stand_in(tuple(cells), known)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("16384 8192 4096 2048/8 4 2 0/0 0 0 0/0 0 0 0", "the same"),
        ("16384 8192 2048 1024/8 4 2 0/0 0 0 0/0 0 0 0", "8192 4096 2048 1024/8 4 2 0/0 0 0 0/0 0 0 0"),
        ("16384 16384 2 0/0 0 0 0/0 0 0 0/0 0 0 0", "the same"),
        ("32768 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0", "8192 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0"),
        ("32768 16384 8192 4096/8 4 2 0/0 0 0 0/0 0 0 0", "16384 8192 4096 2048/8 4 2 0/0 0 0 0/0 0 0 0"),
    ],
)
def test_boards_of_later_stages_are_played_as_they_are_until_the_next_tile_is_made(text: str, seen: str) -> None:
    state = twenty48.parse_position(text)
    expected = state.cells if seen == "the same" else twenty48.parse_position(seen).cells
    stages = np.array([28672, 30720], np.int64)
    found = stand_in(state.cells, 13, stages)
    print(text, found)
    assert found == expected
    if max(state.cells) <= 15:
        packed = pack(np.array(state.cells, np.uint8))
        assert cells_of(int(seen_as(np.uint64(packed), 13, stages))) == expected


def test_the_largest_tile_that_a_network_knows_is_told_from_its_weights() -> None:
    for known in (1, 9, 15):
        weights = np.zeros((16, 16), np.int16)
        weights[: known + 1, : known + 1] = 5
        weights[15, 0] = 7  # seen once
        found = largest_seen(((0, 1), (2,)), np.concatenate([weights.ravel(), np.zeros(16, np.int16)]))
        print(known, found)
        assert found == known
    half = np.zeros((16, 16), np.int16)
    half[:14, :14] = 5
    half[13, 1::2] = 0  # 8192 was met with half of the other tiles only
    half[1::2, 13] = 0
    assert largest_seen(((0, 1),), half.ravel()) == 12, "a tile half known is none"
    staged = np.zeros((2, 16), np.int16)
    staged[0, :10], staged[1, :13] = 3, 3
    assert largest_seen(((0,),), staged.ravel()) == 12, "the last stage knows most"
    assert largest_seen(((0,),), np.zeros(16, np.int16)) == 1


@pytest.mark.parametrize("plies", [1, 2, 3])
@pytest.mark.parametrize("text", [BEYOND, TWIN, EVERY, "65536 32768 16384 8192/2 4 8 4096/2 4 2 4/4 2 4 0"])
def test_a_board_beyond_training_is_played_as_its_downgraded_one(path: Path, text: str, plies: int) -> None:
    state = twenty48.parse_position(text)
    plan, other = (NTuple(path, plies).plan(each, Thinking()) for each in (state, played_for(state)))
    print(text, twenty48.format_position(played_for(state)), plan)
    assert dict(plan.values) == dict(other.values) and plan.actions == other.actions
    assert set(plan.values) == set(twenty48.legal_actions(state))
    assert NTuple(path, plies).play_many(state, 1, Thinking())[0][0] == plan.actions[0]


@pytest.mark.parametrize("plies", [1, 2, 3])
@pytest.mark.parametrize("text", [TWIN, "65536 65536 4 2/0 0 0 0/0 0 0 0/0 0 0 0", EVERY])
def test_large_tiles_merge_and_the_game_goes_on(counting: Path, text: str, plies: int) -> None:
    state = twenty48.parse_position(text, seed=3)
    agent = NTuple(counting, plies)
    moves = agent.play_many(state, 10**6, Thinking())
    print(text, agent.plan(state, Thinking()), len(moves))
    assert moves[0][0] in (1, 3), "the merge is worth more than anything else"
    for action, cell, exponent in moves:
        slide = twenty48.slide(state, action)
        assert slide is not None
        state = twenty48.place(state, slide, cell, exponent)
    print(twenty48.format_position(state))
    assert max(state.cells) in (16, 17) and twenty48.outcome(state) is not None
    assert len(moves) >= (1 if text == EVERY else 20)


def test_why_is_told_of_the_downgraded_board(path: Path) -> None:
    agent = NTuple(path)
    state = twenty48.parse_position(TWIN)
    plan = agent.plan(state, Thinking())
    other = max(set(plan.values) - {plan.actions[0]}, key=plan.values.__getitem__)
    why = agent.explain(state, plan.actions[0], other)
    print(plan, why)
    assert why is not None and why.other is not None
    assert why.reward + why.value == pytest.approx(plan.values[plan.actions[0]] - plan.values[why.other], abs=0.5)


def test_crowded_boards_get_one_ply_more(path: Path) -> None:
    crowded, open_board = twenty48.parse_position(CROWDED), twenty48.start(4, 3)
    for plies in (1, 2, 4, 5):
        agent = NTuple(path, plies, empties=1)
        found = [agent.plan(state, Thinking()).depth for state in (crowded, open_board)]
        print(plies, found)
        assert found == [min(plies + 1, 5), plies]
    deeper, plain = (NTuple(path, plies, empties=limit) for plies, limit in ((1, 1), (2, 0)))
    assert deeper.plan(crowded, Thinking()).values == plain.plan(crowded, Thinking()).values
    assert NTuple(path, 1, empties=0).plan(crowded, Thinking()).depth == 1


@pytest.mark.parametrize(("plies", "moves"), [(1, 300), (2, 60)])
@pytest.mark.parametrize("text", [None, SPARSE_BEYOND])
def test_play_many_looks_as_far_as_plan_does(path: Path, text: str | None, plies: int, moves: int) -> None:
    state = twenty48.parse_position(text, seed=5) if text else twenty48.start(4, 21)
    many = NTuple(path, plies, empties=7).play_many(state, moves, Thinking())
    depths = []
    for action, cell, exponent in many:
        plan = NTuple(path, plies, empties=7).plan(state, Thinking())
        depths.append(plan.depth)
        assert plan.actions == (action,), twenty48.format_position(state)
        slide = twenty48.slide(state, action)
        assert slide is not None
        state = twenty48.place(state, slide, cell, exponent)
    print(text, len(many), depths)
    assert set(depths) == {plies, plies + 1}


def test_with_a_time_it_looks_as_deep_as_that_allows(path: Path) -> None:
    state = twenty48.start(4, 4)
    agent = NTuple(path, 1, time=600.0)
    hurried = agent.plan(state, Thinking(seconds=0.0))
    deep = agent.plan(twenty48.parse_position("2 4 2 4/4 2 4 2/2 4 2 4/4 2 0 2"), Thinking())
    limited = agent.plan(state, Thinking(nodes=20_000))
    print(hurried, deep, limited, sep="\n")
    assert hurried.depth == 1 and "(1 ply)" in hurried.note, "there is always an answer"
    assert deep.depth == 5 and "(5 plies)" in deep.note, "plies are no limit"
    assert 1 < limited.depth < 5 and limited.status is Status.PLAN
    assert limited.values == NTuple(path, limited.depth).plan(state, Thinking()).values


def test_many_moves_with_a_time_stop_when_the_thinking_is_over(path: Path) -> None:
    state = twenty48.start(4, 4)
    agent = NTuple(path, 1, time=0.001)
    many = agent.play_many(state, 5, Thinking())
    print(many)
    assert len(many) == 5
    for action, cell, exponent in many:
        slide = twenty48.slide(state, action)
        assert slide is not None and twenty48.spawn(slide.cells, state.seed, state.spawns) == (cell, exponent)
        state = twenty48.place(state, slide, cell, exponent)
    assert NTuple(path, 1, time=600.0).play_many(state, 5, Thinking(nodes=3_000)) == ()
    over = twenty48.parse_position("2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2")
    assert agent.play_many(over, 5, Thinking()) == ()


def test_the_catalogue_makes_it_with_its_parameters(path: Path) -> None:
    spec = catalogue.parse("twenty48", f"ntuple:{path},plies=4,empties=3")
    agent = catalogue.create("twenty48", spec)
    print(spec, vars(agent))
    assert isinstance(agent, NTuple) and (agent.plies, agent.time) == (4, 0.0)
    with pytest.raises(ValueError, match="a number of seconds, not -1"):
        NTuple(path, 1, time=-1.0)
    with pytest.raises(ValueError, match="0 to 16, not 17"):
        NTuple(path, 1, empties=17)
