"""A single level of Sokoban that is tried out, in no pack: the one in the editor, for example."""

from collections.abc import Callable

from typing_extensions import override

from game.play.sokoban.session import LevelSession
from game.play.store import Store
from game.play.watcher import Watcher
from game.rules.levels import Level
from game.saves import resume


class TrialSession(LevelSession):
    """One level in no pack. The saved game of Sokoban and the results stay as they are; a solution leaves a replay."""

    title = "Trying it out"
    onward = "Back to the editor"

    def __init__(self, store: Store, watcher: Watcher | None, level: Level, on_back: Callable[[], None]) -> None:
        """`on_back` is called where another level would come next."""
        self._trial, self._on_back = level, on_back
        super().__init__(store, watcher)
        self.autosave = False

    @override
    def saved_game(self) -> resume.Loaded:
        """Nothing: the level itself is what is played."""
        return resume.Loaded()

    @override
    def first_game(self) -> None:
        """The level, from its start."""
        self.course.begin(None)
        self.course.title = self._trial.title
        self.begin_from(self._trial.state)

    @override
    def change_level(self, step: int) -> None:
        """There is no other level: onward is back to the editor."""
        if step > 0:
            self._on_back()
