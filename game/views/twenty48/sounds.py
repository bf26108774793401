"""Tiles that slide and merge; the larger the merged tile, the higher it sounds."""

import numpy as np

from game.ui.synth import Recipe, Wave, mixed, noise, tone


def _merge(pitch: float) -> Wave:
    return mixed((0, 1.0, tone(0.24, 330 * pitch, 16, 2, 0.35)), (0, 0.35, noise(0.03, 800, 4000, 140)))


def _slide(pitch: float) -> Wave:
    wave = noise(0.11, 500 * pitch, 2600 * pitch, 10)
    wave *= np.sin(np.pi * np.arange(len(wave)) / len(wave)) ** 2
    return wave


SOUNDS: dict[str, Recipe] = {
    "merge": Recipe(_merge, 0.40),
    "slide": Recipe(_slide, 0.18),
}


def merge_pitch(exponent: int) -> float:
    """Pitch of a merge that makes the tile ``2 ** exponent``, rising up to 65536.

    The steps are those of a pentatonic scale, so that any two merges sound well together.

    Raises:
        ValueError: the exponent is below 1.
    """
    if exponent < 1:
        raise ValueError("A merged tile is at least 2.")
    octave, step = divmod(min(exponent, 16) - 1, 5)
    semitone = 12 * octave + (0, 2, 4, 7, 9)[step]
    return float(2 ** (semitone / 12)) / 2
