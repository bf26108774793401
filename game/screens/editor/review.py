"""The live checks beside the board: at once on ordinary maps, in a thread where the search for stuck boxes is long."""

from concurrent.futures import Future, ThreadPoolExecutor

from game.rules.editing import checks
from game.rules.editing.checks import Check
from game.rules.editing.drawings import Drawing
from game.rules.sokoban import PUSH_ONLY, Rules

LARGE = 600
"""Squares from which on stuck boxes are looked for in a thread."""
WAITING = Check("stuck", "wait", "looking for stuck boxes …")


class Review:
    """What is wrong with the drawing that was looked at last."""

    def __init__(self) -> None:
        """Nothing was looked at yet."""
        self.checks: tuple[Check, ...] = ()
        self._seen: tuple[Drawing | None, Rules] = (None, PUSH_ONLY)
        self._thread: ThreadPoolExecutor | None = None
        self._search: Future[Check] | None = None
        self._searched: tuple[Drawing | None, Rules] = (None, PUSH_ONLY)

    def look(self, drawing: Drawing, rules: Rules = PUSH_ONLY) -> None:
        """Bring the checks up to date; cheap when nothing changed. Call every frame."""
        if drawing is not self._seen[0] or rules != self._seen[1]:
            self._seen = (drawing, rules)
            quick = checks.quick_checks(drawing, rules)
            small = drawing.rows * drawing.cols < LARGE
            self.checks = (*quick, checks.stuck_check(drawing, rules) if small else WAITING)
        if self.checks[-1] is WAITING:
            self._wait_for(drawing, rules)

    def _wait_for(self, drawing: Drawing, rules: Rules) -> None:
        """One search at a time: while somebody draws, only the newest drawing is searched next."""
        if self._search is not None and self._search.done():
            found, self._search = self._search.result(), None
            if self._searched[0] is drawing and self._searched[1] == rules:
                self.checks = (*self.checks[:-1], found)
                return
        if self._search is None:
            if self._thread is None:
                self._thread = ThreadPoolExecutor(1, "checks")
            self._searched = (drawing, rules)
            self._search = self._thread.submit(checks.stuck_check, drawing, rules)

    @property
    def faults(self) -> frozenset[int]:
        """Squares with which something is wrong."""
        return frozenset().union(*(check.squares for check in self.checks if check.verdict == "bad"))

    @property
    def missing(self) -> dict[int, int]:
        """Kind of square -> how many of it are missing."""
        return dict(check.missing for check in self.checks if check.missing is not None)

    @property
    def notes(self) -> frozenset[int]:
        """Squares with which something is odd."""
        return frozenset().union(*(check.squares for check in self.checks if check.verdict == "note"))

    def close(self) -> None:
        """End the thread."""
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)
