"""The library: every finished game as a card, filtered and sorted, to be watched, named, exported and deleted."""

import time
from collections.abc import Callable
from concurrent.futures import wait
from functools import partial
from pathlib import Path

import pygame
from typing_extensions import override

from game.play.words import counted, recent
from game.rules.games import GAMES
from game.rules.replay import Replay
from game.saves.files import DamagedFile, put_away
from game.screens.context import Context
from game.screens.keys import LIBRARY
from game.screens.replays.card import draw_game_card
from game.screens.replays.export_job import under_way
from game.screens.replays.pictures import Pictures
from game.screens.replays.reading import read_soon
from game.screens.replays.shelf import ANY, SORTS, Item, Shelf
from game.screens.replays.theatre import TheatreScene
from game.screens.replays.words import KINDS, agent_title, title_of
from game.ui import shapes, text
from game.ui.card_grid import CardGrid
from game.ui.chrome import TopBar
from game.ui.controls import Button
from game.ui.layout import layout
from game.ui.name_dialog import NameDialog
from game.ui.scene import Host, Scene
from game.ui.select import Option, Select
from game.ui.shortcuts import MOVES, WINDOW, keys_shown
from game.ui.theme import CONTROL_HEIGHT, FONT_SMALL, RADIUS_CARD

CARD, CARD_HEIGHT, PICTURE = 210, 210, 138
STRIP = 62
LONGEST_TITLE = 80
READ_SECONDS, PICTURE_SECONDS = 0.003, 0.003
"""Work of each frame on heads of files, and on thumbnails."""


class LibraryScene(Scene):
    """With `on_choose` it only asks for one game."""

    name = "library"
    groups = (MOVES, LIBRARY, WINDOW)
    gestures = (("click", "Choose a game"), ("click picture", "Watch it"), ("wheel", "Scroll"))

    def __init__(
        self,
        window: Host,
        context: Context,
        game: str = ANY,
        on_choose: Callable[[Path], None] | None = None,
        like: Replay | None = None,
    ) -> None:
        """Opens with every game, or those of one `game`, and those first that began as `like` did.

        `on_choose(file)` is called after the library closed.
        """
        super().__init__(window)
        self.context, self.on_choose = context, on_choose
        if on_choose is None:
            context.library.empty_trash()
        self.shelf = Shelf(context.library)
        self.shelf.filter.game, self.shelf.like = game, like
        self.pictures = Pictures()
        self.grid = CardGrid()
        self.top_bar: TopBar | None = None
        self.head = pygame.Rect(0, 0, 1, 1)
        self.strip = pygame.Rect(0, 0, 1, 1)
        self._buttons: dict[str, Button] = {}
        self._offered: tuple[object, ...] = ()
        self._count_right = 0

    @override
    def again(self) -> "LibraryScene":
        """The same library."""
        return LibraryScene(self.window, self.context, self.shelf.filter.game, self.on_choose, self.shelf.like)

    @property
    def chosen(self) -> Item | None:
        """The game with the cursor."""
        items = self.shelf.items
        return items[self.grid.at] if self.grid.at < len(items) else None

    # Lay out

    @override
    def build(self) -> None:
        """Filters above, cards, what can be done with the chosen one below."""
        theme = self.theme
        areas = layout(self.size, theme, panel=False)
        title = "Replays" if self.on_choose is None else "Choose a second game"
        self.top_bar = TopBar(self.kit, self.size[0], title, theme.thinking, (), self.window.command)
        if self.shelf.like is not None:
            self.top_bar.subtitle = "games that began on the same board come first"
        high, gap = theme.px(CONTROL_HEIGHT), theme.px(8)
        self.head = pygame.Rect(areas.board.left, areas.board.top, areas.board.width, high)
        self.strip = pygame.Rect(areas.board.left, 0, areas.board.width, theme.px(STRIP))
        self.strip.bottom = areas.board.bottom + theme.px(4)
        top = self.head.bottom + theme.px(6)
        view = pygame.Rect(areas.board.left, top, areas.board.width, self.strip.top - gap - top)
        animated = self.window.look.animated
        self.grid.layout(theme, view, len(self.shelf.items), CARD, CARD_HEIGHT, animated)
        self._build_filters(gap)
        self._build_buttons(gap)

    def _build_filters(self, gap: int) -> None:
        """Four lists; what they offer is what there is."""
        shelf, chosen = self.shelf, self.shelf.filter
        self._offered = self._offer()
        games = [Option(ANY, "Every game"), *(Option(game, GAMES[game].title) for game in shelf.games())]
        agents = [Option(ANY, "Anyone"), *(Option(agent, self._agent(agent)) for agent in shelf.agents())]
        kinds = [Option(ANY, "Any result"), *(Option(kind, KINDS[kind]) for kind in shelf.kinds())]
        sorts = [Option(sort, words) for sort, words in SORTS.items()]
        lists = (("game", games, chosen.game), ("agent", agents, chosen.agent), ("kind", kinds, chosen.kind),
                 ("sort", sorts, chosen.sort))  # fmt: skip
        wide = min(self.theme.px(168), (self.head.width - self.theme.px(120)) // 4 - gap)
        left = self.head.left
        for name, options, value in lists:
            if value not in {option.id for option in options}:
                options.append(Option(value, self._agent(value) if name == "agent" else value))
            place = pygame.Rect(left, self.head.top, wide, self.head.height)
            Select(self.kit, place, options, value, on_choose=partial(self._choose, name))
            left += wide + gap
        self._count_right = self.head.right
        if self._filtered:
            side = self.head.height
            self._count_right -= side + gap
            Button(self.kit, pygame.Rect(self.head.right - side, self.head.top, side, side), icon="close",
                   on_press=self.show_all, tip="Clear the filters")  # fmt: skip

    def _offer(self) -> tuple[object, ...]:
        return (*self.shelf.games(), "|", *self.shelf.agents(), "|", *self.shelf.kinds())

    def _agent(self, agent: str) -> str:
        """A name for an agent's id; the same id may stand for agents of several games."""
        chosen = self.shelf.filter.game
        titles = [agent_title(game, agent) for game in ((chosen,) if chosen else GAMES)]
        return next((title for title in titles if title != agent), agent)

    @property
    def _filtered(self) -> bool:
        chosen = self.shelf.filter
        return bool(chosen.game or chosen.agent or chosen.kind)

    def _choose(self, name: str, value: str) -> None:
        """Another filter or order; the chosen game stays chosen where it is still shown."""
        setattr(self.shelf.filter, name, value)
        if name == "game" and self.shelf.filter.agent not in (ANY, *self.shelf.agents()):
            self.shelf.filter.agent = ANY
        self._arrange()
        self.rebuild()

    def show_all(self) -> None:
        """No filter."""
        chosen = self.shelf.filter
        chosen.game = chosen.agent = chosen.kind = ANY
        self._arrange()
        self.rebuild()

    def _arrange(self) -> None:
        """Take up what the shelf shows now; the cursor stays with its game."""
        before = self.chosen
        self.shelf.refresh()
        self.grid.set_count(len(self.shelf.items))
        place = self.shelf.place(before.entry.path) if before is not None else None
        self.grid.show(place if place is not None else 0, at_once=place is None)

    def _build_buttons(self, gap: int) -> None:
        theme, self._buttons = self.theme, {}
        high = theme.px(CONTROL_HEIGHT)
        offers = [("accept", "Watch", "play"), ("export_game", "Export", "download"), ("rename", "Rename", "edit"),
                  ("delete", "Delete", "trash"), ("take_back", "Undo", "undo")]  # fmt: skip
        if self.on_choose is not None:
            offers = [("accept", "Choose this one", "check")]
        right = self.strip.right - theme.px(12)
        for command, label, icon in reversed(offers):
            wide = text.width(theme, label) + theme.px(52)
            place = pygame.Rect(right - wide, self.strip.centery - high // 2, wide, high)
            self._buttons[command] = Button(
                self.kit, place, label, icon=icon, style="primary" if command == "accept" else "plain",
                on_press=partial(self.window.command, command),
                tip=f"{label} ({keys_shown(command, self.groups)})",
            )  # fmt: skip
            self._buttons[command].command = command
            right -= wide + gap
        self._words_right = right

    # What can be done

    @override
    def command(self, command: str) -> bool:
        """Arrows walk, Enter watches; the rest by the table of keys."""
        if command == "back":
            if self.kit.focused is not None:
                self.kit.focus(None)
            else:
                self.window.pop()
            return True
        if self.grid.command(command):
            return True
        if self.on_choose is not None:
            if command == "accept":
                self.open()
                return True
            return False
        command = {"undo": "take_back"}.get(command, command)
        actions = {"accept": self.open, "export_game": self.export, "rename": self.ask_title, "delete": self.delete,
                   "take_back": self.take_back}  # fmt: skip
        if command not in actions:
            return super().command(command)
        actions[command]()
        return True

    def open(self) -> None:
        """Watch the chosen game, or hand it to whoever asked."""
        item = self.chosen
        if item is None:
            return
        if self.on_choose is not None:
            self.window.pop()
            self.on_choose(item.entry.path)
        else:
            self.window.push(TheatreScene(self.window, self.context, item.entry.path))

    def export(self) -> None:
        """A picture or a video of the chosen game."""
        from game.screens.replays.export_dialog import ExportDialog

        item = self.chosen
        if item is None:
            return
        reading = read_soon(item.entry.path)

        def take(_done: object) -> None:
            error = reading.exception()
            if error is None:
                replay = reading.result()
                self.window.push(ExportDialog(self.window, self.context, replay, len(replay.steps)))
            else:
                self._lose(item, str(error).partition(": ")[2] or str(error))

        self.window.read(f"Reading {item.entry.path.name}", lambda: wait((reading,)), take)

    def ask_title(self) -> None:
        """A dialog for the chosen game's title."""
        item = self.chosen
        if item is None:
            return
        if item.example:
            self.window.say("An example keeps its name: it ships with the app.")
        elif not self.context.library.writable:
            self.window.say("The saves folder is read-only, so no game can be renamed.", "bad")
        else:
            done, title = partial(self._rename, item), item.entry.head.title
            self.window.push(
                NameDialog(
                    self.window, "Rename the game", "Rename", title, done, longest=LONGEST_TITLE, none="No title"
                )
            )

    def _rename(self, item: Item, title: str) -> None:
        try:
            self.shelf.rename(item, title)
        except FileNotFoundError:
            self._lose(item, "it is gone")
        except DamagedFile as error:
            self._lose(item, error.reason)

    def delete(self) -> None:
        """Delete the chosen game; it can be brought back until the library is closed."""
        item = self.chosen
        if item is None:
            return
        if not self.context.library.writable:
            self.window.say("The saves folder is read-only, so no game can be deleted.", "bad")
            return
        try:
            self.shelf.remove(item)
        except OSError as error:
            self.window.say(f"The game could not be deleted: {error.strerror or error}.", "bad")
            return
        self.grid.set_count(len(self.shelf.items))
        word = "hidden" if item.example else "deleted"
        self.window.say(
            f"“{title_of(item.entry.head)}” is {word}. Undo (Z) brings it back.",
            holds=lambda: item in self.shelf.removed,
        )

    def take_back(self) -> None:
        """Bring the last deleted game back."""
        try:
            item = self.shelf.bring_back()
        except OSError as error:
            self.window.say(f"The game could not be brought back: {error.strerror or error}.", "bad")
            return
        if item is None:
            self.window.say("There is nothing to bring back.")
            return
        self.grid.set_count(len(self.shelf.items))
        place = self.shelf.place(item.entry.path)
        if place is None:
            self.window.say("The game is back; the filters hide it.", "good")
        else:
            self.grid.show(place)

    def _lose(self, item: Item, reason: str) -> None:
        """A file turned out to be damaged or gone."""
        self.shelf.lose(item)
        self.grid.set_count(len(self.shelf.items))
        path = item.entry.path
        if path.exists() and not item.example:
            self.window.say(put_away(self.context.saves, DamagedFile(path, reason)), "bad")
        else:
            self.window.say(f"{path.name} cannot be read: {reason}.", "bad")

    # Scene

    @override
    def close(self) -> None:
        """What was deleted goes for good."""
        if self.on_choose is None:
            self.context.library.empty_trash()

    @override
    def handle(self, event: pygame.event.Event) -> bool:
        """Clicks on cards: the picture watches, the words choose."""
        if self.grid.handle(event):
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            number = self.grid.card_at(event.pos)
            if number is not None:
                on_picture = event.pos[1] < self.grid.card(number).top + self.theme.px(PICTURE)
                self.grid.at = number
                self.window.play("click")
                if on_picture:
                    self.open()
                return True
        return False

    @override
    def update(self, dt: float) -> None:
        """Read heads, make thumbnails, glide."""
        count, before = len(self.shelf.all), self.chosen
        for sentence in self.shelf.read(READ_SECONDS, time.monotonic()):
            self.window.say(sentence, "bad")
        if len(self.shelf.all) != count:
            self.grid.set_count(len(self.shelf.items))
            place = self.shelf.place(before.entry.path) if before is not None and self.grid.at else 0
            self.grid.at = place if place is not None else self.grid.at
        if self.kit.popup is None and self._offer() != self._offered:
            self.rebuild()
        self.pictures.update(PICTURE_SECONDS)
        for path, error in list(self.pictures.problems.items()):
            item = self.shelf.all.get(path)
            if item is not None:
                self._lose(item, error.reason)
            self.pictures.forget(path)
        self.grid.update(dt)

    @override
    def draw(self, surface: pygame.Surface) -> None:
        """Cards, head, strip."""
        theme, grid, items = self.theme, self.grid, self.shelf.items
        clip = surface.get_clip()
        surface.set_clip(grid.view)
        until = time.perf_counter() + PICTURE_SECONDS
        room = (grid.card(0).width - 2 * theme.px(10), theme.px(PICTURE) - theme.px(12))
        for number in grid.visible():
            item = items[number]
            picture = self.pictures.picture(item.entry.path, room, theme, until)
            draw_game_card(
                surface, theme, grid.card(number), item, picture, theme.px(PICTURE), number == grid.hover, number == grid.at
            )  # fmt: skip
        grid.draw_bar(surface)
        if not items:
            words = "Reading the games …"
            if self.shelf.complete:
                words = (
                    "No game fits these filters." if self._filtered else "No game yet: what you finish is kept here."
                )
            text.draw(surface, theme, words, grid.view.center, colour=theme.muted, anchor="center")
        surface.set_clip(clip)
        if self.top_bar is not None:
            self.top_bar.draw(surface)
        total = len(self.shelf.all)
        words = f"{len(items):,} of {total:,}" if len(items) != total else counted(total, "game")
        text.draw(
            surface, theme, words, (self._count_right, self.head.centery), colour=theme.muted, anchor="midright"
        )
        self._draw_strip(surface)

    def _draw_strip(self, surface: pygame.Surface) -> None:
        """The chosen game in words, and its buttons."""
        theme, strip, item = self.theme, self.strip, self.chosen
        surface.blit(shapes.rounded(strip.size, theme.px(RADIUS_CARD), theme.surface), strip)
        for command, button in self._buttons.items():
            button.set_enabled(bool(self.shelf.removed) if command == "take_back" else item is not None)
        if item is None:
            return
        left = strip.left + theme.px(16)
        limit = self._words_right - left
        text.draw(surface, theme, title_of(item.entry.head), (left, strip.centery - theme.px(10)), weight="bold",
                  anchor="midleft", limit=limit)  # fmt: skip
        when = "example" if item.example else recent(item.entry.head.started)
        words = f"{item.who} · {item.ended} · {when}"
        text.draw(surface, theme, words, (left, strip.centery + theme.px(11)), size=FONT_SMALL, colour=theme.muted,
                  anchor="midleft", limit=limit)  # fmt: skip

    @property
    @override
    def status(self) -> tuple[str, str, bool]:
        """What can be done."""
        if not self.shelf.complete:
            return f"Reading the games: {len(self.shelf.all):,} so far", "", True
        if self.on_choose is not None:
            return "Enter or a click on a picture chooses the game · Esc goes back", "", False
        left = "Enter or a click on a picture watches · F2 renames · Del deletes · Esc goes back"
        exporting = under_way(self.context.jobs)
        return left, exporting, bool(exporting)
