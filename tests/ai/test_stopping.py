"""Small programs are told to end, wherever they are: each ends with its signal's code and one line, and saves what it holds."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals there")
ROOT = Path(__file__).parents[2]
BEGIN = "import os, signal, sys, time\nfrom ai import stopping\nstopping.install()\n"
READY = "print('ready', flush=True)\n"
STOPPED = "trilogic: stopped.\n"
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}

PLACES = {
    "sleeping": READY + "time.sleep(60)",
    "in a long call": "import hashlib\n" + READY + "hashlib.pbkdf2_hmac('sha256', b'a', b'b', 2**30)",
    "where everything is caught": READY
    + "while True:\n  try:\n    time.sleep(0.001)\n  except BaseException:\n    pass",
    "in finalizers": "class Dying:\n  def __del__(self):\n    time.sleep(0.001)\n" + READY + "while True:\n  Dying()",
    "in an import": "import pathlib\npathlib.Path(sys.argv[1], 'slow.py').write_text('import time; time.sleep(60)')\n"
    "sys.path.insert(0, sys.argv[1])\n"
    + READY
    + "try:\n  import slow\nexcept BaseException:\n  raise ImportError from None",
    "while others are asked to save": "import threading\nthreading.Thread(target=time.sleep, args=(60,)).start()\n"
    + READY,
}


@pytest.fixture
def begin(tmp_path: Path) -> Callable[..., "subprocess.Popen[str]"]:
    def start(program: str, **more: object) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-c", BEGIN + program, str(tmp_path)], cwd=ROOT, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more,
        )  # fmt: skip
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        return process

    return start


@pytest.mark.parametrize("number", list(CODES), ids=lambda number: number.name)
@pytest.mark.parametrize("place", list(PLACES))
def test_at_once_with_one_line(
    begin: Callable[..., "subprocess.Popen[str]"], place: str, number: signal.Signals
) -> None:
    process = begin(PLACES[place])
    process.send_signal(number)
    out, err = process.communicate(timeout=10)
    print(process.returncode, repr(err))
    assert (process.returncode, out, err) == (CODES[number], "", STOPPED)


def test_what_has_something_to_save_is_asked_and_the_first_signal_counts(
    begin: Callable[..., "subprocess.Popen[str]"],
) -> None:
    process = begin(
        "asked = []\nwith stopping.politely(lambda: (asked.append(1), print('asked', flush=True))):\n"
        "  print('ready', flush=True)\n"
        "  while len(asked) < 2: time.sleep(0.001)\n  print('saved', stopping.received())\nstopping.leave(stopping.exit_code())"
    )
    process.send_signal(signal.SIGHUP)
    assert process.stdout is not None and process.stdout.readline() == "asked\n"
    process.send_signal(signal.SIGTERM)  # the end of a session sends both
    out, err = process.communicate(timeout=10)
    assert (process.returncode, out, err) == (129, "asked\nsaved True\n", "")


def test_a_second_ctrl_c_ends_what_is_slow_to_save(begin: Callable[..., "subprocess.Popen[str]"]) -> None:
    process = begin(
        "with stopping.politely(lambda: print('asked', flush=True)):\n  print('ready', flush=True)\n  time.sleep(60)"
    )
    process.send_signal(signal.SIGINT)
    assert process.stdout is not None and process.stdout.readline() == "asked\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=10)
    assert (process.returncode, err) == (130, STOPPED)


def test_a_window_saves_however_often_somebody_asks(begin: Callable[..., "subprocess.Popen[str]"]) -> None:
    process = begin(
        "with stopping.politely(lambda: print('asked', flush=True), firm=True):\n  print('ready', flush=True)\n"
        "  sys.stdin.readline()\n  print('saved', flush=True)"
    )
    assert process.stdin is not None and process.stdout is not None
    for _ in range(3):
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "asked\n"
    process.stdin.write("it is on the disk\n")
    process.stdin.flush()
    assert process.stdout.readline() == "saved\n"
    process.kill()
    process.communicate()


def test_a_file_that_is_being_written_gets_whole(begin: Callable[..., "subprocess.Popen[str]"]) -> None:
    process = begin(
        "with stopping.held():\n  print('ready', flush=True)\n  while not stopping.received(): time.sleep(0.001)\n"
        "  os.write(1, b'whole')\nos.write(1, b'never')"
    )
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=10) == ("whole", STOPPED) and process.returncode == 143


def test_its_temporary_folder_goes_with_it(begin: Callable[..., "subprocess.Popen[str]"], tmp_path: Path) -> None:
    process = begin(
        "from ai import temporary\nwith temporary.folder() as folder:\n  (folder / 'file').touch()\n"
        "  print('ready', flush=True)\n  print(folder, flush=True)\n  time.sleep(60)"
    )
    assert process.stdout is not None
    folder = Path(process.stdout.readline().strip())
    assert (folder / "file").exists()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
    assert not folder.exists()


def test_under_nohup_the_terminal_may_go(begin: Callable[..., "subprocess.Popen[str]"]) -> None:
    process = begin(
        READY + "sys.stdin.readline()\nprint('still here')",
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    process.send_signal(signal.SIGHUP)
    out, err = process.communicate("go on\n", timeout=10)
    assert (process.returncode, out, err) == (0, "still here\n", "")


CHILD = """
import os, subprocess, sys, time
from ai import child
other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(os.getpid(), other.pid, flush=True)
while True: pass
"""
PARENT = """
import subprocess, sys, time
from ai import child
job = subprocess.Popen(child.command("busy"), cwd=sys.argv[1], stdin=subprocess.PIPE, process_group=0)
time.sleep(60)
"""


def test_the_one_who_began_it_is_killed_and_all_of_it_ends(tmp_path: Path) -> None:
    (tmp_path / "busy.py").write_text(CHILD)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path)], stdout=subprocess.PIPE, text=True,
                              env=environment)  # fmt: skip
    assert parent.stdout is not None
    others = [int(word) for word in parent.stdout.readline().split()]
    assert len(others) == 2 and all(_alive(each) for each in others), "a child that computes, and one of its own"
    parent.kill()
    parent.wait()
    parent.stdout.close()
    end = time.monotonic() + 2
    while any(_alive(each) for each in others) and time.monotonic() < end:
        time.sleep(0.01)
    assert not any(_alive(each) for each in others)


def _alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
