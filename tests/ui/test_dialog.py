"""Questions over a screen: answers, keys, what reaches the screen below, how they fit."""

import pygame
import pytest

from game.ui.controls import Button
from game.ui.dialog import Answer, Dialog

LONG = "A sentence that is repeated until the card has many lines. " * 12


def ask(hand, said, **options):
    """A room with a question over it; `said` gets the labels of the answers."""
    room = hand.show()
    names = ("Yes", "Perhaps", "No")
    answers = [Answer(name, lambda name=name: said.append((name, hand.window.top))) for name in names]
    dialog = Dialog(hand.window, "Really?", "There is no way back.", answers, **options)
    hand.window.push(dialog)
    hand.frames(2)
    return room, dialog


def test_answer_runs_when_the_dialog_is_gone(hand):
    said = []
    room, dialog = ask(hand, said)
    button = next(control for control in dialog.kit.controls if control.label == "No")
    hand.click(button.rect.center)
    assert said == [("No", room)]
    assert hand.window.scenes == [room]


def test_enter_is_the_first_answer_and_escape_none(hand):
    said = []
    room, _ = ask(hand, said)
    hand.key(pygame.K_RETURN)
    assert said == [("Yes", room)]
    room, _ = ask(hand, said)
    hand.key(pygame.K_ESCAPE)
    assert len(said) == 1
    assert hand.window.top is room


def test_enter_takes_the_focused_answer(hand):
    said = []
    room, _dialog = ask(hand, said)
    for _ in range(3):
        hand.key(pygame.K_TAB)
    hand.key(pygame.K_RETURN)
    assert said == [("No", room)]


def test_arrows_and_gamepad_walk_through_the_answers(hand):
    said = []
    room, dialog = ask(hand, said)
    hand.key(pygame.K_DOWN)
    first = dialog.kit.focused
    assert first is not None
    hand.pad(pygame.CONTROLLER_BUTTON_DPAD_LEFT)
    assert dialog.kit.focused.label == "Perhaps"
    hand.pad(pygame.CONTROLLER_BUTTON_A)
    assert said == [("Perhaps", room)]
    _room, dialog = ask(hand, said)
    hand.pad(pygame.CONTROLLER_BUTTON_B)
    assert dialog not in hand.window.scenes


def test_nothing_reaches_the_screen_below(hand):
    room, _ = ask(hand, [])
    for key in (pygame.K_z, pygame.K_SPACE, pygame.K_r, pygame.K_F10, pygame.K_UP):
        hand.key(key)
    hand.click((20, 20))
    hand.wheel(1, (20, 20))
    assert room.commands == []
    assert room.events == []
    room.calls.clear()
    hand.frames(1)
    assert room.calls == ["update", "draw"], "the screen below stands still"
    assert "leave" not in room.calls


@pytest.mark.parametrize("size", [(640, 480), (1024, 640), (1920, 1080)])
@pytest.mark.parametrize("message", ["", "Short.", LONG])
def test_card_and_answers_stay_inside_the_window(open_hand, size, message):
    hand = open_hand(size=size)
    hand.show()
    dialog = Dialog(hand.window, "Title", message, (Answer("Start again"), Answer("Go back to the level")), inside=80)
    hand.window.push(dialog)
    hand.frames(1)
    window = hand.window.surface.get_rect()
    assert window.contains(dialog.card), (dialog.card, size)
    line = dialog.theme.font().get_linesize()
    below = dialog.card.top + dialog.theme.px(60) + len(dialog.lines) * line
    for control in dialog.kit.controls:
        assert dialog.card.contains(control.rect), (control.rect, dialog.card)
        assert control.rect.top >= below, "the text runs into the answers"


def test_subclass_with_controls_of_its_own(hand):
    pressed = []

    class Own(Dialog):
        def build_inside(self, rect):
            Button(self.kit, rect, "Inside", on_press=lambda: pressed.append(rect.height))

    hand.show()
    dialog = Own(hand.window, "Title", inside=50)
    hand.window.push(dialog)
    hand.frames(2)
    hand.click(dialog.kit.controls[0].rect.center)
    assert pressed == [dialog.theme.px(50)]
    hand.window.relayout()
    hand.frames(1)
    assert dialog.kit.controls[0].label == "Inside"


def test_held_enter_that_opened_it_does_not_answer_it(hand):
    said = []
    room = hand.show(lambda room: Button(room.kit, pygame.Rect(9, 9, 90, 30), "b", on_press=lambda: ask(hand, said)))
    hand.key(pygame.K_TAB)
    hand.down(pygame.K_RETURN)
    hand.down(pygame.K_RETURN)
    assert isinstance(hand.window.top, Dialog)
    assert said == []
    assert room in hand.window.scenes
