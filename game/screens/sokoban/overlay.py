"""What lies over a Sokoban board while it is played: marks of the person, of the agent, of a ghost, of what is lost."""

import pygame

from game.play.sokoban.session import LevelSession
from game.rules.sokoban import State, dead_squares
from game.screens.sokoban.pointer import Pointer
from game.views.sokoban.board import BoardView, Overlay


def marks_over(
    session: LevelSession, pointer: Pointer, dead_shown: bool, stuck_shown: bool, faint: frozenset[int]
) -> Overlay:
    """The marks of one frame.

    Args:
        session: the level.
        pointer: what the mouse does there.
        dead_shown: whether dead squares are hatched.
        stuck_shown: whether boxes that are lost are marked.
        faint: boxes that shine through.
    """
    state, driver, solver = session.state, session.driver, session.solver
    dead = dead_squares(state.warehouse, _picked_letter(session, pointer)) if dead_shown else frozenset()
    if session.over:
        return Overlay(dead_squares=dead)
    push = session.next_push
    still = not session.walk and not driver.running
    return Overlay(
        dead_squares=dead,
        stuck=session.verdict.stuck if stuck_shown else frozenset(),
        choices=solver.preview.choices(driver, state),
        ghosts=solver.ghosts(driver, state),
        active=pointer.active if still else None,
        selected_box=pointer.box,
        box_targets=pointer.targets,
        lost_targets=pointer.lost if stuck_shown else frozenset(),
        hover=pointer.hover if still else None,
        walk=pointer.walk if still else (),
        hint=(push.box, push.direction) if push is not None else None,
        plan=push.way if push is not None else (),
        faint=faint,
    )


def hidden_by(rect: pygame.Rect, board: BoardView, state: State) -> int:
    """How much of a board something in a place would hide: floor counts, boxes and keepers count more."""
    floor = sum(rect.colliderect(board.rect_of(square)) for square in state.warehouse.floor)
    busy = state.boxes | {state.player, state.second} - {-1}
    return floor + 12 * sum(rect.colliderect(board.rect_of(square)) for square in busy)


def _picked_letter(session: LevelSession, pointer: Pointer) -> str:
    """The letter of the box that is picked up: dead squares are its own then."""
    state, box = session.state, pointer.box
    return state.warehouse.letters[state.placed.index(box)] if box in state.placed else ""
