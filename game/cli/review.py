"""`review FILE`: grades every move of a replay, and says of the mistakes what was missed."""

import argparse
from pathlib import Path
from typing import Any

from ai import oracles
from ai.agent import Thinking
from ai.review import Judgement
from game.cli.arguments import seconds, whole
from game.cli.errors import CliError
from game.cli.output import bar, notice, print_json, say, table
from game.play.asking import load_kernels
from game.play.review import GRADES, Review
from game.rules import replay as replays
from game.rules.games import GAMES
from game.rules.replay import Replay, ReplayError

HELP = "grade every move of a replay"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The replay, whose moves to list, and for how long."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a replay (JSON)")
    parser.add_argument("--seat", type=whole(1, replays.MAX_SEATS), metavar="N", help="list this seat's moves only")
    parser.add_argument("--time", type=seconds, metavar="S", help="seconds for the whole game (60)", default=60.0)


def run(arguments: argparse.Namespace) -> int:
    """Judge and print; raises CliError."""
    try:
        record = replays.read(arguments.file)
        states = replays.states(record, str(arguments.file))
    except ReplayError as error:
        raise CliError(str(error)) from None
    if arguments.seat is not None and arguments.seat > len(record.seats):
        raise CliError(f"--seat {arguments.seat}: this game has {len(record.seats)}")
    review = _judged(record, states, str(arguments.file), arguments.time)
    from game.views.view import view_of  # brings pygame with it

    view = view_of(record.game)
    sentences = [
        view.why(states[ply], review.actions[ply], review.judged[ply]) if review.loss(ply) > 0 else ""
        for ply in sorted(review.judged)
    ]
    document = review.document(sentences)
    if arguments.json:
        print_json({"file": str(arguments.file), **document})
    else:
        _print(review, document, arguments.seat)
    return 0


def _judged(record: Replay, states: list[Any], source: str, limit: float) -> Review:
    """Every move that the game's oracle can judge within the limit."""
    game = GAMES[record.game]
    if not oracles.has_oracle(record.game):
        raise CliError(f"{source}: no oracle judges games of {game.title}")
    if not record.steps:
        raise CliError(f"{source}: nothing was played in this game")
    load_kernels(oracles.units(record.game), notice)
    judge = oracles.oracle(record.game)
    reason = judge.why_not(states[0])
    if reason is not None:
        raise CliError(f"{source}: {reason}")
    review = Review(game, states, [step.action for step in record.steps], judge.name)
    with bar(len(record.steps), "reviewing", "move") as shown:

        def tell(judgement: Judgement) -> None:
            review.take(judgement)
            shown.update()

        judge.judge(states, review.actions, Thinking(seconds=limit), tell)
    return review


def _print(review: Review, document: dict[str, Any], seat: int | None) -> None:
    """Who played how well, then every move that gave something up."""
    for each in document["seats"]:
        if each["accuracy"] is not None and seat in (None, each["seat"]):
            counts = ", ".join(f"{each['counts'][name]} {name}" for name in GRADES)
            say(f"seat {each['seat']}: accuracy {each['accuracy']:.1f} % ({counts})")
    listed = [move for move in document["moves"] if move["grade"] in GRADES[2:] and seat in (None, move["seat"])]
    if listed:
        say()
        rows = [[move["ply"], move["action"], move["grade"], move["best"] or "", move["why"]] for move in listed]
        say(table(["move", "played", "grade", "better", "why"], rows, left=(1, 2, 3, 4)))
    left = len(review.actions) - len(review.judged)
    if left:
        say(f"{left} of {len(review.actions)} moves were not judged within the time: --time gives more")
