"""Matches of connect-4: the agents change seats from game to game, so that everybody sits everywhere, or keep them."""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ai.agent import Agent, Plan, Thinking
from ai.entries import Spec
from game.cli.errors import CliError
from game.cli.output import bar, notice, print_json, say, table
from game.play import matches
from game.play.asking import ask, check_plays, load_kernels, make
from game.rules import connect4, replay
from game.rules.connect4 import Shape, State
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

    def summary(self) -> dict[str, Any]:
        """The JSON form; the standard error of a single game is given as 0."""
        every = [point for seat in self.points for point in seat]
        return {
            "agent": self.agent,
            **self._count(every),
            "stderr": statistics.stdev(every) / len(every) ** 0.5 if len(every) > 1 else 0.0,
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


def run(arguments: argparse.Namespace, specs: Sequence[Spec], shape: Shape, keep: Keep | None) -> None:
    """Play all games and print."""
    for spec in specs:
        check_plays("connect4", spec, connect4.start(shape))
    players, games = len(specs), arguments.games
    turns = 1 if arguments.keep_seats else players
    if arguments.openings is not None:
        if arguments.openings >= shape.cells:
            raise CliError(f"--openings {arguments.openings}: the board has only {shape.cells} cells")
        if games % turns:
            games += turns - games % turns
            notice(f"{games} games are played, so that every opening is played from every seat.")
    load_kernels("connect4", tell=notice)
    agents = [make("connect4", spec, arguments.seed) for spec in specs]
    tallies = [Tally(str(spec), players) for spec in specs]
    began = time.perf_counter()
    start, unfit = connect4.start(shape), None
    if arguments.balanced:
        from ai.connect4.alphabeta.balance import decided as unfit
    with bar(games, "playing", "game") as shown:
        for number in range(games):
            if arguments.openings is not None and number % turns == 0:
                luck = random.Random(f"{arguments.seed}/{number // turns}")
                start = opening(shape, arguments.openings, luck, unfit)
            who = matches.rotation(number % turns, players)
            names = [tallies[index].agent for index in who]
            seed = arguments.seed + number
            for index in who:  # each its own luck: two random agents must not play the same columns
                agents[index].new_game(seed * players + index)
            steps, final = _game(agents, who, start, arguments.time_per_move, tallies)
            for seat, point in enumerate(matches.points(final)):
                tallies[who[seat]].points[seat].append(point)
            if keep is not None:
                keep(f"connect4-{number + 1:05}", replay.record(start, steps, seats=names, seed=seed))
            shown.update()
    _print(arguments, shape, games, tallies, time.perf_counter() - began)


def opening(shape: Shape, plies: int, luck: random.Random, unfit: matches.Judge | None) -> State:
    """A random position of that many plies in which the game goes on; raises CliError where none is found."""
    try:
        return matches.opening(shape, plies, luck, unfit)
    except ValueError as error:
        raise CliError(f"--openings {plies}: {error}") from None


def _game(
    agents: Sequence[Agent[Any]],
    who: Sequence[int],
    start: State,
    limit: float | None,
    tallies: Sequence[Tally],
) -> tuple[list[Step], State]:
    """One game; `who` is the agent on each seat."""

    def choose(state: State) -> Plan:
        index = who[state.to_move]
        tally = tallies[index]
        began = time.perf_counter()
        plan = ask(agents[index], tally.agent, state, Thinking(limit), connect4.legal_actions)
        spent = time.perf_counter() - began
        tally.seconds += spent
        tally.longest = max(tally.longest, spent)
        tally.moves += 1
        return plan

    steps, final = list[Step](), start
    for step, after in matches.play(start, choose):
        steps.append(step)
        final = after
    return steps, final


def _print(arguments: argparse.Namespace, shape: Shape, games: int, tallies: Sequence[Tally], spent: float) -> None:
    summaries = [tally.summary() for tally in tallies]
    if arguments.json:
        document = {"game": "connect4", "board": str(shape), "players": shape.players, "games": games}
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
    say(f"\n{games} games on {shape} for {shape.players} in {spent:.1f} s")
