"""What the agent thinks of a Sokoban level, as rows of the panel."""

from ai.agent import Status
from game.play.sokoban.policy_preview import Choices
from game.play.sokoban.session import LevelSession
from game.play.words import counted
from game.screens.play.face import Row
from game.ui.shortcuts import keys_shown
from game.ui.theme import Colour
from game.views.sokoban.choices import percent


def rows(session: LevelSession, colour: Colour) -> list[Row]:
    """Plan or progress in words; `colour` is that of thinking."""
    solver, thought = session.solver, session.driver.thought
    plan = thought.plan
    if plan is None or _elsewhere(session):
        if thought.thinking:
            return _progress(session, colour)
        if solver.cancelled:
            searched = Row("Searched", counted(thought.progress.nodes, "position"))
            return [Row("Answer", "none: it was stopped"), searched]
        asked = (("a hint", "hint"), ("the solution", "run"))
        return [Row(f"Ask for {what}", keys_shown(command)) for what, command in asked]
    choices = solver.preview.choices(session.driver, session.state)
    found = []
    if plan.status is Status.SOLVED:
        moves, pushes = solver.size
        found.append(Row("Solution", f"{counted(moves, 'move')} · {counted(pushes, 'push')}"))
    else:
        answer = {
            Status.UNSOLVABLE: "proved: there is no solution",
            Status.GAVE_UP: "none found in its limits",
            Status.CANCELLED: "none: it was stopped",
        }.get(plan.status, plan.note or "decided")
        found.append(Row("Answer", answer, colour))
    found.append(Row("Searched", _searched(plan.nodes, plan.seconds)))
    found += _likeliest(choices, colour)
    push = session.next_push
    if push is not None:
        found.append(Row("Next", push.words, colour))
    elif plan.status is Status.SOLVED:
        found.append(Row("Next", "nothing is left" if session.over else "–"))
    return found


def note(session: LevelSession) -> str:
    """What stands beside 'What it thinks' where it is not what stands there in every game."""
    solver, thought = session.solver, session.driver.thought
    if solver.cancelled:
        return "cancelled"
    solved = thought.plan is not None and thought.plan.status is Status.SOLVED
    if (solved and not session.over and not solver.knows(session.state)) or _elsewhere(session):
        return "of another position"
    return ""


def _elsewhere(session: LevelSession) -> bool:
    """Whether the last answer is no plan and says nothing about the position on the board."""
    thought, ply = session.driver.thought, session.timeline.cursor
    if thought.plan is None or thought.thinking:
        return False
    if thought.plan.status is Status.UNSOLVABLE:
        return not session.verdict.proved(ply)
    return thought.plan.status is not Status.SOLVED and thought.ply != ply


def _progress(session: LevelSession, colour: Colour) -> list[Row]:
    thought = session.driver.thought
    progress = thought.progress
    found = [Row("Searched", _searched(progress.nodes, thought.seconds))]
    if progress.open is not None and progress.closed is not None:
        found.append(Row("Open · closed", f"{progress.open:,} · {progress.closed:,}"))
    if progress.depth is not None:
        found.append(Row("Depth", f"{progress.depth:,}"))
    if progress.measure is not None:
        found.append(Row("Best position", f"{progress.measure:,.4g}", colour))
    return found


def _likeliest(choices: Choices, colour: Colour) -> list[Row]:
    """The row about the likeliest push, where there is one."""
    return [Row("Likeliest push", percent(max(choices.values())), colour)] if choices else []


def _searched(nodes: int, seconds: float) -> str:
    """'2,953 positions · 1.2 M/s'; the rate only where the time is long enough to tell."""
    words = counted(nodes, "position")
    if seconds < 0.02 or nodes < 100:
        return words
    rate = nodes / seconds
    short = f"{rate / 1e6:.1f} M" if rate >= 1e6 else f"{rate / 1e3:.0f} k" if rate >= 1e3 else f"{rate:.0f}"
    return f"{words} · {short}/s"
