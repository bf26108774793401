"""The plain rules of 2048, against a naive twin written another way, and against themselves."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules import twenty48
from game.rules.direction import Direction
from game.rules.outcome import Outcome
from game.rules.twenty48 import State

STUCK = "2 4 2/4 2 4/2 4 2"


def shown(state: State) -> str:
    return "\n" + "\n".join(
        " ".join(f"{1 << e if e else '.':>6}" for e in state.cells[i : i + state.size])
        for i in range(0, len(state.cells), state.size)
    )


@st.composite
def positions(draw: st.DrawFn) -> State:
    """Boards of every size; few kinds of tiles so that merges are common, large ones now and then."""
    size = draw(st.integers(3, 8))
    tile = st.one_of(st.just(0), st.integers(1, draw(st.sampled_from([1, 2, 3, 5, 17]))))
    cells = draw(st.lists(tile, min_size=size * size, max_size=size * size))
    seed, spawns = draw(st.integers(0, 2**64 - 1)), draw(st.integers(0, 99))
    return State(size, tuple(cells), draw(st.integers(0, 10**6)), seed, spawns)


def twin_line(values: list[int]) -> tuple[list[int], int]:
    """Slide a line of tile values to its head one step of one tile at a time, as one would with a finger."""
    fresh, reward = [False] * len(values), 0
    while True:
        for i in range(1, len(values)):
            ahead, value = values[i - 1], values[i]
            if value and not ahead:
                values[i - 1 : i + 1] = [value, 0]
                fresh[i - 1 : i + 1] = [fresh[i], False]
                break
            if value and value == ahead and not fresh[i] and not fresh[i - 1]:
                values[i - 1 : i + 1] = [2 * value, 0]
                fresh[i - 1] = True
                reward += 2 * value
                break
        else:
            return values, reward


def twin_slide(state: State, action: int) -> tuple[tuple[int, ...], int]:
    """Turn the board clockwise until the slide goes left, slide, turn on to where it was."""

    def turned(rows: list[list[int]], times: int) -> list[list[int]]:
        for _ in range(times):
            rows = [list(row) for row in zip(*rows[::-1], strict=True)]
        return rows

    n = state.size
    rows = turned([[1 << e if e else 0 for e in state.cells[i : i + n]] for i in range(0, n * n, n)], 3 - action)
    slid = [twin_line(row) for row in rows]
    back = turned([row for row, _ in slid], (1 + action) % 4)
    return tuple(max(0, v.bit_length() - 1) for row in back for v in row), sum(reward for _, reward in slid)


@given(positions(), st.sampled_from(Direction))
def test_slide_equals_the_naive_twin(state: State, action: Direction) -> None:
    cells, reward = twin_slide(state, action)
    slide = twenty48.slide(state, action)
    print(shown(state), action.label, slide)
    if cells == state.cells:
        assert slide is None
        assert action not in twenty48.legal_actions(state)
    else:
        assert slide is not None
        assert (slide.cells, slide.reward) == (cells, reward)
        assert action in twenty48.legal_actions(state)


@given(positions(), st.sampled_from(Direction))
def test_moves_tell_where_every_tile_went(state: State, action: Direction) -> None:
    slide = twenty48.slide(state, action)
    if slide is None:
        return
    print(shown(state), action.label, slide)
    assert sorted(move.source for move in slide.moves) == [c for c, e in enumerate(state.cells) if e]
    rebuilt = [0] * len(state.cells)
    arrivals: dict[int, list[twenty48.Move]] = {}
    for move in slide.moves:
        assert move.exponent == state.cells[move.source]
        step = Direction(action).delta
        across = 1 if step[0] else 0
        there, here = divmod(move.target, state.size), divmod(move.source, state.size)
        assert there[across] == here[across], "a tile keeps to its line"
        assert (there[1 - across] - here[1 - across]) * sum(step) >= 0, "a tile goes in the direction of the slide"
        arrivals.setdefault(move.target, []).append(move)
    for target, moves in arrivals.items():
        assert [move.merged for move in moves] in ([False], [True, True])
        rebuilt[target] = moves[0].exponent + (len(moves) == 2)
    assert tuple(rebuilt) == slide.cells


@pytest.mark.parametrize(
    ("row", "after", "reward"),
    [
        ("2 2 2 2", "4 4 0 0", 8),
        ("2 2 2 0", "4 2 0 0", 4),
        ("4 2 2 0", "4 4 0 0", 4),
        ("2 2 4 8", "4 4 8 0", 4),
        ("2 0 0 2", "4 0 0 0", 4),
        ("65536 65536 0 2", "131072 2 0 0", 131072),
    ],
)
def test_each_tile_merges_once_nearest_the_wall_first(row: str, after: str, reward: int) -> None:
    blank = "/0 0 0 0/0 0 0 0/0 0 0 0"
    slide = twenty48.slide(twenty48.parse_position(row + blank), Direction.LEFT)
    assert slide is not None
    assert slide.cells == twenty48.parse_position(after + blank).cells
    assert slide.reward == reward


@given(positions())
def test_apply_is_slide_then_the_next_tile(state: State) -> None:
    legal = twenty48.legal_actions(state)
    print(shown(state), legal)
    assert twenty48.outcome(state) == (None if legal else Outcome("over"))
    for action in range(4):
        if action not in legal:
            with pytest.raises(ValueError, match="moves nothing"):
                twenty48.apply(state, action)
            continue
        slide = twenty48.slide(state, action)
        assert slide is not None
        cell, exponent = twenty48.spawn(slide.cells, state.seed, state.spawns)
        after = twenty48.apply(state, action)
        assert slide.cells[cell] == 0 and after.cells[cell] == exponent
        assert sum(a != b for a, b in zip(slide.cells, after.cells, strict=True)) == 1
        assert (after.score, after.spawns) == (state.score + slide.reward, state.spawns + 1)


def test_spawn_is_splitmix64() -> None:
    """The published first outputs for the seed 1234567 pin the stream, from which cell and tile follow."""
    stream = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    for spawns, number in enumerate(stream):
        for count in (1, 7, 64):
            cells = (0,) * count + (1,) * (64 - count)
            expected = ((number >> 32) * count >> 32, 2 if number % 2**32 < 429496730 else 1)
            assert twenty48.spawn(cells, 1234567, spawns) == expected
    assert twenty48.spawn(cells, 1234567 - 2**64, 0) == twenty48.spawn(cells, 1234567, 0)


def test_same_seed_same_game_and_other_seeds_other_games() -> None:
    def play(seed: int) -> State:
        chooser = random.Random(1)
        state = twenty48.start(4, seed)
        while legal := twenty48.legal_actions(state):
            state = twenty48.apply(state, chooser.choice(legal))
        return state

    games = [play(seed) for seed in range(5)]
    assert games == [play(seed) for seed in range(5)]
    assert len({game.cells for game in games}) == 5
    for game in games:
        print(shown(game))
        tiles = sum(1 << e for e in game.cells if e)
        assert 2 * game.spawns <= tiles <= 4 * game.spawns, "every tile comes from a 2 or a 4"


@pytest.mark.parametrize("size", range(3, 9))
def test_start_has_two_small_tiles(size: int) -> None:
    state = twenty48.start(size, 5)
    assert len(state.cells) == size * size
    assert sorted(state.cells)[:-2] == [0] * (size * size - 2)
    assert set(sorted(state.cells)[-2:]) <= {1, 2}
    assert (state.score, state.spawns, state.seed) == (0, 2, 5)


@pytest.mark.parametrize("size", [-1, 0, 2, 9])
def test_start_refuses_other_sizes(size: int) -> None:
    with pytest.raises(ValueError, match="3 to 8"):
        twenty48.start(size)


def test_illegal_choices_are_refused() -> None:
    state = twenty48.parse_position(STUCK)
    assert twenty48.outcome(state) == Outcome("over")
    with pytest.raises(ValueError, match="direction 4"):
        twenty48.slide(state, 4)
    with pytest.raises(ValueError, match="empty"):
        twenty48.spawn(state.cells, 0, 0)
    state = twenty48.parse_position("2 0 0/0 0 0/0 0 0")
    slide = twenty48.slide(state, Direction.RIGHT)
    assert slide is not None
    for cell in (2, -1, 9):
        with pytest.raises(ValueError, match="not an empty cell"):
            twenty48.place(state, slide, cell, 1)
    with pytest.raises(ValueError, match="2 or a 4"):
        twenty48.place(state, slide, 0, 3)


@given(positions().filter(lambda state: any(state.cells)))
def test_positions_survive_the_round_trip(state: State) -> None:
    text = twenty48.format_position(state)
    print(text)
    again = twenty48.parse_position(text, state.seed)
    assert (again.size, again.cells, again.seed) == (state.size, state.cells, state.seed)
    assert twenty48.parse_position("\n".join(f" {row} " for row in text.split("/"))).cells == state.cells


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "3 to 8 rows"),
        ("2 0/0 2", "3 to 8 rows"),
        ("/".join(["0 " * 9] * 9), "3 to 8 rows"),
        ("2 0 0/0 2/0 0 0", "row 2 has 2 numbers"),
        ("2 0 0 0/0 0 0 0/0 0 0 0", "row 1 has 4 numbers"),
        ("3 0 0/0 0 0/0 0 0", "'3' is no tile"),
        ("1 0 0/0 0 0/0 0 0", "'1' is no tile"),
        ("-2 0 0/0 0 0/0 0 0", "'-2' is no tile"),
        ("² 0 0/0 0 0/0 0 0", "'²' is no tile"),
        ("٢ 0 0/0 0 0/0 0 0", "is no tile"),
        ("x 0 0/0 0 0/0 0 0", "'x' is no tile"),
        (f"{2**33} 0 0/0 0 0/0 0 0", "is no tile"),
        ("9" * 5000 + " 0 0/0 0 0/0 0 0", "is no tile"),
        ("0 0 0/0 0 0/0 0 0", "no tile"),
    ],
)
def test_bad_positions_get_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        twenty48.parse_position(text)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 120


@given(st.text(alphabet="0248 /\nx-", max_size=60))
def test_any_text_is_a_position_or_refused(text: str) -> None:
    try:
        state = twenty48.parse_position(text)
    except ValueError as error:
        assert "\n" not in str(error)
    else:
        print(shown(state))
        assert len(state.cells) == state.size**2
