"""The right-hand panel, the same in all three games: pages chosen at its head, and the one that is shown.

It is laid out from what the game's face answers: rows of text, value bars, seats. Below the fold width it becomes a rail
of icons.
"""

from collections.abc import Callable, Mapping
from functools import partial

import pygame

from game.screens.keys import PANEL
from game.screens.play.face import Face
from game.screens.play.lab_page import LabPage
from game.screens.play.page import GAP, Desk, Page
from game.screens.play.play_page import PlayPage
from game.ui.chrome import SHADOW_SPREAD
from game.ui.controls import Button
from game.ui.kit import Kit
from game.ui.shortcuts import keys_shown
from game.ui.tabs import Tab, build_tabs
from game.ui.theme import RADIUS_CARD

PAGES: tuple[type[Page], ...] = (PlayPage, LabPage)
"""In the order of their tabs; the first is what a newcomer meets."""
SHOWN = "panel/page"
"""Name in the settings: the page that was shown last, in whichever game."""
TABS, TABS_DENSE = 34, 28


class Panel:
    """The tabs and the page."""

    def __init__(self, face: Face, rebuild: Callable[[], None], open_chooser: Callable[[int], None]) -> None:
        """Controls are made by `build`.

        `rebuild` makes the whole screen's again, for another page, seat or more settings; `open_chooser(seat)` opens the list of
        all agents.
        """
        self.session = face.session
        seats = self.session.driver.seats
        first = next((number for number, spec in enumerate(seats) if spec is not None), 0)
        self.desk = Desk(face, rebuild, open_chooser, first)
        self.pages = {page.name: page(self.desk) for page in PAGES}
        self.over: Page | None = None
        """A page that stands in place of all others for a while: what a game has to say at its end."""
        self.kit: Kit
        self.folded = False
        self.run_button: Button | None = None
        """Of the folded panel."""
        self.rect = pygame.Rect(0, 0, 0, 0)
        self._shown: tuple[object, ...] = ()
        """What all cards were drawn for last."""

    @property
    def page(self) -> Page:
        """The one over the others, else the one that was chosen last, in whichever game; a newcomer's is the first."""
        if self.over is not None:
            return self.over
        chosen = self.session.store.settings.remembered.get(SHOWN)
        return self.pages.get(str(chosen), next(iter(self.pages.values())))

    def show(self, name: str) -> None:
        """Choose a page and remember it."""
        if name != self.page.name:
            self.session.store.remember(SHOWN, name)
            self.desk.rebuild()

    def turn(self) -> None:
        """The next page, after the last one the first; a page over the others goes."""
        if self.over is not None:
            self.put_over(None)
            return
        names = list(self.pages)
        self.show(names[(names.index(self.page.name) + 1) % len(names)])

    def put_over(self, page: Page | None) -> None:
        """Let a page stand in place of the others, or let those be seen again."""
        if page is not self.over:
            self.over = page
            self.desk.rebuild()

    @property
    def cards(self) -> dict[str, pygame.Rect]:
        """The places of the cards, by name."""
        return {} if self.folded else self.page.cards

    def build(self, kit: Kit, rect: pygame.Rect, folded: bool) -> None:
        """Make the controls inside `rect`; `folded` makes a rail of icons."""
        self.kit, self.rect, self.folded, self.run_button = kit, rect, folded, None
        self.desk.seat = min(self.desk.seat, len(self.session.driver.seats) - 1)
        if folded:
            self._build_rail(rect)
            return
        theme = kit.theme
        dense = self.desk.face.dense = rect.height < theme.px(600)
        if self.over is not None:
            self.over.build(kit, rect)
            return
        place = pygame.Rect(rect.left, rect.top, rect.width, theme.px(TABS_DENSE if dense else TABS))
        keys = keys_shown("page", (PANEL,))
        tabs = [Tab(page.name, page.title, page.icon, f"{page.about} ({keys})") for page in self.pages.values()]
        build_tabs(kit, place, tabs, self.page.name, self.show)
        top = place.bottom + theme.px(6 if dense else 8)
        self.page.build(kit, pygame.Rect(rect.left, top, rect.width, rect.bottom - top))

    def _build_rail(self, rect: pygame.Rect) -> None:
        """Icons, one below the other: the way to the next page first."""
        theme, face = self.kit.theme, self.desk.face
        side = min(rect.width, theme.px(44))
        names = list(self.pages)
        # after a page that is none of them, because it stands over them, comes the one that was chosen
        at = names.index(self.page.name) + 1 if self.over is None else 0
        after = self.pages[names[at % len(names)]]
        icons = (
            (after.icon, "page", f"{self.page.title}, and on to {after.title}"),
            ("robot", "agents", "Who plays"),
            *self.page.rail,
            face.last_icon,
        )
        for number, (icon, command, title) in enumerate(icons):
            place = pygame.Rect(rect.left, rect.top + number * (side + theme.px(GAP)), side, side)
            button = Button(
                self.kit, place, icon=icon, on_press=partial(face.command, command),
                tip=f"{title} ({keys_shown(command, (PANEL,))})",
            )  # fmt: skip
            if command == "run":
                self.run_button = button

    def click(self, position: tuple[int, int]) -> bool:
        """A click on the page's own places."""
        return not self.folded and self.page.click(position)

    def points_at_line(self, position: tuple[int, int]) -> bool:
        """Whether the row that wraps, a line of moves, is there."""
        at = None if self.folded else self.page.wrapped_at
        return at is not None and at.collidepoint(position)

    # Draw

    def draw(self, surface: pygame.Surface) -> None:
        """The cards below the controls."""
        self._keep_up()
        self._shown = self._drawn_for
        self._draw_cards(surface, self.cards)

    def redraw(self, surface: pygame.Surface, turn: int) -> list[pygame.Rect]:
        """Draw anew what is due, on its ground; answers the places. While an agent thinks it is the card's whose `turn` it is."""
        theme = self.kit.theme
        self._keep_up()
        if self._shown != self._drawn_for:
            edge = 2 * theme.px(SHADOW_SPREAD)
            place = self.rect.inflate(edge, edge)
            surface.fill(theme.ground, place)
            self.draw(surface)
            return [place]
        driver = self.session.driver
        cards = [(name, card) for name, card in self.cards.items() if card.height and name not in self.page.fixed]
        if driver.running or driver.busy:
            cards = cards[turn : turn + 1]
        # beside the round corners the shadow of the card above may be seen, which is left there
        inset, spread = theme.px(RADIUS_CARD) // 3 + 1, theme.px(SHADOW_SPREAD)
        clip, areas = surface.get_clip(), []
        for name, card in cards:
            area = card.inflate(-2 * inset, -2 * inset)
            if card.top == self.page.rect.top:  # the first, out of which points may float
                area = pygame.Rect(card.left, card.top - spread, card.width, card.height + spread)
            surface.set_clip(area.clip(clip))
            surface.fill(theme.ground, area)
            self._draw_cards(surface, {name: card})
            areas.append(area)
        surface.set_clip(clip)
        return areas

    def _keep_up(self) -> None:
        """Controls, as the session stands now."""
        if not self.folded:
            self.page.refresh()
        elif self.run_button is not None:
            self.run_button.set(icon="pause" if self.session.driver.running else "play")

    @property
    def _drawn_for(self) -> tuple[object, ...]:
        """What shows in all cards at once when it changes: what the person does above all."""
        driver = self.session.driver
        at = driver.running or self.session.timeline.cursor
        places = tuple(map(tuple, self.cards.values()))
        return (self.desk.seat, driver.running, at, driver.speed, driver.thinks_long, places)

    def _draw_cards(self, surface: pygame.Surface, cards: Mapping[str, pygame.Rect]) -> None:
        paints = self.page.paints()
        for name, card in cards.items():
            if card.height:
                paints[name](surface, card)
