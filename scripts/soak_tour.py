"""A careless person before the window, for scripts/soak.py: visits to every screen, and what is done there at random.

A visit is a generator that does one thing and then yields how many frames to let pass. All that it does comes as an event or
as a command that a key would give, so that the app hears nothing that a person could not do.
"""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pygame

from ai import catalogue
from ai.entries import CatalogueError, Spec
from game.rules import connect4, twenty48
from game.rules.connect4 import Shape
from game.screens.context import Context
from game.screens.lab.scene import LabScene
from game.screens.lab.training import Training
from game.screens.menu import MenuScene
from game.screens.navigation import make_scene
from game.screens.opening import show_game
from game.screens.play.screen import GameScreen
from game.screens.settings import SettingsScene
from game.ui.window import Window

Steps = Iterator[int]
SIZES = ((1280, 800), (1024, 640), (700, 500), (800, 1200), (1600, 900))
USUAL = SIZES[0]
CTRL, SHIFT = pygame.KMOD_LCTRL, pygame.KMOD_LSHIFT
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,+-[]?"
NAMED = (
    *(pygame.K_UP, pygame.K_DOWN, pygame.K_LEFT, pygame.K_RIGHT) * 2,
    *(pygame.K_RETURN, pygame.K_SPACE, pygame.K_TAB, pygame.K_ESCAPE, pygame.K_HOME, pygame.K_END),
    *(
        pygame.K_PAGEUP,
        pygame.K_PAGEDOWN,
        pygame.K_DELETE,
        pygame.K_BACKSPACE,
        pygame.K_F1,
        pygame.K_F2,
        pygame.K_F12,
    ),
)
PASTED = (
    "", "hello", "\0\ufffd" * 20, "44534453", "9.9 0.0", "0 2 4 8/" * 4, "0 2 4 8/" * 3 + "2 2 2 2", "{}", "rUlD",
    "#####\n#@$.#\n#####", "#######\n#@ $ .#\n# $  .#\n#######", "9" * 99, "4.1 4.2 3.1",
)  # fmt: skip
SHAPES = (Shape(6, 7, 1, 4), Shape(4, 4, 4, 4), Shape(6, 7, 5, 4, 3), Shape(5, 5, 2, 4, 4), Shape(8, 8, 1, 5))
TRAINING_SECONDS = 40.0
"""A training that was begun in the lab is ended after so long, wherever the person is by then."""


class Tour:
    """Visits in rounds: every one once, in another order each time."""

    def __init__(
        self, window: Window, context: Context, files: list[Path], chance: random.Random, seconds: float
    ) -> None:
        """`files` are dropped on the window; a visit takes about `seconds`."""
        self.window, self.context, self.files, self.chance, self.seconds = window, context, files, chance, seconds
        self.pasted = ""
        """What is on the clipboard."""
        self.doing = ""
        """The visit under way, and what is done there."""
        self.done = 0
        """Visits so far."""
        self._trained = 0.0

    def visits(self) -> Iterator[Steps]:
        """One visit after the other, for ever."""
        named: list[tuple[str, Callable[[], Steps]]] = [
            ("menu", self._menu), ("settings", self._settings), ("sokoban", self._sokoban), ("sokoban", self._sokoban),
            ("2048", self._twenty48), ("2048", self._twenty48), ("connect-4", self._connect4), ("connect-4", self._connect4),
            ("editor", self._editor), ("replays", self._replays), ("theatre", self._theatre), ("models", self._models),
            ("lab", self._lab), ("tournament", self._tournament), ("duel", self._duel), ("series", self._series),
            ("room", self._room), ("arranging", self._arranging), ("levels", self._levels), ("packs", self._packs),
        ]  # fmt: skip
        while True:
            self.chance.shuffle(named)
            for name, visit in named:
                self.doing = name
                yield self._whole(visit)
                self.done += 1

    def frame(self, dt: float) -> None:
        """`dt` seconds passed: a training does not go on for ever."""
        job = self.context.jobs.one(Training)
        self._trained = self._trained + dt if job is not None and job.active else 0.0
        if job is not None and self._trained > TRAINING_SECONDS:
            job.stop()

    def _whole(self, visit: Callable[[], Steps]) -> Steps:
        yield from visit()
        yield from self._home()

    # The ways

    def _tell(self, command: str) -> None:
        window = self.window
        if window.scenes:
            scene = window.top
            window.guard(scene, lambda: window.command(command))

    def _home(self) -> Steps:
        """Esc until the menu is in front; a window that was closed opens again."""
        for _ in range(40):
            self.window.showing_keys = False
            if not self.window.scenes:
                break
            if isinstance(self.window.top, MenuScene):
                return
            self._key(pygame.K_ESCAPE)
            yield 2
        while self.window.scenes and not isinstance(self.window.top, MenuScene):
            self.window.pop()
            yield 2
        if not self.window.scenes:
            self.window.push(make_scene("menu", self.window, self.context))
        yield 2

    def _open(self, name: str) -> Steps:
        yield from self._home()
        self.window.push(make_scene(name, self.window, self.context))
        yield 6

    def _game(self, game: str) -> Iterator[int]:
        yield from self._home()
        show_game(self.window, self.context, game)
        yield 6

    @property
    def _scene(self) -> Any:
        return self.window.top

    # The visits

    def _menu(self) -> Steps:
        yield from self._home()
        yield from self._careless()

    def _settings(self) -> Steps:
        yield from self._home()
        self.window.push(SettingsScene(self.window, self.context))
        yield 6
        yield from self._careless()

    def _sokoban(self) -> Steps:
        yield from self._game("sokoban")
        packs = self._scene.session.course.packs
        pack = packs.get(self.chance.choice([file.id for file in packs.files]))
        if pack is not None and pack.levels:
            self._scene.session.open_level(pack, self.chance.randrange(len(pack.levels)))
        yield 6
        yield from self._watched("sokoban")

    def _twenty48(self) -> Steps:
        yield from self._game("twenty48")
        size = self.chance.choice((3, 4, 4, 5, 6))
        self._scene.session.put_on(twenty48.start(size, self.chance.randrange(1000)), 1)
        yield 6
        if self.chance.random() < 0.4:
            self._tell("why")
        yield from self._watched("twenty48")

    def _connect4(self) -> Steps:
        yield from self._game("connect4")
        shape = self.chance.choice(SHAPES)
        state = connect4.start(shape)
        self._scene.session.set_up(shape, [self._agent("connect4", state) for _ in range(shape.players)])
        yield 6
        yield from self._watched("connect4")

    def _watched(self, game: str) -> Steps:
        """An agent plays while the person does anything at all."""
        scene = self._scene
        if isinstance(scene, GameScreen):
            spec = self._agent(game, scene.session.state)
            if spec is not None:
                scene.session.choose_agent(0, spec)
                scene.session.set_speed(self.chance.choice((6.0, 30.0, float("inf"))))
            yield 2
            scene.session.driver.run()
            yield int(60 * self.seconds / 3)
        yield from self._careless()
        self._tell(self.chance.choice(("hint", "theatre", "run")))
        yield 30

    def _agent(self, game: str, state: Any) -> Spec | None:
        """Any agent that plays here, with any of its models."""
        found = []
        for entry in catalogue.entries(game):
            try:
                spec = catalogue.default_spec(game, entry.id, state)
            except CatalogueError:
                continue
            if catalogue.why_not(game, spec, state) is None:
                found.append(spec)
        return self.chance.choice(found) if found else None

    def _editor(self) -> Steps:
        yield from self._open("editor")
        for command in ("tool_rectangle", "draw", "right", "right", "draw", "solvable"):
            self._tell(command)
            yield 4
        yield from self._careless()

    def _replays(self) -> Steps:
        yield from self._open("replays")
        yield from self._careless()

    def _theatre(self) -> Steps:
        yield from self._open("replays")
        for command in (*["right"] * self.chance.randrange(8), "accept"):
            self._tell(command)
            yield 6
        self._tell(self.chance.choice(("play", "quicker", "export_replay", "compare", "go_on")))
        yield 60
        yield from self._careless()

    def _models(self) -> Steps:
        yield from self._open("models")
        for command in (*["right"] * self.chance.randrange(8), "test_model"):
            self._tell(command)
            yield 6
        yield from self._careless()

    def _lab(self) -> Steps:
        yield from self._open("lab")
        yield from self._careless()
        if isinstance(self._scene, LabScene):
            self._tell("lab_run")
            yield 60

    def _tournament(self) -> Steps:
        yield from self._game("connect4")
        self._tell("tournament")
        yield 10
        self._tell("tournament_run")
        yield int(60 * self.seconds / 2)
        yield from self._careless()

    def _duel(self) -> Steps:
        yield from self._game("twenty48")
        self._tell("duel")
        yield 10
        for command in (*["faster"] * self.chance.randrange(8), "run"):
            self._tell(command)
            yield 2
        yield int(60 * self.seconds / 2)
        yield from self._careless()

    def _series(self) -> Steps:
        yield from self._game("twenty48")
        self._tell("series")
        yield 10
        self._tell("series_run")
        yield int(60 * self.seconds / 2)
        yield from self._careless()

    def _room(self) -> Steps:
        yield from self._game("sokoban")
        self._tell("make_room")
        yield 10
        self._key(pygame.K_RETURN)
        yield int(60 * self.seconds / 2)
        yield from self._careless()

    def _arranging(self) -> Steps:
        yield from self._game("twenty48")
        self._tell("arrange")
        yield 10
        yield from self._careless()

    def _levels(self) -> Steps:
        yield from self._game("sokoban")
        self._tell("list")
        yield 30
        yield from self._careless()

    def _packs(self) -> Steps:
        yield from self._open("editor")
        self._tell("packs")
        yield 10
        yield from self._careless()

    # What is done at random

    def _careless(self) -> Steps:
        """Anything, five times a second."""
        for _ in range(max(3, int(5 * self.seconds / 2))):
            if not self.window.scenes or not self.window.running:
                return
            self._something()
            yield self.chance.choice((2, 6, 12, 28))

    def _something(self) -> None:
        chance, what = self.chance, self.chance.random()
        if what < 0.42:
            letter = chance.choice(LETTERS)
            self._key(chance.choice((ord(letter), *NAMED)), chance.choice((0, 0, 0, 0, CTRL, SHIFT)), letter)
        elif what < 0.46:
            self.pasted = chance.choice(PASTED)
            self._key(pygame.K_v, CTRL)
        elif what < 0.86:
            self._mouse()
        elif what < 0.92:
            self._post(pygame.MOUSEWHEEL, x=0, y=chance.choice((-3, -1, 1, 2)), flipped=False)
        elif what < 0.96:
            self._post(pygame.DROPFILE, file=str(chance.choice(self.files)))
        else:
            size = chance.choice(SIZES)
            pygame.display.set_mode(size, pygame.RESIZABLE)
            self._post(pygame.WINDOWSIZECHANGED, x=size[0], y=size[1])

    def _mouse(self) -> None:
        chance, window = self.chance, self.window
        controls = window.top.kit.controls
        place = chance.choice(controls).rect if controls and chance.random() < 0.6 else window.surface.get_rect()
        at = (chance.randrange(place.left, place.right + 1), chance.randrange(place.top, place.bottom + 1))
        to = at if chance.random() < 0.8 else (chance.randrange(window.size[0]), chance.randrange(window.size[1]))
        button = chance.choice((1, 1, 1, 3))
        self._post(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0))
        self._post(pygame.MOUSEBUTTONDOWN, pos=at, button=button)
        self._post(pygame.MOUSEMOTION, pos=to, rel=(1, 1), buttons=(1, 0, 0))
        self._post(pygame.MOUSEBUTTONUP, pos=to, button=button)

    def _key(self, key: int, mod: int = 0, letter: str = "") -> None:
        typed = letter if letter and key == ord(letter) and not mod & CTRL else ""
        self._post(pygame.KEYDOWN, key=key, mod=mod, unicode=typed)
        if typed:
            self._post(pygame.TEXTINPUT, text=typed)
        self._post(pygame.KEYUP, key=key, mod=mod, unicode=typed)

    def _post(self, kind: int, **said: object) -> None:
        pygame.event.post(pygame.event.Event(kind, **said))
