"""The theatre's cards on the right: which game it is, the position, the moves."""

from collections.abc import Callable, Sequence
from functools import partial

import pygame

from game.play.words import clock, recent
from game.rules.game import PERSON
from game.screens.keys import REPLAY
from game.screens.replays.moves import Moves
from game.screens.replays.playhead import Playhead
from game.screens.replays.positions import Positions
from game.screens.replays.words import result_words, seat_title, who_played
from game.ui.chrome import draw_card, draw_heading, draw_row
from game.ui.controls import Button
from game.ui.kit import Kit
from game.ui.shortcuts import keys_shown
from game.ui.theme import Colour, Theme

PAD, GAP = 16, 12
ROW, HEAD, CONTROL = 25, 38, 38
MOST_SEATS = 6

Row = tuple[str, str, Colour | None]


class Cards:
    """Laid out for one game or two."""

    def __init__(self, games: Sequence[Positions], head: Playhead) -> None:
        """Controls are made by `build`."""
        self.games, self.head = games, head
        self.theme = Theme()
        self.moves = Moves(games[0]) if len(games) == 1 else None
        self.places: list[tuple[str, pygame.Rect, int]] = []
        """(card, place, game)."""
        self.rect = pygame.Rect(0, 0, 0, 0)

    def build(self, kit: Kit, rect: pygame.Rect, command: Callable[[str], object]) -> None:
        """Cards from top to bottom, buttons last, which give their commands to `command`."""
        self.theme = theme = kit.theme
        self.rect, self.places = pygame.Rect(rect), []
        if not self.games:
            return
        gap, control = theme.px(GAP), theme.px(CONTROL)
        buttons = 2 * control + theme.px(8)
        bottom = rect.bottom - buttons - gap
        top = rect.top
        for card, number, wanted in self._wanted(bottom - top):
            high = min(wanted, bottom - top)
            if high > self._head + self._row and (card != "thought" or high == wanted):
                self.places.append((card, pygame.Rect(rect.left, top, rect.width, high), number))
                top += high + gap
        if self.moves is not None and bottom - top > self._head + theme.px(40):
            place = pygame.Rect(rect.left, top, rect.width, bottom - top)
            self.places.append(("moves", place, 0))
            inner = place.inflate(-2 * theme.px(12), 0)
            inner.top, inner.height = place.top + self._head, place.height - self._head - theme.px(8)
            self.moves.layout(inner, theme)
        self._build_buttons(kit, pygame.Rect(rect.left, rect.bottom - buttons, rect.width, buttons), command)

    def _wanted(self, room: int) -> list[tuple[str, int, int]]:
        """(card, game, height) from top to bottom; where all do not fit, only players and result of the game are said."""
        games, px = self.games, self.theme.px

        def high(card: str, number: int, most: int = 100) -> int:
            return self._head + min(most, len(self._rows(card, number))) * self._row + px(8)

        if len(games) > 1:
            return [("both", number, high("both", number)) for number in range(len(games))]
        cards = [("game", 0, high("game", 0)), ("position", 0, high("position", 0))]
        if games[0].weighed:
            bars = games[0].weighing(0).height(self.theme)
            cards.append(("thought", 0, self._head + bars + px(12)))
            if sum(card[2] + px(GAP) for card in cards) > room:
                cards[0] = ("game", 0, high("game", 0, len(games[0].replay.seats) + 1))
        return cards

    def _build_buttons(self, kit: Kit, rect: pygame.Rect, command: Callable[[str], object]) -> None:
        theme = self.theme
        high, gap = theme.px(CONTROL), theme.px(8)
        half = (rect.width - gap) // 2
        places = (
            (pygame.Rect(rect.left, rect.top, rect.width, high), "Continue from here", "gamepad", "go_on"),
            (pygame.Rect(rect.left, rect.bottom - high, half, high), "Compare", "copy", "compare"),
            (pygame.Rect(rect.right - half, rect.bottom - high, half, high), "Export", "download", "export_replay"),
        )
        tips = {"go_on": "Play on from this position", "compare": "A second game beside it",
                "export_replay": "GIF, MP4, PNG, LURD"}  # fmt: skip
        for place, label, icon, name in places:
            Button(kit, place, label, icon=icon, on_press=partial(command, name),
                   tip=f"{tips[name]} ({keys_shown(name, (REPLAY,))})")  # fmt: skip

    @property
    def _row(self) -> int:
        return self.theme.px(ROW - (3 if self._dense else 0))

    @property
    def _head(self) -> int:
        return self.theme.px(HEAD - (6 if self._dense else 0))

    @property
    def _dense(self) -> bool:
        return self.rect.height < self.theme.px(620) or len(self.games) > 1

    # Words

    def _rows(self, card: str, number: int) -> list[Row]:
        positions = self.games[number]
        if card == "game":
            return self._game_rows(positions)
        if card == "position":
            return self._position_rows(positions, number)
        who = who_played(positions.replay)
        return [("Played by", who, None), *self._result_rows(positions), *self._position_rows(positions, number)]

    def _game_rows(self, positions: Positions) -> list[Row]:
        theme, replay = self.theme, positions.replay
        seats = [seat_title(replay.game, seat) for seat in replay.seats]
        rows: list[Row]
        if len(seats) == 1:
            rows = [("Played by", seats[0], theme.thinking if replay.seats[0] != PERSON else None)]
        else:
            rows = [
                (f"Seat {at + 1}", name, theme.thinking if replay.seats[at] != PERSON else None)
                for at, name in enumerate(seats[:MOST_SEATS])
            ]
        rows += self._result_rows(positions)
        rows.append(("Played", recent(replay.started), None))
        if replay.seconds:
            rows.append(("Time", clock(replay.seconds), None))
        return rows

    def _result_rows(self, positions: Positions) -> list[Row]:
        return [("Result", result_words(positions.replay), None)] if positions.replay.result else []

    def _position_rows(self, positions: Positions, number: int) -> list[Row]:
        theme = self.theme
        ply = min(self.head.ply(number), positions.known)
        rows: list[Row] = [(name, said, None) for name, said in positions.facts(ply)]
        step = positions.step_to(ply)
        label = positions.label(ply - 1) if step is not None else "–"
        rows.append(("Last played", label, None))
        if positions.valued:
            value = positions.view.describe(step.value) if step is not None and step.value is not None else "–"
            rows.append(("Its value", value, theme.thinking if value != "–" else None))
        return rows

    def move_words(self, ply: int) -> str:
        """'Move 12: ▶, value 0.3', of the first game."""
        positions = self.games[0]
        if ply == 0:
            return "The start"
        step = positions.step_to(ply)
        if step is None or ply > positions.known:
            return ""
        value = f", value {positions.view.describe(step.value)}" if step.value is not None else ""
        return f"Move {ply:,}: {positions.label(ply - 1)}{value}"

    def hover_words(self) -> str:
        """About the move under the pointer in the list."""
        hover = self.moves.hover if self.moves is not None and self._has_moves else None
        return self.move_words(hover) if hover is not None else ""

    @property
    def _has_moves(self) -> bool:
        return any(card == "moves" for card, _place, _number in self.places)

    # Input

    def handle(self, event: pygame.event.Event) -> int | None:
        """The move of the first game that a click asks for."""
        return self.moves.handle(event) if self.moves is not None and self._has_moves else None

    def scroll(self, pointer: tuple[int, int], notches: float) -> bool:
        """The wheel over the list of moves."""
        if self.moves is None or not self._has_moves or not self.moves.rect.collidepoint(pointer):
            return False
        self.moves.scroll(-round(notches))
        return True

    # Draw

    def draw(self, surface: pygame.Surface) -> None:
        """Every card."""
        theme = self.theme
        titles = {"game": "This game", "position": "This position"}
        for card, place, number in self.places:
            draw_card(surface, theme, place)
            if card == "moves" and self.moves is not None:
                draw_heading(surface, theme, self._head, place, "Moves", f"{self.games[0].length:,}")
                self.moves.draw(surface, theme, min(self.head.ply(0), self.games[0].known))
                continue
            if card == "thought":
                self._draw_thought(surface, place)
                continue
            title = titles.get(card) or ("Left" if number == 0 else "Right")
            draw_heading(surface, theme, self._head, place, title)
            y = place.top + self._head + self._row // 2 - theme.px(2)
            for name, said, colour in self._rows(card, number):
                if y + self._row // 2 > place.bottom:
                    break
                draw_row(surface, theme, place, y, name, said, colour)
                y += self._row

    def _draw_thought(self, surface: pygame.Surface, place: pygame.Rect) -> None:
        """The values of every action before the next move."""
        theme, positions = self.theme, self.games[0]
        ply = min(self.head.ply(0), positions.known)
        note, colour = thought_words(positions, ply, theme)
        draw_heading(surface, theme, self._head, place, "What it thinks", note, colour)
        inner = place.inflate(-2 * theme.px(PAD), 0)
        inner.top, inner.height = place.top + self._head, place.height - self._head - theme.px(12)
        positions.weighing(ply).draw(surface, theme, inner)


def thought_words(positions: Positions, ply: int, theme: Theme) -> tuple[str, Colour]:
    """What comes of the values in the position after `ply` steps, and its colour."""
    step = positions.step_to(ply + 1)
    if step is None:
        return "the end", theme.muted
    if not step.values:
        seats = positions.replay.seats
        person = seats[positions.view.game.to_move(positions.state(ply)) % len(seats)] == PERSON
        return "a person plays" if person else "no values", theme.muted
    return f"plays {positions.label(ply)}", theme.thinking
