"""The thread that draws is left in peace for a whole frame, where the system is a Linux of 6.12 or later.

There a program has the processor for 1 to 3 ms at a time while others want it as well, and then waits for theirs. A frame of 2 ms
that is cut in two takes 6 to 10 ms, so the thread asks for longer turns. It gets no more of them: its share stays what it was.
"""

import ctypes
import os
import platform
import struct
import sys

FRAME_SECONDS = 0.006
_SET_ATTRIBUTES = {"x86_64": 314, "aarch64": 274}
"""Processor -> the number of the system call sched_setattr, which the C library knows only lately."""
_NOT_INHERITED = 1
"""Threads and processes that are started later have turns of the usual length (SCHED_FLAG_RESET_ON_FORK)."""


def ask_for_whole_frames() -> None:
    """For the thread that calls. Systems that do not know this leave everything as it was."""
    call = _SET_ATTRIBUTES.get(platform.machine())
    if not sys.platform.startswith("linux") or call is None or os.sched_getscheduler(0) != os.SCHED_OTHER:
        return
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    # struct sched_attr: size, policy, flags, nice, priority, runtime (the length of a turn), deadline, period
    attributes = struct.pack(
        "IIQiIQQQ", 48, os.SCHED_OTHER, _NOT_INHERITED, nice, 0, round(FRAME_SECONDS * 1e9), 0, 0
    )
    ctypes.CDLL(None).syscall(call, 0, attributes, 0)
