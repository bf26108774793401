"""Plain JSON from outside, checked by hand, field by field, for `game.rules.replay`.

Every complaint is a `ReplayError` that names its source; nothing else is ever raised, whatever the text is.
"""

import json
from typing import Any, NoReturn

JSON = dict[str, "JSON"] | list["JSON"] | str | int | float | bool | None

MAX_BYTES = 64_000_000
MAX_TEXT = 500
"""Characters in one text, unless told."""


class ReplayError(ValueError):
    """A replay that cannot be read or played; the text is 'source: reason'."""

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"{source}: {reason}")
        self.source = source
        self.reason = reason


class Reader:
    """Checks one document; every complaint names its source."""

    def __init__(self, source: str) -> None:
        self.source = source

    def fail(self, reason: str) -> NoReturn:
        """Raise the ReplayError of this source."""
        raise ReplayError(self.source, reason)

    def data(self, text: str | bytes) -> bytes:
        """The text as bytes of a bounded number."""
        if len(text) > MAX_BYTES:
            self.fail(f"it is larger than {MAX_BYTES // 1_000_000} MB")
        return text if isinstance(text, bytes) else text.encode("utf-8", "replace")

    def document(self, text: str | bytes) -> dict[str, Any]:
        """The JSON object in `text`, which is short; plain dictionaries and lists without NaN or infinities."""
        try:
            if isinstance(text, bytes):
                text = text.decode("utf-8")
            document = json.loads(text, parse_constant=self._no_constant, object_pairs_hook=self._object)
        except UnicodeDecodeError:
            self.fail("it is not a text file")
        except json.JSONDecodeError as error:
            self.fail(f"it is not JSON (line {error.lineno}: {error.msg})")
        except RecursionError:
            self.fail("it is nested too deeply")
        except ReplayError:
            raise
        except ValueError:  # an integer of thousands of digits
            self.fail("it holds a number that is too long")
        if not isinstance(document, dict):
            self.fail("it is not a replay of this app")
        return document

    def _no_constant(self, name: str) -> NoReturn:
        self.fail(f"{name} is not a number")

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            self.fail("a name stands twice in one object")
        return made

    def whole(self, value: Any, name: str, low: int, high: int) -> int:
        """A whole number from `low` to `high`, not a bool."""
        if type(value) is not int or not low <= value <= high:
            self.fail(f"{name}: expected a whole number from {low} to {high}")
        return value

    def number(self, value: Any, name: str) -> float:
        """A finite number."""
        if type(value) not in (int, float) or not abs(value) < 1e300:
            self.fail(f"{name}: expected a number")
        return float(value)

    def text(self, value: Any, name: str, limit: int = MAX_TEXT) -> str:
        """A text of at most `limit` characters that can be written again."""
        if not isinstance(value, str) or len(value) > limit:
            self.fail(f"{name}: expected a text of at most {limit} characters")
        if any("\ud800" <= character <= "\udfff" for character in value):
            self.fail(f"{name}: half a character")
        return value

    def exactly(self, found: dict[str, Any], wanted: frozenset[str], name: str) -> None:
        """Refuse missing and unknown fields."""
        for key in wanted - found.keys():
            self.fail(f"{name} has no {key}")
        for key in found.keys() - wanted:
            self.fail(f"{name} has a field {key[:40]!a} that this app does not know")

    def plain(self, value: Any, name: str, depth: int = 0) -> None:
        """Refuse what could not be written again, and anything large."""
        if isinstance(value, str):
            self.text(value, name)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            self.number(value, name)
        elif isinstance(value, dict | list):
            if depth == 3 or len(value) > 100:
                self.fail(f"{name} is too large")
            for key in value if isinstance(value, dict) else ():
                self.text(key, name)
            for item in value.values() if isinstance(value, dict) else value:
                self.plain(item, name, depth + 1)

    def fields(self, setup: dict[str, Any], needed: tuple[str, ...], optional: tuple[str, ...]) -> None:
        """Check which fields a set-up has."""
        self.exactly({**dict.fromkeys(optional), **setup}, frozenset(needed + optional), "the set-up")
