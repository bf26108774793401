"""The window: main loop, scene stack, toasts, key overlay, and the net under every scene.

It knows no game and no agent. A scene that raises shows a message and the app lives on; one that keeps raising is left.
"""

import gc
import logging
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import pygame

from game.ui import surfaces
from game.ui.chrome import Chip, draw_status, fill_ground, status_place
from game.ui.display import FIRST_SIZE, Look, open_display, set_mode, windowed_size
from game.ui.failure import Failure
from game.ui.input import Input
from game.ui.keys_overlay import draw_keys
from game.ui.kit import Kit
from game.ui.reading import STOP, Readings
from game.ui.scene import LAST_TURN, TURNS, Fade, Scene
from game.ui.sound import Sounds
from game.ui.theme import Theme
from game.ui.toast import Kind, Toasts

T = TypeVar("T")

log = logging.getLogger("trilogic.window")

FRAMES_PER_SECOND = 60
FRAMES_MINIMISED = 10
RESIZE_REST = 0.08
"""Seconds the window's size has to stand still before everything is laid out again."""
REPEAT_DELAY, REPEAT_EVERY = 260, 70
SWITCH_SECONDS, FRAME_SWITCH_SECONDS = 0.001, 0.005
"""After how long another thread has to hand the interpreter's lock over: while the window waits, and in the middle of a frame.

A frame is drawn in one go: a thread that came between might lose its processor to another program while it has the lock.
"""
FAILURES_TO_LEAVE = 3
"""Frames in a row in which a scene may fail before it is left."""


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
        self.on_drop: Callable[[Path], None] = lambda _path: None
        """Called with a file that was dropped on the window, unless the top scene took it."""
        self.on_command: Callable[[str], bool] = lambda _command: False
        """Called with a command that the top scene does not use; True when it was used."""
        self.chip: Chip | None = None
        """What goes on behind the screen, for the status bar."""
        self.readings = Readings(self)
        """Files and texts that are being read for its screens."""
        self._chip_at: pygame.Rect | None = None
        self.on_first_frame: Callable[[], None] = lambda: None
        """Called when the first picture is on screen."""
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
        self._shown: tuple[object, ...] | None = None
        """What the picture of the last frame is of, None where something lay above the screen."""
        self._stirred = True
        """Whether something has happened since then that may change anything on the screen."""
        self._resized_at: float | None = None
        self._laid_out = self.surface.get_size()
        self._failing: dict[Scene | None, int] = {}
        """Scene (None: what the app does every frame) -> frames in a row in which it failed."""
        self._failed_now: set[Scene | None] = set()
        self._phase = 0.0
        self._input = Input(self)
        self._said_silence = False
        self._present = True
        """Whether this frame has a new picture."""
        self._windowed = windowed_size(look) if look.fullscreen else self.surface.get_size()
        pygame.key.set_repeat(REPEAT_DELAY, REPEAT_EVERY)

    # Look

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.surface.get_size()

    def _scale(self) -> float:
        """The chosen scale, a little more in a large window, less where there is no room; never below 1 for that."""
        width, height = self.surface.get_size()
        large: float = max(1.0, min(width / FIRST_SIZE[0], height / FIRST_SIZE[1])) ** 0.5
        return min(self.look.ui_scale * large, max(1.0, min(width / 1024, height / 640)))

    def new_kit(self, pointer: tuple[int, int] | None = None) -> Kit:
        """Controls for a scene at the present size and theme; `pointer` is where the mouse was last seen."""
        return Kit(self.theme, self.size, self.play, pointer, self.look.animated)

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
        """Make theme, sprites and the controls of what is visible again for the present size."""
        surfaces.clear()
        self._stirred = True
        self._resized_at, self._laid_out = None, self.size
        self.theme = Theme(self.look.theme, self._scale())
        for scene in self.visible():  # those below are made again when they come back
            self.guard(scene, scene.rebuild)

    def _set_fullscreen(self, on: bool) -> None:
        if on:
            self._windowed = self.size
        self.surface = set_mode(on, self._windowed)
        self._resized_at = time.perf_counter()

    def geometry(self) -> tuple[int, int, int, int] | None:
        """Place and size to remember, None in full screen or while minimised."""
        if self.look.fullscreen or self.minimised:
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
        if self.scenes:
            self.top.kit.release()
            self.top.kit.close_popup()
            if not scene.overlay:
                self.guard(self.top, self.top.leave)
            scene.below = self.top.heading
        self.scenes.append(scene)
        self._show(scene)

    def pop(self) -> None:
        """Back to the scene below; closing the last one ends the app."""
        self._fade_from_here()
        gone = self._drop()
        if not self.scenes:
            self.running = False
        elif not gone.overlay:
            self._show(self.top)

    def swap(self, scene: Scene) -> None:
        """Put a scene in the place of the top one."""
        self._fade_from_here()
        self._drop()
        self.scenes.append(scene)
        self._show(scene)

    def _show(self, scene: Scene) -> None:
        if not scene.overlay:
            self.toasts.leave()
        if self.size != self._laid_out:
            self.relayout()  # sizes for the window as it was do not fit into it as it is
        else:
            self.guard(scene, scene.rebuild)
        self.guard(scene, scene.enter)

    def _drop(self) -> Scene:
        """Take the top scene away and let it clean up."""
        gone = self.scenes.pop()
        self.guard(gone, gone.leave)
        self.guard(gone, gone.close)
        self._failing.pop(gone, None)
        self._failed_now.discard(gone)
        gone.kit.close()
        return gone

    def quit(self) -> None:
        """Leave the main loop after this frame."""
        self.running = False

    def say(self, message: str, kind: Kind = "info", holds: Callable[[], bool] | None = None) -> None:
        """Show a toast, no longer than it `holds`."""
        self.toasts.say(message, kind, holds)

    def play(self, sound: str, pitch: float = 1.0) -> None:
        """Play a sound by name."""
        self.sounds.play(sound, pitch)

    def read(self, words: str, read: Callable[[], T], take: Callable[[T], object], quiet: bool = False) -> None:
        """Read something from outside on a thread of its own (`Readings.start`)."""
        self.readings.start(words, read, take, quiet)

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
        self._clock.tick(FRAMES_MINIMISED if self.minimised else FRAMES_PER_SECOND)
        now = time.perf_counter()
        gap, self._last = now - self._last, now
        self.gaps_ms.append(gap * 1000)
        sys.setswitchinterval(FRAME_SWITCH_SECONDS)
        gc.disable()  # what is due is collected while the window waits
        self.frame(min(0.1, gap))
        self.work_ms.append((time.perf_counter() - now) * 1000)
        gc.enable()
        sys.setswitchinterval(SWITCH_SECONDS)
        if self._present:
            pygame.display.flip()
        if self.first_frame is None:
            self.first_frame = time.perf_counter()
            self.on_first_frame()
            # after the first picture, so that a slow device delays nothing
            self.sounds.start()
            self._input.pads.start()

    def frame(self, dt: float) -> None:
        """One round: events, update, draw. Public for tests and benches."""
        self._failed_now.clear()
        for event in pygame.event.get():
            self._stirred = self._stirred or event.type != pygame.MOUSEMOTION or any(event.dict.get("buttons", ()))
            self._event(event)
            if not self.scenes:
                return
        self._input.update(dt)
        if self._resized_at is not None and time.perf_counter() - self._resized_at > RESIZE_REST:
            self._resized_at = None
            if self.size != self._laid_out:
                self.relayout()
        self._phase += dt * 0.7
        self.toasts.update(dt)
        self._fade.update(dt)
        self.guard(None, lambda: self.on_frame(dt))
        self.guard(None, self.readings.update)
        self._say_silence()
        if not self.minimised:
            for scene in self.visible():
                self.guard(scene, partial(scene.update, dt))
                self.guard(scene, partial(self._update_kit, scene, dt))
            if self.scenes:
                self._draw_frame()
        self.frames += 1
        self._leave_failing()

    def _update_kit(self, scene: Scene, dt: float) -> None:
        scene.kit.update(dt, self.showing_keys or scene is not self.top)

    def _say_silence(self) -> None:
        if self.sounds.problem and not self._said_silence:
            self._said_silence = True
            self.say(self.sounds.problem)

    def visible(self) -> list[Scene]:
        """The scenes that can be seen: the topmost full one and the overlays above it."""
        for at in range(len(self.scenes) - 1, -1, -1):
            if not self.scenes[at].overlay:
                return self.scenes[at:]
        return list(self.scenes)

    def _draw_frame(self) -> None:
        """Draw what has changed since the last frame, or everything where that is not known."""
        scene, before = self.scenes[-1], self._shown
        self._shown = self._what_is_shown(scene)
        if self._shown is None or self._shown != before or self._stirred:
            self.draw()
            self._present = True
        else:
            areas: list[pygame.Rect] = []
            self.surface.set_clip(None)
            self.guard(scene, lambda: areas.extend(scene.redraw(self.surface)))
            if self.frames % TURNS == LAST_TURN:
                self._draw_status(scene)
                areas.append(status_place(self.theme, self.size))
            self.guard(scene, partial(scene.kit.draw_within, self.surface, areas))
            self._present = bool(areas)
        self._stirred = False

    def _what_is_shown(self, scene: Scene) -> tuple[object, ...] | None:
        """What a picture is of that the next frame may leave as it is; None where that has to draw everything."""
        above = scene.overlay or self.toasts.items or self.showing_keys or self._fade.active or scene.kit.lies_above
        return None if above or not scene.keeps_picture else (self.surface, scene, scene.kit, scene.kit.pictures)

    def draw(self) -> None:
        """Draw every visible scene and what lies above."""
        surface, theme = self.surface, self.theme
        surface.set_clip(None)  # a scene whose drawing failed may have left its own
        fill_ground(surface, theme, surface.get_rect(), self.visible()[0].covered)
        for scene in self.visible():
            self.guard(scene, partial(scene.draw, surface))
            if not scene.overlay:
                self.guard(scene, partial(self._draw_status, scene))
            self.guard(scene, partial(scene.kit.draw, surface))
            self.guard(scene, partial(scene.draw_over, surface))
        self.toasts.draw(surface, theme, self.size[1])
        if self.showing_keys and self.scenes:
            top = self.top
            draw_keys(
                surface, theme, top.groups, top.without, top.meanings, top.gestures, top.keys, self._input.pads.here
            )
        if self._fade.active:
            self._fade.draw(surface)

    def _draw_status(self, scene: Scene) -> None:
        self._chip_at = draw_status(self.surface, self.theme, *scene.status, self._phase, self._shown_chip)

    @property
    def _shown_chip(self) -> Chip | None:
        return self.readings.chip or self.chip

    def _chip_pressed(self, event: pygame.event.Event) -> bool:
        """A click on the chip of the status bar, while no dialog is open."""
        chip = self._shown_chip
        if event.type != pygame.MOUSEBUTTONDOWN or event.button != 1 or chip is None or self._chip_at is None:
            return False
        if not self._chip_at.collidepoint(event.pos) or not self.scenes or self.top.overlay or self.top.kit.popup:
            return False
        self.command(chip.command)
        return True

    def close(self) -> None:
        """Close every scene, top first, and the sound."""
        while self.scenes:
            self._drop()
        self.sounds.close()

    # Events

    def _event(self, event: pygame.event.Event) -> None:
        kind = event.type
        if kind == pygame.QUIT:
            self.running = False
        elif kind in (pygame.WINDOWSIZECHANGED, pygame.VIDEORESIZE):
            self.surface = pygame.display.get_surface() or self.surface
            self._resized_at = time.perf_counter()
        elif kind in (pygame.WINDOWMINIMIZED, pygame.WINDOWHIDDEN):
            self._minimise(True)
        elif kind in (pygame.WINDOWRESTORED, pygame.WINDOWMAXIMIZED, pygame.WINDOWSHOWN):
            self._minimise(False)
        elif kind == pygame.WINDOWFOCUSLOST:
            self._input.release()
        elif not self._chip_pressed(event):
            self._input.handle(event)

    def _minimise(self, on: bool) -> None:
        """While nothing can be seen nothing is drawn and agents rest."""
        if on and not self.minimised:
            for scene in self.visible():
                self.guard(scene, scene.rest)
        self.minimised = on

    def command(self, command: str) -> bool:
        """Offer a command to the top scene, then do what every screen does."""
        self._stirred = True
        if command in ("focus", "focus_back"):
            self.top.kit.focus_next(1 if command == "focus" else -1)
            return True
        self.top.kit.refuse(command)
        if self.top.command(command) or self.on_command(command):
            return True
        elif command == "help":
            self.showing_keys = True
        elif command == STOP:
            self.readings.cancel()
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
        path = self.screenshots / time.strftime("trilogic-%Y%m%d-%H%M%S.png")
        try:
            self.screenshots.mkdir(parents=True, exist_ok=True)
            pygame.image.save(self.surface, path)
        except (pygame.error, OSError) as error:
            self.say(f"The screenshot could not be saved: {error}.", "bad")
        else:
            self.say(f"Screenshot saved as {path.name}.", "good")

    # What fails

    def guard(self, scene: Scene | None, action: Callable[[], object]) -> None:
        """Run a scene's code; an exception becomes a message and a line in the log, and the app lives on."""
        try:
            action()
        except Exception as error:
            log.exception("%s failed", scene.name if scene else "what is done every frame")
            self._failed_now.add(scene)
            self.say(f"{_reason(error)} The log has the details.", "bad")
            if scene is not None:
                scene.trouble = _reason(error)

    def _leave_failing(self) -> None:
        """After a frame: leave the scenes that fail in every frame."""
        self._failing = {scene: self._failing.get(scene, 0) + 1 for scene in self._failed_now}
        for scene, times in list(self._failing.items()):
            if times < FAILURES_TO_LEAVE:
                continue
            if scene is None:
                self.on_frame = lambda _dt: None
            elif scene in self.scenes:
                self._leave(scene)

    def _leave(self, broken: Scene) -> None:
        """Take a broken scene away with the dialogs above it; the last one leaves a way to try again."""
        log.error("left the scene %s after repeated failures", broken.name)
        while self._drop() is not broken:
            pass
        if self.scenes:
            self._show(self.top)
        elif isinstance(broken, Failure):
            self.quit()
        else:
            self.push(Failure(self, broken.trouble, broken.again))


def _reason(error: Exception) -> str:
    words = str(error).strip() or type(error).__name__
    return f"Something went wrong here: {words.rstrip('.')}."
