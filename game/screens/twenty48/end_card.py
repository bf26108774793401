"""How a game of 2048 ended: score, best, and what can be done now."""

from collections.abc import Callable
from functools import partial

import pygame

from game.play.twenty48.session import TileSession
from game.play.words import counted
from game.screens.twenty48.beside import PAD, Line, heading
from game.ui.controls import Button
from game.ui.kit import Kit
from game.ui.shortcuts import keys_shown
from game.ui.theme import FONT_TITLE

ANSWERS = (("Again", "shuffle", "new"), ("Watch", "replay", "theatre"), ("Undo", "undo", "undo"))
"""(words, icon, command), the first the one that is meant for most."""
HIGH, GAP = 38, 8


def lines(session: TileSession) -> tuple[Line, ...]:
    """What the card says."""
    state, by_agent = session.state, session.agent_played
    own, theirs = session.bests
    shown = [
        heading("No move is left"),
        Line(f"{state.score:,}", size=FONT_TITLE, weight="bold", above=2),
        Line("points, by the agent" if by_agent else "points", tone="muted", above=0),
    ]
    if session.best:
        shown.append(Line("The agents' new best!" if by_agent else "A new best!", tone="good", weight="bold"))
    shown += [
        Line("Your best", f"{own:,}" if own else "–", above=10),
        Line("Agents' best", f"{theirs:,}" if theirs else "–", above=2),
        Line("Largest tile", f"{1 << max(state.cells):,}", above=2),
        Line(counted(session.timeline.cursor, "move"), tone="muted", above=2),
    ]
    return tuple(shown)


def build(kit: Kit, card: pygame.Rect, command: Callable[[str], object]) -> int:
    """The buttons at the bottom of the card; answers the pixel where they begin."""
    theme = kit.theme
    pad, gap, high = theme.px(PAD), theme.px(GAP), theme.px(HIGH)
    left, wide = card.left + pad, card.width - 2 * pad
    side_by_side = card.width > card.height
    rows = 1 if side_by_side else 2
    top = card.bottom - pad - rows * high - (rows - 1) * gap
    third, half = (wide - 2 * gap) // 3, (wide - gap) // 2
    for number, (words, icon, each) in enumerate(ANSWERS):
        if side_by_side:
            place = pygame.Rect(left + number * (third + gap), top, third, high)
        elif number == 0:
            place = pygame.Rect(left, top, wide, high)
        else:
            place = pygame.Rect(left + (number - 1) * (half + gap), top + high + gap, half, high)
        Button(
            kit, place, words, icon=icon if number == 0 or half > theme.px(100) else "",
            style="primary" if number == 0 else "plain", on_press=partial(command, each), tip=f"{words} ({keys_shown(each)})",
        )  # fmt: skip
    return top - theme.px(6)
