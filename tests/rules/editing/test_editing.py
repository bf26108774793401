"""Drawing a level: properties of every operation on random drawings, the checks, the history."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules import levels, sokoban
from game.rules.editing import checks
from game.rules.editing import drawings as editing
from game.rules.editing.drawings import Drawing
from game.rules.editing.history import Document, History
from game.rules.sokoban import BOX, EMPTY, PLAYER, PLAYER_ON_TARGET, TARGET, WALL

LEVEL = """\
  #######
  #     #
###.#$  #
# @ #   #
#   #  ##
#########"""


def drawing(text: str) -> Drawing:
    lines = text.split("\n")
    width = max(map(len, lines))
    return editing.of_array([[" #$.@*+".index(letter) for letter in line.ljust(width)] for line in lines])


@st.composite
def drawings(draw: st.DrawFn, most: int = 12, framed: bool = False) -> Drawing:
    rows, cols = draw(st.integers(3, most)), draw(st.integers(3, most))
    cells = draw(
        st.lists(st.sampled_from((0, 0, 0, 1, 1, 2, 3, 4, 5, 6)), min_size=rows * cols, max_size=rows * cols)
    )
    array = np.array(cells, dtype=np.int8).reshape(rows, cols)
    if framed:
        array[[0, -1], :] = array[:, [0, -1]] = WALL
    return editing.of_array(array)


def things(found: Drawing) -> list[int]:
    """How many there are of each kind but floor and wall."""
    return [found.cells.count(kind) for kind in range(2, 7)]


def test_a_new_map_is_nine_by_eleven_with_walls_all_round():
    new = editing.blank()
    assert (new.rows, new.cols) == (9, 11)
    assert editing.framed(new), str(new)
    assert new.cells.count(WALL) == 2 * 11 + 2 * 7, str(new)
    assert new.cells.count(EMPTY) == 7 * 9, str(new)


@given(drawings())
def test_mirrored_twice_is_the_same(found):
    for upright in (False, True):
        assert editing.mirror(editing.mirror(found, upright), upright) == found, str(found)
    row = editing.mirror(found)
    assert str(row).split("\n")[0] == str(found).split("\n")[0][::-1]


@given(drawings())
def test_four_quarter_turns_are_the_same(found):
    turned = found
    for _ in range(4):
        turned = editing.rotate(turned)
    assert turned == found, str(found)
    once = editing.rotate(found)
    assert (once.rows, once.cols) == (found.cols, found.rows)
    assert editing.rotate(once, back=True) == found, str(found)
    # clockwise: what was the left column, from the bottom, is the top row
    assert str(once).split("\n")[0] == "".join(line[0] for line in str(found).split("\n"))[::-1]


@given(drawings(), st.integers(0, 3))
def test_shifts_lose_nothing_and_come_round(found, direction):
    shifted = editing.shift(found, direction)
    assert sorted(shifted.cells) == sorted(found.cells), f"{found}\n->\n{shifted}"


@given(drawings(framed=True), st.integers(0, 3))
def test_a_frame_stays_while_what_is_inside_shifts(found, direction):
    shifted = found
    size = (found.rows if direction in (0, 2) else found.cols) - 2
    for _ in range(size):
        shifted = editing.shift(shifted, direction)
        assert editing.framed(shifted), f"{found}\n->\n{shifted}"
    assert shifted == found, f"{found}\n->\n{shifted}"
    assert editing.shift(editing.shift(found, direction), (direction + 2) % 4) == found


@given(drawings(), st.integers(3, 20), st.integers(3, 20), st.integers(0, 2), st.integers(0, 2))
def test_resizing_keeps_what_fits(found, rows, cols, down, across):
    resized = editing.resize(found, rows, cols, down, across)
    assert (resized.rows, resized.cols) == (rows, cols)
    if rows >= found.rows and cols >= found.cols:
        assert things(resized) == things(found), f"{found}\n->\n{resized}"
        back = editing.resize(resized, found.rows, found.cols, down, across)
        assert back == found, f"{found}\n->\n{resized}\n->\n{back}"
    assert all(new <= old for new, old in zip(things(resized), things(found), strict=True))


@given(drawings(framed=True), st.integers(3, 20), st.integers(3, 20))
def test_a_frame_moves_with_the_edge(found, rows, cols):
    assert editing.framed(editing.resize(found, rows, cols)), str(found)


@pytest.mark.parametrize("size", [(2, 5), (5, 2), (65, 5), (5, 65), (0, 0), (-1, 4)])
def test_sizes_out_of_range_are_refused(size):
    with pytest.raises(ValueError, match="3 to 64"):
        editing.resize(editing.blank(), *size)
    with pytest.raises(ValueError, match="3 to 64"):
        editing.blank(*size)


@given(drawings())
def test_cropping_keeps_every_piece(found):
    cropped = editing.crop(found)
    assert things(cropped) == things(found), f"{found}\n->\n{cropped}"
    assert editing.crop(cropped) == cropped, f"{found}\n->\n{cropped}"
    rows, whole = str(cropped).split("\n"), str(found).split("\n")
    places = [
        (top, left)
        for top in range(found.rows - cropped.rows + 1)
        for left in range(found.cols - cropped.cols + 1)
        if [line[left : left + cropped.cols] for line in whole[top : top + cropped.rows]] == rows
    ]
    assert places, f"it is no part of what it was cropped from:\n{found}\n->\n{cropped}"


def test_cropping_leaves_a_level_as_it_is():
    wide = editing.resize(drawing(LEVEL), 20, 30, 1, 1)
    assert editing.crop(wide) == drawing(LEVEL), str(editing.crop(wide))
    boxed_in = editing.blank(20, 30).array
    boxed_in[5:11, 6:15] = drawing(LEVEL).array
    cropped = editing.crop(editing.of_array(boxed_in))
    assert cropped == drawing(LEVEL), str(cropped)


@given(drawings(), st.data())
def test_there_is_one_player_after_placing_one(found, data):
    square = data.draw(st.integers(0, len(found.cells) - 1))
    kind = data.draw(st.sampled_from((PLAYER, PLAYER_ON_TARGET)))
    placed = editing.paint(found, (0, square), kind)
    assert placed.squares(editing.PLAYERS) == (square,), str(placed)
    assert placed.cells[square] == kind
    for other, (old, new) in enumerate(zip(found.cells, placed.cells, strict=True)):
        if other != square:
            expected = {PLAYER: EMPTY, PLAYER_ON_TARGET: TARGET}.get(old, old)
            assert new == expected, f"square {other}\n{found}\n->\n{placed}"


@given(st.integers(3, 64), st.integers(3, 64), st.data())
def test_a_line_is_joined_and_straight(rows, cols, data):
    squares = st.integers(0, rows * cols - 1)
    start, end = data.draw(squares), data.draw(squares)
    line = editing.line(cols, start, end)
    places = [divmod(square, cols) for square in line]
    assert (line[0], line[-1]) == (start, end)
    steps = [(abs(r2 - r1), abs(c2 - c1)) for (r1, c1), (r2, c2) in pairwise(places)]
    assert all(max(step) == 1 for step in steps), places
    far = max(abs(places[-1][0] - places[0][0]), abs(places[-1][1] - places[0][1]))
    assert len(line) == far + 1
    for row, col in places:  # never further than half a square from the true line
        (r1, c1), (r2, c2) = places[0], places[-1]
        assert abs((row - r1) * (c2 - c1) - (col - c1) * (r2 - r1)) * 2 <= far * 1.0001 or far == 0


def test_rectangles_are_outlines_or_filled():
    empty = editing.of_array(np.zeros((5, 6), dtype=np.int8))
    outline = editing.paint(empty, editing.rectangle(6, 21, 7), WALL)
    assert str(outline) == "      \n ###  \n # #  \n ###  \n      ", str(outline)
    filled = editing.paint(empty, editing.rectangle(6, 7, 21, filled=True), BOX)
    assert filled.cells.count(BOX) == 9, str(filled)


@given(drawings(), st.data())
def test_filling_takes_exactly_what_hangs_together(found, data):
    square = data.draw(st.integers(0, len(found.cells) - 1))
    region, stack = {square}, [square]
    while stack:  # a plain search for the naive twin
        row, col = divmod(stack.pop(), found.cols)
        for r, c in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            near = r * found.cols + c
            inside = 0 <= r < found.rows and 0 <= c < found.cols
            if inside and near not in region and found.cells[near] == found.cells[square]:
                region.add(near)
                stack.append(near)
    assert set(editing.region(found, square)) == region, str(found)


# Checks


def verdicts(text: str) -> dict[str, tuple[str, frozenset[int]]]:
    return {check.name: (check.verdict, check.squares) for check in checks.checks(drawing(text))}


def test_a_good_level_is_all_well():
    text = "#####\n#@$.#\n#####"
    assert {verdict for verdict, _ in verdicts(text).values()} == {"good"}
    level = checks.level_of(Document(drawing(text), "Tiny"))
    assert (level.title, sokoban.to_lurd(level.state, (1,))) == ("Tiny", "R")


@pytest.mark.parametrize(
    ("text", "name", "verdict", "squares"),
    [
        ("#####\n# $.#\n#####", "player", "bad", ()),
        ("#####\n#@@.#\n#####", "player", "bad", (6, 7)),
        ("#####\n#@$ #\n#####", "boxes", "bad", ()),
        ("#####\n#@ .#\n#####", "boxes", "bad", ()),
        ("#####\n#@* #\n#####", "boxes", "bad", ()),
        ("#####\n#@  #\n#####", "boxes", "bad", ()),
        ("#####\n#@$. \n#####", "enclosed", "bad", (9,)),
        ("#####\n#@#.#\n#####", "reachable", "bad", (8,)),
        ("#######\n#@$.# #\n#######", "reachable", "note", (12,)),
        ("#####\n#@ .#\n#$  #\n#####", "stuck", "bad", (11,)),
        ("#####\n#   #\n#####", "enclosed", "wait", ()),
        ("#####\n# $.#\n#####", "stuck", "wait", ()),
    ],
)
def test_each_check_marks_its_squares(text, name, verdict, squares):
    assert verdicts(text)[name] == (verdict, frozenset(squares)), text


def test_boxes_that_cannot_share_the_targets_are_stuck():
    found = verdicts("#########\n#.# $ @ #\n# # ##$##\n#   #  .#\n#########")
    assert found["boxes"][0] == "good"
    both = drawing("########\n#.@    #\n#. # $$#\n########")
    assert checks.stuck_check(both).verdict == "bad", str(both)


@given(drawings(most=8))
def test_what_is_called_a_level_is_one(found):
    try:
        level = checks.level_of(Document(found))
    except ValueError as error:
        bad = [check for check in checks.checks(found) if check.verdict == "bad"]
        assert bad, f"{error}, but every check is good:\n{found}"
    else:
        levels.check(level.state)
        bad = {check.name for check in checks.checks(found) if check.verdict == "bad"}
        assert bad <= {"reachable", "stuck"}, f"{bad}\n{found}"


# History


def test_history_is_undone_and_redone_to_both_ends():
    history = History()
    first = history.document
    for number in range(200):
        changed = editing.paint(history.document.drawing, (12 + number % 60,), (BOX, TARGET)[number % 2])
        history.do(f"stroke {number}", Document(changed))
    last, count = history.document, len(history.steps)
    assert not history.do("nothing", last)
    while history.can_undo:
        assert history.undo()
    assert history.document == first
    assert history.undo() == ""
    for _ in range(count - 1):
        history.redo()
    assert history.document == last
    history.undo()
    history.do("other", Document(editing.blank(3, 3)))
    assert not history.can_redo
