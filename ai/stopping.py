"""How a process of ours ends when it is told to: Ctrl-C, SIGTERM (asked to end), SIGHUP (its terminal has gone).

`install` comes before anything else is imported, so this module imports next to nothing. Nothing is ever raised in the
main thread: there it could strike in the middle of a library's import or in a callback whose exceptions are dropped.
The interpreter writes the signal's number into a pipe instead, also while the main thread is inside a long call, and a
thread of ours does what is right at that moment:

- as a rule it ends the process at once, with one line: nothing is half done.
- inside `politely` it only notes the signal, for a command that has something to finish; it looks at `received` or is
  told by a function. A second Ctrl-C ends at once nevertheless; a second SIGTERM or SIGHUP does not, because the end of
  a session sends both.
- inside `held` it waits for the end of the block: a file is being written.

A signal that is ignored when we begin (SIGHUP under `nohup`) stays ignored.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` itself takes as long to import as all the others together
    from typing import NoReturn

SIGNALS = tuple(
    signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if name in signal.Signals.__members__
)
LINE = "stopped."
_FIRST = 128
"""An exit code is this and the number of the signal."""


class State:
    """Where the process stands."""

    def __init__(self) -> None:
        """Nobody has told it anything."""
        self.received: int | None = None
        """The first signal, once there was one."""
        self.insisted = False
        """Whether Ctrl-C was pressed after that."""
        self.held = 0
        """`held` blocks that are open."""
        self.waiting = False
        """Whether a signal waits for their end."""
        self.polite: list[Callable[[], None]] = []
        """What the open `politely` blocks want called."""
        self.firm = 0
        """How many of them are not to be hurried."""
        self.told = False
        """Whether the one line has been said."""
        self.clean: list[Callable[[], None]] = []
        """What is to be called before the process ends at once."""


_state = State()
_lock = threading.RLock()


def install() -> None:
    """From now on signals are obeyed; call it once, on the main thread, before other imports."""
    reader, writer = os.pipe()
    if os.name == "posix":
        os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_listen, args=(reader,), name="signals", daemon=True).start()
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda _number, _frame: None)  # the thread does it


def _listen(reader: int) -> None:
    while found := os.read(reader, 64):
        for number in found:
            if number in SIGNALS:
                receive(number)


def receive(number: int) -> None:
    """A signal has come: end, or let those who hold the process know."""
    with _lock:
        if _state.received is None:
            _state.received = number
        elif number == signal.SIGINT:
            _state.insisted = True
        _obey()


def received() -> bool:
    """Whether the process was told to end."""
    return _state.received is not None


def exit_code() -> int:
    """130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP; that of Ctrl-C where there was no signal."""
    return _FIRST + (_state.received or signal.SIGINT)


def told() -> None:
    """The one line about how the process ends is out: no other follows."""
    _state.told = True


def _obey() -> None:
    _state.waiting = _state.held > 0
    if _state.waiting:
        return
    if _state.polite and not (_state.insisted and not _state.firm):
        for stop in _state.polite:
            stop()
        return
    for clean in reversed(_state.clean):
        with contextlib.suppress(Exception):
            clean()
    if not _state.told:
        say(LINE)
    os._exit(exit_code())


def say(line: str) -> None:
    """One line on standard error, in the place of a progress bar; without any stream, whose lock may be taken."""
    start = "\r\x1b[K" if os.name == "posix" and os.isatty(2) else ""
    with contextlib.suppress(OSError):  # the terminal has gone
        os.write(2, f"{start}trilogic: {line}\n".encode())


@contextlib.contextmanager
def politely(stop: Callable[[], None] = lambda: None, firm: bool = False) -> Iterator[None]:
    """In here the process is not ended: `stop` is called, on a thread of its own, and `received` is true.

    A second Ctrl-C ends it nevertheless, unless it is to be `firm`: a window saves, however often somebody asks.
    """
    with _lock:
        _state.polite.append(stop)
        _state.firm += firm
    try:
        yield
    finally:
        with _lock:
            _state.polite.remove(stop)
            _state.firm -= firm


@contextlib.contextmanager
def held() -> Iterator[None]:
    """In here signals wait: for what takes a moment and must be whole."""
    with _lock:
        _state.held += 1
    try:
        yield
    finally:
        with _lock:
            _state.held -= 1
            if _state.waiting:
                _obey()


@contextlib.contextmanager
def shielded() -> Iterator[None]:
    """`held`, and processes that are begun in here get no signals of a terminal: they end with this one."""
    with held():
        if not hasattr(signal, "pthread_sigmask"):
            yield
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def cleaning(clean: Callable[[], None]) -> Iterator[None]:
    """`clean` is called where the process is ended in here; what was begun last is cleaned first."""
    with _lock:
        _state.clean.append(clean)
    try:
        yield
    finally:
        with _lock:
            _state.clean.remove(clean)


def leave(code: int) -> "NoReturn":
    """End the process, with all that was printed, but without the interpreter's way out, where a signal is an accident."""
    with _lock:
        _state.held += 1
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)
