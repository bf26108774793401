"""A stone that lands."""

from game.ui.synth import Recipe, Wave, mixed, noise, tone


def _drop(pitch: float) -> Wave:
    return mixed(
        (0, 1.0, tone(0.16, 240 * pitch, 34, 2.76, 0.6)),
        (0, 0.6, noise(0.03, 900, 5000, 150)),
        (0.085, 0.3, tone(0.1, 255 * pitch, 50, 2.76, 0.6)),
    )


SOUNDS: dict[str, Recipe] = {
    "drop": Recipe(_drop, 0.50),
}
