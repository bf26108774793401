"""Positions as text: drawn for people, and read from the command line in the forms of each game."""

from pathlib import Path

from game.cli.arguments import read_bytes
from game.cli.errors import CliError
from game.rules import connect4, levels, sokoban, twenty48
from game.rules.connect4 import Shape
from game.rules.direction import Direction
from game.rules.levels import Level, LevelError, Pack
from game.saves import level_forms

State = sokoban.State | twenty48.State | connect4.State
STONES = ".XO#@%&"
"""An empty cell, then the stones of the seats."""


def draw(state: State) -> str:
    """The board as lines of text."""
    if isinstance(state, sokoban.State):
        return "\n".join(levels.board(state))
    if isinstance(state, twenty48.State):
        return twenty48.draw(state)
    return _draw_connect4(state)


def _draw_connect4(state: connect4.State) -> str:
    """Layers side by side, the nearest first, columns numbered from 1."""
    shape = state.shape
    layers = range(shape.depth)
    lines = [[f"depth {depth + 1}" for depth in layers]] if shape.depth > 1 else []
    for row in reversed(range(shape.rows)):
        first = [(row * shape.depth + depth) * shape.cols for depth in layers]
        lines.append([" ".join(STONES[stone] for stone in state.cells[cell : cell + shape.cols]) for cell in first])
    lines.append([" ".join(str(col + 1) for col in range(shape.cols))] * shape.depth)
    width = max(len(part) for line in lines for part in line)
    return "\n".join((" " * 4).join(part.ljust(width) for part in line).rstrip() for line in lines)


def label(state: State, action: int) -> str:
    """An action as people write it: a letter of LURD, a direction, or a column from 1."""
    if isinstance(state, sokoban.State):
        return sokoban.to_lurd(state, (action,))
    if isinstance(state, twenty48.State):
        return Direction(action).label
    return connect4.label(state.shape, action)


def written(state: State) -> str:
    """The position in the form in which the command line takes it."""
    if isinstance(state, sokoban.State):
        return levels.dump(Pack((Level(state),))).rstrip("\n")
    return twenty48.format_position(state) if isinstance(state, twenty48.State) else connect4.format_moves(state)


def position(game: str, text: str, shape: Shape | None, seed: int) -> State:
    """The position written as `text`; raises CliError.

    Sokoban: XSB text (below it `Variant:` where it is not push only), its lines on lines of their own or with `|`
    between them, or the name of a file (its first level). 2048: tile values, `/` between rows. Connect-4 (`shape` is
    given): the moves from the empty board.
    """
    try:
        if game == "sokoban":
            return _sokoban(text)
        if game == "twenty48":
            return twenty48.parse_position(text, seed)
        assert shape is not None
        return connect4.parse_position(text, shape)
    except (ValueError, LevelError) as error:
        raise CliError(f"the position cannot be read: {error}") from None


def positions(game: str, path: Path, shape: Shape | None, seed: int) -> list[tuple[State, int | None]]:
    """Every position of a file, with the score that stands behind it, if any; raises CliError.

    A level each for Sokoban, else a line each. Behind a connect-4 position may stand what it is worth (`4453 -2`; on a
    flat board its moves are one word then).
    """
    data = read_bytes(path, levels.MAX_BYTES)
    if game == "sokoban":
        try:
            return [(level.state, None) for level in _levels(data, path.name)]
        except LevelError as error:
            raise CliError(str(error)) from None
    found: list[tuple[State, int | None]] = []
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        if not line.strip():
            continue
        text, score = _scored(line, shape) if shape is not None else (line, None)
        try:
            found.append((position(game, text, shape, seed), score))
        except CliError as error:
            raise CliError(f"{path}:{number}: {error}") from None
    if not found:
        raise CliError(f"{path}: there is no position in it")
    return found


def _scored(line: str, shape: Shape) -> tuple[str, int | None]:
    """A line of connect-4 moves, and the score behind them where there is one."""
    moves, _, last = line.strip().rpartition(" ")
    digits = last.removeprefix("-")
    number = digits.isascii() and digits.isdigit() and len(digits) <= 3
    if not moves or not number or (shape.depth == 1 and len(moves.split()) > 1):
        return line, None
    return moves, int(last)


def _sokoban(text: str) -> sokoban.State:
    if "#" in text:
        return levels.parse(text.replace("|", "\n"), "position").levels[0].state
    path = Path(text)
    return _levels(read_bytes(path, level_forms.MAX_BYTES), path.name)[0].state


def _levels(data: bytes, source: str) -> tuple[Level, ...]:
    """The levels of a file of any form; raises LevelError for the first that is none."""
    pack, boards = level_forms.boards(data, source)
    for board in boards:
        if isinstance(board, LevelError):
            raise board
    return pack.levels
