"""The models screen: a card for every saved model, and beside the cards all about the chosen one and what to do with it.

The list is read again every second, so that a training's model appears as soon as it is saved.
"""

import logging
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pygame

from ai import catalogue, models
from ai.agent import Thinking
from ai.catalogue import CatalogueError, Spec
from ai.models import SUFFIX, ModelCard
from ai.worker import Worker
from game.screens.context import PERSON, Context
from game.screens.models import details, words
from game.screens.models.cards import HIGH, WIDE, draw_model
from game.screens.models.rename import RenameDialog
from game.screens.models.shelf import Deleted, Shelf, ShelfError
from game.screens.models.trying import GAMES, Tester, Trial
from game.ui import svg, text
from game.ui.card_grid import CardGrid
from game.ui.chrome import Action, TopBar, draw_card
from game.ui.controls import Button, Stepper, Style
from game.ui.file_dialog import FileDialog
from game.ui.layout import layout
from game.ui.scene import Scene
from game.ui.shortcuts import keys_shown
from game.ui.theme import CONTROL_HEIGHT, FONT_HEADING, FONT_SMALL
from game.ui.window import Window

LOOK_SECONDS = 1.0
"""How often the folders are looked at."""
DOUBLE_SECONDS = 0.4
COLUMN = 260
"""Width of the details where the window is too narrow for the panel of the games."""
PAD, GAP = 16, 8
ACTIONS = (
    Action("undo", "Undo deleting", "take_back"),
    Action("help", "Keys", "help"),
    Action("settings", "Settings", "settings"),
)
TIPS = {
    "accept": "Open its game with this model at the board",
    "test_model": "A short match in the background",
    "rename": "Give the model and its file another name",
    "delete": "Delete the model; it can be undone",
}
"""What the buttons do, when they can."""
EMPTY = (
    "No models yet",
    f"Drop a {SUFFIX} file on this window, press Import,",
    "or train one: python main.py train 2048 ntuple --out my-model",
)
log = logging.getLogger("trilogic.models")

Job = Callable[[], ModelCard]


class ModelsScene(Scene):
    """Choose with the mouse or the arrows; everything else has a button and a key."""

    name = "models"
    groups = ("Moves", "Library", "Models", "Window")
    gestures = (
        ("click", "Choose a model"), ("double click", "Play with it"), ("wheel", "Scroll"),
        ("drop a file", "Import a model"),
    )  # fmt: skip

    def __init__(self, window: Window, context: Context) -> None:
        """Reads the headers of all models."""
        super().__init__(window)
        self.context = context
        self.shelf = Shelf(context.saves)
        self.tester = Tester()
        self.cards = self.shelf.cards()
        self.grid = CardGrid()
        self.plies = min(GAMES)
        """At which the next test looks ahead."""
        self.deleted: list[Deleted] = []
        self.top_bar: TopBar | None = None
        self.column = pygame.Rect(0, 0, 0, 0)
        self.head = pygame.Rect(0, 0, 0, 0)
        self.actions = pygame.Rect(0, 0, 0, 0)
        self.buttons: dict[str, Button] = {}
        self._worker: Worker[ModelCard] | None = None
        self._jobs: deque[tuple[str, Job]] = deque()
        self._doing = ""
        self._looked = 0.0
        self._clicked: tuple[int, int] = (-1, 0)
        """(card, milliseconds) of the last click."""

    @property
    def card(self) -> ModelCard | None:
        """The chosen model."""
        return self.cards[self.grid.at] if 0 <= self.grid.at < len(self.cards) else None

    # Lay out

    def build(self) -> None:
        """Cards on the left, the chosen one's column on the right."""
        theme = self.theme
        areas = layout(self.size, theme)
        left, self.column = areas.board, areas.panel
        if areas.folded:
            right = areas.panel.right
            wide = min(theme.px(COLUMN), (right - left.left) // 2)
            self.column = pygame.Rect(right - wide, areas.panel.top, wide, areas.panel.height)
            left.width = self.column.left - theme.px(PAD) - left.left
        self.top_bar = TopBar(self.kit, self.size[0], "Models", theme.thinking, ACTIONS, self.window.command)
        high = theme.px(CONTROL_HEIGHT)
        self.head = pygame.Rect(left.left, left.top, left.width, high)
        wide = theme.px(120)
        self.buttons = {
            "import_model": Button(
                self.kit, pygame.Rect(left.right - wide, left.top, wide, high), "Import", icon="folder",
                on_press=lambda: self._command("import_model"),
                tip=f"Copy a model file into your models ({keys_shown('import_model')}), or drop it on the window",
            )
        }  # fmt: skip
        top = left.top + high + theme.px(10)
        view = pygame.Rect(left.left, top, left.width, areas.body.bottom - top)
        self.grid.layout(theme, view, len(self.cards), WIDE, HIGH, self.window.look.animated)
        self.grid.show(self.grid.at, at_once=True)
        if self.cards:
            self._build_actions(high)
            self._able()

    def _build_actions(self, high: int) -> None:
        """Three rows of buttons in a card at the bottom of the column."""
        theme, gap = self.theme, self.theme.px(GAP)
        tall = 3 * high + 2 * gap + 2 * theme.px(12)
        self.actions = pygame.Rect(self.column.left, self.column.bottom - tall, self.column.width, tall)
        inner = self.actions.inflate(-2 * theme.px(PAD), -2 * theme.px(12))
        half = (inner.width - gap) // 2
        rows = [pygame.Rect(inner.left, inner.top + number * (high + gap), half, high) for number in range(3)]

        def button(name: str, rect: pygame.Rect, label: str, icon: str, style: Style = "plain") -> None:
            self.buttons[name] = Button(
                self.kit, rect, label, icon=icon, style=style, on_press=lambda: self._command(name)
            )

        right = [rect.move(inner.width - half, 0) for rect in rows]
        whole = pygame.Rect(inner.left, inner.top, inner.width, high)
        button("accept", whole, "Play with it", "play", "primary")
        Stepper(self.kit, rows[1], "Plies", str(self.plies), on_step=self._step_plies,
                tip="Own moves that the test looks ahead")  # fmt: skip
        button("test_model", right[1], "Test now", "speed")
        button("rename", rows[2], "Rename", "edit")
        button("delete", right[2], "Delete", "trash", "danger")

    def _command(self, name: str) -> None:
        self.window.command(name)

    def _step_plies(self, by: int) -> str:
        self.plies = min(max(GAMES), max(min(GAMES), self.plies + by))
        return str(self.plies)

    def _able(self) -> None:
        """Which buttons the chosen model allows."""
        card = self.card
        if card is None or "accept" not in self.buttons:
            return
        testing, kept = self.tester.busy, self.shelf.keeper(card)
        self.buttons["test_model"].set(*(("Stop", "stop") if testing else ("Test now", "speed")))
        reasons = {
            "accept": f"This file cannot be used: {card.problem}." if card.problem is not None else None,
            "test_model": None if testing else Tester.refusal(card),
            "rename": kept,
            "delete": kept,
        }
        for name, reason in reasons.items():
            self.buttons[name].set_enabled(reason is None)
            self.buttons[name].tip = reason or f"{TIPS[name]} ({keys_shown(name)})"

    def _look_again(self) -> None:
        """Read the folders; the cursor stays on its model."""
        chosen = self.card.path if self.card is not None else None
        found = self.shelf.cards()
        self._looked = 0.0
        if found == self.cards:
            return
        before, self.cards = len(self.cards), found
        self.grid.set_count(len(found))
        if chosen is not None:
            self.grid.at = next((at for at, card in enumerate(found) if card.path == chosen), self.grid.at)
        if not before or not found:
            self.rebuild()
        self._able()

    def choose(self, at: int) -> None:
        """Move the cursor to a card."""
        self.grid.show(at)
        self._able()

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
        from game.screens.opening import show_game

        spec = self._spec(card)
        show_game(self.window, self.context, card.game).play_with(spec, card)
        self.window.say(f"{card.name} has the seat: Space lets it play, H asks it for a hint.")

    def _spec(self, card: ModelCard) -> Spec:
        """Its agent with this model, with the settings that the first seat has for that agent already."""
        known = self.context.spec(card.game, 0, PERSON)
        settings = known.settings if known is not None and known.id == card.agent else {}
        return Spec(card.agent, settings, card.name)

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
                self.tester.start(card, self.plies)
        self._able()

    def _stop_test(self) -> None:
        self.tester.cancel()
        self.window.say("The test was stopped.")
        self._able()

    def _tested(self, trial: Trial) -> None:
        """A test has ended: say what came out, and keep it in the header where that says less."""
        strength = trial.strength
        if trial.problem or strength is None:
            self.window.say(trial.problem, "bad")
            return
        many = words.games_words(strength.games)
        card = models.card(trial.card.path)
        known = card.strength.get(trial.plies)
        keep = card.problem is None and self.shelf.keeper(card) is None
        keep = keep and (known is None or known.games <= strength.games)
        said = f"{trial.card.name}: {words.points(strength)} points at {trial.plies}-ply over {many}"
        self.window.say(f"{said}{', written into its file' if keep else ''}.", "good")
        if keep:
            self._jobs.append(("", partial(models.write_strength, card.path, {trial.plies: strength})))

    def ask_name(self) -> None:
        """The dialog for a new name."""
        card = self.card
        if card is None:
            return
        reason = self.shelf.keeper(card)
        if reason is not None:
            self.window.say(reason)
            return
        self.window.push(RenameDialog(self.window, card.name, lambda name: self.rename(card, name)))

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
        trial = self.tester.trial
        if trial is not None and trial.card.path == card.path:
            self.tester.cancel()
            self.tester.trial = None

    def ask_file(self) -> None:
        """The dialog for a file to import."""
        self.window.push(FileDialog(self.window, "Import a model", Path.home(), (SUFFIX,), self.bring_in))

    def bring_in(self, source: Path) -> None:
        """Import a file in the background."""
        self._jobs.append((source.name, lambda: self.shelf.bring_in(source)))

    # Input

    def command(self, command: str) -> bool:
        """Arrows, Home, End and the page keys move the cursor."""
        actions = {
            "accept": self.play, "test_model": self.test, "rename": self.ask_name, "delete": self.delete,
            "take_back": self.take_back, "undo": self.take_back, "import_model": self.ask_file,
            "settings": self._open_settings,
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
            self._able()
        else:
            return False
        return True

    def _open_settings(self) -> None:
        from game.screens.settings import SettingsScene

        self.window.push(SettingsScene(self.window, self.context))

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

    def update(self, dt: float) -> None:
        """Listen to the test and to what is being imported; look at the folders."""
        self.grid.update(dt)
        trial = self.tester.trial
        if self.tester.update() and trial is not None:
            self._tested(trial)
            self._able()
        self._work()
        self._looked += dt
        if self._looked >= LOOK_SECONDS and self.kit.popup is None:
            self._look_again()

    def _work(self) -> None:
        """One job after the other, in a background thread."""
        for said in self._worker.poll() if self._worker is not None else ():
            if said.result is not None:
                if self._doing:
                    self.window.say(f"{said.result.name} is among your models.", "good")
                    self.choose_path(said.result.path)
                self._look_again()
            elif isinstance(said.error, ShelfError):
                self.window.say(str(said.error), "bad")
            elif said.error is not None:
                log.error("a model could not be written", exc_info=said.error)
                self.window.say(f"The model could not be written: {said.error}.", "bad")
        if self._jobs and (self._worker is None or not self._worker.busy):
            self._doing, job = self._jobs.popleft()
            self._worker = self._worker or Worker("models")

            def run(thinking: Thinking, emit: Callable[[object], None]) -> ModelCard:
                return job()

            self._worker.start((0, 0), run)

    @property
    def busy(self) -> bool:
        """Whether something is imported or written."""
        return bool(self._jobs) or (self._worker is not None and self._worker.busy)

    def leave(self) -> None:
        """Another screen needs the processor."""
        self.tester.cancel()

    def again(self) -> "ModelsScene":
        """A fresh one."""
        return ModelsScene(self.window, self.context)

    def close(self) -> None:
        """End process and thread; what was deleted is gone."""
        self.tester.cancel()
        if self._worker is not None:
            self._worker.close()
        self.shelf.empty_trash()

    # Draw

    def draw(self, surface: pygame.Surface) -> None:
        """Head, cards, column."""
        theme = self.theme
        if self.top_bar is not None:
            self.top_bar.subtitle = self._counted()
            self.top_bar.buttons["take_back"].set_enabled(bool(self.deleted))
            self.top_bar.draw(surface)
        hint = "Models are loaded from their files; nothing in them can run."
        limit = self.buttons["import_model"].rect.left - self.head.left - theme.px(PAD)
        text.draw(surface, theme, hint, self.head.midleft, colour=theme.muted, anchor="midleft", limit=limit)
        card = self.card
        if card is None:
            self._draw_empty(surface)
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
        self._draw_column(surface, card)

    def _trial_of(self, card: ModelCard) -> Trial | None:
        trial = self.tester.trial
        return trial if trial is not None and trial.card.path == card.path else None

    def _draw_column(self, surface: pygame.Surface, card: ModelCard) -> None:
        """Details, strength, buttons, from top to bottom."""
        theme, gap = self.theme, self.theme.px(12)
        draw_card(surface, theme, self.actions)
        note = "comes with the app" if self.shelf.ships(card) else "yours"
        bottom = self.actions.top - gap
        if card.problem is None:
            trial = self._trial_of(card)
            lines = details.measured(card, trial)
            high = details.strength_height(theme, len(lines))
            strengths = pygame.Rect(self.column.left, bottom - high, self.column.width, high)
            details.draw_strengths(surface, theme, strengths, card, lines, trial.problem if trial else "")
            bottom = strengths.top - gap
        place = pygame.Rect(self.column.left, self.column.top, self.column.width, bottom - self.column.top)
        if place.height > theme.px(details.HEAD):
            details.draw_details(surface, theme, place, card, note)

    def _draw_empty(self, surface: pygame.Surface) -> None:
        """What to do where there are no models."""
        theme = self.theme
        middle = pygame.Rect(self.head.left, self.head.bottom, self.column.right - self.head.left, 0)
        middle.height = self.column.bottom - middle.top
        glyph = theme.px(48)
        at = (middle.centerx, middle.centery - theme.px(30))
        surface.blit(svg.icon("cube", glyph, theme.muted), (at[0] - glyph // 2, at[1] - glyph))
        title, *lines = EMPTY
        text.draw(surface, theme, title, (at[0], at[1] + theme.px(24)), size=FONT_HEADING, weight="bold",
                  anchor="center")  # fmt: skip
        for number, line in enumerate(lines):
            text.draw(surface, theme, line, (at[0], at[1] + theme.px(54 + 22 * number)), size=FONT_SMALL,
                      colour=theme.muted, anchor="center", limit=middle.width)  # fmt: skip

    def _counted(self) -> str:
        count = sum(card.problem is None for card in self.cards)
        bad = len(self.cards) - count
        return f"{count:,} saved" + (f", {bad:,} that cannot be used" if bad else "")

    @property
    def status(self) -> tuple[str, str, bool]:
        """What is being done, or what can be."""
        trial = self.tester.trial
        if self.tester.busy and trial is not None:
            done = f"{len(trial.scores)} of {words.games_words(trial.games)}"
            right = f"{trial.seconds:.0f} s · largest tile {trial.best_tile:,}" if trial.scores else ""
            return f"Testing {trial.card.name} at {trial.plies}-ply: {done} · Esc stops it", right, True
        if self.busy:
            return f"Importing {self._doing} …" if self._doing else "Writing the strength …", "", True
        if self.card is None:
            return f"{keys_shown('import_model')} imports a model · Esc goes back", "", False
        return "Enter plays with it · T tests it · Del deletes it · Esc goes back", "", False
