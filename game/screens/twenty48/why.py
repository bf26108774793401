"""'Why?' on the screen: what speaks for the agent's move, in words and then in numbers, and its groups of cells on the board."""

import math
from collections.abc import Sequence

import pygame

from ai.twenty48.ntuple.why import Part
from game.play.twenty48.reasons import Reasons
from game.play.twenty48.session import TileSession
from game.rules.direction import Direction
from game.screens.twenty48.beside import Line, heading
from game.ui import shapes, text
from game.ui.theme import FONT_SMALL, Theme
from game.views.twenty48.board import BoardView
from game.views.twenty48.outline import outline

NO_PARTS = "Only n-tuple networks can say which cells count: this agent's values have no such parts."
NO_VALUES = "This agent gives the others no value; compared is the slide that leaves most room."
GLANCE = "At a glance it prefers {other}: looking ahead decides."


def lines(session: TileSession) -> tuple[Line, ...]:
    """What the card beside the board says."""
    found = session.explainer.reasons
    if not session.explained or found is None:
        return heading("Why?"), Line(_no_reason(session), tone="muted")
    other = f", not {Direction(found.other).label}" if found.other is not None else ""
    shown = [heading(f"Why {Direction(found.action).label}{other}?", "thinking")]
    shown += [Line(fact) for fact in found.facts]
    return (*shown, *(_numbers(session, found) if found.other is not None else ()))


def _numbers(session: TileSession, found: Reasons) -> list[Line]:
    """The groups that speak for the move, as they are numbered on the board, and what it is worth more in all."""
    explainer, shown = session.explainer, list[Line]()
    assert found.other is not None
    other = Direction(found.other).label
    groups = explainer.groups
    if groups:
        shown.append(Line("Cells that speak for it", tone="muted", size=FONT_SMALL, above=12))
        shown += [
            Line(f"{number} · {where(part.cells, found.state.size)}", signed(part.points), above=3)
            for number, part in enumerate(groups, 1)
        ]
    if found.lead is None:
        shown.append(Line(NO_VALUES, tone="muted", size=FONT_SMALL, above=12))
    else:
        unit = "points " if session.values_kind == "points" else ""
        more = f"{abs(found.lead):,.0f} {unit}{'more' if found.lead >= 0 else 'less'}"
        shown.append(Line(f"After all its search it is worth {more} than {other}.", above=12))
        parts = explainer.parts
        if parts is not None and parts.value + parts.reward < -0.5 <= found.lead:
            shown.append(Line(GLANCE.format(other=other), tone="muted", size=FONT_SMALL))
    if explainer.unable:
        shown.append(Line(NO_PARTS, tone="muted", size=FONT_SMALL))
    return shown


def _no_reason(session: TileSession) -> str:
    driver = session.driver
    if driver.running:
        return "Too fast to follow." if math.isinf(driver.speed) else ""
    if driver.hint_waits:
        return "The agent is still being prepared."
    return "Thinking …" if driver.busy else "H lets the agent think about a move."


def draw(groups: Sequence[Part], surface: pygame.Surface, theme: Theme, board: BoardView) -> None:
    """The groups around their cells, each with its number and its points."""
    taken = set[int]()
    for number, part in enumerate(groups):
        if max(part.cells) >= (board.state.size**2 if board.state is not None else 0):
            return
        inset = theme.px(2) + number * max(theme.px(4), board.side // 16)
        image, at = outline(part.cells, board, theme, inset, max(2, theme.px(4) - number), number == 0)
        surface.blit(image, at)
    for number, part in enumerate(groups, 1):
        cell = next((each for each in part.cells if each not in taken), part.cells[0])
        taken.add(cell)
        place = board.cell_rect(cell)
        words = f"{number}  {signed(part.points)}"
        wide = text.width(theme, words, FONT_SMALL, "bold") + theme.px(14)
        pill = pygame.Rect(0, 0, wide, theme.px(22))
        pill.midtop = (place.centerx, place.top + theme.px(4))
        pill.clamp_ip(board.frame)
        surface.blit(shapes.rounded(pill.size, pill.height // 2, theme.thinking), pill)
        text.draw(surface, theme, words, pill.center, size=FONT_SMALL, colour=theme.thinking_ink, weight="bold",
                  anchor="center")  # fmt: skip


def signed(points: float) -> str:
    """'+1,204' or '−96'."""
    return f"{'+' if points >= 0 else '−'}{abs(points):,.0f}"


def where(cells: tuple[int, ...], size: int) -> str:
    """A group of cells in words: what it is where that has a name, else where its middle is."""
    rows, cols = {cell // size for cell in cells}, {cell % size for cell in cells}
    vertical, horizontal = _side([cell // size for cell in cells], size), _side([cell % size for cell in cells], size)
    if len(rows) == 1 and len(cells) == size:
        return f"row {min(rows) + 1}"
    if len(cols) == 1 and len(cells) == size:
        return f"column {min(cols) + 1}"
    names = {-1: ("top", "left"), 1: ("bottom", "right")}
    words = [names[side][axis] for axis, side in enumerate((vertical, horizontal)) if side]
    return f"{len(cells)} cells {' '.join(words) if words else 'in the middle'}"


def _side(places: list[int], size: int) -> int:
    """-1 before the middle, 1 after it, 0 about there."""
    off = sum(places) / len(places) - (size - 1) / 2
    return 0 if abs(off) < 0.2 else -1 if off < 0 else 1
