"""Buttons, switches, steppers, sliders and text fields, used by posted events as a person uses them."""

import gc

import pygame
import pytest

from game.ui import text
from game.ui.controls import Button, Stepper, Toggle
from game.ui.entry_box import EntryBox
from game.ui.field import TextField
from game.ui.kit import Kit
from game.ui.slider import Slider
from game.ui.theme import Theme

A, B = pygame.Rect(100, 100, 160, 40), pygame.Rect(100, 200, 160, 40)
C, D = pygame.Rect(300, 100, 160, 40), pygame.Rect(300, 200, 160, 40)


def buttons(pressed, *rects):
    """A room's furniture: a button per rectangle that notes its number."""

    def furnish(room):
        for number, rect in enumerate(rects):
            Button(room.kit, rect, f"b{number}", on_press=lambda number=number: pressed.append(number))

    return furnish


def test_click_presses_once_and_does_not_reach_the_board(hand):
    pressed = []
    room = hand.show(buttons(pressed, A, B))
    hand.click(B.center)
    assert pressed == [1]
    assert room.saw(pygame.MOUSEBUTTONDOWN) == room.saw(pygame.MOUSEBUTTONUP) == 0


def test_click_beside_the_controls_is_the_boards(hand):
    room = hand.show(buttons([], A))
    hand.click((700, 500))
    assert (room.saw(pygame.MOUSEBUTTONDOWN), room.saw(pygame.MOUSEBUTTONUP)) == (1, 1)


def test_press_that_leaves_the_button_does_nothing(hand):
    pressed = []
    room = hand.show(buttons(pressed, A))
    hand.press(A.center)
    hand.move((700, 500), held=1)
    hand.release((700, 500))
    assert pressed == []
    assert room.saw(pygame.MOUSEBUTTONUP) == 0, "the board saw the end of a press it had no part in"


def test_drag_from_the_board_over_a_button_ends_on_the_board(hand):
    pressed = []
    room = hand.show(buttons(pressed, A))
    hand.press((700, 500))
    hand.move(A.center, held=1)
    hand.release(A.center)
    assert pressed == []
    assert room.saw(pygame.MOUSEBUTTONUP) == 1


def test_other_mouse_buttons_press_nothing(hand):
    pressed = []
    hand.show(buttons(pressed, A))
    for button in (2, 3):
        hand.press(A.center, button)
        hand.release(A.center, button)
    assert pressed == []


@pytest.mark.parametrize("what", ["disable", "kill", "hide"])
def test_control_that_goes_away_while_held_is_not_used(hand, what):
    pressed = []
    room = hand.show(buttons(pressed, A, B))
    hand.press(A.center)
    getattr(room.kit.controls[0], what)()
    hand.release(A.center)
    hand.click(B.center)
    assert pressed == [1]


def test_disabled_control_takes_the_click_and_does_nothing(hand):
    pressed = []
    room = hand.show(buttons(pressed, A))
    room.kit.controls[0].disable()
    hand.click(A.center)
    room.kit.focus(room.kit.controls[0])
    hand.key(pygame.K_SPACE)
    assert pressed == []
    assert room.saw(pygame.MOUSEBUTTONDOWN) == 0


def test_lost_button_up_lets_the_control_go(hand):
    moved = []
    room = hand.show(lambda room: Slider(room.kit, A, 0.5, on_change=moved.append))
    hand.press(A.center)
    hand.move((A.right, A.centery), held=0)  # the button came up outside the window
    del moved[:]
    hand.move((A.left, A.centery), held=0)
    assert moved == []
    assert not room.kit.controls[0].pressed


def test_scene_rebuilt_by_its_own_button(hand):
    presses = []

    def furnish(room):
        Button(room.kit, A, f"after {len(presses)}", on_press=lambda: (presses.append(1), room.rebuild()))
        Stepper(room.kit, B, "n", "0", on_step=lambda by: (room.rebuild(), "1")[1])
        Toggle(room.kit, C, "t", False, on_change=lambda _on: room.rebuild())
        Slider(room.kit, D, 0.5, on_change=lambda _value: room.rebuild())

    room = hand.show(furnish)
    for rect in (A, B, C, D, A):
        first = room.kit
        hand.click((rect.right - 10, rect.centery))
        assert room.kit is not first, rect
        assert not any(control.pressed for control in room.kit.controls), rect
        assert not any(control.alive() for control in first.controls), rect
        assert not any(control.image for control in first.controls), "pictures nobody sees are kept"
    assert len(presses) == 2
    assert hand.said() == []
    assert room.kit.controls[0].label == "after 2"


def test_focus_stays_where_it_was_when_the_scene_is_built_again(hand):
    seen = []

    def furnish(room):
        Button(room.kit, A, on_press=lambda: None)
        Stepper(room.kit, B, "", "0", on_step=lambda by: (seen.append(by), room.rebuild(), "1")[2])

    room = hand.show(furnish)
    hand.key(pygame.K_TAB)
    hand.key(pygame.K_TAB)
    hand.key(pygame.K_RIGHT)
    hand.key(pygame.K_RIGHT)
    hand.key(pygame.K_LEFT)
    assert seen == [1, 1, -1]
    assert room.kit.focused is room.kit.controls[1]


def test_tab_goes_round_and_skips_what_cannot_be_used(hand):
    room = hand.show(buttons([], A, B, C))
    one, two, three = room.kit.controls
    two.disable()
    order = []
    for _ in range(3):
        hand.key(pygame.K_TAB)
        order.append(room.kit.focused)
    assert order == [one, three, one]
    hand.key(pygame.K_TAB, pygame.KMOD_LSHIFT)
    assert room.kit.focused is three


def test_arrows_walk_to_the_nearest_control_that_way(hand):
    room = hand.show(buttons([], A, B, C, D))
    a, b, c, d = room.kit.controls
    hand.key(pygame.K_TAB)
    walked = [room.kit.focused]
    for key in (pygame.K_RIGHT, pygame.K_DOWN, pygame.K_LEFT, pygame.K_UP, pygame.K_UP):
        hand.key(key)
        walked.append(room.kit.focused)
    assert walked == [a, c, d, b, a, a]
    assert "up" not in room.commands, "an arrow moved the game while a button had the focus"


def test_enter_and_space_press_the_focused_button_once_while_held(hand):
    pressed = []
    hand.show(buttons(pressed, A))
    hand.key(pygame.K_TAB)
    for key in (pygame.K_RETURN, pygame.K_SPACE):
        hand.down(key)
        hand.down(key)  # the system repeats a held key
        hand.down(key)
        hand.post(pygame.KEYUP, key=key, mod=0, unicode="")
    assert pressed == [0, 0]


def test_click_gives_the_keyboard_back_to_the_board(hand):
    room = hand.show(buttons([], A))
    hand.key(pygame.K_TAB)
    hand.click((700, 500))
    assert room.kit.focused is None
    hand.key(pygame.K_SPACE)
    assert room.commands[-1:] == ["run"]


def test_stepper_by_halves_wheel_and_keys(hand):
    steps = []
    room = hand.show(lambda room: Stepper(room.kit, A, "n", "0", on_step=lambda by: (steps.append(by), "x")[1]))
    hand.click((A.left + 10, A.centery))
    hand.click((A.right - 10, A.centery))
    hand.wheel(1, A.center)
    hand.wheel(-1, A.center)
    hand.key(pygame.K_TAB)
    hand.key(pygame.K_LEFT)
    hand.key(pygame.K_RIGHT)
    assert steps == [-1, 1, 1, -1, -1, 1]
    assert room.saw(pygame.MOUSEWHEEL) == 0
    hand.wheel(1, (700, 500))
    assert steps == [-1, 1, 1, -1, -1, 1]
    assert room.saw(pygame.MOUSEWHEEL) == 1


def test_slider_follows_the_pointer_beyond_its_ends(hand):
    values = []
    room = hand.show(lambda room: Slider(room.kit, A, 0.5, on_change=values.append, steps=4))
    hand.press(A.center)
    hand.move((A.right + 300, A.centery), held=1)
    assert values[-1] == 1.0
    hand.move((A.left - 300, A.centery + 200), held=1)
    assert values[-1] == 0.0
    hand.release((A.left - 300, A.centery))
    hand.move((A.right, A.centery))
    assert values[-1] == 0.0
    room.kit.focus(room.kit.controls[0])
    hand.key(pygame.K_RIGHT)
    assert values[-1] == 0.25


def test_dialog_above_lets_the_held_control_go(hand):
    moved = []
    room = hand.show(lambda room: Slider(room.kit, A, 0.5, on_change=moved.append))
    hand.press(A.center)
    above = type(room)(hand.window)
    above.overlay = True
    hand.window.push(above)
    hand.release(A.center)
    hand.window.pop()
    del moved[:]
    hand.post(pygame.MOUSEMOTION, pos=(A.right, A.centery), rel=(0, 0))
    assert moved == []


def test_nothing_below_a_dialog_is_hovered(hand):
    room = hand.show(buttons([], A))
    hand.move(A.center)
    hand.frames(2)
    assert room.kit.controls[0].hovered
    above = type(room)(hand.window)
    above.overlay = True
    hand.window.push(above)
    hand.frames(2)
    assert not room.kit.controls[0].hovered
    hand.window.pop()
    hand.frames(2)
    assert room.kit.controls[0].hovered
    hand.post(pygame.WINDOWLEAVE)
    hand.frames(1)
    assert not room.kit.controls[0].hovered


def test_tool_tip_stays_inside_the_window(hand):
    corner = pygame.Rect(1230, 760, 40, 36)
    words = "What this button does, said in more words than fit on one line beside the edge of the window"
    room = hand.show(lambda room: Button(room.kit, corner, icon="help", on_press=lambda: None, tip=words))
    picture = hand.window.surface.copy()
    hand.move(corner.center)
    hand.frames(50)
    changed = pygame.mask.from_threshold(hand.window.surface, (0, 0, 0, 0), (6, 6, 6, 255), picture)
    changed.invert()
    boxes = changed.get_bounding_rects()
    assert room.kit.controls[0].hover_time > 0.6
    tip = max(boxes, key=lambda box: box.width)
    assert tip.width > 200, boxes
    assert hand.window.surface.get_rect().inflate(-2, -2).contains(tip), tip


def test_letters_in_a_text_field_are_no_commands(hand):
    done = []
    room = hand.show(lambda room: TextField(room.kit, A, "x", on_done=done.append))
    hand.click(A.center)
    assert room.kit.typing
    before = pygame.key.get_repeat()
    for letter in "mr?":
        hand.post(pygame.KEYDOWN, key=ord(letter), mod=0, unicode=letter)
        hand.post(pygame.TEXTINPUT, text=letter)
        hand.post(pygame.KEYUP, key=ord(letter), mod=0, unicode=letter)
    assert room.kit.controls[0].text.replace("x", "") == "mr?"
    assert room.commands == []
    assert room.saw(pygame.KEYDOWN) == 0
    hand.key(pygame.K_RETURN)
    assert done == [room.kit.controls[0].text]
    hand.click((700, 500))
    assert not room.kit.typing
    assert pygame.key.get_repeat() == before == (260, 70), "keys of the whole window stopped repeating"
    hand.key(pygame.K_m)
    assert room.commands == ["mute"]


UNSEEN = "\u200b\u200d\u202e\u2066\ufeff\ufe0f\u034f\u00ad\U000e0001\x1b\x00\ud800"


@pytest.mark.parametrize("before", ["", "abc"])
def test_signs_that_nobody_sees_are_not_taken_into_a_text_field(hand, before, monkeypatch):
    room = hand.show(lambda room: TextField(room.kit, A, before, on_done=lambda _text: None))
    (field,) = room.kit.controls
    hand.click(field.rect.center)
    assert room.kit.focused is field
    for sign in UNSEEN:
        hand.key(pygame.K_HOME)
        hand.post(pygame.TEXTINPUT, text=sign)
        hand.frames(1)
    hand.post(pygame.TEXTINPUT, text=f"x{UNSEEN}é☃")
    assert field.text == f"xé☃{before}"
    monkeypatch.setattr("game.ui.clipboard.read", lambda: f"1\n{UNSEEN}2" + "y" * 1000)
    hand.key(pygame.K_v, pygame.KMOD_CTRL)
    assert field.text.startswith("xé☃1 2yyy")
    assert len(field.text) <= 200
    assert hand.said() == []


def test_signs_that_nobody_sees_are_not_taken_into_an_entry_box(hand, monkeypatch):
    taken = []
    room = hand.show(
        lambda room: EntryBox(
            room.kit, A, "Name", "abc", plain=lambda: "abc", on_type=lambda typed: taken.append(typed) or typed
        )
    )
    (box,) = room.kit.controls
    hand.click(box.rect.center)
    assert box.typed == "abc"
    for sign in UNSEEN:
        hand.post(pygame.KEYDOWN, key=pygame.K_x, mod=0, unicode=sign)
    monkeypatch.setattr("game.ui.clipboard.read", lambda: f"{UNSEEN}2")
    hand.key(pygame.K_v, pygame.KMOD_CTRL)
    hand.key(pygame.K_RETURN)
    assert taken == ["2"]
    assert hand.said() == []


def test_a_text_field_begins_with_what_can_be_drawn(hand):
    room = hand.show(lambda room: TextField(room.kit, A, f"a{UNSEEN}b", on_done=lambda _text: None))
    (field,) = room.kit.controls
    assert field.text == "ab"


def test_tab_goes_into_a_text_field_and_out_again(hand):
    def furnish(room):
        Button(room.kit, A, on_press=lambda: None)
        TextField(room.kit, B, on_done=lambda _text: None)
        Button(room.kit, C, on_press=lambda: None)

    room = hand.show(furnish)
    typing = []
    for _ in range(3):
        hand.key(pygame.K_TAB)
        typing.append(room.kit.typing)
    assert typing == [False, True, False]


def test_dead_controls_are_forgotten(hand):
    room = hand.show(buttons([], A, B))
    room.kit.controls[0].kill()
    hand.frames(1)
    assert [control.rect for control in room.kit.controls] == [B]


def test_thousands_of_kits_keep_nothing(hand):
    def memory():
        gc.collect()
        return len(gc.get_objects())

    def build(times):
        for _ in range(times):
            room.rebuild()

    room = hand.show(buttons([], A, B, C))
    build(20)
    import i18n

    before, paths = memory(), len(i18n.load_path)
    build(500)
    assert memory() - before < 200
    assert len(i18n.load_path) == paths
    theme = Theme("dark", 1.0)
    first, second = Kit(theme, (640, 480)), Kit(theme, (640, 480))
    assert first.manager.get_theme() is second.manager.get_theme(), "every screen parses the theme again"


def test_a_narrow_stepper_still_says_what_it_counts(hand, monkeypatch):
    said = []
    real = text.draw

    def draw(surface, theme, words, *args, limit=None, **more):
        said.append((words, limit is None or text.width(theme, words) <= limit))
        return real(surface, theme, words, *args, limit=limit, **more)

    monkeypatch.setattr("game.ui.controls.text.draw", draw)
    narrow = pygame.Rect(100, 100, 121, 34)
    hand.show(lambda room: Stepper(room.kit, narrow, "Nodes", "50 M", on_step=lambda by: "x"))
    assert said[:2] == [("50 M", True), ("Nodes", True)]


@pytest.mark.parametrize("side", [20, 24, 38])
def test_an_icon_stays_whole_in_a_small_button(hand, side):
    made = []
    place = pygame.Rect(100, 100, side, side)
    hand.show(lambda room: made.append(Button(room.kit, place, icon="play", style="ghost", on_press=lambda: None)))
    ink = made[0].image.get_bounding_rect(min_alpha=128)
    left, right = ink.left, side - ink.right
    assert ink.width >= 9 and abs(left - right) <= 3, f"drawn in {ink} of {side} pixels"


def test_a_tip_that_the_screen_says_elsewhere_does_not_pop_up(hand, monkeypatch):
    drawn, made = [], []
    monkeypatch.setattr(Kit, "_draw_tip", lambda kit, surface, control: drawn.append(control.tip))
    hand.show(lambda room: made.append(Button(room.kit, A, "A", on_press=lambda: None, tip="What A does")))
    hand.move(A.center)
    hand.frames(60)
    assert "What A does" in drawn
    made[0].pops = False
    drawn.clear()
    hand.frames(60)
    assert not drawn


def test_a_greyed_button_refuses_its_key_and_its_click():
    heard = []
    kit = Kit(Theme(), (400, 300), heard.append, (-1, -1))
    button = Button(kit, pygame.Rect(20, 20, 100, 40), "Undo", on_press=lambda: heard.append("pressed"))
    button.command = "undo"
    kit.refuse("undo")
    assert heard == [], "it is not greyed"
    button.set_enabled(False)
    still = pygame.image.tobytes(button.image, "RGBA")
    kit.refuse("redo")
    kit.refuse("undo")
    assert heard == ["blocked"]
    moved = []
    for _ in range(30):
        kit.update(1 / 60)
        moved.append(pygame.image.tobytes(button.image, "RGBA") != still)
    assert any(moved)
    assert not moved[-1], "it stands still again"
    kit.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(50, 30), button=1))
    assert heard == ["blocked", "blocked"]
