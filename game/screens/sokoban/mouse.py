"""The mouse on the Sokoban screen: events become walks, pushes, undo and redo."""

from typing import TYPE_CHECKING

import pygame

if TYPE_CHECKING:
    from game.screens.sokoban.screen import SokobanScene

MOST_NOTCHES = 10


def handle(scene: "SokobanScene", event: pygame.event.Event) -> bool:
    """An event that no control wanted; True when it was used."""
    board, pointer = scene.board, scene.pointer
    if board is None:
        return False
    if event.type == pygame.MOUSEMOTION:
        pointer.square = None if scene.banner.covers(event.pos) else board.square_at(event.pos)
        return pointer.dragging
    if event.type == pygame.MOUSEWHEEL:
        if not scene.layout.board.collidepoint(scene.kit.pointer):
            return False
        for _ in range(min(abs(event.y), MOST_NOTCHES)):
            (scene.undo if event.y > 0 else scene.redo)()
        return True
    if event.type == pygame.MOUSEBUTTONUP and event.button == 1:
        _carry_out(scene, pointer.release(board.square_at(event.pos), scene.state))
        return True
    if event.type != pygame.MOUSEBUTTONDOWN or not scene.layout.board.collidepoint(event.pos):
        return False
    if event.button == 3:
        pointer.drop()
    elif event.button == 1 and not scene.banner.covers(event.pos):
        _press(scene, board.square_at(event.pos))
    return True


def _press(scene: "SokobanScene", square: int | None) -> None:
    scene.path.finish()
    if scene.over(scene.state):
        return
    scene.driver.stop()
    scene.pointer.square = square
    if square is not None and _places(scene, square):
        return
    _carry_out(scene, scene.pointer.press(square, scene.state))


def _places(scene: "SokobanScene", square: int) -> bool:
    """Before the first step of a level played backwards a click places the player."""
    state = scene.state
    free = square in state.warehouse.floor and square not in state.boxes and square != state.player
    if not scene.backwards or scene.timeline.steps or scene.pointer.box is not None or not free:
        return False
    return scene.place(square)


def _carry_out(scene: "SokobanScene", actions: tuple[int, ...] | None) -> None:
    if actions is None:
        scene.window.play("blocked")
    elif actions:
        scene.follow(actions)
