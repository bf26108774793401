"""What a first game of connect-4 shows on its board: keys and a falling stone, a line of four, two threats at once."""

import pygame

from game.play.connect4 import lesson
from game.rules import connect4
from game.rules.connect4 import State
from game.ui import keycap, shapes
from game.ui.theme import Theme
from game.ui.tween import bounce
from game.views.connect4 import pieces
from game.views.connect4.board import BoardView

TURN = 2.2
"""Seconds that one thing is shown, before it is shown again."""
KEY = 34
"""Units of a key above a column."""
GHOST = 150
"""Opacity of a stone that is only thought of, 0 to 255."""
GOAL = 4


def draw(surface: pygame.Surface, theme: Theme, board: BoardView, idea: str, state: State, age: float) -> None:
    """An idea on the board, `age` seconds after it came there; nothing while a stone falls, nor but from the front."""
    if board.busy or state.shape.depth > 1 or board.view != "flat":
        return
    if idea == "drop":
        _draw_drop(surface, theme, board, state, age)
    elif idea == "four":
        line = lesson.goal_line(state)
        if line is not None:
            _draw_line(surface, theme, board, state, line, age)
    elif idea in ("fork", "win"):
        action = lesson.winning(state)
        if action is None and idea == "fork":
            action = lesson.forking(state)
        if action is not None:
            _draw_move(surface, theme, board, state, action, age)


def draw_goal(surface: pygame.Surface, theme: Theme, picture: pygame.Rect, seat: int, due: str, age: float) -> None:
    """Four stones of a seat with the line that wins through them; once that is known, three between two threats."""
    side, gap = min(theme.px(30), picture.height), theme.px(5)
    count = GOAL + (due == "fork")
    wide = count * side + (count - 1) * gap
    if wide > picture.width:
        return
    x = picture.centerx - wide // 2 + side // 2
    middles = [(x + number * (side + gap), picture.centery) for number in range(count)]
    for number, middle in enumerate(middles):
        if due == "fork" and number in (0, count - 1):
            glow = shapes.glow(side, theme.px(6), theme.thinking).copy()
            glow.set_alpha(round(255 * keycap.pulse(age, TURN)))
            pieces.place(surface, glow, middle)
            pieces.place(surface, pieces.hint_ring(side, theme.thinking), middle)
        else:
            pieces.place(surface, pieces.stone(theme, seat, side, "full"), middle)
    if due != "fork":
        pieces.line_through(surface, middles[0], middles[-1], 1.0, side * 0.12)


def _key(surface: pygame.Surface, theme: Theme, board: BoardView, state: State, action: int, glow: float) -> None:
    """The number key of a column, where the waiting stone would be."""
    side = min(theme.px(KEY), _diameter(board, state))
    keycap.draw(surface, theme, board.column_top(action), side, label=connect4.label(state.shape, action), glow=glow)


def _diameter(board: BoardView, state: State) -> int:
    """Of a stone on the board as it is drawn now, in pixels."""
    if state.shape.cols < 2:
        return 24
    (x0, _), (x1, _) = board.cell_centre(0), board.cell_centre(1)
    return max(8, round(abs(x1 - x0) * 0.8))


def _ghost_stone(
    surface: pygame.Surface, theme: Theme, board: BoardView, state: State, at: tuple[float, float], seen: float
) -> None:
    """A stone of whoever is to move, see-through, in a ring of the thinking colour."""
    side = _diameter(board, state)
    image = pieces.stone(theme, state.to_move, side, "full").copy()
    image.fill((255, 255, 255, round(GHOST * seen)), special_flags=pygame.BLEND_RGBA_MULT)
    pieces.place(surface, image, at)
    ring = shapes.ring(side + 4, max(2.0, side * 0.06), theme.thinking).copy()
    ring.set_alpha(round(255 * seen))
    pieces.place(surface, ring, at)


def _seen(age: float) -> float:
    """How much of what is shown is to be seen at a moment of its turn, 0 to 1."""
    moment = age % TURN / TURN
    return max(0.0, min(1.0, moment / 0.1, (1.0 - moment) / 0.15))


def _fall(surface: pygame.Surface, theme: Theme, board: BoardView, state: State, action: int, age: float) -> bool:
    """A ghost of a stone falls into a column; answers whether it has landed."""
    cell = connect4.landing(state, action)
    if cell is None:
        return False
    share = bounce((age % TURN / TURN - 0.3) / 0.25)
    (x0, y0), (x1, y1) = board.column_top(action), board.cell_centre(cell)
    _ghost_stone(surface, theme, board, state, (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share), _seen(age))
    return age % TURN / TURN >= 0.55


def _draw_drop(surface: pygame.Surface, theme: Theme, board: BoardView, state: State, age: float) -> None:
    """A stone falls into one column after the other, beside the key that lets it fall."""
    middle = (state.shape.cols - 1) // 2
    order = [middle, middle - 2, middle + 2, middle - 1, middle + 1]
    open_ones = [action for action in order if connect4.landing(state, action) is not None]
    if not open_ones:
        return
    action = open_ones[int(age / TURN) % len(open_ones)]
    for each in range(state.shape.cols):
        _key(surface, theme, board, state, each, keycap.pulse(age, TURN) if each == action else 0.0)
    if age % TURN / TURN > 0.3:
        _fall(surface, theme, board, state, action, age)


def _draw_line(
    surface: pygame.Surface, theme: Theme, board: BoardView, state: State, line: lesson.Line, age: float
) -> None:
    """The stones that are missing in a line come one after the other, then the line through all of them."""
    moment = age % TURN / TURN
    missing = [cell for cell in line if not state.cells[cell]]
    for number, cell in enumerate(missing):
        begin = 0.1 + 0.12 * number
        _ghost_stone(
            surface,
            theme,
            board,
            state,
            board.cell_centre(cell),
            max(0.0, min(1.0, (moment - begin) / 0.1)) * _seen(age),
        )
    drawn = (moment - 0.15 - 0.12 * len(missing)) / 0.15
    if drawn > 0:
        _glow(surface, theme, board, state, line, min(1.0, drawn))


def _glow(
    surface: pygame.Surface, theme: Theme, board: BoardView, state: State, line: lesson.Line, drawn: float
) -> None:
    start, end = board.cell_centre(line[0]), board.cell_centre(line[-1])
    pieces.line_through(surface, start, end, drawn, _diameter(board, state) * 0.1)


def _draw_move(
    surface: pygame.Surface, theme: Theme, board: BoardView, state: State, action: int, age: float
) -> None:
    """A stone falls where it wins, or where it makes threats: these glow, each with the line that it would complete."""
    _key(surface, theme, board, state, action, keycap.pulse(age, TURN))
    if age % TURN / TURN <= 0.3 or not _fall(surface, theme, board, state, action, age):
        return
    after = connect4.apply(state, action)
    if after.winner is not None:
        for line in connect4.winning_lines(after):
            _glow(surface, theme, board, state, line, 1.0)
        return
    side = _diameter(board, state)
    for cell, line in lesson.threats(after, state.to_move).items():
        _glow(surface, theme, board, state, line, 1.0)
        pieces.place(surface, shapes.glow(side, round(side * 0.22), theme.thinking), board.cell_centre(cell))
        pieces.place(surface, pieces.hint_ring(side, theme.thinking), board.cell_centre(cell))
