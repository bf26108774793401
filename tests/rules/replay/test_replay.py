"""Replays: every game round trips, every step is checked, and whatever is read, only ReplayError is raised."""

import json
import random
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules import connect4, replay, sokoban, twenty48
from game.rules.game import State
from game.rules.games import GAMES
from game.rules.replay import Replay, ReplayError, Step

BOARD = """\
 #####
 #   #
 #@$.#
 #####"""

LINE = replay.Replay("sokoban", {"board": BOARD, "title": "Line"}, (), ("person",), 0, "2026-01-02T03:04:05", 1.5)


def first_of(game: str) -> State:
    if game == "sokoban":
        return replay.initial(LINE)
    if game == "twenty48":
        return twenty48.start(4, 7)
    return connect4.start(connect4.Shape(4, 4, 2, 3, 3))


def played(game: str, seed: int, length: int) -> Replay:
    """A random game of at most `length` steps."""
    chance = random.Random(seed)
    rules = {"sokoban": sokoban, "twenty48": twenty48, "connect4": connect4}[game]
    first = state = first_of(game)
    steps = []
    for _ in range(length):
        legal = rules.legal_actions(state)
        if rules.outcome(state) is not None or not legal:
            break
        action = chance.choice(legal)
        value = chance.choice((None, chance.random()))
        step, reached = replay.chosen(state, action, value)
        assert reached == rules.apply(state, action)
        if chance.random() < 0.5:
            step = replay.thought(step, {each: chance.gauss(0, 1e4) for each in legal if chance.random() < 0.8})
        steps.append(step)
        state = reached
    seats = ("person", "random", "alphabeta,time=0.5") if game == "connect4" else ("person",)
    made = replay.record(first, steps, seats=seats, seed=seed, seconds=2.5, title="Spiel №1 ☃")
    assert replay.states(made)[-1] == state
    return made


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 10_000), length=st.integers(0, 60))
def test_round_trip(game: str, seed: int, length: int) -> None:
    made = played(game, seed, length)
    text = replay.dumps(made)
    assert replay.loads(text, "x") == made, text
    assert replay.loads(text.encode(), "x") == made
    assert replay.loads_head(text, "x") == replace(made, steps=())
    assert replay.states(replay.loads(text, "x")) == replay.states(made)
    assert json.loads(text)["steps"] is not None


@pytest.mark.parametrize("game", GAMES)
def test_a_replay_may_begin_in_the_middle(game: str) -> None:
    positions = replay.states(played(game, 3, 6))
    for position in positions:
        setup = replay.setup_of(position)
        assert replay.initial(replace(LINE, game=game, setup=setup)) == position, setup


def test_results() -> None:
    solved = replay.record(replay.initial(LINE), [Step(0), Step(2), Step(1)])
    assert solved.result == {"outcome": "won", "moves": 3, "pushes": 1}, BOARD
    shape = connect4.Shape(6, 7, 1, 4, 2)
    stones = replay.record(connect4.start(shape), [Step(a) for a in (0, 1, 0, 1, 0, 1, 0)], seats=("a", "b"))
    assert stones.result == {"outcome": "won", "moves": 7, "winner": 0}
    start = twenty48.parse_position("2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0")
    tiles = replay.record(start, [Step(3, (15, 2))])
    assert tiles.result == {"outcome": "open", "moves": 1, "score": 4, "max_tile": 4}
    last = replay.states(tiles)[-1]
    assert isinstance(last, twenty48.State)
    assert twenty48.format_position(last) == "4 0 0 0/0 0 0 0/0 0 0 0/0 0 0 4"


def test_positions_that_are_known_give_the_same_record() -> None:
    start = twenty48.start(4, 3)
    for first, steps in (
        (replay.initial(LINE), [Step(0), Step(2), Step(1)]),
        (connect4.start(connect4.Shape(6, 7, 1, 4, 2)), [Step(a) for a in (0, 1, 0, 1, 0, 1, 0)]),
        (start, [replay.chosen(start, twenty48.legal_actions(start)[0])[0]]),
    ):
        slow = replay.record(first, steps, started="2026-01-01T00:00:00+00:00")
        known = replay.states(slow)
        fast = replay.record(first, steps, started="2026-01-01T00:00:00+00:00", positions=known)
        assert fast == slow, (fast.result, slow.result)


def test_the_recorded_tile_counts_not_the_generator() -> None:
    start = twenty48.parse_position("2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0")
    for cell in range(1, 16):
        for exponent in (1, 2):
            last = replay.states(replay.record(start, [Step(3, (cell, exponent))]))[-1]
            assert isinstance(last, twenty48.State)
            assert last.cells[cell] == exponent


@pytest.mark.parametrize(
    ("game", "steps", "reason"),
    [
        ("sokoban", (Step(0), Step(0)), "step 2"),
        ("sokoban", (Step(7),), "step 1"),
        ("sokoban", (Step(0, (3, 1)),), "step 1: nothing is left to chance in Sokoban"),
        ("connect4", (Step(99),), "step 1"),
        ("connect4", (Step(0),) * 9, "step"),
        ("twenty48", (Step(1),), "step 1"),
        ("twenty48", (Step(9, (0, 1)),), "step 1"),
        ("twenty48", (Step(1, (99, 1)),), "step 1"),
        ("twenty48", (Step(1, (0, 3)),), "step 1"),
    ],
)
def test_illegal_steps_are_named(game: str, steps: tuple[Step, ...], reason: str) -> None:
    first = first_of(game)
    bad = Replay(game, replay.setup_of(first), steps, ("a", "b", "c"), 0, "2026-01-01", 0.0)
    with pytest.raises(ReplayError) as caught:
        replay.states(bad, "bad.json")
    assert str(caught.value).startswith(f"bad.json: {reason}")
    assert caught.value.source == "bad.json"


def test_a_tile_on_a_tile_is_refused() -> None:
    start = twenty48.parse_position("2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0")
    with pytest.raises(ReplayError, match="step 1: "):
        replay.record(start, [Step(3, (0, 1))])


@pytest.mark.parametrize("length", [0, 1, 999, 1000, 1001, 2500])
def test_long_games_lose_no_step(length: int) -> None:
    steps = [Step((0, 2)[number % 2]) for number in range(length)]
    made = replay.record(replay.initial(LINE), steps)
    assert replay.loads(replay.dumps(made), "x") == made
    assert made.result["moves"] == length


def test_values_that_are_no_numbers_are_left_out() -> None:
    made = replay.record(replay.initial(LINE), [Step(0, value=float("inf")), Step(2, value=float("nan"))])
    assert [step.value for step in replay.loads(replay.dumps(made), "x").steps] == [None, None]


def test_numpy_integers_of_kernels_become_plain() -> None:
    start = twenty48.parse_position("2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0")
    step = Step(np.int64(3), (np.int64(15), np.int8(2)), np.float32(0.5))  # type: ignore[arg-type]
    made = replay.record(start, [step])
    assert json.dumps(made.result) == '{"outcome": "open", "moves": 1, "score": 4, "max_tile": 4}'
    assert replay.loads(replay.dumps(replace(made, steps=(step,))), "x").steps == (Step(3, (15, 2), 0.5),)


def test_the_value_of_every_action_that_was_weighed_is_kept() -> None:
    told = {2: 391_022.4567, 0: 12.0, 1: float("-inf"), 3: -0.000123456789}
    step = replay.thought(Step(2), told)
    assert step.values == ((0, 12.0), (2, 391_022.0), (3, -0.0001235)), step
    assert step.value == 391_022.0, "the value of what was played is one of them"
    made = replay.record(replay.initial(LINE), [replay.thought(Step(0), {}), Step(2)])
    text = replay.dumps(replace(made, steps=(step, *made.steps)))
    assert text.endswith('"steps":[[2,null,null,391022,[12,null,391022,-0.0001235]],0,2]}\n'), text
    assert replay.loads(text, "x").steps == (step, Step(0), Step(2))


def test_what_was_played_may_be_none_of_those_that_were_weighed() -> None:
    step = replay.thought(Step(3), {0: 1.5})
    assert (step.value, step.values) == (None, ((0, 1.5),))
    made = replace(LINE, steps=(step,))
    assert replay.loads(replay.dumps(made), "x") == made


def test_files_of_the_first_version_load_unchanged() -> None:
    old = changed(version=1, steps=[0, [2, None, None, -1.25], [3, 4, 1], [1, 5, 2, 8.0]])
    found = replay.loads(old, "old.json")
    assert found.steps == (Step(0), Step(2, value=-1.25), Step(3, (4, 1)), Step(1, (5, 2), 8.0))
    assert replay.loads(replay.dumps(found), "new.json") == found
    laid_out = replay.dumps(found).replace('"version":2', '"version":1').encode()
    renamed = replay.loads(replay.retitled(laid_out, "Other", "old.json"), "new.json")
    assert renamed == replace(found, title="Other")


def test_long_and_broken_texts_are_shortened_when_written() -> None:
    made = replay.record(replay.initial(LINE), [], title="x" * 1000 + "\ud800", seats=("y\udfff",))
    back = replay.loads(replay.dumps(made), "x")
    assert back.title == "x" * 500
    assert back.seats == ("y?",)


def changed(**fields: object) -> str:
    document = json.loads(replay.dumps(LINE))
    document.update(fields)
    return json.dumps({key: value for key, value in document.items() if value != "absent"})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a level is not a replay",
        "[]",
        "{}",
        "null",
        "[" * 100_000,
        '{"a":' * 100_000,
        "1" * 5000,
        changed(format="other"),
        changed(version=0),
        changed(version=3),
        changed(version=True),
        changed(version="1"),
        changed(game="chess"),
        changed(game=["sokoban"]),
        changed(more=1),
        changed(title="absent"),
        changed(title=3),
        changed(title="x" * 501),
        changed(title="\ud800"),
        changed(started="yesterday"),
        changed(seconds=float("nan")),
        changed(seconds=-1),
        changed(seconds=True),
        changed(seconds=1).replace('"seconds": 1', '"seconds": 1e999'),
        changed(seed=2**64),
        changed(seed=1.0),
        changed(seats=[]),
        changed(seats=["a"] * 7),
        changed(seats="person"),
        changed(setup=[]),
        changed(setup={}),
        changed(setup={"board": BOARD, "colour": 1}),
        changed(setup={"board": BOARD.replace("@", " ")}),
        changed(setup={"board": "#" * 5000}),
        changed(setup={"board": "#####\n#$@.#\nabcde"}),
        changed(setup={"board": 5}),
        changed(result={"a": {"b": {"c": {"d": {}}}}}),
        changed(result={"a": [0] * 101}),
        changed(steps="absent"),
        changed(steps={}),
        changed(steps=[True]),
        changed(steps=[-1]),
        changed(steps=[1.0]),
        changed(steps=["u"]),
        changed(steps=[[0]]),
        changed(steps=[[0, 0, 0, 0, 0]]),
        changed(steps=[[0, None, 1]]),
        changed(steps=[[0, 3, None]]),
        changed(steps=[[None, 0, 1]]),
        changed(steps=[[0, 0, 1, "high"]]),
        changed(steps=[[0, 10**30, 1]]),
        changed(steps=[[0, None, None, 1, []]]),
        changed(steps=[[0, None, None, 1, [0] * 65]]),
        changed(steps=[[0, None, None, 1, {"0": 1}]]),
        changed(steps=[[0, None, None, 1, [True]]]),
        changed(steps=[[0, None, None, 1, ["1"]]]),
        changed(steps=[[0, None, None, 1, [1e301]]]),
        changed(steps=[[0, None, None, 1, [[1, 2]]]]),
        changed(steps=[[0, None, None, 1, [1], 2]]),
        changed(game="connect4", setup={"rows": 0, "cols": 7, "depth": 1, "win": 4, "players": 2}, seats=["a", "b"]),
        changed(game="connect4", setup={"rows": 6, "cols": 7, "depth": 1, "win": 4, "players": 2}, seats=["a"]),
        changed(game="twenty48", setup={"size": 4, "start": "2 2/2 2", "seed": 0}),
        changed(game="twenty48", setup={"size": 4, "start": "3 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0", "seed": 0}),
        changed(game="twenty48", setup={"size": 5, "start": "2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0", "seed": 0}),
        replay.dumps(LINE).replace('"seed":0', '"seed":0,"seed":0'),
        replay.dumps(LINE)[:-5],
    ],
    ids=range(67),
)
def test_what_is_not_a_replay_is_refused(text: str) -> None:
    with pytest.raises(ReplayError) as caught:
        replay.loads(text, "file.json")
    assert str(caught.value) == f"file.json: {caught.value.reason}"
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_too_many_steps_and_too_many_bytes() -> None:
    head = replay.dumps(LINE).removesuffix("[]}\n")
    with pytest.raises(ReplayError, match="more than 1000000 steps"):
        replay.loads(f"{head}[{'0,' * 1_000_000}0]}}", "x")
    with pytest.raises(ReplayError, match="larger than 64 MB"):
        replay.loads(b" " * (replay.MAX_BYTES + 1), "x")


@pytest.mark.parametrize("inside", ["[],", "[[0,0,0,0,[0]],", "{},", '"",', "[0,0,0,0,[" + "0," * 60 + "0]],"])
@pytest.mark.parametrize("mark", [',\n"steps":', ', "steps": '])
def test_hostile_steps_are_refused_before_objects_are_made(inside: str, mark: str) -> None:
    head, _, _ = replay.dumps(LINE).partition(',\n"steps":')
    text = f"{head}{mark}[{inside * (6_000_000 // len(inside))}0]}}".encode()
    if mark.startswith(", "):
        text += b" " * replay.MAX_FOREIGN_BYTES
    tracemalloc.start()
    try:
        with pytest.raises(ReplayError):
            replay.loads(text, "x")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5 * len(text) + 10_000_000, f"{len(text):,} bytes took {peak:,}"


@pytest.mark.parametrize("count", [0, 1, 999, 1000, 1001, 2500])
def test_steps_are_read_in_pieces(count: int) -> None:
    steps = tuple(Step(0) if number % 3 else Step(2, None, 0.5, ((1, 2.0),)) for number in range(count))
    made = replace(LINE, steps=steps)
    text = replay.dumps(made)
    assert replay.loads(text, "x") == made
    assert replay.loads(json.dumps(json.loads(text)), "x") == made, "laid out by another hand"
    for broken in (
        text.replace("]}\n", ",]}\n"),
        text.replace("]}\n", "]]}\n"),
        text.replace("]}\n", "]}}\n"),
        text[:-3],
    ):
        with pytest.raises(ReplayError):
            replay.loads(broken, "x")


def test_the_step_that_is_wrong_is_named() -> None:
    text = replay.dumps(replace(LINE, steps=(Step(0),) * 1500)).replace("0]}", "0,true,0]}")
    with pytest.raises(ReplayError, match="step 1501 is none"):
        replay.loads(text, "x")


def test_a_game_of_connect_four_has_no_more_steps_than_cells() -> None:
    made = played("connect4", 1, 40)
    cells = len(first_of("connect4").cells)
    assert cells == 32
    with pytest.raises(ReplayError, match="more than 32 steps"):
        replay.loads(replay.dumps(replace(made, steps=(Step(0),) * 33)), "x")


def survives(text: str | bytes) -> None:
    for reading in (replay.loads, replay.loads_head):
        try:
            found = reading(text, "x")
        except ReplayError:
            continue
        assert isinstance(found, Replay)
        try:
            replay.states(found)
        except ReplayError:
            continue
        assert reading(replay.dumps(found), "y") == found


@given(st.binary(max_size=300))
def test_random_bytes(data: bytes) -> None:
    survives(data)


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_flipped_bits_and_cut_ends(game: str, data: st.DataObject) -> None:
    text = bytearray(replay.dumps(played(game, 5, 12)).encode())
    for _ in range(data.draw(st.integers(0, 3))):
        text[data.draw(st.integers(0, len(text) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    survives(bytes(text[: data.draw(st.integers(0, len(text)))] if data.draw(st.booleans()) else text))


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(field=st.sampled_from(sorted(json.loads(replay.dumps(LINE)))), value=_JSON)
def test_any_value_in_any_field(field: str, value: object) -> None:
    survives(changed(**{field: value}))


@given(field=st.sampled_from(["board", "size", "start", "rows", "cols", "position", "score", "spawns"]), value=_JSON)
@pytest.mark.parametrize("game", GAMES)
def test_any_value_in_the_set_up(game: str, field: str, value: object) -> None:
    setup = {**replay.setup_of(first_of(game)), field: value}
    survives(changed(game=game, setup=setup, seats=["a", "b", "c"]))


def test_files(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "game.json"
    with pytest.raises(ReplayError):
        replay.read(path)
    with pytest.raises(ReplayError):
        replay.read(tmp_path)
    made = played("connect4", 1, 10)
    path.write_text(replay.dumps(made), encoding="utf-8")
    assert replay.read(path) == made
    assert replay.read_head(path) == replace(made, steps=())
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")), indent=1), encoding="utf-8")
    assert replay.read_head(path) == replace(made, steps=()), "laid out by another hand"
