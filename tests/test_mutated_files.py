"""Thousands of spoilt files through the app's own loaders: levels in every form, packs, replays, models.

Whatever the bytes are, a loader answers with the content or with its one error, which names the file and the reason;
quickly, and without taking memory the file does not account for.
"""

import random
import resource
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ai import models
from ai.tensors import ModelError
from game.rules import levels, replay, sokoban, twenty48
from game.rules.editing import checks
from game.rules.levels import LevelError
from game.rules.replay import ReplayError
from game.saves import level_forms

ROOT = Path(__file__).resolve().parents[1]
EACH = 500
SECONDS = 2.0
MEGABYTES = 300


def mutated(data: bytes, chance: random.Random) -> bytes:
    """`data` with one to four of: bytes changed, cut out, doubled, cut off, swapped for numbers or noise."""
    spoilt = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(spoilt) + 1)
        span = chance.randint(1, max(1, len(spoilt) // 4))
        kind = chance.randrange(6)
        if kind == 0 and at < len(spoilt):
            spoilt[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del spoilt[at : at + span]
        elif kind == 2:
            spoilt[at:at] = spoilt[at : at + span]
        elif kind == 3:
            del spoilt[at:]
        elif kind == 4:
            spoilt[at : at + 3] = chance.choice((b"-1", b"99999999999", b"1e999", b"NaN", b"null", b"\x00\xff", b'"'))
        else:
            spoilt[at : at + 8] = chance.randbytes(8)
    return bytes(spoilt)


def load_pack(path: Path) -> None:
    _pack, errors = levels.parse_lenient(path.read_bytes(), path.name)
    if errors:
        raise errors[0]


def load_replay(path: Path) -> None:
    replay.states(replay.read(path, path.name), path.name)


def load_model(path: Path) -> None:
    models.check(path)


def seeds(kind: str) -> list[bytes]:
    """Good files of a kind."""
    if kind == "pack":
        return [path.read_bytes() for path in sorted((ROOT / "levels").glob("*.xsb"))]
    if kind == "model":
        return [(ROOT / "saves" / "models" / "2048-small.safetensors").read_bytes()]
    state = twenty48.start(4, 5)
    first, steps = state, []
    for _ in range(30):
        step, state = replay.chosen(state, twenty48.legal_actions(state)[0])
        steps.append(step)
    room = levels.read(ROOT / "levels" / "1-first-steps.xsb").levels[0].state
    walk = [replay.Step(sokoban.legal_actions(room)[0])]
    return [replay.dumps(replay.record(first, steps)).encode(), replay.dumps(replay.record(room, walk)).encode()]


LOADERS: dict[str, tuple[Callable[[Path], None], type[Exception], str]] = {
    "pack": (load_pack, LevelError, ".xsb"),
    "replay": (load_replay, ReplayError, ".json"),
    "model": (load_model, ModelError, ".safetensors"),
}


@pytest.mark.parametrize("kind", LOADERS)
def test_spoilt_files_get_one_sentence_each(kind: str, tmp_path: Path) -> None:
    load, error_type, suffix = LOADERS[kind]
    chance = random.Random(kind)
    good = seeds(kind)
    path = tmp_path / f"spoilt{suffix}"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    refused = 0
    for number in range(EACH):
        data = mutated(chance.choice(good), chance)
        path.write_bytes(data)
        start = time.perf_counter()
        try:
            load(path)
        except error_type as error:
            refused += 1
            words = str(error)
            assert path.name in words, (number, words)
            assert len(words) > len(path.name) + 8, (number, words)
            assert "\n" not in words.strip(), (number, words)
        seconds = time.perf_counter() - start
        assert seconds < SECONDS, f"number {number} took {seconds:.1f} s: {data[:200]!r}"
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert grown < MEGABYTES, f"{grown:.0f} MB"
    assert refused > EACH // 10, "hardly any file was refused: are they spoilt at all?"


FORMS = ("xsb", "sok", "runs", "slc", "boxoban", "python", "printed", "npy", "json", "png")
OF_EACH = 1000
WHOLE = ("there is no level in it", "this is no text, and no form that a level has")
"""Reasons that are about a whole file, and so name no line."""
WITHOUT_LINES = ("npy", "json", "png")


def forms(form: str) -> list[bytes]:
    """Good files of two levels each, where the form can hold as many."""
    pack = levels.read(ROOT / "levels" / "1-first-steps.xsb")
    documents = [checks.document_of(level) for level in pack.levels[:4]]
    two = levels.Pack(pack.levels[:2], "A title", "An author", "A licence", "Two\nlines")
    if form in ("xsb", "runs"):
        return [levels.dump(two, runs=form == "runs").encode()]
    boards = ["\n".join(levels.board(level.state)) for level in two.levels]
    if form == "sok":
        said = "Author: Ann\nComment:\nx\nComment-End:\n\nSolution 3/2\n2(rU)\nl\n"
        return ["".join(f"\nLevel\n\n{board}\n\n{said}" for board in boards).encode()]
    if form == "boxoban":
        return ["\n".join(f"; {number}\n{board}\n" for number, board in enumerate(boards)).encode()]
    if form == "slc":
        rows = ["".join(f"<L>{row}</L>\n" for row in board.split("\n")) for board in boards]
        inside = "".join(f'<Level Id="{number}">\n{row}</Level>\n' for number, row in enumerate(rows))
        doctype = '<!DOCTYPE SokobanLevels SYSTEM "SokobanLev.dtd">\n'
        body = f"<SokobanLevels><Title>A</Title><LevelCollection>\n{inside}</LevelCollection></SokobanLevels>"
        return [f'<?xml version="1.0" encoding="ISO-8859-1"?>\n{doctype}{body}'.encode()]
    if form == "printed":
        return [f"{document.drawing.array}".encode() for document in documents]
    if form == "python":
        return [level_forms.as_python(document).encode() for document in documents]
    if form == "json":
        return [level_forms.as_json(document).encode() for document in documents]
    if form == "npy":
        return [level_forms.as_npy(document) for document in documents]
    return [level_forms.as_png(document, 2, 1, b"123456") for document in documents]


@pytest.mark.parametrize("form", FORMS)
def test_spoilt_levels_of_every_form_are_refused_with_line_and_reason(form: str) -> None:
    chance = random.Random(form)
    good = forms(form)
    for data in good:
        pack, boards = level_forms.boards(data, "good")
        assert len(pack.levels) == len(boards) >= 1, boards
    refused = read = 0
    for number in range(OF_EACH):
        data = mutated(chance.choice(good), chance)
        start = time.perf_counter()
        try:
            pack, boards = level_forms.boards(data, "spoilt")
            errors = [board for board in boards if isinstance(board, LevelError)]
            read += len(pack.levels)
        except LevelError as error:
            errors = [error]
        seconds = time.perf_counter() - start
        assert seconds < 1.0, f"number {number} took {seconds:.1f} s: {data[:200]!r}"
        refused += len(errors)
        for error in errors:
            where = f"{number}: {error}"
            assert error.reason and "\n" not in str(error), where
            assert str(error) == f"spoilt{'' if error.line is None else f':{error.line}'}: {error.reason}", where
            if form not in WITHOUT_LINES and error.reason not in WHOLE:
                assert error.line is not None and 1 <= error.line <= data.count(b"\n") + data.count(b"\r") + 1, where
    print(f"{form}: {read} levels read, {refused} refused")
    assert refused > OF_EACH // 20 and read > OF_EACH // 200, (read, refused)
