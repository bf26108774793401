"""The window: scene stack, failing scenes, resizing, full screen, minimising, gamepads, the place it remembers."""

import gc
import json
import logging
import os
import subprocess
import sys
import time
from pathlib import Path

import pygame
import pytest

from game.ui import display
from game.ui.chrome import fill_ground
from game.ui.controls import Button
from game.ui.display import Look, NoDisplay, place_on_screen, windowed_size
from game.ui.failure import Failure
from game.ui.scene import Scene
from game.ui.shortcuts import MOVES, Group, shortcut
from game.ui.window import FRAME_SWITCH_SECONDS, SWITCH_SECONDS

ROOT = Path(__file__).parents[2]


def resize(hand, size):
    """As the system does it: the surface is another one, and then the event comes."""
    hand.window.surface = pygame.display.set_mode(size, pygame.RESIZABLE)
    hand.post(pygame.WINDOWSIZECHANGED, x=size[0], y=size[1])


def settle(hand, monkeypatch):
    """Let the pause pass after which a resized window is laid out."""
    later = time.perf_counter() + 1
    monkeypatch.setattr(time, "perf_counter", lambda: later)
    hand.frames(1)
    monkeypatch.undo()


# Scenes


def test_the_order_of_what_a_scene_is_told(hand):
    first = hand.show()
    second = hand.show()
    assert first.calls[:2] == ["build", "enter"]
    assert first.calls[-1] == "leave"
    hand.frames(1)
    assert first.calls[-1] == "leave", "a covered scene is updated"
    hand.window.pop()
    assert second.calls[-2:] == ["leave", "close"]
    assert first.calls[-2:] == ["build", "enter"]
    hand.window.pop()
    assert not hand.window.running
    hand.frames(1)


def test_overlay_keeps_the_scene_below_going(hand):
    below = hand.show()
    above = type(below)(hand.window)
    above.overlay = True
    hand.window.push(above)
    below.calls.clear()
    hand.frames(1)
    hand.window.pop()
    assert below.calls == ["update", "draw"]


def test_swap_closes_the_scene_it_replaces(hand):
    first = hand.show()
    second = type(first)(hand.window)
    hand.window.swap(second)
    assert first.calls[-2:] == ["leave", "close"]
    assert hand.window.scenes == [second]


def test_escape_pops_and_a_held_key_counts_once(hand):
    hand.show()
    hand.show()
    hand.show()
    hand.down(pygame.K_ESCAPE)
    hand.down(pygame.K_ESCAPE)
    hand.down(pygame.K_ESCAPE)
    assert len(hand.window.scenes) == 2


def test_held_arrow_repeats_and_a_held_letter_does_not(hand):
    room = hand.show()
    for _ in range(3):
        hand.down(pygame.K_LEFT)
        hand.down(pygame.K_r)
    assert room.commands.count("left") == 3
    assert room.commands.count("restart") == 1
    hand.post(pygame.WINDOWFOCUSLOST)
    hand.down(pygame.K_r)
    assert room.commands.count("restart") == 2, "a key that came up in another window is still held"


def test_closing_the_window_closes_every_scene(hand):
    rooms = [hand.show(), hand.show()]
    hand.post(pygame.QUIT)
    assert not hand.window.running
    hand.window.close()
    assert [room.calls[-2:] for room in rooms] == [["leave", "close"]] * 2
    assert hand.window.scenes == []


# Failing scenes


class Broken(Scene):
    """Raises in one of its methods."""

    name = "broken"

    def __init__(self, window, where, times=10**9):
        super().__init__(window)
        self.where, self.left, self.closed = where, times, 0

    def fail(self, where):
        if where == self.where and self.left:
            self.left -= 1
            raise RuntimeError("the box fell over")

    def build(self):
        self.fail("build")
        Button(self.kit, pygame.Rect(100, 100, 80, 40), on_press=lambda: self.fail("press"))

    def enter(self):
        self.fail("enter")

    def leave(self):
        self.fail("leave")

    def close(self):
        self.closed += 1
        self.fail("close")

    def update(self, dt):
        self.fail("update")

    def draw(self, surface):
        self.fail("draw")

    def draw_over(self, surface):
        self.fail("draw_over")

    def handle(self, event):
        self.fail("handle")
        return True

    def command(self, command):
        self.fail("command")
        return super().command(command)

    @property
    def status(self):
        self.fail("status")
        return "", "", False

    def again(self):
        return Broken(self.window, self.where, 0)


EVERYWHERE = (
    "build", "enter", "update", "draw", "draw_over", "status", "handle", "command", "press", "leave", "close",
)  # fmt: skip


@pytest.mark.parametrize("where", EVERYWHERE)
def test_a_scene_that_raises_once_is_a_sentence_and_a_line_in_the_log(hand, caplog, where):
    below = hand.show()
    broken = Broken(hand.window, where, times=1)
    with caplog.at_level(logging.ERROR):
        hand.window.push(broken)
        hand.frames(2)
        hand.post(pygame.MOUSEBUTTONDOWN, pos=(600, 600), button=1)
        hand.key(pygame.K_r)
        hand.click((140, 120))
        hand.frames(5)
        if where in ("leave", "close"):
            hand.window.pop()
        else:
            assert hand.window.top is broken, "one failure is not yet a reason to leave"
    assert hand.said() == ["Something went wrong here: the box fell over. The log has the details."]
    assert "the box fell over" in caplog.text
    assert "Traceback" in caplog.text
    assert below in hand.window.scenes


@pytest.mark.parametrize("where", ["update", "draw", "draw_over", "status"])
def test_a_scene_that_keeps_raising_is_left(hand, caplog, where):
    below = hand.show()
    broken = Broken(hand.window, where)
    hand.window.push(broken)
    dialog = type(below)(hand.window)
    dialog.overlay = True
    hand.window.push(dialog)
    hand.frames(6)
    assert hand.window.scenes == [below], [scene.name for scene in hand.window.scenes]
    assert broken.closed == 1, "its threads go on"
    assert dialog.calls[-1] == "close"
    assert below.calls[-1] == "draw"
    assert len(caplog.records) <= 8


def test_the_last_scene_failing_ends_in_a_way_on(hand, caplog):
    hand.window.push(Broken(hand.window, "draw"))
    hand.frames(60)
    assert isinstance(hand.window.top, Failure)
    assert len(hand.window.scenes) == 1
    assert len(caplog.records) < 10, "the log fills up"
    assert hand.window.running
    hand.key(pygame.K_RETURN)
    hand.frames(5)
    assert isinstance(hand.window.top, Broken), "Try again did not try again"
    assert hand.window.running


def test_what_cannot_be_built_at_all_ends_in_a_way_on_too(hand):
    hand.window.push(Broken(hand.window, "update"))
    hand.frames(10)
    trouble = hand.window.top
    assert isinstance(trouble, Failure)
    trouble.again = lambda: Broken(hand.window, "update")
    hand.key(pygame.K_RETURN)
    hand.frames(10)
    assert isinstance(hand.window.top, Failure)
    hand.key(pygame.K_ESCAPE)
    assert not hand.window.running


def test_work_done_every_frame_that_keeps_raising_is_stopped(hand, caplog):
    hand.show()

    def fail(_dt):
        raise OSError("the disk is gone")

    hand.window.on_frame = fail
    hand.frames(30)
    assert any("the disk is gone" in text for text in hand.said())
    assert len(caplog.records) < 10


def test_a_failure_now_and_then_is_no_reason_to_leave(hand):
    hand.show()
    broken = Broken(hand.window, "handle")
    hand.window.push(broken)
    for _ in range(10):
        hand.post(pygame.MOUSEBUTTONDOWN, pos=(600, 600), button=1)
        hand.frames(1)
    assert hand.window.top is broken


# Size


def test_a_storm_of_resizes_is_laid_out_once(hand, monkeypatch):
    below = hand.show()
    room = hand.show()
    below.calls.clear()
    room.calls.clear()
    for step in range(40):
        resize(hand, (1024 + 7 * step, 640 + 5 * step))
    assert room.calls.count("build") == 0
    settle(hand, monkeypatch)
    assert room.calls.count("build") == 1
    assert room.kit.manager.window_resolution == (1024 + 7 * 39, 640 + 5 * 39)
    assert below.calls == [], "what is covered is laid out when it comes back"
    assert hand.said() == []


def test_a_scene_shown_right_after_a_resize_gets_the_scale_of_the_new_size(open_hand):
    hand = open_hand(Look(ui_scale=2.0, animated=False), (1920, 1080))
    hand.show()
    resize(hand, (640, 480))
    scales = []
    hand.window.push(type(hand.window.top)(hand.window, lambda room: scales.append((room.size, room.theme.scale))))
    assert scales == [((640, 480), 1.0)]


def test_a_size_event_without_a_new_size_changes_nothing(hand, monkeypatch):
    room = hand.show()
    room.calls.clear()
    hand.post(pygame.WINDOWSIZECHANGED, x=1280, y=800)
    settle(hand, monkeypatch)
    assert "build" not in room.calls


def test_full_screen_and_back_restores_the_size(open_hand, monkeypatch):
    asked = []

    def set_mode(size=(0, 0), flags=0):
        asked.append((size, bool(flags & pygame.FULLSCREEN)))
        return real((1920, 1080) if flags & pygame.FULLSCREEN else size)

    hand = open_hand(size=(1100, 700))
    real = pygame.display.set_mode
    hand.show()
    monkeypatch.setattr(pygame.display, "set_mode", set_mode)
    hand.key(pygame.K_F11)
    assert hand.window.look.fullscreen
    assert hand.window.geometry() is None, "the size of the screen would be remembered as the window's"
    assert hand.window.size == (1920, 1080)
    hand.key(pygame.K_F11)
    assert asked == [((0, 0), True), ((1100, 700), False)]
    assert hand.window.size == (1100, 700)
    assert hand.window.geometry()[2:] == (1100, 700)


def test_started_in_full_screen_it_comes_back_to_the_size_before(open_hand, monkeypatch):
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [(1920, 1080)])
    hand = open_hand(Look(fullscreen=True, geometry=(10, 10, 1100, 700)), size=None)
    hand.show()
    hand.key(pygame.K_F11)
    assert hand.window.size == (1100, 700)


def test_minimised_nothing_is_drawn_and_agents_rest(hand):
    room = hand.show()
    room.calls.clear()
    hand.post(pygame.WINDOWMINIMIZED)
    hand.post(pygame.WINDOWMINIMIZED)
    hand.frames(5)
    assert room.calls == ["rest"]
    assert hand.window.geometry() is None
    hand.post(pygame.WINDOWRESTORED)
    assert room.calls == ["rest", "update", "draw"]


@pytest.mark.parametrize(
    ("geometry", "desktops", "place"),
    [
        ((100, 50, 1000, 700), [(1920, 1080)], (100, 50)),
        ((3000, 50, 1000, 700), [(1920, 1080)], None),
        ((3000, 50, 1000, 700), [(1920, 1080), (1920, 1080)], (3000, 50)),
        ((-32000, -32000, 1000, 700), [(1920, 1080)], None),
        ((1900, 50, 1000, 700), [(1920, 1080)], None),
        ((100, 1070, 1000, 700), [(1920, 1080)], None),
        (None, [(1920, 1080)], None),
    ],
)
def test_the_old_place_counts_only_on_a_screen_that_is_there(monkeypatch, geometry, desktops, place):
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: desktops)
    assert place_on_screen(Look(geometry=geometry)) == place


@pytest.mark.parametrize(
    ("geometry", "desktop", "size"),
    [
        (None, (1920, 1080), (1280, 800)),
        (None, (1024, 768), (1024, 768)),
        ((0, 0, 5000, 3000), (1920, 1080), (1920, 1080)),
        ((0, 0, 320, 240), (1920, 1080), (640, 480)),
        ((0, 0, 1500, 900), (1920, 1080), (1500, 900)),
    ],
)
def test_the_old_size_fits_the_desktop(monkeypatch, geometry, desktop, size):
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [desktop])
    assert windowed_size(Look(geometry=geometry)) == size


# Display


@pytest.mark.parametrize("driver", ["dummy", "offscreen"])
def test_a_driver_without_a_screen_is_no_display_unless_asked_for(monkeypatch, driver):
    monkeypatch.setattr(pygame.display, "init", lambda: None)
    monkeypatch.setattr(pygame.display, "get_driver", lambda: driver)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    monkeypatch.delenv("SDL_VIDEO_DRIVER", raising=False)
    with pytest.raises(NoDisplay, match="no display found"):
        display.open_display(Look(), "test")
    monkeypatch.undo()
    assert display.open_display(Look(), "test", (640, 480)).get_size() == (640, 480)


def test_the_place_of_the_window_is_not_handed_on_to_other_programs(open_hand):
    open_hand(Look(geometry=(10, 10, 900, 600)))
    assert "SDL_VIDEO_WINDOW_POS" not in os.environ


# Keys over everything


def test_key_list_opens_and_any_key_closes_it(hand):
    room = hand.show()
    hand.key(pygame.K_F1)
    assert hand.window.showing_keys
    room.commands.clear()
    room.events.clear()
    hand.key(pygame.K_r)
    assert not hand.window.showing_keys
    assert room.commands == []
    hand.key(pygame.K_SLASH, pygame.KMOD_LSHIFT)
    assert hand.window.showing_keys
    hand.click((5, 5))
    assert not hand.window.showing_keys
    assert room.saw(pygame.MOUSEBUTTONDOWN) == 0


def test_mute_and_a_screenshot_that_cannot_be_kept(hand, tmp_path):
    hand.show()
    hand.key(pygame.K_m)
    assert hand.window.look.mute
    hand.key(pygame.K_F12)
    assert any("read-only" in text for text in hand.said())
    hand.window.screenshots = tmp_path / "shots"
    hand.key(pygame.K_F12)
    (picture,) = (tmp_path / "shots").iterdir()
    assert pygame.image.load(picture).get_size() == (1280, 800)
    in_the_way = tmp_path / "file"
    in_the_way.write_bytes(b"")
    hand.window.screenshots = in_the_way
    hand.key(pygame.K_F12)
    assert any("could not be saved" in text for text in hand.said())


def test_no_audio_device_is_one_sentence(hand):
    hand.show()
    hand.window.sounds.problem = "There is no sound: no device."
    hand.frames(3)
    assert hand.said() == ["There is no sound: no device."]
    hand.window.toasts.items.clear()
    hand.frames(3)
    assert hand.said() == []


# Gamepads


def test_gamepad_gives_the_commands_of_the_table(hand):
    room = hand.show()
    for button in (
        pygame.CONTROLLER_BUTTON_DPAD_UP,
        pygame.CONTROLLER_BUTTON_A,
        pygame.CONTROLLER_BUTTON_X,
        pygame.CONTROLLER_BUTTON_LEFTSHOULDER,
    ):
        hand.pad(button)
    assert room.commands == ["up", "accept", "hint", "undo"]


def test_gamepad_pulls_while_a_button_is_held(hand):
    room = hand.show()
    hold = shortcut(
        "pull_left", "", "", pad=(pygame.CONTROLLER_BUTTON_DPAD_LEFT,), pad_with=pygame.CONTROLLER_BUTTON_A
    )
    room.groups = (Group("Pulling", hold), MOVES)
    room.taken = {"accept", "pull_left", "left"}
    hand.post(pygame.CONTROLLERBUTTONDOWN, button=pygame.CONTROLLER_BUTTON_A, instance_id=0)
    hand.pad(pygame.CONTROLLER_BUTTON_DPAD_LEFT)
    hand.post(pygame.CONTROLLERBUTTONUP, button=pygame.CONTROLLER_BUTTON_A, instance_id=0)
    hand.pad(pygame.CONTROLLER_BUTTON_DPAD_LEFT)
    assert room.commands == ["accept", "pull_left", "left"]


def test_gamepad_walks_and_presses(hand):
    pressed = []

    def furnish(room):
        for at in range(2):
            Button(room.kit, pygame.Rect(100 + 200 * at, 100, 100, 40), on_press=lambda at=at: pressed.append(at))

    room = hand.show(furnish)
    hand.pad(pygame.CONTROLLER_BUTTON_RIGHTSTICK)
    hand.pad(pygame.CONTROLLER_BUTTON_DPAD_RIGHT)
    hand.pad(pygame.CONTROLLER_BUTTON_A)
    assert pressed == [1]
    hand.pad(pygame.CONTROLLER_BUTTON_LEFTSTICK)
    hand.pad(pygame.CONTROLLER_BUTTON_A)
    assert pressed == [1, 0]
    assert room.commands == []
    hand.pad(pygame.CONTROLLER_BUTTON_B)
    assert room.commands == ["back"]


def test_stick_is_arrows_and_repeats_while_it_is_held(hand):
    room = hand.show()
    room.taken = {"right", "left"}

    def push(value):
        hand.post(pygame.CONTROLLERAXISMOTION, axis=pygame.CONTROLLER_AXIS_LEFTX, value=value, instance_id=0)

    for value in (3000, 12000, 25000, 30000, 32767):
        push(value)
    assert room.commands == ["right"]
    hand.frames(30)  # half a second
    repeated = room.commands.count("right")
    assert 3 <= repeated <= 6, room.commands
    push(0)
    hand.frames(30)
    assert room.commands.count("right") == repeated
    push(-32768)
    assert room.commands[-1] == "left"


def test_held_button_that_does_not_repeat_counts_once(hand):
    room = hand.show()
    room.taken = {"accept"}
    hand.post(pygame.CONTROLLERBUTTONDOWN, button=pygame.CONTROLLER_BUTTON_A, instance_id=0)
    hand.frames(60)
    assert room.commands == ["accept"]


def test_gamepads_come_and_go(hand, monkeypatch):
    from pygame._sdl2 import controller

    opened = []

    class Pad:
        def __init__(self, index):
            opened.append(index)
            self.id = 40 + index

    room = hand.show()
    room.taken = {"right"}
    monkeypatch.setattr(controller, "init", lambda: None)
    monkeypatch.setattr(controller, "get_count", lambda: 2)
    monkeypatch.setattr(controller, "is_controller", lambda index: index != 1)
    monkeypatch.setattr(controller, "Controller", Pad)
    hand.window.turn()
    assert opened == [0], "the gamepads that were there at the start"
    hand.post(pygame.CONTROLLERDEVICEADDED, device_index=2)
    assert opened == [0, 2]
    hand.post(pygame.CONTROLLERBUTTONDOWN, button=pygame.CONTROLLER_BUTTON_DPAD_RIGHT, instance_id=42)
    hand.post(pygame.CONTROLLERDEVICEREMOVED, instance_id=42)
    hand.frames(60)
    assert room.commands == ["right"], "a gamepad that is gone still holds a button"
    hand.post(pygame.CONTROLLERDEVICEREMOVED, instance_id=42)
    assert hand.said() == []


def test_no_gamepad_support_is_no_failure(hand, monkeypatch):
    from pygame._sdl2 import controller

    def fail():
        raise pygame.error("no joysticks on this system")

    monkeypatch.setattr(controller, "init", fail)
    hand.show()
    hand.window.turn()
    assert hand.said() == []


# What a frame costs


def test_what_a_scene_covers_is_not_filled_below_it(hand, monkeypatch):
    room = hand.show()
    width, height = hand.window.size
    everything = pygame.Rect(0, 0, width, height)
    for place in (
        (0, 0, 0, 0),
        (40, 30, 200, 100),
        (0, 0, width, height),
        (-20, 50, 90, height),
        (width - 5, -5, 90, 20),
    ):
        covered = pygame.Rect(place)
        monkeypatch.setattr(type(room), "covered", covered)
        hand.window.surface.fill("#ff00ff")
        fill_ground(hand.window.surface, hand.window.theme, everything, room.covered)
        corners = [(x, y) for x in range(0, width, 5) for y in range(0, height, 5)]
        left = {at for at in corners if hand.window.surface.get_at(at) == pygame.Color("#ff00ff")}
        assert left == {at for at in corners if covered.clip(everything).collidepoint(at)}, place


def test_other_threads_and_the_collector_wait_for_the_end_of_a_frame(hand):
    room, intervals = hand.show(), []
    room.update = lambda _dt: intervals.append((sys.getswitchinterval(), gc.isenabled()))
    before = sys.getswitchinterval()
    try:
        hand.window.turn()
        assert intervals == [(FRAME_SWITCH_SECONDS, False)]
        assert (sys.getswitchinterval(), gc.isenabled()) == (SWITCH_SECONDS, True)
    finally:
        sys.setswitchinterval(before)


def test_only_what_lies_under_the_pointer_is_hovered(hand):
    def furnish(room):
        room.below = Button(room.kit, pygame.Rect(100, 100, 160, 40), "below", on_press=lambda: None)
        room.above = Button(room.kit, pygame.Rect(180, 100, 160, 40), "above", on_press=lambda: None, layer=2)

    room = hand.show(furnish)
    found = []
    for at in ((120, 110), (200, 110), (300, 110), (500, 300), (120, 110)):
        hand.move(at)
        hand.frames(1)
        found.append((room.below.hovered, room.above.hovered, room.kit.manager.hovering_any_ui_element))
    assert found == [
        (True, False, True),
        (False, True, True),
        (False, True, True),
        (False, False, False),
        (True, False, True),
    ]


# The first picture


def test_devices_are_opened_after_the_first_picture(hand, monkeypatch):
    order = []
    monkeypatch.setattr(pygame.display, "flip", lambda: order.append("flip"))
    monkeypatch.setattr(hand.window.sounds, "start", lambda: order.append("sound"))
    monkeypatch.setattr(hand.window._input.pads, "start", lambda: order.append("pads"))
    hand.show()
    hand.window.turn()
    hand.window.turn()
    assert order == ["flip", "sound", "pads", "flip"]


def test_an_unused_frame_imports_nothing_heavy():
    script = (
        "import json, sys; import game.ui.window; "
        "print(json.dumps([name for name in ('numba', 'torch', 'matplotlib', 'msgspec', 'ai') if name in sys.modules]))"
    )
    environment = {**os.environ, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert json.loads(done.stdout) == [], done.stderr
