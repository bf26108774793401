"""`analyze GAME --position P --agent A`: the score of a position and the value of every legal action.

Values are the agent's own, from the side to move, with two exceptions that make them comparable: where a connect-4
result is exact, they count stones (n > 0: wins with its n-th stone from the end; n < 0 loses likewise; 0 is a draw;
None for an action that is only known to be no better), and a solved Sokoban position is worth minus the pushes left.
"""

import argparse
import math
from pathlib import Path
from typing import Any

from ai.agent import Agent, Plan, Scorer, Status, Thinking
from game.cli.arguments import add_agent, add_budget, game, only_for, shape, spec, whole
from game.cli.boards import State, draw, label, position, positions, written
from game.cli.connect4.kept import Kept, kept_moves
from game.cli.output import bar, notice, print_json, say, table
from game.play.asking import check_plays, load_kernels, make
from game.play.sokoban.solving import verify
from game.rules import connect4, sokoban, twenty48
from game.rules.connect4 import MAX_PLAYERS, MIN_PLAYERS
from game.rules.games import GAMES

HELP = "score a position, and value every legal action"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The game, one position or a file of them, and the agent."""
    parser.add_argument("game", type=game, metavar="GAME", help="sokoban, 2048 or connect4")
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
    parser.add_argument("--players", type=whole(MIN_PLAYERS, MAX_PLAYERS), metavar="N", help="connect4: seats (2)")
    parser.add_argument(
        "--kept",
        action="store_true",
        help="connect4, flat boards: only count how often the agent's move keeps the win, draw or loss",
    )
    add_budget(parser)


def run(arguments: argparse.Namespace) -> int:
    """Analyse and print."""
    name = arguments.game
    only_for("connect4", name, board=arguments.board, players=arguments.players, kept=arguments.kept or None)
    chosen = spec(name, arguments.agent)
    board = shape(arguments.board, arguments.players or 2) if name == "connect4" else None
    if arguments.positions is None:
        asked: list[tuple[State, int | None]] = [(position(name, arguments.position, board, arguments.seed), None)]
    else:
        asked = positions(name, arguments.positions, board, arguments.seed)
    states = [state for state, _ in asked]
    for state in states:
        check_plays(name, chosen, state)
    load_kernels(name, tell=notice)
    agent = make(name, chosen, arguments.seed)
    if arguments.kept:
        _print_kept(arguments, agent, asked)
        return 0
    results = []
    with bar(len(states), "analysing", "position") as shown:
        for state, expected in asked:
            found = _analysis(agent, state, arguments)
            results.append(found if expected is None else {**found, "expected": expected})
            shown.update()
    _print(arguments, states, results)
    return 0


def _print_kept(arguments: argparse.Namespace, agent: Agent[Any], asked: list[tuple[State, int | None]]) -> None:
    """Check one move in every position, and print the counts."""
    plain = [state for state, _ in asked if isinstance(state, connect4.State)]
    known = [score for state, score in asked if isinstance(state, connect4.State)]
    thinking = Thinking(arguments.time, arguments.nodes)
    counts = Kept()
    with bar(len(plain), "checking", "position") as shown:
        for counts in kept_moves(agent, plain, known, thinking, arguments.seed):
            shown.update()
            shown.set_postfix_str(f"{counts.share:.1%}")
    if arguments.json:
        print_json({"agent": str(spec("connect4", arguments.agent)), **counts.form()})
    else:
        say(f"{spec('connect4', arguments.agent)} {counts}")


def _analysis(agent: Agent[Any], state: State, arguments: argparse.Namespace) -> dict[str, Any]:
    """The JSON form of one position."""
    agent.new_game(arguments.seed)
    thinking = Thinking(arguments.time, arguments.nodes)
    sooner = arguments.score_only and isinstance(agent, Scorer)
    plan = agent.score(state, thinking) if sooner else agent.plan(state, thinking)
    seconds = thinking.elapsed
    found: dict[str, Any] = {"position": written(state), "score": _score(state, plan)}
    found["best"] = label(state, plan.actions[0]) if plan.actions else None
    found["exact"] = plan.exact or _over(state)
    if not arguments.score_only:
        values = {action: _value(state, value, plan.exact) for action, value in plan.values.items()}
        if isinstance(state, sokoban.State) and plan.actions:
            values.setdefault(plan.actions[0], found["score"])
        found["actions"] = [
            {"action": label(state, action), "index": action, "value": values.get(action)} for action in _legal(state)
        ]
    if isinstance(state, sokoban.State):
        found["status"] = plan.status.value
        found["solution"] = verify(state, plan.actions)[0] if plan.status is Status.SOLVED else None
    return {**found, "nodes": plan.nodes, "seconds": round(seconds, 6), "note": plan.note}


def _score(state: State, plan: Plan) -> float | None:
    """What the position is worth to the side to move; None where the agent has no opinion."""
    if isinstance(state, connect4.State) and connect4.outcome(state) is not None:
        return 0 if state.winner is None else -_stones_left(state, len(state.moves))
    if isinstance(state, sokoban.State):
        return -verify(state, plan.actions)[1] if plan.status is Status.SOLVED else None
    values = [value for value in plan.values.values() if math.isfinite(value)]
    return _value(state, max(values), plan.exact) if values else None


def _value(state: State, value: float | None, exact: bool) -> float | None:
    """An agent's value as it is printed; None where there is none on the scale of the score."""
    if value is None or not math.isfinite(value):
        return None
    if isinstance(state, connect4.State) and exact:
        from ai.connect4.board.scores import plies_to_end

        plies = plies_to_end(value)
        if plies is None:
            return 0 if value == 0 else None
        stones = _stones_left(state, len(state.moves) + plies)
        return stones if value > 0 else -stones
    return round(float(value), 6)


def _stones_left(state: connect4.State, stones: int) -> int:
    """How early a game ends that ends with so many stones on the board: 1 is the winner's last possible stone."""
    players = state.shape.players
    own = (stones - 1) // players + 1
    return -(-state.shape.cells // players) + 1 - own


def _legal(state: State) -> tuple[int, ...]:
    if isinstance(state, sokoban.State):
        return sokoban.legal_actions(state)
    return twenty48.legal_actions(state) if isinstance(state, twenty48.State) else connect4.legal_actions(state)


def _over(state: State) -> bool:
    if isinstance(state, sokoban.State):
        return sokoban.is_solved(state)
    outcome = twenty48.outcome(state) if isinstance(state, twenty48.State) else connect4.outcome(state)
    return outcome is not None


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
    say(f"{GAMES[arguments.game].title}\n\n{draw(states[0])}\n")
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
