"""Text on surfaces: what cannot be drawn, ellipsis, wrapping, counts for people."""

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.ui import text
from game.ui.theme import Theme
from game.ui.toast import Toasts

pygame.font.init()
THEME = Theme("dark")
ANYTHING = st.text(st.characters(), max_size=60)
"""Surrogates and control characters included: file names may hold them."""


@given(ANYTHING)
def test_any_text_can_be_drawn(words):
    surface = pygame.Surface((400, 40))
    place = text.draw(surface, THEME, words, (5, 5))
    assert place.height <= THEME.font().get_linesize() + 4, repr(words)
    text.width(THEME, words)


@pytest.mark.parametrize("unseen", ["\ufe0f", "\u034f", "\U000e0100\u180b"])
def test_signs_without_a_width_are_drawn_as_nothing(unseen):
    assert unseen.isprintable()
    assert text.render(THEME, unseen, 14, THEME.text).get_width() == 0
    assert text.draw(pygame.Surface((400, 40)), THEME, unseen, (5, 5)).width == 0


@given(ANYTHING, st.integers(20, 300))
def test_a_limit_is_kept(words, limit):
    surface = pygame.Surface((400, 40))
    assert text.draw(surface, THEME, words, (0, 0), limit=limit).width <= limit, repr(words)


def test_ellipsis_only_where_it_is_needed():
    words = "A sentence of some length"
    whole = text.width(THEME, words)
    surface = pygame.Surface((400, 40))
    assert text.draw(surface, THEME, words, (0, 0), limit=whole).width == whole
    assert text.draw(surface, THEME, words, (0, 0), limit=whole - 1).width < whole


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=200), st.integers(40, 300))
def test_wrapped_lines_fit_and_lose_nothing(words, limit):
    lines = text.wrap(THEME, words, limit)
    for line in lines:
        assert THEME.font().size(line)[0] <= limit or len(line) == 1, (line, limit)
    assert "".join("".join(lines).split()) == "".join(text.printable(words).split())


def test_wrap_breaks_at_spaces_and_within_a_word_that_is_too_long():
    limit = text.width(THEME, "aaaa aaaa")
    assert text.wrap(THEME, "aaaa aaaa aaaa", limit) == ["aaaa aaaa", "aaaa"]
    lines = text.wrap(THEME, "/one/two/three/four/five/six/seven", limit)
    assert len(lines) > 1
    assert "".join(lines) == "/one/two/three/four/five/six/seven"
    assert text.wrap(THEME, "one\n\ntwo", limit) == ["one", "", "two"]


@pytest.mark.parametrize("anchor", ["topleft", "midright", "center", "bottomleft"])
def test_anchors_name_the_point_that_is_given(anchor):
    place = text.draw(pygame.Surface((400, 200)), THEME, "words", (200, 100), anchor=anchor)
    assert getattr(place, anchor) == (200, 100)


def test_the_same_line_is_rendered_once():
    first = text.render(THEME, "once", 14, THEME.text)
    assert text.render(THEME, "once", 14, THEME.text) is first
    assert text.render(THEME, "once", 14, THEME.muted) is not first


@pytest.mark.parametrize(
    ("number", "shown"), [(0, "0"), (999, "999"), (1000, "1 k"), (340_400, "340 k"), (1_240_000, "1.2 M")]
)
def test_counts_for_people(number, shown):
    assert text.short(number) == shown


@given(st.lists(ANYTHING, min_size=1, max_size=8), st.sampled_from(((640, 480), (1024, 640), (1920, 1080))))
def test_toasts_stay_inside_the_window(messages, size):
    toasts = Toasts()
    for message in messages:
        toasts.say(message, "bad")
    toasts.update(1.0)
    surface = pygame.Surface(size)
    surface.fill("#010203")
    toasts.draw(surface, THEME, size[1] - 36)
    assert 1 <= len(toasts.items) <= 4
    mask = pygame.mask.from_threshold(surface, (1, 2, 3, 255), (1, 1, 1, 255))
    mask.invert()
    drawn = mask.get_bounding_rects()
    assert drawn
    assert surface.get_rect().inflate(-40, 0).contains(drawn[0].unionall(drawn[1:]))


def test_what_is_said_takes_the_place_of_what_was_said_but_not_of_what_went_wrong():
    toasts = Toasts()
    for message, kind in (("a", "info"), ("b", "bad"), ("c", "good"), ("d", "info")):
        toasts.say(message, kind)
        toasts.update(0.02)
    assert [toast.text for toast in toasts.items] == ["b", "d"]
    toasts.say("e")
    toasts.say("f")
    assert [toast.text for toast in toasts.items] == ["b", "e", "f"], "said together"
    toasts.update(0.02)
    for number in range(9):
        toasts.say(f"wrong {number}", "bad")
    assert [toast.text for toast in toasts.items] == ["wrong 6", "wrong 7", "wrong 8"]


def test_what_was_said_goes_with_its_screen_but_not_what_was_said_on_the_way():
    toasts = Toasts()
    toasts.say("That cannot be undone.")
    toasts.say("The file is damaged.", "bad")
    toasts.update(1.0)
    toasts.leave()
    assert [toast.text for toast in toasts.items] == ["The file is damaged."]
    toasts.say("The game goes on.", "good")
    toasts.leave()
    assert toasts.items[-1].text == "The game goes on."


def test_a_toast_goes_after_its_time_and_comes_once():
    toasts = Toasts()
    for _ in range(3):
        toasts.say("Saved.", "good")
    assert [toast.text for toast in toasts.items] == ["Saved."]
    toasts.update(3.9)
    assert toasts.items
    toasts.update(0.2)
    assert toasts.items == []


def test_a_name_cut_in_its_middle_keeps_its_ending():
    name = "2026-11-20-131543-sokoban-first-steps-solved-in-97-moves.gif"
    for limit in (120, 200, 300):
        cut = text.shortened(Theme(), name, limit)
        assert text.width(Theme(), cut) <= limit
        assert cut.startswith("2026"), cut
        assert cut.endswith(".gif"), cut
    assert text.shortened(Theme(), name, 2000) == name


def test_what_no_longer_holds_is_no_longer_said():
    toasts, true = Toasts(), [True]
    toasts.say("There is no player.", "bad", lambda: true[0])
    toasts.update(1.0)
    assert [item.text for item in toasts.items] == ["There is no player."]
    toasts.leave()
    assert toasts.items == [], "it was about the screen that was left"
    toasts.say("There is no player.", "bad", lambda: true[0])
    true[0] = False
    toasts.update(0.1)
    assert toasts.items == []
