"""The panel's form for an agent's parameters and its model, generated from the catalogue."""

from typing import Any

from ai import models
from ai.catalogue import entry, model_cards
from ai.entries import Entry, Parameter, Spec, Value
from ai.models import ModelCard
from game.screens.models.words import board_words, points, strongest, view
from game.ui.select import Option

_MANTISSAS = (1, 2, 5)


def value_of(game: str, spec: Spec, name: str) -> Value:
    """The setting in force: the one chosen, or the default."""
    return spec.settings.get(name, entry(game, spec.id).parameter(name).default)


def shown(parameter: Parameter, value: Value) -> str:
    """The value as the form writes it: `1 s`, `5 M`, `on`."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, str):
        return value
    number = (
        f"{value / 1_000_000:g} M" if value >= 1_000_000 else f"{value:,.6g}" if value >= 10_000 else f"{value:g}"
    )
    return f"{number} {parameter.unit}".strip()


def stepped(parameter: Parameter, value: Value, by: int) -> Value:
    """The next value up (+1) or down (-1): neighbours for small whole numbers, 1-2-5 steps for the rest."""
    if parameter.type == "bool":
        return not value
    if parameter.type == "choice":
        at = (parameter.choices.index(str(value)) + by) % len(parameter.choices)
        return parameter.choices[at]
    assert not isinstance(value, str)
    low = parameter.min if parameter.min is not None else 0.0
    high = parameter.max if parameter.max is not None else float("inf")
    if parameter.type == "int" and high - low <= 100:
        return int(min(high, max(low, value + by)))
    first = 0 if parameter.type == "int" or high >= 1000 else -7 if 0 < low < 0.001 else -3
    ladder = [mantissa * 10.0**power for power in range(first, 10) for mantissa in _MANTISSAS]
    slack = 1e-9
    if by > 0:
        new = next((rung for rung in ladder if rung > value * (1 + slack)), value)
    else:
        new = next((rung for rung in reversed(ladder) if rung < value * (1 - slack)), low)
    new = min(high, max(low, new))
    return int(new) if parameter.type == "int" else float(f"{new:.6g}")


def with_value(spec: Spec, name: str, value: Value) -> Spec:
    """The same agent with one setting changed."""
    return Spec(spec.id, {**spec.settings, name: value}, spec.model)


def asks_model(agent: Entry, state: Any) -> bool:
    """Whether there is a model to choose: it needs one, or could be given one on this board."""
    return agent.needs_model or (agent.takes_model and bool(model_cards(agent, state)))


def with_model(spec: Spec, name: str) -> Spec:
    """The same agent with the model of that name, or with none."""
    return Spec(spec.id, spec.settings, name or None)


def _strength(card: ModelCard) -> str:
    """How strong a model is, in words: '41,203 ± 310 at 1-ply, 1,000 games'."""
    best = strongest(card)
    if best is None:
        return "Not measured yet"
    plies, strength = best
    tried = view(card).tried(card.agent, strength.games)
    return view(card).strength(points(strength), plies, tried)


def model_options(agent: Entry, spec: Spec, state: Any) -> list[Option]:
    """The agent's models for a list: those that fit the board first, then the others with the reason."""
    board = agent.board(state)
    fitting, others = [], []
    for card in models.listing():
        if card.problem is not None:
            others.append(Option(card.name, card.name, reason=f"Cannot be used: {card.problem}"))
        elif (card.game, card.agent) == (agent.game, agent.model_agent) and board not in ("", card.board):
            others.append(Option(card.name, card.name, reason=f"Plays boards of {board_words(card)} only"))
        elif (card.game, card.agent) == (agent.game, agent.model_agent):
            fitting.append(Option(card.name, card.name, _strength(card)))
    without = [] if agent.needs_model else [Option("", "No model", "Plays by itself")]
    found = [*without, *fitting, *others]
    if not any(option.id == (spec.model or "") for option in found):
        missing = "It is no longer there" if spec.model else "There is no model for this board"
        found.insert(0, Option(spec.model or "", spec.model or "No model", reason=missing))
    return found
