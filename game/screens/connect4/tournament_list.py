"""The tournaments that were kept, in a list: a click shows the table of one again."""

from collections.abc import Callable, Sequence
from functools import partial

import pygame
from typing_extensions import override

from ai import catalogue
from ai.entries import CatalogueError
from game.play.connect4 import boards
from game.play.words import counted, recent
from game.rules import connect4
from game.saves.tournaments import Tournament
from game.screens.connect4.tournament_player import GAME
from game.ui import shapes, text
from game.ui.controls import Button
from game.ui.dialog import Answer, Dialog
from game.ui.kit import Kit
from game.ui.scene import Host
from game.ui.theme import FONT_SMALL, RADIUS_CONTROL

LINE, GAP = 44, 6


class ListDialog(Dialog):
    """The newest first."""

    def __init__(self, window: Host, kept: Sequence[Tournament], choose: Callable[[Tournament], None]) -> None:
        """`choose` is called with the one that is to be shown, after the dialogue has closed."""
        self._kept, self._choose = tuple(kept), choose
        super().__init__(
            window,
            "Earlier tournaments",
            answers=(Answer("Cancel"),),
            width=600,
            inside=len(kept) * (LINE + GAP) + GAP,
        )

    @override
    def build_inside(self, rect: pygame.Rect) -> None:
        """A line each, closer where there are many in a low window."""
        theme = self.theme
        room = self.card.bottom - theme.px(72) - rect.top
        line = min(theme.px(LINE + GAP), room // max(1, len(self._kept)))
        for number, each in enumerate(self._kept):
            place = pygame.Rect(rect.left, rect.top + number * line, rect.width, line - theme.px(GAP))
            Line(self.kit, place, each, partial(self.answer, Answer("Show", partial(self._choose, each))))


class Line(Button):
    """When and on which board on the left, who leads on the right."""

    def __init__(self, kit: Kit, rect: pygame.Rect, kept: Tournament, on_press: Callable[[], object]) -> None:
        """A button as wide as the list."""
        when, table = _when(kept), f"{_board(kept)} · {counted(len(kept.games), 'game')}"
        self._words, self._note = f"{when[:1].upper()}{when[1:]}", table
        self._leader = _leader(kept)
        super().__init__(kit, rect, on_press=on_press, tip=", ".join(map(_title, kept.agents)))

    @override
    def paint(self, surface: pygame.Surface) -> None:
        """Two columns of words, the left one in two tones."""
        theme, (width, height) = self.theme, surface.get_size()
        fill, ink = self.colours()
        surface.blit(shapes.rounded((width, height), theme.px(RADIUS_CONTROL), fill), (0, 0))
        pad, y = theme.px(12), height // 2
        first = text.draw(surface, theme, self._words, (pad, y), colour=ink, anchor="midleft")
        left = max(first.right, pad + theme.px(116)) + theme.px(12)
        last = text.draw(
            surface, theme, self._leader, (width - pad, y), colour=ink, anchor="midright", limit=(width - left) // 2
        )
        text.draw(surface, theme, self._note, (left, y), size=FONT_SMALL, colour=theme.muted, anchor="midleft",
                  limit=last.left - left - pad)  # fmt: skip


def _when(kept: Tournament) -> str:
    try:
        return recent(kept.began)
    except ValueError:
        return "some time ago"


def _board(kept: Tournament) -> str:
    try:
        return boards.size(connect4.parse_shape(kept.board, kept.players))
    except ValueError:
        return kept.board


def _title(agent: str) -> str:
    try:
        return catalogue.entry(GAME, catalogue.parse(GAME, agent).id).title
    except CatalogueError:
        return agent


def _leader(kept: Tournament) -> str:
    """Who has the most points of a game, as far as the file says."""
    points, games = [0.0] * len(kept.agents), [0] * len(kept.agents)
    for game in kept.games:
        for seat, entrant in enumerate(game.who):
            if entrant < len(points):
                games[entrant] += 1
                points[entrant] += 1 / len(game.who) if game.winner is None else float(game.winner == seat)
    shares = [point / max(1, number) for point, number in zip(points, games, strict=True)]
    best = max(range(len(shares)), key=lambda entrant: shares[entrant])
    return f"{_title(kept.agents[best])} {100 * shares[best]:.0f} %"
