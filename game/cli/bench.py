"""`bench [NAME …]`: the performance figures of the design, measured here and now (`game.cli.benches`, `game.screens.bench`)."""

import argparse
from collections.abc import Mapping
from typing import Any

from game.cli.benches import Bench
from game.cli.errors import CliError
from game.cli.output import bar, print_json, say, table

HELP = "measure the performance figures"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Some, or all."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these, or all whose name begins so")


def run(arguments: argparse.Namespace) -> int:
    """Measure and print; the exit code is 0 whatever comes out."""
    chosen = _choose(all_benches(), arguments.names)
    rows = []
    with bar(len(chosen), "measuring", "bench") as shown:
        for name, (function, unit, budget) in chosen.items():
            shown.set_postfix_str(name)
            value = function()
            values = (
                {f"{name}-{key}": each for key, each in value.items()}
                if isinstance(value, Mapping)
                else {name: value}
            )
            rows += [
                _row(row, *each) if isinstance(each, tuple) else _row(row, each, unit, budget)
                for row, each in values.items()
            ]
            shown.update()
    if arguments.json:
        print_json({"benches": rows})
    else:
        cells = [(row["name"], row["value"], row["unit"], row["budget"], row["ok"]) for row in rows]
        say(table(("bench", "value", "unit", "budget", "ok"), cells, left=(0, 2)))
    return 0


def all_benches() -> dict[str, Bench]:
    """Every bench there is, by name."""
    from game.cli.benches import cancels, speeds
    from game.screens import bench as window

    return {**speeds.START, **cancels.benches(), **speeds.benches(), **window.BENCHES}


def _choose(benches: Mapping[str, Bench], names: list[str]) -> dict[str, Bench]:
    """Those asked for, all where none is named; raises CliError for a name that is none."""
    for name in names:
        if not any(each.startswith(name) for each in benches):
            groups = dict.fromkeys(each.partition("-")[0] for each in benches)
            raise CliError(f"there is no bench {name!r} (they begin with {', '.join(groups)})")
    return {each: bench for each, bench in benches.items() if not names or each.startswith(tuple(names))}


def _row(name: str, value: float, unit: str, budget: float | None) -> dict[str, Any]:
    value = round(float(value), 4)
    return {"name": name, "value": value, "unit": unit, "budget": budget, "ok": budget is None or value <= budget}
