"""Numbers in words, the same everywhere."""


def counted(number: int, word: str) -> str:
    """'1 push', '2 pushes', '9 boxes', '1,000 moves'."""
    ending = "" if number == 1 else "es" if word.endswith(("sh", "x")) else "s"
    return f"{number:,} {word}{ending}"
