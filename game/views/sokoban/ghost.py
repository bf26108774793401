"""The ghost of a room that teaches, drawn over the board: a keeper in the thinking colour and the boxes that it moves."""

from functools import lru_cache

import pygame

from game.play.sokoban.ghost import Beat, Ghost
from game.rules import sokoban
from game.rules.sokoban import State
from game.ui.theme import Theme, blend
from game.ui.tween import smooth
from game.views.sokoban.board import BoardView
from game.views.sokoban.letters import Look
from game.views.sokoban.pieces import Pieces

KEEPER, BOX = 215, 190
"""Opacity of the ghost and of its boxes, 0 to 255."""


class GhostView:
    """Draws a ghost on a board; its pictures are kept for one size and theme."""

    def __init__(self) -> None:
        """Nothing is drawn yet."""
        self._pieces = Pieces(1)
        self._theme = ""
        self._pictures: dict[tuple[str, int], pygame.Surface] = {}

    def moved(self, ghost: Ghost, state: State) -> frozenset[int]:
        """The boxes of the position on the board that the ghost has moved, in its own world, or lost."""
        beat = ghost.beat
        if beat is None:
            return frozenset()
        return state.boxes - (beat.before.boxes & beat.after.boxes) | (state.boxes & _stuck(beat, ghost.share))

    def draw(self, surface: pygame.Surface, theme: Theme, board: BoardView, ghost: Ghost, state: State) -> None:
        """The ghost where it is at this moment; `state` is the position on the board."""
        beat = ghost.beat
        if beat is None:
            return
        if (self._pieces.cell, self._theme) != (board.cell, theme.name):
            self._pieces, self._theme, self._pictures = Pieces(board.cell), theme.name, {}
        fade = ghost.presence
        stuck = _stuck(beat, ghost.share)
        for box in sorted((beat.before.boxes & beat.after.boxes) - (state.boxes - stuck)):
            self._draw_box(surface, theme, _look(beat.after, box, stuck), board.rect_of(box).topleft, fade)
        share = smooth(ghost.share) if board.animated else 1.0
        source, target = beat.before.boxes - beat.after.boxes, beat.after.boxes - beat.before.boxes
        if source and target:
            (start,), (end,) = source, target
            look = _look(beat.after, end, frozenset()) if share > 0.5 else "box"
            self._draw_box(surface, theme, look, _between(board, start, end, share), fade)
        self._draw_keeper(surface, theme, board, beat, share, fade)

    def _draw_box(self, surface: pygame.Surface, theme: Theme, look: Look, at: tuple[int, int], fade: float) -> None:
        picture = self._pictures.get((look, 0))
        if picture is None:
            image = self._pieces.box(look)
            ink = theme.bad if look == "stuck" else theme.good if look == "home" else theme.thinking
            picture = self._pictures[look, 0] = _ghostly(image, ink, BOX, 0.72)
        picture.set_alpha(round(255 * fade))
        surface.blit(picture, at)

    def _draw_keeper(
        self, surface: pygame.Surface, theme: Theme, board: BoardView, beat: Beat, share: float, fade: float
    ) -> None:
        moving = 0.0 < share < 1.0 and beat.kind != "wait"
        pushing = moving and beat.kind == "move" and beat.before.boxes != beat.after.boxes
        stride = moving and 0.12 < share < 0.8
        foot = beat.after.player % 2
        key = ("push" if pushing else "stride" if stride else "stand", 2 * beat.action + foot)
        image = self._pieces.keeper(beat.action, 0.5 if stride else None, foot, pushing)
        picture = self._pictures.get(key)
        if picture is None:
            picture = self._pictures[key] = _ghostly(image, theme.thinking, KEEPER, 0.45)
        x, y = _between(board, beat.before.player, beat.after.player, share)
        extra = image.get_width() - board.cell
        picture.set_alpha(round(255 * fade))
        surface.blit(picture, (x - extra // 2, y - extra))


def _stuck(beat: Beat, share: float) -> frozenset[int]:
    """The boxes that are lost in the ghost's world, once it has come to rest."""
    if beat.kind == "undo":
        return frozenset()
    return _lost(beat.after if share >= 1.0 or beat.kind == "wait" else beat.before)


@lru_cache(maxsize=64)  # the same few positions in every frame
def _lost(state: State) -> frozenset[int]:
    return sokoban.stuck_boxes(state)


def _look(state: State, box: int, stuck: frozenset[int]) -> Look:
    return "stuck" if box in stuck else "home" if box in state.warehouse.targets else "box"


def _between(board: BoardView, start: int, end: int, share: float) -> tuple[int, int]:
    (x0, y0), (x1, y1) = board.rect_of(start).topleft, board.rect_of(end).topleft
    return round(x0 + (x1 - x0) * share), round(y0 + (y1 - y0) * share)


def _ghostly(image: pygame.Surface, ink: pygame.Color, opacity: int, pale: float) -> pygame.Surface:
    """A picture in shades of one colour, see-through; `pale` is how far the colour is mixed with white."""
    ghost = pygame.transform.grayscale(image)
    tint = blend(ink, pygame.Color("#ffffff"), pale)
    ghost.fill((tint.r, tint.g, tint.b), special_flags=pygame.BLEND_RGB_MULT)
    wash = blend(pygame.Color(0, 0, 0), ink, 0.45)
    ghost.fill((wash.r, wash.g, wash.b), special_flags=pygame.BLEND_RGB_ADD)
    ghost.fill((255, 255, 255, opacity), special_flags=pygame.BLEND_RGBA_MULT)
    return ghost
