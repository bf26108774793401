"""The hand that draws: which tool and tile it holds, where it is, and the stroke under way, by mouse or keyboard."""

from collections.abc import Callable

from game.rules.direction import Direction
from game.rules.editing import drawings
from game.rules.editing.drawings import Drawing
from game.rules.sokoban import KIND, SECOND, WALL, Rules
from game.screens.editor.canvas import Canvas
from game.screens.editor.stroke import TOOLS, Stroke

WAYS = {"up": Direction.UP, "right": Direction.RIGHT, "down": Direction.DOWN, "left": Direction.LEFT}
TWO_PRESSES = ("line", "rectangle")
"""Tools that the keyboard sets down at one square and lifts at another."""


class Hand:
    """Draws on a canvas; every finished stroke goes to `on_stroke(what, drawing)`."""

    def __init__(
        self,
        canvas: Canvas,
        drawing: Callable[[], Drawing],
        rules: Callable[[], Rules],
        on_stroke: Callable[[str, Drawing], None],
    ) -> None:
        """`drawing()` is the drawing as it stands without the stroke under way, `rules()` those of the level."""
        self.canvas, self._drawing, self._rules, self._on_stroke = canvas, drawing, rules, on_stroke
        self.tool = TOOLS[0].id
        self.kind = WALL
        """What is painted: a kind of square, or the second player (`sokoban.SECOND` more)."""
        self.letter = 0
        """Of the boxes and targets that are painted; 0 for the next that is due."""
        self.cursor: int | None = None
        """The keyboard's square, once a key has moved it."""
        self.hover: int | None = None
        """The mouse's square."""
        self.stroke: Stroke | None = None
        self.by_key = False
        """Whether the stroke under way is the keyboard's."""

    @property
    def square(self) -> int | None:
        """Where it is."""
        return self.cursor if self.cursor is not None else self.hover

    @property
    def touched(self) -> tuple[int, ...]:
        """The squares that the stroke under way, or a click, would change."""
        if self.stroke is not None:
            return self.stroke.squares
        return (self.hover,) if self.hover is not None else ()

    @property
    def kinds(self) -> tuple[int, ...]:
        """What there is to paint, in the order of the palette."""
        return drawings.KINDS_OF_TWO if self._rules().players == 2 else drawings.KINDS

    @property
    def cell(self) -> int:
        """The number of the squares that a stroke would paint now."""
        return self.cell_of(self.kind, self.letter)

    def cell_of(self, kind: int, letter: int = 0) -> int:
        """The same for any kind."""
        return drawings.with_letter(self._drawing(), kind, letter) if self._rules().fixed else kind

    def take(self, kind: int, letter: int = 0) -> None:
        """Paint with another kind of square."""
        self.kind, self.letter = kind, letter

    def look_again(self) -> None:
        """The drawing was changed from elsewhere, perhaps in its size."""
        drawing = self._drawing()
        if self.cursor is not None:
            self.cursor = min(self.cursor, drawing.rows * drawing.cols - 1)
        self.hover = None

    def begin(self, square: int, shift: bool = False, by_key: bool = False) -> None:
        """Set the tool down."""
        if self.tool == "pick":
            self.pick(square)
            return
        self.by_key = by_key
        self.stroke = Stroke(self.tool, self.cell, self._drawing(), square)
        self.move(square, shift)

    def move(self, square: int, shift: bool = False) -> None:
        """Move the tool that is set down."""
        if self.stroke is not None:
            self.stroke.to(square, shift)
            self.canvas.show(self.stroke.drawing)

    def end(self, keep: bool = True) -> None:
        """Lift the tool, or with `keep` off break the stroke off."""
        stroke, self.stroke = self.stroke, None
        if stroke is not None:
            if keep:
                self._on_stroke(stroke.what, stroke.drawing)
            self.canvas.show(self._drawing())

    def pick(self, square: int) -> None:
        """Take the tile of a square, with its letter."""
        cell = self._drawing().cells[square]
        self.take(cell & (KIND + SECOND), drawings.letter_in(cell))

    def next_tile(self, step: int) -> None:
        """Take the next tile of the palette."""
        kinds = self.kinds
        at = kinds.index(self.kind) if self.kind in kinds else 0
        self.take(kinds[(at + step) % len(kinds)])

    # The keyboard's

    def place(self) -> int:
        """The keyboard's square; it appears where the mouse is, or in the middle."""
        drawing = self._drawing()
        if self.cursor is None:
            middle = drawing.rows // 2 * drawing.cols + drawing.cols // 2
            self.cursor = self.hover if self.hover is not None else middle
        return self.cursor

    def press(self) -> None:
        """Use the tool at the keyboard's square; lines and rectangles take two presses."""
        square = self.place()
        if self.stroke is not None:
            self.end()
            return
        self.begin(square, by_key=True)
        if self.tool not in TWO_PRESSES:
            self.end()

    def walk(self, way: str, paint: bool = False) -> None:
        """Move the keyboard's square, painting where it was and where it comes to."""
        shown = self.cursor is not None
        square, drawing = self.place(), self._drawing()
        row, col = divmod(square, drawing.cols)
        down, across = WAYS[way].delta
        if shown or paint:
            row, col = min(max(0, row + down), drawing.rows - 1), min(max(0, col + across), drawing.cols - 1)
        to = row * drawing.cols + col
        if paint:
            cell = self.cell
            self._on_stroke(f"paint {drawings.name_of(cell)}", drawings.paint(drawing, (square, to), cell))
        self.cursor, self.hover = to, None
        self.canvas.reveal(to)
        if self.by_key:
            self.move(to)

    # The mouse's

    def press_at(self, position: tuple[int, int], pick: bool, shift: bool) -> bool:
        """A button went down; False off the board."""
        square = self.canvas.square_at(position)
        if square is None:
            return False
        self.end(keep=False)
        self.cursor = None
        if pick:
            self.pick(square)
        else:
            self.begin(square, shift)
        return True

    def point_at(self, position: tuple[int, int], shift: bool) -> None:
        """The mouse moved, with a button down or not."""
        if self.stroke is not None and not self.by_key:
            square = self.canvas.square_at(position, held=True)
            if square is not None:
                self.move(square, shift)
            return
        self.hover = self.canvas.square_at(position)
        if self.hover is not None and self.stroke is None:
            self.cursor = None

    def release(self) -> None:
        """The button came up."""
        if not self.by_key:
            self.end()
