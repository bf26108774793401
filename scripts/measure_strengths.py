"""How strong the named opponents of a game are: against each other, or by their scores where everybody plays alone.

    python scripts/measure_strengths.py connect4 --games 1000 --strongest 200 --seed 1
    python scripts/measure_strengths.py 2048 --games 200 --strongest 100

Where there are opponents, each plays its neighbour and the next one, from random openings of four stones, every opening
from both seats; the ratings are the likeliest ones (`game/play/ratings.py`). Every match is `main.py match … --json`, so
the same seed gives the same games. `--keep FILE` remembers the matches that are done, so that a measurement can stop and go
on. What it prints belongs into `ai/GAME/family.py` and docs/strengths.md.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from ai import catalogue  # noqa: E402
from ai.family import Opponent  # noqa: E402
from game.cli.arguments import game as game_named  # noqa: E402
from game.play.ratings import ratings  # noqa: E402
from game.rules.game import Game  # noqa: E402

_NEIGHBOURS = 2
_OPENING = 4


class Matches:
    """Matches of one game by the command line, each played once."""

    def __init__(self, game: Game[Any], seed: int, kept: Path | None) -> None:
        self._game, self._seed, self._kept = game, seed, kept
        self._done: dict[str, Any] = json.loads(kept.read_text("utf-8")) if kept and kept.is_file() else {}

    def play(self, games: int, *agents: str, more: Sequence[str] = ()) -> list[dict[str, Any]]:
        """What the command says of each agent."""
        told = [word for agent in agents for word in ("--agent", agent)]
        words = ["match", self._game.name, *told, *more, "--games", str(games), "--seed", str(self._seed), "--json"]
        line = " ".join(words)
        if line not in self._done:
            print(f"python main.py {line}", file=sys.stderr, flush=True)
            done = subprocess.run([sys.executable, str(ROOT / "main.py"), *words], cwd=ROOT, stdout=subprocess.PIPE)
            if done.returncode:
                sys.exit(done.returncode)
            self._done[line] = json.loads(done.stdout)["agents"]
            if self._kept:
                self._kept.write_text(json.dumps(self._done, indent=1), "utf-8")
        found: list[dict[str, Any]] = self._done[line]
        return found


def against_each_other(matches: Matches, named: Sequence[Opponent], games: int, strongest: int) -> None:
    """Play neighbours and next neighbours, and print each rating and the share against who stands one and two below."""
    results: dict[tuple[int, int], tuple[float, int]] = {}
    shares: dict[tuple[int, int], str] = {}
    for upper in range(len(named)):
        for lower in range(max(0, upper - _NEIGHBOURS), upper):
            count = strongest if upper == len(named) - 1 else games
            agents = named[lower].agent, named[upper].agent
            weaker, stronger = matches.play(count, *agents, more=("--openings", str(_OPENING)))
            results[lower, upper] = weaker["share"] * weaker["games"], weaker["games"]
            shares[lower, upper] = f"{stronger['share']:.1%} ± {stronger['stderr']:.1%} of {weaker['games']}"
    for number, (each, (rating, error)) in enumerate(zip(named, ratings(len(named), results), strict=True)):
        below = [shares[lower, number] for lower in (number - 1, number - 2) if lower >= 0]
        print(f"{each.name:12} {each.agent:40} {rating:6.0f} ± {error:3.0f}   {'   '.join(below)}")


def alone(matches: Matches, named: Sequence[Opponent], games: int, strongest: int) -> None:
    """Let each play the same games alone, and print its mean score and the shares of games that came to each mark."""
    for number, each in enumerate(named):
        (found,) = matches.play(strongest if number == len(named) - 1 else games, each.agent)
        reached = ", ".join(f"{mark} in {share:.1%}" for mark, share in found.get("reached", {}).items() if share)
        print(f"{each.name:12} {each.agent:62} {found['mean']:9,.0f} ± {found['stderr']:6,.0f}   {reached}")


def main() -> None:
    """Measure one game."""
    parser = argparse.ArgumentParser(description="measure the named opponents of a game")
    parser.add_argument("game", type=game_named)
    parser.add_argument("--games", type=int, default=1000, help="of each pair, or of each player (1000)")
    parser.add_argument("--strongest", type=int, default=200, help="the same for the strongest, the slowest (200)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="remember matches that are done")
    told = parser.parse_args()
    named = catalogue.opponents(told.game.id)
    matches = Matches(told.game, told.seed, told.keep)
    (against_each_other if told.game.seats[1] > 1 else alone)(matches, named, told.games, told.strongest)


if __name__ == "__main__":
    main()
