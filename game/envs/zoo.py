"""PettingZoo, imported so that it leaves this process its sound: it chooses SDL's audio driver when it is imported."""

import os

_chosen = os.environ.get("SDL_AUDIODRIVER")
from pettingzoo import AECEnv  # noqa: E402
from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # noqa: E402

if _chosen is None:
    os.environ.pop("SDL_AUDIODRIVER", None)
else:
    os.environ["SDL_AUDIODRIVER"] = _chosen

__all__ = ["AECEnv", "OrderEnforcingWrapper"]
