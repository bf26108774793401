"""The form of a training: game, trainer, name, seed and every parameter that the catalogue has for it."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pygame

from ai.checkpoints import Unfinished
from ai.entries import CatalogueError, Parameter, Value
from game.rules.games import GAMES
from game.screens.lab import words
from game.screens.lab.request import LEVEL, MAX_SEED, SECONDS, Request, continued, free_name, preferred, trainers_of
from game.screens.models.shelf import MAX_NAME
from game.screens.play import parameters
from game.ui import text
from game.ui.controls import Button, Stepper
from game.ui.entry_box import EntryBox
from game.ui.kit import Kit
from game.ui.select import Option, Select
from game.ui.theme import CONTROL_HEIGHT, Colour

LENGTHS = (("One minute", 60.0), ("Ten minutes", 600.0), ("Overnight", 8 * 3600.0))
"""How long it learns, in plain words and in seconds."""
MOST = 4
"""Boxes on a line."""
GAP = 8
TEXT_ROOM, NUMBER_ROOM, MOST_ROOM = 150, 50, 300
"""Units for what is typed into a box, at least, and at most."""
AROUND = 56
"""Units of a box beside its words."""


class Form:
    """Holds the request and makes its boxes. `problem` is what was typed and is not possible, in one sentence."""

    def __init__(
        self,
        request: Request,
        folder: Path,
        changed: Callable[[bool], None],
        ask_level: Callable[[Callable[[str], object]], None],
    ) -> None:
        """`changed(whole)` is called after every change; `whole`: other boxes are needed now.

        `ask_level(take)` lets a file of levels be chosen and calls `take(path)`.
        """
        self.request, self.folder, self._changed, self._ask_level = request, folder, changed, ask_level
        self.problem = ""
        self.open = False
        """Whether name, seed and settings are shown at all."""
        self.more = False
        """Whether parameters that are seldom changed are shown as well."""
        self.page = 0
        self.pages = 1
        self._kept: dict[tuple[str, str], dict[str, Value]] = {}
        """(game, trainer) -> settings as they were left."""

    # Changes

    def take(self, request: Request) -> None:
        """Another request altogether."""
        self.request, self.problem, self.page = request, "", 0
        self._changed(True)

    def choose(self, game: str, trainer_id: str | None = None) -> None:
        """Another game or trainer, as it was left, under a free name."""
        trainer_id = trainer_id or preferred(game).id
        if (game, trainer_id) == (self.request.game, self.request.trainer_id) and self.request.going_on is None:
            return
        if self.request.going_on is None:
            self._kept[self.request.game, self.request.trainer_id] = dict(self.request.settings)
        kept = self._kept.get((game, trainer_id), {})
        self.take(Request(game, trainer_id, free_name(game, trainer_id, self.folder), kept, self.request.seed))

    def go_on_with(self, unfinished: Unfinished) -> bool:
        """Fill the form with a training that was stopped; False where this app cannot go on with it."""
        request = continued(unfinished)
        if request is not None:
            self.take(request)
        return request is not None

    def start_anew(self) -> None:
        """The same settings for a new training."""
        request = self.request
        self.take(replace(request, name=free_name(request.game, request.trainer_id, self.folder), going_on=None))

    def _set(self, parameter: Parameter, value: Value) -> str:
        settings = {name: other for name, other in self.request.settings.items() if name != parameter.name}
        if value != parameter.default:
            settings[parameter.name] = value
        self.request, self.problem = replace(self.request, settings=settings), ""
        self._changed(False)
        return words.shown(parameter, value)

    def _step(self, parameter: Parameter, by: int) -> str:
        return self._set(parameter, parameters.stepped(parameter, self.request.value(parameter.name), by))

    def _type(self, parameter: Parameter, typed: str) -> str:
        plain = typed.replace(",", "") if parameter.type in ("int", "float") else typed
        try:
            return self._set(parameter, parameter.parse(plain))
        except CatalogueError:
            self.problem = f"{parameter.title} is {parameter.describe()}, not {typed or 'nothing'}."
            self._changed(False)
            return words.shown(parameter, self.request.value(parameter.name))

    def _name(self, typed: str) -> str:
        self.request, self.problem = replace(self.request, name=" ".join(typed.split())[: MAX_NAME + 1]), ""
        self._changed(False)
        return self.request.name

    def _seed(self, typed: str) -> str:
        if typed.isascii() and typed.isdigit() and int(typed) <= MAX_SEED:
            self.request, self.problem = replace(self.request, seed=int(typed)), ""
        else:
            self.problem = f"The seed is a whole number from 0 to {MAX_SEED:,}."
        self._changed(False)
        return str(self.request.seed)

    def _step_seed(self, by: int) -> str:
        self.request = replace(self.request, seed=min(MAX_SEED, max(0, self.request.seed + by)))
        self._changed(False)
        return str(self.request.seed)

    # Boxes

    @property
    def usual_length(self) -> Parameter | None:
        """How long the training usually learns, where that can be said."""
        return next((each for each in self.request.trainer.parameters if each.name == SECONDS), None)

    def build_lengths(self, kit: Kit, rect: pygame.Rect, usual: Parameter, accent: Colour) -> None:
        """A button for what is usual, and one for each length of time."""
        own = words.shown(usual, usual.default)
        lengths = ((f"{own[:1].upper()}{own[1:]}", usual.default), *LENGTHS)
        gap = kit.theme.px(GAP)
        wide = (rect.width - gap * (len(lengths) - 1)) / len(lengths)
        for number, (label, seconds) in enumerate(lengths):
            left = rect.left + round(number * (wide + gap))
            Button(
                kit, pygame.Rect(left, rect.top, round(wide), rect.height), label, accent=accent,
                on_press=partial(self._learn_for, usual, seconds), selected=self.request.value(SECONDS) == seconds,
                tip="The usual time for this training" if number == 0 else "",
            )  # fmt: skip

    def _learn_for(self, parameter: Parameter, seconds: Value) -> None:
        self._set(parameter, seconds)
        self._changed(True)

    def build_trainer(self, kit: Kit, rect: pygame.Rect) -> None:
        """The list of the game's trainers."""
        options = [Option(each.id, each.title, each.summary) for each in trainers_of(self.request.game)]
        Select(kit, rect, options, self.request.trainer_id, on_choose=lambda chosen: self.choose(self.request.game, chosen),
               tip="How it learns")  # fmt: skip

    def build_name(self, kit: Kit, rect: pygame.Rect) -> None:
        """The name of the model."""
        box = EntryBox(kit, rect, "Name", self.request.name, plain=lambda: self.request.name, on_type=self._name,
                       tip="What the model will be called")  # fmt: skip
        box.set_enabled(self.request.going_on is None)

    def build_seed(self, kit: Kit, rect: pygame.Rect) -> None:
        """The seed."""
        box = EntryBox(kit, rect, "Seed", str(self.request.seed), plain=lambda: str(self.request.seed), on_type=self._seed,
                       on_step=self._step_seed, tip="Same seed, same settings, one thread: the same training")  # fmt: skip
        box.set_enabled(self.request.going_on is None)

    @property
    def fields(self) -> tuple[Parameter, ...]:
        """The parameters that are shown."""
        return tuple(each for each in self.request.trainer.parameters if self.more or not each.advanced)

    @property
    def has_more(self) -> bool:
        """Whether there are parameters that are shown only when asked for."""
        return any(each.advanced for each in self.request.trainer.parameters)

    def build_settings(self, kit: Kit, rect: pygame.Rect) -> None:
        """A box for each parameter, line by line; those that do not fit are on further pages."""
        gap, high = kit.theme.px(GAP), kit.theme.px(CONTROL_HEIGHT)
        fit = max(1, (rect.height + gap) // (high + gap))
        columns, places = self._grid(kit, rect.width)
        step = (rect.width + gap) / columns
        self.pages = -(-(1 + max((row for row, _, _ in places), default=0)) // fit)
        self.page = min(self.page, self.pages - 1)
        for parameter, (row, column, span) in zip(self.fields, places, strict=True):
            row -= self.page * fit
            if 0 <= row < fit:
                left, right = rect.left + round(column * step), rect.left + round((column + span) * step) - gap
                self._box(kit, pygame.Rect(left, rect.top + row * (high + gap), right - left, high), parameter)

    def _grid(self, kit: Kit, wide: int) -> tuple[int, list[tuple[int, int, int]]]:
        """How many columns there are, and for each field (row, column, columns that it takes)."""
        gap, fields = kit.theme.px(GAP), self.fields
        needs = [self._need(kit, each) for each in fields]
        narrow = max((need for each, need in zip(fields, needs, strict=True) if each.type != "text"), default=1)
        columns = max(1, min(MOST, (wide + gap) // (narrow + gap)))
        each = (wide + gap) / columns
        places, row, column = [], 0, 0
        for need in needs:
            span = min(columns, max(1, math.ceil((need + gap) / each)))
            if column + span > columns:
                row, column = row + 1, 0
            places.append((row, column, span))
            column += span
        return columns, places

    def _need(self, kit: Kit, parameter: Parameter) -> int:
        """Pixels in which a box can say everything."""
        theme = kit.theme
        values = (self.request.value(parameter.name), parameter.default, *parameter.choices)
        widest = max(text.width(theme, words.shown(parameter, value)) for value in values)
        least = {"text": TEXT_ROOM, "int": NUMBER_ROOM, "float": NUMBER_ROOM}.get(parameter.type, 0)
        room = min(max(widest, theme.px(least)), theme.px(MOST_ROOM))
        return text.width(theme, parameter.title) + room + theme.px(AROUND)

    def _box(self, kit: Kit, rect: pygame.Rect, parameter: Parameter) -> None:
        value = self.request.value(parameter.name)
        if parameter.name == LEVEL:
            side = rect.height
            place = pygame.Rect(rect.right - side, rect.top, side, side)
            rect = pygame.Rect(rect.left, rect.top, rect.width - side - kit.theme.px(4), rect.height)
            Button(kit, place, icon="folder", on_press=lambda: self._ask_level(partial(self._type, parameter)),
                   tip="Choose a file of levels")  # fmt: skip
        tip = f"{parameter.help} {_bounds(parameter)}".strip()
        if parameter.type == "choice":
            options = [Option(choice, choice) for choice in parameter.choices]
            Select(kit, rect, options, str(value), on_choose=lambda chosen: (self._set(parameter, chosen), None)[1],
                   label=parameter.title, tip=tip)  # fmt: skip
        elif parameter.type == "bool":
            Stepper(kit, rect, parameter.title, words.shown(parameter, value), on_step=partial(self._step, parameter),
                    tip=tip)  # fmt: skip
        else:
            EntryBox(
                kit, rect, parameter.title, words.shown(parameter, value),
                plain=lambda: words.typed(self.request.value(parameter.name)), on_type=partial(self._type, parameter),
                on_step=partial(self._step, parameter) if parameter.type != "text" else None, tip=tip,
            )  # fmt: skip


def _bounds(parameter: Parameter) -> str:
    """What is allowed and what is usual, for the tip."""
    usual = f"Usual: {words.shown(parameter, parameter.default)}." if parameter.default != "" else ""
    if parameter.type in ("int", "float"):
        said = parameter.describe()
        return f"{said[:1].upper()}{said[1:]}. {usual}"
    return usual


def first_request(folder: Path) -> Request:
    """What the form offers at first."""
    game = next(game for game in GAMES if trainers_of(game))
    trainer_id = preferred(game).id
    return Request(game, trainer_id, free_name(game, trainer_id, folder))
