"""A box that is pushed, and one that comes home."""

from game.ui.synth import Recipe, Wave, mixed, noise, sweep, tone


def _push(pitch: float) -> Wave:
    return mixed(
        (0, 0.55, noise(0.16, 300 * pitch, 2200 * pitch, 16)),
        (0.01, 1.0, sweep(0.16, 170 * pitch, 75 * pitch, 22)),
        (0.10, 0.35, tone(0.07, 210 * pitch, 60, 2.7, 0.5)),
    )


def _home(pitch: float) -> Wave:
    return mixed((0, 0.7, tone(0.45, 880 * pitch, 9, 3, 0.18)), (0.07, 1.0, tone(0.5, 1318.5 * pitch, 8, 2, 0.15)))


SOUNDS: dict[str, Recipe] = {
    "push": Recipe(_push, 0.42),
    "home": Recipe(_home, 0.38),
}
