"""'Why?': the groups of cells that speak most for the agent's move, reckoned in the background, drawn on the board."""

from collections.abc import Callable
from typing import Any, cast

import pygame

from ai.agent import Agent, Thinking
from ai.entries import Spec
from ai.making import Maker
from ai.twenty48.ntuple.why import Part, Why
from ai.worker import Worker
from game.rules.twenty48 import State
from game.screens.play.panel import Row
from game.ui import shapes, text
from game.ui.theme import FONT_SMALL, Theme
from game.views.twenty48.board import BoardView
from game.views.twenty48.outline import outline

SHOWN = 3
"""Groups on the board at most."""
EVERY_SECONDS = 0.3
"""At the soonest another move is explained while the agent plays on."""


class WhyView:
    """Asks an agent of its own, which shares the model with the one that plays. Off until it is toggled."""

    def __init__(self) -> None:
        """Nothing is asked yet, and no thread is started."""
        self.why: Why | None = None
        self.ply = -1
        """The position that `why` is about, by the number of steps played."""
        self.state: State | None = None
        """That position."""
        self.unable = False
        """Whether the agent that was asked last cannot say why."""
        self.problem = ""
        """A sentence to show once."""
        self._worker: Worker[tuple[Why | None]] | None = None
        self._maker = Maker("twenty48")
        self._agent: tuple[str, Agent[Any]] | None = None
        self._asked: tuple[str, int, int, State] | None = None
        self._about: State | None = None
        self._wait = 0.0

    def ask(self, spec: Spec, ply: int, state: State, action: int) -> None:
        """Explain an action of a position, unless that is known or another is being explained."""
        key = (str(spec), ply, action, state)
        if key == self._asked or self._wait > 0 or (self._worker is not None and self._worker.busy):
            return
        self._asked, self._wait = key, EVERY_SECONDS
        if self._worker is None:
            self._worker = Worker("why-2048")

        self._about = state

        def job(thinking: Thinking, _emit: Callable[[object], None]) -> tuple[Why | None]:
            if self._agent is None or self._agent[0] != str(spec):
                agent = self._maker.agent(spec, thinking)
                if agent is None:
                    return (None,)
                self._agent = str(spec), agent
            explain = getattr(self._agent[1], "explain", None)
            return (cast(Why | None, explain(state, action)) if explain is not None else None,)

        self._worker.start((0, ply), job)

    def update(self, dt: float) -> None:
        """Once a frame: take the answer."""
        self._wait = max(0.0, self._wait - dt)
        if self._worker is None:
            return
        for said in self._worker.poll():
            if said.error is not None:
                self.why, self.problem = None, f"The move cannot be explained: {said.error}."
            elif said.result is not None:
                self.why, self.ply, self.state = said.result[0], said.ticket[1], self._about
                self.unable = self.why is None

    def close(self) -> None:
        """End the thread."""
        if self._worker is not None:
            self._worker.close()

    # Shown

    @property
    def groups(self) -> list[Part]:
        """The groups to show, the most in favour first."""
        return [part for part in self.why.parts[:SHOWN] if part.points >= 0.5] if self.why is not None else []

    def rows(self, size: int, short: bool) -> list[Row]:
        """The legend: what each group is, what it adds; the others; points at once; the sum.

        A short one leaves out the groups, which the board shows with their points anyway.
        """
        why = self.why
        if why is None:
            return []
        groups = self.groups
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

    def draw(self, surface: pygame.Surface, theme: Theme, board: BoardView) -> None:
        """The groups around their cells, each with its number and its points."""
        groups, taken = self.groups, set[int]()
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
