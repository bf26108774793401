"""Freed memory goes back to the system: a process that has had large arrays between small ones is small again."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """
import ctypes, sys
from pathlib import Path
from game.ui import heap

if sys.argv[1] == "kept small":
    heap.keep_small()
library = ctypes.CDLL(None)
library.malloc.restype, library.malloc.argtypes, library.free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]
library.free(library.malloc(30 << 20))  # from now on glibc puts arrays of this size on its heap
large, small = [], []
for _ in range(40):
    large.append(library.malloc(4 << 20))
    ctypes.memset(large[-1], 1, 4 << 20)
    small.append(library.malloc(2000))
for each in large:
    library.free(each)
print(int(Path("/proc/self/status").read_text().split("VmRSS:")[1].split()[0]) // 1000)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the heap of glibc is meant")
def test_large_arrays_go_back() -> None:
    def megabytes(how: str) -> int:
        words = [sys.executable, "-c", PROGRAM, how]
        return int(subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout)

    kept_small, left_to_itself = megabytes("kept small"), megabytes("left to itself")
    print(f"{kept_small} MB, {left_to_itself} MB where glibc is left to itself")
    assert kept_small < left_to_itself - 100
