"""A room that teaches, on the screen: its ghost, the keys that it presses, and what stands in place of words."""

import pygame

from game.play.sokoban.ghost import Beat, Ghost
from game.play.sokoban.session import LevelSession
from game.ui import keycap
from game.ui.dialog import Answer, Dialog
from game.ui.scene import Host
from game.ui.theme import Theme
from game.views.sokoban.board import BoardView
from game.views.sokoban.ghost import GhostView

WELL_DONE = "You know it all now. The rest is thinking."
KEY, LEAST_KEY, KEY_GAP = 36, 14, 6
UNDO = "Z"


def go_on(window: Host, session: LevelSession) -> None:
    """From a solved room to the next one; after the last a word, and on to the puzzles."""
    at = session.lesson_at
    if at is None or at[0] < at[1]:
        session.change_level(1)
        return
    answers = (Answer("Play", lambda: session.change_level(1), "primary", "next"), Answer("Look at the board"))
    window.push(Dialog(window, "Well done!", WELL_DONE, answers))


class RoomLesson:
    """The ghost plays once when its room comes to the board, and gets out of the way of the first key."""

    def __init__(self) -> None:
        """No ghost yet; the first frame brings it."""
        self.ghost: Ghost | None = None
        self._view = GhostView()
        self._due = True
        self._age = 0.0
        self._room: object = None
        self._script: tuple[Beat, ...] = ()
        """What the ghost of the room on the board plays."""

    def begin(self) -> None:
        """Another room is on the board, or its idea is to be shown again: the ghost comes with the next frame."""
        self._due, self.ghost = True, None

    def again(self, session: LevelSession) -> None:
        """Somebody asks for the idea once more."""
        session.restart()
        self.begin()

    def stop(self) -> None:
        """Somebody plays: the ghost is gone."""
        self._due, self.ghost = False, None

    def update(self, dt: float, session: LevelSession) -> None:
        """Let `dt` seconds pass."""
        self._age += dt
        room = session.course.level_id, session.lesson_at
        if room != self._room:
            self._room, self._script = room, session.ghost()
        if session.timeline.cursor or session.driver.running:
            self.stop()
        elif self._due:
            self._due, self.ghost = False, Ghost(self._script) if self._script else None
        if self.ghost is not None:
            self.ghost.update(dt)
            if self.ghost.over:
                self.ghost = None

    def faint(self, session: LevelSession) -> frozenset[int]:
        """The boxes on the board that the ghost has moved."""
        return self._view.moved(self.ghost, session.state) if self.ghost is not None else frozenset()

    def draw(
        self, surface: pygame.Surface, theme: Theme, board: BoardView, session: LevelSession, picture: pygame.Rect
    ) -> None:
        """The ghost on the board; in `picture` the arrows, and the key that undoes where there is something to undo."""
        if self.ghost is not None:
            self._view.draw(surface, theme, board, self.ghost, session.state)
        beat = self.ghost.beat if self.ghost is not None else None
        lost = session.verdict.dead and not session.over
        undoes = lost or any(each.kind == "undo" for each in self._script)
        gap = theme.px(KEY_GAP)
        side = min(theme.px(KEY), picture.width // (5 + undoes) - gap)
        if side < theme.px(LEAST_KEY):
            return
        x = picture.centerx - ((4 + undoes) * (side + gap) - gap + undoes * gap) // 2 + side // 2
        for direction in (3, 0, 2, 1):
            pressed = beat is not None and beat.kind == "move" and beat.action == direction
            keycap.draw(surface, theme, (x, picture.centery), side, keycap.ARROWS[direction], glow=float(pressed))
            x += side + gap
        if undoes:
            pressed = beat is not None and beat.kind == "undo"
            glow = keycap.pulse(self._age) if lost else float(pressed)
            keycap.draw(surface, theme, (x + gap, picture.centery), side, label=UNDO, glow=glow)
