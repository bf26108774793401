"""Boards of connect-4 in words."""

from game.rules.connect4 import Shape

NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}


def size(shape: Shape) -> str:
    """'6 × 7', '4 × 4 × 4'."""
    return f"{shape.rows} × {shape.cols}" + (f" × {shape.depth}" if shape.depth > 1 else "")


def board(shape: Shape) -> str:
    """'6 × 7 · four in a row'."""
    return f"{size(shape)} · {NUMBERS[shape.win]} in a row"


def table(shape: Shape) -> str:
    """'6 × 7 · four in a row · 2 players'."""
    return f"{board(shape)} · {shape.players} players"
