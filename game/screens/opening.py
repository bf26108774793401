"""From one screen to another: a replay that goes on as a game, and any file to the screen that it belongs to."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from game.play.sokoban import packs
from game.play.sokoban.packs import LevelPack, packs_of
from game.play.sokoban.session import LevelSession
from game.rules import levels
from game.rules import replay as replays
from game.rules.editing.history import Document
from game.rules.files import open_regular
from game.rules.game import PERSON
from game.rules.levels import LevelError
from game.rules.replay import Replay, ReplayError
from game.rules.sokoban.game import GAME
from game.saves import level_forms
from game.screens.context import Context
from game.screens.games import game_scene
from game.screens.kinds import kind_of
from game.screens.navigation import in_front, open_scene, show
from game.screens.play.screen import GameScreen
from game.screens.replays.positions import Positions
from game.screens.sokoban import pasted
from game.ui.reading import Unreadable
from game.ui.scene import Host, Scene

MAX_BYTES = max(replays.MAX_BYTES, levels.MAX_BYTES)
PASTED_TITLE = "Pasted levels"
MODEL_HEAD = 16
"""Bytes that tell a model."""


class ModelFile:
    """What is told of a model by its first bytes: that it is one."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """Drawings none of which is a level yet."""

    drawings: tuple[Document, ...]


Found = Replay | LevelPack | Unfinished | ModelFile


def show_game(window: Host, context: Context, game: str) -> GameScreen:
    """The screen of a game in front: the one that is open already, else a new one. Two would save over each other."""

    def fits(scene: Scene) -> bool:
        return isinstance(scene, GameScreen) and scene.session.game == game and scene.session.autosave

    if in_front(window, fits) is None:
        window.push(game_scene(game, window, context))
    return cast(GameScreen, window.top)


def go_on(window: Host, context: Context, positions: Positions, ply: int) -> None:
    """Play on from a position of a replay, on the game's screen; the game that was there is left."""
    replay = positions.replay
    states = positions.states(ply)
    seats = list(replay.seats)
    if len(seats) > 1 and PERSON not in seats:
        seats[positions.view.game.to_move(states[-1])] = PERSON
    scene = show_game(window, context, replay.game)
    scene.session.take_over(replay, states, tuple(seats))
    who = "It is your move" if PERSON in seats else "You can play, or let the agent go on with Space"
    window.say(f"The game goes on from move {ply:,}. {who}.", "good")


class Opener:
    """Shows in one window what was read, on the screen that it belongs to."""

    def __init__(self, window: Host, context: Context) -> None:
        """For one window."""
        self._window, self._context = window, context

    def open_text(self, text: str, name: str) -> None:
        """Show the levels in a text, at the board or in the editor, soon; `name` is where it comes from."""
        self._window.read(
            f"Reading {name}", lambda: _read_text(text, name), lambda found: self.show(found, None, name)
        )

    def show(self, found: Found, path: Path | None, name: str) -> None:
        """A replay in the theatre, levels at the board, unfinished ones in the editor, a model among the models.

        `path` is None for a text that is no file, `name` what it is called.
        """
        if isinstance(found, ModelFile):
            assert path is not None
            show("models", self._window, self._context).bring_in(path)
        elif isinstance(found, Replay):
            open_scene("theatre", self._window, self._context, found)
        elif isinstance(found, Unfinished):
            title = path.stem if path is not None else PASTED_TITLE
            show("editor", self._window, self._context).exchange.take(found.drawings, name, title)
        else:
            self._play(path, found)

    def _play(self, path: Path | None, pack: LevelPack) -> None:
        """The first level of a pack: under the pack's own name where the app lists that file, else kept among the user's."""
        session = cast(LevelSession, show_game(self._window, self._context, GAME.id).session)
        listing = packs_of(self._context.saves.root)
        listing.refresh()
        listed = ""
        if path is not None:
            place = path.resolve()
            listed = next((file.id for file in listing.files if file.path.resolve() == place), "")
        opened = replace(pack, id=listed)
        session.open_level(opened, 0)
        if pack.notice:
            self._window.say(pack.notice, "bad")
        if not listed:
            pasted.keep(self._window, session, opened, pasted.PACK if path is None else pack.title)


def read_any(path: Path) -> Found:
    """What a file holds, told by its content: a replay, levels in any form that the app writes, or a model.

    A model is not read here: the models screen checks it while it imports it.

    Raises:
        Unreadable: it holds none of them, or is damaged.
    """
    try:
        with open_regular(path) as file:
            data = file.read(MODEL_HEAD)
            if kind_of(path.name, data) == "model":
                return ModelFile()
            data += file.read(MAX_BYTES + 1 - len(data))
    except OSError as error:
        raise Unreadable(f"{path.name} cannot be opened: {error.strerror or error}.") from None
    if len(data) > MAX_BYTES:
        raise Unreadable(
            f"{path.name} is larger than {MAX_BYTES // 1_000_000} MB: it is no replay, no levels and no model."
        )
    if kind_of(path.name, data) == "replay":
        try:
            return replays.loads(data, path.name)
        except ReplayError as error:
            raise Unreadable(f"This replay cannot be read: {error}.") from None
    try:
        return read_levels(data, path.name, packs.title_of(path.stem))
    except LevelError as error:
        raise Unreadable(f"{error}. Only levels, replays and models can be opened.") from None


def _read_text(text: str, name: str) -> Found:
    """Levels in a text; raises Unreadable."""
    try:
        return read_levels(text, name, PASTED_TITLE)
    except LevelError as error:
        place = "" if error.line is None else f"line {error.line}: "
        raise Unreadable(f"{name[:1].upper()}{name[1:]} has no moves and no levels: {place}{error.reason}.") from None


def read_levels(data: bytes | str, name: str, title: str) -> LevelPack | Unfinished:
    """Levels in any form, called `title` unless they say their name; drawings where none of them is a level.

    Raises:
        LevelError: there is none, or the whole is damaged.
    """
    pack, boards = level_forms.boards(data, name)
    if pack.levels:
        errors = [board for board in boards if isinstance(board, LevelError)]
        return packs.made("", title, pack, errors)
    return Unfinished(level_forms.documents(data, name))
