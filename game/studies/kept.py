"""What a study that was stopped has done already: kept beside its tables, so that the same command goes on."""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from pathlib import Path
from typing import Any

import msgspec
from typing_extensions import override

from game.rules.files import read_regular
from game.saves.files import MAX_BYTES, write_whole

FILE = "unfinished.json"


Play = Callable[[Callable[[int], None]], Any]
"""Does a part, telling how many more games of it are done; None when it was cancelled."""


def play(
    parts: Mapping[str, tuple[int, Play]], done: Callable[[int, str], None], kept: MutableMapping[str, Any]
) -> None:
    """Do the parts (name -> games, and what does it) that are not kept already, one after the other, until one is cancelled."""
    for name, (games, part) in parts.items():
        if name in kept:
            done(games, name)
            continue

        def hear(count: int, name: str = name) -> None:
            done(count, name)

        found = part(hear)
        if found is None:
            return
        kept[name] = found


class Kept(MutableMapping[str, Any]):
    """Finished parts by name, JSON values, on the disk at once. Parts of a study with other settings are not taken."""

    def __init__(self, folder: Path, settings: dict[str, Any]) -> None:
        """`folder`: of the results; `settings`: JSON values that all parts depend on."""
        self._file = folder / FILE
        self._settings = settings
        self._parts: dict[str, Any] = {}
        try:
            found = msgspec.json.decode(read_regular(self._file, MAX_BYTES))
        except (OSError, ValueError):
            return
        if isinstance(found, dict) and found.get("settings") == settings and isinstance(found.get("parts"), dict):
            self._parts = found["parts"]

    @override
    def clear(self) -> None:
        """Forget them: the study is whole."""
        self._parts = {}
        self._file.unlink(missing_ok=True)

    @override
    def __getitem__(self, name: str) -> Any:
        return self._parts[name]

    @override
    def __setitem__(self, name: str, value: Any) -> None:
        self._parts[name] = value
        self._write()

    @override
    def __delitem__(self, name: str) -> None:
        del self._parts[name]
        self._write()

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    @override
    def __len__(self) -> int:
        return len(self._parts)

    def _write(self) -> None:
        write_whole(self._file, msgspec.json.encode({"settings": self._settings, "parts": self._parts}))
