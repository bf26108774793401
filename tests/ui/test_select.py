"""Drop-down lists: where they open, what they let through, keys, wheel, options that cannot be chosen."""

import pygame
import pytest

from game.ui.controls import Button
from game.ui.select import Option, Select, SelectList

BOX = pygame.Rect(500, 300, 200, 38)
SHORT = (Option("a", "Alpha"), Option("b", "Beta", reason="Needs a flat board."), Option("c", "Gamma"))
LONG = tuple(Option(str(number), f"Option {number}") for number in range(60))


def select(options=SHORT, chosen="a", rect=BOX, chose=None, rebuild=False):
    """A room's furniture: one list."""

    def on_choose(room, option):
        if chose is not None:
            chose.append(option)
        if rebuild:
            room.rebuild()

    def furnish(room):
        Select(room.kit, rect, options, chosen, on_choose=lambda option: on_choose(room, option))

    return furnish


def opened(hand, room):
    hand.click(room.kit.controls[0].rect.center)
    assert isinstance(room.kit.popup, SelectList), "the list did not open"
    return room.kit.popup


def line(popup, at):
    """The middle of a visible line."""
    return (popup.rect.centerx, popup.rect.top + popup.pad + (at - popup.first) * popup.row + popup.row // 2)


@pytest.mark.parametrize("size", [(640, 480), (1024, 640), (1920, 1080)])
@pytest.mark.parametrize("options", [SHORT, LONG])
@pytest.mark.parametrize("at", [(0, 0), (1, 0), (0, 1), (1, 1), (0.5, 0.5)])
def test_list_stays_inside_the_window(open_hand, size, options, at):
    hand = open_hand(size=size)
    rect = pygame.Rect(at[0] * (size[0] - 180), at[1] * (size[1] - 38), 180, 38)
    room = hand.show(select(options, rect=rect))
    popup = opened(hand, room)
    assert hand.window.surface.get_rect().contains(popup.rect), (popup.rect, size)
    assert not popup.rect.colliderect(rect.inflate(0, -4)), "the list covers its own box"
    assert popup.fit >= 1
    assert popup.rect.height >= popup.fit * popup.row


def test_click_takes_a_line(hand):
    chose = []
    room = hand.show(select(chose=chose))
    popup = opened(hand, room)
    hand.click(line(popup, 2))
    assert chose == ["c"]
    assert room.kit.popup is None
    assert not popup.alive()
    assert room.kit.controls[0].chosen == "c"


def test_option_with_a_reason_cannot_be_taken_and_shows_it(hand):
    chose = []
    room = hand.show(select(chose=chose))
    popup = opened(hand, room)
    reason = "Needs a flat board."
    from game.ui import text

    assert popup.rect.width >= text.width(room.theme, reason, 13) + 2 * popup.pad
    hand.click(line(popup, 1))
    hand.key(pygame.K_RETURN)
    assert chose == []
    assert popup.alive()


def test_left_and_right_skip_what_cannot_be_chosen(hand):
    chose = []
    hand.show(select(chose=chose))
    hand.key(pygame.K_TAB)
    for key in (pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_LEFT):
        hand.key(key)
    assert chose == ["c", "a"]


@pytest.mark.parametrize("button", [1, 2, 3])
def test_click_outside_closes_and_does_not_fall_through(hand, button):
    pressed = []

    def furnish(room):
        select()(room)
        Button(room.kit, pygame.Rect(100, 100, 100, 40), "b", on_press=lambda: pressed.append(1))

    room = hand.show(furnish)
    for place in ((150, 120), (900, 600)):
        opened(hand, room)
        hand.press(place, button)
        hand.release(place, button)
        assert room.kit.popup is None
    assert pressed == []
    assert room.saw(pygame.MOUSEBUTTONDOWN) == room.saw(pygame.MOUSEBUTTONUP) == 0
    hand.click((150, 120))
    assert pressed == [1], "the window is still dead after the list closed"


def test_click_on_its_own_box_closes_the_list(hand):
    room = hand.show(select())
    opened(hand, room)
    hand.click(BOX.center)
    assert room.kit.popup is None


@pytest.mark.parametrize("key", [pygame.K_ESCAPE, pygame.K_TAB])
def test_keys_that_close_leave_the_scene_alone(hand, key):
    room = hand.show(select())
    opened(hand, room)
    hand.key(key)
    assert room.kit.popup is None
    assert room.commands == []
    assert hand.window.scenes == [room]


def test_keys_walk_and_take(hand):
    chose = []
    room = hand.show(select(LONG, "0", chose=chose))
    hand.key(pygame.K_TAB)
    hand.key(pygame.K_RETURN)
    popup = room.kit.popup
    assert popup is not None
    hand.key(pygame.K_END)
    assert (popup.at, popup.first) == (59, 60 - popup.fit), "the last line is not in sight"
    hand.key(pygame.K_UP)
    hand.key(pygame.K_RETURN)
    assert chose == ["58"]
    assert room.commands == []


def test_wheel_scrolls_and_never_reaches_the_board(hand):
    room = hand.show(select(LONG, "0"))
    popup = opened(hand, room)
    hand.wheel(-3, popup.rect.center)
    assert popup.first == 3
    hand.wheel(-3, (50, 50))
    assert popup.alive(), "the wheel beside the list closed it"
    hand.wheel(100, popup.rect.center)
    assert popup.first == 0
    hand.wheel(-1000, popup.rect.center)
    assert popup.first == 60 - popup.fit
    assert room.saw(pygame.MOUSEWHEEL) == 0


def test_touchpad_adds_up_fractions(hand):
    room = hand.show(select(LONG, "0"))
    popup = opened(hand, room)
    for _ in range(5):
        hand.post(pygame.MOUSEWHEEL, x=0, y=0, precise_x=0.0, precise_y=-0.25)
    assert popup.first == 1


def test_list_opens_at_the_chosen_line(hand):
    room = hand.show(select(LONG, "40"))
    popup = opened(hand, room)
    assert popup.first <= 40 < popup.first + popup.fit


def test_scene_rebuilt_while_choosing(hand):
    chose = []
    room = hand.show(select(chose=chose, rebuild=True))
    popup = opened(hand, room)
    hand.click(line(popup, 2))
    assert chose == ["c"]
    assert room.kit.popup is None
    assert not popup.alive()
    hand.click((900, 600))
    assert room.saw(pygame.MOUSEBUTTONDOWN) == 1, "something unseen still takes the clicks"
    assert hand.said() == []


def test_resize_closes_an_open_list(hand):
    room = hand.show(select())
    popup = opened(hand, room)
    hand.window.relayout()
    assert not popup.alive()
    assert room.kit.popup is None
    hand.frames(2)
    assert hand.said() == []


def test_scene_pushed_over_an_open_list_closes_it(hand):
    room = hand.show(select())
    popup = opened(hand, room)
    hand.window.push(type(room)(hand.window))
    hand.window.pop()
    hand.frames(2)
    assert not popup.alive()
    assert room.kit.popup is None


def test_choosing_the_same_again_says_nothing(hand):
    chose = []
    room = hand.show(select(chose=chose))
    hand.click(line(opened(hand, room), 0))
    assert chose == []
    assert room.kit.popup is None


def test_list_without_options_does_not_open(hand):
    room = hand.show(select(()))
    hand.click(BOX.center)
    assert room.kit.popup is None
    assert hand.said() == []
