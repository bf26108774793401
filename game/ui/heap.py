"""Memory that was freed goes back to the system, where the C library is glibc.

Left to itself glibc raises, with every large array that is freed, the size from which arrays get memory of their own, and
opens a heap for each thread; both keep what agents, exports and levels of an hour have left behind. `python
scripts/soak.py` shows it: memory at the menu grew by 31 % between the first third of an hour and its end.
"""

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""Numbers of glibc's malloc.h."""
_OWN_BYTES = 1 << 20
"""Arrays from this size on have memory of their own, which goes back as soon as they are freed."""
_HEAPS = 2


def keep_small() -> None:
    """For the whole process; call it before other threads begin. Does nothing where there is no glibc."""
    if not sys.platform.startswith("linux"):
        return
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        for option, value in ((_MMAP_THRESHOLD, _OWN_BYTES), (_TRIM_THRESHOLD, _OWN_BYTES), (_ARENA_MAX, _HEAPS)):
            set_option(option, value)
