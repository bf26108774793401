"""Some files of `scripts/hostile.py` through the readers of levels: bounded work, and no error but their own.

The makers keep their smallest sizes here; the script makes files as large as the app reads, for hundreds of them.
"""

import random
import time
from collections.abc import Callable

import pytest

from game.rules.levels import LevelError
from game.saves import level_forms
from scripts import hostile_files

MOST = 1_000_000
OF_EACH = 3
SECONDS = 2.0
"""Of processor time for a file; at eight times the size it is at most two by `scripts/hostile.py`."""


@pytest.mark.parametrize("maker", hostile_files.LEVELS, ids=lambda maker: maker.__name__)
def test_hostile_files_are_read_or_refused_in_bounded_time(
    maker: Callable[[random.Random], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hostile_files, "MOST", MOST)
    monkeypatch.setattr(hostile_files.size, "__defaults__", (MOST,))
    monkeypatch.setattr(hostile_files.fill, "__defaults__", (MOST, 0))
    for number in range(OF_EACH):
        data = maker(random.Random(f"{maker.__name__} {number}"))[:MOST]
        for read in (level_forms.documents, level_forms.boards):
            start = time.process_time()
            try:
                found: object = read(data, "file")
            except LevelError as error:
                found = error
                assert str(error).startswith("file:") and len(str(error)) < 1000, (number, str(error)[:200])
            seconds = time.process_time() - start
            assert found, (number, data[:80])
            assert seconds < SECONDS, f"number {number} took {seconds:.1f} s: {data[:80]!r}"
