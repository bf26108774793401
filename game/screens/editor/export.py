"""A level out of the editor and into it: the clipboard and files."""

import re
from collections.abc import Callable
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


def write(path: Path, make: Callable[[], bytes]) -> Path:
    """Make the content and write the file whole; returns its path."""
    write_whole(path, make())
    return path
