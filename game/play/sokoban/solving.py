"""Solving Sokoban levels, in this process or in several, with every solution replayed by the plain rules."""

import contextlib
import multiprocessing
import signal
import time
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, cast

from ai import child, kernels, stopping, threads
from ai.agent import Agent, Plan, Status, Thinking
from ai.entries import Spec
from game.play.asking import load_kernels, make
from game.rules import sokoban
from game.rules.sokoban.game import GAME


@dataclass(frozen=True, slots=True)
class Task:
    """One level to solve."""

    level: int
    """Number in the file, from 1."""
    title: str
    state: sokoban.State
    seed: int
    time: float | None
    nodes: int | None

    @property
    def variant(self) -> str:
        """The rules of the level."""
        return self.state.warehouse.rules.name


@dataclass(frozen=True, slots=True)
class Result:
    """What `solve` says of one level; the fields are the keys of its JSON form."""

    level: int
    title: str
    status: str
    """solved, unsolvable, gave_up or invalid."""
    solution: str | None = None
    """LURD, capitals push (after `-` pull)."""
    moves: int | None = None
    pushes: int | None = None
    """Pushes and pulls."""
    nodes: int = 0
    seconds: float = 0.0
    reason: str | None = None
    """Why there is no solution."""
    variant: str = sokoban.PUSH_ONLY.name
    """Left out of the JSON form where it is push only."""


Timed = tuple[Result, float, float]
"""A result with the times (time.monotonic) at which the work on it began and ended."""


def invalid(level: int, reason: str) -> Result:
    """The result of a board that is no level."""
    return Result(level, "", "invalid", reason=reason)


def solve_here(spec: Spec, tasks: Sequence[Task]) -> Iterator[Timed]:
    """Solve one after the other, in order; the kernels are loaded."""
    agent = make(GAME.id, spec, 0)
    return (_solve(agent, task) for task in tasks)


def solve_in_processes(spec: Spec, tasks: Sequence[Task], jobs: int) -> Iterator[Timed]:
    """Solve in `jobs` processes, in the order in which they end; the kernels are compiled.

    A process that breaks off, for want of memory as a rule, costs the level it was at; another takes its place. Processes
    are ended when the iterator is closed, and end with this one.

    Raises:
        NotReady: where a process cannot make the agent.
    """
    waiting = deque(tasks)
    workers: dict[Connection, tuple[BaseProcess, Task]] = {}
    try:
        while waiting or workers:
            while waiting and len(workers) < jobs:
                mine, process = _begin(spec)
                workers[mine] = process, waiting.popleft()
                _give(mine, workers[mine][1])
            for ready in wait(list(workers)):
                mine = cast(Connection, ready)
                process, task = workers[mine]
                try:
                    said = mine.recv()
                except (EOFError, OSError):
                    del workers[mine]
                    now = time.monotonic()
                    yield _broken_off(task, process), now, now
                    continue
                if isinstance(said, Exception):
                    raise said
                if waiting:
                    workers[mine] = process, waiting.popleft()
                    _give(mine, workers[mine][1])
                else:
                    del workers[mine]
                    mine.close()
                    process.join()
                yield said
    finally:
        for process, _ in workers.values():
            process.kill()
            process.join()


def _give(mine: Connection, task: Task) -> None:
    with contextlib.suppress(OSError):  # it has broken off, which is noticed when its answer is missing
        mine.send(task)


def _begin(spec: Spec) -> tuple[Connection, BaseProcess]:
    context = multiprocessing.get_context("spawn")
    mine, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, spec), daemon=True)
    with stopping.shielded():  # the tracker itself ignores Ctrl-C and SIGTERM only
        resource_tracker.ensure_running()  # else the first start does it, and lets signals through
    with stopping.shielded():
        process.start()
    theirs.close()
    return mine, process


def _broken_off(task: Task, process: BaseProcess) -> Result:
    process.join()
    return Result(
        task.level,
        task.title,
        "gave_up",
        variant=task.variant,
        reason=f"the process that solved it broke off (exit code {process.exitcode}); perhaps memory ran out",
    )


def verify(state: sokoban.State, actions: Sequence[int]) -> tuple[str, int]:
    """The solution as LURD and its pushes; raises ValueError where the plain rules say it is none."""
    pushes = 0
    reached = state
    for action in actions:
        pushes += sokoban.moves_box(reached, action)
        reached = sokoban.apply(reached, action)
    if not sokoban.is_solved(reached):
        raise ValueError("not every box is on a target at the end")
    return sokoban.to_lurd(state, tuple(actions)), pushes


def _work(theirs: Connection, spec: Spec) -> None:
    """A process that solves what it is sent until nobody sends any more."""
    child.end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it could not be shielded from it
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    try:
        threads.hold()
        load_kernels(kernels.needed(GAME.id, spec))
        agent = make(GAME.id, spec, 0)
        while True:
            theirs.send(_solve(agent, theirs.recv()))
    except EOFError:
        stopping.leave(0)
    except Exception as error:
        error.add_note(traceback.format_exc())
        theirs.send(error)


def _solve(agent: Agent[Any], task: Task) -> Timed:
    agent.new_game(task.seed)
    began = time.monotonic()
    plan = agent.plan(task.state, Thinking(task.time, task.nodes))
    ended = time.monotonic()
    return _result(task, plan, ended - began), began, ended


def _result(task: Task, plan: Plan, seconds: float) -> Result:
    found = Result(task.level, task.title, "gave_up", nodes=plan.nodes, seconds=seconds, variant=task.variant)
    if plan.status is Status.SOLVED:
        try:
            solution, pushes = verify(task.state, plan.actions)
        except ValueError as error:
            return replace(found, reason=f"the agent's solution is wrong: {error}")
        return replace(found, status="solved", solution=solution, moves=len(plan.actions), pushes=pushes)
    status = "unsolvable" if plan.status is Status.UNSOLVABLE else "gave_up"
    return replace(found, status=status, reason=plan.note or None)
