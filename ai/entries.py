"""What the catalogue says of agents and trainers: their parameters, with bounds, and how a chosen one is written."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from typing_extensions import override

Value = int | float | str | bool
ParameterType = Literal["int", "float", "choice", "bool", "text"]
Values = Literal["rating", "reward and rating", "points"]


MAX_TEXT = 200


class CatalogueError(ValueError):
    """An agent, parameter or value that does not exist; the message is one clear line for people."""


def named(text: str) -> Callable[..., Any]:
    """What 'module:name' names; its module is imported."""
    module, _, name = text.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found


@dataclass(frozen=True, slots=True)
class Parameter:
    """One setting of an agent: what it is called, what it may be, and one line of help."""

    name: str
    title: str
    type: ParameterType
    default: Value
    help: str
    min: float | None = None
    max: float | None = None
    choices: tuple[str, ...] = ()
    unit: str = ""
    advanced: bool = False
    """Seldom changed: forms show it only when asked for more."""
    field: str = ""
    """What the class that takes it calls it, where that is another word."""

    def parse(self, text: str) -> Value:
        """The value written as `text`; raises CatalogueError with the allowed range."""
        try:
            value: Value
            if self.type == "int":
                value = int(text)
            elif self.type == "float":
                value = float(text)
            elif self.type == "bool":
                value = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}[text.lower()]
            else:
                value = text
        except (ValueError, KeyError):
            raise CatalogueError(f"{self.name}={text}: expected {self.describe()}") from None
        return self.check(value)

    def check(self, value: Value) -> Value:
        """`value` itself when it is allowed; raises CatalogueError otherwise."""
        if self.type == "choice":
            good = value in self.choices
        elif self.type == "text":
            good = isinstance(value, str) and len(value) <= MAX_TEXT
        elif self.type == "bool":
            good = isinstance(value, bool)
        else:
            number = value if isinstance(value, int | float) and not isinstance(value, bool) else None
            good = number is not None and (self.type == "float" or isinstance(number, int))
            good = good and number is not None and number == number
            good = good and (self.min is None or (number is not None and number >= self.min))
            good = good and (self.max is None or (number is not None and number <= self.max))
        if not good:
            raise CatalogueError(f"{self.name}={value}: expected {self.describe()}")
        return value

    def describe(self) -> str:
        """What is allowed, in words: 'a whole number from 1 to 6'."""
        if self.type == "choice":
            return "one of " + ", ".join(self.choices)
        if self.type == "bool":
            return "true or false"
        if self.type == "text":
            return f"a text of at most {MAX_TEXT} characters"
        kind = "a whole number" if self.type == "int" else "a number"
        return (
            f"{kind} from {self.min:,.12g} to {self.max:,.12g}"
            if self.min is not None and self.max is not None
            else kind
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """One agent of the catalogue."""

    id: str
    title: str
    summary: str
    factory: str
    """'module:Class'; the class takes the parameters as keyword arguments, and `model`, a path, if it needs one."""
    parameters: tuple[Parameter, ...] = ()
    needs_model: bool = False
    borrows: str = ""
    """The agent whose models it is given, where they are not its own."""
    loader: str = ""
    """'module:function' that loads a model of its own from a path, and raises ModelError; where there are such models."""
    made_of: str = "Made of"
    """What cards of its models call what their headers list as shapes."""
    measured_with: Mapping[str, Value] = field(default_factory=dict)
    """How it is set while a model of its own is measured, where that is not as usual."""
    finds_model: bool = False
    """Whether it finds its model by itself, is told of none, and plays well only on boards that there is one for."""
    values: Values = "rating"
    """What its value of an action is: a number good for comparing only; the action's reward and such a number; or the
    reward and all that it expects after it, in points of the game's score."""
    points_with: tuple[str, Value] | None = None
    """(parameter, value) with which its values are points instead."""
    plays: Callable[[Any], str | None] = field(default=lambda _state: None)
    """Why the agent cannot play this state's board with any model, in one sentence, or None when it can."""
    board: Callable[[Any], str] = field(default=lambda _state: "")
    """What the headers of models call the board of a state; '' where the agent's models play boards of any size."""
    game: str = ""
    """The game of its family, which fills it in."""

    def parameter(self, name: str) -> Parameter:
        """The parameter of that name; raises CatalogueError listing those that exist."""
        return _parameter(f"agent {self.id!r}", self.parameters, name)

    @property
    def takes_model(self) -> bool:
        """Whether a model may be named."""
        return self.needs_model or bool(self.borrows)

    @property
    def model_agent(self) -> str:
        """The agent that its models are made for."""
        return self.borrows or self.id

    def values_of(self, spec: "Spec") -> Values:
        """What the values are of the agent as it is set."""
        if self.points_with is None:
            return self.values
        name, value = self.points_with
        return "points" if spec.settings.get(name, self.parameter(name).default) == value else self.values

    def make(self, settings: Mapping[str, Any]) -> Any:
        """The agent with these settings, all of them allowed, and defaults for the others."""
        told: dict[str, Any] = {each.name: each.default for each in self.parameters} | dict(settings)
        words = {each.name: each.field for each in self.parameters if each.field}
        return named(self.factory)(**{words.get(name, name): value for name, value in told.items()})

    @property
    def most_plies(self) -> int:
        """Own moves that it can look ahead: at most what its parameter `plies` allows, 1 where it has none."""
        return next((int(each.max or 1) for each in self.parameters if each.name == "plies"), 1)

    def looking(self, plies: int, model: str) -> "Spec":
        """The agent with a model, looking so many own moves ahead; raises CatalogueError where it cannot."""
        if plies > self.most_plies:
            moves = "one move" if self.most_plies == 1 else f"{self.most_plies} moves"
            raise CatalogueError(f"agent {self.id!r} looks at most {moves} ahead")
        has_plies = any(each.name == "plies" for each in self.parameters)
        return Spec(self.id, {"plies": plies} if has_plies else {}, model)


@dataclass(frozen=True, slots=True)
class Figure:
    """How a figure of a training is shown."""

    title: str = ""
    """'' for its name with spaces."""
    scale: Literal["number", "share", "count"] = "number"
    """A share goes from 0 to 100 %; a count only says how much was done, as a number and not as a curve."""
    words: str = ""
    """What the bar of the command line says of it, a format of its value; '' where the bar leaves it out."""


COUNT, SHARE = Figure(scale="count"), Figure(scale="share")


@dataclass(frozen=True, slots=True)
class Trainer:
    """One way to train an agent's models."""

    id: str
    """Of the agent."""
    title: str
    summary: str
    factory: str
    """'module:Class'; the class takes (settings, seed, checkpoint) and is an `ai.training.Training`."""
    parameters: tuple[Parameter, ...] = ()
    from_models: bool = False
    """Whether a model does where its checkpoint is gone."""
    needs_torch: bool = False
    figures: Mapping[str, Figure] = field(default_factory=dict)
    """By the names that its `figures()` gives them, in the order in which the bar says them; others are plain numbers."""
    warm: str = ""
    """Module whose `warm()` calls the kernels that only this training uses once; where it has such."""
    game: str = ""
    """The game of its family, which fills it in."""

    def figure(self, name: str) -> Figure:
        """How a figure is shown: 'Mean score' for `mean_score` where nothing else is said."""
        found = self.figures.get(name, Figure())
        return (
            found
            if found.title
            else replace(found, title=name.replace("_per_second", "/s").replace("_", " ").capitalize())
        )

    def begin(self, settings: Mapping[str, Any], seed: int, checkpoint: Path | None = None) -> Any:
        """The training with these settings, or as it goes on from a checkpoint; raises what it says is wrong with them."""
        return named(self.factory)(settings, seed, checkpoint)

    def parameter(self, name: str) -> Parameter:
        """The setting of that name; raises CatalogueError listing those that exist."""
        return _parameter(f"the training of {self.id!r}", self.parameters, name)


def _parameter(whose: str, parameters: tuple[Parameter, ...], name: str) -> Parameter:
    for parameter in parameters:
        if parameter.name == name:
            return parameter
    known = ", ".join(p.name for p in parameters) or "none"
    raise CatalogueError(f"{whose} has no parameter {name!r} (it has: {known})")


@dataclass(frozen=True, slots=True)
class Spec:
    """An agent with its settings, as written on the command line or chosen in the panel."""

    id: str
    settings: Mapping[str, Value] = field(default_factory=dict)
    model: str | None = None

    @override
    def __str__(self) -> str:
        head = f"{self.id}:{self.model}" if self.model else self.id
        return ",".join([head, *(f"{key}={value}" for key, value in self.settings.items())])
