"""XSB text in and out: titles, notes, encodings, refusals, round trips, noise."""

import re
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.rules import levels, sokoban
from game.rules.levels import Level, LevelError, Pack

ROOM = "#####\n#@$.#\n#####"
PUBLIC = Path(__file__).resolve().parents[3] / "shared" / "levels"


def refused(text: str | bytes) -> LevelError:
    with pytest.raises(LevelError) as caught:
        levels.parse(text, "pack.xsb")
    return caught.value


def titles(text: str | bytes) -> list[str]:
    return [level.title for level in levels.parse(text, "pack.xsb").levels]


def test_one_board_reads_with_every_letter() -> None:
    (level,) = levels.parse("\n\n  #####\n###-  #\n#+$*_ #\n#######\n", "a").levels
    assert level.line == 3
    expected = [[0, 0, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0, 1], [1, 6, 2, 5, 0, 0, 1], [1] * 7]
    assert sokoban.to_array(level.state).tolist() == expected


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    text = f"; one\n{ROOM}\n\n; two\n{ROOM}\n".replace("\n", end)
    assert titles(text) == ["one", "two"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_encodings(encoding: str) -> None:
    assert titles(f"{ROOM}\nTitle: Café\n".encode(encoding)) == ["Café"]


def test_titles_above_and_below() -> None:
    text = f"1\n{ROOM}\n\nthe second\n\n{ROOM}\n\n; 3\n\n{ROOM}\nTitle: Third\nAuthor: Ann\n\n{ROOM}\nTitle: Fourth\n"
    assert titles(text) == ["1", "the second", "Third", "Fourth"]
    assert levels.parse(text, "a").levels[2].author == "Ann"


def test_title_keys_right_above_every_board() -> None:
    assert titles(f"Title: A\n{ROOM}\n\nTitle: B\n{ROOM}\n") == ["A", "B"]


def test_head_of_the_pack() -> None:
    text = f"Collection: Docks\nAuthor: Ann\nLicence: CC BY 4.0\nComment:\nfirst\n\n####\nComment-End:\n\n; one\n{ROOM}\n"
    pack = levels.parse(text, "a")
    assert (pack.title, pack.author, pack.licence) == ("Docks", "Ann", "CC BY 4.0")
    assert pack.comment == "first\n\n####"
    assert [(level.title, level.author) for level in pack.levels] == [("one", "")]


def test_comments_and_solution_below() -> None:
    text = f"{ROOM}\nComment: short\nSolution: rr\nRR\nlu\n:: ignored\n\n{ROOM}\nComment:\na\n\nb\nComment-End:\n"
    first, second = levels.parse(text, "a").levels
    assert (first.comment, first.solution, first.title) == ("short", "rrRRlu", "")
    assert second.comment == "a\n\nb"


def test_a_solution_that_is_none_is_dropped() -> None:
    assert levels.parse(f"{ROOM}\nSolution: easy\n", "a").levels[0].solution == ""


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("", None, "no level"),
        ("just\ntalk\n", None, "no level"),
        ("x\n#####\n#@@$.#\n#####", 2, "one player, not 2"),
        ("#####\n# $.#\n#####", 1, "one player, not 0"),
        ("#####\n#@$ #\n#####", 1, "as many boxes as targets"),
        ("#####\n#@  #\n#####", 1, "no box"),
        ("#####\n#@*##\n#####", 1, "already solved"),
        ("#####\n#@$. \n#####", 1, "not enclosed"),
        ("#####\n#@$.#\n## ##", 1, "not enclosed"),
        ("#######  \n#@$.. # $\n#######  \n", 1, "as many boxes as targets, not 2 and 2|outside the walls"),
        ("#####\n#@x.#\n#####", 2, "'x' means nothing"),
        ("##x##\n#@$.#\n#####", 1, "'x' means nothing"),
        ("#" * 65 + "\n#@$.#\n" + "#" * 65, 1, "3 rows and 65 columns"),
        ("#####\n" + "#   #\n" * 62 + "#@$.#\n#####", 1, "65 rows"),
        (f"{ROOM}\nVariant: hexoban\n", 1, "variant 'hexoban'"),
    ],
)
def test_refused_with_line_and_reason(text: str, line: int | None, word: str) -> None:
    error = refused(text)
    print(error)
    assert error.line == line
    assert error.source == "pack.xsb"
    assert re.search(word, error.reason)
    place = "pack.xsb" if line is None else f"pack.xsb:{line}"
    assert str(error) == f"{place}: {error.reason}"


def test_files_too_large_are_refused() -> None:
    assert "8 MB" in refused(b" " * (levels.MAX_BYTES + 1)).reason
    error = refused("###\n\n" * (levels.MAX_LEVELS + 1))
    assert "10,000 levels" in error.reason
    assert error.line == 2 * levels.MAX_LEVELS + 1


def test_decorative_boxes_on_targets_may_stay() -> None:
    (level,) = levels.parse("#######\n#@$.#*#\n#######", "a").levels
    assert len(level.state.boxes) == 2
    with pytest.raises(LevelError, match="already solved"):
        levels.parse("#######\n#@ *#*#\n#######", "a")


def test_lenient_keeps_the_good_levels() -> None:
    text = f"; one\n{ROOM}\n\n; two\n####\n#@$#\n####\n\n; three\n{ROOM}\n"
    pack, errors = levels.parse_lenient(text, "pack.xsb")
    assert [level.title for level in pack.levels] == ["one", "three"]
    assert [error.line for error in errors] == [7]
    assert refused(text).line == 7


def test_read_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "depot.xsb"
    with pytest.raises(LevelError, match=r"depot\.xsb: "):
        levels.read(path)
    with pytest.raises(LevelError, match=tmp_path.name):
        levels.read(tmp_path)
    path.write_bytes(f"{ROOM}\r\n".encode())
    assert len(levels.read(path).levels) == 1


def test_id_is_of_the_board_alone() -> None:
    (one,) = levels.parse(ROOM, "a").levels
    (moved,) = levels.parse("title\n" + "\n".join("   " + row for row in ROOM.split("\n")), "a").levels
    (other,) = levels.parse("#####\n#.$@#\n#####", "a").levels
    assert levels.level_id(one) == levels.level_id(moved)
    assert levels.level_id(one) != levels.level_id(other)
    assert re.fullmatch("[0-9a-f]{16}", levels.level_id(one))


LINE = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=12).filter(
    lambda text: not text.lower().startswith("comment")
)


@st.composite
def packs(draw: st.DrawFn) -> Pack:
    """Packs of small random rooms with any words about them."""
    made = []
    for _ in range(draw(st.integers(1, 4))):
        rows, cols = draw(st.integers(1, 4)), draw(st.integers(3, 6))
        cells = draw(st.permutations([4, 2, 3, *draw(st.lists(st.sampled_from([0, 0, 1, 5]), max_size=20))]))
        inner = np.ones(rows * cols, dtype=int)
        inner[: len(cells)] = (cells * 3)[: rows * cols] if len(cells) > rows * cols else cells
        if sorted(inner[inner > 1].tolist()).count(4) != 1 or (inner == 2).sum() != (inner == 3).sum():
            inner[:] = 1
            inner[:3] = (4, 2, 3)
        board = np.pad(inner.reshape(rows, cols), 1, constant_values=1)
        state = sokoban.from_array(board)
        if sokoban.is_solved(state):
            continue
        comment = "\n".join(draw(st.lists(LINE, max_size=3)))
        words = [draw(st.one_of(st.just(""), LINE)) for _ in range(2)]
        made.append(Level(state, *words, comment, draw(st.text("lurdLURD", max_size=9))))
    if not made:
        made.append(levels.parse(ROOM, "a").levels[0])
    head = [draw(st.one_of(st.just(""), LINE)) for _ in range(3)]
    return Pack(tuple(made), *head, "\n".join(draw(st.lists(LINE, max_size=3))))


@settings(deadline=None)
@given(packs())
def test_round_trip(pack: Pack) -> None:
    text = levels.dump(pack)
    print(text)
    again = levels.parse(text, "again")
    assert (again.title, again.author, again.licence) == (pack.title, pack.author, pack.licence)
    assert again.comment == pack.comment
    assert len(again.levels) == len(pack.levels)
    for one, two in zip(pack.levels, again.levels, strict=True):
        assert one.state == two.state
        assert (one.title, one.author, one.comment, one.solution) == (
            two.title,
            two.author,
            two.comment,
            two.solution,
        )
    assert levels.dump(again) == text


def test_marks_inside_a_comment_lose_their_colon() -> None:
    pack = Pack(levels.parse(ROOM, "a").levels, comment="Comment: a\nComment-End:\nTitle: b")
    assert levels.parse(levels.dump(pack), "a").comment == "Comment a\nComment-End\nTitle: b"


NOISE = st.one_of(
    st.binary(max_size=400),
    st.text(max_size=200),
    st.text("#@+$*.-_ \n\r\t|x", max_size=300),
    st.lists(
        st.sampled_from(
            [ROOM, "Comment:", "Comment-End:", "Title: a", "; b", "", "####", "Solution:", "lurd", "#@$.#"]
        ),
        max_size=30,
    ).map("\n".join),
)


@settings(max_examples=400, deadline=None)
@given(NOISE)
def test_noise_raises_nothing_but_the_one_error(text: str | bytes) -> None:
    try:
        pack = levels.parse(text, "noise")
    except LevelError as error:
        assert str(error).startswith("noise")
        return
    assert pack.levels
    assert [level.state for level in levels.parse(levels.dump(pack), "again").levels] == [
        level.state for level in pack.levels
    ]


@pytest.mark.parametrize(
    "piece", ["Comment:\n", "#\n", "#\n\n", "a\n", "Solution: l\n", " \n", "Comment:\nComment-End:\n"]
)
def test_long_hostile_files_are_answered_soon(piece: str) -> None:
    began = time.perf_counter()
    with pytest.raises(LevelError):
        levels.parse(piece * (1_000_000 // len(piece)), "hostile")
    assert time.perf_counter() - began < 30


@pytest.mark.skipif(not PUBLIC.is_dir(), reason="the public level sets are not here")
@pytest.mark.parametrize(("name", "count"), [("microban.xsb", 155), ("sasquatch.xsb", 50), ("xsokoban-odd.xsb", 45)])
def test_public_sets_are_read_and_come_back(name: str, count: int) -> None:
    pack = levels.read(PUBLIC / name)
    assert len(pack.levels) == count
    assert len({levels.level_id(level) for level in pack.levels}) == count
    again = levels.parse(levels.dump(pack), "again")
    assert [level.state for level in again.levels] == [level.state for level in pack.levels]
    assert [level.title for level in again.levels] == [level.title for level in pack.levels]
    assert not any(sokoban.is_dead(level.state) for level in pack.levels)
