"""The line under a theatre's boards: curves of values with the place on them, and the bar to drag.

Both are one control for the mouse: pressing or dragging anywhere on it moves the place.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from game.rules.game import PERSON
from game.screens.replays.playhead import Playhead
from game.screens.replays.positions import Positions
from game.ui import shapes, text
from game.ui.theme import FONT_SMALL, Colour, Theme, blend
from game.views.view import accent_of

SCRUBBER = 22
LABEL = 20
MOST_POINTS = 20_000
"""Values looked at for a curve; of a longer game every so many."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Heights by ply (rising), of one seat or of all of them."""

    number: int
    """Which of the theatre's games."""
    plies: tuple[int, ...]
    heights: tuple[float, ...]
    seat: int | None = None
    valued: bool = True
    """Whether agents said so; else it is what the game counts."""


def curves(number: int, positions: Positions, counted: bool = False) -> list[Curve]:
    """The curves of a game: the agents' values, else (or if `counted`) what the game counts; none where there is neither."""
    stride = max(1, positions.length // MOST_POINTS)
    seats = len(positions.replay.seats)
    first = positions.view.game.to_move(positions.state(0))
    points: dict[int, tuple[list[int], list[float]]] = {}
    for ply in range(1, 0 if counted else positions.length + 1, stride):
        value = positions.steps[ply - 1].value
        if value is not None:
            seat = (first + ply - 1) % seats
            plies, heights = points.setdefault(seat if seats > 2 else 0, ([], []))
            plies.append(ply)
            heights.append(positions.view.height(value, seat if seats == 2 else 0))
    made = [
        Curve(number, tuple(plies), tuple(heights), seat if seats > 2 else None)
        for seat, (plies, heights) in sorted(points.items())
        if len(plies) > 1
    ]
    if made or not positions.view.tally_curve:
        return made
    known = tuple(range(0, positions.known + 1, stride))
    if len(known) < 2:
        return []
    return [Curve(number, known, tuple(float(positions.tally(ply)) for ply in known), valued=False)]


class Track:
    """Drawn by the theatre; `handle` answers the share (0 to 1) of the way that was asked for."""

    def __init__(self) -> None:
        """Nothing laid out yet."""
        self.rect = pygame.Rect(0, 0, 1, 1)
        self.graph = pygame.Rect(0, 0, 1, 1)
        self.bar = pygame.Rect(0, 0, 1, 1)
        self.held = False
        self.hover: float | None = None
        """Share under the pointer."""
        self._picture: pygame.Surface | None = None
        self._made: tuple[object, ...] = ()
        self._games: Sequence[Positions] = ()
        self._words = ""
        self._curves: list[Curve] = []

    def layout(self, rect: pygame.Rect, theme: Theme) -> None:
        """The curve above, the bar below."""
        self.rect = pygame.Rect(rect)
        scrubber = theme.px(SCRUBBER)
        side = theme.px(9)
        self.graph = pygame.Rect(
            rect.left + side,
            rect.top + theme.px(LABEL),
            rect.width - 2 * side,
            rect.height - scrubber - theme.px(LABEL),
        )
        self.bar = pygame.Rect(rect.left + side, rect.bottom - scrubber, rect.width - 2 * side, scrubber)
        self._made = ()

    def handle(self, event: pygame.event.Event) -> float | None:
        """The share that a press or a drag asks for, None for anything else."""
        if event.type == pygame.MOUSEMOTION:
            self.hover = self._share(event.pos) if self.held or self.rect.collidepoint(event.pos) else None
            if self.held:
                return self.hover
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.rect.collidepoint(event.pos):
            self.held = True
            return self._share(event.pos)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            self.held = False
        return None

    def _share(self, position: tuple[int, int]) -> float:
        return min(1.0, max(0.0, (position[0] - self.bar.left) / max(1, self.bar.width)))

    def x(self, share: float) -> int:
        """Where a share of the way is on the screen."""
        return self.bar.left + round(share * self.bar.width)

    # Draw

    def colour(self, theme: Theme, number: int) -> Colour:
        """The colour of a game's curve."""
        return _colour(
            theme, self._games, next((curve for curve in self._curves if curve.number == number), None), number
        )

    def draw(
        self, surface: pygame.Surface, theme: Theme, games: Sequence[Positions], head: Playhead, counts: str
    ) -> None:
        """Curves, place, bar; `counts` stands above on the right."""
        self._keep_picture(theme, games, head)
        right = text.draw(surface, theme, counts, (self.graph.right, self.rect.top + theme.px(8)), anchor="midright")
        if self.graph.height > theme.px(12):
            if self._picture is not None:
                surface.blit(self._picture, self.graph)
            text.draw(surface, theme, self._words, (self.graph.left, self.rect.top + theme.px(8)), size=FONT_SMALL,
                      colour=theme.muted, anchor="midleft", limit=right.left - self.graph.left - theme.px(12))  # fmt: skip
        at = self.x(head.share)
        if self._curves and self.graph.height > theme.px(12):
            surface.fill(theme.text, (at, self.graph.top, max(1, theme.px(1)), self.graph.height))
        thick, middle = theme.px(6), self.bar.centery
        line = pygame.Rect(self.bar.left, middle - thick // 2, self.bar.width, thick)
        surface.blit(shapes.rounded(line.size, thick // 2, theme.line), line)
        known = self.x(head.limit([positions.known for positions in games]) / max(1, head.longest)) - line.left
        for wide, colour in ((known, blend(theme.line, theme.text, 0.18)), (at - line.left, theme.thinking)):
            if wide > thick:
                surface.blit(shapes.rounded((wide, thick), thick // 2, colour), line)
        if self.hover is not None:
            tick = pygame.Rect(0, 0, max(1, theme.px(2)), theme.px(14))
            tick.center = (self.x(self.hover), middle)
            surface.fill(theme.muted, tick)
        knob = theme.px(18)
        white = pygame.Color("#ffffff") if theme.dark else theme.thinking
        surface.blit(shapes.disc(knob, blend(white, theme.thinking, 0.3 if self.held else 0.0)),
                     (at - knob // 2, middle - knob // 2))  # fmt: skip

    def _keep_picture(self, theme: Theme, games: Sequence[Positions], head: Playhead) -> None:
        """Draw the curves again when anything about them changed; while a video is built, every so often."""
        step = max(1, head.longest // 40)
        key = (
            theme,
            self.graph.size,
            head.by_share,
            *((id(each), each.known // step, each.done) for each in games),
        )
        if key == self._made:
            return
        self._made, self._games = key, games
        # what two agents say is on two scales; what the game counts is on one
        agents = {seat.partition(",")[0] for positions in games for seat in positions.replay.seats}
        counted = len(games) > 1 and len(agents) > 1 and all(positions.view.tally_curve for positions in games)
        found = self._curves = [
            curve for at, positions in enumerate(games) for curve in curves(at, positions, counted)
        ]
        self._words = _words(games, found)
        self._picture = _picture(theme, self.graph.size, games, found, head) if found else None


def _words(games: Sequence[Positions], found: Sequence[Curve]) -> str:
    positions = games[0]
    if not found:
        return "The agents gave no values" if any(seat != PERSON for seat in positions.replay.seats) else ""
    return positions.view.curve_words(len(positions.replay.seats)) if found[0].valued else positions.view.tally_curve


def _picture(
    theme: Theme, size: tuple[int, int], games: Sequence[Positions], found: Sequence[Curve], head: Playhead
) -> pygame.Surface:
    picture = pygame.Surface((max(1, size[0]), max(1, size[1])), pygame.SRCALPHA)
    heights = [height for curve in found for height in curve.heights]
    low, high = games[0].view.curve_range or (min(heights), max(heights))
    span = (high - low) or 1.0
    ground = size[1]
    if low < 0 < high:
        ground = round((size[1] - 1) * high / span)
        picture.fill(theme.line, (0, ground, size[0], 1))
    for curve in found:
        length = head.lengths[curve.number] if head.by_share else head.longest
        points = [
            (ply / max(1, length) * (size[0] - 1), (size[1] - 3) * (1 - (height - low) / span) + 1)
            for ply, height in zip(curve.plies, curve.heights, strict=True)
        ]
        _line(picture, _thin(points, size[0]), _colour(theme, games, curve, curve.number),
              ground if len(found) == 1 else None)  # fmt: skip
    return picture


def _thin(points: list[tuple[float, float]], wide: int) -> list[tuple[float, float]]:
    """At most two points a pixel: the lowest and the highest of each column, in their order."""
    if len(points) <= 2 * wide:
        return points
    columns: dict[int, list[tuple[float, float]]] = {}
    for point in points:
        columns.setdefault(int(point[0]), []).append(point)
    thin = []
    for column in columns.values():
        ends = {min(column, key=lambda point: point[1]), max(column, key=lambda point: point[1])}
        thin += sorted(ends)
    return thin


def _line(picture: pygame.Surface, points: list[tuple[float, float]], colour: Colour, ground: int | None) -> None:
    """A curve, filled softly down (or up) to the height `ground`."""
    if ground is not None:
        corners = [(points[-1][0], ground), (points[0][0], ground)]
        pygame.draw.polygon(picture, (colour.r, colour.g, colour.b, 45), [*points, *corners])
    pygame.draw.aalines(picture, colour, False, points)
    pygame.draw.lines(picture, colour, False, points, 2)


def _colour(theme: Theme, games: Sequence[Positions], curve: Curve | None, number: int) -> Colour:
    """What agents say wears the thinking colour, what is counted the game's; a second game stands apart."""
    if curve is not None and curve.seat is not None:
        return games[number].view.seat_colour(theme, curve.seat)
    if number > 0:
        return blend(theme.muted, theme.text, 0.5)
    return theme.thinking if curve is None or curve.valued else accent_of(theme, games[number].replay.game)
