"""The dialog that makes a file of a game: which form, how large, how fast; then how far it is."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pygame
from typing_extensions import override

from game.rules.replay import Replay
from game.saves.replays import stem
from game.screens.context import Context
from game.screens.replays.export import MOST_SECONDS, RATES, SIZES, SPEED, Kind, Request
from game.screens.replays.export_job import ExportJob
from game.screens.replays.frame_plan import plan_frames
from game.ui import text
from game.ui.chrome import draw_bar
from game.ui.controls import Button, Stepper, Toggle, neighbour
from game.ui.dialog import Answer, Dialog
from game.ui.file_dialog import FileDialog
from game.ui.folders import open_folder
from game.ui.scene import Host
from game.ui.theme import CONTROL_HEIGHT, FONT_SMALL, blend
from game.views.view import view_of

WIDTH, INSIDE = 560, 214
FORMS: tuple[tuple[Kind, str], ...] = (("gif", "GIF"), ("mp4", "MP4"), ("png", "PNG"), ("lurd", "LURD"))
WORDS = {
    "gif": "An animation that every browser and chat can show.",
    "mp4": "A video: sharper than a GIF, and a smaller file.",
    "png": "A picture of this position, or of several side by side.",
    "lurd": "The moves as text: l u r d for steps, L U R D for pushes.",
}
CHOICES: dict[str, Sequence[float]] = {
    "size": (240, 320, 480, 640, 720, 960, 1080, 1440, 2160),
    "speed": (1.0, 2.0, 3.0, 4.0, 5.0, 8.0, 12.0, 20.0, 30.0),
    "pictures": (1, 4, 6, 9, 12, 16),
}
"""Setting of the request -> what it can be."""


class ExportDialog(Dialog):
    """Made for one replay; `ply` is the position for a still picture."""

    def __init__(self, window: Host, context: Context, replay: Replay, ply: int) -> None:
        """Starts with a GIF in the window's theme."""
        super().__init__(window, "Export", "", self._asking(), WIDTH, INSIDE)
        self.context, self.replay = context, replay
        self.request = Request("gif", SIZES["gif"], SPEED, window.look.theme, ply=min(ply, len(replay.steps)))
        self.job: ExportJob | None = None
        self.made: Path | None = None
        """The file, once it is written."""
        self.place = pygame.Rect(0, 0, 1, 1)

    def _asking(self) -> tuple[Answer, ...]:
        return (Answer("Export", style="primary", icon="download"), Answer("Close"))

    # Lay out

    @override
    def build_inside(self, rect: pygame.Rect) -> None:
        """Forms, what they do, their settings; or nothing but the bar and the file."""
        self.place = rect
        if self.job is not None or self.made is not None:
            return
        theme, gap, high = self.theme, self.theme.px(8), self.theme.px(CONTROL_HEIGHT)
        forms = [form for form in FORMS if form[0] != "lurd" or view_of(self.replay.game).solution_form == "lurd"]
        wide = (rect.width - gap * (len(forms) - 1)) // len(forms)
        for number, (kind, label) in enumerate(forms):
            Button(
                self.kit, pygame.Rect(rect.left + number * (wide + gap), rect.top, wide, high), label,
                selected=kind == self.request.kind, on_press=partial(self._take_form, kind),
            )  # fmt: skip
        top = rect.top + high + theme.px(40)
        if self.request.kind == "lurd":
            return
        half = (rect.width - gap) // 2
        right = pygame.Rect(rect.left + half + gap, top, rect.width - half - gap, high)
        still = self.request.kind == "png"
        for place, label, name, tip in (
            (pygame.Rect(rect.left, top, half, high), "Longer side", "size", "Width or height in pixels, whichever is more"),
            (right, "Positions", "pictures", "One position, or several on one sheet") if still else
            (right, "Speed", "speed", "Moves a second; a long game is shown faster"),
        ):  # fmt: skip
            Stepper(self.kit, place, label, self._said(name), on_step=partial(self._step, name), tip=tip)
        top += high + gap
        inner = theme.px(8)
        Toggle(self.kit, pygame.Rect(rect.left, top, half - inner, high), "Light theme", self.request.theme == "light",
               on_change=self._set_light)  # fmt: skip
        Toggle(self.kit, pygame.Rect(right.left + inner, top, right.width - inner, high), "Caption",
               self.request.caption, on_change=self._set_caption)  # fmt: skip

    def _take_form(self, kind: Kind) -> None:
        self.request = replace(self.request, kind=kind, size=SIZES[kind])
        self.rebuild()

    def _said(self, name: str) -> str:
        """A setting in words."""
        value = getattr(self.request, name)
        if name == "pictures":
            return "this one" if value == 1 else f"{value}"
        return f"{value} px" if name == "size" else f"{value:g}/s"

    def _step(self, name: str, by: int) -> str:
        value = neighbour(CHOICES[name], getattr(self.request, name), by)
        self.request = replace(self.request, **{name: value})
        return self._said(name)

    def _set_light(self, on: bool) -> None:
        self.request = replace(self.request, theme="light" if on else "dark")

    def _set_caption(self, on: bool) -> None:
        self.request = replace(self.request, caption=on)

    # What the buttons do

    @override
    def answer(self, answer: Answer) -> None:
        """Export asks for the file; the others close."""
        if answer.label != "Export":
            super().answer(answer)
            return
        folder = self.context.saves.root / "exports" if self.context.saves.writable else Path.home()
        name = f"{stem(self.replay)}.{self.request.kind}"
        self.window.push(FileDialog(self.window, "Export as", folder, (f".{self.request.kind}",), self.start, name))

    def start(self, path: Path) -> None:
        """Write the file, in the background."""
        path = path.with_suffix(f".{self.request.kind}")
        request = replace(self.request, ply=self.request.ply if self.request.kind == "png" else None)
        if request.kind != "png":
            request = replace(request, pictures=1)
        self.job = ExportJob(self.replay, request, path)
        self.context.jobs.add(self.job)
        self.answers = (Answer("In the background", style="primary"), Answer("Cancel", self.job.cancel))
        self.rebuild()

    @override
    def update(self, dt: float) -> None:
        """Say where the file is, or why there is none; the app says so, also when this dialog was closed before."""
        job = self.job
        if job is None or job.busy or self.window.top is not self:
            return
        self.job, self.answers = None, self._asking()
        if job.cancelled:
            self.window.pop()
            return
        if not job.problem:
            self.made = job.path
            show = partial(open_folder, self.window, job.path.parent)
            self.answers = (Answer("Close", style="primary"), Answer("Open folder", show, icon="folder"))
        self.rebuild()

    # Draw

    @override
    def draw_inside(self, surface: pygame.Surface) -> None:
        """What the form is for and how long the video will be; or the bar, or where the file is."""
        theme, place = self.theme, self.place
        if self.job is not None:
            self._draw_path(surface, self.job.path, self.job.progress)
            bar = pygame.Rect(place.left, place.top + theme.px(44), place.width, theme.px(8))
            draw_bar(surface, bar, self.job.share or 0.0, theme.thinking, blend(theme.raised, theme.line, 0.5))
            return
        if self.made is not None:
            self._draw_path(surface, self.made, "written")
            return
        y = place.top + theme.px(CONTROL_HEIGHT + 20)
        text.draw(surface, theme, WORDS[self.request.kind], (place.left, y), colour=theme.muted, anchor="midleft",
                  limit=place.width)  # fmt: skip
        said = self._length_words()
        if said:
            y = place.bottom - theme.px(24)
            text.draw(surface, theme, said, (place.left, y), size=FONT_SMALL, colour=theme.muted, anchor="midleft",
                      limit=place.width)  # fmt: skip

    def _draw_path(self, surface: pygame.Surface, path: Path, said: str) -> None:
        """The file's name with its ending, how it stands with it, and the folder."""
        theme, place = self.theme, self.place
        y = place.top + theme.px(20)
        right = text.draw(surface, theme, said, (place.right, y), colour=theme.muted, anchor="midright")
        name = text.shortened(theme, path.name, right.left - place.left - theme.px(16))
        text.draw(surface, theme, name, (place.left, y), anchor="midleft")
        folder = text.shortened(theme, f"in {path.parent}", place.width, FONT_SMALL)
        text.draw(surface, theme, folder, (place.left, place.top + theme.px(74)), size=FONT_SMALL, colour=theme.muted,
                  anchor="midleft")  # fmt: skip

    def _length_words(self) -> str:
        """'97 moves in 22 seconds', and that a long game is shown faster."""
        kind = self.request.kind
        if kind not in RATES:
            return ""
        plan = plan_frames(len(self.replay.steps), self.request.speed, RATES[kind], MOST_SECONDS[kind])
        faster = "" if plan.speed <= self.request.speed else f", {plan.speed:,.0f} moves a second to fit"
        return f"{plan.length:,} moves in {plan.seconds:.0f} seconds{faster}"
