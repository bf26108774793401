"""Matches of a game for one player: every agent plays the same games alone (the same seeds, so the same luck)."""

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ai import kernels
from ai.entries import Spec
from ai.models import Strength
from game.cli.output import Bar, bar, notice, print_json, say, table
from game.play import solo
from game.play.asking import check_plays, load_kernels, make
from game.rules import replay
from game.rules.game import Game
from game.rules.replay import Replay, Step

Keep = Callable[[str, Replay], None]


@dataclass
class Tally:
    """The games of one agent."""

    game: Game[Any]
    agent: str
    scores: list[int] = field(default_factory=list)
    reached: Counter[int] = field(default_factory=Counter)
    """How far games came -> games."""
    moves: int = 0
    seconds: float = 0.0
    """Time spent by the agent, not by the rules that check it."""

    def summary(self) -> dict[str, Any]:
        """The JSON form; the standard error of a single game is given as 0."""
        strength, milestone = Strength.of(self.scores), self.game.milestone
        found: dict[str, Any] = {
            "agent": self.agent,
            "games": strength.games,
            "mean": strength.mean,
            "stderr": strength.stderr,
            "median": statistics.median(self.scores),
            "best": max(self.scores),
        }
        if milestone is not None:
            found[milestone.name] = {str(mark): self.reached[mark] for mark in sorted(self.reached)}
            found["reached"] = self.shares(milestone.marks)
        found["moves"] = self.moves
        found["moves_per_second"] = round(self.moves / self.seconds, 1) if self.seconds else 0.0
        return found

    def shares(self, marks: Sequence[int]) -> dict[str, float]:
        """Mark -> share of the games that came there or farther, for these marks and any farther one that was reached."""
        every = sorted({*marks, *(mark for mark in self.reached if mark > max(marks))})
        games = len(self.scores)
        return {
            str(mark): round(sum(count for top, count in self.reached.items() if top >= mark) / games, 4)
            for mark in every
        }


def run(
    arguments: argparse.Namespace,
    game: Game[Any],
    setup: Mapping[str, Any],
    specs: Sequence[Spec],
    keep: Keep | None,
) -> None:
    """Play all games of all agents and print."""
    for spec in specs:
        check_plays(game.id, spec, game.start(setup))
    load_kernels(kernels.needed(game.id, *specs), notice)
    began = time.perf_counter()
    with bar(len(specs) * arguments.games, "playing", "game") as shown:
        tallies = [
            play_games(
                game, setup, spec, arguments.games, shown, arguments.seed, arguments.time_per_move,
                _named(game, keep, spec, seat),
            )
            for seat, spec in enumerate(specs, 1)
        ]  # fmt: skip
    _print(arguments, game, setup, tallies, time.perf_counter() - began)


def play_games(
    game: Game[Any],
    setup: Mapping[str, Any],
    spec: Spec,
    games: int,
    shown: Bar,
    seed: int = 0,
    limit: float | None = None,
    keep: Callable[[int, Replay], None] | None = None,
) -> Tally:
    """The games from `seed` on, played by one agent; `keep` gets their numbers from 1. The kernels are loaded."""
    tally, score = Tally(game, str(spec)), game.score
    assert score is not None
    agent = make(game.id, spec, seed)
    for number in range(games):
        start = game.start(setup, seed + number)
        agent.new_game(seed + number)
        state, steps = start, list[Step]()
        for turn in solo.play(agent, str(spec), start, move_seconds=limit):
            state = turn.state
            tally.seconds += turn.seconds
            tally.moves += len(turn.moves)
            if keep is not None:
                steps += turn.steps()
            if game.milestone is not None:
                shown.set_postfix_str(f"{game.milestone.word} {game.milestone.of(state)}")
        tally.scores.append(score(state))
        if game.milestone is not None:
            tally.reached[game.milestone.of(state)] += 1
        shown.update()
        if keep is not None:
            keep(number + 1, replay.record(start, steps, seats=(str(spec),), seed=seed + number))
    return tally


def _named(game: Game[Any], keep: Keep | None, spec: Spec, seat: int) -> Callable[[int, Replay], None] | None:
    """`keep` for the games of one seat, which it names."""
    if keep is None:
        return None
    return lambda number, made: keep(f"{game.name}-{spec.id}-{seat}-{number:05}", made)


def _print(
    arguments: argparse.Namespace,
    game: Game[Any],
    setup: Mapping[str, Any],
    tallies: Sequence[Tally],
    spent: float,
) -> None:
    summaries = [tally.summary() for tally in tallies]
    if arguments.json:
        document = {"game": game.name, **game.options_with(setup), "games": arguments.games, "seed": arguments.seed}
        print_json({**document, "seconds": round(spent, 3), "agents": summaries})
        return
    rows = [
        (
            each["agent"],
            f"{each['mean']:,.0f} ± {each['stderr']:,.0f}",
            each["best"],
            each["moves"],
            f"{each['moves_per_second']:,.0f}",
            ", ".join(f"{mark}×{count}" for mark, count in sorted(tally.reached.items(), reverse=True)),
        )
        for each, tally in zip(summaries, tallies, strict=True)
    ]
    farthest = f"largest {game.milestone.word}s" if game.milestone is not None else ""
    say(table(("agent", "mean score", "best", "moves", "moves/s", farthest), rows, left=(0, 5)))
    games = "1 game" if arguments.games == 1 else f"{arguments.games:,} games"
    board = game.board_words(game.write_setup(game.start(setup)))
    say(f"\n{games} each{f' on {board}' if board else ''} in {spent:.1f} s")
