"""The settings: one table that the settings screen and the docs are made from, and the record that is saved.

A field of `Settings` with a `Setting` beside its type is one that people change; the others are what the window
remembers by itself. A value out of range is replaced by its default, with a sentence; unknown names are left out.
"""

import typing
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import msgspec

from game.rules.game import PERSON
from game.saves.files import DamagedFile, clean, newest, put_away, read_bytes
from game.saves.folder import Saves
from game.saves.writer import Writer

Value = bool | int | float | str

VERSION = 1
MAX_SEATS = 200
MAX_REMEMBERED = 200
MAX_SPEC = 500
"""Characters in the text of one agent's spec."""


class SettingError(ValueError):
    """A value that a setting cannot have; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What people see of one setting. `name`, `kind`, `choices` and `default` come from its field."""

    title: str
    section: str
    help: str
    min: float = 0.0
    max: float = 0.0
    step: float = 0.0
    unit: str = ""
    labels: tuple[str, ...] = ()
    """Words for the choices, in their order; the choices themselves when empty."""
    name: str = ""
    kind: Literal["bool", "choice", "number"] = "bool"
    choices: tuple[str, ...] = ()
    default: Value = False

    def checked(self, value: object) -> Value:
        """`value` when the setting can have it (a number is rounded to the step); raises SettingError."""
        if self.kind == "bool" and isinstance(value, bool):
            return value
        if self.kind == "choice" and isinstance(value, str) and value in self.choices:
            return value
        number = value if isinstance(value, int | float) and not isinstance(value, bool) else None
        if self.kind == "number" and number is not None and self.min <= number <= self.max:
            rounded = min(self.min + round((number - self.min) / self.step) * self.step, self.max)
            return int(rounded) if isinstance(self.default, int) else round(rounded, 6)
        raise SettingError(f"{self.title}: {_shown(value)} is not {self.allowed()}.")

    def allowed(self) -> str:
        """What it may be, in words."""
        if self.kind == "bool":
            return "true or false"
        if self.kind == "choice":
            return "one of " + ", ".join(self.choices)
        return f"a number from {self.min:g} to {self.max:g}"


class Window(msgspec.Struct, frozen=True):
    """Where the window stood: top left corner on the desktop and size, in pixels. Check that the screen exists."""

    x: Annotated[int, msgspec.Meta(ge=-32768, le=32767)]
    y: Annotated[int, msgspec.Meta(ge=-32768, le=32767)]
    w: Annotated[int, msgspec.Meta(ge=320, le=16384)]
    h: Annotated[int, msgspec.Meta(ge=240, le=16384)]


Seats = Annotated[
    dict[Annotated[str, msgspec.Meta(max_length=80)], Annotated[str, msgspec.Meta(max_length=MAX_SPEC)]],
    msgspec.Meta(max_length=MAX_SEATS),
]


_Name = Annotated[str, msgspec.Meta(max_length=80)]
_Word = Annotated[str, msgspec.Meta(max_length=MAX_SPEC)]
Remembered = Annotated[dict[_Name, bool | int | float | _Word], msgspec.Meta(max_length=MAX_REMEMBERED)]


class Settings(msgspec.Struct, frozen=True):
    """What is set. Change it with `changed`, which checks."""

    version: int = VERSION
    theme: Annotated[Literal["dark", "light"], Setting("Theme", "Looks", "Dark or light colours.")] = "dark"
    ui_scale: Annotated[
        float, Setting("Size of text and buttons", "Looks", "Everything larger or smaller.", 0.8, 2.0, 0.1)
    ] = 1.0
    animation: Annotated[
        Literal["smooth", "instant"],
        Setting("Animation", "Looks", "Smooth or at once."),
    ] = "smooth"
    fullscreen: Annotated[bool, Setting("Full screen", "Looks", "Fill the whole screen (F11).")] = False
    volume: Annotated[int, Setting("Volume", "Sound", "How loud sounds are.", 0, 100, 5, "%")] = 70
    mute: Annotated[bool, Setting("Mute", "Sound", "Play no sounds.")] = False
    show_values: Annotated[bool, Setting("Show what agents think", "Boards", "Values and plans on the board.")] = True
    show_stuck: Annotated[bool, Setting("Mark stuck boxes", "Boards", "Boxes that can never reach a target.")] = True
    wheel_undoes: Annotated[
        bool,
        Setting("Wheel takes moves back", "Boards", "Also without Ctrl."),
    ] = False
    window: Window | None = None
    """None until the window was moved or resized."""
    seats: Seats = {}
    """'game/seat' -> the text of the spec chosen there, or 'person'."""
    remembered: Remembered = {}
    """'screen/what' -> how somebody left it, e.g. a game's speed; the screen checks it."""


def _table() -> tuple[Setting, ...]:
    hints = typing.get_type_hints(Settings, include_extras=True)
    table = []
    for field in msgspec.structs.fields(Settings):
        marks = [mark for mark in getattr(hints[field.name], "__metadata__", ()) if isinstance(mark, Setting)]
        if not marks:
            continue
        inner = typing.get_args(hints[field.name])[0]
        choices = tuple(str(choice) for choice in typing.get_args(inner))
        kind: Literal["bool", "choice", "number"] = "choice" if choices else "bool" if inner is bool else "number"
        row = replace(marks[0], name=field.name, kind=kind, choices=choices, default=field.default)
        table.append(replace(row, labels=row.labels or choices))
    return tuple(table)


SETTINGS: tuple[Setting, ...] = _table()
"""What people can set, in the order they see it, grouped by section."""


def setting(name: str) -> Setting:
    """The row of that name; raises KeyError."""
    return {row.name: row for row in SETTINGS}[name]


def changed(settings: Settings, name: str, value: object) -> Settings:
    """A copy with one setting of the table changed; raises SettingError on a value it cannot have."""
    return msgspec.structs.replace(settings, **{name: setting(name).checked(value)})


def with_seat(settings: Settings, game: str, seat: int, spec: str) -> Settings:
    """A copy that remembers who sits at a seat (from 0) of a game."""
    seats = newest(settings.seats, f"{game}/{seat}", clean(spec, MAX_SPEC), MAX_SEATS)
    return msgspec.structs.replace(settings, seats=seats)


def seat_spec(settings: Settings, game: str, seat: int) -> str:
    """Who sat there last: 'person' or the text of a spec, which the catalogue must still check."""
    return settings.seats.get(f"{game}/{seat}", PERSON)


def with_remembered(settings: Settings, name: str, value: Value) -> Settings:
    """A copy in which a screen remembers a value under a name such as 'twenty48/speed'."""
    kept = clean(value, MAX_SPEC) if isinstance(value, str) else value
    return msgspec.structs.replace(settings, remembered=newest(settings.remembered, name, kept, MAX_REMEMBERED))


def with_window(settings: Settings, x: int, y: int, w: int, h: int) -> Settings:
    """A copy that remembers the window's place; one that is out of any range changes nothing."""
    try:
        window = msgspec.convert({"x": x, "y": y, "w": w, "h": h}, Window)
    except msgspec.ValidationError:
        return settings
    return msgspec.structs.replace(settings, window=window)


def load(saves: Saves) -> tuple[Settings, tuple[str, ...]]:
    """The saved settings and sentences about what could not be used. Never raises."""
    try:
        data = read_bytes(saves.settings, 1_000_000)
        try:
            found = msgspec.json.decode(data, type=dict[str, Any])
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            raise DamagedFile(saves.settings, str(error)) from None
        if found.get("version") != VERSION or isinstance(found["version"], bool):
            raise DamagedFile(saves.settings, f"it is not of version {VERSION}")
    except FileNotFoundError:
        return Settings(), ()
    except DamagedFile as error:
        return Settings(), (put_away(saves, error),)
    return _from_fields(found)


def _from_fields(found: dict[str, Any]) -> tuple[Settings, tuple[str, ...]]:
    rows = {row.name: row for row in SETTINGS}
    hints = typing.get_type_hints(Settings, include_extras=True)
    good: dict[str, Any] = {}
    notices = []
    for name in hints.keys() & found.keys():
        try:
            row = rows.get(name)
            good[name] = row.checked(found[name]) if row else msgspec.convert(found[name], hints[name])
        except SettingError as error:
            notices.append(f"{error} The default is used.")
        except msgspec.ValidationError as error:
            notices.append(f"Setting {name!r} cannot be used ({error}). The default is used.")
    return Settings(**good), tuple(sorted(notices))


def save(settings: Settings, saves: Saves, writer: Writer) -> None:
    """Write the settings soon."""
    writer.put(saves.settings, msgspec.json.format(msgspec.json.encode(settings)) + b"\n")


def _shown(value: object) -> str:
    return repr(value)[:40] if isinstance(value, str | bool | float) else type(value).__name__
