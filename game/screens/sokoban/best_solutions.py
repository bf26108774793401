"""The last lines of the Sokoban panel: the best solutions with buttons to watch them, and switches for pulls and two players."""

from collections.abc import Callable
from functools import partial

import pygame

from game.play.sokoban import results
from game.play.sokoban.session import LevelSession
from game.rules.replay import Replay
from game.saves.progress import Solution
from game.screens.sokoban.hands import Hands
from game.ui import text
from game.ui.controls import Button
from game.ui.kit import Kit
from game.ui.shortcuts import keys_shown
from game.ui.theme import Theme
from game.views.sokoban.accent import ACCENT
from game.views.sokoban.keys import BACKWARDS, PAIR, PULLING, PUZZLES

WATCH = 26
"""Side of a button to watch a solution, in units."""
REST = 6
"""Between the lines and the buttons below them, in units."""
COUNTS = ("moves", "pushes")
"""What the best known solutions have few of, a line each."""
NAME = "Best known"
KEYED = "pushes"
"""The one that the key shows."""


class BestSolutions:
    """Made anew with every layout."""

    def __init__(self, session: LevelSession, hands: Hands, show: Callable[[Replay | None], None]) -> None:
        """Call `build` before `draw`; `show` opens a solution in the theatre, or says that its moves were let go."""
        self._session, self._hands, self._show = session, hands, show
        self.last_row = pygame.Rect(0, 0, 0, 0)
        """Where the lowest buttons go."""
        self._lines: list[pygame.Rect] = []
        self._watch: list[Button] = []
        self._grab: Button | None = None
        self._swap: Button | None = None

    @property
    def switches(self) -> bool:
        """Whether the rules of the level need any."""
        rules = self._session.state.warehouse.rules
        return bool(rules.pull or rules.players == 2)

    def _best(self, counts: str) -> Solution | None:
        best = self._session.best
        return best.by_moves if counts == "moves" else best.by_pushes

    # Lay out

    def build(self, kit: Kit, rect: pygame.Rect) -> None:
        """Buttons inside `rect`, from its top: two lines, the switches, and what the panel puts last."""
        theme = kit.theme
        gap, high = theme.px(8), theme.px(38)
        rows = (2 if self.switches else 1) * (high + gap)
        line = (rect.height - rows - theme.px(REST)) // len(COUNTS)
        self._lines = [pygame.Rect(rect.left, rect.top + at * line, rect.width, line) for at in range(len(COUNTS))]
        side = min(theme.px(WATCH), line - theme.px(2))
        self._watch = []
        keys = keys_shown("best", (PUZZLES,))
        for place, counts in zip(self._lines, COUNTS, strict=True):
            spot = pygame.Rect(place.right - side, place.centery - side // 2, side, side)
            tip = f"Watch the best known solution, by {counts}"
            button = Button(
                kit, spot, icon="play", style="ghost", on_press=partial(self.watch, counts),
                tip=f"{tip} ({keys})" if counts == KEYED else tip,
            )  # fmt: skip
            self._watch.append(button)
        top = rect.bottom - rows
        self._grab = self._swap = None
        if self.switches:
            self._build_switches(kit, pygame.Rect(rect.left, top, rect.width, high))
            top += high + gap
        self.last_row = pygame.Rect(rect.left, top, rect.width, high)

    def _build_switches(self, kit: Kit, rect: pygame.Rect) -> None:
        session, rules, accent = self._session, self._session.state.warehouse.rules, ACCENT.on(kit.theme)
        gap = kit.theme.px(8)
        count = rules.pull + (rules.players == 2) + session.backwards
        wide = (rect.width - gap * (count - 1)) // count
        places = iter(
            [pygame.Rect(rect.left + at * (wide + gap), rect.top, wide, rect.height) for at in range(count)]
        )
        if rules.pull:
            tip = f"Pull a box along with every step ({keys_shown('grab', (PULLING,))}); or hold Shift"
            self._grab = Button(
                kit, next(places), "Pull", icon="backwards", on_press=self.grab, tip=tip, accent=accent
            )  # fmt: skip
        if rules.players == 2:
            tip = f"Arrows move the other player, letters the first ({keys_shown('swap', (PAIR,))})"
            self._swap = Button(
                kit, next(places), "Swap keys", icon="swap", on_press=self.swap, tip=tip, accent=accent
            )  # fmt: skip
        if session.backwards:
            tip = f"Begin somewhere else ({keys_shown('place', (BACKWARDS,))}); or click a square"
            Button(kit, next(places), "Place", icon="person", on_press=session.next_place, tip=tip)

    # What the buttons do

    def grab(self) -> None:
        """Pull with every step, or only with Shift."""
        hands = self._hands
        hands.grab = not hands.grab
        self._session.watcher.say("Every step now pulls a box along." if hands.grab else "Hold Shift to pull a box.")

    def swap(self) -> None:
        """The keys of the two players change."""
        hands = self._hands
        hands.swapped = not hands.swapped
        arrows, letters = ("second", "first") if hands.swapped else ("first", "second")
        self._session.watcher.say(f"Arrows move the {arrows} player, W A S D the {letters}.")

    def watch_best(self) -> None:
        """The key: the solution with the fewest pushes."""
        self.watch(KEYED)

    def watch(self, counts: str) -> None:
        """Show the best solution by moves or by pushes."""
        session, solution = self._session, self._best(counts)
        if solution is None:
            session.watcher.say("No solution of this level is known yet: H and Space ask for one.")
        else:
            self._show(session.best.replay(solution, f"{session.course.name} · fewest known {counts}"))

    # Draw

    def draw(self, surface: pygame.Surface, theme: Theme) -> None:
        """The numbers, and switches as they stand."""
        if self._grab is not None:
            self._grab.set_selected(self._hands.grab)
        if self._swap is not None:
            self._swap.set_selected(self._hands.swapped)
        for number, (counts, line, button) in enumerate(zip(COUNTS, self._lines, self._watch, strict=True)):
            solution = self._best(counts)
            button.set_enabled(solution is not None)
            right = button.rect.left - theme.px(6)
            ink = None if solution is None or results.is_persons(solution) else theme.thinking
            if number == 0:
                text.draw(surface, theme, NAME, (line.left, line.centery), colour=theme.muted, anchor="midleft")
            limit = right - line.left - text.width(theme, NAME) - theme.px(10)
            words = results.NONE if solution is None else text.fitting(theme, results.told(solution, counts), limit)
            text.draw(surface, theme, words, (right, line.centery), colour=ink, anchor="midright", limit=limit)
