"""The window: display, main loop, scene stack, toasts, key overlay, and the net under every scene.

It knows no game and no agent. A scene that raises shows a message and the app lives on.
"""

import logging
import os
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pygame

from game.ui import surfaces
from game.ui.chrome import draw_status
from game.ui.controls import Kit
from game.ui.keys_overlay import draw_keys
from game.ui.scene import Fade, Scene
from game.ui.shortcuts import command_of, repeats
from game.ui.sound import Sounds
from game.ui.svg import ASSETS
from game.ui.theme import Theme, ThemeName
from game.ui.toast import Kind, Toasts

log = logging.getLogger("trilogic.window")

FRAMES_PER_SECOND = 60
SMALLEST = (640, 480)
FIRST_SIZE = (1280, 800)
RESIZE_REST = 0.08
"""Seconds the window's size has to stand still before everything is laid out again."""
REPEAT_DELAY, REPEAT_EVERY = 260, 70
FAILURES_TO_LEAVE = 3


class NoDisplay(RuntimeError):
    """There is no screen to open a window on; the message is one line for people."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the settings say about the window."""

    theme: ThemeName = "dark"
    ui_scale: float = 1.0
    animated: bool = True
    volume: int = 60
    mute: bool = False
    fullscreen: bool = False
    geometry: tuple[int, int, int, int] | None = None
    """x, y, width, height of the window before; None for a fresh one."""


def open_display(look: Look, title: str, exactly: tuple[int, int] | None = None) -> pygame.Surface:
    """Open the window; raises NoDisplay where there is no screen.

    SDL may silently choose a driver without a screen; unless SDL_VIDEODRIVER asked for one, that means no display.
    """
    asked = os.environ.get("SDL_VIDEODRIVER", "") or os.environ.get("SDL_VIDEO_DRIVER", "")
    if sys.platform == "linux" and not (asked or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise NoDisplay("no display found")  # asking SDL would print lines of its own
    try:
        pygame.display.init()
    except pygame.error as error:
        raise NoDisplay(f"no display found ({error})") from None
    driver = pygame.display.get_driver()
    if driver in ("offscreen", "dummy", "evdev", "kmsdrm") and driver not in asked:
        raise NoDisplay("no display found")
    pygame.font.init()
    pygame.display.set_caption(title)
    pygame.display.set_icon(pygame.image.load_sized_svg(ASSETS / "icon.svg", (64, 64)))
    flags = pygame.RESIZABLE | (pygame.FULLSCREEN if look.fullscreen else 0)
    size = FIRST_SIZE
    if look.geometry is not None:
        x, y, width, height = look.geometry
        size = (max(width, SMALLEST[0]), max(height, SMALLEST[1]))
        desktops = pygame.display.get_desktop_sizes()
        # Only a place on a screen that exists; several screens stand side by side.
        if 0 <= x < sum(desktop[0] for desktop in desktops) - 80 and 0 <= y < max(d[1] for d in desktops) - 80:
            os.environ["SDL_VIDEO_WINDOW_POS"] = f"{x},{y}"
    largest = pygame.display.get_desktop_sizes()[0]
    size = (min(size[0], max(largest[0], SMALLEST[0])), min(size[1], max(largest[1], SMALLEST[1])))
    try:
        surface = pygame.display.set_mode(exactly or ((0, 0) if look.fullscreen else size), flags)
    except pygame.error as error:
        raise NoDisplay(f"the window could not be opened ({error})") from None
    pygame.Window.from_display_module().minimum_size = SMALLEST
    return surface


class Window:
    """One window with a stack of scenes; the top one gets the events."""

    def __init__(
        self, look: Look, title: str, screenshots: Path | None = None, size: tuple[int, int] | None = None
    ) -> None:
        """Opens the display. `screenshots` is the folder for F12, None where nothing can be saved.

        `size` in pixels, where given, is taken as it is, whatever the desktop's.
        """
        self.look = look
        self.surface = open_display(look, title, size)
        self.screenshots = screenshots
        self.theme = Theme(look.theme, self._scale())
        self.toasts = Toasts()
        self.sounds = Sounds()
        self.sounds.set_volume(look.volume)
        self.sounds.mute = look.mute
        self.scenes: list[Scene] = []
        self.running = False
        self.showing_keys = False
        self.on_look: Callable[[Look], None] = lambda _look: None
        """Called with the new look when a key changed it, so that it can be saved."""
        self.on_frame: Callable[[float], None] = lambda _dt: None
        """Called once a frame before the scene is updated."""
        self.work_ms: deque[float] = deque(maxlen=20_000)
        """Our own work in each frame, without waiting and without handing the picture to the system."""
        self.gaps_ms: deque[float] = deque(maxlen=20_000)
        """Time between the starts of frames."""
        self.frames = 0
        self.first_frame: float | None = None
        self.minimised = False
        self._clock = pygame.time.Clock()
        self._last = time.perf_counter()
        self._fade = Fade()
        self._held: set[int] = set()
        self._resized_at: float | None = None
        self._failures = 0
        self._phase = 0.0
        self._pads: dict[int, pygame.joystick.JoystickType] = {}
        self._windowed = self.surface.get_size()
        pygame.key.set_repeat(REPEAT_DELAY, REPEAT_EVERY)

    # Look

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.surface.get_size()

    def _scale(self) -> float:
        """The chosen scale, a little more in a large window, less where there is no room; never below 1 for that."""
        width, height = self.surface.get_size()
        large = max(1.0, min(width / FIRST_SIZE[0], height / FIRST_SIZE[1])) ** 0.5
        return min(self.look.ui_scale * large, max(1.0, min(width / 1024, height / 640)))

    def new_kit(self) -> Kit:
        """Controls for a scene at the present size and theme."""
        return Kit(self.theme, self.size, self.play)

    def set_look(self, look: Look) -> None:
        """Change theme, scale, sound or full screen at once."""
        before, self.look = self.look, look
        self.sounds.set_volume(look.volume)
        self.sounds.mute = look.mute
        if look.fullscreen != before.fullscreen:
            self._set_fullscreen(look.fullscreen)
        if (look.theme, look.ui_scale, look.animated) != (before.theme, before.ui_scale, before.animated):
            self._fade_from_here()
            self.relayout()

    def change_look(self, **changes: object) -> None:
        """`set_look` with some fields changed, and tell whoever saves it."""
        self.set_look(replace(self.look, **changes))  # type: ignore[arg-type]
        self.on_look(self.look)

    def relayout(self) -> None:
        """Make theme, sprites and every scene's controls again for the present size."""
        surfaces.clear()
        self.theme = Theme(self.look.theme, self._scale())
        for scene in self.scenes:
            self._guard(scene.rebuild)

    def _set_fullscreen(self, on: bool) -> None:
        if on:
            self._windowed = self.size
            self.surface = pygame.display.set_mode((0, 0), pygame.RESIZABLE | pygame.FULLSCREEN)
        else:
            self.surface = pygame.display.set_mode(self._windowed, pygame.RESIZABLE)
        self._resized_at = time.perf_counter()

    def geometry(self) -> tuple[int, int, int, int] | None:
        """Place and size to remember, None in full screen."""
        if self.look.fullscreen:
            return None
        x, y = pygame.Window.from_display_module().position
        return (int(x), int(y), *self.size)

    # Scenes

    @property
    def top(self) -> Scene:
        """The scene that has the keyboard."""
        return self.scenes[-1]

    def push(self, scene: Scene) -> None:
        """Show a scene over the present one."""
        self._fade_from_here()
        if self.scenes and not scene.overlay:
            self._guard(self.top.leave)
        self.scenes.append(scene)
        self._guard(scene.rebuild)
        self._guard(scene.enter)

    def pop(self) -> None:
        """Back to the scene below; closing the last one ends the app."""
        self._fade_from_here()
        gone = self.scenes.pop()
        self._guard(gone.leave)
        self._guard(gone.close)
        if not self.scenes:
            self.running = False
        elif not gone.overlay:
            self._guard(self.top.rebuild)
            self._guard(self.top.enter)

    def swap(self, scene: Scene) -> None:
        """Put a scene in the place of the top one."""
        self._fade_from_here()
        gone = self.scenes.pop()
        self._guard(gone.leave)
        self._guard(gone.close)
        self.scenes.append(scene)
        self._guard(scene.rebuild)
        self._guard(scene.enter)

    def quit(self) -> None:
        """Leave the main loop after this frame."""
        self.running = False

    def say(self, message: str, kind: Kind = "info") -> None:
        """Show a toast."""
        self.toasts.say(message, kind)

    def play(self, sound: str, pitch: float = 1.0) -> None:
        """Play a sound by name."""
        self.sounds.play(sound, pitch)

    def _fade_from_here(self) -> None:
        if self.look.animated and self.frames:
            self._fade.start(self.surface)

    # The loop

    def run(self, first: Scene, frames: int | None = None) -> None:
        """Show scenes until the window is closed, or for so many frames."""
        self.push(first)
        self.running = True
        while self.running and (frames is None or self.frames < frames):
            self.turn()
        self.close()

    def turn(self) -> None:
        """Wait for the next frame's time, then do the frame, measured."""
        self._clock.tick(FRAMES_PER_SECOND)
        now = time.perf_counter()
        gap, self._last = now - self._last, now
        self.gaps_ms.append(gap * 1000)
        self.frame(min(0.1, gap))
        self.work_ms.append((time.perf_counter() - now) * 1000)
        pygame.display.flip()
        if self.first_frame is None:
            self.first_frame = time.perf_counter()
            self.sounds.start()  # after the first picture, so that a slow audio device delays nothing

    def frame(self, dt: float) -> None:
        """One round: events, update, draw. Public for tests and benches."""
        failures = self._failures
        for event in pygame.event.get():
            self._event(event)
            if not self.scenes:
                return
        if self._resized_at is not None and time.perf_counter() - self._resized_at > RESIZE_REST:
            self._resized_at = None
            self.relayout()
        self._phase += dt * 0.7
        self.toasts.update(dt)
        self._fade.update(dt)
        self._guard(lambda: self.on_frame(dt))
        for scene in self._visible():
            self._guard(lambda scene=scene: scene.update(dt))
            self._guard(lambda scene=scene: scene.kit.update(dt))
        if self.scenes and not self.minimised:
            self.draw()
        self.frames += 1
        if self._failures == failures:
            self._failures = 0

    def _visible(self) -> list[Scene]:
        """The scenes that can be seen: the topmost full one and the overlays above it."""
        for at in range(len(self.scenes) - 1, -1, -1):
            if not self.scenes[at].overlay:
                return self.scenes[at:]
        return list(self.scenes)

    def draw(self) -> None:
        """Draw every visible scene and what lies above."""
        surface, theme = self.surface, self.theme
        surface.fill(theme.ground)
        for scene in self._visible():
            self._guard(lambda scene=scene: scene.draw(surface))
            if not scene.overlay:
                left, right, thinking = scene.status
                draw_status(surface, theme, left, right, thinking, self._phase)
            self._guard(lambda scene=scene: scene.kit.draw(surface))
            self._guard(lambda scene=scene: scene.draw_over(surface))
        self.toasts.draw(surface, theme, self.size[1] - theme.px(36))
        if self.showing_keys and self.scenes:
            draw_keys(surface, theme, self.top.groups, self.top.without, self.top.gestures)
        if self._fade.active:
            self._fade.draw(surface)

    def close(self) -> None:
        """Close every scene, top first, and the sound."""
        while self.scenes:
            scene = self.scenes.pop()
            self._guard(scene.leave)
            self._guard(scene.close)
        self.sounds.close()

    # Events

    def _event(self, event: pygame.event.Event) -> None:
        if event.type == pygame.QUIT:
            self.running = False
            return
        if event.type in (pygame.WINDOWSIZECHANGED, pygame.VIDEORESIZE):
            self.surface = pygame.display.get_surface() or self.surface
            self._resized_at = time.perf_counter()
            return
        if event.type in (pygame.WINDOWMINIMIZED, pygame.WINDOWRESTORED, pygame.WINDOWMAXIMIZED):
            self.minimised = event.type == pygame.WINDOWMINIMIZED
            return
        if event.type == pygame.JOYDEVICEADDED:
            self._add_pad(event.device_index)
            return
        if event.type == pygame.KEYUP:
            self._held.discard(event.key)
        held = event.type == pygame.KEYDOWN and event.key in self._held
        if event.type == pygame.KEYDOWN:
            self._held.add(event.key)
        if self.showing_keys and event.type in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN, pygame.CONTROLLERBUTTONDOWN):
            self.showing_keys = False
            return
        scene = self.top
        self._guard(lambda: self._offer(scene, event, held))

    def _offer(self, scene: Scene, event: pygame.event.Event, held: bool) -> None:
        """Controls first, then commands, then the scene itself."""
        if scene.kit.handle(event):
            return
        if not (scene.kit.typing and event.type == pygame.KEYDOWN and event.key != pygame.K_ESCAPE):
            command = command_of(event)
            if command is not None:
                if held and not repeats(command):
                    return
                if self.command(command):
                    return
        scene.handle(event)

    def command(self, command: str) -> bool:
        """Offer a command to the top scene, then do what every screen does."""
        if self.top.command(command):
            return True
        if command == "help":
            self.showing_keys = True
        elif command == "fullscreen":
            self.change_look(fullscreen=not self.look.fullscreen)
        elif command == "mute":
            self.change_look(mute=not self.look.mute)
            self.say("Sound off." if self.look.mute else self.sounds.problem or "Sound on.")
        elif command == "screenshot":
            self._screenshot()
        else:
            return False
        return True

    def _screenshot(self) -> None:
        if self.screenshots is None:
            self.say("The saves folder is read-only, so no screenshot was kept.", "bad")
            return
        self.screenshots.mkdir(parents=True, exist_ok=True)
        path = self.screenshots / time.strftime("trilogic-%Y%m%d-%H%M%S.png")
        try:
            pygame.image.save(self.surface, path)
        except (pygame.error, OSError) as error:
            self.say(f"The screenshot could not be saved: {error}.", "bad")
        else:
            self.say(f"Screenshot saved as {path.name}.", "good")

    def _add_pad(self, index: int) -> None:
        """Listen to a gamepad that was plugged in."""
        from pygame import _sdl2

        controller = getattr(_sdl2, "controller", None)
        if controller is not None and controller.get_init() and controller.is_controller(index):
            pad = controller.Controller(index)
            self._pads[pad.id] = pad

    def _guard(self, action: Callable[[], object]) -> None:
        """Run a scene's code; an exception becomes a message and a line in the log, and the app lives on."""
        try:
            action()
        except Exception as error:
            log.exception("a scene failed")
            self._failures += 1
            self.say(f"Something went wrong here: {error or type(error).__name__}. The log has the details.", "bad")
            if self._failures >= FAILURES_TO_LEAVE and len(self.scenes) > 1:
                self._failures = 0
                broken = self.scenes.pop()
                log.error("left the scene %s after repeated failures", broken.name)
                self.top.rebuild()
                self.top.enter()
