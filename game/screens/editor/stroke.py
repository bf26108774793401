"""One stroke of a tool, from the press of a button or key to its end, by mouse or keyboard alike."""

from dataclasses import dataclass

from game.rules.editing import drawings
from game.rules.editing.drawings import Drawing


@dataclass(frozen=True, slots=True)
class Tool:
    """A way to paint."""

    id: str
    title: str
    icon: str
    verb: str
    """For the undo history and the status bar."""


TOOLS = (
    Tool("brush", "Paint", "edit", "drag to paint"),
    Tool("line", "Line", "line", "drag a line"),
    Tool("rectangle", "Rectangle", "rectangle", "drag a rectangle, Shift fills it"),
    Tool("fill", "Fill", "fill", "click an area to fill it"),
    Tool("pick", "Pick a tile", "pick", "click a square to take its tile"),
)
TOOL = {tool.id: tool for tool in TOOLS}


class Stroke:
    """Where a tool was set down and what it has touched so far."""

    def __init__(self, tool: str, kind: int, before: Drawing, start: int) -> None:
        """`kind` is the number of the squares it paints. Call `to` with the first square as well."""
        self.tool, self.kind, self.before, self.start = tool, kind, before, start
        self.squares: tuple[int, ...] = ()
        """What it would change, in the order it was touched."""
        self.drawing = before
        """The drawing as it would be if the stroke ended now."""
        self._path: tuple[int, ...] = ()
        self._last = -1

    def to(self, square: int, shift: bool = False) -> None:
        """Move on to a square; with `shift` the brush draws a straight line, the rectangle is filled."""
        cols = self.before.cols
        if drawings.is_single(self.kind):
            self.squares = (square,)
        elif self.tool == "fill":
            self.squares = drawings.region(self.before, square)
        elif self.tool == "rectangle":
            self.squares = drawings.rectangle(cols, self.start, square, filled=shift)
        elif self.tool == "line" or shift:
            self.squares = drawings.line(cols, self.start, square)
        else:
            way = drawings.line(cols, self._last, square) if self._last >= 0 else (square,)
            self._path = tuple(dict.fromkeys((*self._path, *way)))
            self._last = square
            self.squares = self._path
        self.drawing = drawings.paint(self.before, self.squares, self.kind)

    @property
    def what(self) -> str:
        """For the undo history."""
        name = drawings.name_of(self.kind)
        return {"fill": f"fill with {name}", "line": f"line of {name}", "rectangle": f"rectangle of {name}"}.get(
            self.tool, f"paint {name}"
        )
