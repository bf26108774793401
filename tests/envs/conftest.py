"""PettingZoo comes in as the app brings it in: alone it would choose the audio driver of all tests."""

import game.envs.zoo  # noqa: F401
