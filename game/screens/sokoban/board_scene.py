"""Sokoban on the board: how moves are seen, what is drawn over the board, and what follows a solved level.

The base of the Sokoban screen. It knows no key, no button and no file.
"""

import math
from collections.abc import Sequence
from typing import Any

import pygame

from game.play.sokoban.verdict import Verdict
from game.play.sokoban.walk import Path
from game.rules.direction import Direction
from game.rules.replay import Step
from game.rules.sokoban import State, dead_squares
from game.screens.sokoban import messages
from game.screens.sokoban.banner import Banner
from game.screens.sokoban.level_scene import LevelScene
from game.screens.sokoban.pointer import Pointer
from game.screens.sokoban.solver_view import SolverView
from game.screens.sokoban.win_dialog import WinDialog
from game.views.sokoban.board import BoardView, Overlay

MOVE_SECONDS = 0.1
RUSH = 8
"""Steps of a plan in one frame at the highest speed."""
CELEBRATION = 1.1
DEAD_SQUARES = "sokoban/dead squares"
"""What the settings remember it by."""
FACING = int(Direction.DOWN)


class BoardScene(LevelScene):
    """The board with what lies over it, walks and plans on their way, and the end of a level."""

    def __init__(self, window: Any, context: Any) -> None:
        """Takes up the saved game."""
        self.board: BoardView | None = None
        self.pointer = Pointer()
        self.path = Path(self._play_path)
        self.banner = Banner()
        self.verdict = Verdict()
        self._victory: float | None = None
        """Seconds since the level was won, while its dialog is still to come."""
        self._won_best = ""
        self.solver = SolverView(self)
        super().__init__(window, context)

    def level_begins(self) -> None:
        """Nothing of the level before is left."""
        self.path.clear()
        self._victory = None
        self.verdict.forget()
        self.solver.forget()

    # Moves

    def play(self, action: int, *args: Any, **more: Any) -> bool:
        """As for every game; a step ends what was said about the position before."""
        ply = self.timeline.cursor
        if not super().play(action, *args, **more):
            return False
        self.verdict.play(ply)
        self.driver.hint = None
        return True

    def person_plays(self, action: int) -> bool:
        """A move by key: a walk that is still on its way is finished first."""
        self.path.finish()
        if self.over(self.state):
            return False
        self.driver.stop()
        return self.play(action, seconds=MOVE_SECONDS)

    def follow(self, actions: Sequence[int], by_agent: bool = False, pasted: bool = False) -> None:
        """Play moves one after the other, as they are drawn; pasted ones count as an agent's."""
        self.path.finish()
        self.driver.stop()
        self.pasted = pasted
        self.path.start(actions, by_agent)
        if not self.window.look.animated:
            self.path.finish()

    def _play_path(self, action: int, seconds: float, by_agent: bool) -> bool:
        self.by_agent = by_agent
        played = self.play(action, seconds=seconds)
        self.by_agent = False
        return played

    # History

    def go(self, ply: int, animated: bool = False) -> None:
        """Through the history; a path or a celebration under way ends."""
        self.path.clear()
        self._victory = None
        super().go(ply, animated)

    def redo(self) -> None:
        """Take an undone step again, with its motion and sound."""
        self.path.clear()
        line = self.timeline
        if not line.can_redo:
            return
        before, step = line.state, line.steps[line.cursor]
        self.driver.stop()
        after = line.go(line.cursor + 1)
        self.finished = self.over(after)
        self.animate(before, step, after, MOVE_SECONDS)
        self.sound_of(before, step, after)
        self.changed()

    # Board

    def build_board(self, rect: pygame.Rect) -> None:
        """The board as large as it fits."""
        if self.board is None:
            self.board = BoardView(self.theme, self.window.look.animated)
        self.board.set_theme(self.theme, self.window.look.animated)
        self.board.layout(rect)
        self.banner.clear()

    def show(self, state: State) -> None:
        """Put a position on the board; one step back is seen as a step."""
        if self.board is not None:
            last = self.timeline.last
            self.board.undo_to(state, last.action if last is not None else FACING)

    def animate(self, before: State, step: Step, after: State, seconds: float) -> None:
        """Move the keeper."""
        if self.board is not None:
            at_once = self.by_agent and not self.path and math.isinf(self.driver.speed)
            self.board.play(before, step.action, after, 0.0 if at_once else seconds)

    def board_busy(self) -> bool:
        """The agent waits for the move that is being drawn."""
        return self.board is not None and self.board.busy

    def update(self, dt: float) -> None:
        """Agents, paths, the end of a level."""
        super().update(dt)
        if math.isinf(self.driver.speed):
            for _ in range(RUSH):
                if not (self.driver.running and self.driver.carrying_out):
                    break
                played = self.driver.tick(0.0, self.state, self.timeline.cursor, 0, self.over(self.state))
                if played is None:
                    break
                self._agent_plays(played)
        self.solver.update()
        self.verdict.look(self.state)
        self.pointer.look(self.state)
        self._show_banner()

    def update_board(self, dt: float) -> None:
        """Animation, paths, and what follows a win."""
        if self.board is None:
            return
        self.path.update(dt)
        self.board.update(dt)
        if self._victory is not None and not self.board.busy:
            if self._victory == 0.0:
                self.board.celebrate()
                self.window.play("win")
            self._victory += dt
            if self._victory >= (CELEBRATION if self.window.look.animated else 0.0) and self.window.top is self:
                self._victory = None
                self.window.push(WinDialog(self, self._won_best))

    @property
    def covered(self) -> pygame.Rect:
        """The board with the room around it."""
        return self.board.area if self.board is not None else super().covered

    def draw_board(self, surface: pygame.Surface) -> None:
        """The board with what lies over it, and the banner."""
        if self.board is not None:
            self.board.draw(surface, self._overlay(), self.theme.ground)
            self.banner.draw(surface, self.theme)

    def _overlay(self) -> Overlay:
        """Marks of the person and of the agent."""
        state, pointer = self.state, self.pointer
        settings = self.context.settings
        stuck = self.verdict.stuck if settings.show_stuck else frozenset()
        dead = dead_squares(state.warehouse, self._picked_letter) if self.dead_shown else frozenset()
        if self.over(state):
            return Overlay(dead_squares=dead)
        push = self.solver.next_push
        still = not self.path and not self.driver.running
        return Overlay(
            dead_squares=dead,
            stuck=stuck,
            choices=self.solver.glance.choices,
            ghosts=self.solver.ghosts,
            active=pointer.active if still else None,
            selected_box=pointer.box,
            box_targets=pointer.targets,
            hover=pointer.hover if still else None,
            walk=pointer.walk if still else (),
            hint=(push.box, push.direction) if push is not None else None,
            plan=push.way if push is not None else (),
        )

    @property
    def _picked_letter(self) -> str:
        """The letter of the box that is picked up: dead squares are its own then."""
        state, box = self.state, self.pointer.box
        return state.warehouse.letters[state.placed.index(box)] if box in state.placed else ""

    @property
    def dead_shown(self) -> bool:
        """Whether dead squares are hatched, as somebody left it."""
        return self.context.settings.remembered.get(DEAD_SQUARES) is True

    def shade_dead_squares(self) -> None:
        """Hatch the squares from which no box reaches a target, or hatch them no more."""
        on = not self.dead_shown
        self.context.remember(DEAD_SQUARES, on)
        self._show_toggles()
        self.window.say("Dead squares are hatched: a box there is lost." if on else "Dead squares are not shown.")

    def _show_toggles(self) -> None:
        """Buttons of what is on wear a mark."""
        if self.top_bar is not None:
            for command, on in (("dead_squares", self.dead_shown), ("backwards", self.backwards)):
                if command in self.top_bar.buttons:
                    self.top_bar.buttons[command].set_selected(on)

    def build(self) -> None:
        """Bars, panel, board."""
        super().build()
        self._show_toggles()

    # Ends

    def ended(self) -> None:
        """Solved: celebrate what a person did alone."""
        self.path.clear()
        self.driver.running = False
        best = self.note_result()
        if self.helped:
            self.window.play("home")
        else:
            self._victory, self._won_best = 0.0, best

    @property
    def own_bar(self) -> pygame.Rect | None:
        """The banner, while it stands at the bottom."""
        at = self.banner.rect
        return at if self.banner.message is not None and at.centery > self.layout.board.centery else None

    def _show_banner(self) -> None:
        """Bring the banner up to date, but not in the middle of a walk or under a dialog."""
        if self.board is None or self.path or self.window.top is not self:
            return
        if self._victory is not None or self.driver.running:
            self.banner.clear()
        else:
            self.banner.set(messages.banner(self), self.kit, self.layout.board, self._hidden)

    def _hidden(self, rect: pygame.Rect) -> int:
        """How much of the board something in that place would hide: floor counts, boxes and keeper count more."""
        if self.board is None:
            return 0
        state, place = self.state, self.board.rect_of
        floor = sum(rect.colliderect(place(square)) for square in state.warehouse.floor)
        busy = state.boxes | {state.player, state.second} - {-1}
        return floor + 12 * sum(rect.colliderect(place(square)) for square in busy)
