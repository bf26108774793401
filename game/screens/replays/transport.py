"""The row of buttons under a theatre's line: start, back, play, on, end; speed; what two games side by side need."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import pygame

from game.screens.keys import REPLAY
from game.screens.replays.playhead import Playhead, speed_words
from game.ui.controls import Button, Stepper
from game.ui.kit import Kit
from game.ui.shortcuts import keys_shown

PLAY, SPEED, PACE = 108, 140, 92
BUTTONS = (
    ("previous", "to_start", "To the start"), ("chevron-left", "back_one", "Previous move"),
    ("play", "play", "Play or pause"), ("chevron-right", "forth", "Next move"), ("next", "to_end", "To the end"),
)  # fmt: skip
"""(icon, command, title)."""
GROUPS = (REPLAY,)


@dataclass(frozen=True, slots=True)
class Pair:
    """What two games side by side need besides."""

    change_pace: Callable[[], object]
    """Both at the same move, or both as far through."""
    close_second: Callable[[], object]


class Transport:
    """Made anew by every `build` of its theatre."""

    def __init__(
        self, kit: Kit, row: pygame.Rect, head: Playhead, command: Callable[[str], object], keep_speed: Callable[[], object],
        pair: Pair | None,
    ) -> None:  # fmt: skip
        """Controls along `row`; buttons give their commands to `command`, another speed is told to `keep_speed`."""
        self.head, self.keep_speed = head, keep_speed
        theme, gap, side = kit.theme, kit.theme.px(6), row.height
        left = row.left
        for icon, name, title in BUTTONS:
            plays = name == "play"
            wide = theme.px(PLAY) if plays else side
            button = Button(
                kit, pygame.Rect(left, row.top, wide, side), "Play" if plays else "", icon=icon,
                style="primary" if plays else "plain", tip=f"{title} ({keys_shown(name, GROUPS)})",
                on_press=partial(command, name),
            )  # fmt: skip
            if plays:
                self._play = button
            left += wide + gap
        right = row.right - theme.px(SPEED)
        self._speed = Stepper(
            kit, pygame.Rect(right, row.top, theme.px(SPEED), side), "Speed", speed_words(head.speed),
            on_step=self._step_speed, tip=f"Moves a second ({keys_shown('quicker', GROUPS)}, {keys_shown('calmer', GROUPS)})",
        )  # fmt: skip
        if pair is not None:
            right -= side + gap
            Button(kit, pygame.Rect(right, row.top, side, side), icon="close", on_press=pair.close_second,
                   tip="Close the second game")  # fmt: skip
            right -= theme.px(PACE) + gap
            Button(kit, pygame.Rect(right, row.top, theme.px(PACE), side),
                   "By share" if head.by_share else "By move", on_press=pair.change_pace,
                   tip="Both games at the same move, or both as far through")  # fmt: skip

    def _step_speed(self, by: int) -> str:
        self.head.change_speed(by)
        self.keep_speed()
        return speed_words(self.head.speed)

    def change_speed(self, by: int) -> None:
        """By a key instead of the control."""
        self._speed.value = self._step_speed(by)
        self._speed.repaint()

    def update(self) -> None:
        """Show whether it plays."""
        playing = self.head.playing
        self._play.set("Pause" if playing else "Play", "pause" if playing else "play")
