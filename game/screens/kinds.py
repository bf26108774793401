"""What kind of file somebody opens or drops, told by its first bytes and never by running any of it."""

from pathlib import Path
from typing import Literal

from game.rules import replay as replays
from game.rules.files import open_regular
from game.screens.models.shelf import looks_like_model

Kind = Literal["replay", "model", "levels"]


def kind_of(name: str, head: bytes) -> Kind:
    """By the beginning of its content; whatever is neither a replay nor a model can only be levels."""
    if looks_like_model(name, head):
        return "model"
    if replays.FORMAT.encode() in head[: replays.MAX_HEAD_BYTES] and head.lstrip()[:1] == b"{":
        return "replay"
    return "levels"


def kind_of_file(path: Path) -> Kind:
    """The same; a file that cannot be opened counts as levels, and who reads those says why."""
    try:
        with open_regular(path) as file:
            return kind_of(path.name, file.read(replays.MAX_HEAD_BYTES))
    except OSError:
        return "levels"
