"""What models of connect-4 call the board and the number of players that they are for."""

from game.rules.connect4 import Shape, parse_shape


def board_name(shape: Shape) -> str:
    """What the headers of models call a board and its players: '6x7x1x4 for 2'."""
    return f"{shape.rows}x{shape.cols}x{shape.depth}x{shape.win} for {shape.players}"


def parse_board(name: str) -> Shape:
    """The shape that `board_name` has written; raises ValueError with one clear sentence."""
    edges, _, players = name.partition(" for ")
    if not players.isdecimal() or len(players) > 3:
        raise ValueError(f"A board for a number of players is written RxCxDxW for N, not {name[:40]!r}.")
    return parse_shape(edges.replace("x", ","), int(players))
