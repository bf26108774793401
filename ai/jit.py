"""The decorators for kernels, `kernel` and `lean`: `nogil=True, cache=True`, cached where `ai.kernels` says.

Rules for kernels: few signatures, explicit stacks instead of recursion (a cached recursive kernel crashes when
it is loaded a second time), every constant on a 64-bit board as `np.uint64`, no index from the end: `a[-1]` would be
memory before the array. `NUMBA_BOUNDSCHECK=1 TRILOGIC_CACHE=FOLDER ./test`, with an empty folder, finds such an index.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, cast

import filelock
import numba
from numba.core import types
from numba.np import arrayobj

from ai import kernels

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])
_UNLITERAL: Callable[[Any], Any] = types.unliteral
"""The type of all constants like this one."""
_PATIENCE_SECONDS = 60.0
"""Longer than any kernel takes."""
_WORD = 64
"""Bits of the widest numbers, which keep their type: an unsigned one is a board."""


def _index(context: Any, builder: Any, kind: Any, index: Any, _size: Any) -> Any:
    """An index as it is: numba asks of each whether it is negative and counts from the end, a seventh of a search's time."""
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


setattr(arrayobj, "fix_integer_index", _index)  # noqa: B010 (as above)


class _Turn:
    """A kernel is compiled by one process at a time: another one that needs it waits, and loads it."""

    def __init__(self, cache: Any) -> None:
        """Of the cache that numba has made for the kernel."""
        self._load, self._save = cache.load_overload, cache.save_overload
        self._file = f"{cache._cache_file._index_path}.lock"
        self._lock: filelock.BaseFileLock | None = None
        cache.load_overload, cache.save_overload = self.load, self.save

    def load(self, signature: Any, target: Any) -> Any:
        """The kernel, or None for whoever is to compile it now."""
        found = self._load(signature, target)
        if found is None and self._begin():
            found = self._load(signature, target)
            if found is not None:
                self._end()
        return found

    def save(self, signature: Any, compiled: Any) -> None:
        """Keep it for the others."""
        try:
            self._save(signature, compiled)
        finally:
            self._end()

    def _begin(self) -> bool:
        """Wait for the turn; False where it is ours already, or the other process does not come to an end."""
        if self._lock is not None:
            return False
        lock = filelock.FileLock(self._file)
        try:
            lock.acquire(timeout=_PATIENCE_SECONDS)
        except (OSError, filelock.Timeout):
            return False
        self._lock = lock
        return True

    def _end(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def kernel(function: FunctionT) -> FunctionT:
    """Compile `function` lazily, without the interpreter lock, cached in the folder of its game.

    Every function called from a kernel is a kernel too, and lives in the same game's folder or in a shared
    module directly under `ai`.
    """
    return _compiled(function, True)


def lean(function: FunctionT) -> FunctionT:
    """A kernel that makes no arrays and returns none, which saves counting who refers to those that it is given.

    A small kernel that is called with many arrays spends a fifth of its time on that. numba refuses a lean kernel that
    does make one; it must also copy a row element by element. What it calls may be lean or not.
    """
    return _compiled(function, False)


def _compiled(function: FunctionT, counted: bool) -> FunctionT:
    package, _, place = function.__module__.partition(".")
    if package == "ai":  # tests have kernels too
        game = place.split(".")[0] if "." in place else kernels.SHARED
        setattr(numba.config, "CACHE_DIR", str(kernels.cache_folder(game)))  # noqa: B010 (mypy knows no such name)
    # nothing is called from C, and the wrapper for that is compiled as well unless it is left out
    options: dict[str, Any] = {"nogil": True, "cache": True, "_nrt": counted, "no_cfunc_wrapper": True}
    compiled: Any = numba.njit(**options)(function)
    _Turn(compiled._cache)
    # numba would compile a kernel anew for every constant and every width of numbers that another one calls it with
    described = compiled.get_call_template

    def get_call_template(arguments: Iterable[Any], named: Mapping[str, Any]) -> Any:
        general = {name: _general(each) for name, each in named.items()}
        return described([_general(each) for each in arguments], general)

    compiled.get_call_template = get_call_template
    return cast(FunctionT, compiled)


def _general(given: Any) -> Any:
    """The type of an argument, for all constants and all narrower whole numbers like it."""
    found = _UNLITERAL(given)
    narrow = isinstance(found, types.Integer) and getattr(found, "bitwidth", _WORD) < _WORD
    return types.int64 if narrow else found
