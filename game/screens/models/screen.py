"""The models screen: a card for every saved model, and beside the cards all about the chosen one and what to do with it.

The list is read again every second, so that a training's model appears as soon as it is saved.
"""

import logging
from concurrent.futures import Future
from functools import partial
from pathlib import Path

import pygame
from typing_extensions import override

from ai import catalogue, models
from ai.entries import CatalogueError, Spec
from ai.models import SUFFIX, ModelCard
from game.play.words import counted
from game.screens.context import Context
from game.screens.games import short_test
from game.screens.jobs.files import Files
from game.screens.keys import LIBRARY, MODELS
from game.screens.lab import trying
from game.screens.models import words
from game.screens.models.cards import HIGH, WIDE, draw_model, draw_none
from game.screens.models.column import PAD, Column
from game.screens.models.shelf import MAX_NAME, Deleted, Shelf, ShelfError
from game.screens.models.trying import Tester, Trial
from game.screens.navigation import show
from game.ui import text
from game.ui.card_grid import CardGrid
from game.ui.chrome import Action, TopBar
from game.ui.controls import Button
from game.ui.file_dialog import FileDialog
from game.ui.layout import layout
from game.ui.name_dialog import NameDialog
from game.ui.scene import Host, Scene
from game.ui.shortcuts import MOVES, WINDOW, keys_shown
from game.ui.theme import CONTROL_HEIGHT

log = logging.getLogger("trilogic.models")

LOOK_SECONDS = 1.0
"""How often the folders are looked at."""
DOUBLE_SECONDS = 0.4
COLUMN = 260
"""Width of the column beside the cards where the window is too narrow for the panel of the games."""
ACTIONS = (
    Action("undo", "Undo deleting", "take_back"),
    Action("help", "Keys", "help"),
    Action("settings", "Settings", "settings"),
)


class ModelsScene(Scene):
    """Choose with the mouse or the arrows; everything else has a button and a key."""

    name = "models"
    groups = (MOVES, LIBRARY, MODELS, WINDOW)
    gestures = (
        ("click", "Choose a model"), ("double click", "Play with it"), ("wheel", "Scroll"),
        ("drop a file", "Import a model"),
    )  # fmt: skip

    def __init__(self, window: Host, context: Context) -> None:
        """Reads the headers of all models."""
        super().__init__(window)
        self.context = context
        self.shelf = Shelf(context.saves)
        self.tester = Tester()
        self.cards = self.shelf.cards()
        self.grid = CardGrid()
        self.side = Column(self.shelf, self.tester)
        self.files = Files[ModelCard]()
        self.deleted: list[Deleted] = []
        self.top_bar: TopBar | None = None
        self.head = pygame.Rect(0, 0, 0, 0)
        self._looked = 0.0
        self._clicked: tuple[int, int] = (-1, 0)
        """(card, milliseconds) of the last click."""

    @property
    def card(self) -> ModelCard | None:
        """The chosen model."""
        return self.cards[self.grid.at] if 0 <= self.grid.at < len(self.cards) else None

    # Lay out

    @override
    def build(self) -> None:
        """Cards on the left, the chosen one's column on the right."""
        theme = self.theme
        areas = layout(self.size, theme)
        left, right = areas.beside(theme, COLUMN)
        if not self.cards:
            left.width = right.right - left.left
        self.top_bar = TopBar(
            self.kit, self.size[0], "Models", theme.thinking, ACTIONS, self.window.command, self.groups
        )
        keys = self.groups
        high, wide = theme.px(CONTROL_HEIGHT), theme.px(120)
        train = theme.px(100)
        self.head = pygame.Rect(left.left, left.top, left.width - wide - train - theme.px(PAD + 8), high)
        Button(self.kit, pygame.Rect(left.right - wide - train - theme.px(8), left.top, train, high), "Train", icon="flask",
               on_press=self.train, tip=f"Train a model in the lab ({keys_shown('train_model', keys)})")  # fmt: skip
        Button(self.kit, pygame.Rect(left.right - wide, left.top, wide, high), "Import", icon="folder",
               on_press=self.ask_file, tip=f"Copy a model file to your models ({keys_shown('import_model', keys)})")  # fmt: skip
        top = left.top + high + theme.px(10)
        view = pygame.Rect(left.left, top, left.width, areas.body.bottom - top)
        self.grid.layout(theme, view, len(self.cards), WIDE, HIGH, self.window.look.animated)
        self.grid.show(self.grid.at, at_once=True)
        if self.cards:
            self.side.build(self.kit, right, self.window.command)
            self.side.allow(self.card)

    def _look_again(self) -> None:
        """Read the folders; the cursor stays on its model."""
        chosen = self.card.path if self.card is not None else None
        found = self.shelf.cards()
        self._looked = 0.0
        if found == self.cards:
            self.side.allow(self.card)  # agents may have been prepared meanwhile
            return
        before, self.cards = len(self.cards), found
        self.grid.set_count(len(found))
        if chosen is not None:
            self.grid.at = next((at for at, card in enumerate(found) if card.path == chosen), self.grid.at)
        if not before or not found:
            self.rebuild()
        self.side.allow(self.card)

    def choose(self, at: int) -> None:
        """Move the cursor to a card."""
        self.grid.show(at)
        self.side.allow(self.card)

    def choose_path(self, path: Path) -> None:
        """Move the cursor to the model of a file, if it is listed."""
        self._look_again()
        at = next((at for at, card in enumerate(self.cards) if card.path == path), None)
        if at is not None:
            self.choose(at)

    # What can be done

    def play(self) -> None:
        """Open its game with the model on the first seat; an open one of that game is taken."""
        card = self.card
        if card is None:
            return
        if card.problem is not None:
            self.window.say(f"{card.path.name} cannot be used: {card.problem}.", "bad")
            return
        trying.play(self.window, self.context, card)

    def test(self) -> None:
        """Start the short test, or stop the one under way."""
        card = self.card
        if self.tester.busy:
            self._stop_test()
        elif card is not None:
            reason = Tester.refusal(card)
            if reason is not None:
                self.window.say(reason, "bad")
            else:
                self.tester.start(card, self.side.plies)
        self.side.allow(self.card)

    def _stop_test(self) -> None:
        self.tester.cancel()
        self.window.say("The test was stopped.")
        self.side.allow(self.card)

    def _tested(self, trial: Trial) -> None:
        """A test has ended: say what came out, and keep it in the header where that says less."""
        strength = trial.strength
        if trial.problem or strength is None:
            self.window.say(trial.problem, "bad")
            return
        many = counted(strength.games, "game")
        card = models.card(trial.card.path)
        known = card.strength.get(trial.plies)
        keep = card.problem is None and self.shelf.keeper(card) is None
        keep = keep and (known is None or known.games <= strength.games)
        said = f"{trial.card.name}: {words.points(strength)} points at {trial.plies}-ply over {many}"
        self.window.say(f"{said}{', written into its file' if keep else ''}.", "good")
        if keep:
            self.files.add("", partial(models.write_strength, card.path, {trial.plies: strength}))

    def ask_name(self) -> None:
        """The dialog for a new name."""
        card = self.card
        if card is None:
            return
        reason = self.shelf.keeper(card)
        if reason is not None:
            self.window.say(reason)
            return
        done = partial(self.rename, card)
        self.window.push(NameDialog(self.window, "Rename the model", "Rename", card.name, done, longest=MAX_NAME))

    def rename(self, card: ModelCard, name: str) -> str:
        """Rename; returns what was wrong, nothing when it worked."""
        try:
            new = self.shelf.rename(card, name)
        except ShelfError as error:
            return str(error)
        self._forget_test(card)
        for key, seat in list(self.context.settings.seats.items()):
            game, _, number = key.partition("/")
            try:
                spec = catalogue.parse(game, seat)
            except CatalogueError:
                continue
            if (game, spec.id, spec.model) == (card.game, card.agent, card.name) and number.isdigit():
                self.context.remember_seat(game, int(number), Spec(spec.id, spec.settings, new.name))
        self.choose_path(new.path)
        return ""

    def delete(self) -> None:
        """Into the trash; `take_back` brings it back."""
        card = self.card
        if card is None:
            return
        try:
            self.deleted.append(self.shelf.delete(card))
        except ShelfError as error:
            self.window.say(str(error), "bad")
            return
        self._forget_test(card)
        self.window.say(f"{card.name} was deleted. Z brings it back.")
        self.window.play("undo")
        self._look_again()

    def take_back(self) -> None:
        """Undo the last deletion."""
        if not self.deleted:
            self.window.say("Nothing was deleted here.")
            return
        try:
            card = self.shelf.take_back(self.deleted[-1])
        except ShelfError as error:
            self.window.say(str(error), "bad")
            return
        self.deleted.pop()
        self.window.say(f"{card.name} is back.", "good")
        self.choose_path(card.path)

    def _forget_test(self, card: ModelCard) -> None:
        """What is or was being tested has another place now."""
        trial = self.tester.batch
        if trial is not None and trial.card.path == card.path:
            self.tester.cancel()
            self.tester.batch = None

    def train(self) -> None:
        """The lab, where models come from."""
        show("lab", self.window, self.context)

    def ask_file(self) -> None:
        """The dialog for a file to import."""
        self.window.push(FileDialog(self.window, "Import a model", Path.home(), (SUFFIX,), self.bring_in))

    def bring_in(self, source: Path) -> None:
        """Import a file in the background."""
        self.files.add(source.name, partial(self.shelf.bring_in, source))

    # Input

    @override
    def command(self, command: str) -> bool:
        """Arrows, Home, End and the page keys move the cursor."""
        actions = {
            "accept": self.play, "test_model": self.test, "rename": self.ask_name, "delete": self.delete,
            "take_back": self.take_back, "undo": self.take_back, "import_model": self.ask_file,
            "train_model": self.train,
        }  # fmt: skip
        if command in actions:
            actions[command]()
        elif command == "back":
            if self.kit.focused is not None:
                self.kit.focus(None)
            elif self.tester.busy:
                self._stop_test()
            else:
                self.window.pop()
        elif self.grid.command(command):
            self.side.allow(self.card)
        else:
            return False
        return True

    @override
    def handle(self, event: pygame.event.Event) -> bool:
        """The grid's own events, clicks on cards."""
        if self.grid.handle(event):
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            at = self.grid.card_at(event.pos)
            if at is not None:
                now = pygame.time.get_ticks()
                twice = self._clicked[0] == at and now - self._clicked[1] < DOUBLE_SECONDS * 1000
                self._clicked = (-1, 0) if twice else (at, now)
                self.window.play("click")
                self.choose(at)
                if twice:
                    self.play()
                return True
        return False

    # Frame

    @override
    def update(self, dt: float) -> None:
        """Listen to the test and to what is being imported; look at the folders."""
        self.grid.update(dt)
        trial, testing = self.tester.batch, self.tester.busy
        self.tester.update()
        if trial is not None and testing and not self.tester.busy:
            self._tested(trial)
            self.side.allow(self.card)
        for importing, writing in self.files.ended():
            self._did(importing, writing)
        self._looked += dt
        if self._looked >= LOOK_SECONDS and self.kit.popup is None:
            self._look_again()

    def _did(self, importing: str, writing: Future[ModelCard]) -> None:
        """An import (of the file of that name), or a writing has ended."""
        error = writing.exception()
        if isinstance(error, ShelfError):
            self.window.say(str(error), "bad")
        elif error is not None:
            log.error("a model could not be written", exc_info=error)
            self.window.say(f"The model could not be written: {error}.", "bad")
        elif importing:
            card = writing.result()
            self.window.say(f"{card.name} is now in your models.", "good")
            self.choose_path(card.path)
        else:
            self._look_again()

    @override
    def leave(self) -> None:
        """Another screen needs the processor."""
        self.tester.cancel()

    @override
    def again(self) -> "ModelsScene":
        """A fresh one."""
        return ModelsScene(self.window, self.context)

    @override
    def close(self) -> None:
        """End process and thread; what was deleted is gone."""
        self.tester.cancel()
        self.files.close(finish=False)
        self.shelf.empty_trash()

    # Draw

    @override
    def draw(self, surface: pygame.Surface) -> None:
        """Head, cards, column."""
        theme = self.theme
        if self.top_bar is not None:
            self.top_bar.subtitle = self._counted()
            self.top_bar.buttons["take_back"].set_enabled(bool(self.deleted))
            self.top_bar.draw(surface)
        hint = "Models are read as plain data; nothing in them can run."
        text.draw(
            surface, theme, hint, self.head.midleft, colour=theme.muted, anchor="midleft", limit=self.head.width
        )
        card = self.card
        if card is None:
            draw_none(surface, theme, layout(self.size, theme, panel=False).board)
            return
        clip = surface.get_clip()
        surface.set_clip(self.grid.view)
        for number in self.grid.visible():
            each = self.cards[number]
            trial = self._trial_of(each)
            draw_model(
                surface, theme, self.grid.card(number), each, chosen=number == self.grid.at,
                lit=number == self.grid.hover, ships=self.shelf.ships(each),
                trial=trial if trial is not None and not trial.done else None,
            )  # fmt: skip
        self.grid.draw_bar(surface)
        surface.set_clip(clip)
        self.side.draw(surface, card, self._trial_of(card))

    def _trial_of(self, card: ModelCard) -> Trial | None:
        trial = self.tester.batch
        return trial if trial is not None and trial.card.path == card.path else None

    def _counted(self) -> str:
        count = sum(card.problem is None for card in self.cards)
        bad = len(self.cards) - count
        return f"{count:,} saved" + (f", {bad:,} that cannot be used" if bad else "")

    @property
    @override
    def status(self) -> tuple[str, str, bool]:
        """What is being done, or what can be."""
        trial = self.tester.batch
        if self.tester.busy and trial is not None:
            done, test = f"{len(trial.games)} of {counted(trial.wanted, 'game')}", short_test(trial.card.game)
            reached = f" · {test.reached(trial.games)}" if test is not None and trial.games else ""
            right = f"{self.tester.seconds:.0f} s{reached}"
            return f"Testing {trial.card.name} at {trial.plies}-ply: {done} · Esc stops it", right, True
        if self.files.doing is not None:
            return f"Importing {self.files.doing} …" if self.files.doing else "Writing the strength …", "", True
        if self.card is None:
            return f"{keys_shown('import_model', self.groups)} imports a model · Esc goes back", "", False
        return "Enter plays with it · T tests it · Del deletes it · Esc goes back", "", False
