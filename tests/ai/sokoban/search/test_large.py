"""`fess` on the largest boards with hundreds of boxes: memory, the time limit and cancelling, in every phase.

What is measured is processor time between two looks at the clock: it bounds how late a limit or a cancel is seen, and a busy
machine does not change it.
"""

import json
import random
import subprocess
import sys
from itertools import product

import pytest

from ai.agent import Status, Thinking
from ai.sokoban.board import ground
from ai.sokoban.board.layout import layout
from ai.sokoban.fess import agent
from ai.sokoban.fess import run as fess_run
from ai.sokoban.fess import tree as fess_tree
from ai.sokoban.fess.macro import make_motion
from ai.sokoban.fess.packing import make_plan
from game.rules import sokoban
from game.rules.levels import parse

SIDE, BOXES = 64, 300

RUN = """
import json, re, sys, threading, time
from pathlib import Path
import numpy as np
from ai.agent import Thinking
from ai.sokoban.fess import agent as fess
from ai.sokoban.fess import run as fess_run
from ai.sokoban.fess.packing import Plan
from game.rules.levels import parse

def no_plan(board, *_):
    squares, none = len(board.squares), np.full(1, -1, np.int32)
    return Plan(np.zeros((1, squares), np.uint8), none, none, np.zeros((4 * squares, 1), np.uint8)), 0, 0

text, seconds, processor, planned, until = json.loads(sys.stdin.read())
if sys.argv[1:] == ["main"]:
    small = parse("#######\\n#@ $ .#\\n# $  .#\\n#     #\\n#######", "small").levels[0].state
    fess.Fess(60.0, 10**6).plan(small, Thinking())
    if not planned:
        fess_run.make_plan = no_plan  # which would take all the time
    looks = [("", time.process_time())]
    thinking = Thinking(seconds, listener=lambda progress: looked(progress.note))

    def looked(note):
        looks.append((note, time.process_time()))
        if until and until in note or looks[-1][1] - looks[0][1] > processor:
            thinking.cancel()

    plan = fess.Fess(seconds, 10**7).plan(parse(text, "large").levels[0].state, thinking)
    looks.append(("end", time.process_time()))
    longest = max((after - before, first, then) for (first, before), (then, after) in zip(looks, looks[1:]))
    # the most it has held; what getrusage tells begins with the memory of the process that started this one
    megabytes = int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) / 1000
    print(json.dumps([plan.status, plan.nodes, longest, megabytes, sorted({note for note, _ in looks})]))
"""


def hall(seed: int, side: int = SIDE, boxes: int = BOXES) -> str:
    """One open hall."""
    edge = {0, side - 1}
    board = [["#" if {row, column} & edge else " " for column in range(side)] for row in range(side)]
    return scattered(board, random.Random(seed), boxes)


def scattered(board: list[list[str]], rng: random.Random, count: int = BOXES) -> str:
    """The board with boxes and targets away from the walls."""
    around = ((1, 0), (-1, 0), (0, 1), (0, -1))
    free = [
        (row, column)
        for row, column in product(range(1, len(board) - 1), repeat=2)
        if board[row][column] == " " and all(board[row + y][column + x] == " " for y, x in around)
    ]
    boxes, targets = set(rng.sample(free, count)), set(rng.sample(free, count))
    for row, column in boxes | targets:
        board[row][column] = "*" if (row, column) in boxes & targets else "$" if (row, column) in boxes else "."
    board[1][1] = "@"
    return "\n".join("".join(row) for row in board)


def run(text: str, seconds: float, processor: float = 60.0, until: str = "", planned: bool = True):
    """Status, positions, (longest time between two looks, before, after), megabytes of the process, and all notes.

    It is cancelled after so many seconds of `processor` time, or when it says that it does what `until` has.
    """
    found = subprocess.run(
        [sys.executable, "-c", RUN, "main"], input=json.dumps([text, seconds, processor, planned, until]), capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    return json.loads(found.stdout)


def test_it_keeps_to_its_limit() -> None:
    status, nodes, (longest, *between), megabytes, notes = run(hall(1), 1.0)
    assert (status, nodes) == ("gave_up", 0) and any("measuring" in note for note in notes)
    assert longest < 0.1, between
    assert megabytes < 1000


def test_a_cancel_is_obeyed_while_it_searches() -> None:
    status, nodes, (longest, *between), megabytes, _ = run(hall(5), 60.0, 2.0, planned=False)
    assert status == "cancelled" and nodes > 0
    assert longest < 0.1, between
    assert megabytes < 1000


def test_a_cancel_is_obeyed_while_the_level_is_measured() -> None:
    status, nodes, (longest, *between), _, _ = run(hall(2), 60.0, until="distances to the targets")
    assert (status, nodes) == ("cancelled", 0)
    assert longest < 0.1, between


def test_a_cancel_is_obeyed_while_a_solution_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "#######\n#@ $ .#\n# $  .#\n#     #\n#######"
    state = parse(text, "small").levels[0].state
    thinking = Thinking()
    found = fess_run.FeatureSearch.pushes

    def pushes(self, pause):
        steps = found(self, pause)
        yield next(steps)
        thinking.cancel()
        yield from steps

    assert agent.Fess(60.0, 10**6).plan(state, Thinking()).status is Status.SOLVED
    monkeypatch.setattr(fess_run.FeatureSearch, "pushes", pushes)
    assert agent.Fess(60.0, 10**6).plan(state, thinking).status is Status.CANCELLED


def test_planning_looks_at_the_clock_between_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    board = layout(parse(hall(3, 24, 40), "hall").levels[0].state)
    measured = ground.survey(board, None, lambda note: None)
    monkeypatch.setattr(ground, "SLICE_SECONDS", 0.0)
    looks: list[str] = []
    plan, left, records = make_plan(board, measured, make_motion(len(board.squares)), looks.append)
    assert (len(plan.target), left) == (41, 0) and records > 500
    assert len(looks) > records // 2


def _search(fine: bool) -> fess_run.FeatureSearch:
    """A search of a smaller hall, without a plan."""
    board = layout(parse(hall(3, 28, 60), "hall").levels[0].state)
    style = fess_tree.Style(fine=fine, freed=fess_tree.NO, nearest=fine, pulls=False)
    search = fess_run.FeatureSearch(fess_run.Ends(board, lambda note: None, planned=False).end(style), style)
    search.begin()
    return search


@pytest.mark.parametrize("fine", [False, True])
def test_a_position_that_is_opened_in_many_slices_has_the_same_moves(fine: bool) -> None:
    kept = []
    for budget in (5_000, 10**12):
        search, pieces = _search(fine), 0
        search._pace.timed = lambda work, budget=budget: work(budget)
        while search.made < 4:
            assert search.advance(10**6, 4 - search.made) == fess_tree.GO_ON
            pieces += search._tree.meta[fess_tree.OPENED] >= 0
        tree = search._tree
        moves = tree.moves[: tree.meta[fess_tree.WAITING]].tolist()
        kept.append((pieces, moves, tree.boxes[: search.count].tolist()))
    assert kept[0][0] > 5 * kept[1][0]
    assert kept[0][1:] == kept[1][1:]
    assert len(kept[0][1]) > 20_000


def test_room_grows_in_place_and_is_counted() -> None:
    search = _search(fine=True)
    moves, before, first = search._tree.moves, search.bytes, search._tree.moves.nbytes
    while search._tree.moves.nbytes < 40 * first:
        assert search.advance(10**6, 1) == fess_tree.GO_ON
    tree = search._tree
    used = 2 * int(tree.meta[fess_tree.WAITING])
    assert tree.moves is moves, "no copy was made"
    assert used <= tree.moves.nbytes < 2 * used + 2**24
    assert search.bytes >= before + tree.moves.nbytes - first


def test_a_search_with_many_records_finds_them_again() -> None:
    """The hash table grows piece by piece, and the same position is never kept twice."""
    text = "#########\n#@      #\n# $ $ $ #\n#   $   #\n#       #\n#  .... #\n#########"
    board = layout(parse(text, "open").levels[0].state)
    style = fess_tree.Style(fine=False, freed=fess_tree.NO, nearest=False, pulls=True)
    search = fess_run.FeatureSearch(fess_run.Ends(board, lambda note: None).end(style), style)
    search.begin()
    larger = 0
    answer = fess_tree.GO_ON
    while answer in (fess_tree.GO_ON, fess_tree.SOLVED) and search.count < 6000:
        search._tree.meta[fess_tree.FOUND] = -1  # it goes on after a solution
        answer = search.advance(10**6, 100)
        larger += search._larger is not None
    count = search.count
    assert larger > 0 and count > 2048, (answer, larger, count)
    players = search._tree.records[:count, fess_tree.PLAYER].tolist()
    boxes = map(sorted, search._tree.boxes[:count].tolist())
    assert len({(*some, player) for some, player in zip(boxes, players, strict=True)}) == count


def test_nodes_and_boxes_fit_the_numbers_in_which_moves_are_kept() -> None:
    squares = sokoban.MAX_SIDE**2
    assert 4 * squares + squares <= 2**16
