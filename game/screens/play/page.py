"""A page of the panel: its cards, and what every page has, the seats and the card about this game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pygame

from game.play.session import Session
from game.screens.play import seats
from game.screens.play.face import Face
from game.ui.chrome import draw_card, draw_heading, draw_row
from game.ui.kit import Kit
from game.views.view import view_of

PAD, GAP = 16, 8
ROW, ROW_DENSE = 25, 22
HEAD, HEAD_DENSE = 40, 32
CONTROL, CONTROL_DENSE = 38, 34
FOOT, FOOT_DENSE = 30, 22
"""A line above the buttons of the last card."""

Paint = Callable[[pygame.Surface, pygame.Rect], None]
"""Draws a card in its place."""
RailButton = tuple[str, str, str]
"""Icon, command and name of a button of the folded panel."""


@dataclass(slots=True)
class Desk:
    """What the pages of one panel share."""

    face: Face
    rebuild: Callable[[], None]
    """Makes the screen's controls again."""
    open_chooser: Callable[[int], None]
    """Opens the list of all agents for a seat."""
    seat: int = 0
    """The seat that forms and lists are about."""

    @property
    def session(self) -> Session:
        """The game."""
        return self.face.session


class Page:
    """Base of the pages; a page lays out `cards` and says how each is drawn."""

    name = ""
    """In the settings."""
    title = ""
    icon = ""
    about = ""
    """For the tip of its tab."""
    thoughtful = False
    """Whether it has a card about what the agent thinks."""
    fixed = frozenset[str]()
    """Cards that show the same until they are laid out again."""

    def __init__(self, desk: Desk) -> None:
        """Call `build` before `draw`."""
        self.desk, self.face, self.session = desk, desk.face, desk.session
        self.kit: Kit
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.cards: dict[str, pygame.Rect] = {}
        self._seat_places: list[pygame.Rect] = []
        self.wrapped_at: pygame.Rect | None = None
        """Where the row that wraps was drawn, if there is one."""

    # What a page answers

    @property
    def rail(self) -> tuple[RailButton, ...]:
        """The buttons of the folded panel."""
        return ()

    def lay_out(self) -> None:
        """Fill `cards` and make the controls inside `rect`."""
        raise NotImplementedError

    def paints(self) -> Mapping[str, Paint]:
        """How each card is drawn."""
        return {"top": self.face.draw_top, "seats": self._draw_seats, "game": self._draw_game}

    def refresh(self) -> None:
        """Once a frame before drawing: controls that follow the game."""

    # Sizes in pixels

    @property
    def row(self) -> int:
        """Of a line of text."""
        return self.kit.theme.px(ROW_DENSE if self.face.dense else ROW)

    @property
    def head(self) -> int:
        """Of a card's heading."""
        return self.kit.theme.px(HEAD_DENSE if self.face.dense else HEAD)

    @property
    def between(self) -> int:
        """Between two cards."""
        return self.kit.theme.px(8 if self.face.dense else 12)

    @property
    def control(self) -> int:
        """Height of a button or a list."""
        return self.kit.theme.px(CONTROL_DENSE if self.face.dense else CONTROL)

    @property
    def gap(self) -> int:
        """Between two controls."""
        return self.kit.theme.px(6 if self.face.dense else GAP)

    def inside(self, card: pygame.Rect) -> tuple[int, int]:
        """Left edge and width of what stands in a card."""
        pad = self.kit.theme.px(PAD)
        return card.left + pad, card.width - 2 * pad

    # Lay out

    def build(self, kit: Kit, rect: pygame.Rect) -> None:
        """Make the controls inside `rect`."""
        self.kit, self.rect, self.cards = kit, rect, {}
        self._seat_places, self.wrapped_at = [], None
        self.face.thoughtful = self.thoughtful
        self.lay_out()

    def build_top(self) -> int:
        """The card above the others, where the game has one; answers where the next one begins."""
        high = self.face.top_height
        if not high:
            return self.rect.top
        self.cards["top"] = pygame.Rect(self.rect.topleft, (self.rect.width, self.kit.theme.px(high)))
        return self.cards["top"].bottom + self.between

    def build_seats(self, top: int) -> int:
        """The list of seats, where there is more than one."""
        count = len(self.session.driver.seats)
        if count < 2:
            return top
        card, self._seat_places = seats.places(
            self.kit.theme, count, self.rect, top, self.head, self.face.dense
        )  # fmt: skip
        self.cards["seats"] = card
        return card.bottom + self.between

    @property
    def game_full(self) -> int:
        """Pixels that the card about this game would fill."""
        theme, face = self.kit.theme, self.face
        rows = self.head + len(face.game_rows()) * self.row + theme.px(8)
        return rows + self.buttons_height + theme.px(face.game_graph[1])

    @property
    def game_least(self) -> int:
        """Pixels that it needs."""
        theme, face = self.kit.theme, self.face
        rows = self.head + min(len(face.game_rows()), 1) * self.row
        return rows + self.buttons_height + theme.px(face.game_graph[0])

    def whole_rows(self, height: int) -> int:
        """So many pixels of the card about this game without a part of a row, which shows nothing."""
        if height >= self.game_full or self.face.game_graph[1]:
            return min(height, self.game_full)
        return height - max(0, height - self.game_least) % self.row

    def build_game(self, top: int, height: int) -> None:
        """The card about this game."""
        height = max(0, min(height, self.rect.bottom - top))
        self.cards["game"] = pygame.Rect(self.rect.left, top, self.rect.width, height)
        if self.buttons_height:
            self.face.build_game_buttons(self.kit, self._buttons_place(self.cards["game"]))

    @property
    def buttons_height(self) -> int:
        """Pixels of what a game has at the bottom of its card."""
        theme, face = self.kit.theme, self.face
        foot = face.game_foot_rows * theme.px(FOOT_DENSE if face.dense else FOOT)
        high = face.game_buttons_rows * theme.px(CONTROL + GAP) + foot
        return high + theme.px(4) if high else 0

    def _buttons_place(self, card: pygame.Rect) -> pygame.Rect:
        high = self.buttons_height - self.kit.theme.px(4)
        left, wide = self.inside(card)
        return pygame.Rect(left, card.bottom - high - self.kit.theme.px(4), wide, high)

    # Use

    def click(self, position: tuple[int, int]) -> bool:
        """A click on a seat makes it the one that the page is about."""
        for number, place in enumerate(self._seat_places):
            if place.collidepoint(position):
                self.desk.seat = number
                self.desk.rebuild()
                return True
        return False

    # Draw

    def _draw_seats(self, surface: pygame.Surface, card: pygame.Rect) -> None:
        theme, face = self.kit.theme, self.face
        shown = [face.seat_line(number) for number in range(len(self._seat_places))]
        view, chosen = view_of(self.session.game), self.desk.seat
        colours = [view.seat_colour(theme, number) for number in range(len(shown))]
        seats.draw(surface, theme, colours, card, self.head, face.seats_note(), shown, self._seat_places, chosen)

    def _draw_game(self, surface: pygame.Surface, card: pygame.Rect) -> None:
        face, theme = self.face, self.kit.theme
        draw_card(surface, theme, card)
        buttons = self.buttons_height
        if face.game_foot_rows:
            face.draw_game_foot(surface, self._buttons_place(card))
        if card.height < self.head + buttons:
            return
        draw_heading(surface, theme, self.head, card, face.game_heading, face.game_note())
        y = card.top + self.head + self.row // 2 - theme.px(2)
        for row in face.game_rows():
            if y + self.row // 2 > card.bottom - buttons:
                return
            draw_row(surface, theme, card, y, row.name, row.value, row.colour)
            y += self.row
        if face.game_graph[1]:
            top, pad = y - self.row // 2, theme.px(PAD)
            graph = pygame.Rect(
                card.left + pad, top, card.width - 2 * pad, card.bottom - buttons - theme.px(10) - top
            )  # fmt: skip
            face.draw_game_graph(surface, graph)
