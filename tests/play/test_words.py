"""Numbers, lengths of time and dates as people read them."""

from datetime import datetime, timedelta

import pytest

from game.play.words import ago, clock, counted, day, recent, span


@pytest.mark.parametrize(
    ("number", "word", "said"),
    [
        (1, "push", "1 push"),
        (2, "push", "2 pushes"),
        (9, "box", "9 boxes"),
        (0, "game", "0 games"),
        (1000, "move", "1,000 moves"),
    ],
)
def test_plurals(number, word, said):
    assert counted(number, word) == said


def test_lengths_of_time():
    spans = {0: "0 s", 59.6: "1 min", 61: "1 min 1 s", 7500: "2 h 5 min", 90_000: "1 day 1 h", 1e9: "11,574 days 1 h"}
    assert {seconds: span(seconds) for seconds in spans} == spans
    clocks = {-1: "0:00", 42.9: "0:42", 65: "1:05", 725: "12:05", 7384: "2:03:04"}
    assert {seconds: clock(seconds) for seconds in clocks} == clocks


def test_dates():
    assert (day("2026-11-20T13:15:00+01:00"), day("some day")) == ("20 Nov 2026", "some day")
    now = datetime(2026, 3, 1, 13, 15).astimezone()
    said = [recent((now - past).isoformat(), now) for past in (timedelta(minutes=5), timedelta(hours=20))]
    assert said == ["today 13:10", "yesterday 17:15"]
    assert recent(now.replace(month=1, day=3).isoformat(), now) == "3 Jan"
    assert recent(now.replace(year=2025).isoformat(), now) == "1 Mar 2025"
    with pytest.raises(ValueError, match="some day"):
        recent("some day")


@pytest.mark.parametrize(
    ("past", "words"),
    [
        (timedelta(seconds=5), "just now"),
        (timedelta(minutes=1, seconds=5), "1 minute ago"),
        (timedelta(hours=5), "5 hours ago"),
        (timedelta(days=3), "3 days ago"),
        (timedelta(seconds=-90), "just now"),
    ],
)
def test_ago(past, words):
    when = (datetime.now().astimezone() - past).isoformat(timespec="seconds")
    assert ago(when) == words


def test_ago_of_nonsense_is_empty():
    assert ago("yesterday") == ago("") == ago("0000-99-99") == ""
