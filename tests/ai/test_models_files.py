"""Model files: cards, folders, strengths, and hundreds of damaged files that get one sentence each."""

import json
import random
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from ai import catalogue, models
from ai.entries import CatalogueError
from ai.models import ModelCard, Strength
from ai.tensors import ModelError, TensorFile
from ai.twenty48.ntuple import model as ntuple_model
from ai.twenty48.ntuple.shapes import parse_tuples, table_sizes
from game.rules import twenty48

TUPLES = parse_tuples("0123 0145 05")
CARD = ModelCard(
    Path(),
    title="A test",
    rule="TC(0), alpha 1",
    games=12,
    seed=2**64 - 1,
    command="train 2048 ntuple",
    seconds=1.5,
    date="2026-01-02T03:04:05+00:00",
    strength={1: Strength(1234.5, 6.5, 100)},
)


def write(path: Path, **changes: object) -> Path:
    """A small model: a table nearly full, one nearly empty, one full."""
    chance = np.random.default_rng(5)
    weights = chance.normal(0, 500, sum(table_sizes(TUPLES))).astype(np.float32)
    weights[:65536][chance.random(65536) > 0.3] = 0
    weights[65536:131072][chance.random(65536) > 0.01] = 0
    ntuple_model.write(path, TUPLES, weights, CARD)
    if changes:
        with TensorFile(path) as file:
            texts = {**file.metadata, **{name: str(value) for name, value in changes.items()}}
        save_file(load_file(path), path, texts)
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of models that is the only one."""
    monkeypatch.setattr(models, "FOLDERS", [tmp_path])
    return tmp_path


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "one.safetensors")
    card = models.card(path)
    print(card)
    assert card == replace(CARD, path=path, size=path.stat().st_size, game="twenty48", agent="ntuple", board="4x4",
                           shapes="0123 0145 05")  # fmt: skip
    assert card.name == "one"
    assert set(load_file(path)) == {"steps", "weights.places", "weights.low", "weights.high"}
    assert models.check(path) == card
    (tmp_path / "any").touch()
    assert path.stat().st_mode == (tmp_path / "any").stat().st_mode


def test_a_loaded_model_is_shared_until_its_file_changes(tmp_path: Path) -> None:
    path = write(tmp_path / "one.safetensors")
    model = ntuple_model.load(path)
    assert ntuple_model.load(path) is model
    models.write_strength(path, {2: Strength(1.0, 0.0, 2)})
    again = ntuple_model.load(path)
    assert again is not model
    assert np.array_equal(again.weights, model.weights) and np.array_equal(again.steps, model.steps)
    assert set(again.card.strength) == {1, 2}


def test_listing_reads_every_folder_once_and_shows_what_is_damaged(folder: Path, tmp_path_factory) -> None:
    other = tmp_path_factory.mktemp("other")
    write(folder / "b.safetensors", title="first")
    write(other / "b.safetensors", title="hidden by the first folder")
    write(other / "a.safetensors")
    write(folder / "b.checkpoint.safetensors")
    write(folder / ".hidden.safetensors")
    (folder / "notes.txt").write_text("no model")
    (folder / "torn.safetensors").write_bytes(write(folder / "x.safetensors").read_bytes()[:-1])
    (folder / "x.safetensors").unlink()
    (folder / "empty.safetensors").touch()
    (folder / "folder.safetensors").mkdir()
    write(folder / "future.safetensors", version=3)
    write(folder / "chess.safetensors", game="chess")
    cards = models.listing([folder, other, folder / "missing"])
    for card in cards:
        print(card.name, card.title, card.problem)
    assert [card.name for card in cards] == ["a", "b", "chess", "empty", "folder", "future", "torn"]
    assert cards[1].title == "first"
    problems = {card.name: card.problem for card in cards if card.problem}
    assert problems == {
        "chess": "this app has no agent 'ntuple' that plays 'chess' with a model",
        "empty": "it is no safetensors file, or only a part of one",
        "folder": "this is a folder, not a file",
        "future": "it is of version 3, this app reads version 2",
        "torn": "its array 'weights.places' is not as long as declared; the file may be cut",
    } | {"torn": problems["torn"]}
    assert "may be cut" in problems["torn"]


def test_names_and_paths_find_the_file(folder: Path, tmp_path_factory, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(folder / "one.safetensors")
    elsewhere = write(tmp_path_factory.mktemp("elsewhere") / "two.safetensors")
    assert models.find("one") == models.find("one.safetensors") == models.find(str(path)) == path
    assert models.find(str(elsewhere)) == models.find(str(elsewhere).removesuffix(".safetensors")) == elsewhere
    assert models.find("two") is None and models.find("") is None and models.find("a\0b") is None
    monkeypatch.chdir(elsewhere.parent)
    assert models.find("two.safetensors") == Path("two.safetensors")
    assert models.file_of("new") == folder / "new.safetensors"
    assert models.file_of("./new") == Path("new.safetensors")


def test_the_catalogue_makes_the_agent_with_its_model_or_says_why_not(folder: Path) -> None:
    path = write(folder / "one.safetensors")
    write(folder / "of-another-game.safetensors", game="sokoban")
    (folder / "torn.safetensors").write_bytes(path.read_bytes()[:500])
    large, small = twenty48.start(5), twenty48.start(4)
    spec = catalogue.parse("twenty48", "ntuple:one,plies=2")
    assert type(catalogue.create("twenty48", spec)).__name__ == "NTuple"
    assert catalogue.why_not("twenty48", spec, small) is None
    assert catalogue.why_not("twenty48", spec, large) == (
        "model 'one' was trained for boards of 4x4, this one is 5x5"
    )
    assert catalogue.default_spec("twenty48", "ntuple", small).model == "one"
    without = catalogue.default_spec("twenty48", "ntuple", large)
    assert without.model is None
    assert catalogue.why_not("twenty48", without, large) == "there is no model for 5x5"
    for text, reason in {
        "ntuple:two": "there is no model 'two' for 2048 (there are: one)",
        "ntuple:torn": "torn.safetensors: it is no safetensors file, or only a part of one",
        "ntuple:of-another-game": "of-another-game.safetensors: this app has no agent 'ntuple' that plays 'sokoban'",
    }.items():
        spec = catalogue.parse("twenty48", text)
        assert (catalogue.why_not("twenty48", spec, small) or "").startswith(reason)
        with pytest.raises(CatalogueError) as caught:
            catalogue.create("twenty48", spec)
        assert str(caught.value).startswith(reason)
    with pytest.raises(CatalogueError, match="from 1 to 5"):
        catalogue.parse("twenty48", "ntuple:one,plies=99")


def test_a_strength_is_written_into_the_header_and_nothing_else_changes(tmp_path: Path) -> None:
    path = write(tmp_path / "one.safetensors")
    before = load_file(path)
    card = models.write_strength(path, {1: Strength(40_000.0, 200.0, 1000), 3: Strength(60_000.0, 900.0, 100)})
    assert card.strength == {1: Strength(40_000.0, 200.0, 1000), 3: Strength(60_000.0, 900.0, 100)}
    assert replace(card, strength=CARD.strength, size=0) == replace(models.card(path), strength=CARD.strength, size=0)
    after = load_file(path)
    assert before.keys() == after.keys() and all(np.array_equal(before[name], after[name]) for name in before)
    assert [each.name for each in tmp_path.iterdir()] == ["one.safetensors"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"format": "other"}, "it is no model of this app"),
        ({"board": "6x6"}, "it is for boards of 6x6, not of one of 3x3, 4x4, 5x5"),
        ({"board": "4X4"}, "it is for boards of 4X4, not of one of"),
        ({"board": "5x5", "shapes": "0123 0145 0p"}, "'0p' is no tuple: expected 1 to 6 cells written 0 to o"),
        ({"board": "3x3", "shapes": "0123 0145 09"}, "'09' is no tuple: expected 1 to 6 cells written 0 to 8"),
        ({"stages": "1024"}, "inflates to less"),
        ({"stages": "1024 512"}, "must be ascending"),
        ({"stages": "-1"}, "expected at most 7 sums"),
        ({"stages": "1 2 3 4 5 6 7 8"}, "expected at most 7 sums"),
        ({"shapes": "012345 " * 16, "stages": "1 2"}, "weights; 536,870,912 are allowed"),
        ({"shapes": ""}, "a network has 1 to 16 tuples, not 0"),
        ({"shapes": "0123 0145 0g"}, "'0g' is no tuple"),
        ({"shapes": "0123 0145 50"}, "must be ascending"),
        ({"shapes": "0123 0145 0123456"}, "is no tuple"),
        ({"shapes": " ".join(["012345"] * 17)}, "a network has 1 to 16 tuples, not 17"),
        ({"shapes": "0123 0145"}, "its array 'steps'"),
        ({"shapes": "0123 0145 056"}, "'weights.places' inflates to less"),
        ({"shapes": "012 0145 05"}, "'weights.places' inflates to more"),
        ({"games": "-1"}, "says '-1' for games"),
        ({"games": "1e999"}, "for games"),
        ({"seconds": "nan"}, "for seconds"),
        ({"strength": "[]"}, "the strength in its header cannot be read"),
        ({"strength": '{"plies": {"1": {"mean": NaN, "stderr": 0, "games": 1}}}'}, "is no number"),
        ({"strength": "[" * 100_000}, "the strength in its header cannot be read"),
        ({"title": "x" * 300_000}, "its header has"),
    ],
)
def test_texts_that_make_no_sense_are_refused(tmp_path: Path, change: dict[str, str], reason: str) -> None:
    path = write(tmp_path / "one.safetensors", **change)
    with pytest.raises(ModelError) as caught:
        ntuple_model.read(path)
    print(caught.value)
    assert reason in str(caught.value) and str(caught.value).startswith("one.safetensors: ")


@pytest.mark.parametrize("step", [0.0, -1.0, float("nan"), float("inf"), 1e30])
def test_steps_must_be_sensible(tmp_path: Path, step: float) -> None:
    path = write(tmp_path / "one.safetensors")
    with TensorFile(path) as file:
        texts = file.metadata
    arrays = load_file(path)
    arrays["steps"][1] = step
    save_file(arrays, path, dict(texts))
    with pytest.raises(ModelError, match="a step of its weights"):
        ntuple_model.read(path)


HOSTILE = [0, -1, 1, 2**31, 2**63, 2**64, 10**30, 1e308, None, True, "x", [], {}, [[]], "\ud800", "F32", "BF16", "U8"]


def mutated(data: bytes, chance: random.Random) -> bytes:
    """One of many ways to spoil a file."""
    length = int.from_bytes(data[:8], "little")
    way = chance.randrange(7)
    if way == 0:  # flipped bits anywhere
        spoilt = bytearray(data)
        for _ in range(chance.randint(1, 20)):
            spoilt[chance.randrange(len(spoilt))] ^= 1 << chance.randrange(8)
        return bytes(spoilt)
    if way == 1:  # flipped bits in the header
        spoilt = bytearray(data)
        for _ in range(chance.randint(1, 4)):
            spoilt[chance.randrange(8 + length)] ^= 1 << chance.randrange(8)
        return bytes(spoilt)
    if way == 2:
        return data[: chance.randrange(len(data))]
    if way == 3:
        at = chance.randrange(len(data))
        return data[:at] + chance.randbytes(chance.randint(1, 300)) + data[at:]
    if way == 4:
        return chance.randbytes(8 if chance.random() < 0.5 else 2) + data[8:]
    header = json.loads(data[8 : 8 + length])
    name = chance.choice(list(header))
    if way == 5:  # hostile values in the header
        inner = chance.choice(list(header[name]))
        value = chance.choice(HOSTILE)
        if isinstance(header[name][inner], list) and chance.random() < 0.7:
            header[name][inner][chance.randrange(len(header[name][inner]))] = value
        else:
            header[name][inner] = value
    elif chance.random() < 0.5:  # places exchanged
        other = chance.choice(list(header))
        header[name], header[other] = header[other], header[name]
    else:
        header[name] = chance.choice(HOSTILE)
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data[8 + length :]


def test_spoilt_files_get_one_sentence_each_in_bounded_time_and_memory(tmp_path: Path) -> None:
    whole = write(tmp_path / "whole.safetensors").read_bytes()
    path = tmp_path / "spoilt.safetensors"
    refused = 0
    slowest = 0.0
    tracemalloc.start()
    for number in range(700):
        chance = random.Random(number)
        path.write_bytes(mutated(whole, chance))
        began = time.perf_counter()
        card = models.card(path)
        try:
            model = ntuple_model.read(path)
            assert len(model.weights) == sum(table_sizes(model.tuples))
        except ModelError as error:
            refused += 1
            text = str(error)
            assert text.startswith("spoilt.safetensors: ") and len(text) < 300 and "\n" not in text, (number, text)
        else:
            assert card.problem is None or "no agent" in card.problem, (number, card)
        slowest = max(slowest, time.perf_counter() - began)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    print(f"{refused} of 700 refused, slowest {slowest:.3f} s, peak {peak / 1e6:.1f} MB")
    assert refused > 450
    assert slowest < 2
    assert peak < 300e6


def test_a_small_file_that_declares_much_takes_no_more_than_it_declares(tmp_path: Path) -> None:
    path = tmp_path / "hollow.safetensors"
    tuples = parse_tuples("012345 012346")
    ntuple_model.write(path, tuples, np.zeros(sum(table_sizes(tuples)), np.float32), CARD)
    assert path.stat().st_size < 20_000
    tracemalloc.start()
    model = ntuple_model.read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert model.weights.nbytes == 2 * sum(table_sizes(tuples)) and not model.weights.any()
    assert peak < model.weights.nbytes + 20e6
    with TensorFile(path) as file:
        texts = dict(file.metadata)
    save_file({"steps": np.ones(16, np.float32)}, path, {**texts, "shapes": "012345 " * 16})
    tracemalloc.start()
    with pytest.raises(ModelError, match="it has no array"):
        ntuple_model.read(path)
    assert tracemalloc.get_traced_memory()[1] < 1e6
    tracemalloc.stop()


def learned(stages: int, seed: int = 3) -> np.ndarray:
    """Weights of `TUPLES` in stages, most of the later ones never learned."""
    chance = np.random.default_rng(seed)
    weights = chance.normal(0, 500, (stages, sum(table_sizes(TUPLES)))).astype(np.float32)
    weights[0][chance.random(weights.shape[1]) > 0.4] = 0
    weights[1:][chance.random(weights[1:].shape) > 0.1] = np.nan
    weights[1:, :9] = 0
    return weights


@pytest.mark.parametrize("flat", [False, True])
def test_a_weight_that_a_later_stage_never_learned_is_that_of_the_stage_before(tmp_path: Path, flat: bool) -> None:
    path = tmp_path / "stages.safetensors"
    weights = learned(3)
    ntuple_model.write(path, TUPLES, weights.reshape(-1) if flat else weights, CARD, stages=(512, 768), step=4.0)
    model = ntuple_model.read(path)
    found = model.weights.reshape(3, -1) * np.repeat(model.steps, table_sizes(TUPLES))
    expected = weights.copy()
    for stage in (1, 2):
        absent = np.isnan(expected[stage])
        assert (model.weights.reshape(3, -1)[stage][absent] == model.weights.reshape(3, -1)[stage - 1][absent]).all()
        expected[stage][absent] = expected[stage - 1][absent]
    print(path.stat().st_size, model.card.stages, np.abs(found - expected).max())
    assert np.abs(found - expected).max() <= 2.0
    assert (found[1:, :9] == 0).all() and (found[0, :9] != 0).any(), "a learned 0 is no absent weight"
    assert (model.stages, model.card.stages) == ((512, 768), "512 768")
    one = tmp_path / "one.safetensors"
    ntuple_model.write(one, TUPLES, weights[0], CARD, step=4.0)
    assert ntuple_model.read(one).stages == ()
    assert path.stat().st_size < 2.2 * one.stat().st_size, "later stages take the room of what they learned"


def test_stages_that_began_with_nothing_stand_for_themselves_without_what_no_board_of_theirs_has(
    tmp_path: Path,
) -> None:
    path = tmp_path / "apart.safetensors"
    weights = np.nan_to_num(learned(2)) + np.float32(40.0)
    ntuple_model.write(path, TUPLES, weights, CARD, stages=(512,), step=4.0, promoted=False)
    model = ntuple_model.read(path)
    found = model.weights.reshape(2, -1)[:, :65536] * model.steps[0]
    values = np.array([0, *(1 << np.arange(1, 16))])
    sums = values[:, None, None, None] + values[:, None, None] + values[:, None] + values
    early = (sums < 512).reshape(-1)
    print(model.promoted, early.sum(), np.abs(found - weights[:, :65536]).max(axis=1))
    assert not model.promoted and np.abs(found[1] - weights[1, :65536]).max() <= 2.0
    assert np.abs(found[0] - weights[0, :65536])[early].max() <= 2.0 and not found[0][~early].any()


def test_weights_that_have_run_away_are_not_written(tmp_path: Path) -> None:
    path = tmp_path / "never.safetensors"
    for stage, value in ((0, np.nan), (0, np.inf), (1, -np.inf)):
        weights = learned(2)
        weights[stage, 70_000] = value
        with pytest.raises(ValueError, match="run away"):
            ntuple_model.write(path, TUPLES, weights, CARD, stages=(512,))
    assert not path.exists()


@pytest.mark.parametrize("largest", [0.4, 1000.0, 1e6])
def test_a_step_is_no_finer_than_asked_for_and_spans_the_largest_weight(tmp_path: Path, largest: float) -> None:
    path = tmp_path / "steps.safetensors"
    weights = np.zeros((2, 512), np.float32)
    weights[0, :2] = 3.0, -largest
    weights[1] = np.nan
    weights[1, 300] = 2 * largest
    tuples = parse_tuples("01 23")
    ntuple_model.write(path, tuples, weights, CARD, stages=(99,))
    model = ntuple_model.read(path)
    print(model.steps, model.weights[:2], model.weights[812])
    assert model.steps.tolist() == [max(1.0, np.float32(max(3.0, largest) / 32767)),
                                    max(1.0, np.float32(2 * largest / 32767))]  # fmt: skip
    assert model.weights[1] == round(-largest / model.steps[0]) and model.weights[513] == model.weights[1]
    assert model.weights[812] == round(2 * largest / model.steps[1]) and model.weights[300] == 0


@pytest.mark.parametrize("size", [3, 5])
def test_networks_of_other_boards_say_so_in_their_header(folder: Path, size: int) -> None:
    tuples = parse_tuples({3: "0134 258", 5: "0156 ijno"}[size], size)
    weights = np.ones(sum(table_sizes(tuples, size)), np.float32)
    ntuple_model.write(folder / "other.safetensors", tuples, weights, CARD, size=size)
    model = ntuple_model.load(folder / "other.safetensors")
    assert (model.size, model.tuples, model.card.board) == (size, tuples, f"{size}x{size}")
    assert (model.weights == 1).all()
    spec = catalogue.parse("twenty48", "ntuple:other")
    reason = f"model 'other' was trained for boards of {size}x{size}, this one is 4x4"
    assert catalogue.why_not("twenty48", spec, twenty48.start(4)) == reason
    assert catalogue.default_spec("twenty48", "ntuple", twenty48.start(size)).model == "other"
