"""Levels and solutions into the Sokoban screen and out of it: the clipboard, a file, and My packs.

A text that is moves and nothing else is played on the level that is open, as a solution from its start (or, where that
does not fit or solve it, from the present position). Any other text opens as a pack for the while, which can be kept in My packs.
"""

from collections.abc import Mapping
from concurrent.futures import wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from game.play.sokoban.packs import OWN
from game.play.words import counted
from game.rules import levels, sokoban
from game.rules.levels import LevelError, Pack
from game.rules.sokoban import State
from game.saves import level_forms
from game.saves.user_packs import PackError, UserPacks
from game.screens import results
from game.screens.sokoban.level_scene import WORTH_KEEPING
from game.ui import clipboard
from game.ui.file_dialog import FileDialog
from game.ui.reading import Unreadable

if TYPE_CHECKING:
    from game.screens.sokoban.screen import SokobanScene

SOURCE = "the clipboard"


class Exchange:
    """What comes and goes at one Sokoban screen."""

    def __init__(self, scene: "SokobanScene") -> None:
        """For one screen."""
        self.scene = scene
        self._folder: Path | None = None
        """Where a file was opened last."""

    # In

    def open_file(self) -> None:
        """Ask for a file and open it, as if it had been dropped."""
        window = self.scene.window
        folder = self._folder or Path.home()
        window.push(FileDialog(window, "Open levels", folder, level_forms.SUFFIXES, self._open))

    def _open(self, path: Path) -> None:
        self._folder = path.parent
        self.scene.window.on_drop(path)

    def paste(self) -> None:
        """Play the moves on the clipboard, or open the levels there."""
        self.take(clipboard.read())

    def take(self, text: str) -> None:
        """Play the moves in a text, or open its levels; a pasted or dropped one."""
        if not text.strip():
            self.scene.window.say("There is no text on the clipboard.")
        elif levels.is_lurd(text):
            self._play(text)
        else:
            from game.screens.opening import Opener  # which itself leads here

            Opener(self.scene.window, self.scene.context).open_text(text, SOURCE)

    def _play(self, text: str) -> None:
        """Play moves in any case from the start of the level, or from here where they fit or solve it only here."""
        scene = self.scene
        scene.path.finish()
        if scene.backwards:
            scene.turn()
        here = scene.timeline.cursor
        states = {ply: scene.timeline.states[ply] for ply in (0, here)}

        def take(fit: _Fit) -> None:
            if scene.timeline.cursor == here and scene.timeline.states[0] is states[0]:
                self._follow(fit)
            else:
                scene.window.say("The moves on the clipboard are not played: the game has gone on meanwhile.")

        scene.window.read("Trying the moves", lambda: _fitting(states, text), take)

    def _follow(self, fit: "_Fit") -> None:
        """Play moves that are known to be legal from a ply of the game."""
        scene, start, actions = self.scene, fit.ply, fit.actions
        if not scene.finished and start == 0 and scene.timeline.cursor >= WORTH_KEEPING:
            scene.keep_replay(batch=scene.helped)
        scene.go(start)
        open_boxes = len(fit.end.boxes - sokoban.at_home(fit.end))
        end = "" if not open_boxes else f" {counted(open_boxes, 'box')} will not be home yet."
        scene.window.say(f"{counted(len(actions), 'move')} from the clipboard.{end}", "good" if not end else "info")
        scene.follow(actions, by_agent=True, pasted=True)

    # Out

    def copy(self) -> None:
        """Put the level on the clipboard, with the moves as its solution once it is solved."""
        scene = self.scene
        course = scene.course
        level = course.level(scene.start)
        solved = scene.over(scene.state)
        text = levels.dump(Pack((replace(level, solution=self._lurd() if solved else ""),)))
        self._put(text, "The level with your solution" if solved and not scene.helped else
                  "The level with this solution" if solved else "The level")  # fmt: skip

    def copy_moves(self) -> None:
        """Put the moves up to here on the clipboard; of a level that was solved backwards the solution."""
        if self.scene.timeline.cursor:
            self._put(self._lurd(), counted(len(self.scene.solution()), "move"))
        else:
            self.scene.window.say("There are no moves to copy yet.")

    def _lurd(self) -> str:
        scene = self.scene
        turned = scene.backwards and scene.over(scene.state)
        return sokoban.to_lurd(scene.start if turned else scene.timeline.initial, scene.solution())

    def _put(self, text: str, what: str) -> None:
        verb = "are" if what.endswith("moves") else "is"
        results.put(self.scene.window, text, f"{what} {verb} on the clipboard.")

    def keep(self) -> None:
        """Keep the levels that were pasted or opened from a file in My packs."""
        scene = self.scene
        course, window = scene.course, scene.window
        pack = course.pack
        if pack is None or course.packs.file(pack.id) is not None:
            name = f"“{pack.title}”" if pack is not None else "This level"
            window.say(f"{name} is kept already." if pack is not None else f"{name} is in no pack.")
            return

        def write() -> str:
            own = UserPacks(scene.context.saves, scene.context.writer)
            try:
                stem = own.make(pack.title)
                own.add(stem, pack.levels)
            except PackError as error:
                raise Unreadable(str(error)) from None
            scene.context.writer.flush()
            return stem

        def written(stem: str) -> None:
            course.packs.refresh()
            reading = course.packs.reading(OWN + stem)
            window.read("Keeping the levels", lambda: reading and wait((reading,)), lambda _: read(stem))

        def read(stem: str) -> None:
            kept = course.packs.get(OWN + stem)
            if kept is None or not kept.levels:
                window.say("The levels could not be kept: the folder of saves cannot be written.", "bad")
                return
            if course.pack is pack:
                scene.moved_to(kept, min(course.number, len(kept.levels) - 1))
            window.say(f"{counted(len(kept.levels), 'level')} kept in My packs as “{kept.title}”.", "good")

        window.read("Keeping the levels", write, written)


@dataclass(frozen=True, slots=True)
class _Fit:
    """From where moves can be played, all of them, and the position after them."""

    ply: int
    actions: tuple[int, ...]
    end: State


def _fitting(states: Mapping[int, State], text: str) -> _Fit:
    """The first of some positions, by ply, that the moves in a text solve; else the first where they are legal.

    Raises:
        Unreadable: they are legal nowhere.
    """
    problem = ""
    found: list[_Fit] = []
    for ply, state in states.items():
        try:
            actions = levels.replayed(state, text, SOURCE)
        except LevelError as error:
            problem = problem or error.reason
            continue
        end = state
        for action in actions:
            end = sokoban.apply(end, action)
        found.append(_Fit(ply, actions, end))
        if sokoban.is_solved(end):
            return found[-1]
    if not found:
        raise Unreadable(f"These moves do not fit this level: {problem}.")
    return found[0]
