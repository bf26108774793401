"""Tables, plots, pictures and films of the study `sokoban-dqn`."""

import io
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from ai import models
from ai.agent import Plan, Status, Thinking
from ai.sokoban.dqn import model
from ai.sokoban.dqn.report.study import Curve
from ai.sokoban.dqn.settings import level_of, with_pulls
from game.rules import sokoban
from game.studies.pages import Cell, Film, Findings, Plot, Sheet
from game.studies.sokoban import dqn_parts

CLAIMS = {
    "one box": "100 %, 9 moves, 400 episodes",
    "two boxes": "85 %, 12 to 15 moves, 1,200 episodes",
    "three rooms": "70 %",
}
"""Of the report, for its boards; the last is what it says of drawn maps."""
FLEXIBLE = {
    "report's DQN": "one board, push only",
    "dqn": "one board or rooms of one size, push only or push & pull",
    "policy": "boards of any size, push only",
    "A*": "boards of any size, all rules",
    "A*, push & pull": "boards of any size, all rules; pulls undo mistakes",
}
_TIME = 60.0


def findings(curves: Mapping[str, Curve], parts: Mapping[str, Any], quick: bool) -> Findings:
    """Everything of the trainings that are done; the other agents play when all are."""
    compared = [_comparison(curves)] if len(curves) == len(parts) else []
    sheets = (_boards(curves, parts), *compared, _sweeps(curves), _variants(curves))
    share = "At one tenth of the episodes and of the time. " if quick else ""
    return Findings(
        "Sokoban: the report's DQN, and one done right",
        f"{share}One seed. `dqn` is trained on each board for {dqn_parts.SECONDS / (10 if quick else 1):g} processor seconds at "
        "most, the report's for as many episodes as the report (sweeps and other networks: as many as it says it takes). "
        "Success is the share of the last 100 episodes, exploring included; greedy is the game of the best network without "
        "exploring.",
        tuple(sheet for sheet in sheets if sheet.rows),
        tuple(_plots(curves)),
        len(curves),
        len(parts),
        tuple(_films(curves)),
    )


def _boards(curves: Mapping[str, Curve], parts: Mapping[str, Any]) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    for name, curve in curves.items():
        trainer, board, _ = parts[name]
        if trainer == "dqn" or name.removeprefix("report, ") in dqn_parts.REPORTED:
            claim = CLAIMS.get(board) if trainer != "dqn" else None
            rows.append(
                (
                    trainer, board, curve.episodes[-1], curve.first_win or None, 100 * curve.success[-1],
                    "yes" if curve.solved else "no", curve.moves or None, _optimum(board), curve.seconds, claim,
                )
            )  # fmt: skip
    head = (
        "training",
        "board",
        "episodes",
        "first win",
        "success %",
        "greedy",
        "moves",
        "fewest",
        "CPU s",
        "the report's claim",
    )
    forms = ("", "", ",", ",", ".0f", "", ",", ",", ".0f", "")
    return Sheet("boards", "Boards", head, tuple(rows), forms)


def _optimum(board: str) -> int:
    return len(_astar(_start(board)).actions)


def _start(board: str) -> sokoban.State:
    return level_of(*dqn_parts.BOARDS[board]).state


def _astar(state: sokoban.State) -> Plan:
    from ai.sokoban.search.bestfirst import AStar

    return AStar(_TIME, 10_000_000, optimal="moves").plan(state, Thinking())


def _comparison(curves: Mapping[str, Curve]) -> Sheet:
    """What each agent makes of all boards of the study."""
    rows: list[tuple[Cell, ...]] = []
    for title, prefix in (("report's DQN", "report, "), ("dqn", "dqn, ")):
        found = [curves[prefix + board] for board in dqn_parts.BOARDS if prefix + board in curves]
        if found:
            solved = [curve for curve in found if curve.solved]
            moves = float(np.mean([curve.moves for curve in solved])) if solved else None
            seconds = float(np.mean([curve.seconds for curve in found]))
            rows.append(
                (title, f"{len(solved)} of {len(found)}", moves, seconds, "none: each board anew", FLEXIBLE[title])
            )
    for title, plans in _others().items():
        solved_plans = [plan for plan in plans if plan.status is Status.SOLVED]
        moves = float(np.mean([len(plan.actions) for plan in solved_plans])) if solved_plans else None
        seconds = float(np.mean([plan.seconds for plan in plans]))
        rows.append((title, f"{len(solved_plans)} of {len(plans)}", moves, seconds, "every board", FLEXIBLE[title]))
    head = ("agent", "solved", "moves", "seconds a board", "generalises to", "flexibility")
    note = (
        "Seconds of the DQNs are those of training. Mean moves are those of the boards that each solves, so they compare "
        "only where all are solved. The report says: DQN 85 %, push & pull 95 %, A* 100 % solved."
    )
    return Sheet("comparison", "Agents compared", head, tuple(rows), ("", "", ".1f", ".3g", "", ""), note)


def _others() -> dict[str, list[Plan]]:
    starts = [_start(board) for board in dqn_parts.BOARDS]
    found = {"A*": [_astar(state) for state in starts]}
    found["A*, push & pull"] = [_astar(with_pulls(state, True)) for state in starts]
    cards = [
        card for card in models.listing() if (card.game, card.agent) == ("sokoban", "policy") and not card.problem
    ]
    if cards:
        from ai.sokoban.policy.agent import Policy

        agent = Policy(max(cards, key=lambda card: card.seconds).path, _TIME, views=1, caution=0)
        found["policy"] = [agent.plan(state, Thinking()) for state in starts]
    return found


def _sweeps(curves: Mapping[str, Curve]) -> Sheet:
    rows = []
    for setting, values in dqn_parts.SWEEPS.items():
        for value in values:
            curve = curves.get(f"{setting} {value:g}")
            if curve is not None:
                rows.append((f"{setting} {value:g}", *_row(curve)))
    return Sheet("sweeps", "Settings of the report's DQN, one box", _HEAD, tuple(rows), _FORMS)


def _variants(curves: Mapping[str, Curve]) -> Sheet:
    rows = [(name, *_row(curves[f"report, {name}"])) for name in dqn_parts.VARIANTS if f"report, {name}" in curves]
    return Sheet("networks", "Networks of the report's DQN, one box", _HEAD, tuple(rows), _FORMS)


_HEAD = ("", "episodes", "first win", "success %", "mean reward at the end", "greedy moves", "CPU s")
_FORMS = ("", ",", ",", ".0f", ".1f", ",", ".0f")


def _row(curve: Curve) -> tuple[Cell, ...]:
    return (
        curve.episodes[-1], curve.first_win or None, 100 * curve.success[-1], curve.reward[-1], curve.moves or None,
        curve.seconds,
    )  # fmt: skip


def _plots(curves: Mapping[str, Curve]) -> list[Plot]:
    found = []
    for prefix, title in (("dqn, ", "DQN done right"), ("report, ", "the report's DQN")):
        lines = {board: curves[prefix + board] for board in dqn_parts.BOARDS if prefix + board in curves}
        if lines:
            name = "curve-dqn" if prefix == "dqn, " else "curve-report"
            found.append(_curves(name, f"Share of the last 100 episodes that are solved: {title}", lines, "success"))
            found.append(_curves(f"{name}-reward", f"Mean reward: {title}", lines, "reward"))
    for setting, values in dqn_parts.SWEEPS.items():
        lines = {f"{value:g}": curves[f"{setting} {value:g}"] for value in values if f"{setting} {value:g}" in curves}
        if lines:
            found.append(_curves(f"sweep-{setting}", f"The report's DQN, {setting}: mean reward", lines, "reward"))
    for kind in (True, False):
        games = {name: curve for name, curve in curves.items() if curve.solved is kind and curve.actions}
        for name in [*games][:3]:
            word = "Solved" if kind else "Not solved"
            plot = name.replace(", ", "-").replace(" ", "-")
            found.append(Plot(f"game-{plot}", f"{word}: {name}", partial(_game, games[name])))
    return found


def _curves(name: str, title: str, lines: Mapping[str, Curve], what: str) -> Plot:
    def draw(axes: Any) -> None:
        for label, curve in lines.items():
            axes.plot(curve.episodes, getattr(curve, what), label=label, linewidth=1.2)

    return Plot(name, title, draw, "episodes", legend={"fontsize": 7})


def states(curve: Curve) -> list[sokoban.State]:
    """The positions of its greedy game."""
    found = [model.state_of(curve.start)]
    for action in curve.actions:
        if action not in sokoban.legal_actions(found[-1]):
            break
        found.append(sokoban.apply(found[-1], action))
    return found


def _game(curve: Curve, axes: Any) -> None:
    """The last position, and the way there."""
    played = states(curve)
    last, cols = played[-1], played[0].warehouse.cols
    for square in last.warehouse.walls:
        axes.add_patch(_square(square, cols, "#5a6172", 1.0))
    for square in last.warehouse.targets:
        axes.plot(square % cols, square // cols, "o", color="#e5484d", markersize=9, fillstyle="none")
    for square in played[0].boxes:
        axes.add_patch(_square(square, cols, "#f2d8ae", 0.7))
    for square in last.boxes:
        axes.add_patch(_square(square, cols, "#c98a2b", 0.7))
    way = [state.player for state in played]
    axes.plot([each % cols for each in way], [each // cols for each in way], color="#4c9be8", linewidth=1.5)
    axes.plot(way[0] % cols, way[0] // cols, "s", color="#4c9be8", markersize=6)
    axes.set_aspect("equal")
    axes.set_xlim(-0.5, cols - 0.5)
    axes.set_ylim(last.warehouse.rows - 0.5, -0.5)
    axes.grid(False)
    axes.set_xlabel(f"{len(way) - 1} steps")


def _square(square: int, cols: int, colour: str, side: float) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((square % cols - side / 2, square // cols - side / 2), side, side, color=colour)


def _films(curves: Mapping[str, Curve]) -> list[Film]:
    """A game of each kind of agent on each of the report's boards that was trained, and of A*."""
    found = []
    for board in dqn_parts.REPORTED:
        for prefix in ("dqn", "report"):
            curve = curves.get(f"{prefix}, {board}")
            if curve is not None:
                name = f"film-{prefix}-{board.replace(' ', '-')}"
                found.append(Film(name, f"{prefix}: {board}", partial(_film, states(curve)[:80])))
        start = _start(board)
        plan = _astar(start)
        played = [start]
        for action in plan.actions:
            played.append(sokoban.apply(played[-1], action))
        found.append(Film(f"film-astar-{board.replace(' ', '-')}", f"A*: {board}", partial(_film, played)))
    return found


def _film(played: list[sokoban.State]) -> bytes:
    from ai.sokoban.batch.games import boards_of_states
    from game.envs.sokoban_tiles import Painter
    from game.screens.replays.gif import GifWriter, palette_of

    warehouse = played[0].warehouse
    painter = Painter(warehouse.rows, warehouse.cols, False, 24)
    frames = []
    for state in played:
        painter.begin(boards_of_states([state]).cells[0])
        frames.append(painter.pixels.copy())
    file = io.BytesIO()
    high, wide = frames[0].shape[:2]
    writer = GifWriter(file, (wide, high), palette_of([frames[0], frames[-1]]))
    for number, frame in enumerate(frames):
        writer.add(frame, 150 if number == len(frames) - 1 else 20)
    writer.close()
    return file.getvalue()
