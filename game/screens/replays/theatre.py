"""The theatre: one finished game, or two side by side, moved on by time, by keys or along the line below."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pygame
from typing_extensions import override

from game.rules.replay import Replay, ReplayError
from game.saves.files import DamagedFile, put_away
from game.screens.context import Context
from game.screens.keys import REPLAY
from game.screens.navigation import open_scene
from game.screens.replays.cards import Cards
from game.screens.replays.export_job import under_way
from game.screens.replays.playhead import FIRST_SPEED, Playhead
from game.screens.replays.positions import Positions
from game.screens.replays.reading import read_soon
from game.screens.replays.track import Track
from game.screens.replays.transport import Pair, Transport
from game.screens.replays.view import GameView
from game.screens.replays.words import title_of, who_played
from game.ui import text
from game.ui.chrome import Action, TopBar
from game.ui.layout import Layout, layout
from game.ui.scene import Host, Scene
from game.ui.shortcuts import WINDOW
from game.ui.theme import CONTROL_HEIGHT
from game.views.view import accent_of

BUILD_SECONDS = 0.004
"""Work on unknown positions in each frame."""
SPEED_KEY = "theatre"
"""Under which the speed is remembered."""
CURVE, CURVE_LOW = 62, 34
"""Height of the curve; in a low window."""
LOW = 640
TOP_ACTIONS = (Action("eye", "Point at the next move", "point"), Action("help", "Keys", "help"))
FOLDED_ACTIONS = (
    Action("gamepad", "Continue from here as a game", "go_on"),
    Action("copy", "A second game beside it", "compare"),
    Action("download", "Export", "export_replay"),
)
"""Of the buttons that stand below the cards where there is room for cards."""
OTHER_NAMES = {
    "run": "play", "right": "forth", "redo": "forth", "step": "forth", "left": "back_one", "undo": "back_one",
    "next": "page_forth", "previous": "page_back", "first": "to_start", "last": "to_end", "faster": "quicker",
    "slower": "calmer", "up": "quicker", "down": "calmer", "view": "point", "accept": "play", "restart": "to_start",
}  # fmt: skip
"""Commands of other screens, as a gamepad or habit gives them, and what they mean here."""


class TheatreScene(Scene):
    """Shows replays; it knows no file but the one it was given."""

    name = "theatre"
    groups = (REPLAY, WINDOW)
    gestures = (
        ("click, drag", "Move along the line and the curve"),
        ("click", "Go to a move of the list"),
        ("drag", "Turn a deep board"),
        ("wheel", "Move by move"),
    )

    def __init__(self, window: Host, context: Context, source: Replay | Path, playing: bool = True) -> None:
        """`source` is a replay or the file of one, which is read without waiting for it."""
        super().__init__(window)
        self.context = context
        self.source = source
        self.games: list[Positions] = []
        self.views: list[GameView] = []
        self.head = Playhead([0], context.speed(SPEED_KEY, FIRST_SPEED))
        self.track = Track()
        self.cards = Cards(self.games, self.head)
        self.layout: Layout = layout(self.size, self.theme)
        self.point = False
        self.top_bar: TopBar | None = None
        self._coming: list[tuple[Path, Future[Replay]]] = []
        self._waiting = ""
        self._shown_problem: set[str] = set()
        self._transport: Transport | None = None
        self._boards = pygame.Rect(0, 0, 1, 1)
        self._turning: tuple[int, tuple[int, int]] | None = None
        self._autoplay = playing
        self._stepped = False
        """Whether a step was asked for since the last frame: it is heard, unlike moves that are only passed by."""
        self.add(source)

    @override
    def again(self) -> "TheatreScene":
        """The same game from its start."""
        return TheatreScene(self.window, self.context, self.source, playing=False)

    # Games

    def add(self, source: Replay | Path) -> None:
        """Show a game, beside the one there is, if there is one."""
        if isinstance(source, Path):
            self._coming.append((source, read_soon(source)))
        else:
            self._take(source, "replay")

    def _take(self, replay: Replay, source: str) -> None:
        try:
            positions = Positions(replay, source)
            positions.build(BUILD_SECONDS)
        except ReplayError as error:
            self._refuse(f"This replay cannot be shown: {error}.")
            return
        del self.games[1:], self.views[1:]
        self.games.append(positions)
        self.views.append(GameView(positions, self.theme, self.window.look.animated))
        before = self.head
        self.head = Playhead([positions.length for positions in self.games], before.speed)
        self.head.by_share = len({positions.length for positions in self.games}) > 1
        if len(self.games) == 1:
            self.head.playing = self._autoplay and positions.length > 0
        else:
            self.head.go_to_share(before.share)
        self.cards = Cards(self.games, self.head)
        if self in self.window.scenes:
            self.rebuild()

    def _refuse(self, sentence: str) -> None:
        """Say what is wrong; without any game there is nothing to stay for but the sentence."""
        self.window.say(sentence, "bad")
        self._waiting = sentence

    def _collect(self) -> None:
        """Take games that have been read by now."""
        for path, reading in [item for item in self._coming if item[1].done()]:
            self._coming.remove((path, reading))
            error = reading.exception()
            if error is None:
                self._take(reading.result(), path.name)
            elif isinstance(error, ReplayError):
                own = self.context.saves.replays in path.parents and self.context.saves.writable and path.exists()
                words = put_away(self.context.saves, DamagedFile(path, error.reason)) if own else f"{error}."
                self._refuse(words)
            else:
                raise error

    def close_second(self) -> None:
        """Back to one game."""
        if len(self.games) > 1:
            at = self.head.ply(0)
            del self.games[1:], self.views[1:]
            self.head = Playhead([self.games[0].length], self.head.speed)
            self.head.go(at)
            self.cards = Cards(self.games, self.head)
            self.rebuild()

    # Scene

    @override
    def build(self) -> None:
        """Boards, the line below them, buttons, cards on the right."""
        theme = self.theme
        self.layout = areas = layout(self.size, theme)
        accent = accent_of(theme, self.games[0].replay.game) if self.games else theme.thinking
        actions = (*FOLDED_ACTIONS, *TOP_ACTIONS) if areas.folded else TOP_ACTIONS
        self.top_bar = TopBar(self.kit, self.size[0], "Replay", accent, actions, self.window.command, self.groups)
        low = self.size[1] / theme.scale < LOW + 60
        room = areas.board if not areas.folded else areas.board.union(areas.panel)
        high, gap = theme.px(CONTROL_HEIGHT), theme.px(8)
        controls = pygame.Rect(room.left, room.bottom - high, room.width, high)
        curved = any(positions.valued or positions.view.tally_curve for positions in self.games)
        line = theme.px(42 + (0 if not curved else CURVE_LOW if low else CURVE))
        place = pygame.Rect(room.left, controls.top - gap - line, room.width, line)
        self.track.layout(place, theme)
        self._boards = pygame.Rect(room.left, room.top, room.width, place.top - gap - room.top)
        self._place_boards()
        self._transport = Transport(
            self.kit, controls, self.head, self.window.command, self._keep_speed,
            None if len(self.games) < 2 else Pair(self._change_pace, self.close_second),
        )  # fmt: skip
        if not areas.folded:
            self.cards.build(self.kit, areas.panel, self.window.command)

    def _place_boards(self) -> None:
        theme, animated, gap = self.theme, self.window.look.animated, self.theme.px(16)
        several = len(self.views) > 1
        wide = (self._boards.width - gap * (len(self.views) - 1)) // max(1, len(self.views))
        for number, view in enumerate(self.views):
            rect = pygame.Rect(self._boards.left + number * (wide + gap), self._boards.top, wide, self._boards.height)
            view.layout(rect, theme, animated, several, several or self.layout.folded)

    @override
    def enter(self) -> None:
        """Back in front."""
        self.track.held = False

    @override
    def leave(self) -> None:
        """Something covers the theatre: stand still."""
        self.head.playing = False

    @override
    def rest(self) -> None:
        """Minimised."""
        self.head.playing = False

    # Input

    @override
    def command(self, command: str) -> bool:
        """Everything a theatre does, by the names of the keys' table."""
        command = OTHER_NAMES.get(command, command)
        actions: dict[str, Callable[[], object]] = {
            "play": self.head.toggle,
            "forth": lambda: self.step(1),
            "back_one": lambda: self.step(-1),
            "page_forth": lambda: self.step(10),
            "page_back": lambda: self.step(-10),
            "to_start": lambda: self.head.go(0),
            "to_end": lambda: self.head.go(self.head.longest),
            "quicker": lambda: self._change_speed(1),
            "calmer": lambda: self._change_speed(-1),
            "point": self._toggle_point,
            "go_on": self.go_on,
            "compare": self.compare,
            "export_replay": self.export,
        }
        if command == "back" and self.kit.focused is not None:
            self.kit.focus(None)
            return True
        if command in actions:
            if self.games:
                actions[command]()
            return True
        return super().command(command)

    def step(self, moves: int) -> None:
        """So many moves on or back, and pause."""
        self.head.playing = False
        self.head.go(self.head.at + moves)
        self._stepped = True

    def _change_speed(self, by: int) -> None:
        if self._transport is not None:
            self._transport.change_speed(by)

    def _keep_speed(self) -> None:
        self.context.remember_speed(SPEED_KEY, self.head.speed)

    def _change_pace(self) -> None:
        self.head.by_share = not self.head.by_share
        self.rebuild()

    def _toggle_point(self) -> None:
        self.point = not self.point
        if self.point:
            self.window.say("The next move is pointed at while the game stands still.", holds=lambda: self.point)

    @override
    def handle(self, event: pygame.event.Event) -> bool:
        """The line, the list of moves, the wheel, and drags that turn a board."""
        if not self.games:
            return False
        share = self.track.handle(event)
        if share is not None:
            self.head.playing = False
            self.head.go_to_share(share)
            return True
        move = self.cards.handle(event)
        if move is not None:
            self.head.playing = False
            self.head.go(self.place_of(move))
            return True
        if event.type == pygame.MOUSEWHEEL:
            return self._wheel(event)
        return self._turn(event)

    def place_of(self, ply: int) -> int:
        """The place at which the first game has played `ply` moves."""
        head = self.head
        if not head.by_share or not head.lengths[0]:
            return ply
        return next((at for at in range(head.longest + 1) if head.ply(0, at) >= ply), head.longest)

    def _wheel(self, event: pygame.event.Event) -> bool:
        pointer = self.kit.pointer
        if self.cards.scroll(pointer, event.y):
            return True
        for view in self.views:
            if view.rect.collidepoint(pointer) and view.board.zoom(event.y):
                return True
        self.step(-1 if event.y > 0 else 1)
        return True

    def _turn(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            for number, view in enumerate(self.views):
                if view.rect.collidepoint(event.pos):
                    self._turning = (number, event.pos)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            self._turning = None
        elif event.type == pygame.MOUSEMOTION and self._turning is None:
            for view in self.views:
                view.board.pointer = event.pos if view.rect.collidepoint(event.pos) else None
        elif event.type == pygame.MOUSEMOTION and self._turning is not None:
            number, (x, y) = self._turning
            if number < len(self.views):
                self.views[number].board.drag(event.pos[0] - x, event.pos[1] - y)
            self._turning = (number, event.pos)
            return True
        return False

    # What leads elsewhere

    def go_on(self) -> None:
        """Play on from the position that is shown."""
        from game.screens.opening import go_on

        positions = self.games[0]
        go_on(self.window, self.context, positions, min(self.head.ply(0), positions.known))

    def compare(self) -> None:
        """Choose a second game."""
        replay = self.games[0].replay
        open_scene("replays", self.window, self.context, replay.game, self.add, replay)

    def export(self) -> None:
        """A picture or a video of the first game."""
        from game.screens.replays.export_dialog import ExportDialog

        positions = self.games[0]
        self.window.push(ExportDialog(self.window, self.context, positions.replay, self.head.ply(0)))

    # Frame

    @override
    def update(self, dt: float) -> None:
        """Games that were read, positions, time; behind a dialog or the list of keys the game stands still."""
        if self.window.top is not self or self.window.showing_keys:
            self.head.playing = False
        self._collect()
        for positions in self.games:
            if not positions.done:
                positions.build(BUILD_SECONDS / len(self.games))
                break
        for number, positions in enumerate(self.games):
            if positions.problem and positions.problem not in self._shown_problem:
                self._shown_problem.add(positions.problem)
                self.window.say(positions.problem, "bad")
                self.head.lengths[number] = positions.length
                self.head.go(min(self.head.at, self.head.longest))
        if not self.games:
            return
        limit = self.head.limit([positions.known for positions in self.games])
        playing = self.head.playing  # asked before: the last move is played like the others
        self.head.update(dt, limit)
        for number, view in enumerate(self.views):
            ply = min(self.head.ply(number), view.positions.known)
            sound = view.go(ply, 0.9 / self.head.speed if playing else 0.25)
            if sound is not None and (playing or self._stepped):
                self.window.play(*sound)
            view.board.update(dt)
        self._stepped = False

    @override
    def draw(self, surface: pygame.Surface) -> None:
        """Boards, line, cards, bars."""
        theme = self.theme
        if self.top_bar is not None:
            positions = self.games[0] if self.games else None
            self.top_bar.subtitle = (
                f"{title_of(positions.replay)} · {who_played(positions.replay)}" if positions else ""
            )
            for command, button in self.top_bar.buttons.items():
                button.set_enabled(bool(self.games) or command == "help")
            self.top_bar.buttons["point"].set_selected(self.point)
            self.top_bar.draw(surface)
        if not self.games:
            words = self._waiting or "Reading the game …"
            lines = text.wrap(theme, words, self._boards.width)
            for number, line in enumerate(lines):
                text.draw(surface, theme, line, (self._boards.centerx, self._boards.centery + number * theme.px(22)),
                          colour=theme.muted, anchor="center")  # fmt: skip
            return
        for number, view in enumerate(self.views):
            mark = self.track.colour(theme, number) if len(self.views) > 1 else None
            view.draw(surface, theme, self.point and not self.head.playing, mark)
        if self._transport is not None:
            self._transport.update()
        counts = " · ".join(
            f"{min(self.head.ply(number), each.known):,} / {each.length:,}" for number, each in enumerate(self.games)
        )
        self.track.draw(surface, theme, self.games, self.head, counts)
        if not self.layout.folded:
            self.cards.draw(surface)

    @property
    @override
    def status(self) -> tuple[str, str, bool]:
        """What can be done; how far the positions are known."""
        building = next((positions for positions in self.games if not positions.done), None)
        if building is not None and building.length > 5000:
            share = building.known / max(1, building.length)
            return f"Replaying the game: {share:.0%}", "", True
        hover = self.cards.hover_words() or self._hover_words()
        left = "Space plays and pauses · ← → step · drag along the line · G plays on from here"
        exporting = under_way(self.context.jobs)
        return hover or left, exporting, bool(exporting)

    def _hover_words(self) -> str:
        """The move under the pointer on the line."""
        if self.track.hover is None or not self.games:
            return ""
        return self.cards.move_words(self.head.ply(0, round(self.track.hover * self.head.longest)))
