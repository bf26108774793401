"""The mouse on the Sokoban board: events become walks, pushes, undo and redo."""

from collections.abc import Callable

import pygame

from game.play.sokoban.session import LevelSession
from game.screens.play import wheel
from game.screens.sokoban.pointer import Pointer
from game.views.sokoban.board import BoardView

MOST_NOTCHES = 10


class Mouse:
    """Moves the pointer over one board, and plays what it asks for."""

    def __init__(self, session: LevelSession, pointer: Pointer, blocked: Callable[[int | None], object]) -> None:
        """`blocked` is called when there is no way to where somebody wants to go, with the box that was to go there."""
        self._session, self._pointer, self._blocked = session, pointer, blocked

    def handle(
        self, event: pygame.event.Event, board: BoardView, area: pygame.Rect, at: tuple[int, int],
        covers: Callable[[tuple[int, int]], bool],
    ) -> bool:  # fmt: skip
        """An event that no control wanted; True when it was used.

        Args:
            event: what happened.
            board: what is drawn.
            area: its part of the window.
            at: where the mouse was last seen.
            covers: whether something lies over a point of the board.
        """
        session, pointer = self._session, self._pointer
        if event.type == pygame.MOUSEMOTION:
            pointer.square = None if covers(event.pos) else board.square_at(event.pos)
            return pointer.dragging
        if event.type == pygame.MOUSEWHEEL:
            if not area.collidepoint(at) or not wheel.undoes(session.store.settings):
                return False
            for _ in range(min(abs(event.y), MOST_NOTCHES)):
                (session.undo if event.y > 0 else session.redo)()
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            held = pointer.box if pointer.dragging else None
            self._carry_out(pointer.release(board.square_at(event.pos), session.state), held)
            return True
        if event.type != pygame.MOUSEBUTTONDOWN or not area.collidepoint(event.pos):
            return False
        if event.button == 3:
            pointer.drop()
        elif event.button == 1 and not covers(event.pos):
            self._press(board.square_at(event.pos))
        return True

    def _press(self, square: int | None) -> None:
        session, pointer = self._session, self._pointer
        session.walk.finish()
        if session.over:
            return
        session.driver.stop()
        pointer.square = square
        if square is None or not self._places(square):
            held, pushed = pointer.box, square in pointer.targets or square in session.state.boxes
            actions = pointer.press(square, session.state)
            unreachable = held is not None and not pushed and square in session.state.warehouse.floor
            self._carry_out(None if unreachable else actions, held)

    def _places(self, square: int) -> bool:
        """Before the first step of a level played backwards a click places the player."""
        session, state = self._session, self._session.state
        free = square in state.warehouse.floor and square not in state.boxes and square != state.player
        if not session.backwards or session.timeline.steps or self._pointer.box is not None or not free:
            return False
        return session.place(square)

    def _carry_out(self, actions: tuple[int, ...] | None, box: int | None) -> None:
        if actions is None:
            self._blocked(box)
        elif actions:
            self._session.follow(actions)
