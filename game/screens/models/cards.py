"""Draws the card of a model: what it is for, how strong, how long it learned; a damaged file grey, with its reason."""

import pygame

from ai.models import SUFFIX, ModelCard
from game.play.words import counted, day, span
from game.screens.models import words
from game.screens.models.trying import Trial
from game.ui import shapes, svg, text
from game.ui.chrome import draw_bar
from game.ui.theme import FONT_HEADING, FONT_SMALL, RADIUS_CARD, Theme, blend
from game.views.view import accent_of

WIDE, HIGH = 320, 148
"""Least width and height of a card in units."""
PAD = 16
NAME, POINTS = 16, 22
"""Sizes of text."""
NONE = (
    "No models yet",
    f"Drop a {SUFFIX} file on this window, press Import,",
    "or train one: python main.py train 2048 ntuple --out my-model",
)


def draw_model(
    surface: pygame.Surface,
    theme: Theme,
    rect: pygame.Rect,
    card: ModelCard,
    *,
    chosen: bool,
    lit: bool,
    ships: bool,
    trial: Trial | None,
) -> None:
    """One card; `trial` is the test of this model that is under way, if one is."""
    accent = accent_of(theme, card.game) if card.problem is None else theme.line
    fill = blend(theme.surface, theme.text, 0.06) if lit else theme.surface
    edge, width = (theme.thinking, theme.px(2)) if chosen else (theme.line, 1)
    surface.blit(shapes.rounded(rect.size, theme.px(RADIUS_CARD), fill, edge, width), rect)
    left, wide = rect.left + theme.px(PAD), rect.width - 2 * theme.px(PAD)
    y = rect.top + theme.px(26)
    dot = theme.px(10)
    surface.blit(shapes.disc(dot, accent), (left, y - dot // 2))
    inner = left + dot + theme.px(10)
    room = rect.right - theme.px(PAD) - inner
    icon = "warning" if card.problem is not None else "lock" if ships else ""
    if icon:
        glyph = theme.px(16)
        surface.blit(svg.icon(icon, glyph, theme.muted), (rect.right - theme.px(PAD) - glyph, y - glyph // 2))
        room -= glyph + theme.px(8)
    ink = theme.text if card.problem is None else theme.muted
    text.draw(surface, theme, card.name, (inner, y), size=NAME, weight="bold", colour=ink, anchor="midleft",
              limit=room)  # fmt: skip
    below = pygame.Rect(left, y + theme.px(14), wide, 0)
    below.height = rect.bottom - theme.px(12) - below.top
    if card.problem is not None:
        _draw_problem(surface, theme, below, card)
    else:
        _draw_facts(surface, theme, below, card, trial)


def _draw_problem(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, card: ModelCard) -> None:
    """Why it cannot be used, as much of it as there is room for, and how large the file is."""
    line = theme.font(FONT_SMALL).get_linesize()
    lines = text.wrap(theme, f"Cannot be used: {card.problem}.", rect.width, FONT_SMALL)
    for number, part in enumerate(lines[: max(1, rect.height // line - 1)]):
        _small(surface, theme, part, rect.left, rect.top + theme.px(12) + number * line, rect.width)
    _small(surface, theme, words.size_words(card.size), rect.left, rect.bottom - line // 2, rect.width)


def _draw_facts(
    surface: pygame.Surface, theme: Theme, rect: pygame.Rect, card: ModelCard, trial: Trial | None
) -> None:
    """What it is for, its strength, its training and its file."""
    _small(surface, theme, words.what_for(card), rect.left, rect.top + theme.px(10), rect.width)
    middle = rect.top + theme.px(44)
    best = words.strongest(card)
    if trial is not None:
        _draw_trial(surface, theme, rect, middle, trial)
    elif best is None:
        text.draw(surface, theme, "Not measured yet", (rect.left, middle), colour=theme.muted, anchor="midleft")
    else:
        plies, strength = best
        place = text.draw(surface, theme, words.mean(strength), (rect.left, middle), size=POINTS, weight="bold",
                          anchor="midleft")  # fmt: skip
        error = words.points(strength).partition(" ")[2]
        beside = (place.right + theme.px(6), middle + theme.px(2))
        place = text.draw(surface, theme, error, beside, colour=theme.muted, anchor="midleft")
        looking, games = words.view(card).looking(plies), words.view(card).tried(card.agent, strength.games)
        room = rect.right - place.right - theme.px(12)
        note = text.fitting(theme, (f"{looking}, {games}", looking), room, FONT_SMALL)
        text.draw(surface, theme, note, (rect.right, middle + theme.px(2)), size=FONT_SMALL, colour=theme.muted,
                  anchor="midright", limit=room)  # fmt: skip
    trained = f"trained {span(card.seconds)}" if card.seconds else ""
    parts = (trained, day(card.date), words.size_words(card.size))
    line = " · ".join(part for part in parts if part)
    _small(surface, theme, line, rect.left, rect.bottom - theme.px(9), rect.width)


def _draw_trial(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, middle: int, trial: Trial) -> None:
    """How far its test is."""
    done = f"{len(trial.games)} of {counted(trial.wanted, 'game')}" if trial.games else "loading the model …"
    said = f"Testing at {trial.plies}-ply: {done}"
    text.draw(surface, theme, said, (rect.left, middle - theme.px(8)), colour=theme.thinking, anchor="midleft",
              limit=rect.width)  # fmt: skip
    bar = pygame.Rect(rect.left, middle + theme.px(8), rect.width, theme.px(6))
    draw_bar(surface, bar, trial.share, theme.thinking, blend(theme.raised, theme.line, 0.5))


def _small(surface: pygame.Surface, theme: Theme, line: str, left: int, y: int, limit: int) -> None:
    text.draw(surface, theme, line, (left, y), size=FONT_SMALL, colour=theme.muted, anchor="midleft", limit=limit)


def draw_none(surface: pygame.Surface, theme: Theme, rect: pygame.Rect) -> None:
    """What to do where there are no models."""
    glyph = theme.px(48)
    across, down = rect.centerx, rect.centery - theme.px(30)
    surface.blit(svg.icon("cube", glyph, theme.muted), (across - glyph // 2, down - glyph))
    title, *lines = NONE
    place = (across, down + theme.px(24))
    text.draw(surface, theme, title, place, size=FONT_HEADING, weight="bold", anchor="center")
    for number, line in enumerate(lines):
        place = (across, down + theme.px(54 + 22 * number))
        text.draw(surface, theme, line, place, size=FONT_SMALL, colour=theme.muted, anchor="center", limit=rect.width)
