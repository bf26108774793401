"""Property tests try the same examples every time; `./test --hypothesis-profile=fresh` tries others."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from ai import models, threads

threads.hold()

_BUSY = [HealthCheck.too_slow]
"""A machine that does much else says nothing about a test."""
settings.register_profile("same", derandomize=True, deadline=None, suppress_health_check=_BUSY)
settings.register_profile("fresh", deadline=None, suppress_health_check=_BUSY)
settings.load_profile("same")


@pytest.fixture(autouse=True)
def folders_of_models() -> Iterator[None]:
    """Where models are looked for is as it was after each test, whichever came before in this process."""
    before = list(models.FOLDERS)
    yield
    models.use_folders(*before)
