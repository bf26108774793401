"""The exact agent and its solver: brute force on small boards, known results, symmetry, budgets, refusals."""

import random
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai import catalogue
from ai.agent import Progress, Status, Thinking
from ai.connect4.board.scores import PROVED, WIN, plies_to_end
from ai.connect4.exact.agent import Perfect
from ai.connect4.exact.bitboard import geometry, has_four
from ai.connect4.exact.bitboard_shape import words
from ai.connect4.exact.solver import Solver, clear, new_table, solve_positions
from ai.entries import Spec
from game.rules import connect4
from game.rules.connect4 import Shape, State
from tests.ai.connect4.brute import paranoid, picture

PUBLIC = Path(__file__).parents[5] / "shared" / "connect4"
CLASSIC = Shape(6, 7, 1, 4)
LONG = Thinking(seconds=60)


@pytest.fixture(scope="module")
def table() -> np.ndarray:
    found = new_table(20)
    assert found is not None
    return found


def played(shape: Shape, moves: list[int]) -> State:
    """A position after as many of the moves (columns, taken modulo) as can be played."""
    state = connect4.start(shape)
    for move in moves:
        legal = connect4.legal_actions(state)
        if not legal:
            break
        state = connect4.apply(state, legal[move % len(legal)])
    return state


def random_position(shape: Shape, stones: int, rng: random.Random) -> State:
    """A position of so many stones that nobody has won."""
    while True:
        state = played(shape, [rng.randrange(100) for _ in range(stones)])
        if len(state.moves) == stones and state.winner is None:
            return state


SMALL = [
    (Shape(4, 4, 1, 4), 6),
    (Shape(4, 5, 1, 4), 9),
    (Shape(5, 4, 1, 4), 9),
    (Shape(4, 6, 1, 4), 14),
    (Shape(3, 5, 1, 4), 5),
]


@pytest.mark.parametrize(("shape", "least"), SMALL, ids=lambda each: str(each))
def test_all_values_are_those_of_brute_force(shape: Shape, least: int) -> None:
    rng = random.Random(5)
    agent = Perfect(book=False)
    for _ in range(12):
        state = random_position(shape, rng.randrange(least, shape.cells), rng)
        plan = agent.plan(state, Thinking(seconds=60))
        expected = paranoid(state)
        print(picture(state), plan.values, expected)
        assert plan.exact
        assert plan.values == expected
        assert plan.values[plan.actions[0]] == max(expected.values())
        assert agent.score(state, Thinking()).values == {plan.actions[0]: max(expected.values())} or max(
            agent.score(state, Thinking()).values.values()
        ) == max(expected.values())


@pytest.mark.parametrize(
    ("rows", "cols", "score"),
    [
        (4, 4, 0),
        (4, 5, 0),
        (5, 4, 0),
        (5, 5, 0),
        (4, 6, -1),
        (5, 6, 0),
        (6, 4, 0),
        (7, 4, 0),
        (8, 4, 0),
        (3, 3, 0),
        (1, 4, 0),
    ],
)
def test_empty_boards(rows: int, cols: int, score: int, table: np.ndarray) -> None:
    clear(table)
    assert solve_positions(Shape(rows, cols, 1, 4 if max(rows, cols) > 3 else 3), [(0, 0)], table) == [score]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=16, max_size=42))
def test_mirror_images_have_mirrored_values(moves: list[int]) -> None:
    state = played(CLASSIC, moves)
    if connect4.outcome(state) is not None or len(state.moves) < 16:
        return
    mirror = connect4.start(CLASSIC)
    for move in state.moves:
        mirror = connect4.apply(mirror, 6 - move)
    here, there = (Perfect(book=False).plan(each, Thinking(seconds=60)) for each in (state, mirror))
    print(picture(state), here.values, there.values)
    assert here.exact
    assert {6 - action: value for action, value in here.values.items()} == there.values


@settings(max_examples=60, deadline=None)
@given(st.integers(4, 7), st.integers(4, 8), st.lists(st.integers(0, 7), max_size=56))
def test_words_hold_the_rules(rows: int, cols: int, moves: list[int]) -> None:
    shape = Shape(rows, cols, 1, 4)
    if (rows + 1) * cols > 64:
        return
    state = played(shape, moves)
    pos, mask = words(state)
    solver = Solver(shape, np.zeros(1 << 20, np.uint64))
    print(picture(state))
    assert solver.unfolded(pos + mask) == (pos, mask)
    assert bin(mask).count("1") == len(state.moves)
    assert bool(has_four(np.uint64(pos ^ mask), geometry(shape)[4])) == (state.winner is not None)
    if state.winner is None:
        children = {column: words(connect4.apply(state, column)) for column in connect4.legal_actions(state)}
        assert solver.moves(pos, mask) == children


def test_finished_and_nearly_full_boards(table: np.ndarray) -> None:
    clear(table)
    won = connect4.parse_position("1212121", CLASSIC)
    assert Perfect(book=False).plan(won, LONG).actions == ()
    assert solve_positions(CLASSIC, [words(won)], table) == [-18]
    rng = random.Random(2)
    small = Shape(4, 4, 1, 4)
    for stones in (14, 15, 16):
        state = random_position(small, stones, rng)
        plan = Perfect(book=False).plan(state, Thinking())
        print(picture(state), plan)
        assert len(plan.values) == len(connect4.legal_actions(state))
    assert solve_positions(small, [words(state)], table) == [0]


def test_many_at_once_are_the_same_as_one_by_one(table: np.ndarray) -> None:
    clear(table)
    rng = random.Random(3)
    states = [random_position(CLASSIC, rng.randrange(20, 40), rng) for _ in range(30)]
    agent = Perfect(book=False)
    for state, score in zip(states, solve_positions(CLASSIC, [words(state) for state in states], table), strict=True):
        value = max(agent.plan(state, Thinking(seconds=60)).values.values())
        print(picture(state), score, value)
        assert (score > 0, score < 0) == (value > 0, value < 0)
        if score:
            last = len(state.moves) + (plies_to_end(value) or 0)
            assert abs(score) == (CLASSIC.cells + 2 - last) // 2


def test_a_limit_of_nodes_repeats_and_says_what_is_not_proved() -> None:
    state = connect4.parse_position("44444", Shape(6, 7, 1, 4))
    agent = Perfect(book=False)
    plans = []
    for _ in range(2):
        agent.new_game(0)
        plans.append(agent.plan(state, Thinking(nodes=50_000)))
    assert plans[0].actions == plans[1].actions
    assert plans[0].nodes == plans[1].nodes <= 50_000 + 60_000
    assert not plans[0].exact
    assert plans[0].note == plans[1].note


def test_a_cancel_is_answered_at_once_and_progress_is_told() -> None:
    told: list[tuple[float, Progress]] = []  # by the clock of this process: others may have the processor
    cancelled = 0.0

    def hear(progress: Progress) -> None:
        nonlocal cancelled
        told.append((time.process_time(), progress))
        if len(told) == 30:
            cancelled = time.process_time()
            thinking.cancel()

    agent = Perfect(book=False)
    thinking = Thinking(listener=hear, seconds=600)
    plan = agent.plan(connect4.start(CLASSIC), thinking)
    assert time.process_time() - cancelled < 0.05
    assert not plan.exact
    assert plan.actions
    assert all(progress.note for _, progress in told)
    assert told[-1][1].nodes > 100_000


def test_what_the_move_before_got_is_kept() -> None:
    state = connect4.parse_position("444444326", CLASSIC)
    agent = Perfect(time=60, book=False)
    first = agent.plan(state, LONG)
    state = connect4.apply(state, first.actions[0])
    fresh = Perfect(time=60, book=False)
    for reply in connect4.legal_actions(state):
        after = connect4.apply(state, reply)
        values = [each.plan(after, Thinking(seconds=60)).values for each in (agent, fresh)]
        print(picture(after), values)
        assert max(values[0].values()) == max(values[1].values())


@pytest.mark.parametrize(
    ("shape", "word"),
    [
        (Shape(6, 7, 1, 4, 3), "two players"),
        (Shape(4, 4, 4, 4), "flat"),
        (Shape(6, 7, 1, 5), "4 in a row"),
        (Shape(8, 8, 1, 4), "too large"),
    ],
)
def test_boards_it_does_not_play_are_refused_in_one_sentence(shape: Shape, word: str) -> None:
    reason = catalogue.why_not("connect4", Spec("perfect"), connect4.start(shape))
    assert reason is not None
    assert word in reason
    assert "\n" not in reason


def test_a_lost_position_is_said_to_be_lost() -> None:
    # Two open threes: whatever is blocked, the other wins.
    state = connect4.parse_position("4455336", CLASSIC)
    plan = Perfect(book=False).plan(connect4.parse_position("445533", CLASSIC), LONG)
    assert plan.values[plan.actions[0]] == WIN - 1 or plan.values[plan.actions[0]] >= PROVED
    plan = Perfect(book=False).plan(connect4.parse_position("44553", CLASSIC), LONG)
    print(picture(state), plan)
    assert plan.status is Status.LOST
    assert "loses in" in plan.note


@pytest.mark.parametrize("name", ["L1_R1", "L2_R1", "L3_R1"])
def test_public_positions(name: str, table: np.ndarray) -> None:
    path = PUBLIC / f"Test_{name}"
    if not path.is_file():
        pytest.skip("the public positions are not here")
    clear(table)
    lines = [line.split() for line in path.read_text().splitlines()]
    states = [connect4.parse_position(moves, CLASSIC) for moves, _ in lines]
    found = solve_positions(CLASSIC, [words(state) for state in states], table)
    wrong = [(line, score) for line, score in zip(lines, found, strict=True) if int(line[1]) != score]
    assert not wrong, wrong[:3]
