"""Small celebrations: a ripple round a box that reaches a target, the burst at the end of a level; and a shake for 'no'."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from game.ui.theme import PALETTES
from game.ui.tween import Tween, pop, smooth
from game.views.sokoban import marks
from game.views.sokoban.accent import ACCENT

RIPPLE_SECONDS, RIPPLE_FRAMES = 0.38, 10
SHAKE_SECONDS, SHAKES, SHAKE_CELLS = 0.28, 2.5, 0.07
JOY_SECONDS, JOY_HOPS, JOY_TURNS = 1.05, 1.9, 8.0
"""How long the keeper jumps for joy; hops and quarter turns a second."""
POP_SECONDS, POP_SPREAD = 0.4, 0.45
PAPER_LIFE = 0.66
PAPERS_MOST = 110
PAPER_TURNS = 6
PAPER_COLOURS = (ACCENT.dark, PALETTES["dark"].good, "#ef6f5e", "#35b8a6", "#ffdf9e")
"""Bright on either theme."""
GRAVITY = 15.0
"""Cells a second squared."""


@dataclass(slots=True)
class _Paper:
    """One piece of confetti: where it starts and how fast, in cells and cells a second; times in seconds."""

    x: float
    y: float
    across: float
    up: float
    delay: float
    spin: float
    colour: int


class Effects:
    """What sparkles for a moment."""

    def __init__(self) -> None:
        self._ripples: list[tuple[int, Tween]] = []
        self._pops: dict[int, Tween] = {}
        self._papers: list[_Paper] = []
        self._shakes: dict[int, Tween] = {}
        self._age = 0.0

    @property
    def celebrating(self) -> bool:
        """Whether the burst is under way."""
        return bool(self._pops or self._papers)

    @property
    def busy(self) -> bool:
        """Whether there is anything to see."""
        return self.celebrating or bool(self._ripples or self._shakes)

    def clear(self) -> None:
        """Stop everything."""
        self._ripples.clear()
        self._pops.clear()
        self._papers.clear()
        self._shakes.clear()

    def ripple(self, square: int) -> None:
        """A box has reached the target on `square`."""
        self._ripples.append((square, Tween(RIPPLE_SECONDS, ease=smooth)))

    def shake(self, square: int) -> None:
        """What stands on `square` says no."""
        self._shakes[square] = Tween(SHAKE_SECONDS, ease=_same)

    def sway(self, square: int) -> float:
        """How far what stands there has gone aside, in cells."""
        tween = self._shakes.get(square)
        if tween is None:
            return 0.0
        return SHAKE_CELLS * (1 - tween.progress) * math.sin(tween.progress * SHAKES * math.tau)

    def celebrate(self, boxes: Sequence[tuple[int, float, float]]) -> None:
        """Boxes pop in the given order, each throwing confetti: (square, column, row) of its middle, in cells."""
        self._age = 0.0
        chance = random.Random(len(boxes))
        each = min(12, max(2, PAPERS_MOST // max(1, len(boxes))))
        throwing = boxes[:: max(1, math.ceil(len(boxes) * each / PAPERS_MOST))]
        self._pops, self._papers = {}, []
        for order, (square, _, _) in enumerate(boxes):
            self._pops[square] = Tween(POP_SECONDS, delay=POP_SPREAD * order / max(1, len(boxes) - 1), ease=_same)
        for square, x, y in throwing:
            for _ in range(each):
                paper = _Paper(
                    x,
                    y,
                    across=chance.gauss(0, 2.2),
                    up=chance.uniform(3.0, 6.5),
                    delay=self._pops[square].delay + 0.06,
                    spin=chance.uniform(-14, 14),
                    colour=chance.randrange(len(PAPER_COLOURS)),
                )
                self._papers.append(paper)

    def scale(self, square: int) -> float:
        """Size of the box on `square`, 1 at rest."""
        tween = self._pops.get(square)
        return pop(tween.progress) if tween and tween.started else 1.0

    @property
    def hop(self) -> float:
        """Height of the keeper's jumps for joy, 0 to 1."""
        return abs(math.sin(self._age * math.tau * JOY_HOPS)) if self._rejoices else 0.0

    @property
    def turn(self) -> int | None:
        """Where a keeper looks who turns round for joy, at last at whoever plays; None where none does."""
        quarters = int(self._age * JOY_TURNS)
        return (2 + min(quarters, 4)) % 4 if self._rejoices else None

    @property
    def _rejoices(self) -> bool:
        return self.celebrating and self._age < JOY_SECONDS

    def update(self, dt: float) -> None:
        """Let `dt` seconds pass."""
        self._age += dt
        for tween in self._shakes.values():
            tween.update(dt)
        self._shakes = {square: tween for square, tween in self._shakes.items() if not tween.done}
        for _, tween in self._ripples:
            tween.update(dt)
        self._ripples = [entry for entry in self._ripples if not entry[1].done]
        for tween in self._pops.values():
            tween.update(dt)
        if all(tween.done for tween in self._pops.values()):
            self._pops.clear()
        self._papers = [paper for paper in self._papers if self._age < paper.delay + PAPER_LIFE]

    def ripples(self) -> list[tuple[int, int, int]]:
        """The rings to draw below the boxes: (square, frame, number of frames)."""
        return [
            (square, min(RIPPLE_FRAMES - 1, int(tween.progress * RIPPLE_FRAMES)), RIPPLE_FRAMES)
            for square, tween in self._ripples
        ]

    def papers(self, cell: int, origin: tuple[int, int]) -> list[tuple[pygame.Surface, tuple[int, int]]]:
        """The confetti and where it is; `origin` is the board's top left corner, `cell` a square's side in pixels."""
        placed = []
        unit = max(cell, 26)
        for paper in self._papers:
            age = self._age - paper.delay
            if age < 0:
                continue
            left = 1 - age / PAPER_LIFE
            size = max(2, round(unit * 0.2 * min(1.0, left * 3)))
            turn = int((age * abs(paper.spin) + paper.colour) % PAPER_TURNS)
            image = marks.paper(size, PAPER_COLOURS[paper.colour], turn, PAPER_TURNS)
            x = origin[0] + paper.x * cell + paper.across * age * unit
            y = origin[1] + paper.y * cell - (paper.up * age - GRAVITY * age * age / 2) * unit
            placed.append((image, (round(x) - size, round(y) - size)))
        return placed


def _same(t: float) -> float:
    return t
