"""The menu: the last game on top, a large card per game with an agent playing on it, small cards, settings."""

from functools import partial
from itertools import pairwise
from types import MappingProxyType

import pygame
from typing_extensions import override

from ai import kernels
from game.play.words import ago
from game.rules.games import GAMES
from game.saves import resume
from game.screens.context import Context
from game.screens.demo import Demo
from game.screens.games import demo, game_scene, pasting
from game.screens.keys import MENU
from game.screens.navigation import open_scene
from game.screens.tools import TOOLS, Tool
from game.ui import clipboard, shapes, svg, text
from game.ui.chrome import ICON_BUTTON, draw_card
from game.ui.controls import Button
from game.ui.kit import Control, Kit
from game.ui.reading import Unreadable
from game.ui.scene import DIRECTIONS, Host, Scene
from game.ui.shortcuts import MOVES, WINDOW, keys_shown
from game.ui.theme import CONTROL_HEIGHT, FONT_SMALL, FONT_TITLE, GUTTER, RADIUS_CARD, STATUS_BAR, Theme, blend
from game.views.view import accent_of, view_of

HEADER = 78
CONTINUE = 72
CARD_TEXT = 128
TOOL, TOOL_LOW, LOW = 68, 54, 700
"""Height of a small card, and below which height of the window it is the smaller one."""
VERSION = "0.1"
CLOSING_SECONDS = 4.0
"""Within which a second Esc closes the app."""


class MenuScene(Scene):
    """First and last screen."""

    name = "menu"
    groups = (MOVES, MENU, WINDOW)
    meanings = MappingProxyType({"accept": "Open a game, or go on"})
    gestures = (("click", "Open a game"), ("1 2 3", "Open a game by its number"))

    def __init__(self, window: Host, context: Context) -> None:
        """Live boards start at once; agents join when their kernels are ready."""
        super().__init__(window)
        self.context = context
        self.demos: dict[str, Demo] = {}
        self.cards: list[_Card] = []
        self.last: resume.Headline | None = None
        self._closing = 0.0
        """Seconds left for a second Esc."""

    @override
    def build(self) -> None:
        """Header buttons, the continue card, a card per game."""
        theme, (width, height) = self.theme, self.size
        animated = self.window.look.animated
        for game in GAMES:
            if game in self.demos:
                self.demos[game].set_theme(theme, animated)
            else:
                self.demos[game] = demo(game, self.context, theme, animated)
        gutter, side = theme.px(GUTTER), theme.px(ICON_BUTTON)
        top = (theme.px(HEADER) - side) // 2 + theme.px(4)
        y = theme.px(HEADER) + theme.px(8)
        self.last = resume.last_session(self.context.saves)
        if self.last is not None:
            _Continue(self.kit, pygame.Rect(gutter, y, width - 2 * gutter, theme.px(CONTINUE)), self.last, self)
            y += theme.px(CONTINUE) + theme.px(20)
        games = list(GAMES)
        columns = _columns(pygame.Rect(gutter, y, width - 2 * gutter, 0), len(games), theme.px(24))
        wide = columns[0].width
        tools = theme.px(TOOL_LOW if height < theme.px(LOW) else TOOL)
        bottom = height - theme.px(STATUS_BAR + GUTTER) - tools
        high = bottom - theme.px(20) - y
        high = min(high, round(wide * 1.35) + theme.px(40))
        spare = bottom - theme.px(16) - y - high
        y += max(0, spare // 2)
        self.cards = []
        for column, game in zip(columns, games, strict=True):
            rect = pygame.Rect(column.left, y, column.width, high)
            self.cards.append(_Card(self.kit, rect, game, self))
            board = pygame.Rect(rect.left, rect.top, rect.width, high - theme.px(CARD_TEXT))
            self.demos[game].layout(board.inflate(-theme.px(32), -theme.px(32)))
            if view_of(game).teaches:
                self._build_learn(self.cards[-1])
        self._build_tools(pygame.Rect(gutter, bottom, width - 2 * gutter, tools))
        Button(self.kit, pygame.Rect(width - gutter - 2 * side - theme.px(8), top, side, side), icon="help",
               on_press=lambda: self.window.command("help"), tip=f"Keys ({keys_shown('help')})")  # fmt: skip
        Button(self.kit, pygame.Rect(width - gutter - side, top, side, side), icon="settings",
               on_press=lambda: self.window.command("settings"), tip=f"Settings ({keys_shown('settings')})")  # fmt: skip

    def _build_tools(self, row: pygame.Rect) -> None:
        """The small cards below the games'."""
        places = _columns(row, len(TOOLS), self.theme.px(24 if len(TOOLS) == len(GAMES) else 16))
        for rect, tool in zip(places, TOOLS, strict=True):
            _ToolCard(self.kit, rect, tool, self)

    def _build_learn(self, card: "_Card") -> None:
        """The button of a card that leads to the game's lesson."""
        theme = self.theme
        high, wide = theme.px(32), text.width(theme, "Learn") + theme.px(28)
        right, top = card.rect.right - theme.px(16), card.rect.bottom - theme.px(CARD_TEXT - 20)
        tip = f"Learn {GAMES[card.game].title} by playing"
        place = pygame.Rect(right - wide, top, wide, high)
        Button(self.kit, place, "Learn", on_press=partial(self.learn, card.game), tip=tip, layer=2)

    @override
    def enter(self) -> None:
        """Back in front: the boards go on."""
        for live in self.demos.values():
            live.resume()

    @override
    def leave(self) -> None:
        """A game is open: its agent needs the processor."""
        for live in self.demos.values():
            live.pause()

    @override
    def rest(self) -> None:
        """Minimised: nobody watches the boards."""
        for live in self.demos.values():
            live.driver.stop_thinking()

    @override
    def again(self) -> "MenuScene":
        """A fresh menu."""
        return MenuScene(self.window, self.context)

    @override
    def close(self) -> None:
        """End the threads."""
        for live in self.demos.values():
            live.close()

    def open(self, game: str) -> None:
        """Open a game's screen, where it was left."""
        self.window.push(game_scene(game, self.window, self.context))

    def learn(self, game: str) -> None:
        """Open a game's screen with its lesson."""
        self.open(game)
        self.window.command("learn")

    def paste(self) -> None:
        """Open what is on the clipboard, on the screen of the first game to which it means something."""
        words = clipboard.read()
        if not words.strip():
            self.window.say("There is no text on the clipboard.")
        else:
            self.window.read("Reading the clipboard", lambda: _meant(words), self._open_pasted)

    def _open_pasted(self, game: str) -> None:
        from game.screens.opening import show_game  # when it is needed: it brings most screens with it

        show_game(self.window, self.context, game)
        taking = pasting(game)
        for command in taking.COMMANDS if taking is not None else ():
            self.window.command(command)

    def open_tool(self, tool: Tool) -> None:
        """Open what a small card stands for."""
        open_scene(tool.scene, self.window, self.context)

    @override
    def command(self, command: str) -> bool:
        """Arrows walk through the cards, Enter opens, Esc twice leaves the app."""
        if command == "accept":
            pointed = next((card.game for card in self.cards if card.hovered), None)
            self.open(pointed or (self.last.game if self.last else next(iter(GAMES))))
        elif command == "paste_any":
            self.paste()
        elif command in DIRECTIONS:
            self.kit.walk(DIRECTIONS[command])
        elif command == "back":
            if self.kit.focused is not None:
                self.kit.focus(None)
            elif self._closing > 0:
                self.window.quit()
            else:
                self._closing = CLOSING_SECONDS
                self.window.say("; ".join(["Esc again closes Trilogic", *self.context.jobs.at_exit]) + ".")
        else:
            return False
        return True

    @override
    def handle(self, event: pygame.event.Event) -> bool:
        """1, 2, 3 open the games."""
        if event.type == pygame.KEYDOWN and event.unicode.isascii() and event.unicode.isdigit():
            games = list(GAMES)
            number = int(event.unicode) - 1
            if 0 <= number < len(games):
                self.open(games[number])
                return True
        return False

    @override
    def update(self, dt: float) -> None:
        """The live boards; their agents join after the first picture, because loading them takes a while."""
        self._closing -= dt
        if self.window.frames and (self.window.top is self or self.window.top.overlay):
            for live in self.demos.values():
                live.update(dt)

    @override
    def draw(self, surface: pygame.Surface) -> None:
        """Header; the cards' own drawing happens in their controls' place, below them."""
        theme = self.theme
        gutter, middle = theme.px(GUTTER), theme.px(HEADER) // 2 + theme.px(4)
        mark = theme.px(44)
        surface.blit(svg.sprite("icon", mark), (gutter, middle - mark // 2))
        left = gutter + mark + theme.px(14)
        text.draw(
            surface,
            theme,
            "Trilogic",
            (left, middle - theme.px(10)),
            size=FONT_TITLE,
            weight="bold",
            anchor="midleft",
        )
        text.draw(
            surface,
            theme,
            "three thinking games",
            (left + 1, middle + theme.px(18)),
            colour=theme.muted,
            anchor="midleft",
        )
        for card in self.cards:
            card.draw_under(surface)

    @property
    @override
    def status(self) -> tuple[str, str, bool]:
        """What is being prepared, the version."""
        preparing = self.context.preparing
        idle = "Everything ready" if kernels.all_ready() else "Ready to play"
        return preparing or idle, f"v{VERSION} · {keys_shown('help').split()[0]} keys", bool(preparing)


def _meant(words: str) -> str:
    """The game to which a text means something; raises Unreadable."""
    for game in GAMES:
        taking = pasting(game)
        if taking is not None and taking.reads(words):
            return game
    raise Unreadable("What is on the clipboard is no level, no board and no game that can be opened here.")


class _Card(Control):
    """A game's card: its live board above, its name and facts below."""

    radius = RADIUS_CARD

    def __init__(self, kit: Kit, rect: pygame.Rect, game: str, menu: MenuScene) -> None:
        self.game, self.menu = game, menu
        super().__init__(kit, rect)

    @override
    def press(self) -> None:
        """Open the game."""
        self.kit.sound("click")
        self.menu.open(self.game)

    @override
    def paint(self, surface: pygame.Surface) -> None:
        """Only the outline when hovered; the card itself is drawn under the controls, because its board moves."""
        if self.lit:
            theme = self.theme
            clear = pygame.Color(0, 0, 0, 0)
            outline = shapes.rounded(
                self.rect.size, theme.px(RADIUS_CARD), clear, accent_of(theme, self.game), theme.px(2)
            )
            surface.blit(outline, (0, 0))

    def draw_under(self, surface: pygame.Surface) -> None:
        """Card, board, words."""
        theme, rect, live = self.theme, self.rect, self.menu.demos[self.game]
        draw_card(surface, theme, rect)
        words = theme.px(CARD_TEXT)
        stage = pygame.Rect(rect.left, rect.top, rect.width, rect.height - words)
        _draw_stage(surface, theme, stage)
        live.draw(surface)
        surface.fill(accent_of(theme, self.game), (rect.left, stage.bottom, rect.width, theme.px(3)))
        left, y = rect.left + theme.px(22), stage.bottom
        limit = rect.width - theme.px(40)
        title = GAMES[self.game].title
        text.draw(
            surface, theme, title, (left, y + theme.px(36)), size=24, weight="bold", anchor="midleft", limit=limit
        )
        text.draw(
            surface, theme, live.facts(), (left, y + theme.px(66)), colour=theme.muted, anchor="midleft", limit=limit
        )
        dot = theme.px(8)
        at = y + theme.px(98)
        surface.blit(shapes.disc(dot, theme.thinking), (left, at - dot // 2))
        ready = live.driver.ready
        says = live.doing() if ready else "an agent plays here once it is prepared"
        ink = blend(theme.thinking, theme.text, 0.45)
        text.draw(surface, theme, says, (left + dot + theme.px(8), at), size=FONT_SMALL, colour=ink, anchor="midleft",
                  limit=limit - dot - theme.px(8))  # fmt: skip


def _columns(row: pygame.Rect, count: int, gap: int) -> list[pygame.Rect]:
    """`row` in equal parts with gaps, from its left edge exactly to its right one."""
    step = (row.width + gap) / count
    edges = [row.left + round(number * step) for number in range(count + 1)]
    return [pygame.Rect(left, row.top, right - gap - left, row.height) for left, right in pairwise(edges)]


def _draw_stage(surface: pygame.Surface, theme: Theme, rect: pygame.Rect) -> None:
    """The upper part of a card, a shade apart, with the card's round corners."""
    shade = blend(theme.surface, theme.ground, 0.6)
    radius = theme.px(RADIUS_CARD)
    clip = surface.get_clip()
    surface.set_clip(rect)
    surface.blit(shapes.rounded((rect.width, rect.height + radius), radius, shade), rect)
    surface.set_clip(clip)


class _ToolCard(Control):
    """A small card: an icon, what it opens, what there is."""

    radius = RADIUS_CARD

    def __init__(self, kit: Kit, rect: pygame.Rect, tool: Tool, menu: MenuScene) -> None:
        self.tool, self.menu = tool, menu
        self.subtitle = tool.subtitle(menu.context)
        super().__init__(kit, rect)

    @override
    def press(self) -> None:
        """Open it."""
        self.kit.sound("click")
        self.menu.open_tool(self.tool)

    @override
    def paint(self, surface: pygame.Surface) -> None:
        """Icon on the left, two lines beside it."""
        theme, (width, height) = self.theme, surface.get_size()
        fill = blend(theme.surface, theme.text, 0.06 if self.lit else 0.0)
        surface.blit(shapes.rounded((width, height), theme.px(RADIUS_CARD), fill), (0, 0))
        glyph, left = theme.px(22), theme.px(58)
        surface.blit(svg.icon(self.tool.icon, glyph, theme.muted), (theme.px(22), (height - glyph) // 2))
        limit = width - left - theme.px(12)
        text.draw(surface, theme, self.tool.title, (left, height // 2 - theme.px(9)), weight="bold", anchor="midleft",
                  limit=limit)  # fmt: skip
        text.draw(surface, theme, self.subtitle, (left, height // 2 + theme.px(10)), size=FONT_SMALL, colour=theme.muted,
                  anchor="midleft", limit=limit)  # fmt: skip


class _Continue(Control):
    """The wide card on top: one press and the last game goes on."""

    radius = RADIUS_CARD

    def __init__(self, kit: Kit, rect: pygame.Rect, last: resume.Headline, menu: MenuScene) -> None:
        self.last, self.menu = last, menu
        super().__init__(kit, rect)

    @override
    def press(self) -> None:
        """Open it."""
        self.kit.sound("click")
        self.menu.open(self.last.game)

    @override
    def paint(self, surface: pygame.Surface) -> None:
        """Play sign, what it was, when."""
        theme, (width, height) = self.theme, surface.get_size()
        tint = blend(theme.surface, theme.thinking, 0.24 if self.lit else 0.16)
        box = shapes.gradient_rounded((width, height), theme.px(RADIUS_CARD), tint, theme.surface, horizontal=True)
        surface.blit(box, (0, 0))
        glyph = theme.px(22)
        surface.blit(svg.icon("play", glyph, theme.thinking), (theme.px(24), (height - glyph) // 2))
        left = theme.px(60)
        title = f"Continue {GAMES[self.last.game].title}"
        text.draw(surface, theme, title, (left, height // 2 - theme.px(9)), weight="bold", anchor="midleft")
        when = ago(self.last.when)
        note = " · ".join(part for part in (self.last.headline, when) if part)
        text.draw(surface, theme, note, (left, height // 2 + theme.px(11)), size=FONT_SMALL, colour=theme.muted,
                  anchor="midleft", limit=width - left - theme.px(CONTROL_HEIGHT * 3))  # fmt: skip
        text.draw(surface, theme, "Enter", (width - theme.px(20), height // 2), colour=theme.muted, anchor="midright")
