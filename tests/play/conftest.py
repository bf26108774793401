"""A store for sessions without a window."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from game.saves.folder import open_saves
from game.saves.progress import Progress
from game.saves.replays import Library
from game.saves.writer import Writer
from tests.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    saves = open_saves(tmp_path / "saves")
    writer = Writer(saves)
    yield Desk(saves, writer, Progress(saves, writer), Library(saves, writer))
    writer.close()
    saves.close()
