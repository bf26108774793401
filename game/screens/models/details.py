"""The column beside the cards: everything that the header of the chosen model says, and its strength as bars."""

from dataclasses import dataclass

import pygame

from ai import catalogue
from ai.models import ModelCard, Strength
from game.play.words import counted, day
from game.screens.models import words
from game.screens.models.trying import Trial
from game.ui import text
from game.ui.chrome import draw_bar, draw_card, draw_heading, draw_row
from game.ui.theme import FONT_HEADING, FONT_SMALL, Theme, blend
from game.views.view import accent_of

HEAD, ROW, STRENGTH_ROW = 36, 24, 36
PAD = 16
TITLE_LINES = 2


@dataclass(frozen=True, slots=True)
class Measured:
    """One line of the strength table."""

    plies: int
    strength: Strength | None
    """None while the first games of a test are played."""
    note: str
    """How many games, and that they were just played."""
    fresh: bool
    """Whether it comes from the test, not from the header."""


def measured(card: ModelCard, trial: Trial | None) -> list[Measured]:
    """The lines of the strength table: what the header says, and the test of this model below it."""
    lines = [
        Measured(plies, strength, words.view(card).tried(card.agent, strength.games), False)
        for plies, strength in sorted(card.strength.items())
    ]
    if trial is not None and not trial.problem:
        note = f"{len(trial.games)} of {trial.wanted}" if not trial.done else f"test, {counted(trial.wanted, 'game')}"
        if trial.strength is None or trial.strength != card.strength.get(trial.plies):
            lines.append(Measured(trial.plies, trial.strength, note, True))
    return lines


def facts(card: ModelCard) -> list[tuple[str, str]]:
    """(name, value) of everything else the header says, the most asked for first."""
    made_of = next((each.made_of for each in catalogue.entries(card.game) if each.id == card.agent), "Made of")
    rows = [
        ("For", f"{words.game_words(card)} · {words.board_words(card)}"),
        ("Agent", words.agent_words(card)),
        ("Trained", words.trained(card)),
        ("Date", day(card.date)),
        ("File", words.size_words(card.size)),
        (made_of, words.made_of(card)),
        ("Learning", card.rule),
        ("Command", card.command),
        ("Seed", str(card.seed) if card.command else ""),
    ]
    return [(name, value) for name, value in rows if value]


def strength_height(theme: Theme, lines: int) -> int:
    """Height of the strength card in pixels."""
    return theme.px(HEAD) + max(1, lines) * theme.px(STRENGTH_ROW) + theme.px(6)


def draw_details(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, card: ModelCard, note: str) -> None:
    """Name, title and as many facts as there is room for; for a damaged file the whole reason."""
    draw_card(surface, theme, rect)
    draw_heading(surface, theme, theme.px(HEAD), rect, "Model", note)
    left, wide = rect.left + theme.px(PAD), rect.width - 2 * theme.px(PAD)
    y = rect.top + theme.px(HEAD + 10)
    bottom = rect.bottom - theme.px(6)
    text.draw(surface, theme, card.name, (left, y), size=FONT_HEADING, weight="bold", anchor="midleft", limit=wide)
    y += theme.px(18)
    line = theme.font(FONT_SMALL).get_linesize()
    if card.problem is not None:
        said, most = f"This file cannot be used: {card.problem}.", max(1, (bottom - y) // line)
    else:
        said, most = card.title if card.title != card.name else "", TITLE_LINES
    for part in text.wrap(theme, said, wide, FONT_SMALL)[:most] if said else []:
        text.draw(surface, theme, part, (left, y), size=FONT_SMALL, colour=theme.muted, limit=wide)
        y += line
    y += theme.px(16)
    row = theme.px(ROW)
    for name, value in facts(card) if card.problem is None else [("File", words.size_words(card.size))]:
        room = wide - text.width(theme, name) - theme.px(12)
        parts = text.wrap(theme, value, room) if text.width(theme, value) > room else [value]
        if y + (len(parts) - 1) * row + row // 2 > bottom:
            return
        for number, part in enumerate(parts):
            draw_row(surface, theme, rect, y, name if number == 0 else "", part)
            y += row


def draw_strengths(
    surface: pygame.Surface, theme: Theme, rect: pygame.Rect, card: ModelCard, lines: list[Measured], problem: str
) -> None:
    """Mean and standard error of the score at each depth; `problem` says why a test failed."""
    draw_card(surface, theme, rect)
    draw_heading(surface, theme, theme.px(HEAD), rect, "Strength", f"{words.view(card).unit} ± error")
    left, wide = rect.left + theme.px(PAD), rect.width - 2 * theme.px(PAD)
    top = rect.top + theme.px(HEAD)
    if problem or not lines:
        said = problem or "Not measured yet."
        for number, part in enumerate(text.wrap(theme, said, wide, FONT_SMALL)[:2]):
            place = (left, top + number * theme.font(FONT_SMALL).get_linesize())
            text.draw(surface, theme, part, place, size=FONT_SMALL, colour=theme.bad if problem else theme.muted)
        return
    most = max((each.strength.mean + each.strength.stderr for each in lines if each.strength), default=0.0)
    for line in lines:
        if top + theme.px(STRENGTH_ROW - 8) > rect.bottom:
            return
        _draw_line(surface, theme, pygame.Rect(left, top, wide, theme.px(STRENGTH_ROW)), line, most, card)
        top += theme.px(STRENGTH_ROW)


def _draw_line(
    surface: pygame.Surface, theme: Theme, rect: pygame.Rect, line: Measured, most: float, card: ModelCard
) -> None:
    """Plies, games, mean and error; below them a bar with the error as a whisker."""
    ink = theme.thinking if line.fresh else theme.text
    y = rect.top + theme.px(8)
    plies = text.draw(
        surface, theme, words.view(card).looking(line.plies), (rect.left, y), colour=ink, anchor="midleft"
    )
    said = words.points(line.strength) if line.strength is not None else "–"
    value = text.draw(surface, theme, said, (rect.right, y), colour=ink, anchor="midright")
    left = plies.right + theme.px(10)
    note = text.fitting(
        theme, (line.note, line.note.partition(" ")[0], ""), value.left - left - theme.px(8), FONT_SMALL
    )
    text.draw(surface, theme, note, (left, y), size=FONT_SMALL, colour=theme.muted, anchor="midleft")
    bar = pygame.Rect(rect.left, rect.top + theme.px(22), rect.width, theme.px(6))
    fill = theme.thinking if line.fresh else accent_of(theme, card.game)
    share = line.strength.mean / most if line.strength is not None and most > 0 else 0.0
    draw_bar(surface, bar, share, fill, blend(theme.raised, theme.line, 0.5))
    if line.strength is not None and most > 0:
        _draw_whisker(surface, theme, bar, share, line.strength.stderr / most)


def _draw_whisker(surface: pygame.Surface, theme: Theme, bar: pygame.Rect, share: float, error: float) -> None:
    """From one standard error below the mean to one above it."""
    low, high = (bar.left + round(bar.width * min(1.0, max(0.0, end))) for end in (share - error, share + error))
    thick, tall = theme.px(2), theme.px(9)
    surface.fill(theme.text, (low, bar.centery - thick // 2, max(1, high - low), thick))
    for end in (low, high - thick):
        surface.fill(theme.text, (end, bar.centery - tall // 2, thick, tall))
