"""Where the boxes of an agent's form go: as many on a line as have room for their words, seldom used ones left out."""

from collections.abc import Sequence

from ai.entries import Entry, Parameter, Spec
from game.screens.play import parameters
from game.ui import text
from game.ui.theme import Theme

EDGES = 40
"""Units of a box beside its words: the arrows at its ends and some air."""


def shown_fields(entry: Entry, more: bool) -> tuple[Parameter, ...]:
    """The agent's parameters; those that are seldom changed only with `more`."""
    return tuple(each for each in entry.parameters if more or not each.advanced)


def has_more(entry: Entry) -> bool:
    """Whether the agent has parameters that are shown only when asked for."""
    return any(each.advanced for each in entry.parameters)


def need(theme: Theme, game: str, spec: Spec, parameter: Parameter) -> int:
    """Pixels in which the box can say everything."""
    values = (parameters.value_of(game, spec, parameter.name), parameter.default, *parameter.choices)
    widest = max(text.width(theme, parameters.shown(parameter, value)) for value in values)
    return text.width(theme, parameter.title) + widest + theme.px(EDGES)


def flow(needs: Sequence[int], wide: int, gap: int, most: int) -> list[list[tuple[int, int]]]:
    """Lines of boxes, each (left, width) in pixels, in the order of `needs`.

    A line takes boxes while each has what it needs, `most` at most. Boxes of a line are equally wide where that is
    enough for each; else they share what is left over.
    """
    groups: list[list[int]] = []
    for wanted in needs:
        line = groups[-1] if groups else None
        if line is not None and len(line) < most and sum(line) + wanted + len(line) * gap <= wide:
            line.append(wanted)
        else:
            groups.append([wanted])
    return [_shared(group, wide, gap) for group in groups]


def _shared(needs: list[int], wide: int, gap: int) -> list[tuple[int, int]]:
    room = wide - gap * (len(needs) - 1)
    equal = max(needs) <= room // len(needs)
    shares = [0 if equal else wanted for wanted in needs]
    spare = room - sum(shares)
    edges = [sum(shares[:number]) + round(spare * number / len(needs)) for number in range(len(needs) + 1)]
    return [(edges[number] + number * gap, edges[number + 1] - edges[number]) for number in range(len(needs))]
