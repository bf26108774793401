"""The heuristics' kernels against a slow reference written from their definitions, and the worked examples."""

import random

import pytest

from ai.connect4.alphabeta.heuristics import LIMIT, evaluate
from ai.connect4.board import board as kernels
from ai.connect4.board import runs
from game.rules import connect4
from game.rules.connect4 import DIRECTIONS, Shape, State, coordinates


def picture(state: State) -> str:
    return f"{state.shape} for {state.shape.players}: {connect4.format_moves(state) or 'empty'}"


def unblocked_runs(state: State, seat: int) -> list[int]:
    """Lengths of the seat's unblocked runs, found by walking from every stone in every direction."""
    shape = state.shape
    at = {coordinates(shape, cell): stone for cell, stone in enumerate(state.cells)}

    def reach(place: tuple[int, ...], step: tuple[int, ...], stones: tuple[int, ...]) -> int:
        """How many cells with one of `stones` follow `place` directly."""
        count = 0
        while at.get(tuple(p + s * (count + 1) for p, s in zip(place, step, strict=True))) in stones:
            count += 1
        return count

    own = seat + 1
    found = []
    for place, stone in at.items():
        for step in DIRECTIONS:
            back = tuple(-s for s in step)
            if stone == own and reach(place, back, (own,)) == 0:
                length = 1 + reach(place, step, (own,))
                if 1 + reach(place, step, (own, 0)) + reach(place, back, (own, 0)) >= shape.win:
                    found.append(length)
    return found


def longest(found: list[int]) -> tuple[int, int]:
    return max(found, default=0), found.count(max(found, default=0))


def complex_pair(own: list[int], others: list[list[int]]) -> tuple[float, int]:
    length, number = longest(own)
    first = 2**length - sum(2 ** longest(each)[0] for each in others) / len(others)
    return first, number - sum(longest(each)[1] for each in others if longest(each)[0] == length)


def only_best_opponent_pair(own: list[int], others: list[list[int]]) -> tuple[float, int]:
    length, number = longest(own)
    best, best_number = max(longest(each) for each in others)
    return 2**length - 2**best, number - (best_number if best == length else 0)


def ibef2(own: list[int], others: list[list[int]]) -> float:
    return sum(2**run for run in own) - sum(2**run for each in others for run in each) / len(others)


def expected(state: State, seat: int, heuristic: str) -> int:
    """What the kernel is to say."""
    players = state.shape.players
    own = unblocked_runs(state, seat)
    others = [unblocked_runs(state, other) for other in range(players) if other != seat]
    if heuristic == "ibef2":
        return round(ibef2(own, others) * (players - 1))
    pair = (complex_pair if heuristic == "complex" else only_best_opponent_pair)(own, others)
    return round(pair[0] * (players - 1)) * int(kernels.tables(state.shape, heuristic)[kernels.UNIT]) + pair[1]


# Longest runs (number) of the three seats, the report's values of `complex` and `only-best-opponent` for the first.
WORKED = [
    ("6223464264355663621", ((3, 1), (3, 1), (1, 5)), (3, 0), (0, 0)),
    ("241643541367431224", ((1, 3), (3, 1), (3, 1)), (-6, 3), (-6, 3)),
    ("343655614777657256", ((1, 1), (2, 1), (3, 1)), (-4, 1), (-6, 1)),
]


@pytest.mark.parametrize(("moves", "runs_of", "complex_value", "best_value"), WORKED)
def test_worked_examples_of_the_report(
    moves: str,
    runs_of: tuple[tuple[int, int], ...],
    complex_value: tuple[int, int],
    best_value: tuple[int, int],
) -> None:
    state = play(moves, Shape(6, 7, 1, 4, 3))
    found = [unblocked_runs(state, seat) for seat in range(3)]
    assert tuple(longest(each) for each in found) == runs_of, picture(state)
    assert complex_pair(found[0], found[1:]) == complex_value
    assert only_best_opponent_pair(found[0], found[1:]) == best_value
    for heuristic, (first, second) in (("complex", complex_value), ("only-best-opponent", best_value)):
        made, board = kernels.tables(state.shape, heuristic), kernels.board_of(state, heuristic)
        assert evaluate(made, board, 0) == 2 * first * int(made[kernels.UNIT]) + second, heuristic


def play(text: str, shape: Shape) -> State:
    return connect4.parse_position(text, shape)


def random_shape(choose: random.Random) -> Shape:
    while True:
        sizes = [choose.randint(1, 6) for _ in range(3)]
        try:
            return Shape(*sizes, win=choose.randint(2, max(2, *sizes)), players=choose.randint(2, 6))
        except ValueError:
            continue


def game(shape: Shape, stones: int, choose: random.Random) -> State:
    """A random game of at most so many stones, over for nobody."""
    state = connect4.start(shape)
    while len(state.moves) < min(stones, shape.cells - 1):
        following = [connect4.apply(state, action) for action in connect4.legal_actions(state)]
        going_on = [each for each in following if each.winner is None]
        if not going_on:
            break
        state = choose.choice(going_on)
    return state


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("heuristic", kernels.HEURISTICS[1:])
def test_kernels_agree_with_the_reference(seed: int, heuristic: str) -> None:
    choose = random.Random(seed)
    shape = random_shape(choose) if seed % 4 else Shape(6, 7, 1, 4, 2 + seed // 4 % 5)
    made = kernels.tables(shape, heuristic)
    state = game(shape, choose.randint(0, 60), choose)
    board = kernels.board_of(state, heuristic)
    for _ in range(4):
        for seat in range(shape.players):
            assert evaluate(made, board, seat) == expected(state, seat, heuristic), f"seat {seat}, {picture(state)}"
        if len(state.moves) == 0:
            break
        kernels.undo(made, board)
        state = play(connect4.format_moves(state)[: -1 if shape.depth == 1 else -4], shape)


@pytest.mark.parametrize("win", range(2, 9))
def test_counts_fit_into_one_word_and_values_below_proved_ones(win: int) -> None:
    for players in (2, 6):
        shape = Shape(8, 8, 8, win, players)
        assert len(runs.axes(shape)) <= (len(kernels.new_board(shape)) - kernels.AXES) // 8
        counting = runs.counting(shape)
        assert counting.shifts[-1] + counting.masks[-1].bit_length() <= 63
        unit = int(kernels.tables(shape, "complex")[kernels.UNIT])
        assert (players - 1) * 2 ** (win - 1) * unit <= LIMIT
        assert unit >= 1000


def test_a_run_that_cannot_grow_to_a_win_is_blocked() -> None:
    # 1 2 3: columns from the left; seat 1 holds cells b and c of the bottom row, seat 2 holds a and e: room for three.
    state = play("2135", connect4.parse_shape("6,7,1,4"))
    row = [run for run in unblocked_runs(state, 0) if run == 2]
    assert row == [], picture(state)
    open_state = play("2136", connect4.parse_shape("6,7,1,4"))
    assert 2 in unblocked_runs(open_state, 0), picture(open_state)
    for each in (state, open_state):
        made, board = kernels.tables(each.shape, "complex"), kernels.board_of(each, "complex")
        assert evaluate(made, board, 0) == expected(each, 0, "complex"), picture(each)
