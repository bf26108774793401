"""A duel of 2048: two agents on the same spawns, each with a board and a thread of its own, at one pace."""

import math
import random
from collections.abc import Sequence

from typing_extensions import override

from ai import catalogue
from ai.entries import Spec
from game.play.driver import scaled
from game.play.session import Session
from game.play.store import Store
from game.play.timeline import Timeline
from game.play.watcher import Watcher
from game.rules import twenty48
from game.rules.twenty48 import State
from game.saves import resume

AHEAD = 1
"""Moves that one side may be before the other: the slower one sets the pace."""
SPEED = "2048-duel"
"""Name in the settings: moves a second."""
FIRST_SPEED = 8.0
LEAST, MOST = 3, 8
"""Edge of the boards."""


class Side(Session):
    """One agent's game: neither saved nor taken up again, and kept among the replays of agents however far it came."""

    game = "twenty48"
    title = "2048"

    timeline: Timeline[State]

    def __init__(self, store: Store, watcher: Watcher, place: int, start: State) -> None:
        """`place` is the number under which the settings remember who sits here."""
        self.place = place
        self._start = start
        super().__init__(store, watcher)
        self.autosave = False
        self.driver.seats = [store.chosen(self.game, place) or self.usual]

    @property
    def usual(self) -> Spec:
        """Who plays where nobody was chosen: the strongest, and one without a model against it."""
        return catalogue.strongest(self.game, self._start) if self.place == 1 else Spec("expectimax")

    @property
    def spec(self) -> Spec:
        """Who plays."""
        return self.driver.seats[0] or self.usual

    @override
    def saved_game(self) -> resume.Loaded:
        """Nothing: both sides begin together."""
        return resume.Loaded()

    @override
    def first_game(self) -> None:
        """The board that both begin on."""
        self.begin(self._start, self._start.seed)

    @override
    def over_in(self, state: State) -> bool:
        """No direction moves anything."""
        return 0 not in state.cells and twenty48.outcome(state) is not None  # with an empty cell something moves

    @override
    def change_parameter(self, seat: int, spec: Spec | None) -> None:
        """The next move is the new agent's; a run goes on."""
        self.driver.seat(seat, spec)
        self.store.remember_seat(self.game, self.place, spec)

    @override
    def leave_game(self) -> None:
        """What was played is kept, once."""
        if not self.finished:
            self.keep_replay(batch=True)

    @override
    def ended(self) -> None:
        """No move is left."""
        self.keep_replay(batch=True)
        self.driver.running = False
        self.watcher.ended()

    @override
    def replay_title(self) -> str:
        """Size and score."""
        return f"{self.state.size}×{self.state.size} · {self.state.score:,} · side by side"


class Duel:
    """Both sides, kept together."""

    def __init__(self, store: Store, watchers: Sequence[Watcher], size: int) -> None:
        """Starts a game of a random seed, paused, of the agents that sat here last."""
        self.store = store
        start = twenty48.start(size, _any_seed())
        left, right = (Side(store, watcher, place, start) for place, watcher in enumerate(watchers, 1))
        self.sides = (left, right)
        self._turn = 0
        for side in self.sides:
            side.driver.speed = store.speed(SPEED, FIRST_SPEED)

    @property
    def size(self) -> int:
        """Edge of the boards."""
        return self.sides[0].timeline.state.size

    @property
    def seed(self) -> int:
        """Of both games."""
        return self.sides[0].seed

    @property
    def running(self) -> bool:
        """Whether the agents play."""
        return any(side.driver.running for side in self.sides)

    @property
    def ready(self) -> bool:
        """Whether the kernels of both agents are compiled."""
        return all(side.driver.ready for side in self.sides)

    @property
    def over(self) -> bool:
        """Whether both games have ended."""
        return all(side.over for side in self.sides)

    @property
    def lead(self) -> int:
        """Points by which the first side is before the second."""
        first, second = (side.timeline.state.score for side in self.sides)
        return first - second

    @property
    def speed(self) -> float:
        """Moves a second of each; infinity for as fast as the machine allows."""
        return self.sides[0].driver.speed

    def set_speed(self, speed: float) -> None:
        """Moves a second of each, remembered."""
        for side in self.sides:
            side.driver.speed = speed
        self.store.remember_speed(SPEED, speed)

    def scale_speed(self, factor: float) -> None:
        """So many times as fast."""
        self.set_speed(scaled(self.speed, factor))

    def new_game(self, seed: int | None = None, size: int | None = None) -> None:
        """Both begin on the same board, of the present size unless another is given; a random seed unless one is given."""
        start = twenty48.start(size or self.size, _any_seed() if seed is None else seed)
        for side in self.sides:
            side.leave_game()
            side.begin(start, start.seed)

    def resize(self, by: int) -> None:
        """Other boards, so much larger, as far as there are such."""
        size = min(MOST, max(LEAST, self.size + by))
        if size != self.size:
            self.new_game(size=size)

    def toggle_run(self) -> None:
        """Let both play, or pause them."""
        first = self.sides[0]
        if self.running:
            self.stop()
        elif self.over:
            first.watcher.say("Both games are over: N plays with other tiles.")
        else:
            for side in self.sides:
                if not side.over:
                    side.driver.run()
            if not self.ready:
                first.watcher.waits([side.spec for side in self.sides])

    def stop(self) -> None:
        """Pause both."""
        for side in self.sides:
            side.driver.stop()

    def step_once(self) -> None:
        """One move of each, or of the one that is behind, then pause."""
        self.stop()
        going = [side for side in self.sides if not side.over]
        for side in going:
            if side.timeline.cursor == min(each.timeline.cursor for each in going):
                side.driver.step_once()

    def tick(self, dt: float, busy: Sequence[bool]) -> None:
        """Once a frame: let the sides think and play. Neither gets far before the other.

        Args:
            dt: seconds since the last frame.
            busy: whether the last move of a side is still being drawn.
        """
        running = self.running
        self._turn = 1 - self._turn
        for number, (side, drawn) in enumerate(zip(self.sides, busy, strict=True)):
            other, plays = self.sides[1 - number], side.driver.running
            if running:
                side.pass_time(dt)
            waits = not other.over and side.timeline.cursor - other.timeline.cursor >= AHEAD
            # as fast as the machine allows, many moves are replayed in a frame: of one side at a time
            waits = waits or (running and math.isinf(self.speed) and number == self._turn)
            side.tick(dt, not drawn, waits)
            if plays and not side.driver.running and not side.over:
                self.stop()  # its agent failed: the other one has nobody to play against

    def rest(self) -> None:
        """Think no more for a while."""
        for side in self.sides:
            side.rest()

    def close(self) -> None:
        """End the threads; what was played is kept."""
        for side in self.sides:
            side.leave_game()
            side.close()


def _any_seed() -> int:
    return random.SystemRandom().randrange(2**31)
