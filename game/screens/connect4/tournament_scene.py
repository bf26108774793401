"""A tournament of agents: the cross-table while it is played, the game under way, and what is to be played."""

from collections.abc import Callable
from types import MappingProxyType

import pygame
from typing_extensions import override

from ai import catalogue, kernels
from ai.entries import Spec
from game.play.connect4 import boards
from game.play.words import counted
from game.rules import connect4
from game.rules.connect4 import Shape
from game.saves.tournaments import Tournament, Tournaments
from game.screens import results
from game.screens.connect4 import tournament_memory as memory
from game.screens.connect4.cross_table import TableView
from game.screens.connect4.setup import PRESETS
from game.screens.connect4.tournament import Cup, Progress
from game.screens.connect4.tournament_list import ListDialog
from game.screens.connect4.tournament_live import HEAD, LEAST_LINE, MOST_LINE, Live, agent_name, draw_standings
from game.screens.connect4.tournament_player import GAME, Player, recalled
from game.screens.context import Context
from game.screens.navigation import in_front
from game.screens.play.agent_form import AgentForm
from game.ui.chrome import Action, TopBar, draw_card, draw_heading
from game.ui.controls import Button, Stepper, neighbour
from game.ui.layout import layout
from game.ui.reading import Unreadable
from game.ui.scene import Host, Scene
from game.ui.select import Option, Select
from game.ui.shortcuts import WINDOW
from game.ui.theme import CONTROL_HEIGHT
from game.views.connect4.accent import ACCENT
from game.views.connect4.keys import TOURNAMENT

TOP_ACTIONS = (
    Action("clock", "Earlier tournaments", "tournament_list"),
    Action("copy", "Copy the table", "tournament_copy"), Action("save", "Save all games", "tournament_save"),
    Action("help", "Keys", "help"), Action("settings", "Settings", "settings"),
)  # fmt: skip
GAMES = (2, 6, 10, 20, 50, 100, 200, 500)
TIMES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Seconds for a move; 0 for the agents' own limits."""
PLIES = 12
"""Longest openings."""
PRESENT = "present"
SHORT = 600
"""Units of height below which lines stand closer."""


class TournamentScene(Scene):
    """Table and board on the left, agents and rules on the right. What it shows is played by one of the app's jobs."""

    name = Player.place
    groups = (TOURNAMENT, WINDOW)
    without = frozenset({"tournament"})
    meanings = MappingProxyType({"back": "Back; the tournament goes on"})

    def __init__(self, window: Host, context: Context, shape: Shape) -> None:
        """Starts nothing by itself; `shape` is the board to begin with."""
        super().__init__(window)
        self.context = context
        self.present = shape
        self.shape = shape
        self.games = memory.known(context, "games", GAMES, 20)
        self.seconds = memory.known(context, "seconds", TIMES, 0.1)
        self.plies = memory.known(context, "plies", range(PLIES + 1), 2)
        self.specs = memory.entrants(context, shape)
        self.chosen = 0
        self.player = _player(window, context)
        self.past: Progress | None = None
        """An earlier tournament that is looked at."""
        if self.player.batch is not None and not self.player.seen:
            self._take(self.player.batch.cup)
        self.table = TableView()
        self.live = Live(self.theme)
        self.top_bar: TopBar | None = None
        self.cards: dict[str, pygame.Rect] = {}
        self.start_button: Button | None = None

    def _take(self, cup: Cup) -> None:
        """A tournament that was begun is what the form says."""
        self.specs, self.shape, self.games = list(cup.specs), cup.shape, cup.games
        self.plies, self.seconds = cup.plies, cup.seconds or 0.0
        self.chosen = 0

    @override
    def again(self) -> "TournamentScene":
        """A fresh one."""
        return TournamentScene(self.window, self.context, self.present)

    # Lay out

    @override
    def build(self) -> None:
        """The table and the board, and a column of two cards."""
        theme, kit = self.theme, self.kit
        areas = layout(self.size, theme)
        left, right = areas.beside(theme, 260)
        self.top_bar = TopBar(
            kit, self.size[0], "Tournament", ACCENT.on(theme), TOP_ACTIONS, self.window.command, self.groups
        )
        dense = left.height < theme.px(SHORT)
        gap, pad = theme.px(8 if dense else 12), theme.px(16)
        control, between = theme.px(34 if dense else CONTROL_HEIGHT), theme.px(6 if dense else 8)
        self.table.layout(theme, left, len(self.specs), dense, control + 2 * between)
        bottom = self.table.card.bottom
        add = Button(
            kit, pygame.Rect(left.left + pad, bottom - control - between, theme.px(150), control), "Add an agent", icon="plus",
            on_press=self.add, tip="Add an agent (N)",
        )  # fmt: skip
        add.set_enabled(len(self.specs) < memory.MOST and not self.player.busy)
        self.cards = {"live": pygame.Rect(left.left, bottom + gap, left.width, left.bottom - bottom - gap)}
        self.live.set_theme(theme)
        busy = self.player.busy
        inner = right.inflate(-2 * pad, 0)
        top = self._build_agent(right, inner, gap)
        self._build_rules(pygame.Rect(right.left, top, right.width, right.bottom - top), inner, control, between, gap)
        if busy:
            for each in kit.controls:
                if (
                    each is not self.start_button
                    and each.rect.left >= right.left
                    and each.rect.top > self.top_bar.rect.bottom
                ):
                    each.set_enabled(False)

    def _build_agent(self, right: pygame.Rect, inner: pygame.Rect, gap: int) -> int:
        theme = self.theme
        form = AgentForm(GAME, self.specs[self.chosen], self._change, narrow=True)
        self.form = form
        head = theme.px(40)
        high = form.height(self.kit, inner.width)
        form.build(self.kit, pygame.Rect(inner.left, right.top + head, inner.width, high), connect4.start(self.shape))
        card = pygame.Rect(right.left, right.top, right.width, head + high + theme.px(12))
        self.cards["agent"] = card
        side = theme.px(28)
        remove = Button(
            self.kit, pygame.Rect(inner.right - side, right.top + theme.px(8), side, side), icon="trash", on_press=self.remove,
            tip="Remove this agent (Del)",
        )  # fmt: skip
        remove.set_enabled(len(self.specs) > 2)
        return card.bottom + gap

    def _build_rules(self, area: pygame.Rect, inner: pygame.Rect, control: int, gap: int, apart: int) -> None:
        theme, kit = self.theme, self.kit
        y = area.top + theme.px(36)
        options = [Option(name, label) for name, label, _numbers in PRESETS]
        chosen = next(
            (name for name, _label, numbers in PRESETS if str(self.shape) == ",".join(map(str, numbers))), ""
        )
        if not any(str(self.present) == ",".join(map(str, numbers)) for _name, _label, numbers in PRESETS):
            options.insert(0, Option(PRESENT, f"Your board · {boards.size(self.present)}"))
            chosen = chosen or PRESENT
        Select(
            kit,
            pygame.Rect(inner.left, y, inner.width, control),
            options,
            chosen,
            on_choose=self._choose_board,
            tip="Board",
        )
        y += control + gap
        half = (inner.width - gap) // 2
        steppers = (
            ("Seats", str(self.shape.players), self._step_players, "Players in a game; with two, every agent plays every other"),
            ("Games", str(self.games), self._step_games, "At least so many games for each pair (or group, with more seats)"),
            ("Opening", f"{self.plies}", self._step_plies, "Random moves at the start, the same for every order of seats"),
            ("Time", self._time_words(), self._step_time, "Seconds for a move; own: each agent's own setting"),
        )  # fmt: skip
        for number, (label, value, on_step, tip) in enumerate(steppers):
            place = pygame.Rect(inner.left + number % 2 * (half + gap), y, half, control)
            Stepper(kit, place, label, value, on_step=on_step, tip=tip)
            y += (control + gap) * (number % 2)
        self.start_button = Button(
            kit, pygame.Rect(inner.left, y, inner.width, control), style="primary", on_press=self.toggle,
            tip="Start, or stop and keep the games (Space)",
        )  # fmt: skip
        y += control + theme.px(12)
        self.cards["rules"] = pygame.Rect(area.left, area.top, area.width, y - area.top)
        head = theme.px(HEAD)
        card = pygame.Rect(
            area.left, y + apart, area.width, head + len(self.specs) * theme.px(MOST_LINE) + theme.px(8)
        )
        card.height = area.bottom - card.top
        if card.height >= head + len(self.specs) * theme.px(LEAST_LINE):
            self.cards["standings"] = card

    # The form

    def _change(self, spec: Spec, whole: bool) -> None:
        self.specs[self.chosen] = spec
        memory.keep(self.context, self.specs)
        if whole:
            self.rebuild()

    def add(self) -> None:
        """One agent more: a copy of the chosen one, to be changed."""
        if self._at_rest() and len(self.specs) < memory.MOST:
            self.specs.insert(self.chosen + 1, self.specs[self.chosen])
            self.chosen += 1
            memory.keep(self.context, self.specs)
            self.rebuild()

    def remove(self) -> None:
        """The chosen agent takes no part."""
        if self._at_rest() and len(self.specs) > 2:
            del self.specs[self.chosen]
            self.chosen = min(self.chosen, len(self.specs) - 1)
            memory.keep(self.context, self.specs)
            self.rebuild()

    def _at_rest(self) -> bool:
        if self.player.busy:
            self.window.say("The tournament is running: Space stops it.")
        return not self.player.busy

    def _choose_board(self, name: str) -> None:
        numbers = next((numbers for preset, _label, numbers in PRESETS if preset == name), None)
        board = self.present
        self.shape = Shape(*(numbers or (board.rows, board.cols, board.depth, board.win)), self.shape.players)
        self.rebuild()

    def _step_players(self, by: int) -> str:
        shape = self.shape
        players = min(max(2, shape.players + by), len(self.specs))
        try:
            self.shape = Shape(shape.rows, shape.cols, shape.depth, shape.win, players)
        except ValueError as error:
            self.window.say(str(error), "bad")
        return str(self.shape.players)

    def _step_games(self, by: int) -> str:
        self.games = neighbour(GAMES, self.games, by)
        self.context.remember(f"{memory.MEMORY}/games", self.games)
        return str(self.games)

    def _step_plies(self, by: int) -> str:
        self.plies = min(max(0, self.plies + by), PLIES)
        self.context.remember(f"{memory.MEMORY}/plies", self.plies)
        return str(self.plies)

    def _step_time(self, by: int) -> str:
        self.seconds = neighbour(TIMES, self.seconds, by)
        self.context.remember(f"{memory.MEMORY}/seconds", self.seconds)
        return self._time_words()

    def _time_words(self) -> str:
        return f"{self.seconds:g} s" if self.seconds else "own"

    # What is asked for

    @property
    def cup(self) -> Cup:
        """What would be played now."""
        return Cup(tuple(self.specs), self.shape, self.games, self.plies, self.seconds or None)

    @property
    def shown(self) -> Progress | None:
        """The results that belong to the agents and the board in the form."""
        form = (tuple(self.specs), self.shape)
        for progress in (self.past, self.player.batch):
            if progress is not None and (progress.cup.specs, progress.cup.shape) == form:
                return progress
        return None

    def toggle(self) -> None:
        """Start, or stop and keep what there is."""
        if self.player.busy:
            self.player.stop()
            self.player.seen = True
            self.rebuild()
            return
        cup, state = self.cup, connect4.start(self.shape)
        reason = cup.problem()
        for spec in cup.specs:
            reason = reason or catalogue.why_not(GAME, spec, state)
        if reason is None and not kernels.ready(kernels.needed(GAME, *cup.specs)):
            reason = self.context.wait_for(kernels.needed(GAME, *cup.specs))
        if reason is not None:
            self.window.say(reason, "bad")
            return
        self.past = None
        self.player.start(cup)
        self.rebuild()

    def look_back(self) -> None:
        """The list of earlier tournaments."""
        if not self._at_rest():
            return
        if self.player.kept.all:
            self.window.push(ListDialog(self.window, self.player.kept.all, self._recall))
        else:
            self.window.say("There is no earlier tournament yet.")

    def _recall(self, kept: Tournament) -> None:
        def read() -> Progress:
            try:
                return recalled(kept)
            except ValueError as error:
                raise Unreadable(f"This tournament cannot be shown: {str(error).rstrip('.')}.") from None

        def take(progress: Progress) -> None:
            self.past = progress
            self._take(progress.cup)
            self.rebuild()

        self.window.read("Loading the tournament", read, take)

    def copy(self) -> None:
        """The cross-table as text."""
        progress = self.shown
        results.copy(self.window, len(progress.games) if progress is not None else 0, self._markdown)

    def save(self) -> None:
        """All games as a file."""
        progress = self.shown
        games = len(progress.games) if progress is not None else 0
        results.save(self.window, self.context, "connect4-tournament", games, self._csv)

    def _markdown(self) -> str:
        progress = self.shown
        return progress.markdown([str(spec) for spec in progress.cup.specs]) if progress is not None else ""

    def _csv(self) -> str:
        return self.shown.csv() if self.shown is not None else ""

    # Scene

    @override
    def command(self, command: str) -> bool:
        """Start, stop, agents in and out, copy, save."""
        actions: dict[str, Callable[[], object]] = {
            "tournament_run": self.toggle, "tournament_add": self.add, "tournament_remove": self.remove,
            "tournament_copy": self.copy, "tournament_save": self.save, "tournament_list": self.look_back,
        }  # fmt: skip
        if command == "back" and self.kit.focused is not None:
            self.kit.focus(None)
        elif command in actions:
            actions[command]()
        else:
            return super().command(command)
        return True

    @override
    def handle(self, event: pygame.event.Event) -> bool:
        """A click on a line chooses the agent to change."""
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            line = self.table.line_at(event.pos)
            if line is not None:
                self.chosen = line
                self.rebuild()
                return True
        return False

    @override
    def update(self, dt: float) -> None:
        """The job plays on its own; that it has ended is seen here."""
        player = self.player
        if not player.busy and not player.seen:
            player.seen = True
            if player.batch is not None and player.batch.problem:
                self.window.say(player.batch.problem, "bad")
            self.rebuild()

    @override
    def draw(self, surface: pygame.Surface) -> None:
        """Cards, the table, the board."""
        theme, progress, busy = self.theme, self.shown, self.player.busy
        if self.top_bar is not None:
            self.top_bar.subtitle = (
                f"{boards.board(self.shape)} · {self.shape.players} seats · {self.cup.wanted:,} games"
            )
            for command in ("tournament_copy", "tournament_save"):
                self.top_bar.buttons[command].set_enabled(progress is not None and bool(progress.games))
            self.top_bar.draw(surface)
        if self.start_button is not None:
            self.start_button.set("Stop" if busy else "Start", "stop" if busy else "play")
        for name in self.cards:
            draw_card(surface, theme, self.cards[name])
        names = [agent_name(spec) for spec in self.specs]
        versus = (
            "points of the row against the column"
            if self.shape.players == 2
            else "points of the row in games with the column"
        )
        table = progress.table if progress is not None else None
        self.table.draw(surface, theme, names, table, 1 / self.shape.players, self.chosen, versus)
        draw_heading(surface, theme, theme.px(40), self.cards["agent"], f"Agent {self.chosen + 1}")
        draw_heading(
            surface,
            theme,
            theme.px(36),
            self.cards["rules"],
            "What is played",
            "round robin" if self.shape.players == 2 else "every group",
        )
        self.live.draw(surface, self.cards["live"], self.player, progress, self.shape)
        if "standings" in self.cards:
            draw_standings(surface, theme, self.cards["standings"], table)

    @property
    @override
    def status(self) -> tuple[str, str, bool]:
        """How far it is."""
        right = "N adds an agent · Del removes one · L lists earlier ones"
        if self.player.busy:
            progress = self.player.batch
            assert progress is not None
            playing = min(len(progress.games) + 1, progress.wanted)
            where = f"Playing game {playing:,} of {progress.wanted:,}"
            return f"{where} · Space stops it and keeps the games · Esc goes back, it goes on", "", True
        shown = self.shown
        if shown is None:
            return "Space starts the tournament · Esc goes back", right, False
        how = "All games played" if shown.done else f"Stopped after {counted(len(shown.games), 'game')}"
        return f"{how} · Ctrl C copies the table · Space plays it again", right, False


def show_tournament(window: Host, context: Context, shape: Shape) -> None:
    """The tournament's screen in front: the one that is open already, else a new one for a board of that shape."""
    if in_front(window, lambda scene: isinstance(scene, TournamentScene)) is None:
        window.push(TournamentScene(window, context, shape))


def _player(window: Host, context: Context) -> Player:
    """The one that the app has, made when it is asked for first."""
    found = context.jobs.one(Player)
    if found is None:
        kept = Tournaments(context.saves, context.writer)
        if kept.notice:
            window.say(kept.notice, "bad")

        def show() -> None:
            batch = player.batch
            assert batch is not None
            show_tournament(window, context, batch.cup.shape)

        found = player = Player(kept, show)
        context.jobs.add(player)
    return found
