"""What files say reaches a terminal only as text, and what stands in the place of a file is said in one line."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from ai import models, tensors
from game.cli import output
from game.rules import levels, replay
from game.rules.replay import Step

ROOM = "#####\n#@$.#\n#####"
EVIL = "\x1b]0;owned\x07\x1b[2J\r\x9b31m\u202egnp\u2066\u200b\x00\b"
NAME = EVIL.replace("\x00", "")
"""What a file can be called."""
pytestmark = pytest.mark.timeout(60)


def harmless(text: str) -> bool:
    """Whether a terminal shows every sign of a text, and obeys none but the line break."""
    return all(sign.isprintable() or sign == "\n" for sign in text)


def test_printable() -> None:
    assert output.printable("plain ☃ é 漢") == "plain ☃ é 漢"
    assert output.printable("two\nlines") == "two\nlines"
    assert output.one_line("two\nlines") == "two\\nlines"
    assert output.printable("a\u00a0b\u202fc") == "a\u00a0b\u202fc", "blanks are no orders"
    assert output.printable("\x1b[2J\ud800\u202e\t") == "\\x1b[2J\\ud800\\u202e\\t"
    assert harmless(output.printable(EVIL))
    assert len(output.table(("a", "b"), [(EVIL, "x\ny")]).splitlines()) == 2


def test_bars_and_notices(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    output.notice(EVIL + "\nsecond")
    said = capsys.readouterr().err
    assert harmless(said)
    assert said.count("\n") == 1
    with output.bar(1, "doing", "thing") as bar:
        bar.set_postfix_str(EVIL)
        assert harmless(bar.postfix)  # type: ignore[attr-defined]


def hostile_replay(path: Path) -> None:
    first = levels.parse(ROOM, "room").levels[0].state
    game = replay.record(first, [Step(1)], seats=(EVIL,), title=EVIL + "\nsteps    none")
    path.write_text(replay.dumps(game), encoding="utf-8")


def test_replay(run, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    hostile_replay(path)
    done = run("replay", path)
    assert done.code == 0, done.err
    assert harmless(done.out)
    assert "owned" in done.out
    assert done.out.count("\nsteps ") == 1
    assert run("replay", path, "--json").json["title"].startswith(EVIL[:20])
    document = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**document, "result": {**document["result"], "outcome": EVIL}}), encoding="utf-8")
    done = run("replay", path)
    assert done.code == 2
    assert harmless(done.err)
    assert done.err.count("\n") == 1


def test_names_of_files_and_words_of_the_command_line(run, tmp_path: Path) -> None:
    for words in (("replay", tmp_path / NAME), ("solve", tmp_path / NAME, "--agent", "lrta"), (EVIL,),
                  ("match", EVIL), ("train", "sokoban", EVIL, "--out", "x"), ("models", "measure", EVIL)):  # fmt: skip
        done = run(*words)
        assert done.code == 2, words
        assert harmless(done.err), words
        assert done.err.count("\n") == 1, words


def test_models(run, tmp_path: Path) -> None:
    texts = {"format": models.FORMAT, "version": "2", "game": EVIL, "agent": EVIL, "board": EVIL}
    shipped = tmp_path / "saves" / "models"  # where the fixture lets commands look
    tensors.write_whole(shipped / f"{NAME}.safetensors", {"a": np.zeros(1, np.uint8)}, texts)
    done = run("models")
    assert done.code == 0
    assert "owned" in done.out
    assert harmless(done.out)


@pytest.mark.parametrize("kind", ["pipe", "endless", "folder", "circle", "gone", "long", "nul"])
def test_what_is_no_file_is_said_in_one_line(run, tmp_path: Path, kind: str) -> None:
    path = tmp_path / {"long": "x" * 300, "nul": "a\0b"}.get(kind, kind)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "endless":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    elif kind == "circle":
        path.symlink_to(path)
    for words in (
        ("replay", path), ("solve", path, "--agent", "lrta"), ("--open", path),
        ("analyze", "connect4", "--positions", path, "--agent", "random"),
        ("analyze", "sokoban", "--position", path, "--agent", "lrta"),
        ("train", "2048", "ntuple", "--resume", path), ("train", "2048", "ntuple", "--set", f"games=1,replays={path}"),
        ("match", "2048", "--agent", f"ntuple:{path}"), ("models", "measure", path),
    ):  # fmt: skip
        done = run(*words)
        assert done.code == 2, (words, done)
        assert done.err.count("\n") == 1, (words, done)
        assert harmless(done.err)


@pytest.mark.parametrize("kind", ["long", "under a long one", "under a file", "under a pipe", "a file", "a pipe", "nul",
                                  "unreadable", "under a file\nwith lines"])  # fmt: skip
def test_saves_that_can_be_no_folder(run, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file\n").write_bytes(b"")
    (tmp_path / "file").write_bytes(b"")
    os.mkfifo(tmp_path / "pipe")
    path = {
        "long": tmp_path / ("x" * 300), "under a long one": tmp_path / ("x" * 300) / "saves",
        "under a file": tmp_path / "file" / "saves", "under a pipe": tmp_path / "pipe" / "saves",
        "a file": tmp_path / "file", "a pipe": tmp_path / "pipe", "nul": tmp_path / "a\0b",
        "unreadable": tmp_path / "closed", "under a file\nwith lines": tmp_path / "file\n" / "saves",
    }[kind]  # fmt: skip
    if kind == "unreadable":
        path.mkdir()
        monkeypatch.setattr(os, "access", lambda *_words: False)  # whoever may read everything tests this as well
    done = run("--saves", path)
    assert (done.code, done.out) == (2, ""), done
    assert done.err.startswith("trilogic: --saves "), done.err
    assert done.err.count("\n") == 1
    assert harmless(done.err)
