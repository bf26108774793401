"""A level out of the editor and into it: the clipboard, files, and the thread that writes them."""

import re
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pygame

from game.rules.editing.history import Document
from game.saves import level_forms
from game.saves.files import write_whole
from game.saves.folder import Saves
from game.screens.editor.canvas import picture
from game.ui import clipboard
from game.ui.theme import Theme


@dataclass(frozen=True, slots=True)
class Form:
    """One way a level leaves the editor."""

    id: str
    title: str
    suffix: str
    help: str
    text: Callable[[Document], str] | None
    """The form as text, where it is one."""


FORMS = (
    Form("xsb", "XSB text", ".xsb", "what other Sokoban programs read", level_forms.as_xsb),
    Form("runs", "Run-length text", ".sok", "the same, the board on one short line", level_forms.as_runs),
    Form("python", "Array", ".py", "NumPy text, ready to paste", level_forms.as_python),
    Form("npy", ".npy", ".npy", "the array as a NumPy file", None),
    Form("json", "JSON", ".json", "the array with title, author and comment", level_forms.as_json),
    Form("png", "PNG", ".png", "a picture, with the level inside", None),
)
AT_HAND = tuple(form for form in FORMS if form.id != "runs")
"""Those with a button beside the drawing; the rest are in the dialog of all."""
FORM = {form.id: form for form in FORMS}


def copy(form: Form, document: Document) -> str:
    """Put a text form on the clipboard; returns the sentence about it. Raises ValueError where it cannot be."""
    assert form.text is not None
    text = form.text(document)
    clipboard.write(text)
    return f"{'The array' if form.id == 'python' else form.title} is on the clipboard."


def content(form: Form, document: Document, theme: Theme) -> Callable[[], bytes]:
    """What goes into a file: made in parts, so that the long part can run in a thread. Raises ValueError."""
    if form.text is not None:
        text = form.text(document)
        return lambda: text.encode()
    if form.id == "npy":
        return lambda: level_forms.as_npy(document)
    surface = picture(document.drawing, theme)
    rgb = pygame.image.tobytes(surface, "RGB")
    return lambda: level_forms.as_png(document, *surface.get_size(), rgb)


def default_folder(saves: Saves) -> Path:
    """Where exports go unless another place is chosen."""
    return saves.root / "exports" if saves.writable else Path.home()


def file_name(document: Document, suffix: str) -> str:
    """A name for a file of this level."""
    plain = re.sub(r"[^\w-]+", "-", document.title.lower()).strip("-_")[:60] or "level"
    return plain + suffix


class Exports:
    """Files on their way to the disk, in one thread."""

    def __init__(self) -> None:
        """None yet; the thread starts with the first."""
        self._thread: ThreadPoolExecutor | None = None
        self._open: list[tuple[Path, Future[None]]] = []

    def write(self, path: Path, make: Callable[[], bytes]) -> None:
        """Make the content and write the file whole."""
        self._thread = self._thread or ThreadPoolExecutor(1, "exports")
        self._open.append((path, self._thread.submit(lambda: write_whole(path, make()))))

    def news(self) -> list[tuple[bool, str]]:
        """(whether it worked, the sentence) of every file that was finished since the last call."""
        said = []
        for path, future in list(self._open):
            if not future.done():
                continue
            self._open.remove((path, future))
            error = future.exception()
            if error is None:
                said.append((True, f"Saved as {path.name} in {path.parent}."))
            else:
                reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
                said.append((False, f"{path.name} could not be written: {reason}."))
        return said

    def close(self) -> None:
        """Finish what is under way."""
        if self._thread is not None:
            self._thread.shutdown(wait=True)
