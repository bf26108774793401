"""What agents and trainings are told, declared once: a dataclass whose fields say what each may be, and its help.

Forms, the command line, the check of what was typed and the headers of checkpoints and models come from these fields. A
training has an object of such a class, and an agent is a subclass of one. The class of an agent needs no kernels, so that
the catalogue can have it.
"""

from dataclasses import field, fields
from typing import Any, TypeVar

from ai.entries import Parameter, ParameterType

ValueT = TypeVar("ValueT", int, float, str, bool)

_TYPES: dict[type, ParameterType] = {int: "int", float: "float", bool: "bool", str: "text"}


def setting(
    default: ValueT,
    title: str,
    help: str,
    low: float | None = None,
    high: float | None = None,
    *,
    choices: tuple[str, ...] = (),
    unit: str = "",
    advanced: bool = False,
) -> ValueT:
    """A field that people may set; the arguments are those of `ai.entries.Parameter`."""
    said = {"title": title, "help": help, "min": low, "max": high, "choices": choices}
    found: Any = field(default=default, metadata={**said, "unit": unit, "advanced": advanced})
    value: ValueT = found  # as in the standard library, a field of a dataclass stands for its value
    return value


def move_seconds() -> float:
    """The field `time` of most agents: for one move."""
    return setting(1.0, "Time", "Seconds for one move.", 0.01, 600.0, unit="s")


def seconds_to_learn(default: float = 0.0) -> float:
    """The field `seconds` of most trainings: how long a run is; kept by whoever calls `advance`."""
    return setting(default, "Time", "Seconds to learn, 0 for no limit.", 0, 10_000_000, unit="s")


def games_to_play() -> int:
    """The field `games` of most trainings: of one run."""
    return setting(0, "Games", "Games to play, 0 for no limit.", 0, 1_000_000_000)


def parameters_of(settings: Any) -> tuple[Parameter, ...]:
    """The parameters of a class of settings: its fields that people may set, in their order.

    A field whose word means something else in Python ends in `_`, which people do not see.
    """
    found: list[Parameter] = []
    for each in fields(settings):
        if each.metadata:
            kind: Any = each.type
            default: Any = each.default
            found.append(
                Parameter(
                    each.name.removesuffix("_"),
                    field=each.name,
                    type="choice" if each.metadata["choices"] else _TYPES[kind],
                    default=default,
                    **each.metadata,
                )
            )
    return tuple(found)
