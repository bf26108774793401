"""The single list of agents and trainers: id, game, parameters with bounds, whether it needs a model.

The window's forms, the command line and the docs are generated from it; nothing lists agents twice. An agent is
written `ID[:MODEL][,K=V…]`, e.g. `alphabeta,time=0.5`. The class behind an entry is imported when it is made.
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ai import models
from ai.agent import Agent
from ai.models import ModelCard

Value = int | float | str | bool
ParameterType = Literal["int", "float", "choice", "bool", "text"]
Values = Literal["rating", "reward and rating", "points"]


MAX_TEXT = 200


class CatalogueError(ValueError):
    """An agent, parameter or value that does not exist; the message is one clear line for people."""


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
    game: str
    title: str
    summary: str
    factory: str
    """'module:Class'; the class takes the parameters as keyword arguments, and `model`, a path, if it needs one."""
    parameters: tuple[Parameter, ...] = ()
    needs_model: bool = False
    values: Values = "rating"
    """What its value of an action is: a number good for comparing only; the action's reward and such a number; or the
    reward and all that it expects after it, in points of the game's score."""
    points_with: tuple[str, Value] | None = None
    """(parameter, value) with which its values are points instead."""
    plays: Callable[[Any], str | None] = field(default=lambda _state: None)
    """Why the agent cannot play this state's board with any model, in one sentence, or None when it can."""
    board: Callable[[Any], str] = field(default=lambda _state: "")
    """What the headers of models call the board of a state."""

    def parameter(self, name: str) -> Parameter:
        """The parameter of that name; raises CatalogueError listing those that exist."""
        return _parameter(f"agent {self.id!r}", self.parameters, name)

    def values_of(self, spec: "Spec") -> Values:
        """What the values are of the agent as it is set."""
        if self.points_with is None:
            return self.values
        name, value = self.points_with
        return "points" if spec.settings.get(name, self.parameter(name).default) == value else self.values

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
class Trainer:
    """One way to train an agent's models."""

    id: str
    """Of the agent."""
    game: str
    title: str
    summary: str
    factory: str
    """'module:Class'; the class takes (settings, seed, checkpoint) and is an `ai.trainers.Training`."""
    parameters: tuple[Parameter, ...] = ()

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

    def __str__(self) -> str:
        head = f"{self.id}:{self.model}" if self.model else self.id
        return ",".join([head, *(f"{key}={value}" for key, value in self.settings.items())])


_TIME = Parameter("time", "Time", "float", 1.0, "Seconds for one move.", 0.01, 600.0, unit="s")

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "astar",
        "sokoban",
        "A* solver",
        "Finds a solution with the fewest pushes.",
        "ai.sokoban.astar:AStar",
        (
            Parameter("time", "Time", "float", 60.0, "Seconds before it gives up.", 0.1, 3600.0, unit="s"),
            Parameter("nodes", "Nodes", "int", 50_000_000, "Positions before it gives up.", 1000, 50_000_000),
        ),
    ),
    Entry(
        "expectimax",
        "twenty48",
        "Expectimax",
        "Looks ahead over moves and spawns with a hand-made evaluation.",
        "ai.twenty48.expectimax:Expectimax",
        (Parameter("depth", "Depth", "int", 4, "Own moves looked ahead at most.", 1, 5),),
    ),
    Entry(
        "ntuple",
        "twenty48",
        "N-tuple network",
        "Plays by values learned from many games.",
        "ai.twenty48.ntuple_agent:NTuple",
        (
            Parameter("plies", "Plies", "int", 1, "Own moves looked ahead.", 1, 5),
            Parameter(
                "time",
                "Time",
                "float",
                0.0,
                "Instead of plies: as deep as so many seconds allow, 0 for no time.",
                0.0,
                600.0,
                unit="s",
                advanced=True,
            ),
            Parameter(
                "empties",
                "Crowded",
                "int",
                0,
                "One ply more with at most so many empty cells.",
                0,
                16,
                advanced=True,
            ),
        ),
        needs_model=True,
        values="points",
        board=lambda state: f"{state.size}x{state.size}",
    ),
    Entry(
        "ntuple-report",
        "twenty48",
        "Report's n-tuple network",
        "The network of the report this project grew from, one move ahead.",
        "ai.twenty48.report_agent:NTupleReport",
        needs_model=True,
        values="reward and rating",
        board=lambda state: f"{state.size}x{state.size}",
    ),
    Entry(
        "mcts",
        "twenty48",
        "Monte-Carlo search",
        "Plays many games on from the position and looks deeper where they go well.",
        "ai.twenty48.mcts:Mcts",
        (
            Parameter("simulations", "Simulations", "int", 2_000, "For one move at most.", 10, 10_000_000),
            _TIME,
            Parameter(
                "rollout", "Rollout", "int", 5, "Moves played on from a leaf at most.", 0, 1_000, advanced=True
            ),
            Parameter(
                "policy",
                "Rollouts by",
                "choice",
                "evaluation",
                "How rollouts choose their moves.",
                choices=("evaluation", "greedy", "random"),
                advanced=True,
            ),
            Parameter(
                "value",
                "Worth",
                "choice",
                "evaluation",
                "What counts after a rollout: the board, or points made.",
                choices=("evaluation", "score"),
                advanced=True,
            ),
            Parameter(
                "exploration",
                "Exploration",
                "float",
                2.0,
                "How much moves seldom tried count.",
                0.0,
                100.0,
                advanced=True,
            ),
        ),
        points_with=("value", "score"),
    ),
    Entry("greedy", "twenty48", "Greedy", "The largest reward at once.", "ai.twenty48.baselines:GreedyAgent"),
    Entry("random", "twenty48", "Random", "Any legal move.", "ai.twenty48.baselines:RandomAgent"),
    Entry(
        "alphabeta",
        "connect4",
        "Alpha-beta",
        "Iterative deepening; against several players it takes all others for one opponent.",
        "ai.connect4.alphabeta:AlphaBeta",
        (
            _TIME,
            Parameter("depth", "Depth", "int", 64, "Plies at most.", 1, 64),
        ),
    ),
    Entry("random", "connect4", "Random", "Any column that is not full.", "ai.connect4.baselines:RandomAgent"),
)

RULES = ("tc", "td", "td-backward", "otd")

TRAINERS: tuple[Trainer, ...] = (
    Trainer(
        "ntuple",
        "twenty48",
        "N-tuple network",
        "Temporal difference learning of afterstate values from its own games.",
        "ai.twenty48.ntuple_training:NTupleTraining",
        (
            Parameter("size", "Size", "int", 4, "Rows of the board.", 3, 5),
            Parameter(
                "tuples",
                "Tuples",
                "text",
                "5x4",
                "5x4, 4x5, 4x6, 5x6, 8x6, or cells: '0123 4567 0145'; 4x6, 8x6 on 3×3; 6x4, 6x5 on 5×5.",
            ),
            Parameter("rule", "Rule", "choice", "tc", "What is learned from an error.", choices=RULES),
            Parameter("lam", "Lambda", "float", 0.0, "How much a later error counts for earlier moves.", 0.0, 0.85),
            Parameter("alpha", "Alpha", "float", 1.0, "Learning rate of TC.", 0.0001, 1.0),
            Parameter("td_alpha", "TD alpha", "float", 0.1, "Learning rate of TD.", 0.0001, 1.0),
            Parameter(
                "final", "Fade to", "float", 1.0, "What part of the rates is left after `fading` games.", 0.0, 1.0
            ),
            Parameter("fading", "Fading", "int", 0, "Games over which the rates fade, 0 for never.", 0, 10**9),
            Parameter(
                "optimistic", "First value", "float", 0.0, "What every board is worth at first.", 0.0, 10_000_000.0
            ),
            Parameter("td_share", "TD share", "float", 0.9, "Part of the games that otd learns by TD.", 0.0, 1.0),
            Parameter(
                "stages", "Stages", "text", "", "Sums of all tiles at which later stages begin: '16384 24576'."
            ),
            Parameter("restart", "Restart", "bool", False, "Play on from the middle of games until they are short."),
            Parameter("carousel", "Carousel", "bool", False, "Begin every stage as often as the first."),
            Parameter("games", "Games", "int", 0, "Games to play, 0 for no limit.", 0, 1_000_000_000),
            Parameter("seconds", "Time", "float", 0.0, "Seconds to learn, 0 for no limit.", 0, 10_000_000, unit="s"),
            Parameter("threads", "Threads", "int", 1, "More than one: faster, but never twice the same.", 1, 64),
        ),
    ),
    Trainer(
        "ntuple-report",
        "twenty48",
        "Report's n-tuple network",
        "The learning of the report this project grew from, or the correct rule beside it.",
        "ai.twenty48.report_training:ReportTraining",
        (
            Parameter("games", "Games", "int", 0, "Games to play, 0 for no limit.", 0, 1_000_000_000),
            Parameter("seconds", "Time", "float", 0.0, "Seconds to learn, 0 for no limit.", 0, 10_000_000, unit="s"),
            Parameter(
                "alpha", "Alpha", "float", 0.01, "Learning rate; the report tried 0.0025 to 0.05.", 0.0001, 1.0
            ),
            Parameter(
                "rule",
                "Rule",
                "choice",
                "report",
                "The report's target leaves rewards out; correct is TD(0).",
                choices=("report", "correct"),
            ),
            Parameter("symmetries", "Symmetries", "bool", True, "Look patterns up in all eight positions."),
        ),
    ),
)

GAMES: dict[str, str] = {"sokoban": "Sokoban", "twenty48": "2048", "connect4": "Connect-4"}
"""Game id -> title. On the command line 2048 is written `2048` or `twenty48`."""


def game_id(text: str) -> str:
    """The id of the game people call `text`; raises CatalogueError."""
    wanted = {"2048": "twenty48", "connect-4": "connect4"}.get(text.lower(), text.lower())
    if wanted not in GAMES:
        raise CatalogueError(f"there is no game {text!r} (sokoban, 2048, connect4)")
    return wanted


def entries(game: str) -> tuple[Entry, ...]:
    """The agents of one game, in the order people see them."""
    return tuple(entry for entry in ENTRIES if entry.game == game)


def entry(game: str, agent_id: str) -> Entry:
    """One agent of one game; raises CatalogueError listing those that exist."""
    for candidate in entries(game):
        if candidate.id == agent_id:
            return candidate
    known = ", ".join(candidate.id for candidate in entries(game))
    raise CatalogueError(f"there is no agent {agent_id!r} for {GAMES[game]} (there are: {known})")


def parse(game: str, text: str) -> Spec:
    """The agent written `ID[:MODEL][,K=V…]`, checked; raises CatalogueError."""
    head, *rest = text.split(",")
    agent_id, _, model = head.partition(":")
    found = entry(game, agent_id.strip())
    if found.needs_model and not model:
        raise CatalogueError(f"agent {found.id!r} needs a model: write {found.id}:MODEL")
    if model and not found.needs_model:
        raise CatalogueError(f"agent {found.id!r} takes no model")
    settings: dict[str, Value] = {}
    for part in rest:
        key, equals, value = part.partition("=")
        if not equals:
            raise CatalogueError(f"{part!r} in {text!r}: expected NAME=VALUE")
        settings[key.strip()] = found.parameter(key.strip()).parse(value.strip())
    return Spec(found.id, settings, model or None)


def trainer(game: str, agent_id: str) -> Trainer:
    """How models of one agent are trained; raises CatalogueError listing what can be."""
    for candidate in TRAINERS:
        if (candidate.game, candidate.id) == (game, agent_id):
            return candidate
    known = ", ".join(candidate.id for candidate in TRAINERS if candidate.game == game) or "none"
    raise CatalogueError(f"no training of {agent_id!r} for {GAMES[game]} (there are: {known})")


def model_cards(entry: Entry, state: Any = None) -> list[ModelCard]:
    """The models that the agent can use, on the board of `state` where one is given."""
    return [
        card
        for card in models.listing()
        if card.refusal(entry.game, entry.id, card.board if state is None else entry.board(state)) is None
    ]


def default_spec(game: str, agent_id: str, state: Any) -> Spec:
    """The agent with its default settings and, if it needs one, the first model that fits the board of `state`."""
    found = entry(game, agent_id)
    cards = model_cards(found, state) if found.needs_model else []
    return Spec(agent_id, model=cards[0].name if cards else None)


def stand_in(game: str, spec: Spec, state: Any, other: str) -> Spec | None:
    """Who plays the board of `state` when `spec` cannot; None when it can.

    The same agent as it is set, with the first model that fits, or the agent called `other` where there is none.
    """
    if why_not(game, spec, state) is None:
        return None
    fitting = default_spec(game, spec.id, state)
    if why_not(game, fitting, state) is None and (fitting.model is not None or spec.model is None):
        return Spec(spec.id, spec.settings, fitting.model)
    return default_spec(game, other, state)


def why_not(game: str, spec: Spec, state: Any) -> str | None:
    """Why the agent cannot play this state's board with its model, in one sentence, or None when it can.

    Without a model in `spec`: None when any model fits.
    """
    found = entry(game, spec.id)
    reason = found.plays(state)
    if reason is not None or not found.needs_model:
        return reason
    if spec.model is None:
        return None if model_cards(found, state) else f"there is no model for {found.board(state)}"
    try:
        return _model(found, spec).refusal(game, spec.id, found.board(state))
    except CatalogueError as error:
        return str(error)


def _model(entry: Entry, spec: Spec) -> ModelCard:
    """The card of the model that `spec` names; raises CatalogueError where there is none."""
    if spec.model is None:
        raise CatalogueError(f"agent {entry.id!r} needs a model: write {entry.id}:MODEL")
    path = models.find(spec.model)
    if path is None:
        known = ", ".join(card.name for card in model_cards(entry)) or "none"
        raise CatalogueError(f"there is no model {spec.model!r} for {GAMES[entry.game]} (there are: {known})")
    return models.card(path)


def create(game: str, spec: Spec) -> Agent[Any]:
    """Make the agent with its settings, defaults filled in. Imports numba: call it off the drawing thread.

    Raises:
        CatalogueError: when the spec names no agent, parameter, value or model that exists.
        ModelError: when the model's file cannot be used.
    """
    found = entry(game, spec.id)
    settings: dict[str, Any] = {parameter.name: parameter.default for parameter in found.parameters}
    for name, value in spec.settings.items():
        settings[name] = found.parameter(name).check(value)
    if found.needs_model:
        card = _model(found, spec)
        reason = card.refusal(game, found.id, card.board)
        if reason is not None:
            raise CatalogueError(reason)
        settings["model"] = card.path
    module, _, name = found.factory.partition(":")
    made: Agent[Any] = getattr(importlib.import_module(module), name)(**settings)
    return made
