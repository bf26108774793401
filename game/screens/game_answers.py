"""What a game's screen answers about its rules, its board and its words; `GameScene` asks.

Most answers have a default; those that raise NotImplementedError are the ones every game has to give.
"""

from collections.abc import Sequence
from typing import Any

import pygame

from game.rules import replay as replays
from game.rules.replay import Step
from game.saves import resume
from game.screens.context import Context
from game.screens.play.panel import Row
from game.screens.play.seats import Seat
from game.ui.chrome import Action
from game.ui.scene import Scene
from game.ui.theme import Colour
from game.views.value_bars import ValueBar
from game.views.view import view_of

TOP_ACTIONS = (
    Action("undo", "Undo", "undo"),
    Action("redo", "Redo", "redo"),
    Action("replay", "Watch this game", "theatre"),
    Action("hint", "Hint", "hint", accent=True),
    Action("help", "Keys", "help"),
    Action("settings", "Settings", "settings"),
)


class GameAnswers(Scene):
    """The questions, one method or attribute each."""

    context: Context

    game = ""
    title = ""
    person_option = False
    """Whether a seat's list offers a person (several seats); else the person plays whenever the agent is paused."""
    game_heading = "This game"
    game_buttons_rows = 0
    game_foot_rows = 0
    """Lines between the rows of the last card and its buttons, which the screen draws itself."""
    panel_top_height = 0
    """Height in units of a screen's own card above the others."""
    whole_plans = False
    """Whether an agent's answer is a plan to the end of the game, not a move."""
    shows_curve = False
    curve_label = ""
    thought_row_count = 3
    game_graph = (0, 0)
    """Least and greatest height in units of a graph of the game in the last card."""
    run_label = "Run"
    first_speed = 6.0
    """Moves a second until somebody chooses another speed."""
    hint_seconds: float | None = 10.0
    """How long an agent may think about a hint; None: as long as it thinks about a move."""
    top_actions: Sequence[Action] = TOP_ACTIONS

    def saved_game(self) -> resume.Loaded:
        """The game that goes on where it was."""
        return resume.load(self.context.saves, self.game)

    def first_game(self) -> None:
        """Start a game when none was saved; calls `begin`."""
        raise NotImplementedError

    def new_game(self) -> None:
        """The command 'new'; calls `begin`."""
        raise NotImplementedError

    def over(self, state: Any) -> bool:
        """Whether the game has ended in this position."""
        raise NotImplementedError

    def seat_to_move(self, state: Any) -> int:
        """The seat whose turn it is."""
        return 0

    def step(self, state: Any, action: int, cell: int | None, exponent: int | None) -> tuple[Step, Any]:
        """The step that `action` makes here and the position after it; raises ValueError on an illegal action."""
        raise NotImplementedError

    def show(self, state: Any) -> None:
        """Put a position on the board at once."""
        raise NotImplementedError

    def animate(self, before: Any, step: Step, after: Any, seconds: float) -> None:
        """Show a step on its way; `seconds` is the time it may take."""
        raise NotImplementedError

    def board_busy(self) -> bool:
        """Whether the last step is still being drawn."""
        return False

    def build_board(self, rect: pygame.Rect) -> None:
        """Lay out the board and its own controls."""
        raise NotImplementedError

    def draw_board(self, surface: pygame.Surface) -> None:
        """Draw the board."""
        raise NotImplementedError

    def update_board(self, dt: float) -> None:
        """Let the board's animation go on."""

    def subtitle(self) -> str:
        """What stands behind the title in the top bar."""
        return ""

    def shorter_subtitles(self) -> tuple[str, ...]:
        """What stands there where the whole subtitle has no room, the longest first."""
        return ()

    def headline(self) -> str:
        """One line for the menu's continue card."""
        return self.title

    @property
    def game_yields(self) -> bool:
        """Whether the last card gives its room to what the agent thinks, all but its buttons."""
        return False

    def game_rows(self) -> list[Row]:
        """Rows of the last card."""
        return []

    def game_note(self) -> str:
        """The note beside the last card's heading."""
        return ""

    def draw_game_graph(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """The graph of the game, where there is one."""

    def seats_note(self) -> str:
        """The note beside the heading of the seats."""
        return "click to change"

    def build_person(self, left: int, top: int, wide: int, control: int, gap: int) -> int:
        """Controls below the list of agents while a person sits on the seat; answers the pixel where they end."""
        return top

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

    def ended(self) -> None:
        """The game has just ended: celebrate, show the overlay, update progress."""

    def sound_of(self, before: Any, step: Step, after: Any) -> None:
        """Play the sound of a step."""
        self.window.play(*view_of(self.game).sound(before, step, after))

    def build_game_buttons(self, rect: pygame.Rect) -> None:
        """Buttons at the bottom of the last card."""

    def draw_game_foot(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """The lines above the buttons of the last card; `rect` is the place of both."""

    def draw_panel_top(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """A screen's own card above the others."""

    def seat_line(self, number: int) -> Seat:
        """A line of the seats card."""
        raise NotImplementedError

    def who_heading(self, seat: int) -> str:
        """Heading of the form's card."""
        return "Who plays"

    def status_right(self) -> str:
        """The note on the right of the status bar."""
        return ""

    def replay_title(self) -> str:
        """A name for the finished game's replay."""
        return ""

    def leave_game(self) -> None:
        """Another game takes the place of this one: keep it if it was worth it."""

    def extra_of(self, record: replays.Replay, state: Any) -> dict[str, resume.Extra]:
        """What `extra` has to say about a game that comes from elsewhere and goes on from `state`."""
        return {}

    def idle_status(self) -> str:
        """The status bar's left text while a person plays."""
        return ""
