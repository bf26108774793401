"""'Why?' on the screen: the groups of cells that speak most for the agent's move, as rows and on the board."""

from collections.abc import Sequence

import pygame

from ai.twenty48.ntuple.why import Part
from game.play.twenty48.why import Explainer
from game.screens.play.face import Row
from game.ui import shapes, text
from game.ui.theme import FONT_SMALL, Theme
from game.views.twenty48.board import BoardView
from game.views.twenty48.outline import outline


def rows(explainer: Explainer, size: int, short: bool) -> list[Row]:
    """The legend: what each group is, what it adds; the others; points at once; the sum.

    A short one leaves out the groups, which the board shows with their points anyway.
    """
    why = explainer.why
    if why is None:
        return []
    groups = explainer.groups
    rows = [
        Row(f"{number} · {where(part.cells, size)}", signed(part.points))
        for number, part in enumerate(() if short else groups, 1)
    ]
    rows.append(Row("All other groups", signed(why.value - sum(part.points for part in groups))))
    if why.reward:
        rows.append(Row("Points at once", signed(why.reward)))
    together = why.value + why.reward
    # an agent that looks further ahead can prefer what the groups alone speak against
    return [*rows, Row("Together" if together > -0.5 else "Together, without looking ahead", signed(together))]


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
