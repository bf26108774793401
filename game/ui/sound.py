"""Plays the synthesised sounds, and stays silent without complaint where there is no audio device.

Opening the device may take seconds or never come back, so a thread of its own does that and the window does not wait.
Everything else is called from the main thread.
"""

import logging
from collections.abc import Mapping
from math import log2
from threading import Thread
from time import monotonic

import pygame

from game.ui.synth import RATE, RECIPES, Recipe, render

LOG = logging.getLogger(__name__)

CHANNELS = 16
SHORTEST_GAP = 0.03
"""Seconds between two starts of the same sound; a fast automatic run would otherwise drown in its own clicks."""


class Sounds:
    """The app's sounds.

    ``available`` says whether a device is open; while it is not, ``play`` does nothing. ``problem`` is one sentence for
    people once the device has failed to open, else None.
    """

    def __init__(self, volume: int = 60, mute: bool = False) -> None:
        self.available = False
        self.problem: str | None = None
        self.mute = mute
        self.set_volume(volume)
        self._thread: Thread | None = None
        self._recipes = dict(RECIPES)
        self._waves: dict[str, bytes] = {}
        self._sounds: dict[tuple[str, int], pygame.mixer.Sound] = {}
        self._started: dict[str, float] = {}

    def learn(self, recipes: Mapping[str, Recipe]) -> None:
        """Sounds by name, besides those that belong to no game; before `start`."""
        self._recipes.update(recipes)

    def start(self) -> None:
        """Open the audio device in the background; returns at once. A second call does nothing."""
        if self._thread is None:
            self._thread = Thread(target=self._open, name="open audio", daemon=True)
            self._thread.start()

    def _open(self) -> None:
        try:
            pygame.mixer.init(frequency=RATE, size=-16, channels=2, buffer=512, allowedchanges=0)
            pygame.mixer.set_num_channels(CHANNELS)
        except (pygame.error, NotImplementedError) as error:
            self.problem = f"There is no sound: {error}."
            LOG.warning("%s", self.problem)
        else:
            # computed here, so that no first sound costs a frame
            self._waves = {name: render(recipe).tobytes() for name, recipe in self._recipes.items()}
            self.available = True

    def wait(self, seconds: float) -> bool:
        """Wait at most so long for the device; whether it is available. For tests and the end of the program."""
        if self._thread is not None:
            self._thread.join(seconds)
        return self.available

    @property
    def volume(self) -> int:
        """Loudness, 0 to 100."""
        return self._volume

    def set_volume(self, volume: int) -> None:
        """Set the loudness, 0 to 100; applies from the next sound on."""
        self._volume = max(0, min(100, volume))

    def play(self, name: str, pitch: float = 1.0) -> None:
        """Start a sound, if there is a device and it is not muted.

        Args:
            name: of ``synth.RECIPES`` or learned.
            pitch: factor on its frequencies, 0.25 to 4, rounded to semitones.

        Raises:
            KeyError: no such sound, whether or not there is a device.
        """
        if name not in self._recipes:
            raise KeyError(f"There is no sound {name}; there are {', '.join(self._recipes)}.")
        if not self.available or self.mute or self._volume == 0:
            return
        now = monotonic()
        if now - self._started.get(name, -1.0) < SHORTEST_GAP:
            return
        self._started[name] = now
        sound = self._sound(name, pitch)
        # loudness is heard roughly by the square root of the amplitude
        sound.set_volume((self._volume / 100) ** 2)
        sound.play()

    def _sound(self, name: str, pitch: float) -> pygame.mixer.Sound:
        semitone = semitones(pitch)
        key = (name, semitone)
        if key not in self._sounds:
            samples = render(self._recipes[name], 2 ** (semitone / 12)).tobytes() if semitone else self._waves[name]
            self._sounds[key] = pygame.mixer.Sound(buffer=samples)
        return self._sounds[key]

    def close(self) -> None:
        """Let the device go; the sounds are silent from now on."""
        if self.available:
            self.available = False
            self._sounds.clear()
            pygame.mixer.quit()


def semitones(pitch: float) -> int:
    """The nearest number of semitones of a frequency factor, within two octaves either way."""
    return max(-24, min(24, round(12 * log2(pitch))))
