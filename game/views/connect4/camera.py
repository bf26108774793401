"""Where the eye stands: board coordinates to pixels and back, for the orbit and the layers view.

World units are one column of the board: x to the right along the columns, z along the depth (index 0 nearest to a
viewer at yaw 0), y upwards, the origin in the middle of the base plate. A camera looks at one point, turned by yaw
around the vertical and raised by pitch; it has a mild perspective, or none (`distance` infinite).
"""

from dataclasses import dataclass
from math import cos, hypot, inf, pi, radians, sin

import numpy as np
import numpy.typing as npt
import pygame

from game.rules.connect4 import Shape

PITCH_LOW, PITCH_HIGH = radians(12), radians(80)
ZOOM_LOW, ZOOM_HIGH = 0.6, 2.2
TURN_PER_PIXEL = 0.0075
"""Radians the board turns for every pixel of a drag."""

Points = npt.NDArray[np.float64]


@dataclass(slots=True)
class Camera:
    """Angles in radians; `distance` in world units; `scale` in pixels a unit at the target; `x`, `y` its pixel."""

    yaw: float = 0.0
    pitch: float = radians(28)
    zoom: float = 1.0
    distance: float = inf
    target: float = 0.0
    """Height of the point looked at."""
    scale: float = 50.0
    x: float = 0.0
    y: float = 0.0

    def turn(self, dx: float, dy: float) -> None:
        """Follow a drag of (dx, dy) pixels: the near side moves with the pointer; the pitch stays in its bounds."""
        self.yaw = (self.yaw - dx * TURN_PER_PIXEL + pi) % (2 * pi) - pi
        self.pitch = min(PITCH_HIGH, max(PITCH_LOW, self.pitch + dy * TURN_PER_PIXEL))

    def project(self, points: Points) -> Points:
        """World points, shape (n, 3), to (n, 3): x and y in pixels, and the pixels a unit measures there."""
        right = points[:, 0] * cos(self.yaw) + points[:, 2] * sin(self.yaw)
        away = points[:, 2] * cos(self.yaw) - points[:, 0] * sin(self.yaw)
        height = points[:, 1] - self.target
        up = height * cos(self.pitch) + away * sin(self.pitch)
        deep = away * cos(self.pitch) - height * sin(self.pitch)
        factor = self.scale if self.distance == inf else self.scale * self.distance / (self.distance + deep)
        seen = np.empty((len(points), 3))
        seen[:, 0] = self.x + right * factor
        seen[:, 1] = self.y - up * factor
        seen[:, 2] = factor
        return seen

    def point(self, x: float, y: float, z: float) -> tuple[float, float, float]:
        """`project` for one point."""
        seen = self.project(np.array([[x, y, z]]))[0]
        return float(seen[0]), float(seen[1]), float(seen[2])

    def on_plane(self, position: tuple[float, float], height: float) -> tuple[float, float] | None:
        """The (x, z) where the ray through a pixel meets the plane y = `height`; None above the horizon."""
        u, v = (position[0] - self.x) / self.scale, (self.y - position[1]) / self.scale
        sine, cosine = sin(self.pitch), cos(self.pitch)
        rise = height - self.target
        # Points on the plane obey up = rise·cos + away·sin and deep = away·cos − rise·sin, and v = up / (1 + deep / distance).
        lean = 0.0 if self.distance == inf else v / self.distance
        below = sine - lean * cosine
        if below <= 1e-9:
            return None
        away = (v - rise * cosine - lean * rise * sine) / below
        deep = away * cosine - rise * sine
        right = u if self.distance == inf else u * (1 + deep / self.distance)
        return (right * cos(self.yaw) - away * sin(self.yaw), right * sin(self.yaw) + away * cos(self.yaw))

    def distances(self, x: Points, z: Points) -> Points:
        """How far away from the eye, on the ground, the verticals at (x, z) stand: what painters sort by."""
        if self.distance == inf:
            return z * cos(self.yaw) - x * sin(self.yaw)
        reach = self.distance * cos(self.pitch)
        return np.hypot(x - reach * sin(self.yaw), z + reach * cos(self.yaw))

    def fit(self, rect: pygame.Rect, foot: tuple[float, float], head: tuple[float, float]) -> None:
        """Fill `rect` with what stands between two level circles, each (radius, height), whatever the yaw."""
        low, high = foot[1], head[1]
        if self.distance != inf:
            self.distance = 5.0 * hypot(max(foot[0], head[0]), (high - low) / 2)
        self.target = (low + high) / 2
        angles = np.linspace(0, 2 * pi, 24, endpoint=False)
        rims = [np.stack([r * np.cos(angles), np.full(24, y), r * np.sin(angles)], axis=1) for r, y in (foot, head)]
        self.scale, self.x, self.y = 1.0, 0.0, 0.0
        seen = self.project(np.concatenate(rims))
        left, upper, right, lower = seen[:, 0].min(), seen[:, 1].min(), seen[:, 0].max(), seen[:, 1].max()
        fitted = min(rect.width / (right - left), rect.height / (lower - upper))
        self.scale = max(1.0, float(fitted) * self.zoom)
        self.x = rect.centerx - float(left + right) / 2 * self.scale
        self.y = rect.centery - float(upper + lower) / 2 * self.scale

    def toward(self, direction: int) -> tuple[int, int]:
        """The grid step (columns, depth) that looks most like a direction on screen: 0 up 1 right 2 down 3 left."""
        quarter = round(self.yaw / (pi / 2)) % 4
        steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
        # At yaw 0 up is +depth; a quarter turn of yaw carries right (1, 0) to (0, 1), as `project` has it.
        return steps[(direction - quarter) % 4]

    def neighbour(self, shape: Shape, action: int, direction: int) -> int | None:
        """The column next to `action` in a direction on screen; None at the edge of the board."""
        along, deeper = self.toward(direction)
        depth, col = divmod(action, shape.cols)
        col, depth = col + along, depth + deeper
        return depth * shape.cols + col if 0 <= col < shape.cols and 0 <= depth < shape.depth else None
