"""The folder of models: what is listed, renamed, deleted and taken back, and what an import refuses."""

import os
import random
import re
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load, load_file, save_file

from ai import catalogue, models
from ai.models import ModelCard, Strength
from ai.tensors import TensorFile
from ai.twenty48.ntuple import model
from ai.twenty48.ntuple.shapes import parse_tuples, table_sizes
from game.saves.folder import Saves, open_saves
from game.screens.models import shelf as shelf_module
from game.screens.models import words
from game.screens.models.shelf import (
    MAX_NAME,
    SHIPPED_NAMES,
    Shelf,
    ShelfError,
    clean_name,
    folders,
    looks_like_model,
    name_problem,
)

TUPLES = parse_tuples("012 045")
CARD = ModelCard(
    Path(), title="A test", rule="TC(0)", games=1200, seed=7, command="train 2048 ntuple", seconds=271.0,
    date="2026-11-20T03:04:05+00:00", strength={1: Strength(21234.5, 610.5, 1000)},
)  # fmt: skip


def write(path: Path, seed: int = 1, **changes: str) -> Path:
    """A small model; `changes` replace texts of its header."""
    weights = np.random.default_rng(seed).normal(0, 500, sum(table_sizes(TUPLES))).astype(np.float32)
    model.write(path, TUPLES, weights, CARD)
    if changes:
        with TensorFile(path) as file:
            texts = {**file.metadata, **changes}
        save_file(load_file(path), path, texts)
    return path


@pytest.fixture
def saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Saves]:
    """A folder of saves, and an app that ships one model."""
    shipped = tmp_path / "app"
    write(shipped / "shipped.safetensors", seed=9)
    monkeypatch.setattr(shelf_module, "SHIPPED", shipped)
    with open_saves(tmp_path / "saves") as opened:
        opened.models.mkdir()
        monkeypatch.setattr(models, "FOLDERS", list(folders(opened)))
        yield opened


def names(shelf: Shelf) -> list[str]:
    return [card.name for card in shelf.cards()]


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_good_damaged_and_foreign_files_are_listed(saves: Saves) -> None:
    write(saves.models / "good.safetensors")
    whole = (saves.models / "good.safetensors").read_bytes()
    (saves.models / "cut.safetensors").write_bytes(whole[:-100])
    (saves.models / "archive.safetensors").write_bytes(b"PK\x03\x04" * 40)
    save_file({"weight": np.zeros((2, 2), np.float32)}, saves.models / "foreign.safetensors", {"format": "pt"})
    write(saves.models / "of-chess.safetensors", game="chess")
    (saves.models / "training.checkpoint.safetensors").write_bytes(b"x")
    (saves.models / "notes.txt").write_text("no model")
    cards = {card.name: card.problem for card in Shelf(saves).cards()}
    print(cards)
    assert [name for name, problem in cards.items() if problem is None] == ["good", "shipped"]
    assert set(cards) == {"good", "shipped", "cut", "archive", "foreign", "of-chess"}
    assert "cut" in str(cards["cut"])
    assert cards["foreign"] == "it is no model of this app"
    assert "chess" in str(cards["of-chess"])


def test_what_ships_is_never_changed(saves: Saves) -> None:
    shelf = Shelf(saves)
    (card,) = shelf.cards()
    assert shelf.ships(card)
    for change in (lambda: shelf.rename(card, "mine"), lambda: shelf.delete(card)):
        with pytest.raises(ShelfError, match="comes with the app"):
            change()
    assert names(shelf) == ["shipped"]


def test_what_ships_is_known_by_name_where_the_folder_is_the_same(
    saves: Saves, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelf_module, "SHIPPED", saves.models)
    shelf = Shelf(saves)
    for name in (*SHIPPED_NAMES, "mine"):
        write(saves.models / f"{name}.safetensors")
    assert {card.name for card in shelf.cards() if shelf.ships(card)} == SHIPPED_NAMES


def test_the_names_that_ship_are_those_that_git_keeps() -> None:
    ignored = (Path(__file__).parents[2] / ".gitignore").read_text("utf-8")
    kept = set(re.findall(r"^!saves/models/(.+)\.safetensors$", ignored, re.MULTILINE))
    assert kept == SHIPPED_NAMES


def test_a_model_and_what_its_training_left_get_another_name(saves: Saves) -> None:
    write(saves.models / "old.safetensors")
    (saves.models / "old.checkpoint.safetensors").write_bytes(b"checkpoint")
    (saves.models / "old.csv").write_text("games,score")
    (saves.models / "old.tensorboard").mkdir()
    shelf = Shelf(saves)
    card = shelf.rename(models.card(saves.models / "old.safetensors"), "  a new   name ")
    assert (card.name, card.problem) == ("a new name", None)
    assert names(shelf) == ["a new name", "shipped"]
    assert {path.name for path in saves.models.iterdir()} == {
        "a new name.safetensors", "a new name.checkpoint.safetensors", "a new name.csv", "a new name.tensorboard",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["taken", "TAKEN", "shipped", "Shipped"])
def test_a_name_that_is_taken_is_refused(saves: Saves, name: str) -> None:
    mine, taken = write(saves.models / "mine.safetensors", 1), write(saves.models / "taken.safetensors", 2)
    before = mine.read_bytes(), taken.read_bytes()
    shelf = Shelf(saves)
    with pytest.raises(ShelfError, match="already"):
        shelf.rename(models.card(mine), name)
    assert (mine.read_bytes(), taken.read_bytes()) == before
    assert names(shelf) == ["mine", "shipped", "taken"]


def test_nothing_is_written_over_by_a_renaming(saves: Saves) -> None:
    mine = write(saves.models / "mine.safetensors")
    (saves.models / "mine.csv").write_text("mine")
    (saves.models / "other.csv").write_text("somebody's")
    with pytest.raises(ShelfError, match=r"other\.csv"):
        Shelf(saves).rename(models.card(mine), "other")
    assert files(saves.models) == {"mine.safetensors", "mine.csv", "other.csv"}
    assert (saves.models / "other.csv").read_text() == "somebody's"


def test_only_the_capitals_of_a_name_may_change(saves: Saves) -> None:
    card = Shelf(saves).rename(models.card(write(saves.models / "mine.safetensors")), "Mine")
    assert card.name == "Mine" and card.problem is None


@pytest.mark.parametrize(
    "name",
    ["", "..", ".hidden", "a/b", "a\\b", "a:b", "a,b", "x.checkpoint", "a\nb", "a.", "x" * (MAX_NAME + 1), "a\0"],
)
def test_names_that_no_model_can_have(saves: Saves, name: str) -> None:
    mine = models.card(write(saves.models / "mine.safetensors"))
    assert name_problem(name) is not None
    if " ".join(name.split()) == name:
        with pytest.raises(ShelfError):
            Shelf(saves).rename(mine, name)
    assert files(saves.models) == {"mine.safetensors"}


@given(st.text(max_size=100))
def test_whatever_a_file_is_called_makes_a_name_that_agents_can_be_written_with(text: str) -> None:
    name = clean_name(text)
    print(repr(text), repr(name))
    assert name_problem(name) is None
    spec = catalogue.parse("twenty48", f"ntuple:{name},plies=2")
    assert spec.model == name


def test_deleting_and_taking_back(saves: Saves) -> None:
    one, two = write(saves.models / "one.safetensors", 1), write(saves.models / "two.safetensors", 2)
    (saves.models / "one.csv").write_text("log")
    before = {path: path.read_bytes() for path in (one, two)}
    shelf = Shelf(saves)
    first, second = shelf.delete(models.card(one)), shelf.delete(models.card(two))
    assert names(shelf) == ["shipped"]
    assert files(saves.models) == {"trash/one.safetensors", "trash/one.csv", "trash/two.safetensors"}
    for deleted in (second, first):
        assert shelf.take_back(deleted).problem is None
    assert {path: path.read_bytes() for path in (one, two)} == before
    assert (saves.models / "one.csv").read_text() == "log"
    shelf.delete(models.card(one))
    shelf.empty_trash()
    assert files(saves.models) == {"two.safetensors"}


def test_the_place_of_a_deleted_model_may_be_taken_meanwhile(saves: Saves) -> None:
    path = write(saves.models / "mine.safetensors", 1)
    shelf = Shelf(saves)
    deleted = shelf.delete(models.card(path))
    write(path, 2)
    newer = path.read_bytes()
    with pytest.raises(ShelfError, match="another model"):
        shelf.take_back(deleted)
    assert path.read_bytes() == newer
    again = shelf.delete(models.card(path))
    shelf.take_back(deleted)
    assert path.read_bytes() != newer
    with pytest.raises(ShelfError):
        shelf.take_back(again)


def test_an_import_is_a_whole_copy(saves: Saves, tmp_path: Path) -> None:
    source = write(tmp_path / "down, loaded: x.safetensors")
    shelf = Shelf(saves)
    card = shelf.bring_in(source)
    print(card)
    assert card.name == "down- loaded- x"
    assert card.path.read_bytes() == source.read_bytes()
    assert shelf.bring_in(source) == card, "the same model is here twice"
    other = shelf.bring_in(write(source, seed=2))
    assert other.name == "down- loaded- x-2"
    assert shelf.bring_in(other.path) == other
    assert files(saves.models) == {f"{card.name}.safetensors", f"{other.name}.safetensors"}


def _steps(data: bytes) -> bytes:
    """The bytes of the steps in a model."""
    return bytes(load(data)["steps"].astype("<f4").tobytes())


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda data: data[:-100], "may be cut"),
        (lambda data: b"", "no safetensors file"),
        (lambda data: b"PK\x03\x04" * 50, "no safetensors file"),
        (lambda data: data.replace(b"trilogic-model", b"somethingelse."), "no model of this app"),
        (lambda data: data.replace(b'"012 045"', b'"012 0zz"'), "z"),
        (lambda data: data.replace(b'"4x4"', b'"9x9"'), "9x9"),
        (lambda data: data.replace(_steps(data), np.array([np.nan, 1], "<f4").tobytes()), "step"),
    ],
)
def test_what_is_no_good_model_is_refused_with_file_and_reason(
    saves: Saves, tmp_path: Path, spoil: object, reason: str
) -> None:
    source = write(tmp_path / "download.safetensors")
    source.write_bytes(spoil(source.read_bytes()))  # type: ignore[operator]
    with pytest.raises(ShelfError) as refused:
        Shelf(saves).bring_in(source)
    print(refused.value)
    assert str(refused.value).startswith("download.safetensors is not imported: ")
    assert reason in str(refused.value)
    assert files(saves.models) == set(), "something was left behind"


def test_what_is_no_file_is_refused(saves: Saves, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.safetensors")
    (tmp_path / "folder.safetensors").mkdir()
    shelf = Shelf(saves)
    for name in ("pipe", "folder", "missing"):
        with pytest.raises(ShelfError, match=f"{name}.safetensors is not imported"):
            shelf.bring_in(tmp_path / f"{name}.safetensors")


def test_an_import_that_was_killed_leaves_nothing(saves: Saves) -> None:
    (saves.models / ".import-4194305-0123abcd.tmp").write_bytes(b"half")
    (saves.models / f".training-{os.getpid()}-0123abcd.tmp").write_bytes(b"of a training that goes on")
    Shelf(saves)
    assert files(saves.models) == {f".training-{os.getpid()}-0123abcd.tmp"}


def test_read_only_saves_are_never_changed(saves: Saves, tmp_path: Path) -> None:
    mine = models.card(write(saves.models / "mine.safetensors"))
    source = write(tmp_path / "other.safetensors", 2)
    shelf = Shelf(replace(saves, writable=False))
    shelf.empty_trash()
    for change in (lambda: shelf.rename(mine, "x"), lambda: shelf.delete(mine), lambda: shelf.bring_in(source)):
        with pytest.raises(ShelfError, match="read-only"):
            change()
    assert files(saves.models) == {"mine.safetensors"}


def test_hundreds_of_mutated_files_are_imported_or_refused(saves: Saves, tmp_path: Path) -> None:
    """No crash, no hang, no memory beyond the tables; what was refused leaves nothing behind."""
    whole = write(tmp_path / "whole.safetensors").read_bytes()
    chance = random.Random(11)
    head = 8 + int.from_bytes(whole[:8], "little")
    shelf, refused = Shelf(saves), 0
    source = tmp_path / "mutated.safetensors"
    tracemalloc.start()
    for number in range(1000):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            kind = chance.randrange(5)
            at = chance.randrange(min(head, len(data)) if kind < 4 else len(data))
            if kind == 0:
                data[at] = chance.randrange(256)
            elif kind == 1:
                del data[at : at + chance.randint(1, 30)]
            elif kind == 2:
                data[at:at] = bytes(chance.choice(b'0123456789"{}[],:x') for _ in range(chance.randint(1, 9)))
            elif kind == 3:
                del data[chance.randrange(len(data)) :]
            else:
                data[at:at] = data[at : at + chance.randint(1, 200)]
            if len(data) < 2:
                break
        source.write_bytes(data)
        began = time.perf_counter()
        try:
            card = shelf.bring_in(source)
        except ShelfError as error:
            refused += 1
            assert str(error).startswith("mutated.safetensors is not imported: "), error
            assert len(str(error)) < 600 and "\n" not in str(error), error
        else:
            assert card.problem is None
            card.path.unlink()
        assert time.perf_counter() - began < 2.0, number
        assert files(saves.models) == set(), number
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(f"{refused} of 1000 refused, {most / 1e6:.1f} MB at most")
    assert refused > 500
    assert most < 20e6


def test_models_are_told_by_their_first_bytes(tmp_path: Path) -> None:
    data = write(tmp_path / "one.safetensors").read_bytes()
    assert looks_like_model("renamed.bin", data[:16])
    assert looks_like_model("spoilt.safetensors", b"anything")
    for head in (b"", b"#####", b'{"version": 1, ', b"\x89PNG\r\n\x1a\n", b"\x93NUMPY\x01\x00", b"\xff" * 16):
        assert not looks_like_model("file", head), head


def test_what_cards_say() -> None:
    card = replace(CARD, path=Path("small.safetensors"), game="twenty48", agent="ntuple", board="4x4", size=370_000,
                   shapes="0123 4567 89ab")  # fmt: skip
    assert words.what_for(card) == "2048 · 4×4 · N-tuple network"
    assert words.trained(card) == "4 min 31 s · 1,200 games"
    assert words.made_of(card) == "3 × 4 cells"
    assert words.made_of(replace(card, shapes="0123 045")) == "0123 045"
    assert words.points(card.strength[1]) == "21,234 ± 610"
    assert [words.size_words(size) for size in (912, 370_000, 41_200_000)] == ["912 bytes", "0.37 MB", "41 MB"]
