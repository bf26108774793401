"""One thread for the matrix libraries: in every process of the app, and while an agent of ours thinks in another's."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
import threadpoolctl

from ai import threads

ROOT = Path(__file__).parents[2]
SPY = '''
import os
from multiprocessing.util import Finalize


def tell():
    """What the libraries of this process take at its end, and the threads it has then, after a large product."""
    import json, sys
    import numpy as np

    square = np.ones((600, 600), np.float32)
    square @ square
    import threadpoolctl

    tasks = "/proc/self/task"  # of Linux
    pools = [(each["internal_api"], each["num_threads"]) for each in threadpoolctl.threadpool_info()]
    torch = sys.modules.get("torch")
    pools += [("torch", torch.get_num_threads())] if torch else []
    threads = len(os.listdir(tasks)) if os.path.isdir(tasks) else 1
    told = {"words": sys.argv, "pools": pools, "threads": threads, "ours": os.environ.get("OMP_NUM_THREADS")}
    with open(os.path.join(os.environ["SPY_FOLDER"], f"{os.getpid()}.json"), "w") as file:
        json.dump(told, file)


def leave(code, end=os._exit):  # how commands of ours end
    tell()
    end(code)


os._exit = leave
Finalize(None, tell, exitpriority=0)
'''
ROOM = "#######\n#@ $ .#\n#     #\n#######\n"
LIKE_OTHERS = {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2", "MKL_NUM_THREADS": "2"}
"""What a user may have set for other programs; with one core the library takes one thread whatever they say."""


@pytest.fixture
def spied(tmp_path):
    """`spied(words…)`: run Python with these words as a user would; what each process said at its end."""

    def run(*words):
        told = tmp_path / "told"
        told.mkdir()
        (tmp_path / "sitecustomize.py").write_text(SPY)
        (tmp_path / "two.xsb").write_text(f"{ROOM}\n{ROOM}")
        kept = {key: value for key, value in os.environ.items() if key not in threads.VARIABLES}
        spy = {"PYTHONPATH": str(tmp_path), "SPY_FOLDER": str(told), "SDL_VIDEODRIVER": "dummy"}
        environment = kept | LIKE_OTHERS | spy | {"SDL_AUDIODRIVER": "dummy", "TRILOGIC_EXIT_AFTER_FRAMES": "2"}
        command = [sys.executable, *(word.format(tmp=tmp_path) for word in words)]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return [json.loads(each.read_text()) for each in sorted(told.iterdir())]

    return run


def test_the_spy_sees_threads_where_nothing_holds_them(spied):
    (told,) = spied("-c", "import numpy")
    print(told)
    assert told["ours"] == "2"
    assert [count for _, count in told["pools"]] == [min(2, os.cpu_count())]


COMMANDS = {
    "command": "main.py agents",
    "window": "main.py --saves {tmp}/saves",
    "kernels": "-m ai.preparing",
    "workers": "main.py solve {tmp}/two.xsb --agent policy:sokoban-policy-2min --jobs 2",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_process_of_the_app_takes_one_thread(spied, name):
    told = spied(*COMMANDS[name].split())
    print(*told, sep="\n")
    assert len(told) >= (3 if name == "workers" else 1)
    assert {count for each in told for _, count in each["pools"]} == {1}
    assert {each["ours"] for each in told} == {"1"}


def test_a_training_with_torch_takes_one_thread(spied):
    settings = "roots=1,passes=1,width=8"
    told = spied("main.py", "train", "connect4", "net", "--set", settings, "--out", "{tmp}/made")
    print(*told, sep="\n")
    (training,) = told
    assert ("torch", 1) in [tuple(each) for each in training["pools"]]
    assert {count for _, count in training["pools"]} == {1}
    # the main thread, that of the signals and those that write the log; torch's own would be more
    assert training["threads"] <= 4


def test_in_another_program_the_libraries_are_held_only_while_an_agent_thinks(monkeypatch):
    monkeypatch.setattr(threads, "_held", False)
    seen = []

    def pools():
        return [each["num_threads"] for each in threadpoolctl.threadpool_info() if each["user_api"] == "blas"]

    @threads.one_thread()
    def think():
        seen.append(pools())

    np.ones((2, 2)) @ np.ones((2, 2))
    with threadpoolctl.threadpool_limits(2):
        before = pools()
        assert before and set(before) == {2}
        think()
        assert pools() == before
        with threads.one_thread():
            other = threading.Thread(target=think)
            other.start()
            other.join()
            seen.append(pools())
        assert pools() == before
    assert seen == [[1] * len(before)] * 3


def test_holding_helps_where_numpy_is_there_already():
    program = (
        "import numpy, threadpoolctl; from ai import threads; threads.hold();"
        "print(*(each['num_threads'] for each in threadpoolctl.threadpool_info()))"
    )
    environment = {key: value for key, value in os.environ.items() if key not in threads.VARIABLES}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    print(done.stdout, done.stderr)
    assert set(done.stdout.split()) == {"1"}


def test_nothing_heavy_is_imported_to_hold_threads():
    program = (
        "import sys; from ai import threads; threads.hold(); print('numpy' in sys.modules, 'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["False", "False"], done.stderr
