"""Two agents at 2048 on the same spawns: each with a board and a thread of its own, move by move. Knows no window."""

import math
import random
from collections.abc import Callable
from datetime import datetime

from ai.entries import Spec
from game.play.driver import Driver, Played
from game.rules import replay as replays
from game.rules import twenty48
from game.rules.replay import Replay, Step
from game.rules.twenty48 import State

GAME = "twenty48"
AHEAD = 1
"""Moves that one side may be before the other: the slower one sets the pace."""


class Side:
    """One agent and its game."""

    def __init__(self, spec: Spec) -> None:
        """`Duel` starts its games."""
        self.driver = Driver(GAME, [spec])
        self.states: list[State] = [twenty48.start()]
        self.steps: list[Step] = []

    @property
    def spec(self) -> Spec:
        """Who plays."""
        seat = self.driver.seats[0]
        assert seat is not None
        return seat

    @property
    def state(self) -> State:
        """The present position."""
        return self.states[-1]

    @property
    def moves(self) -> int:
        """How many were played."""
        return len(self.steps)

    @property
    def over(self) -> bool:
        """Whether no move is left."""
        return 0 not in self.state.cells and twenty48.outcome(self.state) is not None

    def begin(self, start: State) -> None:
        """Another game."""
        self.states, self.steps = [start], []
        self.driver.new_game(start.seed)

    def play(self, action: int, cell: int | None, exponent: int | None) -> None:
        """A move, with the tile that the agent drew or the next one of the seed.

        Raises:
            ValueError: when it moves nothing, or the tile cannot be.
        """
        slide = twenty48.slide(self.state, action)
        if slide is None:
            raise ValueError("nothing moves that way")
        if cell is None or exponent is None:
            cell, exponent = twenty48.spawn(slide.cells, self.state.seed, self.state.spawns)
        after = twenty48.place(self.state, slide, cell, exponent)
        self.steps.append(Step(action, (cell, exponent)))
        self.states.append(after)


class Duel:
    """Both sides, kept together."""

    def __init__(self, specs: tuple[Spec, Spec], size: int) -> None:
        """Starts a game of a random seed, paused."""
        self.sides = (Side(specs[0]), Side(specs[1]))
        self.size = size
        self.seed = 0
        self.seconds = 0.0
        self.started = ""
        self.problem = ""
        """A sentence to show once."""
        self.told = False
        """Whether the end was shown."""
        self._turn = 0
        self.new_game()

    @property
    def running(self) -> bool:
        """Whether the agents play."""
        return any(side.driver.running for side in self.sides)

    @property
    def ready(self) -> bool:
        """Whether the kernels of both agents are compiled."""
        return all(side.driver.ready for side in self.sides)

    @property
    def specs(self) -> list[Spec]:
        """Both agents."""
        return [side.spec for side in self.sides]

    @property
    def over(self) -> bool:
        """Whether both games have ended."""
        return all(side.over for side in self.sides)

    @property
    def speed(self) -> float:
        """Moves a second of each."""
        return self.sides[0].driver.speed

    @property
    def lead(self) -> int:
        """Points by which the first side is before the second."""
        return self.sides[0].state.score - self.sides[1].state.score

    def set_speed(self, speed: float) -> None:
        """Moves a second of each; infinity for as fast as the machine allows."""
        for side in self.sides:
            side.driver.speed = speed

    def new_game(self, seed: int | None = None) -> None:
        """Both begin on the same board; a random seed unless one is given."""
        self.seed = random.SystemRandom().randrange(2**31) if seed is None else seed
        self.seconds, self.told = 0.0, False
        self.started = datetime.now().astimezone().isoformat(timespec="seconds")
        for side in self.sides:
            side.begin(twenty48.start(self.size, self.seed))

    def run(self) -> None:
        """Let both play."""
        for side in self.sides:
            if not side.over:
                side.driver.run()

    def stop(self) -> None:
        """Pause both."""
        for side in self.sides:
            side.driver.stop()

    def step(self) -> None:
        """One move of each, or of the one that is behind, then pause."""
        least = min(side.moves for side in self.sides if not side.over) if not self.over else 0
        self.stop()
        for side in self.sides:
            if not side.over and side.moves == least:
                side.driver.step_once()

    def tick(self, dt: float, busy: tuple[bool, bool], show: Callable[[int, State, Step], None]) -> None:
        """Once a frame: let the sides think and play. Neither gets far before the other.

        Args:
            dt: seconds since the last frame.
            busy: whether the last move of a side is still being drawn.
            show: called with the number of a side, the position it moved from and its step, for single moves.
        """
        if self.running:
            self.seconds += dt
        self._turn = 1 - self._turn
        for number, side in enumerate(self.sides):
            if side.over:
                side.driver.running = False
            other = self.sides[1 - number]
            waits = not other.over and side.moves - other.moves >= AHEAD
            # as fast as the machine allows, many moves are replayed in a frame: of one side at a time
            waits = waits or (math.isinf(self.speed) and self.running and number == self._turn)
            played = side.driver.tick(dt, side.state, side.moves, 0, side.over or waits, not busy[number])
            if side.driver.problem:
                self.problem, side.driver.problem = side.driver.problem, None
                self.stop()
            elif played is not None:
                self._play(number, side, played, show)

    def _play(self, number: int, side: Side, played: Played, show: Callable[[int, State, Step], None]) -> None:
        before = side.state
        try:
            for move in played.moves:
                side.play(*move)
            if len(played.moves) == 1:
                show(number, before, side.steps[-1])
        except ValueError as error:
            self.problem = f"The agent on the {'left' if number == 0 else 'right'} played what cannot be: {error}."
            self.stop()

    def records(self) -> list[Replay]:
        """The games so far, for the library."""
        return [
            replays.record(
                side.states[0], side.steps, seats=(str(side.spec),), seed=self.seed, started=self.started,
                seconds=self.seconds, title=f"{self.size}×{self.size} · {side.state.score:,} · side by side",
                positions=side.states,
            )
            for side in self.sides
            if side.steps
        ]  # fmt: skip

    def close(self) -> None:
        """End the threads."""
        for side in self.sides:
            side.driver.close()
