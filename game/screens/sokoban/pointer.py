"""What the mouse means on a Sokoban board: walk there, pick up a box, move it by a click or by dragging.

Where two play, whoever has the shorter way goes, unless a click on a keeper has picked him. The pointer changes no
position: `press` and `release` answer with the actions to be played.
"""

from game.rules import sokoban
from game.rules.sokoban import SECOND, State

NOTHING: tuple[int, ...] = ()


class Pointer:
    """The square under the mouse and the box that is picked up, on one position at a time."""

    def __init__(self) -> None:
        """Nothing is under the mouse yet."""
        self.square: int | None = None
        self.box: int | None = None
        """The box that is picked up."""
        self.targets: frozenset[int] = frozenset()
        """The squares to which it can be moved."""
        self.lost: frozenset[int] = frozenset()
        """Those of them on which it is known to be lost, and the whole position with it."""
        self.second: bool | None = None
        """Where two play: whether the mouse moves the second player; None for whoever is nearer."""
        self._state: State | None = None
        self._seen: tuple[int | None, int | None] = (None, None)
        self._walk: tuple[int, ...] = ()
        self._hover: int | None = None
        self._pressed: int | None = None
        self._again = False

    def look(self, state: State) -> None:
        """The position that is on the board now; another one than before lets the box go."""
        if state is not self._state:
            if self._state is None or state.warehouse is not self._state.warehouse:
                self.second = None
            self._state = state
            self.drop()
            self._seen = (-1, None)

    def drop(self) -> None:
        """Let the box go."""
        self.box, self.targets, self.lost, self._pressed = None, frozenset(), frozenset(), None

    def hide(self) -> None:
        """The keyboard is used: what is under the mouse matters no more until it moves."""
        self.square = None

    @property
    def dragging(self) -> bool:
        """Whether the button is held on the box that is picked up."""
        return self.box is not None and self._pressed == self.box

    @property
    def hover(self) -> int | None:
        """The square under the mouse, where a click would do something."""
        self._find()
        return self._hover

    @property
    def walk(self) -> tuple[int, ...]:
        """The squares that a click would walk."""
        self._find()
        return self._walk

    @property
    def active(self) -> int | None:
        """The square of the player that is picked."""
        state = self._state
        if state is None or self.second is None or state.second < 0:
            return None
        return state.second if self.second else state.player

    def press(self, square: int | None, state: State) -> tuple[int, ...] | None:
        """The left button went down: the actions to play, empty for none; None when there is no way there."""
        self.look(state)
        self._pressed, self._again = square, False
        if square is None:
            self.drop()
            return NOTHING
        if square in state.boxes:
            if square == self.box:
                self._again = True
            else:
                who = self._who(state)
                self.box = square
                self.targets = frozenset().union(*(sokoban.push_targets(state, square, each) for each in who))
                self.lost = _lost_on(state, square, self.targets)
            return NOTHING
        if self.box is not None:
            box, can = self.box, square in self.targets
            self.drop()
            return self._push(state, box, square) if can else NOTHING
        if square in (state.player, state.second):
            self._pick(square == state.second, state)
            return NOTHING
        if square not in state.warehouse.floor:
            return NOTHING
        return self._way(state, square)

    def release(self, square: int | None, state: State) -> tuple[int, ...] | None:
        """The left button came up: a box dragged to a square is moved there; answers as `press` does."""
        self.look(state)
        box, held = self.box, self.dragging
        self._pressed = None
        if not held or box is None:
            return NOTHING
        if square == box:
            if self._again:
                self.drop()
            return NOTHING
        if square in self.targets and square is not None:
            self.drop()
            return self._push(state, box, square)
        return None

    def _pick(self, second: bool, state: State) -> None:
        """A click on a keeper picks him, another one lets both go again."""
        if state.second >= 0:
            self.second = None if self.second == second else second
            self.drop()

    def _who(self, state: State) -> tuple[bool, ...]:
        """The players that the mouse may move."""
        if state.second < 0:
            return (False,)
        return (False, True) if self.second is None else (self.second,)

    def _way(self, state: State, square: int) -> tuple[int, ...] | None:
        """The shortest walk there."""
        ways = (sokoban.walk_path(state, square, each) for each in self._who(state))
        return min((way for way in ways if way is not None), key=len, default=None)

    def _push(self, state: State, box: int, square: int) -> tuple[int, ...] | None:
        """The shortest way to bring a box there."""
        ways = (sokoban.push_path(state, box, square, each) for each in self._who(state))
        return min((way for way in ways if way is not None), key=len, default=None)

    def _find(self) -> None:
        """Hover and walk for the present square, found once."""
        if self._seen == (self.square, self.box):
            return
        self._seen = (self.square, self.box)
        self._walk, self._hover = (), None
        state, square = self._state, self.square
        if state is None or square is None:
            return
        if self.box is not None:
            self._hover = square if square in self.targets or square in state.boxes else None
        elif square in state.boxes or (state.second >= 0 and square in (state.player, state.second)):
            self._hover = square
        elif square in state.warehouse.floor and square != state.player:
            way = self._way(state, square)
            if way:
                self._hover = square
                at, squares = (state.second if way[0] & SECOND else state.player), []
                for action in way[:-1]:
                    at = state.warehouse.steps[at][action & 3]
                    squares.append(at)
                self._walk = tuple(squares)


def _lost_on(state: State, box: int, squares: frozenset[int]) -> frozenset[int]:
    """The squares on which a box would be lost; none where the position is lost already."""
    if sokoban.is_dead(state):
        return frozenset()
    others = state.boxes - {box}
    lost = []
    for square in squares:
        placed = tuple(square if each == box else each for each in state.placed)
        if sokoban.is_dead(State(state.warehouse, others | {square}, state.player, state.second, placed)):
            lost.append(square)
    return frozenset(lost)
