"""Levels in `.slc` files: XML with a `Level` element of `L` rows for each board.

Read with expat and nothing beside it: nothing outside the file is ever opened, and a file that declares entities,
elements or anything else of its own is refused. A plain `<!DOCTYPE …>` line, which most files have, is passed over.
"""

from collections.abc import Callable
from xml.parsers import expat

from game.rules import sokoban
from game.rules.levels import letters
from game.rules.levels.data import MAX_LEVELS, Contents, LevelError, Pack, Sketch

MAX_ELEMENTS = (MAX_LEVELS + 1) * (sokoban.MAX_SIDE + 1)
"""Elements of a file at most: as many levels as a file may have, of as many rows as a level may have."""
_HEAD = {"Title": "title", "Description": "comment"}
_STARTS = ("<?xml", "<!DOCTYPE", "<SokobanLevels", "<LevelCollection", "<!--")


def is_slc(text: str) -> bool:
    """Whether a text is XML, judged by its beginning."""
    return text[:200].lstrip("\ufeff \t\r\n").startswith(_STARTS)


def read(data: bytes | str, source: str) -> Contents:
    """Every board of a file.

    Raises:
        LevelError: it is no XML, or XML with declarations or no level, or has too many levels.
    """
    if isinstance(data, str):
        return _Reader(source).read(data.encode("utf-8", "replace"), "utf-8")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        if not data.startswith((b"\xff\xfe", b"\xfe\xff")) and b"encoding" not in data[:200]:
            return _Reader(source).read(data, "iso-8859-1")
    return _Reader(source).read(data, None)


class _Reader:
    """What has been found so far while expat goes through the file."""

    def __init__(self, source: str) -> None:
        """For one file."""
        self._source = source
        self._path: list[str] = []
        self._head: dict[str, list[str]] = {}
        self._licence = ""
        self._boards: list[Sketch | LevelError] = []
        self._level: tuple[int, str, str] | None = None
        """Line, title and author of the level that is open."""
        self._rows: list[list[str]] = []
        """Of the open level; one row more than a level may have is kept, no further ones."""
        self._letters = 0
        """Of the open level; beyond what a level can need no further ones are kept."""
        self._elements = 0

    def read(self, data: bytes, encoding: str | None) -> Contents:
        """Go through the whole file."""
        parser = expat.ParserCreate(encoding)
        parser.buffer_text = True
        self._line: Callable[[], int] = lambda: parser.CurrentLineNumber
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = parser.ElementDeclHandler = parser.AttlistDeclHandler = self._declared
        parser.SkippedEntityHandler = parser.ExternalEntityRefHandler = self._declared
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise LevelError(self._source, error.lineno, f"this is no well-formed XML: {reason}") from None
        except (LookupError, ValueError) as error:
            if isinstance(error, LevelError):
                raise
            raise LevelError(self._source, 1, f"its encoding is not known: {error}") from None
        title, comment = ("".join(self._head.get(key, ())).strip() for key in ("title", "comment"))
        comment = "\n".join(line.strip() for line in comment.splitlines())
        return Contents(tuple(self._boards), Pack((), title, self._licence, "", comment))

    def _doctype(self, _name: str, _system: str | None, _public: str | None, has_declarations: int) -> None:
        if has_declarations:
            self._declared()

    def _declared(self, *_what: object) -> int:
        raise LevelError(
            self._source, self._line(), "an XML file with declarations or entities of its own is not read"
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._path.append(name)
        self._elements += 1
        if self._elements > MAX_ELEMENTS:
            raise LevelError(self._source, self._line(), f"the file has more than {MAX_ELEMENTS:,} elements")
        if len(self._path) > 64:
            raise LevelError(self._source, self._line(), "its elements are nested too deeply")
        if name == "LevelCollection":
            self._licence = self._licence or attributes.get("Copyright", "").strip()
        elif name == "Level":
            if len(self._boards) >= MAX_LEVELS:
                raise LevelError(self._source, self._line(), f"the file has more than {MAX_LEVELS:,} levels")
            words = (" ".join(attributes.get(key, "").split()) for key in ("Id", "Copyright"))
            self._level, self._rows, self._letters = (self._line(), *words), [], 0  # type: ignore[assignment]
        elif name == "L" and self._level is not None and len(self._rows) <= sokoban.MAX_SIDE:
            self._rows.append([])

    def _characters(self, text: str) -> None:
        name = self._path[-1] if self._path else ""
        if name == "L" and self._level is not None:
            if self._letters <= letters.MAX_ROW:
                self._rows[-1].append(text)
            self._letters += len(text)
        elif name in _HEAD and self._level is None:
            self._head.setdefault(_HEAD[name], []).append(text)

    def _end(self, name: str) -> None:
        self._path.pop()
        if name != "Level" or self._level is None:
            return
        line, title, author = self._level
        self._level = None
        try:
            if self._letters > letters.MAX_ROW:
                raise LevelError(self._source, line, f"the level has {self._letters:,} characters in its rows")
            board = letters.array_of(["".join(row) for row in self._rows], self._source, None)
        except LevelError as error:
            self._boards.append(LevelError(self._source, line, error.reason))
        else:
            self._boards.append(Sketch(board, title, author, line=line))
