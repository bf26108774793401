"""Matches of a game for several: the agents change seats from game to game, so that everybody sits everywhere, or keep them."""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ai import kernels
from ai.agent import Thinking
from ai.entries import Spec, named
from ai.family import family
from ai.models import Strength
from game.cli.errors import CliError
from game.cli.output import bar, notice, print_json, say, table
from game.play import matches
from game.play.asking import check_plays, load_kernels, make
from game.rules import replay
from game.rules.game import Game, State
from game.rules.replay import Replay, Step

Keep = Callable[[str, Replay], None]


@dataclass
class Tally:
    """The games of one agent: its points by seat (1 a win, 1 shared among all players a draw, 0 a loss)."""

    agent: str
    players: int
    points: list[list[float]] = field(default_factory=list)
    moves: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    """Seconds of the move that took longest."""

    def __post_init__(self) -> None:
        self.points = [[] for _ in range(self.players)]

    def add(self, seconds: float) -> None:
        """One move more, that took so long."""
        self.moves += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)

    def summary(self) -> dict[str, Any]:
        """The JSON form; the standard error of a single game is given as 0."""
        every = [point for seat in self.points for point in seat]
        return {
            "agent": self.agent,
            **self._count(every),
            "stderr": Strength.of(every).stderr,
            "by_seat": [{"seat": seat, **self._count(points)} for seat, points in enumerate(self.points, 1)],
            "seconds_per_move": round(self.seconds / self.moves, 6) if self.moves else 0.0,
            "longest_move": round(self.longest, 6),
        }

    def _count(self, points: Sequence[float]) -> dict[str, Any]:
        wins, losses = sum(point == 1 for point in points), sum(point == 0 for point in points)
        return {
            "games": len(points),
            "wins": wins,
            "draws": len(points) - wins - losses,
            "losses": losses,
            "share": statistics.fmean(points) if points else 0.0,
        }


def run(
    arguments: argparse.Namespace,
    game: Game[Any],
    setup: Mapping[str, Any],
    specs: Sequence[Spec],
    keep: Keep | None,
) -> None:
    """Play all games and print."""
    empty = game.start(setup)
    for spec in specs:
        check_plays(game.id, spec, empty)
    players, count = len(specs), arguments.games
    turns = 1 if arguments.keep_seats else players
    if arguments.openings is not None:
        longest = game.longest(empty)
        if longest is not None and arguments.openings >= longest:
            raise CliError(f"--openings {arguments.openings}: the board has only {longest} cells")
        if count % turns:
            count += turns - count % turns
            notice(f"{count} games are played, so that every opening is played from every seat.")
    judging = kernels.needed_by(game.id, "openings") if arguments.balanced else ()
    load_kernels([*kernels.needed(game.id, *specs), *judging], notice)
    agents = [make(game.id, spec, arguments.seed) for spec in specs]
    tallies = [Tally(str(spec), players) for spec in specs]
    began = time.perf_counter()
    start, unfit = empty, _judge(game) if arguments.balanced else None
    with bar(count, "playing", "game") as shown:
        for number in range(count):
            if arguments.openings is not None and number % turns == 0:
                luck = random.Random(f"{arguments.seed}/{number // turns}")
                start = opening(empty, arguments.openings, luck, unfit)
            who = matches.rotation(number % turns, players)
            names = [tallies[index].agent for index in who]
            seed = arguments.seed + number
            for index in who:  # each its own luck: two random agents must not play the same columns
                agents[index].new_game(seed * players + index)
            steps, final = list[Step](), start
            table = [agents[index] for index in who]
            for turn in matches.play(start, table, names, lambda: Thinking(arguments.time_per_move)):
                tallies[who[turn.seat]].add(turn.seconds)
                steps.append(turn.step)
                final = turn.state
            for seat, point in enumerate(game.points(final)):
                tallies[who[seat]].points[seat].append(point)
            if keep is not None:
                keep(f"{game.name}-{number + 1:05}", replay.record(start, steps, seats=names, seed=seed))
            shown.update()
    _print(arguments, game, setup, count, tallies, time.perf_counter() - began)


def opening(start: State, plies: int, luck: random.Random, unfit: matches.Judge | None) -> State:
    """A random position of that many plies in which the game goes on; raises CliError where none is found."""
    try:
        return matches.opening(start, plies, luck, unfit)
    except ValueError as error:
        raise CliError(f"--openings {plies}: {error}") from None


def _judge(game: Game[Any]) -> matches.Judge:
    """Says which openings are no good for a match; raises CliError where nobody can."""
    known = family(game.id).decided
    if not known:
        raise CliError(f"--balanced: there is nobody who knows which openings of {game.title} are decided")
    return named(known)


def _print(
    arguments: argparse.Namespace,
    game: Game[Any],
    setup: Mapping[str, Any],
    games: int,
    tallies: Sequence[Tally],
    spent: float,
) -> None:
    summaries = [tally.summary() for tally in tallies]
    board = game.board_text.write(game.options_with(setup)) if game.board_text is not None else ""
    players = len(tallies)
    if arguments.json:
        document = {"game": game.name, "board": board, "players": players, "games": games}
        document |= {
            "seed": arguments.seed,
            "openings": arguments.openings,
            "balanced": arguments.balanced,
            "seconds": round(spent, 3),
        }
        print_json({**document, "agents": summaries})
        return
    rows = [
        (
            each["agent"],
            each["wins"],
            each["draws"],
            each["losses"],
            f"{each['share']:.1%} ± {each['stderr']:.1%}",
            " ".join(f"{seat['share']:.0%}" for seat in each["by_seat"]),
            each["seconds_per_move"],
            each["longest_move"],
        )
        for each in summaries
    ]
    say(table(("agent", "wins", "draws", "losses", "share", "by seat", "s/move", "longest"), rows))
    say(f"\n{games} games{f' on {board}' if board else ''} for {players} in {spent:.1f} s")
