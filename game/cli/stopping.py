"""Ctrl-C as a polite request: long commands finish what they are at, write it down and stop."""

import contextlib
import signal
from collections.abc import Iterator
from typing import Any

from ai.agent import Thinking


@contextlib.contextmanager
def stopped_by_ctrl_c(thinking: Thinking) -> Iterator[None]:
    """Ctrl-C cancels the thinking; a second one ends the program at once."""

    def stop(_number: int, _frame: Any) -> None:
        if thinking.cancelled:
            raise KeyboardInterrupt
        thinking.cancel()

    try:
        before = signal.signal(signal.SIGINT, stop)
    except ValueError:  # not in the main thread: nobody presses Ctrl-C there
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
