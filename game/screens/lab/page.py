"""What the pages of the lab ask of the lab."""

from pathlib import Path
from typing import Protocol

from game.screens.lab.form import Form
from game.ui.kit import Kit
from game.ui.scene import Host
from game.ui.theme import Theme


class Lab(Protocol):
    """The scene, without what only it and the window know of it."""

    window: Host
    kit: Kit
    form: Form
    refusal: str
    """Why the training of the form cannot be begun, in one sentence; empty where it can."""

    @property
    def theme(self) -> Theme:
        """Colours, fonts and lengths."""

    @property
    def folder(self) -> Path:
        """Where models and checkpoints are."""

    @property
    def can_watch_level(self) -> bool:
        """Whether it was trained on one level, which can be shown."""

    def rebuild(self) -> None:
        """Make the controls again."""

    def start(self) -> None:
        """Begin the training of the form."""

    def toggle(self) -> None:
        """Start, pause or go on, whichever there is to do."""

    def stop(self) -> None:
        """Save and stop."""

    def go_on(self) -> None:
        """Learn more, from the checkpoint of what has just ended."""

    def new(self) -> None:
        """Back to the form, for another training."""

    def try_it(self) -> None:
        """Open its game with the model at the board."""

    def copy(self) -> None:
        """The command line on the clipboard."""
