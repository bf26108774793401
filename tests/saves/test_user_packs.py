"""The user's own packs: made, renamed, reordered, deleted, undone; written whole; read again the same."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from game.rules import levels, sokoban
from game.rules.editing.drawings import Drawing
from game.rules.editing.history import Document
from game.rules.levels import Level
from game.saves import unfinished
from game.saves.folder import Saves
from game.saves.user_packs import OwnPack, PackError, UserPacks, sorted_paths
from game.saves.writer import Writer


def level(title: str, width: int = 5) -> Level:
    """A corridor, each width another board."""
    row = [1, 4, 2, *[0] * (width - 5), 3, 1]
    return Level(sokoban.from_array([[1] * width, row, [1] * width]), title, "Me", "A comment\nof two lines")


class Shelf:
    """One window's packs, closed without warning by making another."""

    def __init__(self, root: Path, writable: bool = True) -> None:
        self.saves = Saves(root, writable)
        self.writer = Writer(self.saves, interval=0.0)
        self.packs = UserPacks(self.saves, self.writer)

    def again(self) -> "Shelf":
        self.writer.flush()
        return Shelf(self.saves.root)

    @property
    def titles(self) -> list[str]:
        return [own.title for own in self.packs.packs]

    def levels(self, stem: str) -> list[str]:
        own = self.packs.get(stem)
        assert own is not None, f"no pack {stem}; there are {[own.stem for own in self.packs.packs]}"
        return [found.title for found in own.pack.levels]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def said(own: OwnPack | None) -> list[tuple[object, ...]]:
    assert own is not None
    return [(found.state, found.title, found.author, found.comment) for found in own.pack.levels]


def test_levels_come_back_with_everything_said_of_them(shelf: Shelf) -> None:
    stem = shelf.packs.make("Mïne & yours")
    assert stem == "mine-yours"
    assert shelf.packs.add(stem, [level("One"), level("Two", 6)]) == 0
    assert shelf.packs.add(stem, [level("Three", 7)]) == 2
    again = shelf.again()
    assert again.titles == ["Mïne & yours"]
    assert said(again.packs.get(stem)) == said(shelf.packs.get(stem))
    assert levels.read(shelf.saves.root / "levels" / "mine-yours.xsb").title == "Mïne & yours"


def test_a_pack_without_levels_is_kept(shelf: Shelf) -> None:
    stem = shelf.packs.make("Empty")
    again = shelf.again()
    assert again.titles == ["Empty"]
    again.packs.add(stem, [level("One")])
    assert again.again().levels(stem) == ["One"]
    again.packs.remove_level(stem, 0)
    again.writer.flush()
    assert not (shelf.saves.root / "levels" / "empty.xsb").exists()
    last = again.again()
    assert last.titles == ["Empty"]
    assert last.levels(stem) == []


def test_packs_of_the_same_name_have_files_of_their_own(shelf: Shelf) -> None:
    stems = [shelf.packs.make("My levels") for _ in range(3)]
    assert len(set(stems)) == 3
    for number, stem in enumerate(stems):
        shelf.packs.add(stem, [level(f"Level {number}")])
    again = shelf.again()
    assert [again.levels(stem) for stem in stems] == [["Level 0"], ["Level 1"], ["Level 2"]]


def test_names_that_are_no_file_names_still_work(shelf: Shelf) -> None:
    for title in ("../../etc/passwd", "水", "   ", "a" * 500, "CON"):
        stem = shelf.packs.make(title)
        assert "/" not in stem
        assert not stem.startswith(".")
        shelf.packs.add(stem, [level("One")])
    shelf.writer.flush()
    files = {path.parent for path in shelf.saves.root.rglob("*.xsb")}
    assert files == {shelf.saves.root / "levels"}
    assert len(shelf.again().titles) == 5


def test_the_order_is_the_users(shelf: Shelf) -> None:
    a, b, c = (shelf.packs.make(title) for title in "ABC")
    for stem in (a, b, c):
        shelf.packs.add(stem, [level("One")])
    shelf.packs.move(c, -2)
    shelf.packs.move(a, 99)
    assert shelf.titles == ["C", "B", "A"]
    again = shelf.again()
    assert again.titles == ["C", "B", "A"]
    assert [path.stem for path in sorted_paths(shelf.saves.root / "levels")] == [c, b, a]
    (shelf.saves.root / "levels" / "0-dropped.xsb").write_text(
        levels.dump(levels.Pack((level("New"),), "Dropped in"))
    )
    assert again.again().titles == ["C", "B", "A", "Dropped in"]


def test_levels_are_moved_replaced_and_removed(shelf: Shelf) -> None:
    stem = shelf.packs.make("Pack")
    shelf.packs.add(stem, [level(name, 5 + at) for at, name in enumerate("abcd")])
    assert shelf.packs.move_level(stem, 3, 0) == 0
    assert shelf.levels(stem) == ["d", "a", "b", "c"]
    assert shelf.packs.move_level(stem, 0, 99) == 3
    shelf.packs.replace_level(stem, 1, level("B", 12))
    shelf.packs.remove_level(stem, 2)
    assert shelf.again().levels(stem) == ["a", "B", "d"]
    for change in (
        lambda: shelf.packs.remove_level(stem, 3),
        lambda: shelf.packs.replace_level(stem, -1, level("x")),
        lambda: shelf.packs.rename("nowhere", "x"),
        lambda: shelf.packs.rename(stem, "  "),
    ):
        with pytest.raises(PackError):
            change()


def test_every_change_can_be_undone_and_made_again(shelf: Shelf) -> None:
    packs = shelf.packs
    a = packs.make("A")
    packs.add(a, [level("one"), level("two", 6)])
    b = packs.make("B")
    packs.add(b, [level("three", 7)])
    seen = [(shelf.titles, [said(own) for own in packs.packs])]
    for change in (
        lambda: packs.rename(a, "Another"),
        lambda: packs.move(b, -1),
        lambda: packs.remove_level(a, 0),
        lambda: packs.remove(a),
        lambda: packs.remove(b),
    ):
        change()
        seen.append((shelf.titles, [said(own) for own in packs.packs]))
        disk = shelf.again()
        assert (disk.titles, [said(own) for own in disk.packs.packs]) == seen[-1]
    assert seen[-1] == ([], [])
    for expected in reversed(seen[:-1]):
        assert packs.undo()
        assert (shelf.titles, [said(own) for own in packs.packs]) == expected
        disk = shelf.again()
        assert (disk.titles, [said(own) for own in disk.packs.packs]) == expected
    for expected in seen[1:]:
        assert packs.redo()
        disk = shelf.again()
        assert (disk.titles, [said(own) for own in disk.packs.packs]) == expected
    assert packs.redo() == ""


def test_refresh_keeps_the_history_of_what_was_done_here(shelf: Shelf) -> None:
    stem = shelf.packs.make("A")
    shelf.packs.add(stem, [level("one")])
    shelf.packs.refresh()
    assert shelf.packs.can_undo
    path = shelf.saves.root / "levels" / f"{stem}.xsb"
    path.write_text(path.read_text().replace("Title: one", "Title: by hand"))
    shelf.packs.refresh()
    assert shelf.levels(stem) == ["by hand"]
    assert not shelf.packs.can_undo


def test_a_damaged_file_is_set_aside(tmp_path: Path) -> None:
    folder = tmp_path / "levels"
    folder.mkdir()
    (folder / "bad.xsb").write_bytes(b"\xff\x00 no level at all")
    (folder / "good.xsb").write_text(levels.dump(levels.Pack((level("Good"),), "Good")))
    (folder / "order.json").write_text('{"version": 1, "packs": [{"st')
    shelf = Shelf(tmp_path)
    assert shelf.titles == ["Good"]
    assert len(shelf.packs.notices) == 2
    assert {path.suffix for path in (tmp_path / "damaged").iterdir()} == {".xsb", ".json"}


def test_levels_that_cannot_be_read_are_kept_aside_before_their_file_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "levels"
    folder.mkdir()
    text = levels.dump(levels.Pack((level("Good"),), "Half")) + "\n#####\n#@@.#\n#####\nTitle: Two players\n"
    (folder / "half.xsb").write_text(text)
    shelf = Shelf(tmp_path)
    assert shelf.levels("half") == ["Good"]
    shelf.packs.add("half", [level("More", 6)])
    assert shelf.again().levels("half") == ["Good", "More"]
    (kept,) = (tmp_path / "damaged").iterdir()
    assert kept.read_text() == text


def test_a_read_only_folder_changes_nothing(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    stem = shelf.packs.make("A")
    shelf.packs.add(stem, [level("one")])
    shelf.writer.flush()
    reader = Shelf(tmp_path, writable=False)
    with pytest.raises(PackError, match="read-only"):
        reader.packs.remove(stem)
    assert reader.titles == ["A"]


def test_the_order_file_never_names_a_file_elsewhere(tmp_path: Path) -> None:
    folder = tmp_path / "levels"
    folder.mkdir()
    places = [{"stem": "../outside", "empty": "Outside"}, {"stem": "inside", "empty": "Inside"}]
    (folder / "order.json").write_text(json.dumps({"version": 1, "packs": places}))
    assert Shelf(tmp_path).titles == ["Inside"]


# Unfinished drawings


def drawing(title: str, width: int = 5) -> Document:
    """A room without a player."""
    cells = (*[1] * width, 1, 2, *[0] * (width - 4), 3, 1, *[1] * width)
    return Document(Drawing(3, width, cells), title, "Me", "A\ncomment", "depot", "abc")


def test_drawings_come_back_with_everything_said_of_them(shelf: Shelf) -> None:
    first, second = shelf.packs.keep(drawing("One")), shelf.packs.keep(drawing("Two", 7))
    assert first.draft != second.draft
    again = shelf.again()
    assert again.packs.drawings == (first, second)
    assert again.packs.packs == (), "no pack is made of them"
    changed = replace(first, title="Other")
    assert again.packs.keep(changed) == changed
    assert again.again().packs.drawings == (changed, second)


def test_a_drawing_that_becomes_a_level_goes_in_one_step(shelf: Shelf) -> None:
    kept = shelf.packs.keep(drawing("One"))
    stem = shelf.packs.make("Mine")
    shelf.packs.add(stem, [level("One")], kept.draft)
    assert (shelf.packs.drawings, shelf.levels(stem)) == ((), ["One"])
    assert shelf.again().packs.drawings == ()
    shelf.packs.undo()
    assert (shelf.packs.drawings, shelf.levels(stem)) == ((kept,), [])
    assert shelf.again().packs.drawings == (kept,)
    shelf.packs.redo()
    other = shelf.packs.keep(drawing("Two"))
    shelf.packs.replace_level(stem, 0, level("New"), other.draft)
    assert (shelf.packs.drawings, shelf.levels(stem)) == ((), ["New"])


def test_the_file_of_drawings_goes_with_the_last_one(shelf: Shelf) -> None:
    path = shelf.saves.root / "levels" / unfinished.FILE
    shelf.packs.keep(drawing("One"))
    shelf.writer.flush()
    assert path.exists()
    shelf.packs.drop(0)
    shelf.writer.flush()
    assert not path.exists()
    with pytest.raises(PackError):
        shelf.packs.drop(0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"version":2,"drawings":[]}',
        '{"version":1,"drawings":[{"id":"a","rows":3,"cells":"11"}]}',
        '{"version":1,"drawings":[{"id":"a","rows":3,"cells":"111177111"}]}',
        '{"version":1,"drawings":[{"id":"","rows":3,"cells":"111101111"}]}',
        '{"version":1,"drawings":[{"id":"a","rows":3,"cells":"111101111"},{"id":"a","rows":3,"cells":"111101111"}]}',
        '{"version":1,"drawings":[{"id":"a","rows":3,"cells":"' + "1" * 5000 + '"}]}',
    ],
)
def test_a_damaged_file_of_drawings_is_set_aside(shelf: Shelf, text: str) -> None:
    stem = shelf.packs.make("Mine")
    shelf.packs.add(stem, [level("One")])
    shelf.writer.flush()
    path = shelf.saves.root / "levels" / unfinished.FILE
    path.write_text(text)
    again = shelf.again()
    (said,) = again.packs.notices
    assert unfinished.FILE in said
    assert again.packs.drawings == ()
    assert again.levels(stem) == ["One"]
    assert not path.exists()
    assert len(list(again.saves.damaged.iterdir())) == 1
