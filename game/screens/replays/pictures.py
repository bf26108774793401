"""Thumbnails of last positions, made a little in each frame: read on a thread, replayed and drawn in small slices."""

import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path

import pygame

from game.rules import games
from game.rules import replay as replays
from game.rules.game import State
from game.rules.replay import Replay, ReplayError
from game.screens.replays.reading import read_if_there
from game.ui.theme import Theme
from game.views.board import Board
from game.views.view import view_of

MOST_PICTURES, MOST_STATES = 400, 4000
STEPS_AT_ONCE = 16


class Pictures:
    """Ask `picture` for what is in sight; call `update` once a frame."""

    def __init__(self) -> None:
        """Nothing asked for yet."""
        self.problems: dict[Path, ReplayError] = {}
        """Games whose last position cannot be reached."""
        self._pictures: OrderedDict[tuple[Path, tuple[int, int], str], pygame.Surface] = OrderedDict()
        self._states: OrderedDict[Path, State] = OrderedDict()
        self._reading: tuple[Path, Future[Replay | None]] | None = None
        self._playing: tuple[Path, Iterator[State], State] | None = None
        self._boards: dict[str, Board] = {}
        self._look: tuple[Theme, tuple[int, int]] | None = None
        """What the boards are made for."""
        self._wanted: list[Path] = []

    def picture(self, path: Path, size: tuple[int, int], theme: Theme, until: float) -> pygame.Surface | None:
        """The thumbnail, `size` pixels large; None while there is none. Draws one if there is time `until` then."""
        key = (path, size, theme.name)
        made = self._pictures.get(key)
        if made is not None:
            self._pictures.move_to_end(key)
            return made
        state = self._states.get(path)
        if state is None:
            if path not in self.problems:
                self._wanted.append(path)
            return None
        if time.perf_counter() >= until:
            return None
        made = self._draw(state, size, theme)
        self._pictures[key] = made
        while len(self._pictures) > MOST_PICTURES:
            self._pictures.popitem(last=False)
        return made

    def _draw(self, state: State, size: tuple[int, int], theme: Theme) -> pygame.Surface:
        game = games.of(state).id
        if self._look != (theme, size):
            self._look = (theme, size)
            self._boards.clear()
        if game not in self._boards:
            self._boards[game] = view_of(game).board(theme, animated=False, small=True)
        board = self._boards[game]
        surface = pygame.Surface(size, pygame.SRCALPHA)
        board.draw_still(surface, surface.get_rect(), state)
        return surface.convert_alpha()

    def update(self, seconds: float) -> None:
        """Work for so long on the games that were asked for in this frame, the first ones first."""
        wanted, self._wanted = self._wanted, []
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            if self._playing is not None:
                self._play(until)
            elif self._reading is not None:
                if not self._reading[1].done():
                    return
                self._start()
            elif not self._read_next(wanted):
                return

    def _read_next(self, wanted: Sequence[Path]) -> bool:
        path = next((path for path in wanted if path not in self._states and path not in self.problems), None)
        if path is None:
            return False
        self._reading = (path, read_if_there(path))
        return True

    def _start(self) -> None:
        assert self._reading is not None
        (path, reading), self._reading = self._reading, None
        try:
            replay = reading.result()
            if replay is None:
                return  # deleted meanwhile; it may come back
            played = replays.play(replay, path.name)
            self._playing = (path, played, next(played))
        except ReplayError as error:
            if path.exists():
                self.problems[path] = error

    def _play(self, until: float) -> None:
        assert self._playing is not None
        path, played, state = self._playing
        try:
            while time.perf_counter() < until:
                for _ in range(STEPS_AT_ONCE):
                    after = next(played, None)
                    if after is None:
                        self._finish(path, state)
                        return
                    state = after
        except ReplayError:
            self._finish(path, state)  # as far as it can be played; the theatre says what is wrong
            return
        self._playing = (path, played, state)

    def _finish(self, path: Path, state: State) -> None:
        self._playing = None
        self._states[path] = state
        while len(self._states) > MOST_STATES:
            self._states.popitem(last=False)

    def forget(self, path: Path) -> None:
        """The game is gone, or is another one now."""
        self._states.pop(path, None)
        self.problems.pop(path, None)
