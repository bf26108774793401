"""The sounds of the games: lengths, loudness, clean ends, and every one with a name of its own."""

from itertools import pairwise

import numpy as np
import pytest

from game.rules.games import GAMES
from game.ui import sound, synth
from game.views.twenty48.sounds import merge_pitch
from game.views.view import view_of

SECONDS = {"push": 0.17, "home": 0.57, "merge": 0.24, "slide": 0.11, "drop": 0.185}
SOUNDS = {name: recipe for game in GAMES for name, recipe in view_of(game).sounds.items()}


def test_every_sound_has_a_name_and_a_length_of_its_own():
    assert set(SECONDS) == set(SOUNDS)
    assert sum(len(view_of(game).sounds) for game in GAMES) == len(SOUNDS)
    assert not set(SOUNDS) & set(synth.RECIPES)


@pytest.mark.parametrize("name", SOUNDS)
@pytest.mark.parametrize("pitch", [0.25, 1.0, 4.0])
def test_sounds_do_not_clip_and_end_in_silence(name, pitch):
    samples = synth.render(SOUNDS[name], pitch).astype(int)
    peak = np.abs(samples).max()
    print(name, pitch, samples.shape, peak, samples[[0, -1], 0])
    assert samples.shape[1] == 2
    assert len(samples) / synth.RATE == pytest.approx(SECONDS[name], abs=0.002)
    assert peak == pytest.approx(32_767 * SOUNDS[name].loudness, abs=1)
    assert (np.abs(samples) == 32_767).sum() == 0
    assert np.abs(samples[[0, -1]]).max() == 0
    assert np.abs(samples.mean()) < 0.05 * peak


def test_larger_tiles_merge_higher():
    pitches = [merge_pitch(exponent) for exponent in range(1, 18)]
    print(pitches)
    assert all(a < b for a, b in pairwise(pitches[:16]))
    assert all(0.25 <= pitch <= 4 for pitch in pitches)
    assert len({sound.semitones(pitch) for pitch in pitches}) == 16
    with pytest.raises(ValueError, match="at least 2"):
        merge_pitch(0)
