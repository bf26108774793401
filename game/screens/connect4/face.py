"""What stands around a board of connect-4: the panel's cards and the words about the match."""

from collections.abc import Callable

import pygame
from typing_extensions import override

from game.play.connect4 import boards
from game.play.connect4.session import MatchSession
from game.rules import connect4
from game.screens.connect4 import thoughts
from game.screens.connect4.adviser_form import AdviserForm
from game.screens.connect4.graph import Graph
from game.screens.play.face import Face, Row
from game.screens.play.seats import MOST_LINES, Seat
from game.ui.kit import Kit
from game.ui.shortcuts import keys_shown
from game.ui.theme import Theme
from game.views.connect4.stones import STONES, flat_stone


class MatchFace(Face):
    """Who sits where and has won how often, what an agent thinks, and the graph of the game."""

    session: MatchSession

    game_heading = "The game so far"
    game_graph = (36, 260)
    thought_row_count = 4

    def __init__(
        self, session: MatchSession, theme: Theme, command: Callable[[str], object], graph: Graph, form: AdviserForm
    ) -> None:
        """`graph` is drawn in the last card, `form` on a person's seat."""
        super().__init__(session, theme, command)
        self._graph, self._form = graph, form

    @override
    def subtitle(self) -> str:
        """The board."""
        return boards.table(self.session.state.shape)

    @override
    def shorter_subtitles(self) -> tuple[str, ...]:
        """Without the players, and without how many in a row win."""
        parts = self.subtitle().split(" · ")
        return tuple(" · ".join(parts[:end]) for end in range(len(parts) - 1, 0, -1))

    def result(self) -> str:
        """How the game ended, in words."""
        winner = self.session.state.winner
        if winner is None:
            return "A draw: the board is full"
        return f"{STONES[winner].name.capitalize()} wins: {self.session.who(winner)}"

    @override
    def idle_status(self) -> str:
        """Whose turn it is."""
        session = self.session
        if session.over:
            return f"{self.result()} · Enter or N starts a new game"
        seat, hint = session.state.to_move, session.driver.hint
        if hint is not None and hint.actions:
            place = connect4.label(session.state.shape, hint.actions[0])
            return f"The hint: column {place} · Enter drops the stone there · Esc forgets it"
        if session.driver.seats[seat] is None:
            return f"{session.who(seat)}: {STONES[seat].name} to move · click, or arrows and Enter"
        return f"{session.who(seat)} waits · Space lets it play"

    @override
    def status_right(self) -> str:
        """Nothing more."""
        return "V changes the view · L sets up another board"

    @property
    @override
    def stop_words(self) -> str:  # type: ignore[override]
        """What Esc does while an agent is thinking."""
        if self.session.driver.asked_hint:
            return "Esc stops it"
        return "Esc plays its best so far" if self.session.people else "Esc pauses"

    @override
    def about(self) -> tuple[str, ...]:
        """The rules, for this board."""
        shape = self.session.state.shape
        return (
            f"Drop a stone {'on a peg' if shape.depth > 1 else 'into a column'}, in turn.",
            f"{boards.NUMBERS[shape.win].capitalize()} in a row win, in any direction.",
            "Make yours, and block theirs.",
        )

    # Who plays

    @override
    def agent_has_board(self, seat: int) -> bool:
        """Whether the seat in the form is an agent's."""
        return self.session.driver.seats[seat] is not None

    @override
    def who_heading(self, seat: int) -> str:
        """Which seat the form is for."""
        return f"Seat {seat + 1} · {STONES[seat].name}"

    @override
    def seat_line(self, number: int) -> Seat:
        """Stone, who, how often they won."""
        session, stone = self.session, STONES[number]
        wins = session.score.wins(number)
        active = not session.over and session.state.to_move == number
        narrow = len(session.driver.seats) > MOST_LINES
        icon = flat_stone(self.theme.px(20 if narrow else 24), stone.colour, stone.mark)
        note = f"{wins:,}" if narrow else f"{wins:,} {'win' if wins == 1 else 'wins'}"
        return Seat(icon, session.who(number), note, active)

    @override
    def seats_note(self) -> str:
        """How many games there were, and draws."""
        return self.session.score.words() or super().seats_note()

    @override
    def build_person(self, kit: Kit, left: int, top: int, wide: int, control: int, gap: int) -> int:
        """Who advises the person."""
        return self._form.build(kit, left, top, wide, control, gap)

    # What it thinks

    @override
    def thought_rows(self) -> list[Row]:
        """Best column, principal variation, work done."""
        session = self.session
        if not session.thought_counts:
            if session.over:
                return [Row("The game is over", f"{keys_shown('undo').split()[0]} goes back")]
            return [Row("Ask for a hint", keys_shown("hint"))] if session.person_to_move else []
        return thoughts.rows(session.driver.thought, session.state.shape, self.theme.thinking)

    @override
    def thought_note(self) -> str:
        """As everywhere, and whether it is about the move before."""
        return self.dated(super().thought_note())

    # This game

    @override
    def game_note(self) -> str:
        """Move and time."""
        minutes, seconds = divmod(int(self.session.seconds), 60)
        return f"move {self.session.timeline.cursor} · {minutes}:{seconds:02d}"

    @override
    def draw_game_graph(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """What agents thought of every position."""
        self._graph.draw(surface, self.theme, rect, self.session.timeline, self.session.driver.thought)
