"""The packs that ship with the app: readable, of our own making, no level twice, and every one solved within the limit.

The checker here reads the packs and plays the solutions by itself, so that a fault in the app's parser, rules or
solver cannot hide itself.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest

from ai.agent import Status, Thinking
from ai.catalogue import create, parse
from ai.sokoban import warm
from game.rules import levels, sokoban

FOLDER = Path(__file__).resolve().parents[1] / "levels"
VARIANTS = FOLDER / "5-variants.xsb"
"""Levels with other rules, which `test_variant_levels` plays."""
PACKS = sorted(set(FOLDER.glob("*.xsb")) - {VARIANTS})
FEWEST = 60
SECONDS = 10.0
STEPS = {"u": (-1, 0), "r": (0, 1), "d": (1, 0), "l": (0, -1)}


@dataclass(frozen=True)
class Drawn:
    """One board exactly as it stands in its file."""

    pack: str
    number: int
    rows: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.pack} {self.number}"

    @property
    def text(self) -> str:
        return "\n".join(self.rows)


def drawn_in(path: Path) -> list[Drawn]:
    """The boards of a file: runs of lines that hold nothing but board letters."""
    boards: list[list[str]] = [[]]
    for line in path.read_text("utf-8").splitlines():
        if line.strip() and not set(line) - set("#@+$*. "):
            boards[-1].append(line)
        elif boards[-1]:
            boards.append([])
    return [Drawn(path.stem, number, tuple(rows)) for number, rows in enumerate(filter(None, boards), 1)]


BOARDS = [board for path in PACKS for board in drawn_in(path)]


class Room:
    """A board played move by move; knows walls, boxes, targets and a keeper, and nothing of the app."""

    def __init__(self, board: Drawn) -> None:
        at = {(r, c): mark for r, row in enumerate(board.rows) for c, mark in enumerate(row)}
        self.walls = {square for square, mark in at.items() if mark == "#"}
        self.boxes = {square for square, mark in at.items() if mark in "$*"}
        self.targets = {square for square, mark in at.items() if mark in ".+*"}
        (self.keeper,) = (square for square, mark in at.items() if mark in "@+")
        self.pushes = 0

    def play(self, letters: str) -> None:
        """Make the moves; capitals must push a box and small letters must not."""
        for number, letter in enumerate(letters, 1):
            down, right = STEPS[letter.lower()]
            row, col = self.keeper
            ahead, beyond = (row + down, col + right), (row + 2 * down, col + 2 * right)
            assert ahead not in self.walls, f"move {number} of {letters} walks into a wall"
            pushes = ahead in self.boxes
            assert pushes == letter.isupper(), f"move {number} of {letters}: a push is a capital, a step is not"
            if pushes:
                assert beyond not in self.walls | self.boxes, f"move {number} of {letters} pushes against something"
                self.boxes.remove(ahead)
                self.boxes.add(beyond)
                self.pushes += 1
            self.keeper = ahead

    def enclosed(self) -> bool:
        """Whether the keeper stays among the drawn squares wherever they walk, boxes or not."""
        rows = {row for row, _ in self.walls}
        cols = {col for _, col in self.walls}
        seen, due = {self.keeper}, [self.keeper]
        while due:
            row, col = due.pop()
            if row in (min(rows), max(rows)) or col in (min(cols), max(cols)):
                return False
            near = {(row + down, col + right) for down, right in STEPS.values()} - self.walls - seen
            seen |= near
            due += near
        return self.boxes | self.targets <= seen


def turned(rows: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    """The board in all eight positions, the keeper left out: where they stand makes no new puzzle."""
    width = max(map(len, rows))
    grid = tuple(row.ljust(width).replace("@", " ").replace("+", ".") for row in rows)
    found = set()
    for _ in range(4):
        grid = tuple("".join(column) for column in zip(*reversed(grid), strict=True))
        found |= {grid, tuple(row[::-1] for row in grid)}
    return frozenset(found)


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    """The time limit is for searching, not for compiling."""
    warm.best_first()
    warm.strong()


def test_there_are_enough_levels() -> None:
    assert len(BOARDS) >= FEWEST, [path.name for path in PACKS]


@pytest.mark.parametrize("path", PACKS, ids=lambda path: path.stem)
def test_pack_says_what_it_is(path: Path) -> None:
    pack = levels.read(path)
    assert pack.title and pack.author and pack.licence == "MIT", pack
    assert [sokoban.to_array(level.state).shape[0] for level in pack.levels] == [
        len(board.rows) for board in drawn_in(path)
    ], "the app reads other boards than stand in the file"
    for level in pack.levels:
        assert level.title and level.author == pack.author, f"line {level.line}: {level}"
        assert not level.solution, f"{level.title}: a shipped level keeps its secret"


def test_titles_are_unique() -> None:
    titles = [level.title for path in PACKS for level in levels.read(path).levels]
    assert sorted(titles) == sorted(set(titles)), [title for title in titles if titles.count(title) > 1]


def test_no_level_comes_twice_even_turned_or_mirrored() -> None:
    seen: dict[tuple[str, ...], Drawn] = {}
    for board in BOARDS:
        key = min(turned(board.rows))
        twin = seen.get(key)
        assert twin is None, f"{board.name} is {twin and twin.name}\n{board.text}"
        seen[key] = board


def test_ids_are_distinct() -> None:
    ids = [levels.level_id(level) for path in PACKS for level in levels.read(path).levels]
    assert len(ids) == len(set(ids)) == len(BOARDS)


def test_report_boards() -> None:
    """The boards of the older report: (row, column) from 0, walls all round, nothing else inside the first two."""
    (path,) = [path for path in PACKS if path.stem.endswith("report")]
    boards = drawn_in(path)
    assert len(boards) == 3
    rooms = [Room(board) for board in boards]
    edge = {(row, col) for row in range(9) for col in range(11) if row in (0, 8) or col in (0, 10)}
    for board, room in zip(boards, rooms, strict=True):
        assert [len(row) for row in board.rows] == [11] * 9, board.text
        assert edge <= room.walls, board.text
    one, two, three = rooms
    assert (one.walls, one.keeper, one.boxes, one.targets) == (edge, (6, 4), {(5, 4)}, {(2, 7)}), boards[0].text
    assert (two.walls, two.keeper) == (edge, (4, 4)), boards[1].text
    assert (two.boxes, two.targets) == ({(2, 4), (6, 6)}, {(2, 5), (6, 5)}), boards[1].text
    assert len(three.boxes) == len(three.targets) == 3, boards[2].text


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_level_is_solved_within_the_limit(board: Drawn) -> None:
    room = Room(board)
    assert room.enclosed(), board.text
    (level,) = levels.parse(board.text, board.name).levels
    agent = create("sokoban", parse("sokoban", "astar"))
    agent.new_game(0)
    plan = agent.plan(level.state, Thinking(seconds=SECONDS))
    assert plan.status is Status.SOLVED and plan.exact, f"{plan.note}\n{board.text}"
    solution = sokoban.to_lurd(level.state, plan.actions)
    room.play(solution)
    assert room.boxes == room.targets, f"{solution} leaves boxes off target\n{board.text}"
    assert room.pushes > 0
