"""The kinds of network that a DQN of Sokoban has, as names, arrays and their sizes.

- `dense`: two hidden layers over inputs that are 0 or 1 (`dense`).
- `report`: the report's, layers of 3x3 convolution and then of 512 units; over 7 planes, or 1 that holds the numbers of the
  squares (`ai.sokoban.dqn.report.network`). Its variants have no convolution, or more of it.
"""

import math
import re
from dataclasses import dataclass

REACH = 8
"""Squares up, down, left and right of the player that the windows of the dense network show."""
WINDOW = 2 * REACH + 1
PLANES = 7
"""What a square can be, for the report's network."""
CONVOLUTIONS: dict[str, tuple[int, ...]] = {"dense-only": (), "report": (32, 64, 64), "deeper": (32, 64, 64, 64, 64)}
"""Channels of the layers of each variant of the report's network."""
UNITS: dict[str, tuple[int, ...]] = {"dense-only": (512, 512), "report": (512,), "deeper": (512, 256)}
"""Units of the layers after them."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One network."""

    kind: str
    """`dense`, or a variant of the report's."""
    rows: int
    cols: int
    pull: bool = False
    """Whether the player pulls as well."""
    hidden: tuple[int, int] = (256, 128)
    """Units of the dense network's layers."""
    dueling: bool = True
    static: bool = False
    """Whether the dense network sees walls and targets: it was trained on more than one board."""
    planes: int = PLANES
    """Of the report's network: 7, or 1 for scalars."""

    @property
    def actions(self) -> int:
        """How many there are."""
        return 8 if self.pull else 4


def inputs(shape: Shape) -> int:
    """Inputs of the dense network. The last one is never 1 and stands for none."""
    squares, window = shape.rows * shape.cols, WINDOW * WINDOW
    return (4 * squares + 3 * window if shape.static else 2 * squares + window) + 1


def sizes(shape: Shape) -> dict[str, tuple[int, ...]]:
    """The arrays of a network: weights are (inputs, outputs), of convolutions (offset, inputs, outputs)."""
    layers: dict[str, tuple[int, ...]]
    if shape.kind == "dense":
        first, second = shape.hidden
        layers = {"hidden1": (inputs(shape), first), "hidden2": (first, second), "advantage": (second, shape.actions)}
        if shape.dueling:
            layers["value"] = (shape.hidden[1], 1)
    else:
        layers, before = {}, shape.planes
        for number, channels in enumerate(CONVOLUTIONS[shape.kind], 1):
            layers[f"conv{number}"] = (9, before, channels)
            before = channels
        before *= shape.rows * shape.cols
        for number, units in enumerate((*UNITS[shape.kind], shape.actions), 1):
            layers[f"linear{number}"] = (before, units)
            before = units
    found: dict[str, tuple[int, ...]] = {}
    for name, size in layers.items():
        found[f"{name}.weight"] = size
        found[f"{name}.bias"] = (size[-1],)
    return found


def coarse(shape: Shape) -> frozenset[str]:
    """Arrays too large for 16 bits in a file of 4 MB: they are kept with 8."""
    return frozenset(name for name, size in sizes(shape).items() if math.prod(size) > 1_000_000)


def board_of(shape: Shape) -> str:
    """The board of its models: '9x11', or '9x11 push & pull'."""
    return f"{shape.rows}x{shape.cols}" + " push & pull" * shape.pull


def name_of(shape: Shape) -> str:
    """The network in the words of a header."""
    board = board_of(shape)
    if shape.kind != "dense":
        return f"{shape.kind}, {shape.planes} planes, {board}"
    words = ["dueling"] * shape.dueling + ["walls"] * shape.static
    return f"dense {shape.hidden[0]}+{shape.hidden[1]}{''.join(' ' + word for word in words)}, {board}"


_NAME = re.compile(
    r"(?:dense (\d{1,4})\+(\d{1,4})( dueling)?( walls)?|(dense-only|report|deeper), ([17]) planes)"
    r", (\d{1,2})x(\d{1,2})( push & pull)?"
)


def parse(text: str) -> Shape:
    """What `name_of` wrote; raises ValueError."""
    match = _NAME.fullmatch(text)
    if match is None:
        raise ValueError(text)
    first, second, dueling, static, kind, planes, rows, cols, pull = match.groups()
    board = (int(rows), int(cols), pull is not None)
    if not (3 <= board[0] <= 64 and 3 <= board[1] <= 64):
        raise ValueError(text)
    if kind is not None:
        return Shape(kind, *board, planes=int(planes))
    hidden = (int(first), int(second))
    if not (1 <= hidden[0] <= 1024 and 1 <= hidden[1] <= 1024):
        raise ValueError(text)
    return Shape("dense", *board, hidden, dueling is not None, static is not None)
