"""`generate --size RxC --boxes N --count K --out FILE`: solvable Sokoban rooms, as many as wanted, of a wanted difficulty."""

import argparse
import os
import shlex
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ai import kernels, stopping
from ai.agent import Progress, Thinking
from ai.sokoban.rooms.kinds import HARDEST, MAX_BOXES, MAX_SIDE, MIN_SIDE, MODES, RoomError, check_size
from ai.temporary import sweep
from game.cli.arguments import whole
from game.cli.errors import CliError
from game.cli.output import bar, notice, print_json, say, table
from game.play.asking import load_kernels
from game.play.words import counted
from game.rules import levels, sokoban
from game.rules.levels import Level, Pack
from game.rules.sokoban.game import GAME
from game.saves.files import write_whole

if TYPE_CHECKING:
    from ai.sokoban.rooms.graded import GradedRoom
    from ai.sokoban.rooms.maker import RoomMaker

HELP = "make Sokoban rooms that can be solved, no two alike"
_SLICE = 500
"""Rooms made between two looks at what was made."""

Made = tuple[Level, dict[str, Any]]
"""A room and what is said of it in JSON."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What kind, how many, and where they go."""
    parser.add_argument(
        "--size", type=_size, required=True, metavar="RxC", help=f"rows x columns, {MIN_SIDE} to {MAX_SIDE} each"
    )
    parser.add_argument(
        "--boxes", type=whole(1, MAX_BOXES), required=True, metavar="N", help=f"boxes, 1 to {MAX_BOXES}"
    )
    parser.add_argument(
        "--count", type=whole(1, levels.MAX_LEVELS), default=1, metavar="K", help="how many different rooms (1)"
    )
    parser.add_argument(
        "--mode",
        default="established",
        metavar="M",
        help=f"{', '.join(MODES)} (established): docs/sokoban-rooms.md says how they differ",
    )
    parser.add_argument(
        "--difficulty",
        type=_range,
        metavar="LO-HI",
        help=f"solve every room and keep those from LO to HI on a scale of 0 to {HARDEST}",
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="the file of levels to write (XSB text)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Make, write and print; exit code 2 where there is no such room."""
    rows, cols = arguments.size
    try:
        check_size(rows, cols, arguments.boxes)
        if arguments.mode not in MODES:
            raise RoomError(f"there is no mode {arguments.mode!r} (there are: {', '.join(MODES)})")
    except RoomError as error:
        raise CliError(str(error)) from None
    if os.path.isdir(arguments.out):
        raise CliError(f"{arguments.out}: this is a folder, not a file")
    needed = kernels.needed_by(GAME.id, "rooms")
    if not kernels.ready(needed):
        load_kernels(needed, notice)
    from ai.sokoban.rooms.maker import RoomMaker

    thinking = Thinking()
    try:
        maker = RoomMaker(arguments.seed, rows, cols, arguments.boxes, arguments.mode)
        with stopping.politely(thinking.cancel):
            if arguments.difficulty is None:
                made, seconds = _plain(maker, arguments.count, thinking)
            else:
                made, seconds = _graded(maker, arguments, thinking)
            if made:
                _write(arguments, made)
            _print(arguments, made, seconds)
    except RoomError as error:
        raise CliError(str(error)) from None
    return 0


def _plain(maker: "RoomMaker", count: int, thinking: Thinking) -> tuple[list[Made], float]:
    """Rooms as they come, with the solution by which they were made; and the seconds that making them took."""
    made = list[Made]()
    seconds, seen = 0.0, 0
    with bar(count, "making", "room") as shown:

        def heard(progress: Progress) -> None:
            nonlocal seen
            shown.update(len(made) + progress.nodes - seen)
            seen = len(made) + progress.nodes

        while len(made) < count and not thinking.over():
            began = time.perf_counter()
            try:
                rooms = maker.make(min(_SLICE, count - len(made)), Thinking(listener=heard, within=thinking))
            except RoomError as error:
                if not made:
                    raise
                notice(f"{error}: there are {len(made)} now.")
                break
            finally:
                seconds += time.perf_counter() - began
            for number in range(len(rooms.boards)):
                state = rooms.state(number)
                solution = sokoban.to_lurd(state, rooms.solution(number))
                about = {"score": int(rooms.scores[number]), "pushes": int(rooms.lengths[number])}
                made.append(_made(len(made) + 1, state, solution, about, f"Score {about['score']}"))
    return made, seconds


def _graded(maker: "RoomMaker", arguments: argparse.Namespace, thinking: Thinking) -> tuple[list[Made], float]:
    """Rooms of the wanted difficulty, with solutions of the fewest pushes, and the seconds; raises CliError."""
    from ai.sokoban.rooms.graded import graded_rooms

    (low, high), count = arguments.difficulty, arguments.count
    with bar(count, "making", "room") as shown:

        def found(_: "GradedRoom") -> None:
            shown.update()

        heard = Thinking(listener=lambda said: shown.set_postfix_str(said.note, refresh=False), within=thinking)
        began = time.perf_counter()
        rooms = graded_rooms(maker, count, low, high, heard, found)
        seconds = time.perf_counter() - began
    made = list[Made]()
    for room in rooms:
        grade = room.grade
        if not low <= grade.difficulty <= high:
            raise CliError(
                f"no room of difficulty {low}-{high} was found among {maker.attempts:,} attempts; the nearest has "
                f"{grade.difficulty}: try another size or number of boxes, or another range"
            )
        about = {"difficulty": grade.difficulty, "pushes": grade.pushes, "changes": grade.changes}
        about["positions"] = grade.positions
        words = f"Difficulty {grade.difficulty}: {grade.pushes} pushes, {grade.changes} box changes, "
        words += f"{grade.positions:,} positions"
        solution = sokoban.to_lurd(room.state, grade.actions)
        made.append(_made(len(made) + 1, room.state, solution, about, words))
    if not made and not thinking.cancelled:
        raise CliError(f"no room could be solved within its limit among {maker.attempts:,} attempts: try fewer boxes")
    if len(made) < count and not thinking.cancelled:
        notice(f"only {len(made)} of {count} rooms of difficulty {low}-{high} were found.")
    return made, seconds


def _made(number: int, state: sokoban.State, solution: str, about: dict[str, Any], comment: str) -> Made:
    level = Level(state, f"Room {number}", comment=comment, solution=solution)
    return level, {"level": number, **about, "moves": len(solution)}


def _write(arguments: argparse.Namespace, made: list[Made]) -> None:
    """The file of levels; raises CliError where it cannot be written or would be too large to be read."""
    rows, cols = arguments.size
    title = f"Rooms {rows}x{cols}, {counted(arguments.boxes, 'box')}"
    pack = Pack(tuple(level for level, _ in made), title, comment=f"Made by: {_command(arguments)}")
    data = levels.dump(pack).encode()
    if len(data) > levels.MAX_BYTES:
        raise CliError(f"{len(made):,} rooms are more than a file of levels holds; make fewer at a time")
    sweep(arguments.out.parent)
    try:
        write_whole(arguments.out, data)
    except OSError as error:
        raise CliError(f"{arguments.out}: {error.strerror or 'it cannot be written'}") from None


def _command(arguments: argparse.Namespace) -> str:
    """The command line that makes these rooms again, the name of the file apart."""
    rows, cols = arguments.size
    words: list[object] = [
        "generate",
        "--size",
        f"{rows}x{cols}",
        "--boxes",
        arguments.boxes,
        "--count",
        arguments.count,
    ]
    words += ["--mode", arguments.mode, "--seed", arguments.seed]
    if arguments.difficulty is not None:
        words += ["--difficulty", "{}-{}".format(*arguments.difficulty)]
    return shlex.join(map(str, words))


def _print(arguments: argparse.Namespace, made: list[Made], seconds: float) -> None:
    rows, cols = arguments.size
    rate = len(made) / seconds if seconds else 0.0
    if arguments.json:
        document: dict[str, Any] = {"file": str(arguments.out), "rooms": len(made), "rows": rows, "cols": cols}
        document |= {"boxes": arguments.boxes, "mode": arguments.mode, "seed": arguments.seed}
        document |= {
            "seconds": round(seconds, 4),
            "rooms_per_second": round(rate, 2),
            "results": [about for _, about in made],
        }
        print_json(document)
        return
    if not made:
        say("stopped before a room was made; nothing is written")
        return
    words = f"{counted(len(made), 'room')} of {rows}x{cols} squares in {seconds:.2f} s ({rate:,.0f} a second)"
    say(f"{words}: {arguments.out}")
    if arguments.difficulty is not None:
        rows_of_table = []
        for name in ("difficulty", "pushes", "changes", "positions"):
            found = sorted(about[name] for _, about in made)
            rows_of_table.append((name, found[0], statistics.median(found), found[-1]))
        say(table(("", "least", "median", "most"), rows_of_table))
    if len(made) == 1:
        say("\n" + "\n".join(levels.board(made[0][0].state)))


def _size(text: str) -> tuple[int, int]:
    """An argument type: rows x columns."""
    rows, _, cols = text.lower().replace("×", "x").partition("x")
    if not (rows.isdecimal() and cols.isdecimal() and len(text) <= 10):
        raise argparse.ArgumentTypeError(f"expected rows x columns such as 10x10, not {text[:40]!r}")
    return int(rows), int(cols)


def _range(text: str) -> tuple[int, int]:
    """An argument type: two numbers on the scale of difficulty."""
    low, _, high = text.partition("-")
    fits = low.isdecimal() and high.isdecimal() and len(text) <= 10
    if not fits or not 0 <= int(low) <= int(high) <= HARDEST:
        raise argparse.ArgumentTypeError(f"expected two numbers from 0 to {HARDEST} such as 15-25, not {text[:40]!r}")
    return int(low), int(high)
