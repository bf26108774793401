"""What a first game of 2048 shows on its board: the keys at its edges, tiles that would slide or merge, a corner, the goal."""

import pygame

from game.play.twenty48 import lesson
from game.rules import twenty48
from game.rules.twenty48 import Slide, State
from game.ui import keycap, shapes, svg
from game.ui.theme import Theme
from game.ui.tween import smooth
from game.views.twenty48.board import BoardView
from game.views.twenty48.tiles import tile

TURN = 1.8
"""Seconds that one slide is shown, before the next."""
KEY = 40
"""Units of a key at the edge of the board."""
WIN = 11
GOAL = ((1, "plus"), (1, "arrow-right"), (2, ""), (WIN, ""))
"""Exponents of the tiles that tell the goal, with the icons between them: 2 and 2 make 4, and at last 2048."""


def draw(surface: pygame.Surface, theme: Theme, board: BoardView, idea: str, state: State, age: float) -> None:
    """An idea on the board, `age` seconds after it came there; nothing while tiles are moving."""
    if board.busy:
        return
    if idea == "slide":
        legal = twenty48.legal_actions(state)
        action = legal[int(age / TURN) % len(legal)] if legal else None
        _draw_slide(surface, theme, board, state, action, age)
        _draw_keys(surface, theme, board, range(4), action, age)
    elif idea == "merge":
        ways = lesson.merging(state)
        _draw_merge(surface, theme, board, state, ways[0], age)
        _draw_keys(surface, theme, board, ways, ways[0], age)
    elif idea == "corner":
        found = lesson.to_corner(state)
        if found is not None:
            action, corner = found
            _draw_corner(surface, theme, board, state, action, corner, age)
            _draw_keys(surface, theme, board, (action,), action, age)


def draw_goal(surface: pygame.Surface, theme: Theme, picture: pygame.Rect) -> None:
    """2 + 2 → 4 … 2048."""
    side, gap = min(theme.px(34), picture.height), theme.px(7)
    sign, dot = theme.px(14), theme.px(4)
    dots = 5 * dot
    wide = 4 * side + 2 * sign + dots + 6 * gap
    if wide > picture.width:
        return
    x, middle = picture.centerx - wide // 2, picture.centery
    for exponent, after in GOAL:
        if exponent == WIN:
            ring = shapes.rounded((side + gap, side + gap), side * 0.2, theme.good)
            surface.blit(ring, (x - gap // 2, middle - (side + gap) // 2))
        surface.blit(tile(exponent, side), (x, middle - side // 2))
        x += side + gap
        if after:
            surface.blit(svg.icon(after, sign, theme.muted), (x, middle - sign // 2))
            x += sign + gap
        elif exponent != WIN:
            for number in range(3):
                surface.blit(shapes.disc(dot, theme.muted), (x + 2 * number * dot, middle - dot // 2))
            x += dots + gap


def _draw_keys(
    surface: pygame.Surface, theme: Theme, board: BoardView, shown: "range | tuple[int, ...]", pressed: int | None,
    age: float,
) -> None:  # fmt: skip
    """Arrow keys half over the edges of the frame, where no tile lies below them."""
    side = min(theme.px(KEY), board.side // 2)
    frame = board.frame
    into = side // 3
    top, bottom = frame.top + into, frame.bottom - into
    middles = (
        (frame.centerx, top),
        (frame.right - into, frame.centery),
        (frame.centerx, bottom),
        (frame.left + into, frame.centery),
    )
    for action in shown:
        glow = keycap.pulse(age, TURN) if action == pressed else 0.0
        keycap.draw(surface, theme, middles[action], side, keycap.ARROWS[action], glow=glow)


def _share(age: float) -> tuple[float, float]:
    """(how far a shown slide has come, how much of it is to be seen) at a moment of its turn."""
    moment = age % TURN / TURN
    return smooth((moment - 0.25) / 0.35), min(1.0, moment / 0.12, (1.0 - moment) / 0.15)


def _draw_slide(
    surface: pygame.Surface, theme: Theme, board: BoardView, state: State, action: int | None, age: float
) -> None:
    slide = twenty48.slide(state, action) if action is not None else None
    if slide is not None:
        _draw_ghosts(surface, theme, board, slide, age)


def _draw_ghosts(
    surface: pygame.Surface, theme: Theme, board: BoardView, slide: Slide, age: float, only: int | None = None
) -> None:
    """Frames in the thinking colour that go where the tiles would."""
    share, seen = _share(age)
    side = board.side
    for move in slide.moves:
        if move.source == move.target or only not in (None, move.source):
            continue
        (x0, y0), (x1, y1) = board.place(move.source), board.place(move.target)
        at = round(x0 + (x1 - x0) * share), round(y0 + (y1 - y0) * share)
        _frame(surface, theme, pygame.Rect(at, (side, side)), seen)


def _frame(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, seen: float) -> None:
    clear = pygame.Color(theme.thinking.r, theme.thinking.g, theme.thinking.b, 46)
    image = shapes.rounded(rect.size, rect.width * 0.08, clear, theme.thinking, max(3, round(rect.width * 0.045)))
    image = image.copy()
    image.set_alpha(round(255 * min(1.0, max(0.0, seen))))
    surface.blit(image, rect)


def _draw_merge(
    surface: pygame.Surface, theme: Theme, board: BoardView, state: State, action: int, age: float
) -> None:
    """Two tiles that are equal, the one on its way into the other, and the tile that they make."""
    slide = twenty48.slide(state, action)
    assert slide is not None
    share, seen = _share(age)
    targets = {move.target for move in slide.moves if move.merged}
    for move in slide.moves:
        if move.target in targets:
            (x0, y0), (x1, y1) = board.place(move.source), board.place(move.target)
            at = round(x0 + (x1 - x0) * share), round(y0 + (y1 - y0) * share)
            if share >= 1.0:
                image = tile(move.exponent + 1, board.side).copy()
                image.set_alpha(round(225 * seen))
                surface.blit(image, at)
            _frame(surface, theme, pygame.Rect(at, (board.side, board.side)), seen)


def _draw_corner(
    surface: pygame.Surface, theme: Theme, board: BoardView, state: State, action: int, corner: int, age: float
) -> None:
    """The corner, and the largest tile on its way there."""
    place = board.cell_rect(corner)
    reach = board.gap // 2
    ring = place.inflate(2 * reach, 2 * reach)
    image = shapes.rounded(
        ring.size, board.side * 0.12, pygame.Color(0, 0, 0, 0), theme.thinking, max(3, board.gap // 2)
    )
    surface.blit(image, ring)
    slide = twenty48.slide(state, action)
    assert slide is not None
    largest = max(state.cells)
    for move in slide.moves:
        if move.exponent == largest and move.source != move.target:
            _draw_ghosts(surface, theme, board, slide, age, move.source)
