"""A connect-4 game as one line of text for the clipboard: the board, the players and the moves.

The form is `R,C,D,W,N: moves`, e.g. `6,7,1,4,2: 4453` or `4,4,4,4,3: 4.1 4.2`, with the moves as
`connect4.parse_position` reads them. The part before the colon may be left out, or its number of players (2 then).
"""

from game.rules import connect4
from game.rules.connect4 import Shape, State

MAX_TEXT = 4000
"""Characters; no game is longer."""
CLASSIC = (6, 7, 1, 4)


def write_game(state: State) -> str:
    """The board and all moves so far; `read_game` gives the same state."""
    return f"{state.shape},{state.shape.players}: {connect4.format_moves(state)}".rstrip()


def read_game(text: str, present: Shape) -> State:
    """The position of a text.

    Args:
        text: with the board before a colon, or bare moves.
        present: the board that bare moves are meant for. Digits that cannot be meant for a deep one are read on the
            classic board with as many players.

    Raises:
        ValueError: one clear sentence.
    """
    text = text.strip()
    if not text:
        raise ValueError("There is no text.")
    if len(text) > MAX_TEXT:
        raise ValueError("The text is too long for a game of connect-4.")
    board, colon, moves = text.partition(":")
    if colon:
        shape = _shape(board)
    elif "." in text:
        if present.depth == 1:
            raise ValueError("Moves such as 4.1 need a deep board before them, e.g. 4,4,4,4: 4.1 4.2.")
        shape, moves = present, text
    else:
        shape, moves = present if present.depth == 1 else Shape(*CLASSIC, present.players), text
    return connect4.parse_position(moves, shape)


def _shape(text: str) -> Shape:
    """`R,C,D,W` or `R,C,D,W,N`."""
    if text.count(",") != 4:
        return connect4.parse_shape(text)
    board, _, players = text.rpartition(",")
    players = players.strip()
    if not (players.isascii() and players.isdigit() and len(players) == 1):
        raise ValueError(f"The number of players is 2 to 6, not {players[:10]!r}.")
    return connect4.parse_shape(board, int(players))
