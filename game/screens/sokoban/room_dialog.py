"""'Make me a room': size, boxes, difficulty; then how far it is. The room is kept in My rooms and opened."""

from collections.abc import Callable
from concurrent.futures import wait
from dataclasses import replace

import pygame
from typing_extensions import override

from ai.sokoban.rooms.kinds import MAX_BOXES, MAX_SIDE, MIN_SIDE
from game.play.sokoban.packs import OWN, LevelPack, Packs
from game.play.words import counted
from game.saves.user_packs import PackError, UserPacks
from game.screens.context import Context
from game.screens.sokoban.room_job import BANDS, SECONDS, Request, RoomJob, level_of
from game.ui import text
from game.ui.chrome import draw_bar
from game.ui.controls import Stepper
from game.ui.dialog import Answer, Dialog
from game.ui.scene import Host
from game.ui.select import Option, Select
from game.ui.theme import CONTROL_HEIGHT, FONT_SMALL, blend

PACK = "My rooms"
WIDTH, INSIDE = 520, 148


class RoomDialog(Dialog):
    """Asks, makes the room in the background, keeps it and hands it on."""

    request = Request()
    """What was wanted last, for the next time."""

    def __init__(
        self, window: Host, context: Context, packs: Packs, on_made: Callable[[LevelPack, int], None]
    ) -> None:
        """`on_made(pack, number)` is called when the room is kept and this dialogue closed."""
        super().__init__(window, "Make a room", "", self._asking(), WIDTH, INSIDE)
        self.context, self.packs, self.on_made = context, packs, on_made
        self.job = RoomJob()
        self._keeping = False
        """Whether a room that was made is being written."""
        self.place = pygame.Rect(0, 0, 1, 1)
        self.boxes: Stepper | None = None

    def _asking(self) -> tuple[Answer, ...]:
        return (Answer("Make it", style="primary", icon="play"), Answer("Cancel"))

    # Lay out

    @override
    def build_inside(self, rect: pygame.Rect) -> None:
        """Three numbers and the difficulty; or nothing but the bar."""
        self.place = rect
        if self.job.busy:
            self.boxes = None
            return
        gap, high = self.theme.px(8), self.theme.px(CONTROL_HEIGHT)
        request, wide = self.request, (rect.width - 2 * gap) // 3
        places = [pygame.Rect(rect.left + number * (wide + gap), rect.top, wide, high) for number in range(3)]
        Stepper(self.kit, places[0], "Rows", str(request.rows), on_step=lambda by: self._step("rows", by),
                tip=f"{MIN_SIDE} to {MAX_SIDE}, walls included")  # fmt: skip
        Stepper(self.kit, places[1], "Columns", str(request.cols), on_step=lambda by: self._step("cols", by),
                tip=f"{MIN_SIDE} to {MAX_SIDE}, walls included")  # fmt: skip
        self.boxes = Stepper(self.kit, places[2], "Boxes", str(request.boxes), on_step=lambda by: self._step("boxes", by),
                             tip=f"1 to {MAX_BOXES}, as far as they fit")  # fmt: skip
        options = [Option(band.id, band.title, band.note) for band in BANDS]
        Select(self.kit, pygame.Rect(rect.left, rect.top + high + gap, rect.width, high), options, request.band.id,
               on_choose=self._take_band, label="Difficulty")  # fmt: skip

    def _step(self, name: str, by: int) -> str:
        cls = type(self)
        cls.request = replace(self.request, **{name: getattr(self.request, name) + by}).fitted()
        if self.boxes is not None and name != "boxes" and self.boxes.value != str(cls.request.boxes):
            self.boxes.value = str(cls.request.boxes)
            self.boxes.repaint()
        self.job.problem = ""
        return str(getattr(cls.request, name))

    def _take_band(self, band_id: str) -> None:
        type(self).request = replace(self.request, band=next(band for band in BANDS if band.id == band_id))
        self.job.problem = ""

    # What the buttons do

    @override
    def answer(self, answer: Answer) -> None:
        """Make it starts the work, and the nearest may be taken early; Cancel closes."""
        if answer.label == "Cancel":
            super().answer(answer)
        elif not self.job.busy:
            self.job.start(self.request)
            self.answers = (Answer("Take the closest", style="primary"), Answer("Cancel"))
            self.rebuild()
        elif not self.job.take_nearest():
            self.window.play("blocked")

    @override
    def update(self, dt: float) -> None:
        """Listen to the work; what it made is kept and opened."""
        busy = self.job.busy
        self.job.update()
        if self.job.made is not None and self.window.top is self:
            if not self._keeping:
                self._keep()
        elif busy and not self.job.busy and self.job.made is None:
            self.answers = self._asking()
            self.rebuild()

    @override
    def close(self) -> None:
        """Work that is under way ends."""
        self.job.close()

    def _keep(self) -> None:
        """Put the room at the end of My rooms and hand it on."""
        room = self.job.made
        assert room is not None
        self._keeping = True

        def write() -> tuple[str, int] | PackError:
            """In the user's packs, all of which are read for it; answers the pack's stem and the room's number in it."""
            own = UserPacks(self.context.saves, self.context.writer)
            try:
                stem = own.called(PACK)
                found = own.get(stem)
                number = len(found.pack.levels) + 1 if found is not None else 1
                own.add(stem, (level_of(room, number),))
            except PackError as error:
                return error
            self.context.writer.flush()
            return stem, number

        self.window.read("Keeping the room", write, self._written)

    def _written(self, kept: tuple[str, int] | PackError) -> None:
        """The room is in its file: read that file, off the drawing thread too."""
        if isinstance(kept, PackError):
            self._stay(str(kept))
            return
        stem, number = kept
        self.packs.refresh()
        reading = self.packs.reading(OWN + stem)
        self.window.read(
            "Keeping the room", lambda: reading and wait((reading,)), lambda _done: self._show(stem, number)
        )

    def _show(self, stem: str, number: int) -> None:
        """Hand the room on."""
        room, request = self.job.made, self.request
        assert room is not None
        kept = self.packs.get(OWN + stem)
        if kept is None or len(kept.levels) < number:
            self._stay("The room could not be kept: the folder of saves cannot be written.")
            return
        difficulty = room.grade.difficulty
        suits = request.band.low <= difficulty <= request.band.high
        near = "" if suits else f", the nearest of {self.job.progress.nodes:,} looked at"
        self.window.pop()
        self.on_made(kept, number - 1)
        pushes = counted(room.grade.pushes, "push")
        self.window.say(f"A room of difficulty {difficulty}{near}: {pushes} at least. Kept in {PACK}.", "good")

    def _stay(self, problem: str) -> None:
        """Say what is wrong and ask again."""
        self.job.forget()
        self.job.problem, self._keeping = problem, False
        self.answers = self._asking()
        self.rebuild()

    # Draw

    @override
    def draw_inside(self, surface: pygame.Surface) -> None:
        """What comes of it; or how far it is."""
        theme, place = self.theme, self.place
        if not self.job.busy and self.job.made is None:
            words = self.job.problem or f"Every room can be solved. It is kept in {PACK}."
            ink = theme.bad if self.job.problem else theme.muted
            top = place.top + 2 * theme.px(CONTROL_HEIGHT) + theme.px(26)
            for number, line in enumerate(text.wrap(theme, words, place.width)[:2]):
                at = (place.left, top + number * theme.font().get_linesize())
                text.draw(surface, theme, line, at, colour=ink, anchor="midleft")
            return
        progress = self.job.progress
        words = f"{self.job.request.words}: {self.job.request.band.words}"
        text.draw(surface, theme, words, (place.left, place.top + theme.px(14)), anchor="midleft", limit=place.width)
        bar = pygame.Rect(place.left, place.top + theme.px(38), place.width, theme.px(8))
        share = min(1.0, self.job.seconds / SECONDS)
        draw_bar(surface, bar, share, theme.thinking, blend(theme.raised, theme.line, 0.5))
        text.draw(surface, theme, self._doing(), (place.left, place.top + theme.px(70)), size=FONT_SMALL,
                  colour=theme.muted, anchor="midleft", limit=place.width)  # fmt: skip
        if progress.measure is not None:
            said = f"The closest so far has difficulty {progress.measure:.0f} of 100."
            text.draw(surface, theme, said, (place.left, place.top + theme.px(94)), size=FONT_SMALL,
                      colour=theme.muted, anchor="midleft", limit=place.width)  # fmt: skip

    def _doing(self) -> str:
        """What is being waited for."""
        if self.job.waiting:
            return "The solvers are still being prepared for this machine …"
        looked = self.job.progress.nodes
        return f"{counted(looked, 'room')} looked at, {max(0.0, SECONDS - self.job.seconds):.0f} s left"
