"""What the Sokoban screen says about a position: the banner and the status bar."""

from typing import TYPE_CHECKING

from game.play.sokoban import plans
from game.screens.sokoban.banner import Message, Offer
from game.views.sokoban.accent import ACCENT

if TYPE_CHECKING:
    from game.screens.sokoban.screen import SokobanScene

LOST = "This can no longer be won"


def banner(scene: "SokobanScene") -> Message | None:
    """What the banner has to say about the present position."""
    theme, ply = scene.theme, scene.timeline.cursor
    onward = Offer(scene.onward, "next", lambda: scene.change_level(1), "accent")
    again = Offer("Restart", "restart", scene.restart)
    if scene.backwards and ply == 0:
        offers = (Offer("Elsewhere", "person", scene.next_place), Offer("Forwards", "backwards", scene.turn))
        words = "Pull every box to its mark, then reach the flag"
        return Message(f"backwards {scene.course.level_id}", "backwards", ACCENT.on(theme), words, offers)
    if scene.over(scene.state):
        name = scene.helper_name
        who = "" if not scene.helped else f" by {name}" if scene.line.agent_ply == 0 else f" with {name}"
        how = f"Solved{' backwards' * scene.backwards}{who}"
        words = f"{how}: {plans.counted(ply, 'move')}, {plans.counted(scene.pushes, 'push')}"
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
            return f"This box cannot be {_moved(scene)} from here · Esc lets it go"
        return "Click a marked square, or drag the box there · Esc lets it go"
    hint = scene.driver.hint
    if hint is not None and hint.actions:
        return f"{scene.solver.agent_name} suggests the arrow · Enter carries it out · Esc forgets it"
    rules = scene.state.warehouse.rules
    if scene.backwards and not scene.timeline.cursor:
        return "Click where the player begins, or C for the next place · Shift and an arrow pull · B forwards again"
    if rules.players == 2:
        pulls = " · Shift pulls" if rules.pull else ""
        return f"Arrows move one player, W A S D the other{pulls} · a click moves whoever is nearer · H hint"
    if rules.pull:
        return "Arrows walk, Shift and an arrow pull · click a box to move it far · H hint · Space solves"
    return "Arrows or clicks walk · click a box to push it far · H hint · Space solves · L levels"


def _moved(scene: "SokobanScene") -> str:
    """What can be done with boxes."""
    rules = scene.state.warehouse.rules
    return "pushed or pulled" if rules.pull and rules.push else "pulled" if rules.pull else "pushed"


def gestures(scene: "SokobanScene") -> tuple[tuple[str, str], ...]:
    """What the mouse does, for the list of keys."""
    rules = scene.state.warehouse.rules
    verb = "Move" if rules.pull and rules.push else "Pull" if rules.pull else "Push"
    pick = (("click a keeper", "Move only him by mouse"),) if rules.players == 2 else ()
    return (
        ("click", "Walk there, or pick up a box"),
        *pick,
        ("drag", f"{verb} to a marked square"),
        ("wheel", "Undo and redo"),
        ("drop a file", "Open its levels"),
    )


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
