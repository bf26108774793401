"""`solve FILE --agent A`: Sokoban levels solved one by one or in several processes, each solution verified."""

import argparse
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from ai import catalogue, kernels
from ai.entries import Spec
from game.cli.arguments import add_agent, add_budget, read_bytes, spec, whole
from game.cli.errors import CliError
from game.cli.output import bar, notice, print_json, say, table
from game.cli.recorder import Recorder
from game.play.asking import check_plays, load_kernels
from game.play.sokoban.solving import Result, Task, invalid, solve_here, solve_in_processes
from game.rules import levels, replay, sokoban
from game.rules.levels import Level, LevelError
from game.rules.replay import Step
from game.rules.sokoban import Rules
from game.rules.sokoban.game import GAME
from game.saves import level_forms

HELP = "solve the levels of a file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file, the agent and its limits."""
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="a file of Sokoban levels in any form (docs/sokoban.md)"
    )
    add_agent(parser)
    parser.add_argument(
        "--level",
        type=whole(1, levels.MAX_LEVELS),
        action="extend",
        nargs="+",
        metavar="N",
        help="only these, from 1",
    )
    parser.add_argument(
        "--variant",
        default="push",
        metavar="V",
        help="rules for levels that say nothing of them: push, pull (and push), fixed (targets), two (players), or several",
    )
    add_budget(parser)
    parser.add_argument(
        "--record", type=Path, metavar="DIR", help="write a replay of every solution into this folder"
    )
    parser.add_argument("--jobs", type=whole(1, 256), default=1, metavar="J", help="processes at once (1)")


def run(arguments: argparse.Namespace) -> int:
    """Solve and print; exit code 2 only where no level can be read."""
    try:
        rules = sokoban.rules_of(arguments.variant)
    except ValueError as error:
        raise CliError(str(error)) from None
    chosen = spec(GAME.id, arguments.agent)
    boards = _boards(arguments.file)
    asked, results = _tasks(boards, rules, arguments)
    tasks = _played(asked, chosen, results)
    spent = 0.0
    if tasks:
        load_kernels(kernels.needed(GAME.id, chosen), notice)
        jobs = min(arguments.jobs, len(tasks))
        solving = solve_here(chosen, tasks) if jobs == 1 else solve_in_processes(chosen, tasks, jobs)
        began, ended = time.monotonic(), 0.0
        solved = 0
        with bar(len(tasks), "solving", "level") as shown:
            for result, first, last in solving:
                results.append(result)
                began, ended = (min(began, first) if ended else first), max(ended, last)
                solved += result.status == "solved"
                shown.set_postfix_str(f"{solved} solved", refresh=False)
                shown.update()
        spent = ended - began
    results.sort(key=lambda result: result.level)
    if arguments.record:
        _record(Recorder(arguments.record), str(chosen), arguments, tasks, results)
    _print(arguments, results, spent)
    return 0


def _record(
    recorder: Recorder, agent: str, arguments: argparse.Namespace, tasks: Sequence[Task], results: Sequence[Result]
) -> None:
    """A replay of each solution."""
    states = {task.level: task for task in tasks}
    for result in results:
        if result.solution is not None:
            task = states[result.level]
            steps = [Step(action) for action in sokoban.from_lurd(result.solution)]
            title = task.title or f"{arguments.file.stem} {result.level}"
            game = replay.record(
                task.state, steps, seats=(agent,), seed=task.seed, seconds=result.seconds, title=title
            )
            recorder.keep(f"sokoban-{arguments.file.stem}-{result.level:05}", game)


def _boards(path: Path) -> list[Level | LevelError]:
    """Every board of the file in its order, the refused ones as their errors; raises CliError where none is good."""
    try:
        pack, boards = level_forms.boards(read_bytes(path, level_forms.MAX_BYTES), path.name)
    except LevelError as error:
        raise CliError(str(error)) from None
    if not pack.levels:
        errors = [board for board in boards if isinstance(board, LevelError)]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        raise CliError(f"no level can be read: {errors[0]}{more}")
    return list(boards)


def _played(tasks: Sequence[Task], chosen: Spec, results: list[Result]) -> list[Task]:
    """The levels whose rules the agent plays; the others go into `results`. Raises CliError where it plays none."""
    played = []
    for task in tasks:
        reason = catalogue.why_not(GAME.id, chosen, task.state)
        if reason is None:
            played.append(task)
        else:
            reason = f"{chosen.id}: {reason}"
            results.append(Result(task.level, task.title, "gave_up", variant=task.variant, reason=reason))
    if tasks and not played:
        check_plays(GAME.id, chosen, tasks[0].state)
    return played


def _tasks(
    boards: Sequence[Level | LevelError], rules: Rules, arguments: argparse.Namespace
) -> tuple[list[Task], list[Result]]:
    """What is to be solved, and the results of what cannot be; `rules` for levels that say nothing of theirs."""
    numbers = sorted(set(arguments.level or range(1, len(boards) + 1)))
    if numbers[-1] > len(boards):
        raise CliError(f"{arguments.file}: there is no level {numbers[-1]}, it has {len(boards)}")
    tasks: list[Task] = []
    refused: list[Result] = []
    for number in numbers:
        board = boards[number - 1]
        if isinstance(board, LevelError):
            refused.append(invalid(number, str(board)))
            continue
        try:
            state = _ruled(board.state, rules)
        except ValueError as error:
            refused.append(invalid(number, f"{arguments.file.name}:{board.line}: under {rules.name}: {error}"))
            continue
        tasks.append(Task(number, board.title, state, arguments.seed, arguments.time, arguments.nodes))
    return tasks, refused


def _ruled(state: sokoban.State, rules: Rules) -> sokoban.State:
    """A level that says nothing of its rules, under these; raises ValueError where it lacks what they need."""
    if state.warehouse.rules != sokoban.PUSH_ONLY:
        return state
    return sokoban.from_array(sokoban.to_array(state), rules)


def _print(arguments: argparse.Namespace, results: Sequence[Result], spent: float) -> None:
    solved = sum(result.status == "solved" for result in results)
    if arguments.json:
        forms = [{**asdict(result), "seconds": round(result.seconds, 4)} for result in results]
        for form in forms:
            if form["variant"] == sokoban.PUSH_ONLY.name:
                del form["variant"]
        print_json({"levels": len(results), "solved": solved, "seconds": round(spent, 4), "results": forms})
        return
    rows = [
        (
            result.level,
            result.title or "–",
            result.status.replace("_", " "),
            result.pushes,
            result.moves,
            result.nodes,
            result.seconds,
            result.reason or "",
        )
        for result in results
    ]
    head = ("level", "title", "status", "pushes", "moves", "nodes", "seconds", "")
    say(table(head, rows, left=(1, 2, 7)))
    if len(results) == 1 and results[0].solution:
        say(f"\n{results[0].solution}")
    say(f"\nsolved {solved} of {len(results)} in {spent:.2f} s")
