"""Games that go on where they were: one file per game, saved while it is played.

The file is one JSON document. Its first line says when, who sits where and how far the game is; then follows the
replay of the whole timeline, with the moves that were undone and can still be redone.
"""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated

import msgspec

from game.rules import replay as replays
from game.rules.files import open_regular
from game.rules.game import State
from game.rules.games import GAMES
from game.rules.replay import Replay, ReplayError
from game.saves.files import DamagedFile, clean, put_away, read_bytes
from game.saves.folder import Saves
from game.saves.writer import Writer

FORMAT = "trilogic session"
VERSION = 1
MAX_HEAD_BYTES = 2 * replays.MAX_HEAD_BYTES

_REPLAY_MARK = b',\n"replay":'
_Text = Annotated[str, msgspec.Meta(max_length=500)]
Extra = bool | int | float | _Text | None


class Session(msgspec.Struct, frozen=True):
    """One game as it stands."""

    replay: Replay
    """The whole timeline, undone moves included; its set-up and seed are the game's."""
    cursor: int
    """How many steps of it are played."""
    seats: tuple[str, ...]
    """Who sits where now: 'person' or the text of a spec, which the catalogue must still check."""
    headline: str = ""
    """What the menu says, e.g. 'Depot 12 · 34 moves'."""
    when: str = ""
    """ISO time of saving; filled in when empty."""
    extra: dict[str, Extra] = {}
    """Whatever else the screen wants back: the view, whether a win was shown."""


class Loaded(msgspec.Struct, frozen=True):
    """What was found: the session with every position of its timeline, or why there is none."""

    session: Session | None = None
    states: tuple[State, ...] = ()
    """Position before the first step, after it, and so on: `states[session.cursor]` is on the board."""
    notice: str | None = None


class Headline(msgspec.Struct, frozen=True):
    """A saved game without its moves, for the menu."""

    game: str
    headline: str
    when: str


class _Head(msgspec.Struct, forbid_unknown_fields=True):
    format: str
    version: int
    game: str
    cursor: Annotated[int, msgspec.Meta(ge=0, le=replays.MAX_STEPS)]
    seats: Annotated[tuple[_Text, ...], msgspec.Meta(min_length=1, max_length=replays.MAX_SEATS)]
    headline: _Text
    when: _Text
    extra: Annotated[dict[_Text, Extra], msgspec.Meta(max_length=50)] = {}


def save(saves: Saves, writer: Writer, game: str, session: Session | Callable[[], Session]) -> None:
    """Write the session soon.

    A callable is called on the writing thread, at most once a second; the game goes on meanwhile, so it may use only what was
    bound when it was made and never changes.
    """

    def encode() -> bytes:
        return dump(session() if callable(session) else session)

    writer.put(saves.resume(game), encode)


def forget(saves: Saves, writer: Writer, game: str) -> None:
    """There is nothing to go on with any more."""
    writer.put(saves.resume(game), None)


def dump(session: Session) -> bytes:
    """The file's content."""
    head = _Head(
        FORMAT,
        VERSION,
        session.replay.game,
        session.cursor,
        tuple(clean(seat) for seat in session.seats),
        clean(session.headline),
        session.when or datetime.now().astimezone().isoformat(timespec="seconds"),
        {clean(key): clean(item) if isinstance(item, str) else item for key, item in session.extra.items()},
    )
    replay = replays.dumps(session.replay).encode()
    return msgspec.json.encode(head)[:-1] + _REPLAY_MARK + replay.rstrip() + b"}\n"


def load(saves: Saves, game: str) -> Loaded:
    """The saved session of a game, every step of it checked. Never raises; a damaged file is set aside."""
    path = saves.resume(game)
    try:
        return _read(path, game)
    except FileNotFoundError:
        return Loaded()
    except DamagedFile as error:
        return Loaded(notice=put_away(saves, error))


def last_session(saves: Saves) -> Headline | None:
    """The game that was saved last, for the card that continues it; reads only heads. Never raises.

    A new game is nothing to go on with; a level is, also before its first move.
    """
    found = []
    for game in GAMES.values():
        try:
            with open_regular(saves.resume(game.id)) as file:
                head, _replay = _split(saves.resume(game.id), file.read(MAX_HEAD_BYTES), game.id)
            if head.cursor == 0 and not game.levelled:
                continue
            found.append((datetime.fromisoformat(head.when).timestamp(), Headline(game.id, head.headline, head.when)))
        except (OSError, OverflowError, ValueError):
            continue  # opening that game's screen says what is wrong with its file
    return max(found, key=lambda item: item[0])[1] if found else None


def _split(path: Path, data: bytes, game: str) -> tuple[_Head, bytes]:
    line, mark, rest = data.partition(_REPLAY_MARK)
    if len(line) > MAX_HEAD_BYTES:
        raise DamagedFile(path, f"it is not a saved game of version {VERSION}")
    try:
        head = msgspec.json.decode(line + b"}", type=_Head)
        datetime.fromisoformat(head.when)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise DamagedFile(path, str(error)) from None
    if not mark or head.format != FORMAT or head.version != VERSION:
        raise DamagedFile(path, f"it is not a saved game of version {VERSION}")
    if head.game != game:
        raise DamagedFile(path, "it is of another game")
    return head, rest


def _read(path: Path, game: str) -> Loaded:
    head, rest = _split(path, read_bytes(path, replays.MAX_BYTES), game)
    body = rest.rstrip()
    if not body.endswith(b"}"):
        raise DamagedFile(path, "its end is missing")
    try:
        replay = replays.loads(body[:-1], path.name)
        states = tuple(replays.play(replay, path.name))
    except ReplayError as error:
        raise DamagedFile(path, error.reason) from None
    if replay.game != game or head.cursor > len(replay.steps):
        raise DamagedFile(path, "its head and its moves do not fit together")
    session = Session(replay, head.cursor, head.seats, head.headline, head.when, head.extra)
    return Loaded(session, states)
