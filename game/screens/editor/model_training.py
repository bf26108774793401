"""'Train on this map': first the solver finds out whether there is anything to be learned, then the lab is opened."""

from game.screens.context import Context
from game.screens.editor.work import Work
from game.screens.lab import maps
from game.ui.scene import Host


class Learning:
    """Call `update` every frame."""

    def __init__(self, window: Host, context: Context, work: Work) -> None:
        """Nothing was asked for."""
        self._window, self._context, self._work = window, context, work
        self._waiting = False
        """Whether the solver's answer is awaited."""

    def ask(self) -> None:
        """Go to the lab with this map, or say why not."""
        work = self._work
        reason = maps.refusal(self._context)
        if reason is not None:
            self._window.say(reason, "bad")
        elif work.level is None:
            self._window.say(f"This cannot be learned yet: {work.problem}.", "bad", work.unchanged())
        else:
            if not work.solving.verdict and not work.solving.busy:
                work.solving.ask(work.level.state)
            self._waiting = True
            if work.solving.busy:
                self._window.say(
                    "First the solver checks whether the map can be solved. Esc stops it.",
                    holds=lambda: work.solving.busy,
                )

    def update(self) -> None:
        """Go on when the solver has answered."""
        work, solving = self._work, self._work.solving
        if not self._waiting or solving.busy:
            return
        self._waiting = False
        if solving.answer is None or work.level is None:
            return  # stopped, or drawn on
        if solving.verdict == "no":
            said = "This map has no solution, so nothing can be learned on it."
            self._window.say(said, "bad", work.unchanged())
        else:
            maps.train_on(self._window, self._context, work.level)
