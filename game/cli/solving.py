"""Solving Sokoban levels, in this process or in several, with every solution replayed by the plain rules."""

import multiprocessing
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from typing import Any

from ai.agent import Agent, Plan, Status, Thinking
from ai.entries import Spec
from game.cli.seat import load_kernels, make
from game.rules import sokoban


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

_agent: Agent[Any] | None = None
"""The agent of a worker process."""


def invalid(level: int, reason: str) -> Result:
    """The result of a board that is no level."""
    return Result(level, "", "invalid", reason=reason)


def solve_here(spec: Spec, tasks: Sequence[Task]) -> Iterator[Timed]:
    """Solve one after the other, in order; the kernels are loaded."""
    agent = make("sokoban", spec, 0)
    return (_solve(agent, task) for task in tasks)


def solve_in_processes(spec: Spec, tasks: Sequence[Task], jobs: int) -> Iterator[Timed]:
    """Solve in `jobs` processes, in the order in which they end; the kernels are compiled.

    When the iterator is closed early (Ctrl-C) the processes are ended at once.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_prepare, initargs=(spec,)) as pool:
        waiting = [pool.submit(_solve_there, task) for task in tasks]
        try:
            for done in as_completed(waiting):
                yield done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
            raise


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


def _prepare(spec: Spec) -> None:
    """Start of a worker process: Ctrl-C is its parent's business."""
    global _agent
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    load_kernels("sokoban")
    _agent = make("sokoban", spec, 0)


def _solve_there(task: Task) -> Timed:
    assert _agent is not None
    return _solve(_agent, task)


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
