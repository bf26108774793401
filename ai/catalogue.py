"""The single list of agents and trainers: id, game, parameters with bounds, whether it needs a model.

The window's forms, the command line and the docs are generated from it; nothing lists agents twice. An agent is
written `ID[:MODEL][,K=V…]`, e.g. `alphabeta,time=0.5`. The class behind an entry is imported when it is made.
"""

from typing import Any

from ai import models
from ai.agent import Agent
from ai.entries import CatalogueError, Entry, Spec, Trainer, Value
from ai.family import Opponent, families, family
from ai.models import ModelCard
from game.rules.games import GAMES

ENTRIES: tuple[Entry, ...] = tuple(entry for each in families().values() for entry in each.agents)
TRAINERS: tuple[Trainer, ...] = tuple(trainer for each in families().values() for trainer in each.trainers)


def entries(game: str) -> tuple[Entry, ...]:
    """The agents of one game, in the order people see them."""
    return tuple(entry for entry in ENTRIES if entry.game == game)


def entry(game: str, agent_id: str) -> Entry:
    """One agent of one game; raises CatalogueError listing those that exist."""
    for candidate in entries(game):
        if candidate.id == agent_id:
            return candidate
    known = ", ".join(candidate.id for candidate in entries(game))
    raise CatalogueError(f"there is no agent {agent_id!r} for {GAMES[game].title} (there are: {known})")


def parse(game: str, text: str) -> Spec:
    """The agent written `ID[:MODEL][,K=V…]`, checked; raises CatalogueError."""
    head, *rest = text.split(",")
    agent_id, _, model = head.partition(":")
    found = entry(game, agent_id.strip())
    if found.needs_model and not model:
        raise CatalogueError(f"agent {found.id!r} needs a model: write {found.id}:MODEL")
    if model and not found.takes_model:
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
    raise CatalogueError(f"no training of {agent_id!r} for {GAMES[game].title} (there are: {known})")


def model_cards(entry: Entry, state: Any = None) -> list[ModelCard]:
    """The models that the agent can use, on the board of `state` where one is given."""
    return [
        card
        for card in models.listing()
        if card.refusal(entry.game, entry.model_agent, card.board if state is None else entry.board(state)) is None
    ]


def default_spec(game: str, agent_id: str, state: Any) -> Spec:
    """The agent with its default settings and, if it needs one, the strongest model that fits the board of `state`."""
    found = entry(game, agent_id)
    cards = model_cards(found, state) if found.needs_model else []
    return Spec(agent_id, model=max(cards, key=_measured).name if cards else None)


def _measured(card: ModelCard) -> float:
    """The best that a model has reached in its measurements, 0 without any."""
    return max((strength.mean for strength in card.strength.values()), default=0.0)


def strongest(game: str, state: Any) -> Spec:
    """Who plays the board of `state` where nobody was chosen: the first of the game's strongest that can, with its best model."""
    return strongest_first(game, state)[0]


def strongest_first(game: str, state: Any) -> list[Spec]:
    """The game's strongest agents that can play the board of `state`, each with its best model; never empty."""
    *others, last = family(game).strongest
    found = []
    for spec in others:
        agent = entry(game, spec.id)
        if why_not(game, spec, state) is None and not (agent.finds_model and not model_cards(agent, state)):
            found.append(Spec(spec.id, spec.settings, default_spec(game, spec.id, state).model))
    return [*found, last]


def opponents(game: str) -> tuple[Opponent, ...]:
    """The named opponents of one game, from weakest to strongest; of solvers in the order people see them."""
    return family(game).opponents


def opponent(game: str, chosen: Opponent, state: Any) -> Spec:
    """Who plays for a named opponent on the board of `state`: its agent, who takes its place, or else the strongest."""
    for text in filter(None, (chosen.agent, chosen.elsewhere)):
        spec = parse(game, text)
        if why_not(game, spec, state) is None:
            return spec
    return strongest(game, state)


def stand_in(game: str, spec: Spec, state: Any) -> Spec | None:
    """Who plays the board of `state` when `spec` cannot; None when it can.

    The same agent as it is set, with the strongest model that fits, or where there is none the strongest agent.
    """
    if why_not(game, spec, state) is None:
        return None
    fitting = default_spec(game, spec.id, state)
    found_none = fitting.model is None and spec.model is not None and entry(game, spec.id).needs_model
    if why_not(game, fitting, state) is None and not found_none:
        return Spec(spec.id, spec.settings, fitting.model)
    return strongest(game, state)


def why_not(game: str, spec: Spec, state: Any) -> str | None:
    """Why the agent cannot play this state's board with its model, in one sentence, or None when it can.

    Without a model in `spec`: None when any model fits.
    """
    found = entry(game, spec.id)
    reason = found.plays(state)
    if reason is not None or not found.takes_model:
        return reason
    if spec.model is None:
        missing = found.needs_model and not model_cards(found, state)
        return f"there is no model for {found.board(state) or 'it'}" if missing else None
    try:
        return _model(found, spec).refusal(game, found.model_agent, found.board(state))
    except CatalogueError as error:
        return str(error)


def _model(entry: Entry, spec: Spec) -> ModelCard:
    """The card of the model that `spec` names; raises CatalogueError where there is none."""
    if spec.model is None:
        raise CatalogueError(f"agent {entry.id!r} needs a model: write {entry.id}:MODEL")
    path = models.find(spec.model)
    if path is None:
        known = ", ".join(card.name for card in model_cards(entry)) or "none"
        raise CatalogueError(f"there is no model {spec.model!r} for {GAMES[entry.game].title} (there are: {known})")
    return models.card(path)


def create(game: str, spec: Spec) -> Agent[Any]:
    """Make the agent with its settings, defaults filled in. Imports numba: call it off the drawing thread.

    Raises:
        CatalogueError: when the spec names no agent, parameter, value or model that exists.
        ModelError: when the model's file cannot be used.
    """
    found = entry(game, spec.id)
    settings: dict[str, Any] = {name: found.parameter(name).check(value) for name, value in spec.settings.items()}
    if found.needs_model or (found.takes_model and spec.model is not None):
        card = _model(found, spec)
        reason = card.refusal(game, found.model_agent, card.board)
        if reason is not None:
            raise CatalogueError(reason)
        settings["model"] = card.path
    made: Agent[Any] = found.make(settings)
    return made
