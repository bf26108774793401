"""The rules of a level that is not played as usual: a card with a moving picture, shown once for every kind of rules."""

from typing import NamedTuple

import pygame
from typing_extensions import override

from game.play.sokoban.session import LevelSession
from game.rules import levels, sokoban
from game.rules.sokoban import PULL, PUSH_ONLY, SECOND, Rules, State
from game.screens.context import Context
from game.screens.sokoban import messages
from game.ui.dialog import Answer, Dialog
from game.ui.scene import Host
from game.views.sokoban.board import BoardView

WIDTH, PICTURE = 480, 150
STEP, WAIT = 0.4, 1.2
"""Seconds from one step of the picture to the next, and until it begins again."""


class Example(NamedTuple):
    """A few moves on a small board."""

    text: str
    actions: tuple[int, ...]


_PULL = Example("########\n#      #\n#$@  . #\n#      #\n########\nVariant: pull only\n", (1 + PULL,) * 4)
_FIXED = Example(
    "########\n#@a  A #\n# b  B #\n#      #\n########\nVariant: fixed targets\n", (1, 1, 1, 3, 3, 3, 2, 1, 1, 1)
)
_TWO = Example(
    "########\n#@$ .  #\n#      #\n#&$ .  #\n########\nVariant: two players\n", (1, 1 + SECOND, 1, 1 + SECOND)
)


def due(session: LevelSession, context: Context) -> bool:
    """Whether a level begins whose rules the person was not shown yet."""
    rules = session.state.warehouse.rules
    new = context.settings.remembered.get(_name(rules)) is not True
    return rules != PUSH_ONLY and not session.backwards and session.timeline.cursor == 0 and new


class RulesCard(Dialog):
    """Says the rules in a sentence or two, and shows the one that matters most."""

    def __init__(self, window: Host, context: Context, session: LevelSession) -> None:
        """It is not shown again for the same rules."""
        rules = session.state.warehouse.rules
        context.remember(_name(rules), True)
        answers = (Answer("Play", style="accent", icon="play"),)
        super().__init__(
            window, f"New rules: {rules.name}", " ".join(messages.about(session)), answers, WIDTH, PICTURE
        )
        self._example = example(rules)
        self._start = levels.parse(self._example.text, "the example").levels[0].state
        self._state: State = self._start
        self._step, self._wait = 0, WAIT
        self._board: BoardView | None = None

    @override
    def build_inside(self, rect: pygame.Rect) -> None:
        """The picture."""
        self._board = BoardView(self.theme, self.window.look.animated)
        self._board.layout(rect)
        self._board.show(self._state)

    @override
    def update(self, dt: float) -> None:
        """The picture goes on, and begins again after its end."""
        if self._board is None:
            return
        self._board.update(dt)
        self._wait -= dt
        if self._wait > 0:
            return
        if self._step == len(self._example.actions):
            self._step, self._state, self._wait = 0, self._start, WAIT
            self._board.show(self._start)
            return
        action = self._example.actions[self._step]
        after = sokoban.apply(self._state, action)
        self._board.play(self._state, action, after, STEP / 2)
        self._state, self._step = after, self._step + 1
        self._wait = WAIT if self._step == len(self._example.actions) else STEP

    @override
    def draw_inside(self, surface: pygame.Surface) -> None:
        """The picture."""
        if self._board is not None:
            self._board.draw(surface)


def example(rules: Rules) -> Example:
    """What shows the rule that changes most."""
    return _PULL if rules.pull else _FIXED if rules.fixed else _TWO


def _name(rules: Rules) -> str:
    """What the settings remember it by."""
    return f"sokoban/rules {rules.name}"
