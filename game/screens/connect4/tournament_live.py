"""A tournament while it is played: how far it is, the game under way, and who is ahead."""

from typing import Any

import pygame

from ai import catalogue
from ai.entries import Spec
from game.rules import connect4
from game.rules.connect4 import Shape
from game.screens.connect4.cross_table import percent
from game.screens.connect4.tournament import CrossTable, Progress
from game.screens.connect4.tournament_player import Player
from game.ui import shapes, text
from game.ui.chrome import draw_bar, draw_heading
from game.ui.theme import FONT_SMALL, Theme, blend
from game.views.connect4.accent import ACCENT
from game.views.connect4.stones import STONES, flat_stone
from game.views.connect4.view import Connect4Board

HEAD, LEAST_LINE, MOST_LINE = 40, 20, 34
LEAST_BOARD = 60
"""Pixels below which no board is drawn."""


def agent_name(spec: Spec) -> tuple[str, str]:
    """An agent's title, and its model and whatever is not as usual."""
    entry = catalogue.entry("connect4", spec.id)
    said = [spec.model] if spec.model else []
    for name, value in spec.settings.items():
        parameter = entry.parameter(name)
        if value != parameter.default:
            shown = (
                value if isinstance(value, str) else f"{parameter.title.lower()} {'on' if value is True else 'off'}"
            )
            said.append(shown if isinstance(value, bool | str) else f"{parameter.title.lower()} {value:g}")
    return entry.title, " · ".join(said)


class Live:
    """The card with the board; the board is drawn anew only when a stone was dropped."""

    def __init__(self, theme: Theme) -> None:
        """Nothing drawn yet."""
        self.theme = theme
        self.board = Connect4Board(theme, animated=False, small=True)
        self._drawn: tuple[Any, ...] = ()
        self._picture = pygame.Surface((1, 1))

    def set_theme(self, theme: Theme) -> None:
        """Another look."""
        self.theme = theme
        self.board.set_theme(theme, False)
        self._drawn = ()

    def draw(
        self, surface: pygame.Surface, card: pygame.Rect, player: Player, progress: Progress | None, shape: Shape
    ) -> None:
        """`progress` is None before anything was played on a board of that `shape`."""
        theme, head = self.theme, self.theme.px(HEAD)
        if card.height < head + theme.px(20):
            return
        ended = f"{len(progress.games):,} of {progress.wanted:,} games" if progress is not None else ""
        draw_heading(surface, theme, head, card, "Game in progress" if player.busy else "Games", ended)
        pad = theme.px(16)
        bar = pygame.Rect(card.left + pad, card.top + head - theme.px(2), card.width - 2 * pad, theme.px(6))
        share = len(progress.games) / progress.wanted if progress is not None else 0.0
        draw_bar(surface, bar, share, theme.thinking, blend(theme.raised, theme.line, 0.5))
        y = bar.bottom + theme.px(14)
        wide = min(bar.width // 2, round((card.bottom - y - theme.px(10)) * 1.3))
        board = pygame.Rect(bar.right - wide, y - theme.px(4), wide, card.bottom - y - theme.px(6))
        moves = self._draw_board(surface, board, progress, shape)
        room = bar.width - wide - theme.px(16)
        if progress is None:
            words = (
                "Press Start: every agent plays every other one, each random opening in every order of seats. "
                "Click a line above to change that agent."
            )
            for line in text.wrap(theme, words, room):
                if y + theme.font().get_linesize() > card.bottom:
                    return
                text.draw(surface, theme, line, (bar.left, y), colour=theme.muted)
                y += theme.font().get_linesize()
            return
        if progress.now is not None:
            for seat, entrant in enumerate(progress.now[0]):
                stone = STONES[seat]
                icon = flat_stone(theme.px(18), stone.colour, stone.mark)
                surface.blit(icon, icon.get_rect(midleft=(bar.left, y + theme.px(9))))
                name = " · ".join(part for part in agent_name(progress.cup.specs[entrant]) if part)
                text.draw(surface, theme, name, (bar.left + theme.px(26), y + theme.px(9)), anchor="midleft",
                          limit=room - theme.px(26))  # fmt: skip
                y += theme.px(24)
        self._draw_facts(surface, (bar.left, y), room, card.bottom, self._facts(player, progress, moves))

    @staticmethod
    def _facts(player: Player, progress: Progress, moves: int) -> list[str]:
        rate, left = player.games_per_minute, player.left
        if player.busy and progress.now is None:
            return ["the agents are getting ready"]
        facts = [f"move {moves}"] if progress.now is not None else []
        facts += [f"{rate:,.0f} games a minute"] if rate is not None else []
        return facts + ([_minutes(left)] if left is not None else [])

    def _draw_facts(
        self, surface: pygame.Surface, at: tuple[int, int], room: int, bottom: int, facts: list[str]
    ) -> None:
        theme, (left, y) = self.theme, at
        for fact in facts:
            if y + theme.px(20) > bottom:
                return
            text.draw(surface, theme, fact, (left, y + theme.px(9)), size=FONT_SMALL, colour=theme.muted,
                      anchor="midleft", limit=room)  # fmt: skip
            y += theme.px(20)

    def _draw_board(self, surface: pygame.Surface, rect: pygame.Rect, progress: Progress | None, shape: Shape) -> int:
        """The position of the game under way, else of the last one; answers its moves."""
        moves: tuple[int, ...] = ()
        if progress is not None:
            moves = (
                progress.now[1] if progress.now is not None else progress.games[-1].moves if progress.games else ()
            )
        if rect.width < LEAST_BOARD or rect.height < LEAST_BOARD:
            return len(moves)
        key = (moves, rect.size, shape)
        if key != self._drawn:
            self._drawn = key
            state = connect4.start(shape)
            for action in moves:
                state = connect4.apply(state, action)
            self._picture = pygame.Surface(rect.size, pygame.SRCALPHA)
            self.board.draw_still(self._picture, self._picture.get_rect(), state)
        surface.blit(self._picture, rect)
        return len(moves)


def draw_standings(surface: pygame.Surface, theme: Theme, card: pygame.Rect, table: CrossTable | None) -> None:
    """The shares in order, each with a whisker of one standard error to both sides."""
    head, pad = theme.px(HEAD), theme.px(16)
    draw_heading(surface, theme, head, card, "Standings", "share ± error")
    if table is None:
        text.draw(surface, theme, "No games yet.", (card.left + pad, card.top + head), colour=theme.muted)
        return
    order = table.ranking()
    line = min(theme.px(MOST_LINE), (card.height - head - theme.px(8)) // len(order))
    for at, entrant in enumerate(order):
        y = card.top + head + at * line + line // 2
        total = table.totals[entrant]
        text.draw(surface, theme, str(entrant + 1), (card.left + pad, y), colour=theme.muted, anchor="midleft")
        number, value = theme.px(20), theme.px(52)
        bar = pygame.Rect(card.left + pad + number, 0, card.width - 2 * pad - number - value, theme.px(10))
        bar.centery = y
        surface.blit(shapes.rounded(bar.size, bar.height // 2, blend(theme.raised, theme.line, 0.5)), bar)
        full = round(bar.width * total.share)
        if full >= bar.height:
            fill = ACCENT.on(theme) if at == 0 else blend(ACCENT.on(theme), theme.surface, 0.4)
            surface.blit(shapes.rounded((full, bar.height), bar.height // 2, fill), bar)
        if total.error is not None and total.error > 0:
            low = bar.left + round(bar.width * max(0.0, total.share - total.error))
            high = bar.left + round(bar.width * min(1.0, total.share + total.error))
            pygame.draw.line(surface, theme.text, (low, y), (high, y))
            for end in (low, high):
                pygame.draw.line(surface, theme.text, (end, y - theme.px(3)), (end, y + theme.px(3)))
        shown = percent(total.share) if total.games else "–"
        text.draw(
            surface, theme, shown, (card.right - pad, y), anchor="midright", weight="bold" if at == 0 else "regular"
        )


def _minutes(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s left"
    return f"{whole // 60} min left" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min left"
