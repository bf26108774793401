#!/usr/bin/env python3
"""Measures how soon a cancel is answered; the table of docs/threads.md.

    python scripts/measure_cancels.py [NAME …] [--times 100] [--machine idle,busy] [--seed 1]

NAME is a case of `game.cli.benches.cancels` or what its name begins with; without one all agents with models, and `optimise`.
`busy`: with a busy loop beside it for every core. The moments are random, in every tenfold from 1 ms to half a second as
many; every third request finds the model not read yet.
"""

import argparse
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from measure_threads import CORES, busy

from ai import kernels, models, threads
from game.cli.benches import cancels
from game.play.asking import load_kernels
from game.saves.folder import PROGRAM_SAVES


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--times", type=int, default=100, help="cancels of each")
    parser.add_argument("--machine", default="idle,busy", help="which of these")
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    parser.add_argument("--each", action="store_true", help="print the five longest as well")
    arguments = parser.parse_args()
    threads.hold()
    models.use_folders(PROGRAM_SAVES / "models")
    asked = {case.name: case for case in cancels.cases()}
    if arguments.names:
        chosen = [case for name, case in asked.items() if name.startswith(tuple(arguments.names))]
    else:
        chosen = [case for name, case in asked.items() if case.spec.model or "optimise" in name]
    for game in sorted({case.game for case in chosen}):
        load_kernels(kernels.units(game), print)
    print("| agent | machine | median ms | longest ms |\n|---|---|---|---|")
    for case in chosen:
        for machine in arguments.machine.split(","):
            with busy(CORES if machine == "busy" else 0):
                took = sorted(cancels.answers(case, arguments.times, arguments.seed))
            longest = " ".join(f"{each:.1f}" for each in took[-5:]) if arguments.each else f"{took[-1]:.1f}"
            print(f"| {case.name} | {machine} | {statistics.median(took):.1f} | {longest} |", flush=True)


if __name__ == "__main__":
    main()
