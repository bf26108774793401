"""The row of buttons under a theatre's line: start, back, play, on, end; speed; what two games side by side need."""

from functools import partial
from typing import TYPE_CHECKING

import pygame

from game.screens.keys import REPLAY
from game.screens.replays.playhead import speed_words
from game.ui.controls import Button, Stepper
from game.ui.shortcuts import keys_shown

if TYPE_CHECKING:
    from game.screens.replays.theatre import TheatreScene

SPEED_KEY = "theatre"
PLAY, SPEED, PACE = 108, 140, 92
BUTTONS = (
    ("previous", "to_start", "To the start"), ("chevron-left", "back_one", "One move back"),
    ("play", "play", "Play or pause"), ("chevron-right", "forth", "One move on"), ("next", "to_end", "To the end"),
)  # fmt: skip
"""(icon, command, title)."""
GROUPS = (REPLAY,)


class Transport:
    """Made anew by every `build` of its theatre."""

    def __init__(self, scene: "TheatreScene", row: pygame.Rect) -> None:
        """Controls along `row`."""
        self.scene = scene
        theme, kit, gap, side = scene.theme, scene.kit, scene.theme.px(6), row.height
        left = row.left
        for icon, command, title in BUTTONS:
            plays = command == "play"
            wide = theme.px(PLAY) if plays else side
            button = Button(
                kit, pygame.Rect(left, row.top, wide, side), "Play" if plays else "", icon=icon,
                style="primary" if plays else "plain", tip=f"{title} ({keys_shown(command, GROUPS)})",
                on_press=partial(scene.window.command, command),
            )  # fmt: skip
            if plays:
                self._play = button
            left += wide + gap
        right = row.right - theme.px(SPEED)
        self._speed = Stepper(
            kit, pygame.Rect(right, row.top, theme.px(SPEED), side), "Speed", speed_words(scene.head.speed),
            on_step=self._step_speed, tip=f"Moves a second ({keys_shown('quicker', GROUPS)}, {keys_shown('calmer', GROUPS)})",
        )  # fmt: skip
        if len(scene.games) > 1:
            right -= side + gap
            Button(kit, pygame.Rect(right, row.top, side, side), icon="close", on_press=scene.close_second,
                   tip="Close the second game")  # fmt: skip
            right -= theme.px(PACE) + gap
            Button(kit, pygame.Rect(right, row.top, theme.px(PACE), side),
                   "By share" if scene.head.by_share else "By move", on_press=self._change_pace,
                   tip="Both games at the same move, or both as far through")  # fmt: skip

    def _change_pace(self) -> None:
        self.scene.head.by_share = not self.scene.head.by_share
        self.scene.rebuild()

    def _step_speed(self, by: int) -> str:
        self.scene.head.change_speed(by)
        self.scene.context.remember_speed(SPEED_KEY, self.scene.head.speed)
        return speed_words(self.scene.head.speed)

    def change_speed(self, by: int) -> None:
        """By a key instead of the control."""
        self._speed.value = self._step_speed(by)
        self._speed.repaint()

    def update(self) -> None:
        """Show whether it plays."""
        playing = self.scene.head.playing
        self._play.set("Pause" if playing else "Play", "pause" if playing else "play")
