"""Labels of the policy network: what it sees, its best pushes and pushes to go, by the plain rules."""

import numpy as np
import pytest

from ai.sokoban.board.layout import layout
from ai.sokoban.policy.batch import SYMMETRIES, drawn, side_of, turned_direction
from ai.sokoban.policy.features import (
    BOX,
    DEAD,
    FLOOR,
    PLANES,
    REACHED,
    TARGET,
    TO_FREE_TARGET,
    TO_TARGET,
    see,
    unfold,
)
from ai.sokoban.policy.labels import DEAD as NO_SOLUTION
from ai.sokoban.policy.labels import Labelled, Labeller
from ai.sokoban.rooms.maker import make_rooms
from game.rules import sokoban
from game.rules.sokoban import deadlock
from tests.ai.sokoban.board.test_kernels import room, show
from tests.ai.sokoban.levels import least

ROOMS = 40


def seen_of(state: sokoban.State) -> np.ndarray:
    board = layout(state)
    count = len(board.squares)
    seen = np.zeros((count, PLANES), np.float32)
    queue, far = np.zeros(count, np.int32), np.zeros(count, np.int32)
    see(board.steps, count, board.is_target, board.occupied, board.player, queue, far, seen)
    return seen


def array_of(state: sokoban.State) -> np.ndarray:
    return np.ascontiguousarray(sokoban.to_array(state), dtype=np.int8)


def pushes_of(state: sokoban.State) -> dict[tuple[int, int], sokoban.State]:
    """(box, direction) -> the position after walking to the box and pushing it."""
    found = {}
    for box in sorted(state.boxes):
        for action in range(4):
            behind = state.warehouse.steps[box][(action + 2) % 4]
            walk = sokoban.walk_path(state, behind) if behind >= 0 else None
            if walk is None:
                continue
            there = state
            for step in walk:
                there = sokoban.apply(there, step)
            if action in sokoban.legal_actions(there):
                found[box, action] = sokoban.apply(there, action)
    return found


def labelled(state: sokoban.State, most: int = 1) -> Labelled:
    board = array_of(state)
    return Labeller(2_000).label(board.reshape(1, -1), np.array([most], np.int32), board.shape[1], 5)


def test_planes_say_what_the_plain_rules_say() -> None:
    for seed in range(ROOMS):
        state = room(seed)
        seen, squares = seen_of(state), layout(state).squares.tolist()
        show(state)
        dead = deadlock.dead_squares(state.warehouse)
        for index, square in enumerate(squares):
            row = seen[index]
            assert row[FLOOR] == 1
            assert row[BOX] == (square in state.boxes)
            assert row[TARGET] == (square in state.warehouse.targets)
            assert row[REACHED] == (sokoban.walk_path(state, square) is not None)
            assert row[DEAD] == (square in dead)
            assert (row[TO_TARGET] == 0) == (square in dead or square in state.warehouse.targets)
            free = state.warehouse.targets - state.boxes
            if square in free:
                assert row[TO_FREE_TARGET] == 0
            elif free and not row[DEAD]:
                assert row[TO_FREE_TARGET] == 0 or row[TO_FREE_TARGET] >= row[TO_TARGET] - 1e-6


def test_a_board_unfolds_to_its_layout() -> None:
    for seed in range(ROOMS):
        state = room(seed)
        board, expected = array_of(state).reshape(-1), layout(state)
        cells, count = len(board), len(expected.squares)
        number, squares, steps = (np.zeros(shape, np.int32) for shape in (cells, cells, (cells, 4)))
        is_target, occupied = np.zeros(cells, np.uint8), np.zeros(cells, np.uint8)
        found = unfold(board, state.warehouse.cols, number, squares, steps, is_target, occupied)
        assert found == (count, expected.player)
        assert (squares[:count] == expected.squares).all() and (steps[:count] == expected.steps).all()
        assert (is_target[:count] == expected.is_target).all() and (occupied[:count] == expected.occupied).all()


def test_best_pushes_are_exactly_those_that_bring_the_solution_nearer() -> None:
    solvable = 0
    for seed in range(ROOMS):
        state = room(seed, most_boxes=2)
        if sokoban.is_solved(state):
            continue
        expected = least(state, "pushes")
        found = labelled(state)
        show(state)
        print(found)
        assert found.to_go.tolist() == [NO_SOLUTION if expected is None else expected]
        if expected is None:
            continue
        solvable += 1
        best = {(box, action) for box in state.boxes for action in range(4) if found.pushes[0, box] >> action & 1}
        wanted = {push for push, after in pushes_of(state).items() if least(after, "pushes") == expected - 1}
        assert best == wanted
    assert solvable > 5


def test_other_positions_of_the_shortest_solutions_are_labelled_alike() -> None:
    several = 0
    rooms = make_rooms(3, 8, 8, 3, 8)
    for number in range(len(rooms.boards)):
        state = rooms.state(number)
        found = labelled(state, 6)
        for board, pushes, left in zip(found.boards, found.pushes, found.to_go.tolist(), strict=True):
            there = sokoban.from_array(board.reshape(state.warehouse.rows, -1))
            again = labelled(there)
            assert again.to_go.tolist() == [left] and (again.pushes[0] == pushes).all()
        assert len({board.tobytes() for board in found.boards}) == len(found.boards)
        several += len(found.boards) > 3
    assert several == len(rooms.boards)


def test_a_search_that_would_be_too_long_gives_no_label() -> None:
    boards = make_rooms(3, 8, 8, 3, 8).boards.reshape(8, -1)
    lengths = Labeller(2_000).label(boards, np.ones(8, np.int32), 8, 5).to_go
    found = Labeller(4).label(boards, np.ones(8, np.int32), 8, 5)
    print(lengths)
    assert lengths.min() >= 4 and len(found.to_go) == len(found.boards) == 0


@pytest.mark.parametrize("symmetry", range(SYMMETRIES))
def test_a_turned_picture_is_the_picture_of_the_turned_board(symmetry: int) -> None:
    for seed in range(8):
        state = room(seed)
        side = side_of(state.warehouse.rows, state.warehouse.cols)
        square = np.ones((side + 2, side + 2), np.int8)
        square[: state.warehouse.rows, : state.warehouse.cols] = array_of(state)
        turned = square.T if symmetry & 1 else square
        turned = turned[::-1] if symmetry & 2 else turned
        turned = np.ascontiguousarray(turned[:, ::-1] if symmetry & 4 else turned)
        found = Labeller(2_000).label(square.reshape(1, -1), np.ones(1, np.int32), side + 2, 5)
        after = Labeller(2_000).label(turned.reshape(1, -1), np.ones(1, np.int32), side + 2, 5)
        if not len(found.to_go):
            continue
        one = drawn(
            found.boards, side + 2, side, np.arange(1), found.pushes, np.full(1, symmetry, np.uint8)
        )  # the labels' own player stands elsewhere in the same part of the floor
        other = drawn(after.boards, side + 2, side, np.arange(1), after.pushes)
        for name, mine, theirs in zip(("planes", "legal", "best"), one, other, strict=True):
            assert (mine == theirs).all(), name


def test_directions_turn_with_the_picture() -> None:
    assert [turned_direction(each, 1) for each in range(4)] == [3, 2, 1, 0]
    assert [turned_direction(each, 2) for each in range(4)] == [2, 1, 0, 3]
    assert [turned_direction(each, 4) for each in range(4)] == [0, 3, 2, 1]


def test_legal_pushes_are_those_of_the_rules_but_for_dead_squares() -> None:
    for seed in range(ROOMS):
        state = room(seed)
        rows, cols = state.warehouse.rows, state.warehouse.cols
        side = side_of(rows, cols)
        _, legal, best = drawn(array_of(state).reshape(1, -1), cols, side, np.arange(1))
        dead = deadlock.dead_squares(state.warehouse)
        expected = set()
        for box, action in pushes_of(state):
            if state.warehouse.steps[box][action] not in dead:
                expected.add(((box // cols - 1) * side + box % cols - 1) * 4 + action)
        show(state)
        assert set(np.flatnonzero(legal[0]).tolist()) == expected
        assert not best.any()
