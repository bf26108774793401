"""A Sokoban board on the screen: drawing, animation and hit-testing, for every screen that shows one.

The view knows positions and nothing of the game around them: a scene tells it what to show (`show`), what happened
(`play`, `undo_to`) and what to lay over the board (`Overlay`), and asks which square is under the pointer.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import pygame

from game.rules.sokoban import State, at_home
from game.ui.still import Still
from game.ui.surfaces import for_display
from game.ui.theme import Theme
from game.ui.tween import smooth
from game.views.sokoban import choices as board_choices
from game.views.sokoban import layer as board_layer
from game.views.sokoban import letters as board_letters
from game.views.sokoban import marks
from game.views.sokoban.accent import ACCENT
from game.views.sokoban.choices import Choices
from game.views.sokoban.effects import Effects
from game.views.sokoban.letters import Look
from game.views.sokoban.motion import Motion, Step
from game.views.sokoban.pieces import Pieces
from game.views.sokoban.thumbnail import thumbnail

__all__ = ["BoardView", "Overlay", "thumbnail"]

LARGEST_CELL = 96
"""Units (see Theme.px): small levels do not grow beyond this."""

UNDO_SECONDS = 0.07
FAINT = 70
"""Opacity of a box that a ghost has moved, 0 to 255."""
BESIDE_LETTER = 0.3
"""Cells from the middle of a box where the arrow of a hint begins, so that its letter can be read."""

Placed = tuple[pygame.Surface, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Overlay:
    """What is laid over a board; squares are row * cols + col, everything is optional.

    What an agent says (`hint`, `plan`) wears the thinking colour, what a person does the game's accent.

    Attributes:
        dead_squares: squares to be hatched, from which no box reaches a target.
        stuck: boxes to be marked as lost.
        selected_box: the box that the person has picked up.
        box_targets: the squares to which it can be pushed.
        lost_targets: those of them on which it would be lost.
        hover: the square under the pointer.
        walk: the squares of the path that a click would walk.
        hint: (square of a box, direction in which it goes).
        plan: the squares that an agent's keeper will walk.
        choices: how likely each push is to an agent.
        faint: boxes that shine through, because a ghost has moved them in its own world.
        ghosts: where an agent's best position so far has its boxes, with fixed targets in the order of the letters.
        active: the square of the player that the person has picked.
        cursor: the keyboard's square.
    """

    dead_squares: frozenset[int] = frozenset()
    stuck: frozenset[int] = frozenset()
    selected_box: int | None = None
    box_targets: frozenset[int] = frozenset()
    lost_targets: frozenset[int] = frozenset()
    hover: int | None = None
    walk: tuple[int, ...] = ()
    hint: tuple[int, int] | None = None
    plan: tuple[int, ...] = ()
    choices: Choices = field(default_factory=dict)
    ghosts: tuple[int, ...] = ()
    faint: frozenset[int] = frozenset()
    active: int | None = None
    cursor: int | None = None


NOTHING = Overlay()


class BoardView:
    """One board in a rectangle. Call `layout` and `show` before drawing; `update` every frame."""

    def __init__(self, theme: Theme, animated: bool = True) -> None:
        """With `animated` off every step arrives at once and nothing celebrates."""
        self.theme = theme
        self.animated = animated
        self.area = pygame.Rect(0, 0, 0, 0)
        self.board = pygame.Rect(0, 0, 0, 0)
        self.cell = 1
        self._motion = Motion()
        self._effects = Effects()
        self._layer: pygame.Surface | None = None
        self._still, self._still_floor = Still(), Still()
        self._pieces: Pieces | None = None
        self._dead: tuple[frozenset[int], pygame.Surface] | None = None

    def set_theme(self, theme: Theme, animated: bool) -> None:
        """Another look, or animation switched on or off."""
        self.theme, self.animated = theme, animated
        if not animated:
            self.settle()
        self._fit()

    def layout(self, rect: pygame.Rect) -> None:
        """Centre the board in `rect`, whole and with square cells of whole pixels."""
        self.area = pygame.Rect(rect)
        self._fit()

    def show(self, state: State, action: int = 2) -> None:
        """Show a position at once, after `action`, which says where its player looks; what is on its way is forgotten."""
        before = self._motion.shown
        self._effects.clear()
        self._motion.jump(state, action)
        if before is None or before.warehouse != state.warehouse:
            self._fit()

    def play(self, before: State, action: int, after: State, seconds: float) -> None:
        """Queue the move `action` from `before` to `after`, lasting `seconds` (less when others wait behind it)."""
        if self._motion.last != before:
            self.show(before, action)
        if self.animated and seconds > 0:
            self._motion.push(Step(before, after, action, seconds))
        else:
            self._motion.jump(after, action)

    def undo_to(self, state: State, action: int) -> None:
        """Go back to an earlier position, which came about by `action`.

        One step is seen to run backwards, quickly; further ones are a jump.
        """
        self._motion.settle()
        self._effects.clear()
        now = self._motion.shown
        if now is None or not self.animated or not _one_step(now, state):
            self.show(state, action)
        else:
            self._motion.push(Step(now, state, action, UNDO_SECONDS, back=True))

    @property
    def state(self) -> State | None:
        """The position at which everything queued will have arrived."""
        return self._motion.last

    @property
    def busy(self) -> bool:
        """Whether a step is on its way."""
        return self._motion.busy

    @property
    def celebrating(self) -> bool:
        """Whether the burst of `celebrate` is under way."""
        return self._effects.celebrating

    def settle(self) -> None:
        """Let everything arrive at once."""
        self._motion.settle()
        self._effects.clear()

    def update(self, dt: float) -> None:
        """Let `dt` seconds pass."""
        self._effects.update(dt)
        for step in self._motion.update(dt):
            if not step.back and step.box_to is not None and step.box_to in at_home(step.after):
                self._effects.ripple(step.box_to)

    def celebrate(self) -> None:
        """The level is solved: boxes pop in turn from the keeper outwards and throw confetti; about a second."""
        state = self._motion.last
        if state is None or not self.animated:
            return
        cols = state.warehouse.cols
        row, col = divmod(state.player, cols)
        nearest = sorted(state.boxes, key=lambda box: (abs(box // cols - row) + abs(box % cols - col), box))
        self._motion.facings = [2, 2]
        self._effects.celebrate([(box, box % cols + 0.5, box // cols + 0.5) for box in nearest])

    def shake(self, square: int) -> None:
        """What stands on a square cannot do what was asked for: it shakes for a moment."""
        if self.animated and self._motion.shown is not None:
            self._effects.shake(square)

    def square_at(self, position: tuple[float, float]) -> int | None:
        """The square under a point in pixels; None off the board."""
        state = self._motion.last
        if state is None or not self.board.collidepoint(position):
            return None
        col, row = int(position[0] - self.board.x) // self.cell, int(position[1] - self.board.y) // self.cell
        return row * state.warehouse.cols + col

    def rect_of(self, square: int) -> pygame.Rect:
        """Where a square is, in pixels."""
        return pygame.Rect(self._place(square), (self.cell, self.cell))

    def picture(self, overlay: Overlay) -> object | None:
        """Equal to what it was before where `draw` would draw the same again; None while something moves."""
        if self._motion.busy or self._effects.busy:
            return None
        return (self._motion.shown, overlay, tuple(self._motion.facings))

    def draw(
        self, surface: pygame.Surface, overlay: Overlay | None = None, ground: pygame.Color | None = None
    ) -> None:
        """Draw the board as it is at this moment, with an overlay; its area is filled with `ground` first."""
        state = self._motion.shown
        if state is None or not self.area:
            return
        overlay = overlay or NOTHING
        if self._layer is None or self._pieces is None:
            self._layer = board_layer.static_layer(state.warehouse, self.cell, self.theme)
            self._pieces = Pieces(self.cell)
        pieces = self._pieces
        if ground is None or self._motion.busy or self._effects.busy:
            if ground is not None:
                surface.fill(ground, self.area)
            self._draw_all(surface, overlay, ground, state, pieces)
        else:
            key = (self._layer, state, overlay, tuple(self._motion.facings))
            self._still.draw(
                surface, self.area, key, lambda: self._draw_all(surface, overlay, ground, state, pieces), ground
            )

    def _draw_all(
        self, surface: pygame.Surface, overlay: Overlay, ground: pygame.Color | None, state: State, pieces: Pieces
    ) -> None:
        if ground is None:
            self._draw_floor(surface, overlay, state)
        else:
            key = (self._layer, overlay.dead_squares)
            self._still_floor.draw(
                surface, self.board, key, lambda: self._draw_floor(surface, overlay, state), ground
            )
        clip = surface.get_clip()
        surface.fblits(self._below(overlay, pieces))
        surface.fblits(self._ripples())
        surface.fblits(self._boxes(state, overlay, pieces))
        self._draw_keepers(surface, state, pieces)
        surface.fblits(self._above(overlay, state))
        if self._effects.celebrating:
            surface.set_clip(clip.clip(self.area))
            surface.fblits(self._effects.papers(self.cell, self.board.topleft))
            surface.set_clip(clip)

    def _draw_floor(self, surface: pygame.Surface, overlay: Overlay, state: State) -> None:
        """What never moves."""
        assert self._layer is not None
        surface.blit(self._layer, self.board)
        if overlay.dead_squares:
            surface.blit(self._dead_layer(overlay.dead_squares, state), self.board)

    def _fit(self) -> None:
        """Size and place of the board; what was drawn for another size or look is dropped."""
        self._layer = self._pieces = self._dead = None
        state = self._motion.last
        if state is None:
            return
        rows, cols = state.warehouse.rows, state.warehouse.cols
        self.cell = max(1, min(self.area.width // cols, self.area.height // rows, self.theme.px(LARGEST_CELL)))
        self.board = pygame.Rect(0, 0, cols * self.cell, rows * self.cell)
        self.board.center = self.area.center

    def _place(self, square: int) -> tuple[int, int]:
        state = self._motion.last
        row, col = divmod(square, state.warehouse.cols if state else 1)
        return self.board.x + col * self.cell, self.board.y + row * self.cell

    def _between(self, start: int, end: int, share: float) -> tuple[int, int]:
        """The place of something on its way between two squares."""
        (x0, y0), (x1, y1) = self._place(start), self._place(end)
        return round(x0 + (x1 - x0) * share), round(y0 + (y1 - y0) * share)

    def _dead_layer(self, squares: frozenset[int], state: State) -> pygame.Surface:
        if self._dead is None or (self._dead[0] is not squares and self._dead[0] != squares):
            layer = pygame.Surface(self.board.size, pygame.SRCALPHA)
            mark = marks.dead(self.cell, self.theme.muted, 0.3 if self.theme.dark else 0.08)
            cols, cell = state.warehouse.cols, self.cell
            layer.blits([(mark, (square % cols * cell, square // cols * cell)) for square in squares], doreturn=False)
            self._dead = (squares, for_display(layer))
        return self._dead[1]

    def _marks(self, image: pygame.Surface, squares: Iterable[int]) -> list[Placed]:
        return [(image, self._place(square)) for square in squares]

    def _below(self, overlay: Overlay, pieces: Pieces) -> list[Placed]:
        """What lies on the floor."""
        theme, cell = self.theme, self.cell
        placed: list[Placed] = []
        if overlay.box_targets:
            state = self._motion.last
            lettered = frozenset(state.warehouse.homes) if state is not None else frozenset()
            hopeful = overlay.box_targets - overlay.lost_targets
            open_squares, named = hopeful - lettered, hopeful & lettered
            placed += self._marks(marks.landing(cell, ACCENT.on(theme)), open_squares)
            placed += self._marks(marks.landing(cell, ACCENT.on(theme), False), named)
            placed += self._marks(marks.lost(cell, theme.bad), overlay.lost_targets & overlay.box_targets)
        if overlay.plan:
            placed += self._marks(marks.dot(cell, theme.thinking, 0.085), dict.fromkeys(overlay.plan))
        if overlay.walk:
            placed += self._marks(marks.dot(cell, ACCENT.on(theme), 0.085), overlay.walk)
        if overlay.hover is not None:
            lost = overlay.hover in overlay.lost_targets
            hue = theme.bad if lost else ACCENT.on(theme)
            placed.append((marks.outline(cell, hue, 0.035, 0.1), self._place(overlay.hover)))
            if overlay.hover in overlay.box_targets:
                letter = "" if overlay.selected_box is None else self._letter(overlay.selected_box)
                placed.append((pieces.faded("stuck" if lost else "box", letter, 140), self._place(overlay.hover)))
        if overlay.active is not None:
            placed.append((marks.outline(cell, ACCENT.on(theme), 0.06), self._place(overlay.active)))
        return placed

    def _above(self, overlay: Overlay, state: State) -> list[Placed]:
        """What lies on boxes and keepers."""
        theme, cell = self.theme, self.cell
        placed: list[Placed] = []
        entry = state.warehouse.entry
        if entry in (state.player, state.second) and entry >= 0:
            side = max(6, round(cell * 0.42))
            place = self.rect_of(entry)
            placed.append((board_layer.flag(side, theme.surface, theme.text), (place.right - side, place.top)))
        if overlay.ghosts:
            letters = state.warehouse.letters or " " * len(overlay.ghosts)
            for square, letter in zip(overlay.ghosts, letters, strict=False):
                image = marks.ghost(cell, theme.thinking, theme.ground, square in state.warehouse.targets)
                placed.append((image, self._place(square)))
                if letter.strip():
                    placed.append((board_letters.tag(cell, letter), self._place(square)))
        if overlay.selected_box is not None:
            placed.append((marks.outline(cell, ACCENT.on(theme), 0.07), self._place(overlay.selected_box)))
        placed += self._likely(overlay)
        if overlay.hint is not None:
            box, direction = overlay.hint
            x, y = self._place(box)
            start = BESIDE_LETTER if self._letter(box) else 0.0
            arrow = marks.arrow(cell, direction, theme.thinking, theme.ground, start)
            placed.append((arrow, (x - cell, y - cell)))
        placed += self._likeliest(overlay)
        if overlay.cursor is not None:
            placed.append((marks.brackets(cell, ACCENT.on(theme), theme.ground), self._place(overlay.cursor)))
        return placed

    def _likely(self, overlay: Overlay) -> list[Placed]:
        """The arrows of all pushes that an agent weighs, the likeliest last."""
        theme, cell = self.theme, self.cell
        placed: list[Placed] = []
        for (box, direction), likelihood in sorted(overlay.choices.items(), key=lambda each: each[1]):
            if likelihood >= board_choices.LEAST and (box, direction) != overlay.hint:
                x, y = self._place(box)
                image = board_choices.arrow(cell, direction, likelihood, theme.thinking, theme.ground)
                placed.append((image, (x - cell, y - cell)))
        return placed

    def _likeliest(self, overlay: Overlay) -> list[Placed]:
        """The label of the likeliest push, on its box."""
        if not overlay.choices:
            return []
        theme = self.theme
        (box, _), likelihood = max(overlay.choices.items(), key=lambda each: each[1])
        pixels, text = max(theme.px(13), round(self.cell * 0.24)), board_choices.percent(likelihood)
        image = board_choices.label(self.cell, text, pixels, theme.thinking, theme.thinking_ink)
        rect = image.get_rect(center=self.rect_of(box).center)
        return [(image, rect.clamp(self.board).topleft)]

    def _ripples(self) -> list[Placed]:
        frames = []
        for square, frame, count in self._effects.ripples():
            x, y = self._place(square)
            image = marks.ripple(self.cell, self.theme.good, frame, count)
            frames.append((image, (x - self.cell // 2, y - self.cell // 2)))
        return frames

    def _boxes(self, state: State, overlay: Overlay, pieces: Pieces) -> list[Placed]:
        step = self._motion.current
        moving = step.box_from if step else None
        home, warehouse = at_home(state), state.warehouse
        letters = dict(zip(state.placed, warehouse.letters, strict=True))
        others = dict(zip(warehouse.homes, warehouse.letters, strict=True))
        placed: list[Placed] = []
        for box in state.boxes:
            if box == moving:
                continue
            letter = letters.get(box, "")
            look: Look = "home" if box in home else "stuck" if box in overlay.stuck else "box"
            scale = self._effects.scale(box)
            image = pieces.faded(look, letter, FAINT) if box in overlay.faint else pieces.box(look, letter, scale)
            x, y = self._place(box)
            x += round(self._effects.sway(box) * self.cell) - (image.get_width() - self.cell) // 2
            y -= (image.get_height() - self.cell) // 2
            placed.append((image, (x, y)))
            if letter and box in others and box not in home:
                placed.append((board_letters.tag(self.cell, others[box]), (x, y)))
        if step is not None and moving is not None and step.box_to is not None:
            was_home, is_home = moving in at_home(step.before), step.box_to in at_home(step.after)
            placed += self._moving_box(pieces, step.letter, moving, step.box_to, was_home, is_home)
        return placed

    def _letter(self, box: int) -> str:
        """The letter of the box on a square; empty where it has none."""
        state = self._motion.last
        if state is None or not state.placed or box not in state.placed:
            return ""
        return state.warehouse.letters[state.placed.index(box)]

    def _moving_box(
        self, pieces: Pieces, letter: str, start: int, end: int, was_home: bool, is_home: bool
    ) -> list[Placed]:
        share = self._motion.progress
        place = self._between(start, end, share)
        if was_home == is_home:
            return [(pieces.box("home" if is_home else "box", letter), place)]
        alpha = round(255 * smooth(share if is_home else 1 - share))
        return [(pieces.box("box", letter), place), (pieces.faded("home", letter, alpha), place)]

    def _draw_keepers(self, surface: pygame.Surface, state: State, pieces: Pieces) -> None:
        motion = self._motion
        step = motion.current
        standing = [(state.player, False), (state.second, True)]
        for square, second in standing:
            if square < 0:
                continue
            start, end = square, square
            if step is not None:
                before, after = step.before, step.after
                start, end = (before.second, after.second) if second else (before.player, after.player)
            if step is None or start == end:
                x, y = self._place(end)
                turn = self._effects.turn
                x += round(self._effects.sway(end) * self.cell)
                image = pieces.keeper(
                    motion.facings[second] if turn is None else turn, None, motion.paces, False, second
                )
            else:
                x, y = self._between(start, end, motion.progress)
                pushing = step.box_from is not None and not step.back
                image = pieces.keeper(motion.facings[second], motion.progress, motion.paces, pushing, second)
            lift = round(self._effects.hop * self.cell * 0.16) + (image.get_height() - self.cell)
            surface.blit(image, (x - (image.get_width() - self.cell) // 2, y - lift))


def _one_step(now: State, then: State) -> bool:
    """Whether two positions of one warehouse are a single step of one player apart."""
    if now.warehouse != then.warehouse or len(now.boxes - then.boxes) > 1:
        return False
    steps = now.warehouse.steps
    if now.second == then.second:
        return then.player in steps[now.player]
    return now.player == then.player and then.second in steps[now.second]
