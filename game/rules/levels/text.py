"""Levels as text: XSB boards and boards in runs, with what is said around them, as `.xsb`, `.sok` and `.txt` files have it.

A text holds any number of boards (`#` wall, `@` player, `$` box, `.` target, `+` and `*` player and box on a target,
blank, `-` or `_` floor). The last line of text above a board is its title (`; title` too), or the first below it in
files that have none above. `Title:`, `Author:`, `Comment:` … `Comment-End:` and `Solution:` stand below a board, those
of the whole file at its top, with a blank line after them. `Solution`, with or without a number and a colon, may stand
on a line of its own above the moves; `::` opens a remark that nobody keeps.
"""

import re
from dataclasses import dataclass, field

from game.rules import sokoban
from game.rules.levels import letters, lurd
from game.rules.levels.data import MAX_LEVELS, MAX_SQUARES, Contents, LevelError, Pack, Sketch, too_large
from game.rules.levels.letters import XSB

MAX_LINES = 500_000
MAX_RUNS = 4_000_000
"""Characters of all solutions of a file that are written in runs; those beyond are not kept."""
MAX_LINE = 400_000
"""Characters of a line at most; a solution of 100,000 moves needs three for each where it has pulls."""
_KEYS = {
    "title": "title",
    "author": "author",
    "comment": "comment",
    "comment-end": "end",
    "licence": "licence",
    "license": "licence",
    "copyright": "licence",
    "collection": "collection",
    "variant": "variant",
    "covered": "covered",
}
_KEY = re.compile(rf"\s*({'|'.join(sorted(_KEYS, reverse=True))})\s*:(.*)", re.IGNORECASE | re.DOTALL)
_MOVES = re.compile(
    r"\s*(?:best\s+)?(solution|saved? ?game|snapshot)\b([^:]{0,60})(:?)(.*)", re.IGNORECASE | re.DOTALL
)
"""A line that opens moves: what they are, more words, a colon or none, and the first of them."""
_OPENING = frozenset("bBsS")
"""How such a line begins; most lines do not, and are not looked at."""


_Said = dict[str, list[str]]
"""What is said of something: a comment may have several pieces, anything else has one."""


@dataclass
class _Drawn:
    """The lines of one board as they stand in the file, with what is said about it."""

    line: int
    rows: list[str] = field(default_factory=list)
    """With their runs written out where they can be."""
    numbers: list[int] = field(default_factory=list)
    """For each row the number of its line."""
    said: _Said = field(default_factory=dict)
    above: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)


@dataclass
class _Texts:
    """Lines of text without a blank line between them: (key or '', value)."""

    after_gap: bool
    before_gap: bool = True
    keyed: bool = False
    """Whether any of them is 'Key: value'."""
    items: list[tuple[str, str]] = field(default_factory=list)

    def add(self, key: str, value: str) -> None:
        """One more line, or several that are one comment."""
        self.items.append((key, value))
        self.keyed = self.keyed or bool(key)


def lines_of(text: str) -> list[str]:
    """The lines of a text, whatever its line ends."""
    text = text.removeprefix("\ufeff").rstrip("\x1a")
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def decode(data: bytes) -> str:
    """The text in a file: UTF-8, UTF-16 with its mark, or else Latin-1."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def has_board(lines: list[str]) -> bool:
    """Whether three lines in succession are XSB rows with a wall each: what a text of another form hardly has."""
    count = 0
    for line in lines:
        count = count + 1 if "#" in line and not line.strip(XSB) else 0
        if count == 3:
            return True
    return False


def read(lines: list[str], source: str) -> Contents:
    """Every board of a text, and what is said around them.

    Raises:
        LevelError: there are too many boards, lines, or characters in a line: nothing of them is looked at.
    """
    if len(lines) > MAX_LINES:
        raise LevelError(source, None, f"it has {len(lines):,} lines; {MAX_LINES:,} is the most")
    longest = max(map(len, lines))
    if longest > MAX_LINE:
        number = next(number for number, line in enumerate(lines, 1) if len(line) > MAX_LINE)
        raise LevelError(source, number, f"the line has {longest:,} characters; {MAX_LINE:,} is the most")
    head, boards = _assign(_groups(lines, source))
    title, author, licence, comment = (_joined(head, key) for key in ("title", "author", "licence", "comment"))
    found: list[Sketch | LevelError] = []
    runs = 0
    for drawn in boards:
        solution = _joined(drawn.said, "solution")
        if not solution.isalpha():
            runs += len(solution)
            if runs > MAX_RUNS:
                drawn.said.pop("solution", None)
        try:
            found.append(_sketch(drawn, source))
        except LevelError as error:
            found.append(error)
    return Contents(tuple(found), Pack((), title, author, licence, comment))


def _rows_of(line: str, inside: bool) -> list[str] | None:
    """The rows of a board that a line is, runs written out; None where it is none. `inside`: the line above is one.

    A row with letters between two walls counts, so that strange ones are refused and not taken for a title. So does a
    line of runs that cannot be written out: it is answered as it stands, and who reads the board says why.
    """
    text = line.strip()
    if not text.strip(XSB):
        return [line] if "#" in text or (inside and text) else None
    if "#" not in text:
        return None
    if letters.is_runs(text):
        lettered = letters.has_letters(text)
        if len(text) > letters.MAX_ROW and not lettered:
            return [line]
        try:
            rows = letters.written_out(text)
        except ValueError:
            rows = []
        if "|" in text and not lettered:
            return rows or [line]
        bare = [row.strip("-_ ") for row in rows]
        walled = bool(rows) and all(len(row) > 2 and row[0] == row[-1] == "#" for row in bare)
        if walled or not lettered:
            return rows if walled or (inside and rows) else None
    return [line] if text.startswith("#") and (inside or text.endswith("#")) else None


def _groups(lines: list[str], source: str) -> list[_Drawn | _Texts]:
    """The file cut into boards and groups of text, in order."""
    ends = _comment_ends(lines)
    groups: list[_Drawn | _Texts] = []
    current: _Drawn | _Texts | None = None
    count = number = squares = 0
    while number < len(lines):
        line, at = lines[number], number
        number += 1
        if not line.strip():
            current = None
            continue
        rows = _rows_of(line, isinstance(current, _Drawn))
        if rows is not None:
            if not isinstance(current, _Drawn):
                if isinstance(current, _Texts):
                    current.before_gap = False
                count += 1
                if count > MAX_LEVELS:
                    raise LevelError(source, at + 1, f"the file has more than {MAX_LEVELS:,} levels")
                current = _Drawn(at + 1)
                groups.append(current)
            current.rows += [row.replace("\xa0", " ").rstrip() for row in rows]
            current.numbers += [at + 1] * len(rows)
            squares += sum(map(len, rows))
            if squares > MAX_SQUARES:
                raise LevelError(source, at + 1, f"the boards down to here have more than {MAX_SQUARES:,} squares")
            continue
        if not isinstance(current, _Texts):
            current = _Texts(after_gap=current is None)
            groups.append(current)
        opened = _opens_moves(lines, at)
        if opened is not None:
            moves, number = opened
            current.add("solution", moves)
            continue
        match = _KEY.fullmatch(line) if ":" in line else None
        if match is None:
            text = line.strip()
            if not text.startswith("::"):
                current.add("", text.lstrip(";").strip())
            continue
        key, value = _KEYS[match[1].lower()], match[2].strip()
        if key == "comment" and ends[at]:
            value = "\n".join([value, *(text.rstrip() for text in lines[at + 1 : ends[at]])]).strip("\n")
            number = ends[at] + 1
        current.add(key, value)
    return groups


def _opens_moves(lines: list[str], at: int) -> tuple[str, int] | None:
    """The moves that a line opens ('' for those that are no solution) and the line behind them; None if it opens none."""
    match = _MOVES.fullmatch(lines[at]) if lines[at].lstrip()[:1] in _OPENING else None
    if match is None:
        return None
    kind, more, colon, first = match[1].lower(), match[2].strip(), match[3], match[4].strip()
    if first and not lurd.is_lurd(first):
        return None if more or kind != "solution" else ("", at + 1)
    number = at + 1
    pieces = [first] if first else []
    if not pieces:
        while number < len(lines) and not lines[number].strip():
            number += 1
    while number < len(lines) and lurd.is_lurd(lines[number]):
        pieces.append(lines[number])
        number += 1
    if not pieces:
        return ("", at + 1) if colon and not more else None
    return (" ".join(pieces) if kind == "solution" else ""), number


def _comment_ends(lines: list[str]) -> list[int]:
    """For every line that opens a comment the line of its `Comment-End:`, 0 for comments of one line."""
    ends = [0] * len(lines)
    end = 0
    for number in range(len(lines) - 1, -1, -1):
        match = _KEY.fullmatch(lines[number]) if ":" in lines[number] else None
        key = match[1].lower() if match else ""
        if key == "comment-end":
            end = number
        elif key == "comment":
            ends[number], end = end, 0
    return ends


def _assign(groups: list[_Drawn | _Texts]) -> tuple[_Said, list[_Drawn]]:
    """What is said of the whole pack, and the boards with what is said of each."""
    head: _Said = {}
    boards = [group for group in groups if isinstance(group, _Drawn)]
    titled_below = _titled_below(groups)
    done = 0
    for group in groups:
        if isinstance(group, _Drawn):
            done += 1
            continue
        above = boards[done - 1] if done else None
        below = boards[done] if done < len(boards) else None
        glued = not group.after_gap and group.before_gap
        if above is not None and (not group.after_gap or group.before_gap or below is None):
            said = above.said
        else:
            said = head if below is None or group.before_gap else below.said
        for key, value in group.items:
            if key in ("collection", "licence"):
                _say(head, "title" if key == "collection" else key, value)
            elif key:
                _say(said, key, value)
            elif group.keyed and (said is head or (above is not None and said is above.said and group.before_gap)):
                _say(said, "comment", value)  # a line like 'Email: …' among those that have a meaning
            elif above is not None and (titled_below or glued):
                above.below.append(value)
            elif below is not None:
                below.above.append(value)
            elif above is not None:
                _say(above.said, "comment", value)
    for number, found in enumerate(boards):
        texts, more = [text for text in found.above if text], [text for text in found.below if text]
        if texts and not found.said.get("title"):
            found.said["title"] = [texts.pop()]
        if more and not found.said.get("title"):
            found.said["title"] = [more.pop(0)]
        for text in texts:
            _say(head if number == 0 else found.said, "comment", text)
        for text in more:
            _say(found.said, "comment", text)
    return head, boards


def _titled_below(groups: list[_Drawn | _Texts]) -> bool:
    """Whether plain text stands below every board and none above the first."""
    below: list[bool] = [False]
    for group in groups:
        if isinstance(group, _Drawn):
            below.append(False)
        elif not group.keyed and any(value for _key, value in group.items):
            below[-1] = True
    return len(below) > 1 and not below[0] and all(below[1:])


def _say(said: _Said, key: str, value: str) -> None:
    """Add one value; comments may come in several pieces, of the rest the first counts."""
    if key == "comment" and key in said:
        said[key].append(value)
    elif value:
        said.setdefault(key, [value])


def _joined(said: _Said, key: str) -> str:
    return "\n".join(said.get(key, ()))


def _sketch(drawn: _Drawn, source: str) -> Sketch:
    """One board as it is drawn; raises LevelError on its size, its letters or its variant."""
    try:
        rules = sokoban.rules_of(_joined(drawn.said, "variant"))
    except ValueError as error:
        raise LevelError(source, drawn.line, str(error)) from None
    if len(drawn.rows) > sokoban.MAX_SIDE:
        raise LevelError(source, drawn.line, too_large(len(drawn.rows), max(map(len, drawn.rows))))
    array = letters.array_of(drawn.rows, source, drawn.numbers, rules.fixed)
    covered = _joined(drawn.said, "covered")
    try:
        array = letters.uncovered(array, covered) if covered else array
    except ValueError as error:
        raise LevelError(source, drawn.line, str(error)) from None
    title, author, comment = (_joined(drawn.said, key) for key in ("title", "author", "comment"))
    try:
        solution = lurd.moves_of(_joined(drawn.said, "solution"))
    except ValueError:
        solution = ""
    return Sketch(array, title, author, comment, solution, drawn.line, rules)
