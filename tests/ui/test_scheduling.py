"""The thread that draws asks Linux for turns as long as a frame; what it starts has the usual ones."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from game.ui import scheduling

ROOT = Path(__file__).parents[2]
PROGRAM = """
import os, threading
from pathlib import Path
from game.ui import scheduling

def turn(task):
    lines = Path(f"/proc/self/task/{task}/sched").read_text().splitlines()
    return [line.split()[-1] for line in lines if line.startswith("se.slice")]

os.nice(3)
before = turn(threading.get_native_id())
scheduling.ask_for_whole_frames()
scheduling.ask_for_whole_frames()
after, other = turn(threading.get_native_id()), []
thread = threading.Thread(target=lambda: other.extend(turn(threading.get_native_id())))
thread.start()
thread.join()
print(*before, *after, *other, os.getpriority(os.PRIO_PROCESS, 0))
"""


def _kernel() -> tuple[int, ...]:
    return tuple(int(part) for part in platform.release().split("-")[0].split(".")[:2] if part.isdigit())


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or _kernel() < (6, 12) or not Path("/proc/self/sched").exists(),
    reason="this system has no turns to ask for",
)
def test_only_the_thread_that_asks_has_longer_turns_and_its_share_stays() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True)
    print(done.stdout)
    before, after, other, nice = map(int, done.stdout.split())
    assert after == round(scheduling.FRAME_SECONDS * 1e9)
    assert before == other != after
    assert nice == 3
