"""Processes of ours end with the one that began them, also where that was killed and could tell nobody.

A worker of `multiprocessing` calls `end_with_parent`. Anything else is begun as `python -m ai.child MODULE [ARGUMENT …]`,
which runs a module as `python -m MODULE` would, and its standard input is a pipe that nobody writes to: its end is the
end of the one who holds the other side. Of its own it imports only the standard library, so that the file can be run
alone too (`python -I ai/child.py MODULE`).
"""

import os
import runpy
import signal
import sys
import threading
import time

STANDARD_INPUT = 0
GRACE_SECONDS = 1.0
"""Between being asked to end and having to."""
GONE = 1


def command(module: str, *words: str) -> list[str]:
    """What to begin so that `module` runs as a process that ends with the one who holds its standard input."""
    return [sys.executable, "-m", "ai.child", module, *words]


def end_with_parent() -> None:
    """End this worker of `multiprocessing` as soon as its parent has ended, whatever it is at."""
    import multiprocessing
    from multiprocessing import connection

    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(GONE)

    threading.Thread(target=watch, name="parent", daemon=True).start()


def end_with_input() -> None:
    """End this process, and those that it has begun, when its standard input ends."""
    threading.Thread(target=_watch, name="parent", daemon=True).start()


def _watch() -> None:
    try:
        while os.read(STANDARD_INPUT, 64):
            pass
    except OSError:
        pass
    if hasattr(os, "killpg") and os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGTERM)  # those that it has begun as well
    else:
        os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os._exit(GONE)


def main() -> None:
    """Run the module that is named."""
    end_with_input()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
