"""Property tests: fresh examples on a developer's machine, always the same ones where `CI` is set."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from ai import models

settings.register_profile("ci", derandomize=True, deadline=None)
if os.environ.get("CI"):
    settings.load_profile("ci")


@pytest.fixture(autouse=True)
def folders_of_models() -> Iterator[None]:
    """Where models are looked for is as it was after each test, whichever came before in this process."""
    before = list(models.FOLDERS)
    yield
    models.use_folders(*before)
