"""Numbers, lengths of time and dates in words, the same everywhere."""

from datetime import datetime


def counted(number: int, word: str) -> str:
    """'1 push', '2 pushes', '9 boxes', '1,000 moves'."""
    ending = "" if number == 1 else "es" if word.endswith(("sh", "x")) else "s"
    return f"{number:,} {word}{ending}"


def span(seconds: float) -> str:
    """A length of time: '12 s', '4 min 31 s', '2 h 5 min', '3 days 4 h'."""
    whole = round(min(seconds, 1e12))
    for size, name, part, part_name in (
        (86_400, "days" if whole >= 2 * 86_400 else "day", 3600, "h"),
        (3600, "h", 60, "min"),
        (60, "min", 1, "s"),
    ):
        if whole >= size:
            rest = whole % size // part
            return f"{whole // size:,} {name}" + (f" {rest} {part_name}" if rest else "")
    return f"{whole} s"


def about(seconds: float) -> str:
    """A length of time that nobody knows exactly: 'about 8 s', 'about 25 s', 'about 2 min'; at least a second."""
    steps = 1 if seconds < 20 else 5 if seconds < 90 else 60
    return f"about {span(max(1, round(seconds / steps) * steps))}"


def clock(seconds: float) -> str:
    """A length of time in whole seconds as a clock shows it: '0:42', '1:05', '2:03:04'."""
    minutes, second = divmod(int(max(0.0, min(seconds, 1e9))), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def day(date: str) -> str:
    """'20 Nov 2026' for an ISO time; the text itself, cut short, where it is none."""
    try:
        when = datetime.fromisoformat(date)
    except ValueError:
        return date[:40]
    return f"{when.day} {when:%b %Y}"


def recent(date: str, now: datetime | None = None) -> str:
    """'today 13:15', 'yesterday 20:01', '20 Nov', '3 Jan 2025' for an ISO time; raises ValueError where it is none."""
    now = now or datetime.now().astimezone()
    when = datetime.fromisoformat(date)
    try:
        when = when.astimezone()
    except (OverflowError, ValueError, OSError):
        return str(when.year)
    days = (now.date() - when.date()).days
    if days == 0:
        return f"today {when:%H:%M}"
    if days == 1:
        return f"yesterday {when:%H:%M}"
    return f"{when.day} {when:%b}" if when.year == now.year else f"{when.day} {when:%b} {when.year}"


def ago(date: str) -> str:
    """'just now', '4 minutes ago', '3 days ago' for an ISO time; empty where it is none."""
    try:
        seconds = (datetime.now().astimezone() - datetime.fromisoformat(date).astimezone()).total_seconds()
    except (ValueError, OverflowError):
        return ""
    for size, word in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        count = int(seconds // size)
        if count >= 1:
            return f"{counted(count, word)} ago"
    return "just now"
