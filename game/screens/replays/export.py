"""Pictures and films of a replay as files: GIF, MP4, PNG, and LURD text. Files are written whole or not at all.

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
from game.rules import games
from game.screens.replays.frame_plan import Reel, reel, spread
from game.screens.replays.positions import Film
from game.screens.replays.renderer import Easel
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
class Wish:
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


def export(film: Film, wish: Wish, path: Path, told: Told = lambda _done, _of: None) -> Made:
    """Write the whole film (it must be `done`) as `wish` says.

    Raises:
        ExportError: when that is impossible; whatever stood at `path` is then untouched.
    """
    part = beside(path)
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        sweep(part.parent)
        made = _WRITERS[wish.kind](film, wish, part, told)
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


def _write_lurd(film: Film, wish: Wish, part: Path, told: Told) -> Made:
    first = film.state(0)
    game = games.of(first)
    if game.notation != wish.kind:
        owner = next(each.title for each in games.GAMES.values() if each.notation == wish.kind)
        raise ExportError(f"{wish.kind.upper()} is a form of {owner}'s solutions only")
    part.write_text(game.words(first, [step.action for step in film.steps]) + "\n", encoding="ascii")
    told(1, 1)
    return Made()


def _write_png(film: Film, wish: Wish, part: Path, told: Told) -> Made:
    plies = (
        [film.length if wish.ply is None else wish.ply] if wish.pictures == 1 else spread(film.length, wish.pictures)
    )
    columns = min(len(plies), max(1, round(len(plies) ** 0.5 * 1.3)))
    lines = -(-len(plies) // columns)
    size = wish.size or SIZES["png"]
    easel = Easel(film, max(SMALLEST, size // columns), wish.theme, wish.caption)
    (wide, high), gap = easel.size, GAP if len(plies) > 1 else 0
    sheet = pygame.Surface(((wide + gap) * columns - gap, (high + gap) * lines - gap))
    sheet.fill(easel.theme.line)
    for number, ply in enumerate(plies):
        sheet.blit(easel.still(ply), (number % columns * (wide + gap), number // columns * (high + gap)))
        told(number + 1, len(plies))
    picture = BytesIO()
    pygame.image.save(sheet, picture, "picture.png")
    with part.open("wb") as file:
        file.write(picture.getbuffer())
        _safe(file)
    return Made(*sheet.get_size(), frames=len(plies))


def _write_gif(film: Film, wish: Wish, part: Path, told: Told) -> Made:
    from game.screens.replays.gif import GifWriter, palette_of

    easel, plan = _plan(film, wish)
    samples = [_pixels(easel.still(ply))[::3, ::3] for ply in spread(film.length, SAMPLES)]
    with part.open("wb") as file:
        writer = GifWriter(file, easel.size, palette_of(samples))
        for frame in _told(easel.frames(plan), plan, told):
            writer.add(_pixels(frame), round(100 / plan.rate))
        writer.close()
        _safe(file)
    return Made(*easel.size, plan.frames, plan.seconds, plan.speed)


def _write_mp4(film: Film, wish: Wish, part: Path, told: Told) -> Made:
    import imageio_ffmpeg

    try:
        encoder = imageio_ffmpeg.get_ffmpeg_exe()
    except RuntimeError:
        raise ExportError("There is no encoder for films on this machine; a GIF needs none") from None
    easel, plan = _plan(film, wish)
    words = [
        encoder, "-y", "-loglevel", "quiet",
        "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "{}x{}".format(*easel.size), "-r", f"{plan.rate}", "-i", "-",
        # the file is named .tmp until it is whole, so that its form has to be told
        "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-movflags", "+faststart", "-f", "mp4", str(part),
    ]  # fmt: skip
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        process_group=0,  # what a terminal tells its processes is for us
    ) as process:  # fmt: skip
        assert process.stdin is not None
        try:
            for frame in _told(easel.frames(plan), plan, told):
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
    return Made(*easel.size, plan.frames, plan.seconds, plan.speed)


def _encoder_failed(part: Path) -> OSError:
    """What is known about a film that did not become whole."""
    with contextlib.suppress(OSError):
        if shutil.disk_usage(part.parent).free < 1_000_000:
            return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    return OSError("the encoder did not finish it")


def _plan(film: Film, wish: Wish) -> tuple[Easel, Reel]:
    kind = wish.kind
    easel = Easel(film, wish.size or SIZES[kind], wish.theme, wish.caption)
    return easel, reel(film.length, wish.speed or SPEED, RATES[kind], MOST_SECONDS[kind])


def _told(frames: Iterator[pygame.Surface], plan: Reel, told: Told) -> Iterator[pygame.Surface]:
    for number, frame in enumerate(frames, 1):
        yield frame
        told(number, plan.frames)


def _pixels(surface: pygame.Surface) -> np.ndarray:
    """Height × width × 3, uint8."""
    return pygame.surfarray.array3d(surface).swapaxes(0, 1)


def _safe(file: BinaryIO) -> None:
    """On the disk, before the file takes its name."""
    file.flush()
    os.fsync(file.fileno())


_WRITERS: dict[Kind, Callable[[Film, Wish, Path, Told], Made]] = {
    "gif": _write_gif,
    "mp4": _write_mp4,
    "png": _write_png,
    "lurd": _write_lurd,
}
