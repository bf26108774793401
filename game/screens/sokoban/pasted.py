"""Levels that were pasted or opened from a file are kept at once: in a pack of the user's own called so, the newest last."""

from concurrent.futures import wait

from game.play.sokoban.packs import OWN, LevelPack
from game.play.sokoban.session import LevelSession
from game.play.words import counted
from game.rules import levels
from game.rules.levels import Level
from game.saves.user_packs import PackError, UserPacks
from game.ui.scene import Host

PACK = "Pasted"


def keep(window: Host, session: LevelSession, pack: LevelPack, title: str = PACK) -> None:
    """Put the levels of a pack that is no file of the app's into the user's pack of that title, and say so once.

    A level that is there already is not put there again. The game on the board goes on, as one of that pack.
    """
    packs, store = session.course.packs, session.store

    def write() -> str | PackError:
        """In the user's packs, all of which are read for it; answers the stem of the one they are in."""
        own = UserPacks(store.saves, store.writer)
        try:
            stem = own.called(title)
            found = own.get(stem)
            new = _new(pack, found.pack.levels if found is not None else ())
            if new:
                own.add(stem, new)
        except PackError as error:
            return error
        store.writer.flush()
        return stem

    def written(stem: str | PackError) -> None:
        if isinstance(stem, PackError):
            window.say(f"Not kept: {str(stem)[:1].lower()}{str(stem)[1:]}", "bad")
            return
        packs.refresh()
        reading = packs.reading(OWN + stem)
        window.read("Keeping the levels", lambda: reading and wait((reading,)), lambda _: read(stem))

    def read(stem: str) -> None:
        kept = packs.get(OWN + stem)
        number = kept.number_of(session.course.level_id) if kept is not None else None
        if kept is None or not set(pack.ids) <= set(kept.ids):
            window.say("The levels are not kept: the folder of saves cannot be written.", "bad")
            return
        if session.course.pack is pack and number is not None:
            session.moved_to(kept, number)
        window.say(f"{counted(len(pack.levels), 'level')} opened, and kept in the pack “{kept.title}”.", "good")

    window.read("Keeping the levels", write, written)


def _new(pack: LevelPack, kept: tuple[Level, ...]) -> tuple[Level, ...]:
    """The levels of a pack that are not among those kept, each once."""
    known, new = {levels.level_id(level) for level in kept}, []
    for level, level_id in zip(pack.levels, pack.ids, strict=True):
        if level_id not in known:
            known.add(level_id)
            new.append(level)
    return tuple(new)
