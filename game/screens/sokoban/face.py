"""What stands around a Sokoban board: the panel's cards and the words about the level."""

from collections.abc import Callable

import pygame
from typing_extensions import override

from game.play.sokoban import plans, results
from game.play.sokoban.session import LevelSession
from game.play.sokoban.trial import TrialSession
from game.play.words import counted
from game.rules.sokoban import PUSH_ONLY
from game.screens.play.face import Face, Row
from game.screens.sokoban import messages, thoughts
from game.screens.sokoban.best_solutions import BestSolutions
from game.screens.sokoban.pointer import Pointer
from game.ui.controls import Button
from game.ui.kit import Kit
from game.ui.shortcuts import keys_shown
from game.ui.theme import Theme


class LevelFace(Face):
    """The level's name and rules, who played it, its best solutions, and the ways to other levels."""

    session: LevelSession

    game_heading = "This level"
    game_foot_rows = 2
    shows_curve = True

    def __init__(
        self,
        session: LevelSession,
        theme: Theme,
        command: Callable[[str], object],
        pointer: Pointer,
        best_solutions: BestSolutions,
    ) -> None:
        """`pointer` is the screen's, `best_solutions` the lines and switches of the last card."""
        super().__init__(session, theme, command)
        self._pointer, self.best_solutions = pointer, best_solutions
        self._trial = isinstance(session, TrialSession)
        if self._trial:
            self.last_icon = ("shuffle", "new", "New game")

    @override
    def subtitle(self) -> str:
        """Pack, number, title, and the rules where they are not the usual ones."""
        return " · ".join(self._parts)

    @override
    def shorter_subtitles(self) -> tuple[str, ...]:
        """Without the pack, and without the number."""
        parts = self._parts
        return tuple(" · ".join(parts[at:]) for at in range(1, len(parts)))

    @property
    def _parts(self) -> tuple[str, ...]:
        note = self.game_note()
        return (*self.session.course.parts, note) if note else self.session.course.parts

    @property
    @override
    def run_label(self) -> str:  # type: ignore[override]
        """Solve, or go on with a plan that is there."""
        return "Go on" if self.session.driver.carrying_out else "Solve"

    @property
    @override
    def watch_label(self) -> str:  # type: ignore[override]
        """The same."""
        return self.run_label

    @override
    def about(self) -> tuple[str, ...]:
        """The rules of this level."""
        return messages.about(self.session)

    @override
    def idle_status(self) -> str:
        """How to play."""
        return messages.idle(self.session, self._pointer)

    @override
    def status_right(self) -> str:
        """Whether anything is lost."""
        return messages.outlook(self.session)

    # What it thinks

    @override
    def thought_rows(self) -> list[Row]:
        """The plan, or how the search goes."""
        return thoughts.rows(self.session, self.theme.thinking)

    @override
    def thought_note(self) -> str:
        """As everywhere, and whether the thinking was stopped."""
        return thoughts.note(self.session) or super().thought_note()

    @property
    @override
    def curve_label(self) -> str:  # type: ignore[override]
        """What the curve shows."""
        found = self.session.driver.thought.plan is not None
        return "boxes home, along the plan" if found else "best position so far"

    # This game

    @override
    def game_rows(self) -> list[Row]:
        """This game, boxes home, the best of persons and of agents; the best known ones stand below, with buttons."""
        session, state = self.session, self.session.state
        played = f"{counted(session.moves, 'move')} · {counted(session.pushes, 'push')}"
        best = results.records(session.store.progress, session.course.level_id)
        return [
            Row(self._hands, played),
            Row("Boxes home", f"{plans.boxes_home(state)} of {len(state.boxes)}"),
            *(Row(name, value) for name, value, persons in best if persons or not self.thoughtful),
        ]

    @property
    def _hands(self) -> str:
        """Who played this game, for its row."""
        if self.session.line.pasted(self.session.timeline.cursor):
            return "Pasted"
        return "With help" if self.session.helped else "You"

    @override
    def game_note(self) -> str:
        """The rules, where they are not the usual ones."""
        rules = self.session.state.warehouse.rules
        return "backwards" if self.session.backwards else "" if rules == PUSH_ONLY else rules.name

    @property
    @override
    def game_buttons_rows(self) -> int:  # type: ignore[override]
        """A second row where the rules need switches."""
        return 2 if self.best_solutions.switches else 1

    @override
    def draw_game_foot(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """The best solutions."""
        self.best_solutions.draw(surface, self.theme)

    @override
    def build_game_buttons(self, kit: Kit, rect: pygame.Rect) -> None:
        """The best solutions, switches, levels and next level."""
        self.best_solutions.build(kit, rect)
        row, gap = self.best_solutions.last_row, self.theme.px(8)
        half = (row.width - gap) * 3 // 5 if self._trial else (row.width - gap) // 2
        left = pygame.Rect(row.left, row.top, half, row.height)
        right = pygame.Rect(left.right + gap, row.top, row.width - half - gap, row.height)
        if self._trial:
            Button(kit, left, "To the editor", icon="edit", on_press=lambda: self.session.change_level(1),
                   tip=f"Back to the editor ({keys_shown('next')})")  # fmt: skip
            Button(kit, right, "Restart", icon="restart", on_press=self.session.restart,
                   tip=f"Restart ({keys_shown('restart')})")  # fmt: skip
        else:
            Button(kit, left, "Levels", icon="list", on_press=lambda: self.command("list"), tip="List of levels (L)")
            Button(
                kit, right, "Next level", icon="next", on_press=lambda: self.command("next"), tip="Next level (PgDn)"
            )
