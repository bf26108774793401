"""Sounds: lengths, loudness, clean ends; and silence without complaint where no device opens."""

import threading
import time

import numpy as np
import pygame
import pytest

from game.ui import sound, synth

SECONDS = {"move": 0.07, "blocked": 0.14, "win": 1.34, "lose": 0.84, "click": 0.035, "undo": 0.11}


@pytest.fixture
def dummy_device(monkeypatch):
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    pygame.mixer.quit()
    yield
    pygame.mixer.quit()


def test_every_sound_has_a_length():
    assert set(SECONDS) == set(synth.RECIPES)


@pytest.mark.parametrize("name", synth.RECIPES)
@pytest.mark.parametrize("pitch", [0.25, 1.0, 4.0])
def test_sounds_do_not_clip_and_end_in_silence(name, pitch):
    samples = synth.render(synth.RECIPES[name], pitch).astype(int)
    peak = np.abs(samples).max()
    print(name, pitch, samples.shape, peak, samples[[0, -1], 0])
    assert samples.shape[1] == 2
    assert len(samples) / synth.RATE == pytest.approx(SECONDS[name], abs=0.002)
    assert peak == pytest.approx(32_767 * synth.RECIPES[name].loudness, abs=1)
    assert (np.abs(samples) == 32_767).sum() == 0
    assert np.abs(samples[[0, -1]]).max() == 0
    assert np.abs(samples.mean()) < 0.05 * peak


def loudest_frequency(samples):
    spectrum = np.abs(np.fft.rfft(samples[:, 0], 1 << 16))
    return np.fft.rfftfreq(1 << 16, 1 / synth.RATE)[spectrum.argmax()]


def test_pitch_moves_the_frequency():
    low, high = (
        loudest_frequency(synth.render(synth.RECIPES["click"], 1.0)),
        loudest_frequency(synth.render(synth.RECIPES["click"], 2.0)),
    )
    print(low, high)
    assert high / low == pytest.approx(2, rel=0.03)


def test_wrong_requests_are_refused():
    with pytest.raises(KeyError, match="no sound moo; there are move"):
        sound.Sounds().play("moo")
    with pytest.raises(ValueError, match="outside"):
        synth.render(synth.RECIPES["move"], 9)


def test_plays_once_the_device_is_open(dummy_device):
    sounds = sound.Sounds(volume=80)
    sounds.learn({"bell": synth.RECIPES["win"]})
    sounds.play("move")
    sounds.start()
    assert sounds.wait(20)
    assert sounds.problem is None
    sounds.play("bell")
    assert pygame.mixer.get_busy()
    sounds.close()
    assert not sounds.available
    sounds.play("bell")


def test_muted_or_at_volume_nought_nothing_plays(dummy_device):
    sounds = sound.Sounds(mute=True)
    sounds.start()
    assert sounds.wait(20)
    sounds.play("win")
    assert not pygame.mixer.get_busy()
    sounds.mute = False
    sounds.set_volume(-5)
    assert sounds.volume == 0
    sounds.play("win")
    assert not pygame.mixer.get_busy()
    sounds.set_volume(250)
    assert sounds.volume == 100
    sounds.play("win")
    assert pygame.mixer.get_busy()
    sounds.close()


def test_the_same_sound_does_not_pile_up(dummy_device, monkeypatch):
    sounds = sound.Sounds()
    sounds.start()
    assert sounds.wait(20)
    clock = iter([1.0, 1.01, 1.05])
    monkeypatch.setattr(sound, "monotonic", lambda: next(clock))
    busy = []
    for _ in range(3):
        sounds.play("win")
        busy.append(sum(pygame.mixer.Channel(i).get_busy() for i in range(sound.CHANNELS)))
    assert busy == [1, 1, 2]
    sounds.close()


def test_without_a_device_there_is_a_sentence_and_silence(monkeypatch):
    monkeypatch.setenv("SDL_AUDIODRIVER", "nonsense")
    pygame.mixer.quit()
    sounds = sound.Sounds()
    sounds.start()
    assert not sounds.wait(20)
    print(sounds.problem)
    assert sounds.problem is not None and sounds.problem.startswith("There is no sound: ")
    sounds.play("move")
    sounds.close()


def test_a_device_that_hangs_holds_nothing_up(monkeypatch):
    opened = threading.Event()
    monkeypatch.setattr(pygame.mixer, "init", lambda **_: opened.wait(20))
    monkeypatch.setattr(pygame.mixer, "set_num_channels", lambda _: None)
    sounds = sound.Sounds()
    before = time.perf_counter()
    sounds.start()
    sounds.start()
    sounds.play("move")
    assert time.perf_counter() - before < 1
    assert not sounds.available and sounds.problem is None
    opened.set()
    assert sounds.wait(20)
