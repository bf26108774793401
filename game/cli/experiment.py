"""`experiment NAME --out DIR`: reruns a reference study: tables as CSV and Markdown, plots as PNG."""

import argparse
import hashlib
import importlib
import importlib.util
import shlex
import time
from pathlib import Path
from typing import cast

from ai import kernels, stopping
from ai.agent import Thinking
from ai.temporary import sweep
from game.cli.arguments import read_bytes
from game.cli.errors import CliError, Stopped
from game.cli.output import bar, notice, print_json, say
from game.play.asking import load_kernels
from game.rules import levels
from game.rules.levels import LevelError
from game.studies import STUDIES, LevelModule, Module
from game.studies.kept import Kept
from game.studies.pages import Findings, write

HELP = "rerun one of the reference studies: tables and plots"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which study, and where its results go."""
    names = "; ".join(f"{name} ({study.title})" for name, study in STUDIES.items())
    parser.add_argument("name", metavar="NAME", help=names)
    parser.add_argument("--out", required=True, metavar="DIR", help="folder for tables and plots")
    parser.add_argument("--quick", action="store_true", help="one tenth of the games")
    parser.add_argument("--levels", type=Path, metavar="FILE", help="for studies of levels: those of this file")


def run(arguments: argparse.Namespace) -> int:
    """Run the study, write what it found, print."""
    study = STUDIES.get(arguments.name)
    if study is None:
        raise CliError(f"there is no study {arguments.name[:60]!r} (there are: {', '.join(STUDIES)})")
    if importlib.util.find_spec("matplotlib") is None:
        raise CliError("studies draw with matplotlib, which is not installed: pip install -r requirements.txt")
    if arguments.levels and not study.of_levels:
        raise CliError(f"--levels: {arguments.name} is no study of levels")
    folder = Path(arguments.out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise CliError(_cannot(folder, error)) from None
    sweep(folder)
    module = cast(Module, importlib.import_module(study.module))
    settings = {"study": arguments.name, "quick": arguments.quick, "seed": arguments.seed}
    if study.of_levels:
        settings["levels"] = _use(cast(LevelModule, module), arguments.levels)
    own = [unit for training in module.TRAININGS for unit in kernels.training(module.GAME, training)]
    load_kernels([*kernels.units(module.GAME), *own], notice)
    began = time.perf_counter()
    thinking = Thinking()
    kept = Kept(folder, settings)
    if kept:
        notice(f"going on where it was stopped: {len(kept)} parts are done.")
    try:
        with stopping.politely(thinking.cancel):
            with bar(module.total(arguments.quick), arguments.name, "game") as shown:

                def done(games: int, what: str) -> None:
                    shown.set_postfix_str(what)
                    shown.update(games)

                found = module.run(arguments.quick, arguments.seed, thinking, done, kept)
            if found is None:
                raise Stopped
            files = write(found, folder, _command(arguments), pictures=False)
        if not thinking.cancelled:
            files = write(found, folder, _command(arguments))
            kept.clear()
    except OSError as error:
        raise CliError(_cannot(folder, error)) from None
    _print(arguments, found, files, time.perf_counter() - began)
    if thinking.cancelled:
        raise Stopped(
            f"the tables hold {found.done} of {found.parts} parts, without pictures; the same command goes on."
        )
    return 0


def _use(module: LevelModule, path: Path | None) -> str:
    """Let a study use the levels of a file; returns what tells them from others. Raises CliError."""
    try:
        module.use(path)
    except LevelError as error:
        raise CliError(str(error)) from None
    except OSError as error:
        raise CliError(f"{path}: {error.strerror or 'it cannot be read'}") from None
    return hashlib.sha256(read_bytes(path, levels.MAX_BYTES)).hexdigest() if path else ""


def _cannot(folder: Path, error: OSError | ValueError) -> str:
    reason = error.strerror if isinstance(error, OSError) else None
    return f"{folder}: {reason or 'no results can be written there'}"


def _command(arguments: argparse.Namespace) -> str:
    """The command line that repeats this study."""
    words = ["python", "main.py", "experiment", arguments.name, "--seed", str(arguments.seed)]
    words += ["--out", Path(arguments.out).name or "."]
    words += ["--levels", Path(arguments.levels).name] if arguments.levels else []
    return shlex.join(words + (["--quick"] if arguments.quick else []))


def _print(arguments: argparse.Namespace, found: Findings, files: list[Path], spent: float) -> None:
    if arguments.json:
        tables = {sheet.name: {"head": sheet.head, "rows": sheet.rows} for sheet in found.sheets}
        print_json(
            {
                "experiment": arguments.name,
                "quick": arguments.quick,
                "seed": arguments.seed,
                "seconds": round(spent, 3),
                "done": found.done,
                "parts": found.parts,
                "files": [str(file) for file in files],
                "tables": tables,
            }
        )
        return
    first = found.sheets[0]
    say(f"{first.title}\n\n{first.markdown()}\n\n{len(files)} files in {spent:,.0f} s; all of it: {files[0]}")
