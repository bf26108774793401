"""`analyze GAME --position P --agent A`: the score of a position and the value of every legal action.

Values are the agent's own, from the side to move, with two exceptions that make them comparable: where a connect-4
result is exact, they count stones (n > 0: wins with its n-th stone from the end; n < 0 loses likewise; 0 is a draw;
None for an action that is only known to be no better), and a solved Sokoban position is worth minus the pushes left.
"""

import argparse
from pathlib import Path
from typing import Any

from ai import kernels
from ai.agent import Agent, Scorer, Thinking
from game.cli.analysis import Analysis, analysis_of
from game.cli.arguments import add_agent, add_budget, bounds, game, names, only_for, setup, spec, whole
from game.cli.boards import position, positions
from game.cli.output import bar, notice, print_json, say, table
from game.play.asking import check_plays, load_kernels, make
from game.rules.game import State

HELP = "score a position, and value every legal action"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The game, one position or a file of them, and the agent."""
    parser.add_argument("game", type=game, metavar="GAME", help=names())
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "--position",
        metavar="P",
        help="sokoban: XSB text (| between rows) or a file; 2048: '0 2 4 0/…'; connect4: moves, 4453 or '4.1 3.2'",
    )
    which.add_argument(
        "--positions",
        type=Path,
        metavar="FILE",
        help="a file, a position a line; connect4: its score may follow",
    )
    add_agent(parser)
    parser.add_argument("--score-only", action="store_true", help="leave out the single actions")
    parser.add_argument("--board", metavar="R,C,D,W", help="connect4: rows, columns, depth, win length (6,7,1,4)")
    parser.add_argument("--players", type=whole(*bounds("players")), metavar="N", help="connect4: seats (2)")
    parser.add_argument(
        "--kept",
        action="store_true",
        help="connect4, flat boards: only count how often the agent's move keeps the win, draw or loss",
    )
    add_budget(parser)


def run(arguments: argparse.Namespace) -> int:
    """Analyse and print."""
    game = arguments.game
    board = setup(game, arguments.board, players=arguments.players)
    only_for(game, lambda each: each.seats[1] > 1, kept=arguments.kept or None)
    chosen, analysis = spec(game.id, arguments.agent), analysis_of(game)
    if arguments.positions is None:
        asked: list[tuple[State, int | None]] = [(position(game, arguments.position, board, arguments.seed), None)]
    else:
        asked = positions(game, arguments.positions, board, arguments.seed, analysis.told)
    states = [state for state, _ in asked]
    for state in states:
        check_plays(game.id, chosen, state)
    load_kernels(kernels.needed(game.id, chosen), notice)
    agent = make(game.id, chosen, arguments.seed)
    if arguments.kept:
        analysis.kept(arguments, agent, asked)
        return 0
    results = []
    with bar(len(states), "analysing", "position") as shown:
        for state, expected in asked:
            found = _analysed(analysis, agent, state, arguments)
            results.append(found if expected is None else {**found, "expected": expected})
            shown.update()
    _print(arguments, states, results)
    return 0


def _analysed(analysis: Analysis, agent: Agent[Any], state: State, arguments: argparse.Namespace) -> dict[str, Any]:
    """The JSON form of one position."""
    game = analysis.game
    agent.new_game(arguments.seed)
    thinking = Thinking(arguments.time, arguments.nodes)
    plan = (
        agent.score(state, thinking)
        if arguments.score_only and isinstance(agent, Scorer)
        else agent.plan(state, thinking)
    )
    seconds = thinking.elapsed
    found: dict[str, Any] = {"position": game.write(state), "score": analysis.score(state, plan)}
    found["best"] = game.label(state, plan.actions[0]) if plan.actions else None
    found["exact"] = plan.exact or game.outcome(state) is not None
    if not arguments.score_only:
        values = analysis.values(state, plan)
        found["actions"] = [
            {"action": game.label(state, action), "index": action, "value": values.get(action)}
            for action in game.actions(state)
        ]
    found |= analysis.more(state, plan)
    return {**found, "nodes": plan.nodes, "seconds": round(seconds, 6), "note": plan.note}


def _print(arguments: argparse.Namespace, states: list[State], results: list[dict[str, Any]]) -> None:
    if arguments.json:
        print_json(results[0] if arguments.positions is None else {**_checked(results), "results": results})
        return
    if arguments.positions is not None:
        lines = [
            (number, each["score"], each["best"], each["exact"], each["nodes"], each["seconds"], each["note"])
            for number, each in enumerate(results, 1)
        ]
        say(table(("", "score", "best", "exact", "nodes", "seconds", "note"), lines, left=(2, 6)))
        checked = _checked(results)
        if checked:
            mean = sum(each["seconds"] for each in results) / len(results) * 1000
            say(f"{checked['wrong']} of {checked['expected']} scores wrong; {mean:.3f} ms a position")
        return
    found = results[0]
    say(f"{arguments.game.title}\n\n{arguments.game.draw(states[0])}\n")
    if found.get("actions"):
        rows = [(each["action"], each["value"]) for each in found["actions"]]
        say(table(("action", "value"), rows) + "\n")
    exact = " (exact)" if found["exact"] else ""
    say(
        f"score {_text(found['score'])}{exact}, best {_text(found['best'])}"
        + (f": {found['note']}" if found["note"] else "")
    )
    if found.get("solution"):
        say(found["solution"])
    say(f"{found['nodes']:,} nodes in {found['seconds']:.2f} s")


def _checked(results: list[dict[str, Any]]) -> dict[str, int]:
    """How many scores the file told, and how many of them were not found; nothing where it told none."""
    told = [each for each in results if "expected" in each]
    return {"expected": len(told), "wrong": sum(each["score"] != each["expected"] for each in told)} if told else {}


def _text(item: object) -> str:
    return "–" if item is None else f"{item:g}" if isinstance(item, float) else str(item)
