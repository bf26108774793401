"""Levels and solutions into the Sokoban screen and out of it: the clipboard, or a file.

A text that is moves and nothing else is played on the level that is open, as a solution from its start (or, where that
does not fit or solve it, from the present position). Any other text is opened as levels.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from game.play.sokoban.board import WORTH_KEEPING
from game.play.sokoban.session import LevelSession
from game.play.words import counted
from game.rules import levels, sokoban
from game.rules.levels import LevelError, Pack
from game.rules.sokoban import State
from game.saves import level_forms
from game.screens import results
from game.ui import clipboard
from game.ui.dialog import Answer, Dialog
from game.ui.file_dialog import FileDialog
from game.ui.reading import Unreadable
from game.ui.scene import Host

SOURCE = "the clipboard"
REPLACES = (
    "They begin at the start of the level and take the place of your game of {}. Your game is kept as a replay."
)


class Exchange:
    """What comes to one session and goes from it."""

    def __init__(self, session: LevelSession, window: Host, open_text: Callable[[str, str], None]) -> None:
        """`open_text` shows the levels in a text, which comes from where its second argument says."""
        self._session, self._window, self._open_text = session, window, open_text
        self._folder: Path | None = None
        """Where a file was opened last."""

    # In

    def open_file(self) -> None:
        """Ask for a file and open it, as if it had been dropped."""
        window = self._window
        folder = self._folder or Path.home()
        window.push(FileDialog(window, "Open levels", folder, level_forms.SUFFIXES, self._open))

    def _open(self, path: Path) -> None:
        self._folder = path.parent
        self._window.on_drop(path)

    def paste(self) -> None:
        """Play the moves on the clipboard, or open the levels there."""
        self.take(clipboard.read())

    def take(self, text: str) -> None:
        """Play the moves in a text, or open its levels; a pasted or dropped one."""
        if not text.strip():
            self._window.say("There is no text on the clipboard.")
        elif levels.is_lurd(text):
            self._play(text)
        else:
            self._open_text(text, SOURCE)

    def _play(self, text: str) -> None:
        """Play moves in any case from the start of the level, or from here where they fit or solve it only here."""
        session = self._session
        session.walk.finish()
        if session.backwards:
            session.turn()
        here = session.timeline.cursor
        states = {ply: session.timeline.states[ply] for ply in (0, here)}

        def stands() -> bool:
            same = session.timeline.cursor == here and session.timeline.states[0] is states[0]
            if not same:
                self._window.say("The pasted moves are not played: the game has gone on meanwhile.")
            return same

        def follow(fit: _Fit) -> None:
            if stands():
                self._follow(fit)

        def take(fit: _Fit) -> None:
            if here < WORTH_KEEPING or fit.ply or session.over:
                follow(fit)
            elif stands():
                window = self._window
                answers = (Answer("Play them", lambda: follow(fit), "primary", "play"), Answer("Go on playing"))
                window.push(Dialog(window, "Play the pasted moves?", REPLACES.format(counted(here, "move")), answers))

        self._window.read("Trying the moves", lambda: _fitting(states, text), take)

    def _follow(self, fit: "_Fit") -> None:
        """Play moves that are known to be legal from a ply of the game."""
        session, start, actions = self._session, fit.ply, fit.actions
        if start == 0:
            session.keep_attempt()
        session.go(start)
        open_boxes = len(fit.end.boxes - sokoban.at_home(fit.end))
        end = "" if not open_boxes else f" {counted(open_boxes, 'box')} will not be home yet."
        self._window.say(f"{counted(len(actions), 'move')} from the clipboard.{end}", "good" if not end else "info")
        session.follow(actions, by_agent=True, pasted=True)

    # Out

    def copy(self) -> None:
        """Put the level on the clipboard, with the moves as its solution once it is solved."""
        session = self._session
        solved = session.over
        text = levels.dump(Pack((replace(session.level, solution=session.solution_text() if solved else ""),)))
        self._put(text, "The level with your solution" if solved and not session.helped else
                  "The level with this solution" if solved else "The level")  # fmt: skip

    def copy_moves(self) -> None:
        """Put the moves up to here on the clipboard; of a level that was solved backwards the solution."""
        if self._session.timeline.cursor:
            self._put(self._session.solution_text(), counted(len(self._session.solution()), "move"))
        else:
            self._window.say("There are no moves to copy yet.")

    def _put(self, text: str, what: str) -> None:
        verb = "are" if what.endswith("moves") else "is"
        results.put(self._window, text, f"{what} {verb} on the clipboard.")


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
