"""From one screen to another: a replay that goes on as a game, and any file to the screen that it belongs to."""

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from game.rules import editing_checks, levels
from game.rules import replay as replays
from game.rules.editing_history import Document
from game.rules.levels import LevelError
from game.rules.replay import Replay, ReplayError
from game.saves import level_forms
from game.screens.context import PERSON, Context
from game.screens.game_scene import GameScene
from game.screens.games import game_scene
from game.screens.kinds import kind_of
from game.screens.models.screen import ModelsScene
from game.screens.replays.film import Film
from game.screens.replays.theatre import TheatreScene
from game.screens.sokoban.level_scene import LevelScene
from game.screens.sokoban.packs import LevelPack, packs_of, read_pack
from game.ui.window import Window

if TYPE_CHECKING:
    from game.screens.editor.scene import EditorScene

MAX_BYTES = max(replays.MAX_BYTES, levels.MAX_BYTES)
MODEL_HEAD = 16
"""Bytes that tell a model."""


class OpenError(Exception):
    """The file belongs to no screen; the text is one sentence."""


class ModelFile:
    """What is told of a model by its first bytes: that it is one."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """Drawings none of which is a level yet."""

    drawings: tuple[Document, ...]


Found = Replay | LevelPack | Unfinished | ModelFile


def show_game(window: Window, context: Context, game: str) -> GameScene:
    """The screen of a game in front: the one that is open already, else a new one. Two would save over each other."""
    for scene in window.scenes:
        if isinstance(scene, GameScene) and scene.game == game and scene.autosave:
            while window.top is not scene:
                window.pop()
            return scene
    made = game_scene(game, window, context)
    window.push(made)
    return made


def go_on(window: Window, context: Context, film: Film, ply: int) -> None:
    """Play on from a position of a replay, on the game's screen; the game that was there is left."""
    replay = film.replay
    states = film.states(ply)
    seats = list(replay.seats)
    if replay.game == "connect4" and PERSON not in seats:
        seats[film.stage.mover(states[-1])] = PERSON
    scene = show_game(window, context, replay.game)
    scene.take_timeline(replay, states, tuple(seats))
    who = "It is your move" if PERSON in seats else "You can play, or let the agent go on with Space"
    window.say(f"The game goes on from move {ply:,}. {who}.", "good")


def show_models(window: Window, context: Context) -> ModelsScene:
    """The models screen in front: the one that is open already, else a new one."""
    for scene in window.scenes:
        if isinstance(scene, ModelsScene):
            while window.top is not scene:
                window.pop()
            return scene
    made = ModelsScene(window, context)
    window.push(made)
    return made


def show_editor(window: Window, context: Context) -> "EditorScene":
    """The level editor in front: the one that is open already, else a new one. Two would save over each other."""
    from game.screens.editor.scene import EditorScene  # which itself leads here

    for scene in window.scenes:
        if isinstance(scene, EditorScene):
            while window.top is not scene:
                window.pop()
            return scene
    made = EditorScene(window, context)
    window.push(made)
    return made


class Opener:
    """Opens files of any kind in one window: reads on a thread of its own, shows when that is done."""

    def __init__(self, window: Window, context: Context) -> None:
        """Call `update` every frame."""
        self._window, self._context = window, context
        self._reading: list[tuple[Path, Future[Found]]] = []
        self._thread: ThreadPoolExecutor | None = None

    def open(self, path: Path) -> None:
        """Show a file where it belongs, soon.

        A replay in the theatre, levels at the board, unfinished ones in the editor, a model among the models.
        """
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "opening")
        self._reading.append((path, self._thread.submit(read_any, path)))

    @property
    def busy(self) -> bool:
        """Whether a file is still being read."""
        return bool(self._reading)

    def update(self) -> None:
        """Show what has been read, or say why it cannot be."""
        while self._reading and self._reading[0][1].done():
            path, reading = self._reading.pop(0)
            try:
                found = reading.result()
            except OpenError as error:
                self._window.say(str(error), "bad")
                continue
            if isinstance(found, ModelFile):
                show_models(self._window, self._context).bring_in(path)
            elif isinstance(found, Replay):
                self._window.push(TheatreScene(self._window, self._context, found))
            elif isinstance(found, Unfinished):
                show_editor(self._window, self._context).traffic.take(found.drawings, path.name, path.stem)
            else:
                self._play(path, found)

    def _play(self, path: Path, pack: LevelPack) -> None:
        """The first level of a pack; under the pack's own name, where the app lists that file."""
        scene = cast(LevelScene, show_game(self._window, self._context, "sokoban"))
        packs = packs_of(self._context.saves.root)
        packs.refresh()
        listed = next((file.id for file in packs.files if file.path.resolve() == path.resolve()), pack.id)
        scene.open_level(replace(pack, id=listed), 0)
        if pack.notice:
            self._window.say(pack.notice, "bad")


def read_any(path: Path) -> Found:
    """What a file holds, told by its content: a replay, levels in any form that the app writes, or a model.

    A model is not read here: the models screen checks it while it imports it.

    Raises:
        OpenError: it holds none of them, or is damaged.
    """
    try:
        if not path.is_file():
            raise OpenError(f"{path.name} is no file that can be opened.")
        with path.open("rb") as file:
            data = file.read(MODEL_HEAD)
            if kind_of(path.name, data) == "model":
                return ModelFile()
            data += file.read(MAX_BYTES + 1 - len(data))
    except (OSError, ValueError) as error:
        raise OpenError(f"{path.name} cannot be opened: {getattr(error, 'strerror', None) or error}.") from None
    if len(data) > MAX_BYTES:
        raise OpenError(
            f"{path.name} is larger than {MAX_BYTES // 1_000_000} MB: it is no replay, no levels and no model."
        )
    if kind_of(path.name, data) == "replay":
        try:
            return replays.loads(data, path.name)
        except ReplayError as error:
            raise OpenError(f"This replay cannot be read: {error}.") from None
    return _levels(path, data)


def _levels(path: Path, data: bytes) -> LevelPack | Unfinished:
    """XSB text, or one level in another form that the editor writes; drawings where none of them is a level."""
    try:
        return read_pack(path)
    except LevelError as error:
        trouble = error
    try:
        drawings = level_forms.documents(data, path.name)
    except LevelError as error:
        looks_like_xsb = b"#" in data[:100_000] and b"\0" not in data[:1000] and data.lstrip()[:1] != b"{"
        said = trouble if looks_like_xsb else error
        raise OpenError(f"This is no replay, no file of levels and no model: {said}.") from None

    made = tuple(editing_checks.level_of(drawing) for drawing in drawings if not editing_checks.problem_of(drawing))
    if not made:
        return Unfinished(drawings)
    ids = tuple(levels.level_id(level) for level in made)
    return LevelPack("", made[0].title or path.stem, made[0].author, made, ids)
