"""Sounds computed from sines, noise and decays; nothing is recorded. The ones that belong to no single game are here.

Each sound is a short recipe that gives a mono wave; ``render`` scales it to its loudness and makes the 16-bit stereo
samples a mixer takes. The recipes take the pitch as a factor, so that a merge can ring higher with its tile.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

RATE = 44_100
"""Samples a second."""

Wave = NDArray[np.float64]


def _time(seconds: float) -> Wave:
    return np.arange(int(RATE * seconds)) / RATE


def tone(seconds: float, hertz: float, decay: float, overtone: float = 2.0, share: float = 0.25) -> Wave:
    """Two sine oscillators under one exponential decay; the second sounds at ``overtone`` times the first's frequency."""
    t = _time(seconds)
    wave = np.sin(2 * np.pi * hertz * t) + share * np.sin(2 * np.pi * hertz * overtone * t)
    return wave * np.exp(-t * decay)


def sweep(seconds: float, start: float, end: float, decay: float) -> Wave:
    """A sine that glides from ``start`` to ``end`` hertz while it decays."""
    t = _time(seconds)
    hertz = start * (end / start) ** (t / seconds)
    return np.sin(2 * np.pi * np.cumsum(hertz) / RATE) * np.exp(-t * decay)


def noise(seconds: float, low: float, high: float, decay: float) -> Wave:
    """Noise between two frequencies in hertz, the same every time, under an exponential decay."""
    count = int(RATE * seconds)
    spectrum = np.fft.rfft(np.random.default_rng(7).standard_normal(count))
    hertz = np.fft.rfftfreq(count, 1 / RATE)
    spectrum[(hertz < low) | (hertz > high)] = 0
    wave: Wave = np.fft.irfft(spectrum, count)
    wave *= np.exp(-_time(seconds) * decay) / np.abs(wave).max()
    return wave


def mixed(*parts: tuple[float, float, Wave]) -> Wave:
    """Sum of (start in seconds, loudness, wave)."""
    total = np.zeros(max(int(start * RATE) + len(wave) for start, _, wave in parts))
    for start, loudness, wave in parts:
        first = int(start * RATE)
        total[first : first + len(wave)] += loudness * wave
    return total


def _move(pitch: float) -> Wave:
    return mixed(
        (0, 1.0, noise(0.07, 250 * pitch, 1400 * pitch, 70)), (0, 0.5, sweep(0.07, 150 * pitch, 90 * pitch, 45))
    )


def _blocked(pitch: float) -> Wave:
    return mixed((0, 1.0, sweep(0.14, 165 * pitch, 105 * pitch, 24)), (0, 0.2, noise(0.05, 200, 900, 80)))


def _win(pitch: float) -> Wave:
    notes = (523.25, 659.25, 783.99, 1046.5)
    steps = [(0.11 * i, 0.8, tone(0.55, hertz * pitch, 6, 2, 0.3)) for i, hertz in enumerate(notes)]
    chord = [(0.44, 0.35, tone(0.9, hertz * pitch, 4, 2, 0.2)) for hertz in notes]
    return mixed(*steps, *chord)


def _lose(pitch: float) -> Wave:
    notes = (392.0, 349.23, 293.66)
    return mixed(*[(0.17 * i, 0.9, tone(0.5, hertz * pitch, 6, 1.5, 0.2)) for i, hertz in enumerate(notes)])


def _click(pitch: float) -> Wave:
    return mixed((0, 1.0, tone(0.035, 1250 * pitch, 130, 2.4, 0.3)), (0, 0.3, noise(0.01, 2000, 7000, 400)))


def _undo(pitch: float) -> Wave:
    return sweep(0.11, 620 * pitch, 380 * pitch, 20)


class Recipe(NamedTuple):
    """How one sound is made."""

    wave: Callable[[float], Wave]
    loudness: float
    """Largest sample as a share of full scale, 0 to 1."""


RECIPES: dict[str, Recipe] = {
    "move": Recipe(_move, 0.22),
    "blocked": Recipe(_blocked, 0.34),
    "win": Recipe(_win, 0.55),
    "lose": Recipe(_lose, 0.42),
    "click": Recipe(_click, 0.22),
    "undo": Recipe(_undo, 0.24),
}


def render(recipe: Recipe, pitch: float = 1.0) -> NDArray[np.int16]:
    """Samples of one sound.

    Args:
        recipe: how it is made.
        pitch: factor on every frequency, 0.25 to 4.

    Returns:
        Array (samples, 2) of int16 at ``RATE``; starts and ends in silence, so that it never clicks.

    Raises:
        ValueError: the pitch is out of range.
    """
    if not 0.25 <= pitch <= 4:
        raise ValueError(f"A pitch of {pitch} is outside 0.25 to 4.")
    wave = recipe.wave(pitch)
    attack, release = int(0.002 * RATE), int(0.012 * RATE)
    wave[:attack] *= np.linspace(0, 1, attack)
    wave[-release:] *= np.linspace(1, 0, release)
    wave *= recipe.loudness * 32_767 / np.abs(wave).max()
    return np.repeat(np.round(wave).astype(np.int16)[:, None], 2, axis=1)
