"""Property tests: fresh examples on a developer's machine, always the same ones where `CI` is set."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from ai import models, threads

threads.hold()

_BUSY = [HealthCheck.too_slow]
"""A machine that does much else says nothing about a test."""
settings.register_profile("ci", derandomize=True, deadline=None, suppress_health_check=_BUSY)
settings.register_profile("person", suppress_health_check=_BUSY)
settings.load_profile("ci" if os.environ.get("CI") else "person")


@pytest.fixture(autouse=True)
def folders_of_models() -> Iterator[None]:
    """Where models are looked for is as it was after each test, whichever came before in this process."""
    before = list(models.FOLDERS)
    yield
    models.use_folders(*before)
