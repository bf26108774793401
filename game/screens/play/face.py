"""What a game shows around its board: the cards of its panel, its titles, the words of its status bar.

Most answers have a default. A game's own face knows its session; it changes nothing but by the session's commands.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pygame

from ai.agent import Status
from game.play.session import Session
from game.screens.play.seats import Seat
from game.ui.kit import Kit
from game.ui.theme import Colour, Theme
from game.views.value_bars import ValueBar


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a card."""

    name: str
    value: str
    colour: Colour | None = None
    wraps: bool = False
    """Whether the value goes on in the lines below, as far as there is room; pointing at it may show it on the board."""


class Face:
    """The questions that panel, top bar and status bar ask, one method or attribute each."""

    session: Session

    game_heading = "This game"
    game_buttons_rows = 0
    game_foot_rows = 0
    """Lines between the rows of the last card and its buttons, which the face draws itself."""
    top_height = 0
    """Height in units of a card above the others."""
    shows_curve = False
    curve_label = ""
    thought_row_count = 3
    game_graph = (0, 0)
    """Least and greatest height in units of a graph of the game in the last card."""
    run_label = "Run"
    watch_label = "Watch"
    """What the button that hands the board to the agent says to those who do not know agents."""
    helper_heading = "Helper"
    """Heading above the agents by name, where there is one seat."""
    stop_words = "Esc stops it"
    """What Esc does while an agent is thinking."""
    last_icon = ("list", "list", "List, set-up")
    """Icon, command and name of the last button of a folded panel."""

    def __init__(self, session: Session, theme: Theme, command: Callable[[str], object]) -> None:
        """`command` acts as if a key had been pressed; the screen keeps `theme` up to date."""
        self.session, self.theme, self.command = session, theme, command
        self.dense = False
        """Whether there is little room; the panel keeps it up to date."""
        self.thoughtful = True
        """Whether a card says what the agent thinks; the panel keeps it up to date."""

    # Titles

    def subtitle(self) -> str:
        """What stands behind the title in the top bar."""
        return ""

    def shorter_subtitles(self) -> tuple[str, ...]:
        """What stands there where the whole subtitle has no room, the longest first."""
        return ()

    def idle_status(self) -> str:
        """The status bar's left text while a person plays."""
        return ""

    def status_right(self) -> str:
        """The note on the right of the status bar."""
        return ""

    # How it is played

    def about(self) -> tuple[str, ...]:
        """What the game is about, in three short sentences at most."""
        return ()

    # Who plays

    def agent_has_board(self, seat: int) -> bool:
        """Whether an agent plays now, as far as the form of a seat is concerned."""
        return self.session.driver.running

    def who_heading(self, seat: int) -> str:
        """Heading of the form's card."""
        return "Who plays"

    def build_person(self, kit: Kit, left: int, top: int, wide: int, control: int, gap: int) -> int:
        """Controls below the list of agents while a person sits on the seat; answers the pixel where they end."""
        return top

    def seats_note(self) -> str:
        """The note beside the heading of the seats."""
        return "click to change"

    def seat_line(self, number: int) -> Seat:
        """A line of the seats card."""
        raise NotImplementedError

    # What it thinks

    def value_bars(self) -> list[ValueBar]:
        """Value of each action as bars."""
        return []

    @property
    def now_colour(self) -> Colour | None:
        """The colour of what an action brings at once, where the bars show that apart."""
        return None

    def thought_rows(self) -> list[Row]:
        """What the agent thinks, in words."""
        return []

    def thought_note(self) -> str:
        """The note beside 'What it thinks': how the thinking stands or ended."""
        thought = self.session.driver.thought
        if thought.thinking and thought.plan is None:
            return f"thinking · {thought.seconds:.1f} s"
        if thought.plan is None:
            return "" if self.session.driver.ready else "being prepared"
        words = {
            Status.PLAN: f"depth {thought.plan.depth}" if thought.plan.depth else "decided",
            Status.SOLVED: "plan found",
            Status.LOST: "proved lost",
            Status.UNSOLVABLE: "proved unsolvable",
            Status.GAVE_UP: "gave up",
            Status.CANCELLED: "cancelled",
        }
        return words[thought.plan.status]

    def dated(self, note: str) -> str:
        """A note about what was thought; it says so where that was about the position one move ago."""
        session, driver = self.session, self.session.driver
        if driver.thought.fast:
            return "now and then" if driver.running else ""
        agents_turn = not session.over and driver.seats[session.seat_to_move(session.state)] is not None
        if driver.thought.plan is None or (driver.running and agents_turn):
            return note
        if not session.thought_counts:
            return ""
        return note if driver.thought.ply == session.timeline.cursor else "before the last move"

    # This game

    def game_rows(self) -> list[Row]:
        """Rows of the last card."""
        return []

    def game_note(self) -> str:
        """The note beside the last card's heading."""
        return ""

    def draw_game_graph(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """The graph of the game, where there is one."""

    def build_game_buttons(self, kit: Kit, rect: pygame.Rect) -> None:
        """Buttons at the bottom of the last card."""

    def draw_game_foot(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """The lines above the buttons of the last card; `rect` is the place of both."""

    def draw_top(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """The card above the others."""
