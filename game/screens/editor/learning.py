"""'Train on this map': what is drawn becomes a file, and the lab's form is filled with a training on it."""

import hashlib
from typing import TYPE_CHECKING

from game.rules import levels
from game.rules.levels import Level, Pack
from game.saves.files import write_whole
from game.screens.lab.wish import LEVEL, NUMBER, Wish, map_trainer, named
from game.screens.models.shelf import clean_name
from game.screens.opening import show_lab

if TYPE_CHECKING:
    from game.screens.editor.scene import EditorScene

FOLDER = "maps"
"""Of the saves: maps that are or were learned."""


class Learning:
    """Asked for, it first lets the solver find out whether there is anything to be learned."""

    def __init__(self, scene: "EditorScene") -> None:
        """Nothing was asked for."""
        self._scene = scene
        self._waiting = False
        """Whether the solver's answer is awaited."""

    def ask(self) -> None:
        """Go to the lab with this map, or say why not."""
        scene = self._scene
        if map_trainer() is None:
            scene.window.say("No training of this app learns a single map.", "bad")
        elif scene.level is None:
            scene.window.say(f"This cannot be learned yet: {scene.problem}.", "bad")
        elif not scene.context.saves.writable:
            scene.window.say("The saves folder is read-only, so nothing can be trained here.", "bad")
        else:
            if not scene.solving.verdict and not scene.solving.busy:
                scene.solving.ask(scene.level.state)
            self._waiting = True
            if scene.solving.busy:
                scene.window.say("The solver looks first whether the map has a solution. Esc stops it.")

    def update(self) -> None:
        """Once a frame: go on when the solver has answered."""
        solving = self._scene.solving
        if not self._waiting or solving.busy:
            return
        self._waiting = False
        level = self._scene.level
        if solving.answer is None or level is None:
            return  # stopped, or drawn on
        if solving.verdict == "no":
            self._scene.window.say("This map has no solution, so nothing can be learned on it.", "bad")
        else:
            self._open(level)

    def _open(self, level: Level) -> None:
        scene, trainer = self._scene, map_trainer()
        assert trainer is not None
        text = levels.dump(Pack((level,)))
        stem = clean_name(level.title) if level.title else "map"
        print_of = hashlib.sha256(text.encode()).hexdigest()[:8]
        path = scene.context.saves.root / FOLDER / f"{stem[:40].rstrip()}-{print_of}.xsb"
        try:
            write_whole(path, text.encode())
        except OSError as error:
            scene.window.say(f"{path.name} could not be saved: {error.strerror or error}.", "bad")
            return
        name = named(f"{stem[:40].rstrip()}-{trainer.id}", scene.context.saves.models)
        settings = {LEVEL: str(path.resolve()), NUMBER: 1}
        settings = {key: value for key, value in settings.items() if value != trainer.parameter(key).default}
        show_lab(scene.window, scene.context, Wish("sokoban", trainer.id, name, settings))
        job = scene.context.training
        if job is not None and job.active:
            scene.window.say("A training is under way: this map is ready in the form when it has ended.")
