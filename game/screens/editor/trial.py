"""The level in the editor, played at once: the Sokoban screen without packs, which goes back to the editor."""

from typing import Any

import pygame

from ai.agent import Plan
from game.play.driver import Thought
from game.rules.levels import Level
from game.saves import resume
from game.screens.editor.solving import SOLVER
from game.screens.sokoban.screen import SokobanScene
from game.ui.chrome import Action
from game.ui.controls import Button
from game.ui.shortcuts import keys_shown

TRIAL_ACTIONS = tuple(action for action in SokobanScene.top_actions if action.command not in ("list", "edit"))


class TrialScene(SokobanScene):
    """One level in no pack. The saved game of Sokoban and the results stay as they are; a solution leaves a replay."""

    title = "Trying it out"
    onward = "Back to the editor"
    never = SokobanScene.never | {"list", "next", "previous", "edit"}
    top_actions: tuple[Action, ...] = TRIAL_ACTIONS

    def __init__(self, window: Any, context: Any, level: Level, plan: Plan | None = None) -> None:
        """With a `plan`, the whole solution, it is carried out from the start."""
        self.level, self.plan = level, plan
        super().__init__(window, context)
        self.autosave = False

    def again(self) -> "TrialScene":
        """The same level from its start."""
        return TrialScene(self.window, self.context, self.level)

    def saved_game(self) -> resume.Loaded:
        """Nothing: the level itself is what is played."""
        return resume.Loaded()

    def first_game(self) -> None:
        """The level, from its start."""
        self.course.begin(None)
        self.course.title = self.level.title
        self.line.start()
        self.level_begins()
        self.begin(self.level.state)
        self._know_level()

    def enter(self) -> None:
        """Show the plan, once."""
        super().enter()
        plan, self.plan = self.plan, None
        if plan is not None:
            self.driver.thought = Thought(spec=SOLVER, plan=plan, ply=0)
            self.solver.update()
            self.toggle_run()

    def change_level(self, step: int) -> None:
        """There is no other level: onward is back to the editor."""
        if step > 0 and self.window.top is self:
            self.window.pop()

    def edit(self) -> None:
        """The editor is where this came from."""
        self.change_level(1)

    def open_list(self) -> None:
        """There is no list."""

    def build_ways(self, rect: pygame.Rect) -> None:
        """Back to the editor, and once more."""
        theme = self.theme
        gap, high = theme.px(8), theme.px(38)
        wide = (rect.width - gap) * 3 // 5
        Button(self.kit, pygame.Rect(rect.left, rect.top, wide, high), "To the editor", icon="edit",
               on_press=lambda: self.change_level(1), tip=f"Back to the editor ({keys_shown('next')})")  # fmt: skip
        Button(self.kit, pygame.Rect(rect.left + wide + gap, rect.top, rect.width - wide - gap, high), "Restart",
               icon="restart", on_press=self.restart, tip=f"Restart ({keys_shown('restart')})")  # fmt: skip
