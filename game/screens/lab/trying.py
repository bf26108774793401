"""From a training to its game: the model at the board, on the level that it learned where it learned one."""

from pathlib import Path
from typing import TYPE_CHECKING, cast

from ai import catalogue
from ai.entries import Spec
from ai.models import ModelCard
from game.rules.files import read_regular
from game.rules.levels import LevelError
from game.saves import level_forms
from game.screens.context import Context
from game.ui.reading import Unreadable
from game.ui.scene import Host

if TYPE_CHECKING:
    from game.play.sokoban.packs import LevelPack


def play(window: Host, context: Context, card: ModelCard, level: tuple[Path, int] | None = None) -> None:
    """Open the game with the model on its first seat; it begins at once on a level that it has learned, (file, number from 1)."""
    known = context.chosen(card.game, 0)
    settings = known.settings if known is not None and known.id == card.agent else {}
    spec = Spec(card.agent, settings, card.name)
    if not any(entry.id == card.agent for entry in catalogue.entries(card.game)):
        window.say(f"No agent of this app plays with {card.name}.", "bad")
        return
    if level is None:
        _begin(window, context, spec, card, None, 0)
        return
    path, number = level
    window.read(
        f"Reading {path.name}", lambda: _pack(path, number), lambda found: _begin(window, context, spec, card, *found)
    )


def _begin(
    window: Host, context: Context, spec: Spec, card: ModelCard, pack: "LevelPack | None", number: int
) -> None:
    from game.screens.opening import show_game

    session = show_game(window, context, card.game).session
    if pack is not None:
        from game.play.sokoban.session import LevelSession

        cast(LevelSession, session).open_level(pack, number)
    session.play_with(spec, card)
    if pack is not None:
        session.go(0)
        if not session.driver.running:
            session.toggle_run()
    else:
        window.say(f"{card.name} is at the board: Space lets it play, H asks it for a hint.")


def _pack(path: Path, number: int) -> "tuple[LevelPack | None, int]":
    """The file of levels that a training learned from, and which of them; raises Unreadable."""
    from game.play.sokoban.packs import LevelPack
    from game.screens.opening import read_levels

    try:
        found = read_levels(read_regular(path, level_forms.MAX_BYTES), path.name, path.stem)
    except (OSError, LevelError) as error:
        raise Unreadable(f"{path.name} cannot be read: {error}.") from None
    if not isinstance(found, LevelPack):
        return None, 0
    return found, min(max(1, number), len(found.levels)) - 1
