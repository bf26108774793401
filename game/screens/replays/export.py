"""Pictures and videos of a replay as files: GIF, MP4, PNG, and LURD text. Files are written whole or not at all.

Used by the command line, in a process of its own: the window starts that process too, so that no frame waits.
"""

import contextlib
import errno
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Literal

import numpy as np
import pygame

from ai.temporary import beside, sweep
from game.screens.replays.frame_plan import FramePlan, plan_frames, spread
from game.screens.replays.positions import Positions
from game.screens.replays.renderer import Renderer
from game.ui.theme import ThemeName

Kind = Literal["gif", "mp4", "png", "lurd"]
KINDS: tuple[Kind, ...] = ("gif", "mp4", "png", "lurd")
SIZES: dict[Kind, int] = {"gif": 480, "mp4": 720, "png": 960, "lurd": 0}
"""The longer side in pixels, where none is asked for."""
RATES: dict[Kind, int] = {"gif": 20, "mp4": 30}
"""Frames a second."""
MOST_SECONDS: dict[Kind, int] = {"gif": 30, "mp4": 120}
SPEED = 5.0
"""Moves a second, where none is asked for."""
SMALLEST, LARGEST = 96, 2160
SAMPLES = 12
"""Positions from which the colours of a GIF are chosen."""
GAP = 8

Told = Callable[[int, int], None]
"""Called with (done, of), several times a second; what it raises ends the export, and nothing half written stays."""
LOOK_SECONDS = 0.1


class ExportError(Exception):
    """The file could not be made; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for. `size` 0 and `speed` 0 mean the defaults."""

    kind: Kind
    size: int = 0
    speed: float = 0.0
    """Moves a second; a long game is played faster."""
    theme: ThemeName = "dark"
    caption: bool = True
    ply: int | None = None
    """The position of a single picture; None: the last one."""
    pictures: int = 1
    """Positions side by side in one PNG."""


@dataclass(frozen=True, slots=True)
class Made:
    """What was written."""

    width: int = 0
    height: int = 0
    frames: int = 1
    seconds: float = 0.0
    speed: float = 0.0
    size: int = 0
    """Bytes."""


def kind_of(path: Path) -> Kind | None:
    """What a file's ending asks for."""
    ending = path.suffix.lower().removeprefix(".")
    return next((kind for kind in KINDS if kind == ending), None)


def export(positions: Positions, request: Request, path: Path, told: Told = lambda _done, _of: None) -> Made:
    """Write the whole game (it must be `done`) as `request` says.

    Raises:
        ExportError: when that is impossible; whatever stood at `path` is then untouched.
    """
    part = beside(path)
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        sweep(part.parent)
        made = _WRITERS[request.kind](positions, request, part, told)
        size = part.stat().st_size
        os.replace(part, path)
        return Made(made.width, made.height, made.frames, made.seconds, made.speed, size)
    except OSError as error:
        raise ExportError(_sentence(path, error)) from None
    except ValueError as error:  # a name with a character that no name can have
        raise ExportError(f"{path.name} was not written: {error}") from None
    finally:
        with contextlib.suppress(OSError, ValueError):
            part.unlink()


def _sentence(path: Path, error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"The disk is full: {path.name} was not written"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{path.name} was not written: writing in {path.parent} is not allowed"
    return f"{path.name} was not written: {error.strerror or error}"


def _write_lurd(positions: Positions, request: Request, part: Path, told: Told) -> Made:
    first = positions.state(0)
    view = positions.view
    if view.solution_form != "lurd":
        raise ExportError("LURD is a form of Sokoban's solutions only")
    part.write_text(view.game.words(first, [step.action for step in positions.steps]) + "\n", encoding="ascii")
    told(1, 1)
    return Made()


def _write_png(positions: Positions, request: Request, part: Path, told: Told) -> Made:
    last = positions.length if request.ply is None else request.ply
    plies = [last] if request.pictures == 1 else spread(positions.length, request.pictures)
    columns = min(len(plies), max(1, round(len(plies) ** 0.5 * 1.3)))
    lines = -(-len(plies) // columns)
    size = request.size or SIZES["png"]
    renderer = Renderer(positions, max(SMALLEST, size // columns), request.theme, request.caption)
    (wide, high), gap = renderer.size, GAP if len(plies) > 1 else 0
    sheet = pygame.Surface(((wide + gap) * columns - gap, (high + gap) * lines - gap))
    sheet.fill(renderer.theme.line)
    for number, ply in enumerate(plies):
        sheet.blit(renderer.still(ply), (number % columns * (wide + gap), number // columns * (high + gap)))
        told(number + 1, len(plies))
    picture = BytesIO()
    pygame.image.save(sheet, picture, "picture.png")
    with part.open("wb") as file:
        file.write(picture.getbuffer())
        _safe(file)
    return Made(*sheet.get_size(), frames=len(plies))


def _write_gif(positions: Positions, request: Request, part: Path, told: Told) -> Made:
    from game.screens.replays.gif import GifWriter, palette_of

    renderer, plan = _plan(positions, request)
    samples, plies = [], spread(positions.length, SAMPLES)
    of = len(plies) + plan.frames
    for number, ply in enumerate(plies):
        told(number, of)
        samples.append(_pixels(renderer.still(ply))[::3, ::3])
    with part.open("wb") as file:
        writer = GifWriter(file, renderer.size, palette_of(samples))
        for frame in _told(renderer.frames(plan), len(plies), of, told):
            writer.add(_pixels(frame), round(100 / plan.rate))
        writer.close()
        _safe(file)
    return Made(*renderer.size, plan.frames, plan.seconds, plan.speed)


def _write_mp4(positions: Positions, request: Request, part: Path, told: Told) -> Made:
    import imageio_ffmpeg

    try:
        encoder = imageio_ffmpeg.get_ffmpeg_exe()
    except RuntimeError:
        raise ExportError("There is no encoder for videos on this machine; a GIF needs none") from None
    renderer, plan = _plan(positions, request)
    words = [
        encoder, "-y", "-loglevel", "quiet",
        "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "{}x{}".format(*renderer.size), "-r", f"{plan.rate}", "-i", "-",
        # the file is named .tmp until it is whole, so that its form has to be told
        "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-movflags", "+faststart", "-f", "mp4", str(part),
    ]  # fmt: skip
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        process_group=0,  # what a terminal tells its processes is for us
    ) as process:  # fmt: skip
        assert process.stdin is not None
        try:
            for frame in _told(renderer.frames(plan), 0, plan.frames, told):
                process.stdin.write(pygame.image.tobytes(frame, "RGB"))
            process.stdin.close()
            while process.poll() is None:
                told(plan.frames, plan.frames)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(LOOK_SECONDS)
        except BrokenPipeError:
            process.kill()
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise _encoder_failed(part)
    with part.open("rb+") as file:
        _safe(file)
    return Made(*renderer.size, plan.frames, plan.seconds, plan.speed)


def _encoder_failed(part: Path) -> OSError:
    """What is known about a video that did not become whole."""
    with contextlib.suppress(OSError):
        if shutil.disk_usage(part.parent).free < 1_000_000:
            return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    return OSError("the encoder did not finish it")


def _plan(positions: Positions, request: Request) -> tuple[Renderer, FramePlan]:
    kind = request.kind
    renderer = Renderer(positions, request.size or SIZES[kind], request.theme, request.caption)
    return renderer, plan_frames(positions.length, request.speed or SPEED, RATES[kind], MOST_SECONDS[kind])


def _told(frames: Iterator[pygame.Surface], done: int, of: int, told: Told) -> Iterator[pygame.Surface]:
    """The frames, each told as one more of all there is to do, of which so much is done before them."""
    told(done, of)
    for number, frame in enumerate(frames, done + 1):
        yield frame
        told(number, of)


def _pixels(surface: pygame.Surface) -> np.ndarray:
    """Height × width × 3, uint8."""
    return pygame.surfarray.array3d(surface).swapaxes(0, 1)


def _safe(file: BinaryIO) -> None:
    """On the disk, before the file takes its name."""
    file.flush()
    os.fsync(file.fileno())


_WRITERS: dict[Kind, Callable[[Positions, Request, Path, Told], Made]] = {
    "gif": _write_gif,
    "mp4": _write_mp4,
    "png": _write_png,
    "lurd": _write_lurd,
}
