"""Which files the machine code of a game's kernels is made from. Imports no numba.

Those are the modules that have kernels, what calls each of them once (`warm.py`), and what a module with kernels takes
constants from: modules of the same game, of its rules and whatever of `game.rules` it imports itself. A family, a training or
a text of an agent is none of them, so changing one compiles nothing again. What the rest of `ai` has (`ai.agent`, `ai.models`,
…) is used beside kernels and never inside one, which a test looks for.
"""

import re
from collections.abc import Iterator
from pathlib import Path

_HAS_KERNELS = re.compile(r"^from ai\.jit import ", re.MULTILINE)
_FROM = re.compile(r"^[ \t]*from[ \t]+((?:ai|game)[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)", re.MULTILINE)
_NAME = re.compile(r"(\w+)(?:[ \t]+as[ \t]+\w+)?")
_COMMENT = re.compile(r"#[^\n]*")


def kernel_files(game: str, root: Path) -> list[Path]:
    """The modules that have kernels of a game, and those of all games; '' for only these."""
    folders = [(root / "ai").glob("*.py"), (root / "ai" / game).rglob("*.py") if game else ()]
    return sorted(path for folder in folders for path in folder if _HAS_KERNELS.search(path.read_text("utf-8")))


def constant_files(game: str, root: Path) -> list[Path]:
    """The modules without kernels that those kernels take constants from, and the decorator that says how they are compiled."""
    kernels = kernel_files(game, root)
    own = [root / "ai" / game, root / "game" / "rules" / game, root / "game" / "rules" / f"{game}.py"] if game else []
    found = {root / "ai" / "jit.py"}
    if game:
        found |= {*(root / "ai" / game).rglob("warm.py")} - {*kernels}  # what calls them says which there are
    todo = [*kernels]
    while todo:
        path = todo.pop()
        for imported in _imported(path, root):
            ours = any(imported == each or each in imported.parents for each in own)
            rules = path in kernels and (root / "game" / "rules") in imported.parents
            if (ours or rules) and imported not in found and imported not in kernels:
                found.add(imported)
                todo.append(imported)
    return sorted(found)


def _imported(path: Path, root: Path) -> Iterator[Path]:
    """The files of ours that a module imports anything from, wherever in it."""
    for module, names in _FROM.findall(path.read_text("utf-8")):
        place = root.joinpath(*module.split("."))
        inside = [place / f"{name}.py" for name in _NAME.findall(_COMMENT.sub("", names))]
        inside += [place / name / "__init__.py" for name in _NAME.findall(_COMMENT.sub("", names))]
        yield from (each for each in (place.with_suffix(".py"), place / "__init__.py", *inside) if each.is_file())
