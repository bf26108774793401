"""The panel's form for an agent's parameters, generated from the catalogue."""

from ai.catalogue import Parameter, Spec, Value, entry

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
    ladder = [mantissa * 10.0**power for power in range(-3, 10) for mantissa in _MANTISSAS]
    slack = 1e-9
    if by > 0:
        new = next((rung for rung in ladder if rung > value * (1 + slack)), value)
    else:
        new = next((rung for rung in reversed(ladder) if rung < value * (1 - slack)), value)
    new = min(high, max(low, new))
    return int(new) if parameter.type == "int" else float(f"{new:.6g}")


def with_value(spec: Spec, name: str, value: Value) -> Spec:
    """The same agent with one setting changed."""
    return Spec(spec.id, {**spec.settings, name: value}, spec.model)
