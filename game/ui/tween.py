"""Easing and small animations.

An `Animator` holds values on their way from one number to another; with animation switched off everything arrives
at once.
"""

from collections.abc import Callable
from dataclasses import dataclass, field


def smooth(t: float) -> float:
    """Ease in and out: t²(3 − 2t) on 0 to 1."""
    t = min(1.0, max(0.0, t))
    return t * t * (3 - 2 * t)


def ease_out(t: float) -> float:
    """Fast start, soft end: 1 − (1 − t)³."""
    t = min(1.0, max(0.0, t))
    return 1 - (1 - t) ** 3


def pop(t: float) -> float:
    """A scale that overshoots: 1 → 1.12 → 1."""
    t = min(1.0, max(0.0, t))
    return 1 + 0.12 * 4 * t * (1 - t)


def bounce(t: float) -> float:
    """A fall that ends in one small bounce, 0 to 1."""
    t = min(1.0, max(0.0, t))
    if t < 0.72:
        return (t / 0.72) ** 2
    u = (t - 0.72) / 0.28
    return 1 - 0.08 * 4 * u * (1 - u)


@dataclass(slots=True)
class Tween:
    """One number on its way. `duration` and `delay` are seconds; `progress` is eased, 0 to 1."""

    duration: float
    delay: float = 0.0
    ease: Callable[[float], float] = ease_out
    age: float = field(default=0.0)

    def update(self, dt: float) -> None:
        """Let `dt` seconds pass."""
        self.age += dt

    @property
    def started(self) -> bool:
        """Whether the delay is over."""
        return self.age >= self.delay

    @property
    def done(self) -> bool:
        """Whether it has arrived."""
        return self.age >= self.delay + self.duration

    @property
    def progress(self) -> float:
        """Eased share of the way."""
        if self.duration <= 0:
            return self.ease(1.0)
        return self.ease(max(0.0, self.age - self.delay) / self.duration)
