"""How a training runs, whatever is trained: progress, log, checkpoints, and the model at the end.

Beside the model `NAME.safetensors` stand `NAME.checkpoint.safetensors` (with which the training goes on exactly where
it was), `NAME.csv` (a line of figures every few seconds) and `NAME.tensorboard/` (the same for TensorBoard, where that
is installed). Model and checkpoint are written whole or not at all.
"""

import csv
import math
import os
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from ai import temporary
from ai.agent import Thinking
from ai.models import CHECKPOINT, MAX_TEXT, SUFFIX
from ai.training import Figures, Training
from game.rules.files import check_regular, open_regular

ROUND_SECONDS = 0.5
ROW_SECONDS = 5.0
"""Learning time between two rows of figures at most."""
ROWS = 60
"""In the first minutes they follow each other sooner: after this part of the time so far, a second at least."""
CHECKPOINT_SECONDS = 60.0
CHECKPOINT_SHARE = 0.02
"""Part of the time that goes into writing checkpoints at most: large ones are written less often."""


@runtime_checkable
class Watched(Protocol):
    """A training that can show what it plays."""

    def watch(self) -> Any:
        """The position of a game being played now, as the plain rules have it, or None; a fraction of a millisecond."""
        ...


@runtime_checkable
class Periodic(Protocol):
    """A training that keeps checkpoints on its way."""

    def due(self) -> str | None:
        """The name of a checkpoint that is to be kept now, once for each; asked after every round."""
        ...


@dataclass(frozen=True, slots=True)
class Report:
    """What a listener hears after every round."""

    figures: Figures
    """Of the last few seconds."""
    games: int
    """Finished in all runs."""
    seconds: float
    """Learning time in all runs."""
    eta: float | None
    """Seconds left, as far as that can be known."""
    fraction: float | None


def checkpoint_of(model: Path) -> Path:
    """The checkpoint beside a model."""
    return _beside(model, CHECKPOINT)


def run(
    training: Training,
    model: Path,
    command: str,
    thinking: Thinking,
    listener: Callable[[Report], None] | None = None,
) -> Figures:
    """Train until the goal, the end of the thinking's time, or its cancel; the checkpoint and the model are written.

    Args:
        training: Begun or resumed.
        model: Where the model goes.
        command: The command line of this run; in the headers those of the runs before stand in front of it.
        thinking: Time and cancel.
        listener: Hears a report after every round.

    Returns:
        The last figures.

    Raises:
        OSError: when something cannot be written.
        ValueError: when nothing usable was learned; the checkpoint is written nevertheless.
    """
    checkpoint = checkpoint_of(model)
    temporary.sweep(model.parent)
    command = (training.earlier + command)[-MAX_TEXT:]
    first_games, first_seconds = training.games, training.seconds
    saved, logged = training.seconds, -math.inf
    wait = CHECKPOINT_SECONDS
    figures = training.figures()
    with ExitStack() as stack:
        log = stack.enter_context(Log(model, list(figures), first_seconds))
        done = False
        while not done and not thinking.over():
            done = training.advance(ROUND_SECONDS, thinking)
            ended = done or thinking.over()
            kept = training.due() if isinstance(training, Periodic) else None
            if kept is not None:
                training.save_checkpoint(_beside(model, f".{kept}{CHECKPOINT}"), command)
            if ended or training.seconds - logged >= min(ROW_SECONDS, max(1.0, logged / ROWS)):
                figures = training.figures()
                log.write(training.seconds, figures)
                logged = training.seconds
            if training.seconds - saved >= wait and not ended:
                started = time.perf_counter()
                training.save_checkpoint(checkpoint, command)
                saved = training.seconds
                wait = max(CHECKPOINT_SECONDS, (time.perf_counter() - started) / CHECKPOINT_SHARE)
            if listener is not None:
                fraction = _fraction(training, first_games, thinking)
                spent = training.seconds - first_seconds
                eta = spent * (1 - fraction) / fraction if fraction else None
                listener(Report(figures, training.games, training.seconds, eta, fraction))
    training.save_checkpoint(checkpoint, command)
    training.save_model(model, model.name.removesuffix(SUFFIX), command)
    return figures


class Log:
    """The CSV file and the TensorBoard folder beside a model, which hold the same rows."""

    def __init__(self, model: Path, names: list[str], seconds: float) -> None:
        """Open both; after `seconds` they go on with the CSV file of a run before that has the same columns.

        Rows of later than that are of a run that was killed after its last checkpoint: they are dropped. TensorBoard's are
        made anew from the rows that stay. Raises OSError.
        """
        path = _beside(model, ".csv")
        path.parent.mkdir(parents=True, exist_ok=True)
        head = ["seconds", *names]
        before = _rows_until(path, seconds) if seconds and os.path.exists(path) else []
        rows = before[1:] if before[:1] == [head] else []
        self._names = names
        _replace(path, [head, *rows])
        self._file = path.open("a", encoding="utf-8", newline="")
        self._rows = csv.writer(self._file)
        self._board = _tensorboard(_beside(model, ".tensorboard"))
        if self._board is not None:
            now = time.time()
            for row in rows:
                figures = {name: float(cell) for name, cell in zip(head, row, strict=True)}
                self._board.write(now - seconds + figures.pop("seconds"), figures)

    def write(self, seconds: float, figures: Figures) -> None:
        """One row; TensorBoard counts its steps in games."""
        self._rows.writerow([round(seconds, 2), *(_rounded(figures[name]) for name in self._names)])
        self._file.flush()
        if self._board is not None:
            self._board.write(time.time(), figures)

    def __enter__(self) -> "Log":
        return self

    def __exit__(self, *details: object) -> None:
        self._file.close()
        if self._board is not None:
            self._board.close()


def _rounded(figure: float) -> float:
    """Four decimals, of small numbers five digits."""
    return round(figure, 4) if abs(figure) >= 1 else float(f"{figure:.5g}")


def _replace(path: Path, rows: list[list[str]]) -> None:
    """Write a CSV file so that at every moment the file is the old one or the new one.

    Raises OSError, also where something else than a file is there.
    """
    with suppress(FileNotFoundError):
        check_regular(os.stat(path))
    unnamed = temporary.beside(path)
    try:
        with unnamed.open("x", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
        os.replace(unnamed, path)
    except OSError:
        with suppress(OSError):
            unnamed.unlink()
        raise


def _rows_until(path: Path, seconds: float) -> list[list[str]]:
    """The head and the rows of up to then; a line that is no row of figures ends them."""
    with TextIOWrapper(open_regular(path), encoding="utf-8", errors="replace", newline="") as file:
        rows = csv.reader(file)
        found = [next(rows, [])]
        for row in rows:
            try:
                numbers = [float(cell) for cell in row]
                late = len(numbers) != len(found[0]) or numbers[0] > seconds + 0.01
            except ValueError:
                late = True
            if late:
                break
            found.append(row)
    return found


class _Board:
    """A TensorBoard folder of one training: what was in it before is taken back."""

    def __init__(self, folder: Path) -> None:
        """Begin a file that supersedes those of the runs before. Raises ImportError, OSError."""
        from tensorboard.compat.proto.event_pb2 import Event, SessionLog
        from tensorboard.summary.writer.event_file_writer import EventFileWriter

        before = list(folder.glob("events.out.tfevents.*"))
        self._event: type[Any] = Event
        self._writer: Any = EventFileWriter(str(folder))
        # who reads along forgets all steps from this one on
        self._writer.add_event(Event(wall_time=time.time(), step=0, session_log=SessionLog(status=SessionLog.START)))
        for path in before:  # not removed at once: a reader that has the last one open would never come to the next
            if path.stat().st_size:
                os.truncate(path, 0)
            else:
                path.unlink(missing_ok=True)

    def write(self, when: float, figures: Figures) -> None:
        """One row, at `when` seconds since 1970."""
        from tensorboard.compat.proto.summary_pb2 import Summary

        values = [Summary.Value(tag=name, simple_value=value) for name, value in figures.items()]
        self._writer.add_event(self._event(wall_time=when, step=int(figures["games"]), summary=Summary(value=values)))
        self._writer.flush()

    def close(self) -> None:
        """Write what is left."""
        self._writer.close()


def _tensorboard(folder: Path) -> _Board | None:
    """None without TensorBoard."""
    try:
        return _Board(folder)
    except ImportError:
        return None


def _fraction(training: Training, first_games: int, thinking: Thinking) -> float | None:
    """The share of this run that is done, by whichever end is nearer; None when it has none."""
    shares = []
    if training.goal is not None:
        shares.append((training.games - first_games) / max(1, training.goal - first_games))
    if thinking.seconds_limit is not None:
        shares.append(thinking.elapsed / thinking.seconds_limit)
    return min(1.0, max(shares)) if shares else None


def _beside(model: Path, ending: str) -> Path:
    return model.with_name(model.name.removesuffix(SUFFIX) + ending)
