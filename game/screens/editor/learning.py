"""'Train on this map': first the solver finds out whether there is anything to be learned, then the lab is opened."""

from typing import TYPE_CHECKING

from game.screens.lab import maps

if TYPE_CHECKING:
    from game.screens.editor.scene import EditorScene


class Learning:
    """Call `update` every frame."""

    def __init__(self, scene: "EditorScene") -> None:
        """Nothing was asked for."""
        self._scene = scene
        self._waiting = False
        """Whether the solver's answer is awaited."""

    def ask(self) -> None:
        """Go to the lab with this map, or say why not."""
        scene = self._scene
        reason = maps.refusal(scene.context)
        if reason is not None:
            scene.window.say(reason, "bad")
        elif scene.level is None:
            scene.window.say(f"This cannot be learned yet: {scene.problem}.", "bad")
        else:
            if not scene.solving.verdict and not scene.solving.busy:
                scene.solving.ask(scene.level.state)
            self._waiting = True
            if scene.solving.busy:
                scene.window.say("The solver looks first whether the map has a solution. Esc stops it.")

    def update(self) -> None:
        """Go on when the solver has answered."""
        scene, solving = self._scene, self._scene.solving
        if not self._waiting or solving.busy:
            return
        self._waiting = False
        if solving.answer is None or scene.level is None:
            return  # stopped, or drawn on
        if solving.verdict == "no":
            scene.window.say("This map has no solution, so nothing can be learned on it.", "bad")
        else:
            maps.train_on(scene.window, scene.context, scene.level)
