"""The decorator of all kernels."""

import ast
import importlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import config
from numba.core.errors import NumbaError

from ai import jit, kernels

ROOT = Path(jit.__file__).parent


def _probe(decorator: Any, monkeypatch: pytest.MonkeyPatch, folder: Any) -> Callable[[Any], Any]:
    """The decorator, for functions of a module that does not exist, cached in `folder`."""
    monkeypatch.setattr(kernels, "cache_folder", lambda family: folder)

    def made(function: Any) -> Any:
        function.__module__ = "ai.sokoban.probe"
        return decorator(function)

    return made


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Callable[[Any], Any]:
    return _probe(jit.kernel, monkeypatch, tmp_path)


@pytest.fixture
def lean(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Callable[[Any], Any]:
    return _probe(jit.lean, monkeypatch, tmp_path)


def test_a_constant_as_argument_needs_no_code_of_its_own(kernel: Callable[[Any], Any]) -> None:
    """Without that a kernel would be compiled again for every constant that others call it with."""

    @kernel
    def power(base: int, exponent: int, twice: bool) -> int:
        return base ** (exponent + exponent) if twice else base**exponent

    @kernel
    def powers(base: int) -> int:
        return power(base, 1, False) + power(base, exponent=2, twice=True) + power(base, base, base > 2)

    assert powers(2) == 2 + 16 + 4
    print(power.signatures)
    assert len(power.signatures) == 1


def test_numbers_of_any_width_need_no_code_of_their_own(kernel: Callable[[Any], Any]) -> None:
    """The same for what is read from arrays; boards of 64 bits stay what they are."""

    @kernel
    def total(base: int, other: int) -> int:
        return base + other

    @kernel
    def both(words: Any, shorts: Any, ints: Any) -> Any:
        return total(shorts[0], ints[0]), total(words[0], np.uint64(1))

    assert both(np.full(1, 2**64 - 2, np.uint64), np.ones(1, np.uint16), np.full(1, -3, np.int32)) == (-2, 2**64 - 1)
    print(total.signatures)
    assert len(total.signatures) == 2


def test_a_lean_kernel_works_on_rows_and_refuses_to_make_arrays(lean: Callable[[Any], Any]) -> None:
    @lean
    def total(rows: Any, row: int) -> int:
        here = rows[row]
        here[0] = 7
        return int(here.sum())

    @lean
    def fresh(size: int) -> int:
        return len(np.zeros(size))

    rows = np.arange(6).reshape(2, 3)
    assert total(rows, 1) == 7 + 4 + 5 and rows[1, 0] == 7
    with pytest.raises(NumbaError):
        fresh(3)


def _from_the_end(source: str, names: dict[str, Any]) -> Iterator[int]:
    """The lines of kernels on which an index is a negative constant, of a module with these names."""
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        if not any(isinstance(each, ast.Name) and each.id in ("kernel", "lean") for each in function.decorator_list):
            continue
        for each in ast.walk(function):
            indices = each.slice if isinstance(each, ast.Subscript) else ast.Tuple([])
            for index in indices.elts if isinstance(indices, ast.Tuple) else [indices]:
                named = names.get(index.id) if isinstance(index, ast.Name) else None
                if isinstance(index, ast.UnaryOp) or (isinstance(named, int) and named < 0):
                    yield each.lineno


def test_no_kernel_counts_from_the_end() -> None:
    """`ai.jit` makes an index what it says, so -1 is memory before the array."""
    shown = "@lean\ndef last(a):\n    return a[LAST, 0] + a[0, -1] + a[FIRST, 1]"
    assert list(_from_the_end(shown, {"LAST": -1, "FIRST": 0})) == [3, 3]
    looked = 0
    for path in ROOT.rglob("*.py"):
        source = path.read_text("utf-8")
        if "ai.jit" in source:
            module = importlib.import_module(".".join(path.relative_to(ROOT.parent).with_suffix("").parts))
            assert list(_from_the_end(source, vars(module))) == [], path
            looked += 1
    assert looked > 50


@pytest.mark.skipif(bool(getattr(config, "BOUNDSCHECK", None)), reason="indices are checked")
def test_an_index_is_not_asked_whether_it_is_negative(kernel: Callable[[Any], Any]) -> None:
    @kernel
    def at(numbers: Any, index: int) -> int:
        return int(numbers[index])

    assert at(np.arange(5)[3:], -2) == 1


COMPILED_HERE = """
import sys
from numba.core.dispatcher import Dispatcher
from ai import kernels
kernels.warm(["ai.connect4.warm:networks"])
for name, module in list(sys.modules.items()):
    if name.startswith("ai."):
        for value in vars(module).values():
            if isinstance(value, Dispatcher) and value.py_func.__module__ == name:
                for signature in value.stats.cache_misses:
                    print(name, value.py_func.__name__, signature)
"""


def test_two_processes_at_once_compile_every_kernel_once(tmp_path: Path) -> None:
    words, environment = [sys.executable, "-c", COMPILED_HERE], {**os.environ, "TRILOGIC_CACHE": str(tmp_path)}
    both = [
        subprocess.Popen(words, cwd=ROOT.parent, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    said = [process.communicate(timeout=120)[0].splitlines() for process in both]
    print(*said, sep="\n")
    assert [process.returncode for process in both] == [0, 0]
    assert len({*said[0], *said[1]}) == len(said[0]) + len(said[1]) >= 3
