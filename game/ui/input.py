"""Where a person's doings go: to the controls first, then as commands of the shortcut table, then to the scene itself."""

from pathlib import Path

import pygame

from game.ui.gamepad import EVENTS as PAD_EVENTS
from game.ui.gamepad import IGNORED, Gamepads
from game.ui.scene import Host, Scene
from game.ui.shortcuts import shortcut_of, shortcut_of_pad

ONCE_KEYS = (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE, pygame.K_ESCAPE)
"""A held key of these counts once."""
PAD_KEYS = {
    pygame.CONTROLLER_BUTTON_DPAD_UP: pygame.K_UP,
    pygame.CONTROLLER_BUTTON_DPAD_DOWN: pygame.K_DOWN,
    pygame.CONTROLLER_BUTTON_DPAD_LEFT: pygame.K_LEFT,
    pygame.CONTROLLER_BUTTON_DPAD_RIGHT: pygame.K_RIGHT,
    pygame.CONTROLLER_BUTTON_A: pygame.K_RETURN,
    pygame.CONTROLLER_BUTTON_B: pygame.K_ESCAPE,
}
"""What a gamepad's button means to the control that has the focus."""


class Input:
    """Keyboard, mouse and gamepads of one window, for its top scene."""

    def __init__(self, window: Host) -> None:
        """Nothing is held yet."""
        self._window = window
        self.pads = Gamepads()
        self._held: set[int] = set()
        self._pressed_in: dict[int, Scene | None] = {}
        """Mouse button that is down -> the scene that saw it go down, None when a control used it."""

    def handle(self, event: pygame.event.Event) -> None:
        """Pass on what a person did, by whatever device."""
        if event.type in PAD_EVENTS:
            for button in self.pads.handle(event):
                self._pad(button, held=False)
        elif event.type not in IGNORED:
            self._for_top(event)

    def update(self, dt: float) -> None:
        """`dt` seconds passed: held gamepad buttons count again."""
        for button in self.pads.update(dt):
            self._pad(button, held=True)

    def release(self) -> None:
        """Another window has the keyboard: nothing is held any more."""
        self._held.clear()
        self.pads.release()

    def _for_top(self, event: pygame.event.Event) -> None:
        if event.type == pygame.KEYUP:
            self._held.discard(event.key)
        held = event.type == pygame.KEYDOWN and event.key in self._held
        if event.type == pygame.KEYDOWN:
            self._held.add(event.key)
        if self._window.showing_keys and event.type in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN, pygame.MOUSEWHEEL):
            if not held:
                self._window.showing_keys = False
            return
        scene = self._window.top
        self._window.guard(scene, lambda: self._offer(scene, event, held))

    def _offer(self, scene: Scene, event: pygame.event.Event, held: bool) -> None:
        """Controls first, then commands, then the scene itself."""
        if held and event.key in ONCE_KEYS:
            return
        typing = scene.kit.typing and event.type == pygame.KEYDOWN
        used = scene.kit.handle(event)
        if event.type == pygame.MOUSEBUTTONDOWN:
            self._pressed_in[event.button] = None if used else scene
        elif event.type == pygame.MOUSEBUTTONUP:
            # what began on a control does not end on the board, and what began on the board ends there
            saw = self._pressed_in.pop(event.button, scene)
            if not used and saw is not None and saw in self._window.scenes:
                saw.handle(event)
            return
        if used or (typing and event.key != pygame.K_ESCAPE):
            return
        found = shortcut_of(event, scene.groups)
        if found is not None and ((held and not found.repeats) or self._window.command(found.command)):
            return
        if not scene.handle(event) and event.type == pygame.DROPFILE:
            self._window.on_drop(Path(event.file))

    def _pad(self, button: int, held: bool) -> None:
        """A gamepad's button went down, or is `held` and counts again."""
        if not self._window.scenes:
            return
        if self._window.showing_keys:
            self._window.showing_keys = held
            return
        scene, kit = self._window.top, self._window.top.kit
        key, found = PAD_KEYS.get(button), shortcut_of_pad(button, scene.groups, self.pads.held)
        if found is None or (held and not found.repeats):
            return

        def act() -> None:
            wanted = key is not None and (kit.popup is not None or kit.focused is not None)
            if not wanted or not kit.handle(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode="")):
                self._window.command(found.command)

        self._window.guard(scene, act)
