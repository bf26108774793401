"""Runs command lines in this process, as `python main.py` would: fixtures of the tests that do so."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ai import stopping
from game.cli.main import main


@dataclass(frozen=True)
class Ran:
    """How a command line ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on standard output."""
        assert self.code == 0, self.err
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def log_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A fault in a test does not belong in the log of the app."""
    monkeypatch.setattr("game.cli.main.PROGRAM_SAVES", tmp_path / "saves")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    def command(*words: object) -> Ran:
        capsys.readouterr()
        monkeypatch.setattr(stopping, "_state", stopping.State())
        code = main([str(word) for word in words])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return command
