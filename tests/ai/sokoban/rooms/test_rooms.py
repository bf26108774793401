"""Rooms: each can be solved, no two are alike, the same seed makes the same ones, and the search is the established one."""

import importlib.util
import itertools
import sys
from pathlib import Path

import numpy as np
import pytest

from ai.agent import Progress, Thinking
from ai.sokoban.rooms.carve import FREE, WALL, carve, place
from ai.sokoban.rooms.kinds import RoomError
from ai.sokoban.rooms.maker import MOST_PUSHES, RoomMaker, Rooms, make_rooms
from ai.sokoban.rooms.reverse import DEPTH, FRAME, LIMIT, TABLE, reverse_search
from game.rules import levels, sokoban

WAYS = ((-1, 0), (1, 0), (0, -1), (0, 1))


def show(rooms: Rooms, number: int) -> None:
    print(f"\nroom {number}, score {rooms.scores[number]}", *levels.board(rooms.state(number)), sep="\n")


def canonical(board: np.ndarray) -> tuple:
    """The least of the eight ways to turn and mirror what is not wall."""
    used = np.argwhere(board != 1)
    (top, left), (bottom, right) = used.min(axis=0), used.max(axis=0)
    cut = board[top : bottom + 1, left : right + 1]
    turned = [np.rot90(each, times) for each in (cut, cut[::-1]) for times in range(4)]
    return min((each.shape, each.tobytes()) for each in turned)


@pytest.mark.parametrize(
    ("mode", "count", "rows", "cols", "boxes"),
    [
        ("fast", 2000, 10, 10, 4),
        ("fast", 300, 5, 20, 2),
        ("fast", 300, 7, 7, 3),
        ("fast", 200, 20, 20, 10),
        ("established", 150, 10, 10, 3),
        ("established", 60, 7, 7, 2),
        ("established", 8, 20, 20, 10),
        ("gym", 30, 13, 11, 3),
    ],
)
def test_every_room_is_a_level_and_its_recorded_solution_solves_it(mode, count, rows, cols, boxes):
    rooms = RoomMaker(7, rows, cols, boxes, mode).make(count)
    assert rooms.boards.shape == (count, rows, cols)
    for number in range(count):
        state = rooms.state(number)
        levels.check(state)
        reached = state
        actions = rooms.solution(number)
        for action in actions:
            reached = sokoban.apply(reached, action)
        if not sokoban.is_solved(reached):
            show(rooms, number)
            pytest.fail(f"not solved by {sokoban.to_lurd(state, actions)}")
        warehouse = state.warehouse
        floor = frozenset(range(rows * cols)) - warehouse.walls
        assert warehouse.connected([state.player]) == floor, "one piece of floor"
        assert not state.boxes & warehouse.targets and state.player not in warehouse.targets
        assert len(state.boxes) == boxes and rooms.lengths[number] <= MOST_PUSHES
        assert set(rooms.places[number].tolist()) == state.boxes
        assert set(rooms.homes[number].tolist()) == warehouse.targets


@pytest.mark.parametrize(("rows", "cols", "boxes", "count"), [(5, 5, 1, 60), (6, 5, 2, 700), (10, 10, 4, 3000)])
def test_no_two_rooms_are_alike(rows, cols, boxes, count):
    maker = RoomMaker(3, rows, cols, boxes, "fast")
    rooms = np.concatenate([maker.make(count // 2).boards, maker.make(count - count // 2).boards])
    print(f"{rows}x{cols}, {boxes} boxes: {count} rooms in {maker.attempts:,} attempts")
    assert len({canonical(board) for board in rooms}) == count


@pytest.mark.parametrize("mode", ["fast", "established"])
def test_the_seed_decides_all_rooms(mode):
    rooms = RoomMaker(11, 8, 9, 2, mode).make(12)
    maker = RoomMaker(11, 8, 9, 2, mode)
    parts = [maker.make(count) for count in (1, 5, 6)]
    for name, whole in rooms._asdict().items():
        assert (whole == np.concatenate([getattr(part, name) for part in parts])).all(), name
    assert (make_rooms(11, 8, 9, 2, 4, mode).boards == rooms.boards[:4]).all(), "a short batch begins a long one"
    assert make_rooms(11, 8, 9, 2, 4, mode).pushes.shape == (4, 0)
    others = make_rooms(12, 8, 9, 2, 12, mode)
    assert (others.boards != rooms.boards).any()


def test_where_walls_and_floor_come_to_lie():
    """The walk is 1.5 * (rows + columns) steps of a mask of three or four squares: every inner square is carved at times."""
    rows, cols, count = 10, 12, 3000
    at, free, stream = np.zeros(rows * cols, np.int8), np.zeros(rows * cols, np.uint16), np.array([5], np.uint64)
    carved, sizes = np.zeros((rows, cols)), []
    for _ in range(count):
        size = carve(at, rows, cols, stream, free)
        assert (np.flatnonzero(at == FREE) == free[:size]).all()
        carved += (at == FREE).reshape(rows, cols)
        sizes.append(size)
    share = carved / count
    print(np.round(share, 2))
    print("squares of floor:", np.percentile(sizes, [0, 50, 100]))
    assert not share[[0, -1]].any() and not share[:, [0, -1]].any()
    assert share[1:-1, 1:-1].min() > 0.1 and share[1:-1, 1:-1].max() < 0.8
    assert 20 <= np.median(sizes) <= 50 and max(sizes) <= (rows - 2) * (cols - 2)


def layout(seed: int, rows: int, cols: int, boxes: int) -> tuple | None:
    """(room, player, homes, is_home) before anything is pulled."""
    cells = rows * cols
    at, free, stream = np.zeros(cells, np.int8), np.zeros(cells, np.uint16), np.array([seed], np.uint64)
    players, homes, is_home = np.zeros(1, np.int16), np.zeros(boxes, np.int16), np.zeros(cells, np.uint8)
    size = carve(at, rows, cols, stream, free)
    if not place(at, free, size, players, homes, stream, is_home):
        return None
    return at, int(players[0]), homes, is_home


def searched(at, cols, player, homes, is_home, every_pull, limit=LIMIT) -> tuple:
    """(score, player, places, positions) of `reverse_search`."""
    cells, boxes = len(at), len(homes)
    before, places, path = at.copy(), np.zeros(boxes, np.int16), np.zeros(DEPTH, np.int16)
    marks = np.random.default_rng(1).integers(0, 2**64, 2 * cells, dtype=np.uint64)
    score, end, pulls, count = reverse_search(
        at, cols, player, homes, is_home, every_pull, limit, places, path, marks, np.zeros(limit, np.uint64),
        np.zeros(limit * -(-cells // 64), np.uint64), np.zeros(TABLE, np.int32), np.zeros((DEPTH, FRAME), np.int32),
        np.zeros(boxes * cells, np.int32),
    )  # fmt: skip
    assert (at == before).all() and 0 <= pulls < DEPTH
    return (score, end, places.tolist(), count) if score else (0, count)


def plainly_searched(at, cols, player, homes, is_home, every_pull, limit) -> tuple:
    """The same in plain Python, position by position, written for the eye."""
    rows = len(at) // cols
    steps = [row * cols + col for row, col in WAYS]
    walls = set(np.flatnonzero(at == WALL).tolist())
    seen = set()
    best = (0,)

    def score(boxes, where, swaps):
        if is_home[where] or any(is_home[square] for square, _ in boxes):
            return 0
        far = sum(
            abs(square // cols - home // cols) + abs(square % cols - home % cols)
            for (square, _), home in zip(boxes, homes.tolist(), strict=True)
        )
        return swaps * far

    # (boxes as (square, ever moved), player, swaps, last box, positions above it)
    todo = [(tuple((home, False) for home in homes.tolist()), player, 0, -1, 0)]
    while todo:
        boxes, where, swaps, last, depth = todo.pop()
        key = (frozenset(boxes), where)
        if depth >= DEPTH or len(seen) >= limit or key in seen:
            continue
        seen.add(key)
        value = score(boxes, where, swaps)
        if value > best[0]:
            best = (value, where, [square for square, _ in boxes])
        squares = [square for square, _ in boxes]
        following = []
        for pull, step in itertools.product((True, False), steps):
            there, behind = where + step, where - step
            if there in walls or there in squares:
                continue
            if pull and behind in squares:
                box = squares.index(behind)
                after = tuple((where, True) if number == box else each for number, each in enumerate(boxes))
                following.append((after, there, swaps + (every_pull or box != last), box, depth + 1))
            else:
                following.append((boxes, there, swaps, last, depth + 1))
        todo += reversed(following)
    assert rows * cols == len(at)
    return (*best, len(seen)) if best[0] else (0, len(seen))


@pytest.mark.parametrize("every_pull", [True, False])
@pytest.mark.parametrize(("rows", "cols", "boxes", "limit"), [(5, 6, 1, LIMIT), (6, 6, 2, LIMIT), (8, 9, 3, 3000)])
def test_the_search_finds_what_plain_python_finds(rows, cols, boxes, limit, every_pull):
    found = []
    for seed in range(12):
        laid = layout(seed, rows, cols, boxes)
        if laid is None:
            continue
        at, player, homes, is_home = laid
        mine = searched(at, cols, player, homes, is_home, every_pull, limit)
        print(seed, mine)
        assert mine == plainly_searched(at, cols, player, homes, is_home, every_pull, limit)
        found.append(mine[0])
    assert sum(score > 0 for score in found) >= 4, found


def gym_sokoban():
    """The room maker of gym-sokoban, where it is installed: `pip install --no-deps gym-sokoban`."""
    found = importlib.util.find_spec("gym_sokoban")
    if found is None or not found.submodule_search_locations:
        pytest.skip("gym-sokoban is not installed")
    path = Path(found.submodule_search_locations[0]) / "envs" / "room_utils.py"
    spec = importlib.util.spec_from_file_location("gym_sokoban_room_utils", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_mode_gym_finds_what_gym_sokoban_finds():
    theirs, rows, cols, compared = gym_sokoban(), 10, 10, 0
    depth = sys.getrecursionlimit()
    sys.setrecursionlimit(max(depth, 5000))
    for seed in range(40):
        laid = layout(seed, rows, cols, 4)
        if laid is None:
            continue
        at, player, homes, is_home = laid
        mine = searched(at, cols, player, homes, is_home, True)
        if mine[-1] > 20_000:  # takes too long there
            continue
        fixed = np.where(at == WALL, 0, np.where(is_home, 2, 1)).reshape(rows, cols)
        state = np.where(fixed == 2, 4, fixed)
        state[divmod(player, cols)] = 5
        board, score, mapping = theirs.reverse_playing(state, fixed)
        print(seed, mine, score)
        assert (max(score, 0), len(theirs.explored_states)) == (mine[0], mine[-1])
        if score > 0:
            assert divmod(mine[1], cols) == tuple(np.argwhere(board == 5)[0])
            squares = [divmod(square, cols) for square in mine[2]]
            assert [mapping[divmod(home, cols)] for home in homes.tolist()] == squares
        compared += 1
    sys.setrecursionlimit(depth)
    print(compared, "layouts compared")
    assert compared > 10


@pytest.mark.parametrize("mode", ["fast", "established"])
def test_a_second_player_stands_aside_and_colours_find_home(mode):
    rules = sokoban.Rules(fixed=True, players=2)
    rooms = RoomMaker(2, 9, 8, 3, mode, players=2).make(60 if mode == "fast" else 12)
    assert rooms.players.shape[1] == 2
    for number in range(len(rooms.boards)):
        show(rooms, number)
        state = rooms.state(number, rules)
        second = int(rooms.players[number, 1])
        assert second not in state.warehouse.walls | state.boxes | state.warehouse.targets | {state.player}
        for action in rooms.solution(number, rules):
            state = sokoban.apply(state, action)
        assert sokoban.is_solved(state) and state.second == second


class Impatient(Thinking):
    """Cancelled at the first word."""

    def report(self, progress: Progress) -> None:
        self.cancel()


def test_a_cancel_ends_it_after_a_slice_and_the_rest_comes_later():
    maker = RoomMaker(1, 20, 20, 10)
    some = maker.make(500, Impatient())
    assert len(some.boards) < 5
    rest = maker.make(1)
    assert len(rest.boards) == 1
    whole = RoomMaker(1, 20, 20, 10).make(len(some.boards) + 1)
    assert (whole.boards == np.concatenate([some.boards, rest.boards])).all()


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ((4, 10, 1), "5 to 20 rows and columns, not 4 and 10"),
        ((10, 21, 1), "not 10 and 21"),
        ((10, 10, 0), "1 to 10 boxes, not 0"),
        ((10, 10, 11), "1 to 10 boxes, not 11"),
        ((5, 5, 5), "5 boxes off their targets have no room on 5x5 squares"),
        ((9, 9, 2, "slow"), "no mode 'slow'.*established, gym, fast"),
    ],
)
def test_kinds_that_cannot_be_are_refused(kind, words):
    with pytest.raises(RoomError, match=words):
        RoomMaker(0, *kind)


def test_when_there_are_no_more_it_says_so():
    with pytest.raises(RoomError, match="a room of 5x5 squares with 4 boxes could not be found in 50,000"):
        make_rooms(0, 5, 5, 4, 1)
    with pytest.raises(RoomError, match="no more than 64 different rooms of this kind, not 100000"):
        make_rooms(0, 5, 5, 1, 100_000)
    maker = RoomMaker(0, 5, 5, 1, "fast")
    assert len(maker.make(100).boards) == 64
    with pytest.raises(RoomError, match="more than 64 different rooms of 5x5 squares with 1 box could not be found"):
        maker.make(1)
    with pytest.raises(RoomError, match="not recorded"):
        make_rooms(0, 6, 6, 1, 1).solution(0)
