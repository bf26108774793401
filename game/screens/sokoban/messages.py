"""What the Sokoban screen says about a position: the banner and the status bar."""

from typing import TYPE_CHECKING

from game.screens.sokoban import plans
from game.screens.sokoban.banner import Message, Offer

if TYPE_CHECKING:
    from game.screens.sokoban.screen import SokobanScene

LOST = "This can no longer be won"


def banner(scene: "SokobanScene") -> Message | None:
    """What the banner has to say about the present position."""
    theme, ply = scene.theme, scene.timeline.cursor
    onward = Offer(scene.onward, "next", lambda: scene.change_level(1), "accent")
    again = Offer("Restart", "restart", scene.restart)
    if scene.over(scene.state):
        name = scene.helper_name
        who = "" if not scene.helped else f" by {name}" if scene.line.agent_ply == 0 else f" with {name}"
        words = f"Solved{who}: {plans.counted(ply, 'move')}, {plans.counted(scene.pushes, 'push')}"
        ink = theme.thinking if scene.helped else theme.good
        return Message(f"solved {words}", "check", ink, words, (Offer("Watch it", "replay", scene.watch), onward))
    undo = Offer("Undo", "undo", scene.undo)
    if scene.verdict.proved(ply):
        name = scene.solver.agent_name
        if scene.verdict.proved_at_start:
            return Message("level", "warning", theme.bad, f"{name} proved: this level has no solution", (onward,))
        return Message("proved", "warning", theme.bad, f"{name} proved: {LOST[0].lower()}{LOST[1:]}", (undo, again))
    if scene.verdict.dead and ply == 0:
        return Message("level", "warning", theme.bad, "This level has no solution", (onward,))
    if scene.verdict.dead and scene.context.settings.show_stuck:
        return Message("dead", "warning", theme.bad, LOST, (undo, again))
    return None


def idle(scene: "SokobanScene") -> str:
    """The status bar's left side while nobody thinks: what can be done now."""
    if scene.over(scene.state):
        return f"Solved · Enter: {scene.onward.lower()}"
    if scene.pointer.box is not None:
        if not scene.pointer.targets:
            return "This box cannot be pushed from here · Esc lets it go"
        return "Click a marked square, or drag the box there · Esc lets it go"
    hint = scene.driver.hint
    if hint is not None and hint.actions:
        return f"{scene.solver.agent_name} suggests the arrow · Enter carries it out · Esc forgets it"
    return "Arrows or clicks walk · click a box to push it far · H hint · Space solves · L levels"


def outlook(scene: "SokobanScene") -> str:
    """The status bar's right side: whether anything is lost."""
    if scene.over(scene.state):
        return "every box is home"
    told = scene.context.settings.show_stuck
    ply = scene.timeline.cursor
    if scene.verdict.proved(ply) or (scene.verdict.dead and (told or ply == 0)):
        hopeless = scene.verdict.proved_at_start or ply == 0
        return "this level has no solution" if hopeless else f"{LOST}: undo or restart"
    return "no box is stuck" if told else ""
