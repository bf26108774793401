"""Sokoban's moves, paths and array forms, against naive twins on random boards."""

import random
from collections import deque

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.rules import levels, sokoban
from game.rules.outcome import Outcome

NAMES = "URDL"


def show(state: sokoban.State) -> str:
    return "\n" + "\n".join(levels.board(state))


def board_of(text: str) -> sokoban.State:
    """The position drawn in XSB, whether or not it is a proper puzzle."""
    rows = text.strip("\n").split("\n")
    codes = {"#": 1, "$": 2, ".": 3, "@": 4, "*": 5, "+": 6, " ": 0}
    array = np.zeros((len(rows), max(map(len, rows))), dtype=np.int8)
    for row, line in enumerate(rows):
        for col, letter in enumerate(line):
            array[row, col] = codes[letter]
    return sokoban.from_array(array)


@st.composite
def positions(draw: st.DrawFn, most_boxes: int = 4) -> sokoban.State:
    """Random boards, with or without a wall around them."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    rows, cols = rng.randint(1, 7), rng.randint(2, 8)
    cells = [1 if rng.random() < rng.choice((0.1, 0.3)) else 0 for _ in range(rows * cols)]
    free = rng.sample(range(rows * cols), rows * cols)
    count = rng.randint(0, min(most_boxes, (rows * cols - 1) // 2))
    for square in free[:count]:
        cells[square] = 2
    for square in free[-count:] if count else []:
        cells[square] = 5 if cells[square] == 2 else 3
    player = free[count]
    cells[player] = 6 if cells[player] == 3 else 4
    board = np.array(cells).reshape(rows, cols)
    if rng.random() < 0.5:
        board = np.pad(board, 1, constant_values=1)
    return sokoban.from_array(board)


class Twin:
    """Sokoban on a dictionary (row, col) -> letter, written as one would explain it."""

    def __init__(self, state: sokoban.State) -> None:
        array = sokoban.to_array(state)
        self.walls = {(r, c) for r, c in zip(*np.where(array == 1), strict=True)}
        self.boxes = {(r, c) for r, c in zip(*np.where((array == 2) | (array == 5)), strict=True)}
        self.targets = {(r, c) for r, c in zip(*np.where((array == 3) | (array == 5) | (array == 6)), strict=True)}
        ((self.row, self.col),) = zip(*np.where((array == 4) | (array == 6)), strict=True)
        self.rows, self.cols = array.shape

    def free(self, row: int, col: int) -> bool:
        return 0 <= row < self.rows and 0 <= col < self.cols and (row, col) not in self.walls

    def go(self, name: str) -> str | None:
        """'move', 'push' or None when it cannot be done."""
        down = {"U": -1, "D": 1}.get(name, 0)
        right = {"L": -1, "R": 1}.get(name, 0)
        ahead = (self.row + down, self.col + right)
        if not self.free(*ahead):
            return None
        done = "move"
        if ahead in self.boxes:
            beyond = (ahead[0] + down, ahead[1] + right)
            if not self.free(*beyond) or beyond in self.boxes:
                return None
            self.boxes.remove(ahead)
            self.boxes.add(beyond)
            done = "push"
        self.row, self.col = ahead
        return done

    def squares(self, places: set[tuple[int, int]]) -> frozenset[int]:
        return frozenset(int(row * self.cols + col) for row, col in places)


@settings(deadline=None)
@given(positions(), st.lists(st.integers(0, 3), max_size=60))
def test_moves_like_the_naive_twin(state: sokoban.State, actions: list[int]) -> None:
    twin = Twin(state)
    for action in actions:
        print(show(state), NAMES[action])
        done = twin.go(NAMES[action])
        assert (action in sokoban.legal_actions(state)) == (done is not None)
        if done is None:
            with pytest.raises(ValueError, match="not legal"):
                sokoban.apply(state, action)
            continue
        assert sokoban.is_push(state, action) == (done == "push")
        state = sokoban.apply(state, action)
        assert state.boxes == twin.squares(twin.boxes)
        assert state.player == twin.row * twin.cols + twin.col
        assert sokoban.is_solved(state) == (twin.boxes == twin.targets)
        assert sokoban.outcome(state) == (Outcome("won") if twin.boxes == twin.targets else None)


@settings(deadline=None)
@given(positions())
def test_arrays_come_back(state: sokoban.State) -> None:
    array = sokoban.to_array(state)
    assert array.dtype == np.int8
    assert sokoban.from_array(array) == state


@pytest.mark.parametrize(
    ("array", "word"),
    [
        ([[4, 4]], "exactly one player, not 2"),
        ([[0, 1]], "exactly one player, not 0"),
        ([[4, 2, 0]], "1 and 0"),
        ([[4, 7]], "0 to 6"),
        ([[4.0, 1.0]], "whole numbers"),
        ([4, 1], "shape"),
        (np.full((65, 3), 4), "64"),
        (np.zeros((0, 3), dtype=int), "shape"),
    ],
)
def test_arrays_that_are_no_board_are_refused(array: object, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        sokoban.from_array(array)


def test_action_out_of_range_is_refused() -> None:
    state = board_of("#####\n#@$.#\n#####")
    for action in (-1, 4):
        with pytest.raises(ValueError, match="not legal"):
            sokoban.apply(state, action)


def test_lurd_there_and_back() -> None:
    state = board_of("######\n#@ $.#\n######")
    assert sokoban.to_lurd(state, (1, 1)) == "rR"
    assert sokoban.from_lurd("rR\n L u d") == (1, 1, 3, 0, 2)
    with pytest.raises(ValueError, match="'x'"):
        sokoban.from_lurd("rx")
    with pytest.raises(ValueError, match="not legal"):
        sokoban.to_lurd(state, (0,))


def walks(state: sokoban.State) -> dict[int, int]:
    """Square -> length of the shortest walk, by trying moves on states."""
    found = {state.player: 0}
    queue = deque([state])
    while queue:
        here = queue.popleft()
        for action in sokoban.legal_actions(here):
            after = sokoban.apply(here, action)
            if after.boxes == here.boxes and after.player not in found:
                found[after.player] = found[here.player] + 1
                queue.append(after)
    return found


@settings(deadline=None)
@given(positions())
def test_walks_are_shortest(state: sokoban.State) -> None:
    print(show(state))
    lengths = walks(state)
    assert sokoban.reachable(state) == set(lengths)
    for square in range(state.warehouse.rows * state.warehouse.cols):
        path = sokoban.walk_path(state, square)
        assert (path is not None) == (square in lengths)
        if path is not None:
            assert len(path) == lengths[square]
            assert play(state, path) == sokoban.State(state.warehouse, state.boxes, square)


def play(state: sokoban.State, actions: tuple[int, ...]) -> sokoban.State:
    for action in actions:
        state = sokoban.apply(state, action)
    return state


def pushes_of_one(state: sokoban.State, box: int) -> dict[int, tuple[int, int]]:
    """Square -> (fewest pushes, then fewest moves) for one box, by breadth-first search over whole states."""
    best: dict[tuple[int, int], tuple[int, int]] = {(box, state.player): (0, 0)}
    others = state.boxes - {box}
    queue = deque([(box, state.player)])
    while queue:
        at, player = queue.popleft()
        here = sokoban.State(state.warehouse, others | {at}, player)
        for action in sokoban.legal_actions(here):
            after = sokoban.apply(here, action)
            moved = after.boxes - others
            if len(moved) != 1 or not others <= after.boxes:
                continue
            key = (min(moved), after.player)
            pushes, moves = best[at, player]
            cost = (pushes + (after.boxes != here.boxes), moves + 1)
            if key not in best or cost < best[key]:
                best[key] = cost
                queue.append(key)
    result: dict[int, tuple[int, int]] = {}
    for (at, _), cost in best.items():
        result[at] = min(result.get(at, cost), cost)
    return result


@settings(deadline=None)
@given(positions(), st.integers(0, 9))
def test_pushing_one_box_is_shortest(state: sokoban.State, pick: int) -> None:
    print(show(state))
    if not state.boxes:
        assert sokoban.push_targets(state, state.player) == frozenset()
        assert sokoban.push_path(state, state.player, 0) is None
        return
    box = sorted(state.boxes)[pick % len(state.boxes)]
    costs = pushes_of_one(state, box)
    assert sokoban.push_targets(state, box) == set(costs) - {box}
    for square in range(state.warehouse.rows * state.warehouse.cols):
        path = sokoban.push_path(state, box, square)
        assert (path is not None) == (square in costs)
        if path is not None:
            lurd = sokoban.to_lurd(state, path)
            assert (sum(letter.isupper() for letter in lurd), len(lurd)) == costs[square], (square, lurd)
            assert play(state, path).boxes == state.boxes - {box} | {square}


def test_paths_in_a_hall_of_64_by_64() -> None:
    array = np.zeros((64, 64), dtype=np.int8)
    array[0] = array[-1] = array[:, 0] = array[:, -1] = sokoban.WALL
    array[1, 1], array[30, 30], array[62, 62] = sokoban.PLAYER, sokoban.BOX, sokoban.TARGET
    state = sokoban.from_array(array)
    assert len(sokoban.reachable(state)) == 62 * 62 - 1
    assert len(sokoban.push_targets(state, 30 * 64 + 30)) == 62 * 62 - 1
    path = sokoban.push_path(state, 30 * 64 + 30, 62 * 64 + 62)
    assert path is not None
    assert sokoban.is_solved(play(state, path))
    assert sum(letter.isupper() for letter in sokoban.to_lurd(state, path)) == 64


def test_floor_is_what_the_walls_enclose() -> None:
    state = board_of("  ####\n###  #\n#@$. #\n######")
    assert state.warehouse.floor == {9, 10, 13, 14, 15, 16}
    outside = board_of("@ $.")
    assert outside.warehouse.floor == {0, 1, 2, 3}
