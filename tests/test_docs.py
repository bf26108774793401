"""What the documents name is there: files, modules, names in modules, and what links lead to."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "saves" / "models" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
IDS = [page.relative_to(ROOT).as_posix() for page in PAGES]
_FENCE = re.compile(r"```.*?```", re.S)
_CODE = re.compile(r"`([^`]+)`")
_PATH = re.compile(r"(?<![\w./-])(?:ai|game|docs|levels|assets|scripts|tests)/[\w./*-]*\w")
_DOTTED = re.compile(r"(?<![\w./-])(?:ai|game|scripts|tests)(?:\.(?!(?:gif|json|py)\b)[a-zA-Z_]\w*)+")
_FILE = re.compile(r"(?<![\w./*-])\w+\.py\b")
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_OPEN = re.compile(r"\b[A-Z]{3,}\b(?![\w.])")
"""A word that a reader fills in, as GAME."""


def code_in(text: str) -> str:
    """Everything in a page that is set as code, a line for each piece."""
    rest = _FENCE.sub("", text)
    indented = [line for line in rest.splitlines() if line.startswith("    ")]
    return "\n".join([*_FENCE.findall(text), *(" ".join(code.split()) for code in _CODE.findall(rest)), *indented])


def missing(text: str) -> Iterator[str]:
    """What the code in a page names of our tree and is not in it."""
    code = code_in(text)
    for path in sorted(set(_PATH.findall(code))):
        place = _OPEN.sub("*", path)
        if not (any(ROOT.glob(place)) or any(ROOT.glob(f"{place}.py"))):
            yield path
    for name in sorted(set(_DOTTED.findall(code))):
        if not is_module_or_name(name):
            yield name
    for file in sorted(set(_FILE.findall(code)) - {"main.py"}):
        if file not in sources():
            yield file


def is_module_or_name(dotted: str) -> bool:
    """Whether it is one of our packages or modules, or a name that one of them says."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        place = ROOT.joinpath(*parts[:length])
        file = place.with_suffix(".py")
        if file.is_file() or place.is_dir():
            text = file.read_text(encoding="utf-8") if file.is_file() else ""
            return all(re.search(rf"\b{name}\b", text) for name in parts[length:])
    return False


@cache
def sources() -> frozenset[str]:
    """The names of all Python files of the program and its tests."""
    folders = ("ai", "game", "scripts", "tests")
    return frozenset(file.name for folder in folders for file in (ROOT / folder).rglob("*.py"))


def anchors(page: Path) -> set[str]:
    """What a link can name after `#` in a page."""
    heads = re.findall(r"^#+ (.+)$", _FENCE.sub("", page.read_text(encoding="utf-8")), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def broken(page: Path) -> Iterator[str]:
    """The links of a page that lead nowhere in the project."""
    for link in _LINK.findall(_FENCE.sub("", page.read_text(encoding="utf-8"))):
        if link.startswith(("http://", "https://")):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield link


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_files_and_modules_of_a_page_are_there(page: Path) -> None:
    assert not list(missing(page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_links_of_a_page_lead_somewhere(page: Path) -> None:
    assert not list(broken(page))


def test_every_note_is_in_their_list() -> None:
    listed = (ROOT / "docs" / "notes" / "README.md").read_text(encoding="utf-8")
    notes = [note.name for note in (ROOT / "docs" / "notes").glob("*.md") if note.name != "README.md"]
    assert notes and all(re.match(r"\d{4}-\d\d-\d\d-[\w-]+\.md$", name) for name in notes)
    assert not [name for name in notes if f"({name})" not in listed]


def test_pages_of_the_figures_are_there() -> None:
    table = tomllib.loads((ROOT / "docs" / "figures.toml").read_text(encoding="utf-8"))
    pages = {page for each in (*table["command"], *table["usage"]) for page in each["pages"]}
    assert not [page for page in sorted(pages) if not (ROOT / page).is_file()]


def test_what_is_not_there_is_found(tmp_path: Path) -> None:
    text = """
`ai/agent.py`, `ai/sokoban/fess/tree.py`, `game/rules`, `ai.jit`, `search.py`, `levels/PACK`,
`ai/GAME/family.py`, words ai/nothing.py
`ai/no_such.py`, `ai/GAME/no_such.py` and `ai.no_such.name`, `no_such_file.py`,
`ai.agent.NoSuchName`, `ai.agent.Thinking`, `main.py`

    python scripts/no_such_script.py

```
from game.no_such import thing
```
"""
    assert list(missing(text)) == [
        "ai/GAME/no_such.py",
        "ai/no_such.py",
        "scripts/no_such_script.py",
        "ai.agent.NoSuchName",
        "ai.no_such.name",
        "game.no_such",
        "no_such_file.py",
    ]
    page = tmp_path / "page.md"
    page.write_text(
        "# A head: `x`\n[a](#a-head-x) [b](#b) [c](page.md#a-head-x) [d](other.md) [e](https://example.org)"
    )
    assert list(broken(page)) == ["#b", "other.md"]
