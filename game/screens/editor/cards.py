"""The panel of the level editor: live checks, 'is it solvable?', the level and its pack, export."""

from collections.abc import Callable
from functools import partial

import pygame

from game.rules.editing.checks import Check
from game.screens.editor.exchange import Exchange
from game.screens.editor.export import AT_HAND
from game.screens.editor.review import Review
from game.screens.editor.work import Work
from game.screens.keys import DRAWING, LEVEL
from game.ui import shapes, svg, text
from game.ui.chrome import draw_bar, draw_card, draw_heading, draw_row
from game.ui.controls import Button
from game.ui.kit import Kit
from game.ui.shortcuts import keys_shown
from game.ui.text import short
from game.ui.theme import FONT_BODY, FONT_SMALL, Colour, Theme, blend

PAD, GAP = 16, 12
HEAD = 38
ROW, ROW_DENSE = 27, 24
CONTROL = 38
CHECKS = 5
DENSE_BELOW = 560
"""Height in units below which rows stand closer."""
EXPORT_WIDTH = 300
"""Width in units below which the forms do not fit side by side."""
SWEEP = 0.35
"""Share of the bar that runs to and fro while nobody knows how long it takes."""
_ICONS = {"good": "check", "bad": "warning", "note": "info", "wait": "minus"}


class Cards:
    """Lays the cards out, makes their buttons and draws them."""

    def __init__(self, work: Work, review: Review, exchange: Exchange) -> None:
        """Controls are made by `build`."""
        self.work, self.review, self.exchange = work, review, exchange
        self.theme = Theme()
        self.rects: dict[str, pygame.Rect] = {}
        self._ask: Button | None = None
        self._watch: Button | None = None
        self._row = 0
        self._phase = 0.0

    # Lay out

    def build(self, kit: Kit, rect: pygame.Rect, command: Callable[[str], object]) -> None:
        """Cards from the top; export has a card of its own where there is room. Buttons give their commands to `command`."""
        self.theme = theme = kit.theme
        self._kit, self._command = kit, command
        dense = rect.height < theme.px(DENSE_BELOW)
        self._row = theme.px(ROW_DENSE if dense else ROW)
        gap, head, control = theme.px(8 if dense else GAP), theme.px(HEAD), theme.px(CONTROL)
        foot = theme.px(12)
        heights = {
            "checks": head + CHECKS * self._row + theme.px(8),
            "solvable": head + theme.px(22) + 2 * self._row + 2 * control + theme.px(8) + foot,
            "level": head + 2 * control + theme.px(8) + foot,
            "export": head + control + foot,
        }
        if sum(heights.values()) + 3 * gap > rect.height or rect.width < theme.px(EXPORT_WIDTH):
            del heights["export"]
        self.rects, top = {}, rect.top
        for name, high in heights.items():
            self.rects[name] = pygame.Rect(rect.left, top, rect.width, high)
            top += high + gap
        self._build_solvable(self._line("solvable", 2))
        self._button(
            self._line("solvable", 1), "Train on this map", "train_map", "flask", "Let an agent learn this map"
        )
        self._build_level()
        if "export" in self.rects:
            self._build_export(self._line("export", 1))

    def _line(self, card: str, from_bottom: int) -> pygame.Rect:
        """A line of buttons at the bottom of a card."""
        theme, rect = self.theme, self.rects[card]
        high = theme.px(CONTROL)
        top = rect.bottom - theme.px(12) - from_bottom * high - (from_bottom - 1) * theme.px(8)
        return pygame.Rect(rect.left + theme.px(PAD), top, rect.width - 2 * theme.px(PAD), high)

    def _split(self, line: pygame.Rect, count: int) -> list[pygame.Rect]:
        gap = self.theme.px(8 if count < 4 else 4)
        wide = (line.width - gap * (count - 1)) // count
        return [pygame.Rect(line.left + at * (wide + gap), line.top, wide, line.height) for at in range(count)]

    def _button(self, rect: pygame.Rect, label: str, command: str, icon: str = "", tip: str = "") -> Button:
        return Button(self._kit, rect, label, icon=icon, on_press=partial(self._command, command),
                      tip=f"{tip or label} ({keys_shown(command, (DRAWING, LEVEL))})")  # fmt: skip

    def _build_solvable(self, line: pygame.Rect) -> None:
        left, right = self._split(line, 2)
        self._button(left, "Try it", "try", "play")
        self._ask = self._button(right, "Ask", "solvable", "hint", "Let the solver look at it")
        self._watch = self._button(right, "Watch it", "watch", "eye", "Watch the solution")
        self.refresh()

    def _build_level(self) -> None:
        save, packs = self._split(self._line("level", 2), 2)
        self._button(save, "Save", "save", "save", "Save into a pack of your own")
        self._button(packs, "My packs", "packs", "layers")
        names: tuple[tuple[str, str, str], ...] = (
            ("New", "new_map", "plus"), ("Import", "open_file", "folder"), ("Export", "export", "download"),
        )  # fmt: skip
        if "export" in self.rects:
            names = names[:2]
        for place, (label, command, icon) in zip(self._split(self._line("level", 1), len(names)), names, strict=True):
            self._button(place, label, command, icon if place.width > self.theme.px(96) else "")

    def _build_export(self, line: pygame.Rect) -> None:
        for place, form in zip(self._split(line, len(AT_HAND)), AT_HAND, strict=True):
            label = form.title.split()[0]
            copies = form.id == "python"
            action = self.exchange.copy if copies else self.exchange.save_file
            does = "copy" if copies else "save as a file"
            Button(self._kit, place, label, on_press=partial(action, form), tip=f"{does.capitalize()}: {form.help}")

    def refresh(self) -> None:
        """Buttons follow what is known; cheap when nothing changed."""
        solving = self.work.solving
        if self._ask is None or self._watch is None:
            return
        can_watch = solving.verdict == "yes" and bool(solving.solution)
        if can_watch == bool(self._ask.visible):
            shown, hidden = (self._watch, self._ask) if can_watch else (self._ask, self._watch)
            shown.show()
            hidden.hide()
        elif not can_watch and self._watch.visible:
            self._watch.hide()
        label, icon = ("Stop", "stop") if solving.busy else ("Solvable?", "hint")
        self._ask.set(label=label, icon=icon)

    # Draw

    def update(self, dt: float) -> None:
        """Let the bar run."""
        self._phase = (self._phase + dt * 0.6) % 1.0
        self.refresh()

    def draw(self, surface: pygame.Surface) -> None:
        """Every card but its buttons."""
        theme = self.theme
        for rect in self.rects.values():
            draw_card(surface, theme, rect)
        self._draw_checks(surface, self.rects["checks"])
        self._draw_solvable(surface, self.rects["solvable"])
        self._draw_level(surface, self.rects["level"])
        if "export" in self.rects:
            draw_heading(
                surface, theme, theme.px(HEAD), self.rects["export"], "Export", keys_shown("export", (LEVEL,))
            )

    def _draw_checks(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        theme, checks = self.theme, self.review.checks
        bad = sum(check.verdict == "bad" for check in checks)
        note, ink = (f"{bad} to fix", theme.bad) if bad else ("all good", theme.good)
        if not bad and any(check.verdict == "wait" for check in checks):
            note, ink = "", theme.muted
        draw_heading(surface, theme, theme.px(HEAD), rect, "Checks", note, ink)
        y = rect.top + theme.px(HEAD) + self._row // 2 - theme.px(2)
        for check in checks:
            self._draw_check(surface, rect, y, check)
            y += self._row

    def _draw_check(self, surface: pygame.Surface, rect: pygame.Rect, y: int, check: Check) -> None:
        theme = self.theme
        side = theme.px(18)
        fill: Colour = {"good": theme.good, "bad": theme.bad, "note": theme.muted, "wait": theme.line}[check.verdict]
        left = rect.left + theme.px(PAD)
        surface.blit(shapes.disc(side, fill), (left, y - side // 2))
        glyph = theme.px(12)
        if check.verdict == "bad":
            text.draw(surface, theme, "!", (left + side // 2, y), size=FONT_SMALL, weight="bold", colour=theme.ink_on(fill),
                      anchor="center")  # fmt: skip
        else:
            icon = svg.icon(
                _ICONS[check.verdict], glyph, theme.ink_on(fill) if check.verdict != "wait" else theme.muted
            )
            surface.blit(icon, (left + (side - glyph) // 2, y - glyph // 2))
        ink = theme.muted if check.verdict == "wait" else theme.text
        at = left + side + theme.px(10)
        room = rect.right - theme.px(12) - at
        size = FONT_BODY if text.width(theme, check.text) <= room else FONT_SMALL
        text.draw(surface, theme, check.text, (at, y), size=size, colour=ink, anchor="midleft", limit=room)

    def _draw_solvable(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        theme = self.theme
        solving = self.work.solving
        note = solving.verdict or ("thinking" if solving.busy else "")
        ink = {"yes": theme.good, "no": theme.bad}.get(note, theme.thinking)
        draw_heading(surface, theme, theme.px(HEAD), rect, "Is it solvable?", note, ink)
        bar = pygame.Rect(
            rect.left + theme.px(PAD), rect.top + theme.px(HEAD), rect.width - 2 * theme.px(PAD), theme.px(8)
        )
        track = blend(theme.raised, theme.line, 0.5)
        draw_bar(surface, bar, 1.0 if solving.answer is not None else 0.0, theme.thinking, track)
        if solving.busy:
            self._draw_busy(surface, theme, bar)
        y = bar.bottom + theme.px(6) + self._row // 2
        for name, value, colour in self._said():
            if value:
                draw_row(surface, theme, rect, y, name, value, colour)
            else:
                text.draw(surface, theme, name, (bar.left, y), colour=theme.muted, anchor="midleft", limit=bar.width)
            y += self._row

    def _draw_busy(self, surface: pygame.Surface, theme: Theme, bar: pygame.Rect) -> None:
        """How much of its time the solver has used, else a piece that runs to and fro."""
        fraction = self.work.solving.progress.fraction
        if fraction is not None and not self.work.solving.waiting:
            draw_bar(surface, bar, max(fraction, 0.03), theme.thinking, pygame.Color(0, 0, 0, 0))
            return
        wide = round(bar.width * SWEEP)
        left = bar.left + round((bar.width - wide) * abs(1 - 2 * self._phase))
        surface.blit(shapes.rounded((wide, bar.height), bar.height // 2, theme.thinking), (left, bar.top))

    def _said(self) -> list[tuple[str, str, Colour | None]]:
        """Two rows about the question."""
        theme = self.theme
        solving = self.work.solving
        if solving.waiting:
            return [("The solver is being prepared", "", None), ("It starts as soon as it is ready", "", None)]
        if solving.busy:
            nodes = f"{short(solving.progress.nodes)} · {solving.seconds:.0f} s"
            bound = f"at least {solving.progress.depth}" if solving.progress.depth else "…"
            return [("Positions looked at", nodes, None), ("Pushes needed", bound, None)]
        answer = solving.answer
        if answer is None:
            problem = self.work.problem
            words = f"{problem[:1].upper()}{problem[1:]}." if problem else "The solver looks for the fewest pushes."
            wide = self.rects["solvable"].width - 2 * theme.px(PAD)
            return [(line, "", None) for line in text.wrap(theme, words, wide)[:2]]
        looked = (f"{short(answer.nodes)} in {answer.seconds:.1f} s", None)
        if solving.verdict == "yes":
            lurd = solving.solution
            pushes, moves = sum(letter.isupper() for letter in lurd), sum(letter.isalpha() for letter in lurd)
            return [
                ("Fewest pushes", f"{pushes:,} · {moves:,} moves", theme.thinking),
                ("Positions looked at", *looked),
            ]
        if solving.verdict == "no":
            return [("Proved: it has no solution", "", None), ("Positions looked at", *looked)]
        return [("Undecided: the solver gave up", "", None), ("Positions looked at", *looked)]

    def _draw_level(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        theme = self.theme
        draw_heading(surface, theme, theme.px(HEAD), rect, "Level", self.exchange.where, None)
