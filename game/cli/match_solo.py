"""Matches of 2048: every agent plays the same games alone (the same seeds, so the same luck)."""

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ai.agent import Agent
from ai.entries import Spec
from game.cli.output import Bar, bar, notice, print_json, say, table
from game.play.asking import check_plays, load_kernels, make
from game.play.twenty48.playing import play
from game.rules import replay, twenty48
from game.rules.replay import Replay, Step

Keep = Callable[[str, Replay], None]


@dataclass
class Tally:
    """The games of one agent."""

    agent: str
    scores: list[int] = field(default_factory=list)
    tiles: Counter[int] = field(default_factory=Counter)
    """Largest tile of a game -> games."""
    moves: int = 0
    seconds: float = 0.0
    """Time spent by the agent, not by the rules that check it."""

    def summary(self) -> dict[str, Any]:
        """The JSON form; the standard error of a single game is given as 0."""
        games = len(self.scores)
        return {
            "agent": self.agent,
            "games": games,
            "mean": statistics.fmean(self.scores),
            "stderr": statistics.stdev(self.scores) / games**0.5 if games > 1 else 0.0,
            "median": statistics.median(self.scores),
            "best": max(self.scores),
            "max_tile": {str(tile): self.tiles[tile] for tile in sorted(self.tiles)},
            "reached": self.reached(),
            "moves": self.moves,
            "moves_per_second": round(self.moves / self.seconds, 1) if self.seconds else 0.0,
        }

    def reached(self) -> dict[str, float]:
        """Tile -> share of the games that made it or a larger one, for 2048 to 65536 and any larger one made."""
        tiles = sorted({1 << exponent for exponent in range(11, 17)} | {tile for tile in self.tiles if tile > 65536})
        games = len(self.scores)
        return {
            str(tile): round(sum(count for top, count in self.tiles.items() if top >= tile) / games, 4)
            for tile in tiles
        }


def run(arguments: argparse.Namespace, specs: Sequence[Spec], keep: Keep | None) -> None:
    """Play all games of all agents and print."""
    size = arguments.size or 4
    for spec in specs:
        check_plays("twenty48", spec, twenty48.start(size))
    load_kernels("twenty48", tell=notice)
    began = time.perf_counter()
    with bar(len(specs) * arguments.games, "playing", "game") as shown:
        tallies = [
            play_games(
                spec, arguments.games, shown, size, arguments.seed, arguments.time_per_move, _named(keep, spec, seat)
            )
            for seat, spec in enumerate(specs, 1)
        ]
    _print(arguments, size, tallies, time.perf_counter() - began)


def play_games(
    spec: Spec,
    games: int,
    shown: Bar,
    size: int = 4,
    seed: int = 0,
    limit: float | None = None,
    keep: Callable[[int, Replay], None] | None = None,
) -> Tally:
    """The games from `seed` on, played by one agent; `keep` gets their numbers from 1. The kernels are loaded."""
    tally = Tally(str(spec))
    agent = make("twenty48", spec, seed)
    for number in range(games):
        start = twenty48.start(size, seed + number)
        played = _game(agent, str(spec), start, limit, tally, shown)
        if keep is not None:
            keep(number + 1, replay.record(start, played, seats=(str(spec),), seed=start.seed))
    return tally


def _named(keep: Keep | None, spec: Spec, seat: int) -> Callable[[int, Replay], None] | None:
    """`keep` for the games of one seat, which it names."""
    if keep is None:
        return None
    return lambda number, game: keep(f"2048-{spec.id}-{seat}-{number:05}", game)


def _game(
    agent: Agent[Any], name: str, start: twenty48.State, limit: float | None, tally: Tally, shown: Bar
) -> list[Step]:
    """One game to its end, counted in `tally`."""
    state, steps = start, list[Step]()
    for stretch in play(agent, name, start, move_seconds=limit):
        state = stretch.state
        tally.seconds += stretch.seconds
        for action, cell, exponent in stretch.moves:
            steps.append(replay.thought(Step(action, (cell, exponent)), stretch.values))
        shown.set_postfix_str(f"tile {1 << max(state.cells)}")
    tally.scores.append(state.score)
    tally.tiles[1 << max(state.cells)] += 1
    tally.moves += len(steps)
    shown.update()
    return steps


def _print(arguments: argparse.Namespace, size: int, tallies: Sequence[Tally], spent: float) -> None:
    summaries = [tally.summary() for tally in tallies]
    if arguments.json:
        document = {"game": "2048", "size": size, "games": arguments.games, "seed": arguments.seed}
        print_json({**document, "seconds": round(spent, 3), "agents": summaries})
        return
    rows = [
        (
            each["agent"],
            f"{each['mean']:,.0f} ± {each['stderr']:,.0f}",
            each["best"],
            each["moves"],
            f"{each['moves_per_second']:,.0f}",
            ", ".join(f"{tile}×{count}" for tile, count in reversed(each["max_tile"].items())),
        )
        for each in summaries
    ]
    say(table(("agent", "mean score", "best", "moves", "moves/s", "largest tiles"), rows, left=(0, 5)))
    games = "1 game" if arguments.games == 1 else f"{arguments.games:,} games"
    say(f"\n{games} each on {size}×{size} in {spent:.1f} s")
