"""What the Sokoban screen says about a position: the banner and the status bar."""

from collections.abc import Callable

from game.play.sokoban.session import LevelSession
from game.play.words import counted
from game.rules.sokoban import Rules
from game.screens.play import wheel
from game.screens.sokoban.banner import Message, Offer
from game.screens.sokoban.pointer import Pointer
from game.ui.theme import Theme
from game.views.sokoban.accent import ACCENT

LOST = "This can no longer be won"


def banner(session: LevelSession, theme: Theme, watch: Callable[[], None]) -> Message | None:
    """What the banner has to say about the present position; `watch` shows the game in the theatre."""
    ply, verdict = session.timeline.cursor, session.verdict
    onward = Offer(session.onward, "next", lambda: session.change_level(1), "accent")
    again = Offer("Restart", "restart", session.restart)
    if session.backwards and ply == 0:
        offers = (
            Offer("Elsewhere", "person", session.next_place, tip="Begin somewhere else"),
            Offer("Forwards", "backwards", session.turn),
        )
        words = "Pull every box to its mark, then reach the flag"
        return Message(f"backwards {session.course.level_id}", "backwards", ACCENT.on(theme), words, offers)
    if session.over:
        who = ""
        if session.helped:
            who = f" {'by' if session.line.agent_ply == 0 else 'with'} {session.helper_name}"
        how = f"Solved{' backwards' * session.backwards}{who}"
        counts = f"{counted(session.moves, 'move')}, {counted(session.pushes, 'push')}"
        words = f"{how}: {counts}"
        ink = theme.thinking if session.helped else theme.good
        offers = (Offer("Watch it", "replay", watch), onward)
        return Message(f"solved {words}", "check", ink, words, offers, (f"Solved: {counts}", counts, "Solved"))
    hope = Offer(
        "Undo to before that", "undo", session.undo_to_hope, tip="To the last position that is not known to be lost"
    )
    if verdict.proved(ply):
        name = session.agent_name
        if verdict.proved_at_start:
            return Message("level", "warning", theme.bad, f"{name} proved: this level has no solution", (onward,))
        return Message(
            "proved",
            "warning",
            theme.bad,
            f"{name} proved: {LOST[0].lower()}{LOST[1:]}",
            (hope, again),
            (LOST, "Lost"),
        )
    if verdict.dead and ply == 0:
        return Message("level", "warning", theme.bad, "This level has no solution", (onward,))
    if verdict.dead and session.store.settings.show_stuck:
        return Message("dead", "warning", theme.bad, LOST, (hope, again), ("Lost",))
    return None


def idle(session: LevelSession, pointer: Pointer) -> str:
    """The status bar's left side while nobody thinks: what can be done now."""
    rules, hint = session.state.warehouse.rules, session.driver.hint
    if session.over:
        return f"Solved · Enter: {session.onward.lower()}"
    if pointer.box is not None:
        if not pointer.targets:
            return f"This box cannot be {_moved(rules)} from here · Esc lets it go"
        return "Click a marked square, or drag the box there · Esc lets it go"
    if hint is not None and hint.actions:
        return f"{session.agent_name} suggests the arrow · Enter carries it out · Esc forgets it"
    if session.backwards and not session.timeline.cursor:
        return "Click where the player begins, or C for the next place · Shift and an arrow pull · B forwards again"
    if rules.players == 2:
        pulls = " · Shift pulls" if rules.pull else ""
        return f"Arrows move one player, W A S D the other{pulls} · a click moves whoever is nearer · H hint"
    if rules.pull:
        return "Arrows walk, Shift and an arrow pull · click a box to move it far · H hint · Space solves"
    return "Arrows or clicks walk · click a box to push it far · H hint · Space solves · L levels"


def about(session: LevelSession) -> tuple[str, ...]:
    """What is to be done on this level, in three short sentences."""
    rules = session.state.warehouse.rules
    if session.backwards:
        return (
            "Pull every box back to its mark.",
            "Then walk to the flag.",
            "Shift and an arrow pull; B plays forwards.",
        )
    goal = "Bring every box to its own letter." if session.state.warehouse.letters else "Push every box onto a mark."
    if not rules.push:
        goal = goal.replace("Push", "Pull")
    elif rules.pull:
        goal = goal.replace("Push", "Bring")
    ways = "Boxes can be pushed, never pulled." if not rules.pull else "Shift and an arrow pull a box."
    if rules.players == 2:
        return (goal, ways, "Arrows move one, W A S D the other.")
    return (goal, ways, "A box in a corner stays there for ever." if not rules.pull else "One box at a time.")


def _moved(rules: Rules) -> str:
    """What can be done with boxes."""
    return "pushed or pulled" if rules.pull and rules.push else "pulled" if rules.pull else "pushed"


def gestures(rules: Rules) -> tuple[tuple[str, str], ...]:
    """What the mouse does, for the list of keys."""
    verb = "Move" if rules.pull and rules.push else "Pull" if rules.pull else "Push"
    pick = (("click a keeper", "Move only him by mouse"),) if rules.players == 2 else ()
    return (
        ("click", "Walk there, or pick up a box"),
        *pick,
        ("drag", f"{verb} to a marked square"),
        wheel.GESTURE,
        ("drop a file", "Open its levels"),
    )


def outlook(session: LevelSession) -> str:
    """The status bar's right side: whether anything is lost."""
    if session.over:
        return "every box is home"
    told, verdict = session.store.settings.show_stuck, session.verdict
    ply = session.timeline.cursor
    if verdict.proved(ply) or (verdict.dead and (told or ply == 0)):
        hopeless = verdict.proved_at_start or ply == 0
        return "this level has no solution" if hopeless else f"{LOST}: undo or restart"
    return "no box is stuck" if told else ""
