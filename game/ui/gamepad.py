"""Gamepads: found when they are plugged in, their sticks read as direction buttons, held directions repeated."""

import logging
from typing import Any

import pygame

log = logging.getLogger("trilogic.gamepad")

FIRST_REPEAT, NEXT_REPEAT = 0.26, 0.07
"""Seconds until a held button counts again, and from then on."""
PUSHED, LET_GO = 0.6, 0.4
"""Shares of an axis at which a stick or trigger counts as down, and as up again."""
FULL = 32767
BUTTON = -1
AXES = {
    (pygame.CONTROLLER_AXIS_LEFTX, -1): pygame.CONTROLLER_BUTTON_DPAD_LEFT,
    (pygame.CONTROLLER_AXIS_LEFTX, 1): pygame.CONTROLLER_BUTTON_DPAD_RIGHT,
    (pygame.CONTROLLER_AXIS_LEFTY, -1): pygame.CONTROLLER_BUTTON_DPAD_UP,
    (pygame.CONTROLLER_AXIS_LEFTY, 1): pygame.CONTROLLER_BUTTON_DPAD_DOWN,
    (pygame.CONTROLLER_AXIS_TRIGGERLEFT, 1): pygame.CONTROLLER_BUTTON_LEFTSTICK,
    (pygame.CONTROLLER_AXIS_TRIGGERRIGHT, 1): pygame.CONTROLLER_BUTTON_RIGHTSTICK,
}
"""(axis, side) -> the button it stands for."""
EVENTS = frozenset(
    (
        pygame.CONTROLLERDEVICEADDED, pygame.CONTROLLERDEVICEREMOVED, pygame.CONTROLLERBUTTONDOWN,
        pygame.CONTROLLERBUTTONUP, pygame.CONTROLLERAXISMOTION,
    )
)  # fmt: skip
IGNORED = frozenset(
    (
        pygame.JOYAXISMOTION, pygame.JOYBALLMOTION, pygame.JOYHATMOTION, pygame.JOYBUTTONDOWN, pygame.JOYBUTTONUP,
        pygame.JOYDEVICEADDED, pygame.JOYDEVICEREMOVED, pygame.CONTROLLERSENSORUPDATE,
    )
)  # fmt: skip
"""The same devices say everything twice, and some a thousand times a second. SDL makes the events above from them."""


class Gamepads:
    """Every gamepad that is there; any of them may be used."""

    def __init__(self) -> None:
        """None yet; `start` looks for them."""
        self._open: dict[int, Any] = {}
        self._down: dict[tuple[int, int], float] = {}
        """(button, axis that stands for it or `BUTTON`) held -> seconds until it counts again."""

    def start(self) -> None:
        """Look for gamepads from now on. Slow on some systems: call it when the window is on screen."""
        from pygame._sdl2 import controller

        try:
            controller.init()
        except pygame.error as error:
            log.warning("no gamepads: %s", error)
            return
        for index in range(controller.get_count()):
            self._add(index)

    @property
    def here(self) -> bool:
        """Whether there is one."""
        return bool(self._open)

    @property
    def held(self) -> frozenset[int]:
        """The buttons that are down."""
        return frozenset(button for button, _source in self._down)

    def handle(self, event: pygame.event.Event) -> list[int]:
        """Take one of `EVENTS`; returns the buttons that went down with it."""
        if event.type == pygame.CONTROLLERDEVICEADDED:
            self._add(event.device_index)
        elif event.type == pygame.CONTROLLERDEVICEREMOVED:
            self._open.pop(event.instance_id, None)
            self._down.clear()
        elif event.type == pygame.CONTROLLERBUTTONDOWN:
            return self._press(event.button, BUTTON)
        elif event.type == pygame.CONTROLLERBUTTONUP:
            self._down.pop((event.button, BUTTON), None)
        elif event.type == pygame.CONTROLLERAXISMOTION:
            return self._axis(event.axis, event.value / FULL)
        return []

    def update(self, dt: float) -> list[int]:
        """`dt` seconds passed; returns the held buttons that count again."""
        again = []
        for held, left in self._down.items():
            self._down[held] = left - dt if left > dt else NEXT_REPEAT
            if left <= dt:
                again.append(held[0])
        return again

    def release(self) -> None:
        """Nothing is held any more: another window has the keyboard."""
        self._down.clear()

    def _press(self, button: int, source: int) -> list[int]:
        self._down[button, source] = FIRST_REPEAT
        return [button]

    def _axis(self, axis: int, value: float) -> list[int]:
        pressed: list[int] = []
        for side in (-1, 1):
            button = AXES.get((axis, side))
            if button is None:
                continue
            if value * side >= PUSHED and (button, axis) not in self._down:
                pressed += self._press(button, axis)
            elif value * side < LET_GO:
                self._down.pop((button, axis), None)
        return pressed

    def _add(self, index: int) -> None:
        from pygame._sdl2 import controller

        try:
            if controller.is_controller(index):
                pad = controller.Controller(index)
                self._open[pad.id] = pad
        except pygame.error as error:
            log.warning("gamepad %d cannot be used: %s", index, error)
