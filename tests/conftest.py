"""Property tests: fresh examples on a developer's machine, always the same ones where `CI` is set."""

import os

from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None)
if os.environ.get("CI"):
    settings.load_profile("ci")
